//! What the reader has set, and everything that follows from it.

use super::presets::PRESETS;
use crate::plots::basin_map::{Band, bands};
use crate::ui::Playhead;
use engine::retrier_server::{
    Arrivals, DEFAULT_CAP, Judgement, Phase, Plan, Run, judge, judge_range, phase,
};
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What the reader sets: all that the page shows follows from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scenario {
    /// The run.
    pub plan: Plan,
    /// The last Q0 of the map.
    pub map_to: u64,
}

/// The last Q0 of the map that the page opens with.
pub const DEFAULT_MAP_TO: u64 = 60;

/// Turns a second that the player opens with: six rounds.
const SPEED: f64 = 12.0;

/// Work between two looks at the clock, and the milliseconds after which the page gets its turn.
const SLICE: (usize, f64) = (16, 6.0);

impl Default for Scenario {
    fn default() -> Self {
        Self {
            plan: (PRESETS[0].plan)(),
            map_to: DEFAULT_MAP_TO,
        }
    }
}

/// The page's state: what is set, and what the engine makes of it.
#[derive(Clone, Copy)]
pub struct State {
    /// What is set. Always in range: what is not is refused by [`State::propose`].
    pub scenario: ReadSignal<Scenario>,
    set_scenario: WriteSignal<Scenario>,
    /// The run.
    pub run: Memo<Arc<Run>>,
    /// What is proved of its start.
    pub judgement: Memo<Judgement>,
    /// Where each start leads.
    pub bands: Memo<Arc<Vec<Band>>>,
    /// The phase of each round start, as far as computed.
    pub phases: ReadSignal<Arc<Vec<Phase>>>,
    /// Where the reader is in the run.
    pub head: Playhead,
    /// The budget that the toggle switches on.
    pub kept_budget: RwSignal<u64>,
}

impl State {
    /// The state that the page opens with, at the end of its run so that all of it is in sight.
    #[must_use]
    pub fn new(first: Scenario) -> Self {
        let kept_budget = RwSignal::new(first.plan.config.budget.unwrap_or(0));
        let (scenario, set_scenario) = signal(first);
        let plan = Memo::new(move |_| scenario.with(|scenario| scenario.plan.clone()));
        let run = Memo::new(move |_| {
            plan.with(|plan| Arc::new(plan.play().expect("only plans in range are set")))
        });
        let judgement = Memo::new(move |_| {
            plan.with(|plan| {
                judge(
                    &plan.config,
                    &plan.config.start(plan.q0, plan.qd0),
                    DEFAULT_CAP,
                )
            })
        });
        let map_of = Memo::new(move |_| scenario.with(|s| (s.plan.config, s.map_to, s.plan.qd0)));
        let bands = Memo::new(move |_| {
            let (config, to, qd) = map_of.get();
            Arc::new(bands(&judge_range(&config, 0..=to, qd, DEFAULT_CAP)))
        });
        let last = Signal::derive(move || run.with(|run| run.points().len() - 1));
        let head = Playhead::new(last, SPEED);
        head.go_to(usize::MAX);
        Self {
            scenario,
            set_scenario,
            run,
            judgement,
            bands,
            phases: phases_of(run),
            head,
            kept_budget,
        }
    }

    /// Changes what is set, if the result is in range.
    ///
    /// # Errors
    /// Names the part of the result that is out of range; nothing is changed then.
    pub fn propose(self, change: impl FnOnce(&mut Scenario)) -> Result<(), String> {
        let mut next = self.scenario.get_untracked();
        change(&mut next);
        // A list has an entry for each round, so it says how many there are.
        if let Arrivals::List(list) = &next.plan.arrivals {
            next.plan.rounds = list.len() as u64;
        }
        next.plan.validate().map_err(|error| error.to_string())?;
        if let Some(budget) = next.plan.config.budget {
            self.kept_budget.set(budget);
        }
        let was_at_end = self.head.position.get_untracked() >= self.head.last.get_untracked();
        self.set_scenario.set(next);
        let last = self.head.last.get_untracked();
        self.head.position.update(|position| {
            *position = if was_at_end {
                last
            } else {
                last.min(*position)
            };
        });
        Ok(())
    }

    /// Sets `scenario`, which is in range, and plays it from its start, or shows its end where motion is not wanted.
    pub fn start(self, change: impl FnOnce(&mut Scenario)) -> Result<(), String> {
        self.propose(change)?;
        if crate::theme::prefers_reduced_motion() {
            self.head.go_to(usize::MAX);
        } else {
            self.head.go_to(0);
            self.head.play();
        }
        Ok(())
    }

    /// One part of what is set, followed.
    pub fn part<T: PartialEq + Clone + Send + Sync + 'static>(
        self,
        of: impl Fn(&Scenario) -> T + Send + Sync + 'static,
    ) -> Signal<T> {
        Memo::new(move |_| self.scenario.with(&of)).into()
    }
}

/// The phases of a run's round starts, under the laws of the round that follows each; computed in slices, so that a
/// long run never holds the page.
fn phases_of(run: Memo<Arc<Run>>) -> ReadSignal<Arc<Vec<Phase>>> {
    let (phases, set_phases) = signal(Arc::new(Vec::new()));
    let generation = StoredValue::new(0_u64);
    Effect::new(move || {
        let run = run.get();
        generation.update_value(|g| *g += 1);
        let mine = generation.get_value();
        leptos::task::spawn_local(async move {
            let mut known = Vec::with_capacity(run.rounds() as usize + 1);
            let now = || window().performance().map_or(0.0, |clock| clock.now());
            let mut since = now();
            for round in 0..=run.rounds() {
                let start = run.index_of_round(round);
                let next = (start + 1).min(run.points().len() - 1);
                let config = &run.points()[next].config;
                known.push(phase(config, &run.points()[start].state, DEFAULT_CAP));
                if known.len() % SLICE.0 == 0 && now() - since > SLICE.1 {
                    if generation.try_get_value() != Some(mine) {
                        return;
                    }
                    set_phases.set(Arc::new(known.clone()));
                    TimeoutFuture::new(0).await;
                    since = now();
                }
            }
            if generation.try_get_value() == Some(mine) {
                set_phases.set(Arc::new(known));
            }
        });
    });
    phases
}
