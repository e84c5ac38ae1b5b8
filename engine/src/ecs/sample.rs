//! What is recorded of a run.

use serde::{Deserialize, Serialize};

/// One sampling interval. Rates are a second over the interval; levels are those at its end. Latencies are absent when no
/// task gave one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// The end of the interval, in seconds.
    pub t: f64,
    /// Short requests answered in time, a second.
    pub short_goodput: f64,
    /// Long requests answered in time, a second.
    pub long_goodput: f64,
    /// Tasks waiting in the short queue.
    pub short_waiting: u32,
    /// Tasks waiting in the long queue.
    pub long_waiting: u32,
    /// Tickets of the short queue.
    pub short_tickets: u32,
    /// Tickets of the long queue.
    pub long_tickets: u32,
    /// The demotion threshold in milliseconds.
    pub demotion_ms: f64,
    /// Tickets acquired, both queues, a second.
    pub acquisitions: f64,
    /// CPU work done, in cores.
    pub cpu_work: f64,
    /// CPU work done for clients that had already left, in cores.
    pub waste: f64,
    /// The fraction of attempts that admission control lets in.
    pub admitted_fraction: f64,
    /// Attempts shed, at entry or at demotion, a second.
    pub shed: f64,
    /// Attempts rejected by admission control, a second.
    pub rejected: f64,
    /// Attempts given up by their client after its timeout, a second.
    pub timeouts: f64,
    /// Attempts that are not the first of their request, a second.
    pub retries: f64,
    /// Short requests that arrived, a second.
    pub short_arrivals: f64,
    /// Long requests that arrived, a second.
    pub long_arrivals: f64,
    /// Tickets in use, short.
    pub short_in_use: u32,
    /// Tickets in use, long.
    pub long_in_use: u32,
    /// Tickets of the short queue acquired, a second: the invalid potential.
    pub short_acquisitions: f64,
    /// Tickets of the long queue acquired, a second.
    pub long_acquisitions: f64,
    /// Mean number waiting in the short queue over the interval: the wait-set occupancy that a policy can see.
    pub short_wait_set: f64,
    /// Mean number waiting in the long queue over the interval.
    pub long_wait_set: f64,
    /// Mean number of short tasks waiting over the interval in whichever queue: the wait set as it truly is. A short task
    /// that was demoted is missing from `short_wait_set`.
    pub short_tasks_waiting: f64,
    /// Tasks demoted, a second.
    pub demotions: f64,
    /// 95th percentile of the time in the server, in milliseconds, of tasks that left it labelled short: what is measured.
    pub short_latency_measured_ms: Option<f64>,
    /// The same of tasks that were short, however labelled: the truth.
    pub short_latency_true_ms: Option<f64>,
    /// Whether the distress bit is up.
    pub distress: bool,
}

/// What one look of the policy saw, and did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Probe {
    /// When, in seconds; the end of the interval that the potentials below are of.
    pub t: f64,
    /// Mean number waiting in the short queue: the potential of whoever serves it.
    pub short_wait_set: f64,
    /// Mean number waiting in the long queue.
    pub long_wait_set: f64,
    /// Tickets of the short queue acquired, a second.
    pub short_acquisitions: f64,
    /// Tickets of the long queue acquired, a second.
    pub long_acquisitions: f64,
    /// Tickets of the short queue during the interval.
    pub short_tickets: u32,
    /// Tickets of the long queue during the interval.
    pub long_tickets: u32,
    /// The demotion threshold during the interval, in milliseconds.
    pub demotion_ms: f64,
    /// The long queue's tickets were raised at the start of the interval, and over it the short wait set was above that of
    /// the interval before: one controller's move raised the other's potential.
    pub long_raised_short: bool,
    /// The same with the queues exchanged.
    pub short_raised_long: bool,
}
