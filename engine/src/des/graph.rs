//! Logic nodes and processors, wired.

use std::collections::VecDeque;

use slab::Slab;

use super::calendar::{Appointment, Calendar, Lane};
use super::line::Line;
use super::shared::Shared;
use super::time::Time;

/// A node of a graph: its place in the list the graph was made from.
// As wide as what it stands beside in a queue: what is written there in one piece is read back at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(pub u32);

/// A task in the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TaskId(pub u32);

/// What a node does with the work that comes to it.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Decides where it goes next, in no time.
    Logic,
    /// Queues it for a permit; with one it goes to the logic node `then`.
    Line {
        /// The queue and its permits.
        line: Line,
        /// Where a task goes with its permit.
        then: NodeId,
    },
    /// Shares cores equally; a task that is done goes to the logic node `then`.
    Shared {
        /// The cores.
        cores: Shared,
        /// Where a task goes when it is done.
        then: NodeId,
    },
    /// Holds it for a given time; then it goes to the logic node `then`.
    Delay {
        /// Where a task goes afterwards.
        then: NodeId,
    },
}

/// The nodes and wires of a system. Making one is the only place where wires are named; a task that is sent along a
/// wire that does not exist is a mistake in the model, and stops a debug build.
#[derive(Clone, Debug)]
pub struct Graph {
    names: Vec<&'static str>,
    kinds: Vec<Kind>,
    wires: Vec<(NodeId, NodeId)>,
    // Square, by origin and destination.
    crossings: Vec<u64>,
    shared: Vec<NodeId>,
}

impl Graph {
    /// A graph of named nodes and of the wires that leave its logic nodes. The wires that leave processors follow from
    /// the processors.
    ///
    /// # Panics
    /// When a wire names a node that does not exist, or leaves a processor: these are mistakes in the model's source.
    pub fn new(nodes: Vec<(&'static str, Kind)>, wires: &[(NodeId, NodeId)]) -> Self {
        let size = nodes.len();
        let (names, kinds): (Vec<_>, Vec<_>) = nodes.into_iter().unzip();
        let mut graph = Graph {
            names,
            wires: Vec::new(),
            crossings: vec![0; size * size],
            shared: Vec::new(),
            kinds,
        };
        for &(from, to) in wires {
            assert!(
                matches!(graph.kinds[from.0 as usize], Kind::Logic),
                "a processor's wire follows from its `then`"
            );
            graph.wire(from, to);
        }
        for node in 0..size {
            let from = NodeId(node as u32);
            match graph.kinds[node] {
                Kind::Logic => {}
                Kind::Line { then, .. } | Kind::Delay { then } => graph.wire(from, then),
                Kind::Shared { then, .. } => {
                    graph.wire(from, then);
                    graph.shared.push(from);
                }
            }
        }
        graph
    }

    fn wire(&mut self, from: NodeId, to: NodeId) {
        if !self.wires.contains(&(from, to)) {
            self.wires.push((from, to));
        }
    }

    fn at(&self, from: NodeId, to: NodeId) -> usize {
        from.0 as usize * self.kinds.len() + to.0 as usize
    }

    fn cross(&mut self, from: NodeId, to: NodeId) {
        debug_assert!(
            self.wires.contains(&(from, to)),
            "no wire from {} to {}",
            self.name(from),
            self.name(to)
        );
        let at = self.at(from, to);
        self.crossings[at] += 1;
    }

    /// What a node is called.
    pub fn name(&self, node: NodeId) -> &'static str {
        self.names[node.0 as usize]
    }

    /// What the nodes are called, in the order of their ids.
    pub fn names(&self) -> &[&'static str] {
        &self.names
    }

    /// The wires, as origin and destination.
    pub fn wires(&self) -> &[(NodeId, NodeId)] {
        &self.wires
    }

    /// How many tasks have gone along a wire.
    pub fn crossings(&self, (from, to): (NodeId, NodeId)) -> u64 {
        self.crossings[self.at(from, to)]
    }

    /// The line at a node.
    ///
    /// # Panics
    /// When the node is none.
    pub fn line(&self, node: NodeId) -> &Line {
        match &self.kinds[node.0 as usize] {
            Kind::Line { line, .. } => line,
            _ => panic!("{} is not a line", self.name(node)),
        }
    }

    /// The line at a node, to change.
    ///
    /// # Panics
    /// When the node is none.
    pub fn line_mut(&mut self, node: NodeId) -> &mut Line {
        match &mut self.kinds[node.0 as usize] {
            Kind::Line { line, .. } => line,
            _ => panic!("{} is not a line", self.names[node.0 as usize]),
        }
    }

    /// The shared cores at a node.
    ///
    /// # Panics
    /// When the node has none.
    pub fn cores(&self, node: NodeId) -> &Shared {
        match &self.kinds[node.0 as usize] {
            Kind::Shared { cores, .. } => cores,
            _ => panic!("{} has no cores", self.name(node)),
        }
    }

    fn cores_mut(&mut self, node: NodeId) -> (&mut Shared, NodeId) {
        match &mut self.kinds[node.0 as usize] {
            Kind::Shared { cores, then } => (cores, *then),
            _ => panic!("{} has no cores", self.names[node.0 as usize]),
        }
    }
}

/// How many tasks there is room for from the start; more make the storage grow, once.
pub(super) const TASKS: usize = 4096;

/// What the calendar holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event<T> {
    /// One of the model's own timers.
    Timer(T),
    /// A delay ends.
    Delayed(NodeId, TaskId),
    /// An entry of the script is due.
    Script(u32),
    /// A sample is due.
    Sample,
}

/// What a model's logic works with: the time, its tasks, the graph, the calendar.
#[derive(Clone, Debug)]
pub struct Context<K, T> {
    pub(super) now: Time,
    pub(super) calendar: Calendar<Event<T>>,
    pub(super) arrived: VecDeque<(NodeId, TaskId)>,
    /// The tasks in the system.
    pub tasks: Slab<K>,
    /// The nodes and wires.
    pub graph: Graph,
}

impl<K, T: Copy> Context<K, T> {
    pub(super) fn new(graph: Graph) -> Self {
        Context {
            now: Time::ZERO,
            calendar: Calendar::with_capacity(2 * TASKS),
            arrived: VecDeque::with_capacity(256),
            tasks: Slab::with_capacity(TASKS),
            graph,
        }
    }

    /// The present instant.
    pub fn now(&self) -> Time {
        self.now
    }

    /// A new task; it is nowhere until it is sent.
    pub fn create(&mut self, task: K) -> TaskId {
        TaskId(self.tasks.insert(task) as u32)
    }

    /// Ends a task.
    ///
    /// # Panics
    /// When there is no such task.
    pub fn remove(&mut self, task: TaskId) -> K {
        self.tasks.remove(task.0 as usize)
    }

    /// Sets a timer to ring after a time.
    pub fn after(&mut self, delay: Time, timer: T) -> Appointment {
        self.calendar
            .schedule(self.now + delay, Event::Timer(timer))
    }

    /// Sets a timer to ring after a time, as [`Context::after`] does, at a lower price where the timers of a lane ring in
    /// the order in which they are set.
    pub fn after_in(&mut self, lane: Lane, delay: Time, timer: T) -> Appointment {
        self.calendar
            .line_up(lane, self.now + delay, Event::Timer(timer))
    }

    /// Strikes a timer; returns when it would have rung.
    pub fn cancel(&mut self, appointment: Appointment) -> Option<Time> {
        self.calendar.cancel(appointment)
    }

    /// Sends a task to a logic node or a line.
    pub fn send(&mut self, from: NodeId, to: NodeId, task: TaskId) {
        self.graph.cross(from, to);
        match &mut self.graph.kinds[to.0 as usize] {
            Kind::Logic => self.arrived.push_back((to, task)),
            Kind::Line { line, then } => {
                let then = *then;
                if line.join(self.now, task) {
                    self.forward(to, then, task);
                }
            }
            Kind::Shared { .. } | Kind::Delay { .. } => {
                unreachable!("{} needs to know for how long: serve", self.graph.name(to))
            }
        }
    }

    /// Sends a task to shared cores with `work` nanoseconds of work, metered apart when `marked`.
    pub fn serve(&mut self, from: NodeId, to: NodeId, task: TaskId, work: f64, marked: bool) {
        self.graph.cross(from, to);
        let sequence = self.calendar.next_sequence();
        self.graph
            .cores_mut(to)
            .0
            .enter(self.now, task, work, marked, sequence);
    }

    /// Sends a task to a delay. The appointment serves to cancel it: then the task is nowhere.
    pub fn delay(&mut self, from: NodeId, to: NodeId, task: TaskId, time: Time) -> Appointment {
        self.graph.cross(from, to);
        self.calendar
            .schedule(self.now + time, Event::Delayed(to, task))
    }

    /// Gives a permit of a line back; the first that waits has it.
    pub fn release(&mut self, node: NodeId) {
        self.graph.line_mut(node).release();
        self.grant(node);
    }

    /// Changes the number of a line's permits. New ones go to those who wait; too many go as they are given back.
    pub fn set_permits(&mut self, node: NodeId, permits: u32) {
        self.graph.line_mut(node).set_permits(permits);
        self.grant(node);
    }

    /// Takes the first task out of a line, if one waits.
    pub fn withdraw_first(&mut self, node: NodeId) -> Option<TaskId> {
        let now = self.now;
        self.graph.line_mut(node).withdraw_first(now)
    }

    /// Takes a task off shared cores and returns the work it has left, in nanoseconds; nothing when it does not run.
    pub fn withdraw(&mut self, node: NodeId, task: TaskId) -> Option<f64> {
        let sequence = self.calendar.next_sequence();
        let now = self.now;
        self.graph.cores_mut(node).0.withdraw(now, task, sequence)
    }

    /// Meters the work of a task that runs on shared cores apart from now on.
    pub fn mark(&mut self, node: NodeId, task: TaskId) {
        let now = self.now;
        self.graph.cores_mut(node).0.mark(now, task);
    }

    /// Changes shared cores and their speed.
    pub fn set_capacity(&mut self, node: NodeId, cores: f64, speed: f64) {
        let sequence = self.calendar.next_sequence();
        let now = self.now;
        self.graph
            .cores_mut(node)
            .0
            .set_capacity(now, cores, speed, sequence);
    }

    fn grant(&mut self, node: NodeId) {
        loop {
            let Kind::Line { line, then } = &mut self.graph.kinds[node.0 as usize] else {
                return;
            };
            let then = *then;
            let Some(task) = line.grant(self.now) else {
                return;
            };
            self.forward(node, then, task);
        }
    }

    pub(super) fn forward(&mut self, from: NodeId, to: NodeId, task: TaskId) {
        self.graph.cross(from, to);
        self.arrived.push_back((to, task));
    }

    pub(super) fn delayed(&mut self, node: NodeId, task: TaskId) {
        if let Kind::Delay { then } = self.graph.kinds[node.0 as usize] {
            self.forward(node, then, task);
        }
    }

    /// The shared cores that are due next, with when and in which order.
    pub(super) fn next_completion(&self) -> (Time, u64, NodeId) {
        let mut next = (Time::NEVER, u64::MAX, NodeId(0));
        for &node in &self.graph.shared {
            let (at, sequence) = self.graph.cores(node).due();
            if (at, sequence) < (next.0, next.1) {
                next = (at, sequence, node);
            }
        }
        next
    }

    /// Has all shared cores find out who is done next.
    pub(super) fn reschedule(&mut self) {
        for &node in &self.graph.shared {
            if let Kind::Shared { cores, .. } = &mut self.graph.kinds[node.0 as usize] {
                cores.reschedule();
            }
        }
    }

    pub(super) fn complete(&mut self, node: NodeId) {
        let sequence = self.calendar.next_sequence();
        let now = self.now;
        let (cores, then) = self.graph.cores_mut(node);
        if let Some(task) = cores.complete(now, sequence) {
            self.forward(node, then, task);
        }
    }
}
