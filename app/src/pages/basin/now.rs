//! The verdict on the start, the player, and what the run is doing at the playhead.

use super::state::State;
use super::storm::round_step;
use super::words::{self, Said};
use crate::plots::storm::phase_look;
use crate::ui::{Announcer, Player};
use engine::retrier_server::{DEFAULT_CAP, Phase, Verdict};
use leptos::prelude::*;

/// The class, pattern and letter of a verdict's swatch.
pub fn swatch(verdict: Verdict) -> (String, &'static str) {
    let (class, letter) = match verdict {
        Verdict::Recovers => ("recovers", "R"),
        Verdict::Orbits => ("orbits dots", "O"),
        Verdict::AtRisk => ("at-risk stripes", "A"),
        Verdict::Doomed => ("doomed crosses", "D"),
        Verdict::Unknown => ("unknown", "?"),
    };
    (format!("swatch {class}"), letter)
}

/// The verdict on the present start, in a sentence.
#[component]
pub fn VerdictLine(state: State) -> impl IntoView {
    let said = Memo::new(move |_| {
        let judgement = state.judgement.get();
        state.scenario.with(|s| {
            (
                judgement.verdict,
                s.plan.q0,
                s.plan.qd0,
                words::verdict(&s.plan.config, &judgement),
                words::essay_note(&s.plan, judgement.verdict),
                s.plan.events.is_empty(),
            )
        })
    });
    view! {
        <div class="verdict card" aria-label="Verdict" role="group">
            {move || {
                let (verdict, q0, qd, Said { name, why }, note, no_events) = said.get();
                let (class, letter) = swatch(verdict);
                let from = if qd > 0 {
                    format!("From {} fresh and {} duplicates: ", words::grouped(q0), words::grouped(qd))
                } else {
                    format!("From Q0 = {}: ", words::grouped(q0))
                };
                view! {
                    <span class=class aria-hidden="true">{letter}</span>
                    <div>
                        <h2>{from} <strong>{name.to_lowercase()}</strong></h2>
                        <p>{why}</p>
                        {note.map(|note| view! { <p class="note">{note}</p> })}
                        {(!no_events)
                            .then(|| {
                                view! {
                                    <p class="note">
                                        "This is of the start as it stands, before the changes that are scheduled below."
                                    </p>
                                }
                            })}
                    </div>
                }
            }}
        </div>
    }
}

/// The player, and what the run is doing at the playhead.
#[component]
pub fn Now(state: State) -> impl IntoView {
    let head = state.head;
    let place = Memo::new(move |_| {
        state
            .run
            .with(|run| words::place(run, head.position.get().min(run.points().len() - 1)))
    });
    // Judging a state can take a while, and many points share a phase: it is read off the row of phases.
    let now = Memo::new(move |_| {
        state.run.with(|run| {
            let index = head.position.get().min(run.points().len() - 1);
            let point = run.points()[index];
            let before = run.points()[run.index_of_round(point.round.saturating_sub(1))];
            let phase = words::phase_of(&point, DEFAULT_CAP);
            let said = words::doing(&point, phase, before.state.backlog());
            (phase, said, words::step(&point))
        })
    });
    let announcer = Announcer::get();
    let was = StoredValue::new(None::<Phase>);
    Effect::new(move |first: Option<()>| {
        let (phase, said, step) = now.get();
        let place = place.get();
        // While it plays, only a change of phase is worth a word.
        let changed = was.get_value() != Some(phase);
        was.set_value(Some(phase));
        if first.is_some() && (changed || !head.playing.get()) {
            announcer.say(format!("{place}. {step} {}. {}", said.name, said.why));
        }
    });
    view! {
        <section class="now" aria-label="The run">
            <Player
                head=head
                place=place
                small_step="turn"
                large_step="round"
                large=move |(position, on)| state.run.with_untracked(|run| round_step(run, position, on))
                speeds=vec![
                    (2.0, "1 round/s"),
                    (4.0, "2 rounds/s"),
                    (12.0, "6 rounds/s"),
                    (24.0, "12 rounds/s"),
                    (60.0, "30 rounds/s"),
                    (240.0, "120 rounds/s"),
                ]
            />
            <div class="doing">
                <p class="place">{place}</p>
                {move || {
                    let (phase, said, step) = now.get();
                    let (class, letter) = swatch(phase_look(phase).0);
                    view! {
                        <p class="step">{step}</p>
                        <p class="phase">
                            <span class=class aria-hidden="true">{letter}</span>
                            <span>
                                <strong>{said.name}". "</strong>
                                {said.why}
                            </span>
                        </p>
                    }
                }}
            </div>
        </section>
    }
}
