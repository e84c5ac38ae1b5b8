//! A model carried through time.

use super::graph::{Context, Event, Graph, NodeId, TaskId};
use super::time::Time;

/// A model: what its logic nodes decide.
pub trait Logic: Sized {
    /// What a task carries.
    type Task;
    /// What a timer says when it rings.
    type Timer: Copy;
    /// What a script can change.
    type Change;

    /// Before the first event.
    fn start(&mut self, context: &mut Context<Self::Task, Self::Timer>);
    /// A task has come to a logic node.
    fn arrive(
        &mut self,
        node: NodeId,
        task: TaskId,
        context: &mut Context<Self::Task, Self::Timer>,
    );
    /// A timer rings.
    fn ring(&mut self, timer: Self::Timer, context: &mut Context<Self::Task, Self::Timer>);
    /// The script changes something.
    fn change(&mut self, change: &Self::Change, context: &mut Context<Self::Task, Self::Timer>);
    /// A sample is due. Storage for the samples of a whole run is best reserved at the start.
    fn sample(&mut self, context: &Context<Self::Task, Self::Timer>);
}

/// A model, its calendar and its script.
#[derive(Clone, Debug)]
pub struct Run<L: Logic> {
    /// The model.
    pub logic: L,
    /// Its time, tasks and graph.
    pub context: Context<L::Task, L::Timer>,
    script: Vec<(Time, L::Change)>,
    interval: Time,
    started: bool,
    events: u64,
}

impl<L: Logic> Run<L> {
    /// A run at its start. Samples are taken every `interval`, not at the start. Changes of the same instant are made in
    /// the script's order, and before anything else that happens in that instant.
    ///
    /// # Panics
    /// When `interval` is zero.
    pub fn new(logic: L, graph: Graph, script: Vec<(Time, L::Change)>, interval: Time) -> Self {
        assert!(interval > Time::ZERO, "samples need an interval");
        let mut context = Context::new(graph);
        for (index, (at, _)) in script.iter().enumerate() {
            context.calendar.schedule(*at, Event::Script(index as u32));
        }
        context.calendar.schedule(interval, Event::Sample);
        Run {
            logic,
            context,
            script,
            interval,
            started: false,
            events: 0,
        }
    }

    /// The present instant.
    pub fn now(&self) -> Time {
        self.context.now
    }

    /// How many events have happened.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Carries the run up to and including the instant `until`. How a run is sliced does not change it.
    pub fn advance(&mut self, until: Time) {
        self.advance_within(until, u64::MAX);
    }

    /// Carries the run towards `until` for at most `budget` events; returns whether it got there.
    pub fn advance_within(&mut self, until: Time, budget: u64) -> bool {
        if !self.started {
            self.started = true;
            self.logic.start(&mut self.context);
            self.settle();
        }
        for _ in 0..budget {
            if !self.step(until) {
                self.context.now = self.context.now.max(until);
                return true;
            }
        }
        false
    }

    fn step(&mut self, until: Time) -> bool {
        let (done_at, done_sequence, node) = self.context.next_completion();
        let next = self
            .context
            .calendar
            .next()
            .unwrap_or((Time::NEVER, u64::MAX));
        let at = next.0.min(done_at);
        if at > until || at == Time::NEVER {
            return false;
        }
        self.context.now = at;
        self.events += 1;
        if (done_at, done_sequence) < next {
            self.context.complete(node);
        } else if let Some((_, event)) = self.context.calendar.pop() {
            match event {
                Event::Timer(timer) => self.logic.ring(timer, &mut self.context),
                Event::Delayed(node, task) => self.context.delayed(node, task),
                Event::Script(index) => self
                    .logic
                    .change(&self.script[index as usize].1, &mut self.context),
                Event::Sample => {
                    self.context
                        .calendar
                        .schedule(at + self.interval, Event::Sample);
                    self.logic.sample(&self.context);
                }
            }
        }
        self.settle();
        true
    }

    /// Lets the logic nodes decide until every task is in a processor or gone.
    fn settle(&mut self) {
        while let Some((node, task)) = self.context.arrived.pop_front() {
            self.logic.arrive(node, task, &mut self.context);
        }
        self.context.reschedule();
    }
}
