//! Where each state of the run leads.

use super::job::{Job, JobLine};
use super::study::{CAP, Study};
use crate::study::{ByRuns, Judging, is_quick, phase_at};
use crate::worker::why::{Request, Response};
use engine::retrier_server::{Phase, Plan, Run};
use leptos::prelude::*;
use std::sync::Arc;

/// Most states whose phases are found while the page waits.
const MOST_STATES: usize = 601;

/// Most requests in all of their backlogs together: a deciding run takes about a round for each.
const MOST_BACKLOG: u64 = 1_000_000;

/// The phases of the run: found at once where that takes no time, else by the worker while the run is in sight.
#[derive(Clone, Copy)]
pub struct Phases {
    /// As far as they are known, from the start on.
    pub known: Memo<Arc<Vec<Phase>>>,
    job: Job,
    /// The share of them that is known.
    share: Signal<Option<f64>>,
}

impl Phases {
    /// Of the run of `study`.
    pub fn of(study: Study) -> Self {
        let job = Job::new();
        let at_once = at_once(study);
        let found = RwSignal::new(None::<(Plan, Arc<Vec<Phase>>)>);
        study.head.sight.effect(move || {
            let plan = study.plan.get();
            if at_once.with(Option::is_some) {
                job.forget();
                return;
            }
            let states = study.run.with(|run| run.points().len());
            found.set(Some((plan.clone(), Arc::default())));
            job.ask(Request::Phases(Box::new(plan), CAP), move |response| {
                let Response::Phases(next) = response else {
                    return true;
                };
                let mut known = 0;
                found.update(|found| {
                    if let Some((_, phases)) = found {
                        let phases = Arc::make_mut(phases);
                        phases.extend(next);
                        known = phases.len();
                    }
                });
                known == states
            });
        });
        let known = Memo::new(move |_| {
            at_once.get().unwrap_or_else(|| {
                // Those of another run are not this one's.
                let plan = study.plan.get();
                found.with(|found| match found {
                    Some((of, phases)) if *of == plan => phases.clone(),
                    _ => Arc::default(),
                })
            })
        });
        let share = Signal::derive(move || {
            let states = study.run.with(|run| run.points().len());
            Some(known.with(|known| known.len()) as f64 / states as f64)
        });
        Self { known, job, share }
    }

    /// What is said while the worker is at it.
    pub fn line(self) -> impl IntoView {
        view! { <JobLine job=self.job share=self.share what="Finding where each round leads" /> }
    }
}

/// The phases that are found while the page waits: none of a run that takes time.
pub fn at_once(study: Study) -> Memo<Option<Arc<Vec<Phase>>>> {
    Memo::new(move |_| study.run.with(|run| found_at_once(run).map(Arc::new)))
}

fn found_at_once(run: &Run) -> Option<Vec<Phase>> {
    let points = run.points();
    let backlogs = points.iter().map(|point| point.state.backlog());
    let is_short = points.len() <= MOST_STATES
        && points.iter().all(|point| is_quick(&point.config, 0, 0))
        && backlogs.fold(0, u64::saturating_add) <= MOST_BACKLOG;
    is_short.then(|| {
        (0..points.len())
            .map(|i| phase_at(points, i, ByRuns::phase))
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::retrier_server::{Breaker, Config, Gate};
    use wasm_bindgen_test::wasm_bindgen_test;

    fn found(config: Config, q0: u64, rounds: u64) -> Option<Vec<Phase>> {
        let run = Plan::new(config, q0, rounds).play().expect("a good plan");
        found_at_once(&run)
    }

    #[wasm_bindgen_test]
    fn every_state_of_a_short_run_gets_a_phase() {
        let phases = found(Config::default(), 18, 40).expect("they are found at once");
        assert_eq!((phases.len(), phases.last()), (81, Some(&Phase::Trapped)));
    }

    #[wasm_bindgen_test]
    fn what_takes_time_is_left_to_the_worker() {
        let breaker = Gate::Breaker(Breaker {
            max_failures: 3,
            max_open_ticks: 5,
        });
        let gated = Config {
            gate: breaker,
            ..Config::default()
        };
        assert_eq!(found(gated, 18, 40), None);
        assert_eq!(found(Config::default(), 18, 400), None);
        let budget = Config::default().with_budget(3);
        assert_eq!(found(budget, 2_000_000_000, 1), None);
    }
}
