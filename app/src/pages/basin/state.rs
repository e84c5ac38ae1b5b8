//! What the reader has set, and everything that follows from it.

use super::presets::PRESETS;
use crate::pages::plan::PlanOf;
use crate::sight::Sight;
use crate::study::{Band, ByRuns, Finding, Scenario, append, study};
use crate::ui::Playhead;
use crate::worker::{Event, Worker};
use engine::retrier_server::{Arrivals, Judgement, Phase, Plan, Run};
use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use std::sync::Arc;

/// The last Q0 of the map that the page opens with.
pub const DEFAULT_MAP_TO: u64 = 60;

/// Turns a second that the player opens with: six rounds.
const SPEED: f64 = 12.0;

/// Milliseconds without a change after which large work begins: a slider that is dragged starts none.
const SETTLED: u32 = 150;

/// The scenario that the page opens with.
#[must_use]
pub fn first_scenario() -> Scenario {
    Scenario {
        plan: (PRESETS[0].plan)(),
        map_to: DEFAULT_MAP_TO,
    }
}

/// How far the study of the scenario is.
#[derive(Clone, Debug, PartialEq)]
pub enum Work {
    /// All is found.
    Done,
    /// The worker is at it; how much is done, 0 to 1.
    Running(f32),
    /// The reader stopped it.
    Stopped,
    /// The worker broke, and said why.
    Failed(String),
}

/// What is known of the scenario.
#[derive(Clone, Debug, Default, PartialEq)]
struct Findings {
    judgement: Option<Judgement>,
    bands: Arc<Vec<Band>>,
    phases: Arc<Vec<Phase>>,
}

impl Findings {
    fn take_in(&mut self, finding: Finding) {
        match finding {
            Finding::Judgement(judgement) => self.judgement = Some(*judgement),
            Finding::Bands(next) => {
                let bands = Arc::make_mut(&mut self.bands);
                next.into_iter().for_each(|band| append(bands, band));
            }
            Finding::Phases(next) => Arc::make_mut(&mut self.phases).extend(next),
            Finding::Progress(_) => {}
        }
    }
}

/// The page's state: what is set, and what the engine makes of it.
#[derive(Clone, Copy)]
pub struct State {
    /// What is set. Always in range: what is not is refused by [`State::propose`].
    pub scenario: ReadSignal<Scenario>,
    set_scenario: WriteSignal<Scenario>,
    plan: Memo<Plan>,
    /// The run.
    pub run: Memo<Arc<Run>>,
    /// What is proved of its start, once it is.
    pub judgement: Memo<Option<Judgement>>,
    /// Where each start leads, as far as known.
    pub bands: Memo<Arc<Vec<Band>>>,
    /// Where each state of the run leads, as far as known.
    pub phases: Memo<Arc<Vec<Phase>>>,
    /// How far all that is.
    pub work: ReadSignal<Work>,
    /// Where the reader is in the run.
    pub head: Playhead,
    /// What shows it: the worker is sent for once that is seen.
    pub sight: Sight,
    /// The budget that the toggle switches on.
    pub kept_budget: RwSignal<u64>,
    /// Whether the worker is to be sent for.
    calls_worker: RwSignal<bool>,
    student: StoredValue<Student, LocalStorage>,
}

/// Who studies the scenario.
struct Student {
    /// The worker, while it is needed. Dropping it stops it.
    worker: Option<Worker<Scenario>>,
    /// The wait before it is sent for.
    wait: Option<Timeout>,
    findings: RwSignal<Findings>,
    set_work: WriteSignal<Work>,
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
        let last = Signal::derive(move || run.with(|run| run.points().len() - 1));
        let head = Playhead::new(last, SPEED);
        head.go_to(usize::MAX);

        let findings = RwSignal::new(Findings::default());
        let (work, set_work) = signal(Work::Done);
        let state = Self {
            scenario,
            set_scenario,
            plan,
            run,
            judgement: Memo::new(move |_| findings.with(|found| found.judgement)),
            bands: Memo::new(move |_| findings.with(|found| found.bands.clone())),
            phases: Memo::new(move |_| findings.with(|found| found.phases.clone())),
            work,
            head,
            sight: Sight::new(),
            kept_budget,
            calls_worker: RwSignal::new(false),
            student: StoredValue::new_local(Student {
                worker: None,
                wait: None,
                findings,
                set_work,
            }),
        };
        state.study();
        state.sight.effect(move || {
            if state.calls_worker.get() {
                state.student.update_value(|student| {
                    student.wait = Some(Timeout::new(SETTLED, move || state.send_for_worker()));
                });
            }
        });
        state
    }

    /// Finds out about the scenario as it is now: at once if that takes no time, else in the worker.
    pub fn study(self) {
        let scenario = self.scenario.get_untracked();
        self.calls_worker.set(!scenario.is_small());
        self.student.update_value(|student| {
            student.worker = None;
            student.wait = None;
            let mut found = Findings::default();
            if scenario.is_small() {
                study::<ByRuns>(&scenario, |finding| found.take_in(finding));
                student.findings.set(found);
                student.set_work.set(Work::Done);
            } else {
                student.findings.set(found);
                student.set_work.set(Work::Running(0.0));
            }
        });
    }

    fn send_for_worker(self) {
        let scenario = self.scenario.get_untracked();
        self.student.update_value(|student| {
            let (findings, set_work) = (student.findings, student.set_work);
            let worker = Worker::new(move |event| match event {
                Event::Answer(Finding::Progress(share)) => {
                    set_work.set(if share < 1.0 {
                        Work::Running(share)
                    } else {
                        Work::Done
                    });
                }
                Event::Answer(finding) => {
                    findings.update(|found| found.take_in(finding));
                }
                Event::Failed(why) => set_work.set(Work::Failed(why)),
            });
            match worker.request(&scenario) {
                Ok(()) => student.worker = Some(worker),
                Err(why) => set_work.set(Work::Failed(why)),
            }
        });
    }

    /// Stops the worker. What it found so far stays.
    pub fn stop(self) {
        self.calls_worker.set(false);
        self.student.update_value(|student| {
            student.worker = None;
            student.wait = None;
            student.set_work.set(Work::Stopped);
        });
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
        next.validate().map_err(|error| error.to_string())?;
        if next == self.scenario.get_untracked() {
            return Ok(());
        }
        if let Some(budget) = next.plan.config.budget {
            self.kept_budget.set(budget);
        }
        let was_at_end = self.head.position.get_untracked() >= self.head.last.get_untracked();
        self.set_scenario.set(next);
        self.study();
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

    /// Changes what is set and plays the run from its start, or shows its end where motion is not wanted.
    ///
    /// # Errors
    /// As [`State::propose`].
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

    /// The plan, for its controls.
    #[must_use]
    pub fn plan_of(self) -> PlanOf {
        PlanOf::new(self.plan, self.kept_budget, move |change| {
            self.propose(|scenario| change(&mut scenario.plan))
        })
    }

    /// One part of what is set, followed.
    pub fn part<T: PartialEq + Clone + Send + Sync + 'static>(
        self,
        of: impl Fn(&Scenario) -> T + Send + Sync + 'static,
    ) -> Signal<T> {
        Memo::new(move |_| self.scenario.with(&of)).into()
    }
}
