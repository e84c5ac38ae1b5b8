//! The player, and how each system is at the playhead and in the end.

use super::diagram::side_name;
use super::job_line::JobLine;
use super::state::{Side, State};
use super::words::{self, Mood};
use crate::plots::timeline::figure;
use crate::ui::{Announcer, Player};
use crate::worker::ecs::FRAME_S;
use leptos::prelude::*;

/// The player.
#[component]
pub fn Now(state: State) -> impl IntoView {
    let head = state.head;
    let place = Memo::new(move |_| {
        let t = state.now();
        let script = state.scenario.with(|scenario| {
            let entries = scenario.config.script.iter().filter(|entry| {
                let (from, until) = entry.interval();
                from <= t && t < until
            });
            entries.map(words::entry).collect::<Vec<_>>()
        });
        if script.is_empty() {
            format!("Second {}", figure(t))
        } else {
            format!("Second {}: {}", figure(t), script.join(", "))
        }
    });
    // A second of the simulation in frames.
    let seconds = |n: f64| n / FRAME_S;
    view! {
        <section class="now" aria-label="The runs">
            <Player
                head=head
                place=place
                small_step="quarter second"
                large_step="ten seconds"
                large=move |(position, on): (usize, bool)| {
                    let step = seconds(10.0) as usize;
                    if on { position + step } else { position.saturating_sub(step) }
                }
                speeds=vec![
                    (seconds(1.0), "1 s/s"),
                    (seconds(3.0), "3 s/s"),
                    (seconds(10.0), "10 s/s"),
                    (seconds(30.0), "30 s/s"),
                    (seconds(100.0), "100 s/s"),
                ]
            />
            <p class="place">{place}</p>
        </section>
    }
}

/// What a side is, how it is at the playhead, and how it ended.
#[component]
pub fn LaneHead(state: State, side: Side) -> impl IntoView {
    let lane = state.lane(side);
    let said = Memo::new(move |_| {
        let position = state.head.position.get();
        lane.run.with(|run| words::now(run, position))
    });
    let outcome = Memo::new(move |_| lane.run.with(words::outcome));
    let name = side_name(state, side);
    let announcer = Announcer::get();
    let was = StoredValue::new(None::<Mood>);
    Effect::new(move |first: Option<()>| {
        let said = said.get();
        // While it plays, only a change of mood is worth a word.
        let changed = was.get_value() != Some(said.mood);
        was.set_value(Some(said.mood));
        if first.is_some() && changed && state.head.playing.get_untracked() {
            announcer.say(format!("{}: {}", side.letter(), said.what));
        }
    });
    view! {
        <header class="lane-head">
            <h2>
                <span class="letter">{side.letter()}</span>
                " "
                {name}
            </h2>
            <p class="small quiet">"Short answers in time, a second"</p>
            <dl class="score">
                <Score state side what="before" of=|s| s.short_goodput_before />
                <Score state side what="during" of=|s| s.short_goodput_during />
                <Score state side what="last 20 s" of=|s| s.short_goodput_after />
            </dl>
            <p class="outcome">
                {move || {
                    outcome
                        .get()
                        .map(|(mood, words)| {
                            let (class, letter) = mood.swatch();
                            view! {
                                <span class=class aria-hidden="true">{letter}</span>
                                <strong>{words}</strong>
                            }
                        })
                }}
            </p>
            <LongOnes state side />
            <Work state side />
            <div class="doing">
                {move || {
                    let said = said.get();
                    let (class, letter) = said.mood.swatch();
                    view! {
                        <p class="phase">
                            <span class=class aria-hidden="true">{letter}</span>
                            <strong>{said.what}</strong>
                        </p>
                        <ul class="why">
                            {said.why.into_iter().map(|why| view! { <li>{why}</li> }).collect_view()}
                        </ul>
                    }
                }}
            </div>
        </header>
    }
}

/// One figure of a run: short answers a second.
#[component]
fn Score(
    state: State,
    side: Side,
    what: &'static str,
    of: fn(&engine::ecs::Summary) -> Option<f64>,
) -> impl IntoView {
    let run = state.lane(side).run;
    let value = Memo::new(move |_| run.with(|run| of(&run.summary)));
    // A script that begins at once has nothing before it, and one that is empty nothing during it.
    let absent =
        move || value.get().is_none() && run.with(|run| run.summary.short_goodput_after.is_some());
    view! {
        <div hidden=absent>
            <dt>{what}</dt>
            <dd data-score=what>{move || value.get().map_or_else(|| "–".to_owned(), figure)}</dd>
        </div>
    }
}

/// What becomes of long requests: they are few, so in figures and without a verdict.
#[component]
fn LongOnes(state: State, side: Side) -> impl IntoView {
    let run = state.lane(side).run;
    let said = Memo::new(move |_| run.with(words::long_ones));
    view! { <p class="note" data-long=side.letter()>{said}</p> }
}

/// How the simulation of a side gets on, and how much it has done.
#[component]
fn Work(state: State, side: Side) -> impl IntoView {
    let events = move || {
        state.lane(side).run.with(|run| match run.summary.events {
            0 => String::new(),
            made => format!("{} events simulated", figure(made as f64)),
        })
    };
    view! {
        <div class="work" aria-label=format!("Simulation of {}", side.letter()) role="group">
            <JobLine
                job=state.lane(side).job
                what=format!("Simulating {}", side.letter())
                again=move |()| state.simulate()
            />
            <p class="note">{events}</p>
        </div>
    }
}
