//! The system itself: clients, admission, entry, two queues with tickets, cores, demotion, shedding.

use std::ops::{Index, IndexMut};

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};
use slab::Slab;

use super::admission::{Admission, Signal, latencies, p95_ms};
use super::config::{Config, Cost};
use super::policy::{Knobs, Observation, Policy, QueueView};
use super::sample::{Probe, Sample};
use super::script::{Change, Setting};
use crate::des::{
    Appointment, Graph, Kind, Lane, Level, Line, Logic, NodeId, Shared, Stream, Streams, TaskId,
    Time,
};

/// What a request is. The server does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Latency-sensitive.
    Short,
    /// Heavy.
    Long,
}

impl Class {
    /// Both.
    pub const ALL: [Class; 2] = [Class::Short, Class::Long];
}

/// A value for each class, or for each queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair<T> {
    /// Of the short one.
    pub short: T,
    /// Of the long one.
    pub long: T,
}

impl<T> Index<Class> for Pair<T> {
    type Output = T;
    fn index(&self, class: Class) -> &T {
        match class {
            Class::Short => &self.short,
            Class::Long => &self.long,
        }
    }
}

impl<T> IndexMut<Class> for Pair<T> {
    fn index_mut(&mut self, class: Class) -> &mut T {
        match class {
            Class::Short => &mut self.short,
            Class::Long => &mut self.long,
        }
    }
}

/// What has been counted since the start, of one class of requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// Requests that arrived.
    pub requests: u64,
    /// Requests answered while their client waited.
    pub answered: u64,
    /// Of these, those answered by a later attempt than their first.
    pub answered_on_retry: u64,
    /// Requests whose attempts ran out.
    pub given_up: u64,
    /// Attempts sent.
    pub attempts: u64,
    /// Attempts that were not their request's first.
    pub retries: u64,
    /// Attempts whose client stopped waiting.
    pub timeouts: u64,
    /// Attempts turned away by admission control.
    pub rejected: u64,
    /// Attempts shed as they came: the queue was full, or the server down.
    pub shed_at_entry: u64,
    /// Attempts shed halfway: the long queue was full at demotion, or the server went down.
    pub shed_midway: u64,
    /// Attempts executed to their end, whether or not their client still waited.
    pub finished: u64,
    /// Attempts demoted.
    pub demotions: u64,
}

impl Counters {
    /// Attempts shed.
    pub fn shed(&self) -> u64 {
        self.shed_at_entry + self.shed_midway
    }
}

/// What has been counted since the start, and what is in the system now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// Short requests.
    pub short: Counters,
    /// Long requests.
    pub long: Counters,
    /// Tickets acquired from the short queue.
    pub short_acquisitions: u64,
    /// Tickets acquired from the long queue.
    pub long_acquisitions: u64,
    /// CPU work done, in core-seconds.
    pub cpu_work: f64,
    /// CPU work done for clients that had already left, in core-seconds.
    pub waste: f64,
    /// Attempts in the server now.
    pub attempts_in_system: u64,
    /// Requests neither answered nor given up yet.
    pub requests_open: u64,
}

/// A request, as its client knows it.
#[derive(Clone, Debug)]
struct Request {
    class: Class,
    cost: f64,
    attempts: u32,
    task: Option<TaskId>,
    timeout: Option<Appointment>,
}

/// One attempt of a request, as the server knows it. Work and costs are in nanoseconds of CPU.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    /// The request, as long as its client waits for this attempt.
    request: Option<u32>,
    class: Class,
    /// Which queue it belongs to now.
    label: Class,
    entered: Time,
    remaining: f64,
    /// Time it has held tickets.
    held: Time,
    /// When it acquired its ticket, and when the window of it ends.
    ticket: Option<(Time, Appointment)>,
    at: Place,
    /// CPU work until it blocks.
    until_block: f64,
    blocked_until: Time,
    outcome: Outcome,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    /// In a queue, or on its way.
    Elsewhere,
    /// On the cores, with a slice of work.
    Running(f64),
    /// Blocked, ticket in hand.
    Blocked(Appointment),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Open,
    Finished,
    Shed,
    Rejected,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Timer {
    Arrival(Class),
    Retry(u32),
    Timeout(u32),
    Window(TaskId),
    Probe,
    Admission,
}

/// The open-loop arrivals of one class. Their streams are their own, so that two runs that differ in policy meet the same
/// arrivals.
#[derive(Debug)]
struct Arrivals {
    random: Stream,
    factor: f64,
    next: Option<Appointment>,
    /// How much of the next interval is left, in units of its mean, while the rate is zero.
    left: f64,
}

pub(super) type Context = crate::des::Context<Attempt, Timer>;

const CLIENTS: NodeId = NodeId(0);
const ADMISSION: NodeId = NodeId(1);
const ENTRY: NodeId = NodeId(2);
const SHORT: NodeId = NodeId(3);
const LONG: NodeId = NodeId(4);
const TICKET: NodeId = NodeId(5);
const CPU: NodeId = NodeId(6);
const BLOCKED: NodeId = NodeId(7);
const RELEASE: NodeId = NodeId(8);
const SHED: NodeId = NodeId(9);

/// The windows of tickets end in the order in which they began.
const WINDOWS: Lane = Lane(0);

/// So do those who send requests of one class lose patience.
fn timeouts(class: Class) -> Lane {
    match class {
        Class::Short => Lane(1),
        Class::Long => Lane(2),
    }
}

/// The node of a queue.
pub(super) fn queue(label: Class) -> NodeId {
    match label {
        Class::Short => SHORT,
        Class::Long => LONG,
    }
}

/// The cores of the graph.
pub(super) fn cores(context: &Context) -> &Shared {
    context.graph.cores(CPU)
}

/// The topology.
pub(super) fn graph(config: &Config) -> Graph {
    let line = |queue: &super::QueueConfig| Kind::Line {
        line: Line::new(queue.tickets, queue.bound),
        then: TICKET,
    };
    Graph::new(
        vec![
            ("clients", Kind::Logic),
            ("admission", Kind::Logic),
            ("entry", Kind::Logic),
            ("short queue", line(&config.short_queue)),
            ("long queue", line(&config.long_queue)),
            ("ticket", Kind::Logic),
            (
                "cores",
                Kind::Shared {
                    cores: Shared::new(f64::from(config.cores)),
                    then: TICKET,
                },
            ),
            ("blocked", Kind::Delay { then: TICKET }),
            ("release", Kind::Logic),
            ("shed", Kind::Logic),
        ],
        &[
            (CLIENTS, ADMISSION),
            (ADMISSION, CLIENTS),
            (ADMISSION, ENTRY),
            (ENTRY, SHORT),
            (ENTRY, SHED),
            (TICKET, CPU),
            (TICKET, BLOCKED),
            (TICKET, RELEASE),
            (RELEASE, SHORT),
            (RELEASE, LONG),
            (RELEASE, CLIENTS),
            (RELEASE, SHED),
            (SHED, CLIENTS),
        ],
    )
}

/// Counts at the last look, to take differences from.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    acquisitions: u64,
    waits: u64,
    wait_area: f64,
}

/// The system.
pub(super) struct Model {
    config: Config,
    ticket_window: Time,
    demotion: Time,
    policy: Box<dyn Policy>,
    admission: Box<dyn Admission>,
    fraction: f64,
    arrivals: Pair<Arrivals>,
    coin: Stream,
    jitter: Stream,
    requests: Slab<Request>,
    counters: Pair<Counters>,
    /// Short tasks in the server without a ticket, in whichever queue they wait.
    short_tasks_waiting: Level,
    speed: f64,
    cores_lost: u32,
    down: bool,
    probe_timer: Option<Appointment>,
    admission_timer: Option<Appointment>,
    /// Short latency as labelled, since the last look of admission control.
    signal_latency: Histogram<u32>,
    measured_latency: Histogram<u32>,
    true_latency: Histogram<u32>,
    seen: Pair<Seen>,
    last_probe: Option<Probe>,
    /// Totals, wait areas of the queues and of the short tasks at the last sample.
    sampled: (Totals, Pair<f64>, f64),
    pub(super) samples: Vec<Sample>,
    pub(super) probes: Vec<Probe>,
}

impl Model {
    pub fn new(config: &Config, seed: u64) -> Self {
        let mut streams = Streams::new(seed);
        let mut arrivals = || Arrivals {
            random: streams.stream(),
            factor: 1.0,
            next: None,
            left: 0.0,
        };
        let arrivals = Pair {
            short: arrivals(),
            long: arrivals(),
        };
        let policy = config.policy.build();
        let samples = (config.duration_s / config.sample_s) as usize + 1;
        let probes = (config.duration_s / policy.interval().as_secs()) as usize + 1;
        Model {
            ticket_window: Time::from_millis(config.ticket_window_ms),
            demotion: Time::from_millis(config.demotion_ms),
            policy,
            admission: config.admission.build(),
            fraction: 1.0,
            arrivals,
            coin: streams.stream(),
            jitter: streams.stream(),
            requests: Slab::with_capacity(4096),
            counters: Pair::default(),
            short_tasks_waiting: Level::default(),
            speed: 1.0,
            cores_lost: 0,
            down: false,
            probe_timer: None,
            admission_timer: None,
            signal_latency: latencies(),
            measured_latency: latencies(),
            true_latency: latencies(),
            seen: Pair::default(),
            last_probe: None,
            sampled: (Totals::default(), Pair::default(), 0.0),
            samples: Vec::with_capacity(samples),
            probes: Vec::with_capacity(probes),
            config: config.clone(),
        }
    }

    pub fn demotion(&self) -> Time {
        self.demotion
    }

    pub fn admitted_fraction(&self) -> f64 {
        self.fraction
    }

    pub fn distress(&self) -> bool {
        self.admission.distress()
    }

    pub fn down(&self) -> bool {
        self.down
    }

    /// Requests whose client waits to try again.
    pub fn backing_off(&self) -> u32 {
        self.requests
            .iter()
            .filter(|(_, request)| request.task.is_none())
            .count() as u32
    }

    pub fn totals(&self, context: &Context) -> Totals {
        let now = context.now();
        Totals {
            short: self.counters.short,
            long: self.counters.long,
            short_acquisitions: context.graph.line(SHORT).acquisitions(),
            long_acquisitions: context.graph.line(LONG).acquisitions(),
            cpu_work: cores(context).work(now),
            waste: cores(context).marked_work(now),
            attempts_in_system: context.tasks.len() as u64,
            requests_open: self.requests.len() as u64,
        }
    }

    // Clients.

    fn rate(&self, class: Class) -> f64 {
        self.config.class(class).rate * self.arrivals[class].factor
    }

    /// Enters the arrival that is `left` mean intervals away.
    fn expect(&mut self, class: Class, left: f64, context: &mut Context) {
        let rate = self.rate(class);
        let arrivals = &mut self.arrivals[class];
        if rate > 0.0 {
            arrivals.next =
                Some(context.after(Time::from_secs(left / rate), Timer::Arrival(class)));
        } else {
            arrivals.next = None;
            arrivals.left = left;
        }
    }

    /// Changes the load. What is left of the interval to the next arrival stretches or shrinks with the rate.
    fn load(&mut self, class: Class, factor: f64, context: &mut Context) {
        let rate = self.rate(class);
        let left = match self.arrivals[class]
            .next
            .and_then(|next| context.cancel(next))
        {
            Some(at) => (at - context.now()).as_secs() * rate,
            None => self.arrivals[class].left,
        };
        self.arrivals[class].factor = factor;
        self.expect(class, left, context);
    }

    fn arrival(&mut self, class: Class, context: &mut Context) {
        let mean = self.config.class(class).mean_ms * 1e6;
        let random = &mut self.arrivals[class].random;
        let cost = match self.config.class(class).cost {
            Cost::Exponential => mean * random.exponential(),
            Cost::Constant => mean,
        };
        let gap = random.exponential();
        self.expect(class, gap, context);
        self.counters[class].requests += 1;
        let request = self.requests.insert(Request {
            class,
            cost,
            attempts: 0,
            task: None,
            timeout: None,
        }) as u32;
        self.attempt(request, context);
    }

    fn attempt(&mut self, id: u32, context: &mut Context) {
        let request = &mut self.requests[id as usize];
        let class = self.config.class(request.class);
        request.attempts += 1;
        let counters = &mut self.counters[request.class];
        counters.attempts += 1;
        counters.retries += u64::from(request.attempts > 1);
        let until_block = if class.blocking_share > 0.0 {
            class.burst_ms * 1e6
        } else {
            f64::INFINITY
        };
        let task = context.create(Attempt {
            request: Some(id),
            class: request.class,
            label: Class::Short,
            entered: context.now(),
            remaining: request.cost,
            held: Time::ZERO,
            ticket: None,
            at: Place::Elsewhere,
            until_block,
            blocked_until: Time::ZERO,
            outcome: Outcome::Open,
        });
        request.task = Some(task);
        request.timeout = Some(context.after_in(
            timeouts(request.class),
            Time::from_secs(class.timeout_s),
            Timer::Timeout(id),
        ));
        context.send(CLIENTS, ADMISSION, task);
    }

    /// The client has stopped waiting for this attempt, or was turned away: it tries again, or gives up.
    fn failed(&mut self, id: u32, context: &mut Context) {
        let request = &mut self.requests[id as usize];
        request.task = None;
        request.timeout = None;
        let class = self.config.class(request.class);
        if request.attempts >= class.attempts {
            self.counters[request.class].given_up += 1;
            self.requests.remove(id as usize);
            return;
        }
        let doublings = request.attempts.saturating_sub(1).min(60);
        let backoff = class.backoff_ms * (1u64 << doublings) as f64;
        let spread = 1.0 + class.jitter * (2.0 * self.jitter.uniform() - 1.0);
        context.after(Time::from_millis(backoff * spread), Timer::Retry(id));
    }

    fn timeout(&mut self, id: u32, context: &mut Context) {
        let request = &mut self.requests[id as usize];
        self.counters[request.class].timeouts += 1;
        if let Some(task) = request.task {
            // The server is not told: the work goes on, for nobody.
            context.tasks[task.0 as usize].request = None;
            context.mark(CPU, task);
        }
        self.failed(id, context);
    }

    /// The server has done with an attempt.
    fn response(&mut self, task: TaskId, context: &mut Context) {
        let attempt = context.remove(task);
        let counters = &mut self.counters[attempt.class];
        match attempt.outcome {
            Outcome::Finished => counters.finished += 1,
            Outcome::Rejected => counters.rejected += 1,
            Outcome::Shed | Outcome::Open => {}
        }
        let Some(id) = attempt.request else { return };
        if let Some(timeout) = self.requests[id as usize].timeout.take() {
            context.cancel(timeout);
        }
        if attempt.outcome == Outcome::Finished {
            let request = self.requests.remove(id as usize);
            counters.answered += 1;
            counters.answered_on_retry += u64::from(request.attempts > 1);
        } else {
            self.failed(id, context);
        }
    }

    // The server.

    fn admit(&mut self, task: TaskId, context: &mut Context) {
        if self.fraction >= 1.0 || self.coin.chance(self.fraction) {
            context.send(ADMISSION, ENTRY, task);
        } else {
            context.tasks[task.0 as usize].outcome = Outcome::Rejected;
            context.send(ADMISSION, CLIENTS, task);
        }
    }

    fn enter(&mut self, task: TaskId, context: &mut Context) {
        if self.down || context.graph.line(SHORT).is_full() {
            self.counters[context.tasks[task.0 as usize].class].shed_at_entry += 1;
            context.send(ENTRY, SHED, task);
        } else {
            self.queue_up(ENTRY, SHORT, task, context);
        }
    }

    fn queue_up(&mut self, from: NodeId, to: NodeId, task: TaskId, context: &mut Context) {
        self.waits(task, 1, context);
        context.send(from, to, task);
    }

    /// Counts one more or one fewer of the short tasks that wait.
    fn waits(&mut self, task: TaskId, more: i64, context: &Context) {
        if context.tasks[task.0 as usize].class == Class::Short {
            let waiting = self.short_tasks_waiting.get().saturating_add_signed(more);
            self.short_tasks_waiting.set(context.now(), waiting);
        }
    }

    /// A task comes with a new ticket, from the cores, or from a block.
    fn proceed(&mut self, id: TaskId, context: &mut Context) {
        let now = context.now();
        if context.tasks[id.0 as usize].ticket.is_none() {
            self.waits(id, -1, context);
            let window = context.after_in(WINDOWS, self.ticket_window, Timer::Window(id));
            context.tasks[id.0 as usize].ticket = Some((now, window));
        }
        let task = &mut context.tasks[id.0 as usize];
        if let Place::Running(slice) = task.at {
            task.at = Place::Elsewhere;
            task.remaining -= slice;
            task.until_block -= slice;
            if task.is_done() {
                context.send(TICKET, RELEASE, id);
                return;
            }
            if task.until_block <= 0.0 {
                let class = self.config.class(task.class);
                let burst = class.burst_ms * 1e6;
                task.until_block = burst;
                let block = burst * class.blocking_share / (1.0 - class.blocking_share);
                task.blocked_until = now + Time::from_nanos(block);
            }
        }
        if task.blocked_until > now {
            let appointment = context.delay(
                TICKET,
                BLOCKED,
                id,
                context.tasks[id.0 as usize].blocked_until - now,
            );
            context.tasks[id.0 as usize].at = Place::Blocked(appointment);
        } else {
            let slice = task.remaining.min(task.until_block);
            task.at = Place::Running(slice);
            let left = task.request.is_none();
            context.serve(TICKET, CPU, id, slice, left);
        }
    }

    /// Takes a task off the cores or out of its block, to where it can be sent on.
    fn interrupt(&mut self, id: TaskId, context: &mut Context) {
        match context.tasks[id.0 as usize].at {
            Place::Running(slice) => {
                let left = context.withdraw(CPU, id).unwrap_or(0.0);
                let task = &mut context.tasks[id.0 as usize];
                task.remaining -= slice - left;
                task.until_block -= slice - left;
            }
            Place::Blocked(appointment) => {
                context.cancel(appointment);
            }
            Place::Elsewhere => {}
        }
        context.tasks[id.0 as usize].at = Place::Elsewhere;
    }

    fn window_ends(&mut self, id: TaskId, context: &mut Context) {
        self.interrupt(id, context);
        context.send(TICKET, RELEASE, id);
    }

    fn release(&mut self, id: TaskId, context: &mut Context) {
        let now = context.now();
        let task = &mut context.tasks[id.0 as usize];
        let label = task.label;
        if let Some((acquired, window)) = task.ticket.take() {
            task.held += now - acquired;
            context.cancel(window);
            context.release(queue(label));
        }
        let task = &mut context.tasks[id.0 as usize];
        if task.is_done() {
            task.outcome = Outcome::Finished;
            let microseconds = (now - task.entered).0 / 1000;
            if label == Class::Short {
                self.signal_latency.saturating_record(microseconds);
                self.measured_latency.saturating_record(microseconds);
            }
            if task.class == Class::Short {
                self.true_latency.saturating_record(microseconds);
            }
            context.send(RELEASE, CLIENTS, id);
        } else if label == Class::Long {
            self.queue_up(RELEASE, LONG, id, context);
        } else if task.held < self.demotion {
            self.queue_up(RELEASE, SHORT, id, context);
        } else if context.graph.line(LONG).is_full() {
            self.counters[context.tasks[id.0 as usize].class].shed_midway += 1;
            context.send(RELEASE, SHED, id);
        } else {
            task.label = Class::Long;
            self.counters[task.class].demotions += 1;
            self.queue_up(RELEASE, LONG, id, context);
        }
    }

    fn shed(&mut self, task: TaskId, context: &mut Context) {
        context.tasks[task.0 as usize].outcome = Outcome::Shed;
        context.send(SHED, CLIENTS, task);
    }

    /// All that is in the server is lost.
    fn go_down(&mut self, context: &mut Context) {
        while context.withdraw_first(SHORT).is_some() || context.withdraw_first(LONG).is_some() {}
        let lost: Vec<TaskId> = context
            .tasks
            .iter()
            .map(|(id, _)| TaskId(id as u32))
            .collect();
        for id in lost {
            self.interrupt(id, context);
            let task = &mut context.tasks[id.0 as usize];
            let label = task.label;
            self.counters[task.class].shed_midway += 1;
            match task.ticket.take() {
                Some((_, window)) => {
                    context.cancel(window);
                    context.release(queue(label));
                }
                None => self.waits(id, -1, context),
            }
            context.send(RELEASE, SHED, id);
        }
    }

    fn set_capacity(&mut self, context: &mut Context) {
        let cores = self.config.cores.saturating_sub(self.cores_lost);
        context.set_capacity(CPU, f64::from(cores), self.speed);
    }

    // The controllers.

    fn probe(&mut self, context: &mut Context) {
        let now = context.now();
        let interval = self.policy.interval();
        self.probe_timer = Some(context.after(interval, Timer::Probe));
        let mut seen = Observation::default();
        let mut wait_set = Pair::<f64>::default();
        for label in Class::ALL {
            let line = context.graph.line(queue(label));
            let before = self.seen[label];
            let here = Seen {
                acquisitions: line.acquisitions(),
                waits: line.waits(),
                wait_area: line.wait_area(now),
            };
            self.seen[label] = here;
            let view = QueueView {
                waiting: line.waiting(),
                waited: line.waiting() > 0 || here.waits > before.waits,
                acquisitions: here.acquisitions - before.acquisitions,
            };
            wait_set[label] = (here.wait_area - before.wait_area) / interval.as_secs();
            match label {
                Class::Short => seen.short = view,
                Class::Long => seen.long = view,
            }
        }
        let before = self.knobs(context);
        self.record_probe(now, interval, &seen, wait_set, &before);
        let mut knobs = before;
        self.policy.probe(&seen, &mut knobs);
        self.demotion = knobs.demotion;
        context.set_permits(SHORT, knobs.short_tickets);
        context.set_permits(LONG, knobs.long_tickets);
    }

    fn knobs(&self, context: &Context) -> Knobs {
        Knobs {
            short_tickets: context.graph.line(SHORT).permits(),
            long_tickets: context.graph.line(LONG).permits(),
            demotion: self.demotion,
        }
    }

    fn record_probe(
        &mut self,
        now: Time,
        interval: Time,
        seen: &Observation,
        wait_set: Pair<f64>,
        knobs: &Knobs,
    ) {
        let mut probe = Probe {
            t: now.as_secs(),
            short_wait_set: wait_set.short,
            long_wait_set: wait_set.long,
            short_acquisitions: seen.short.acquisitions as f64 / interval.as_secs(),
            long_acquisitions: seen.long.acquisitions as f64 / interval.as_secs(),
            short_tickets: knobs.short_tickets,
            long_tickets: knobs.long_tickets,
            demotion_ms: knobs.demotion.as_millis(),
            long_raised_short: false,
            short_raised_long: false,
        };
        if let Some(last) = &self.last_probe {
            probe.long_raised_short = probe.long_tickets > last.long_tickets
                && probe.short_wait_set > last.short_wait_set;
            probe.short_raised_long = probe.short_tickets > last.short_tickets
                && probe.long_wait_set > last.long_wait_set;
        }
        self.last_probe = Some(probe.clone());
        self.probes.push(probe);
    }

    fn look(&mut self, context: &mut Context) {
        self.admission_timer = Some(context.after(self.admission.interval(), Timer::Admission));
        let signal = Signal {
            short_latency: &self.signal_latency,
            short_waits: context.graph.line(SHORT).waiting() > 0,
            exhausted: self.policy.exhausted(&self.knobs(context)),
        };
        self.fraction = self.admission.admit(&signal);
        self.signal_latency.reset();
    }

    fn set(&mut self, setting: &Setting, context: &mut Context) {
        match setting {
            Setting::Policy(policy) => {
                self.policy = policy.build();
                if let Some(timer) = self.probe_timer.take() {
                    context.cancel(timer);
                }
                self.probe_timer = Some(context.after(self.policy.interval(), Timer::Probe));
            }
            Setting::Admission(admission) => {
                self.admission = admission.build();
                self.fraction = 1.0;
                if let Some(timer) = self.admission_timer.take() {
                    context.cancel(timer);
                }
                self.admission_timer =
                    Some(context.after(self.admission.interval(), Timer::Admission));
            }
            Setting::DemotionMs(value) => self.demotion = Time::from_millis(*value),
            Setting::ShortTickets(value) => context.set_permits(SHORT, *value),
            Setting::LongTickets(value) => context.set_permits(LONG, *value),
            Setting::ShortBound(value) => context.graph.line_mut(SHORT).set_bound(*value),
            Setting::LongBound(value) => context.graph.line_mut(LONG).set_bound(*value),
            Setting::TicketWindowMs(value) => self.ticket_window = Time::from_millis(*value),
            Setting::TimeoutS { class, value } => self.config.class_mut(*class).timeout_s = *value,
            Setting::Attempts { class, value } => self.config.class_mut(*class).attempts = *value,
        }
    }
}

impl Attempt {
    /// Less than a nanosecond of work is none.
    fn is_done(&self) -> bool {
        self.remaining < 1.0
    }
}

impl Logic for Model {
    type Task = Attempt;
    type Timer = Timer;
    type Change = Change;

    fn start(&mut self, context: &mut Context) {
        for class in Class::ALL {
            let gap = self.arrivals[class].random.exponential();
            self.expect(class, gap, context);
        }
        self.probe_timer = Some(context.after(self.policy.interval(), Timer::Probe));
        self.admission_timer = Some(context.after(self.admission.interval(), Timer::Admission));
    }

    fn arrive(&mut self, node: NodeId, task: TaskId, context: &mut Context) {
        match node {
            CLIENTS => self.response(task, context),
            ADMISSION => self.admit(task, context),
            ENTRY => self.enter(task, context),
            TICKET => self.proceed(task, context),
            RELEASE => self.release(task, context),
            SHED => self.shed(task, context),
            _ => unreachable!("a processor decides nothing"),
        }
    }

    fn ring(&mut self, timer: Timer, context: &mut Context) {
        match timer {
            Timer::Arrival(class) => self.arrival(class, context),
            Timer::Retry(request) => self.attempt(request, context),
            Timer::Timeout(request) => self.timeout(request, context),
            Timer::Window(task) => self.window_ends(task, context),
            Timer::Probe => self.probe(context),
            Timer::Admission => self.look(context),
        }
    }

    fn change(&mut self, change: &Change, context: &mut Context) {
        match change {
            Change::Load(class, factor) => self.load(*class, *factor, context),
            Change::Speed(speed) => {
                self.speed = *speed;
                self.set_capacity(context);
            }
            Change::CoresLost(cores) => {
                self.cores_lost = *cores;
                self.set_capacity(context);
            }
            Change::Down(down) => {
                self.down = *down;
                if *down {
                    self.go_down(context);
                }
            }
            Change::Set(setting) => self.set(setting, context),
        }
    }

    fn sample(&mut self, context: &Context) {
        let now = context.now();
        let totals = self.totals(context);
        let (before, area_before, tasks_before) = self.sampled;
        let short_tasks = self.short_tasks_waiting.area(now);
        let short = context.graph.line(SHORT);
        let long = context.graph.line(LONG);
        let area = Pair {
            short: short.wait_area(now),
            long: long.wait_area(now),
        };
        let seconds = self.config.sample_s;
        let rate = |count: fn(&Counters) -> u64| {
            let count = |totals: &Totals| count(&totals.short) + count(&totals.long);
            (count(&totals) - count(&before)) as f64 / seconds
        };
        let one = |now: u64, before: u64| (now - before) as f64 / seconds;
        let short_acquisitions = one(totals.short_acquisitions, before.short_acquisitions);
        let long_acquisitions = one(totals.long_acquisitions, before.long_acquisitions);
        self.samples.push(Sample {
            t: now.as_secs(),
            short_goodput: one(totals.short.answered, before.short.answered),
            long_goodput: one(totals.long.answered, before.long.answered),
            short_waiting: short.waiting(),
            long_waiting: long.waiting(),
            short_tickets: short.permits(),
            long_tickets: long.permits(),
            demotion_ms: self.demotion.as_millis(),
            acquisitions: short_acquisitions + long_acquisitions,
            cpu_work: (totals.cpu_work - before.cpu_work) / seconds,
            waste: (totals.waste - before.waste) / seconds,
            admitted_fraction: self.fraction,
            shed: rate(Counters::shed),
            rejected: rate(|counters| counters.rejected),
            timeouts: rate(|counters| counters.timeouts),
            retries: rate(|counters| counters.retries),
            short_arrivals: one(totals.short.requests, before.short.requests),
            long_arrivals: one(totals.long.requests, before.long.requests),
            short_in_use: short.in_use(),
            long_in_use: long.in_use(),
            short_acquisitions,
            long_acquisitions,
            short_wait_set: (area.short - area_before.short) / seconds,
            long_wait_set: (area.long - area_before.long) / seconds,
            short_tasks_waiting: (short_tasks - tasks_before) / seconds,
            demotions: rate(|counters| counters.demotions),
            short_latency_measured_ms: p95_ms(&self.measured_latency),
            short_latency_true_ms: p95_ms(&self.true_latency),
            distress: self.admission.distress(),
        });
        self.measured_latency.reset();
        self.true_latency.reset();
        self.sampled = (totals, area, short_tasks);
    }
}
