//! What the reader has set on this page, and what follows from it.

use super::address::Views;
use super::clients::Setting;
use super::compare::Fix;
use super::counterexample::{Choice, Question};
use super::judged::Start;
use crate::pages::plan::PlanOf;
use crate::ui::Playhead;
use engine::retrier_server::{Arrivals, Config, Ledger, Plan, Run, Scale};
use leptos::prelude::*;
use std::sync::Arc;

/// Largest backlog explored for laws that are not monotone: a map has thousands of starts.
pub const CAP: u64 = 120;

/// Turns a second that the player opens with: two rounds.
const SPEED: f64 = 4.0;

/// Where in the run the page opens: after the first round.
pub const FIRST_POSITION: usize = 2;

/// What the page opens with: the storm.
pub fn first_plan() -> Plan {
    Plan::new(Config::default(), 18, 40)
}

/// The page's state.
#[derive(Clone, Copy)]
pub struct Study {
    /// What is played. Always in range: what is not is refused by [`Study::propose`].
    pub plan: ReadSignal<Plan>,
    set_plan: WriteSignal<Plan>,
    /// The run.
    pub run: Memo<Arc<Run>>,
    /// The contracts at every step of it.
    pub ledger: Memo<Arc<Ledger>>,
    /// Where the reader is in the run.
    pub head: Playhead,
    /// The budget that the toggle switches on.
    pub kept_budget: RwSignal<u64>,
    /// The tab that is open.
    pub tab: RwSignal<usize>,
    /// The property of the counterexample.
    pub choice: RwSignal<Choice>,
    /// The bound, where that is the property.
    pub bound: RwSignal<u64>,
    /// What is asked of the counterexample.
    pub question: Memo<Question>,
    /// The step in the answer to a question.
    step: RwSignal<(Question, usize)>,
    /// The axes of the map, across and upwards.
    pub axes: (RwSignal<Scale>, RwSignal<Scale>),
    /// The fixes that are compared.
    pub fixes: (RwSignal<Fix>, RwSignal<Fix>),
    /// The clients.
    pub clients: RwSignal<Setting>,
}

impl Study {
    /// The storm.
    pub fn new() -> Self {
        let (plan, set_plan) = signal(first_plan());
        let views = Views::default();
        let run =
            Memo::new(move |_| plan.with(|plan| Arc::new(plan.play().expect("a plan in range"))));
        let ledger = Memo::new(move |_| run.with(|run| Arc::new(Ledger::of(run))));
        let last = Signal::derive(move || run.with(|run| run.points().len() - 1));
        let head = Playhead::new(last, SPEED);
        head.go_to(FIRST_POSITION);
        let (choice, bound) = (RwSignal::new(views.choice), RwSignal::new(views.bound));
        let question = Memo::new(move |_| {
            let (config, start) = plan.with(start_of);
            (config, start, choice.get().property(bound.get()))
        });
        Self {
            plan,
            set_plan,
            run,
            ledger,
            head,
            kept_budget: RwSignal::new(views.budget),
            tab: RwSignal::new(views.tab),
            choice,
            bound,
            question,
            step: RwSignal::new((question.get_untracked(), 0)),
            axes: (RwSignal::new(views.axes.0), RwSignal::new(views.axes.1)),
            fixes: (RwSignal::new(views.fixes.0), RwSignal::new(views.fixes.1)),
            clients: RwSignal::new(views.clients),
        }
    }

    /// All that is set beside the run.
    pub fn views(self) -> Views {
        Views {
            tab: self.tab.get(),
            choice: self.choice.get(),
            bound: self.bound.get(),
            axes: (self.axes.0.get(), self.axes.1.get()),
            fixes: (self.fixes.0.get(), self.fixes.1.get()),
            budget: self.kept_budget.get(),
            clients: self.clients.get(),
        }
    }

    /// Sets all that is set beside the run. What stays as it was is not set, so that nothing is worked out anew for it.
    pub fn set_views(self, views: Views) {
        fn set<T: PartialEq + Send + Sync + 'static>(signal: RwSignal<T>, value: T) {
            if signal.with_untracked(|now| *now != value) {
                signal.set(value);
            }
        }
        set(self.tab, views.tab);
        set(self.choice, views.choice);
        set(self.bound, views.bound);
        set(self.axes.0, views.axes.0);
        set(self.axes.1, views.axes.1);
        set(self.fixes.0, views.fixes.0);
        set(self.fixes.1, views.fixes.1);
        set(self.kept_budget, views.budget);
        set(self.clients, views.clients);
    }

    /// Changes the plan, if the result is in range.
    ///
    /// # Errors
    /// Names the part of the result that is out of range; nothing is changed then.
    pub fn propose(self, change: impl FnOnce(&mut Plan)) -> Result<(), String> {
        let mut next = self.plan.get_untracked();
        change(&mut next);
        if let Arrivals::List(list) = &mut next.arrivals {
            // A list that was loaded stays within the laws it now meets, and goes on at most arrivals.
            for arrivals in list.iter_mut() {
                *arrivals = (*arrivals).min(next.config.amax);
            }
            list.resize(next.rounds as usize, next.config.amax);
        }
        next.validate().map_err(|error| error.to_string())?;
        if let Some(budget) = next.config.budget {
            self.kept_budget.set(budget);
        }
        self.set_plan.set(next);
        let last = self.head.last.get_untracked();
        self.head.position.update(|at| *at = last.min(*at));
        Ok(())
    }

    /// The plan, for its controls.
    pub fn plan_of(self) -> PlanOf {
        PlanOf::new(self.plan, self.kept_budget, move |change| {
            self.propose(change)
        })
    }

    /// Plays `plan`, which is in range, from its start.
    pub fn load(self, plan: Plan) {
        let loaded = self.propose(|now| *now = plan);
        debug_assert!(loaded.is_ok());
        self.head.go_to(0);
    }

    /// One part of the plan, followed.
    pub fn part<T: PartialEq + Clone + Send + Sync + 'static>(
        self,
        of: impl Fn(&Plan) -> T + Send + Sync + 'static,
    ) -> Signal<T> {
        Memo::new(move |_| self.plan.with(&of)).into()
    }

    /// The laws and the start, followed.
    pub fn start(self) -> Signal<Start> {
        self.part(start_of)
    }

    /// The step in the counterexample, followed. What is asked anew is shown from its start.
    pub fn step(self) -> usize {
        let (of, step) = self.step.get();
        if of == self.question.get() { step } else { 0 }
    }

    /// Goes to a step in the counterexample.
    pub fn set_step(self, step: usize) {
        self.step.set((self.question.get_untracked(), step));
    }

    /// The point of the run that the playhead stands at.
    pub fn position(self) -> usize {
        let last = self.run.with(|run| run.points().len() - 1);
        self.head.position.get().min(last)
    }
}

fn start_of(plan: &Plan) -> Start {
    (plan.config, plan.config.start(plan.q0, plan.qd0))
}
