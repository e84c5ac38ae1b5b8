//! The player, and what the run is doing at the playhead.

use super::state::State;
use super::storm::round_step;
use super::words;
use crate::plots::storm::phase_look;
use crate::ui::{Announcer, Player};
use engine::retrier_server::{Phase, Verdict};
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

/// The player, and what the run is doing at the playhead.
#[component]
pub fn Now(state: State) -> impl IntoView {
    let head = state.head;
    let place = Memo::new(move |_| {
        state
            .run
            .with(|run| words::place(run, head.position.get().min(run.points().len() - 1)))
    });
    let now = Memo::new(move |_| {
        state.run.with(|run| {
            let index = head.position.get().min(run.points().len() - 1);
            let point = run.points()[index];
            let before = run.points()[run.index_of_round(point.round.saturating_sub(1))];
            let phase = state.phases.with(|phases| phases.get(index).copied());
            // In mid-round it is where the round ends that is judged.
            let is_mid = !point.state.is_round_start();
            let judged = run.points()[index + usize::from(is_mid)];
            let mut said = match phase {
                Some(phase) => words::doing(&judged, phase, before.state.backlog()),
                None => words::not_yet(),
            };
            if is_mid && phase.is_some() {
                said.why = format!("Once the server has moved: {}", said.why);
            }
            (phase, said, words::step(&point))
        })
    });
    let announcer = Announcer::get();
    let was = StoredValue::new(None::<Phase>);
    Effect::new(move |first: Option<()>| {
        let (phase, said, step) = now.get();
        let place = place.get();
        // While it plays, only a change of phase is worth a word.
        let changed = was.get_value() != phase;
        was.set_value(phase);
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
                    let verdict = phase.map_or(Verdict::Unknown, |phase| phase_look(phase).0);
                    let (class, letter) = swatch(verdict);
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
