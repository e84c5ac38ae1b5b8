//! What a simulation is made from.

use serde::{Deserialize, Serialize};

use super::admission::AdmissionSettings;
use super::model::Class;
use super::policy::PolicySettings;
use super::script::{self, Entry};
use crate::FieldError;

/// How the cost of a request, its time on a core of its own, is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cost {
    /// Exponentially, the mean being given.
    Exponential,
    /// Every request costs the mean.
    Constant,
}

/// One class of requests and the clients that send them. Arrivals are open-loop: a Poisson stream that waits for
/// nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassConfig {
    /// Requests a second, 0 to 100,000.
    pub rate: f64,
    /// Mean cost in milliseconds of CPU, 0.01 to 10,000,000.
    pub mean_ms: f64,
    /// How costs spread around the mean.
    pub cost: Cost,
    /// The share of its time that a task alone on a core spends blocked (IO, a lock) with its ticket in hand, 0 to 0.99.
    pub blocking_share: f64,
    /// CPU time in milliseconds between two blocks, 0.1 to 10,000.
    pub burst_ms: f64,
    /// How long a client waits for an answer to one attempt, in seconds, 0.001 to 100,000.
    pub timeout_s: f64,
    /// Attempts a request has, the first included, 1 to 100.
    pub attempts: u32,
    /// Wait before the second attempt in milliseconds; doubles with each further one. 0 to 1,000,000.
    pub backoff_ms: f64,
    /// A backoff of b lasts between `(1 - jitter) b` and `(1 + jitter) b`, evenly. 0 to 1.
    pub jitter: f64,
}

/// One queue at the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueueConfig {
    /// Tickets, 1 to 10,000.
    pub tickets: u32,
    /// Room for waiting tasks, 0 to 1,000,000.
    pub bound: u32,
}

/// All of a simulation but its seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// How long to simulate, in seconds, 1 to 10,000.
    pub duration_s: f64,
    /// Time between samples in seconds, 0.01 to 1,000; there are at most 100,000 samples.
    pub sample_s: f64,
    /// Cores, 1 to 1,024.
    pub cores: u32,
    /// The wall-clock window of a ticket in milliseconds, 0.1 to 10,000.
    pub ticket_window_ms: f64,
    /// A task is demoted when it has held tickets for this long, in milliseconds; at the start, 0 to 1,000,000.
    pub demotion_ms: f64,
    /// The short (high-priority) queue.
    pub short_queue: QueueConfig,
    /// The long (low-priority) queue.
    pub long_queue: QueueConfig,
    /// Short requests.
    pub short_class: ClassConfig,
    /// Long requests.
    pub long_class: ClassConfig,
    /// Who sets tickets and the demotion threshold.
    pub policy: PolicySettings,
    /// Who stands in front.
    pub admission: AdmissionSettings,
    /// What changes when.
    pub script: Vec<Entry>,
}

/// So many samples fit into memory with ease, and no plot shows more.
const MOST_SAMPLES: f64 = 100_000.0;

impl Config {
    /// The configuration of a class.
    pub fn class(&self, class: Class) -> &ClassConfig {
        match class {
            Class::Short => &self.short_class,
            Class::Long => &self.long_class,
        }
    }

    /// The configuration of a class, to change.
    pub fn class_mut(&mut self, class: Class) -> &mut ClassConfig {
        match class {
            Class::Short => &mut self.short_class,
            Class::Long => &mut self.long_class,
        }
    }

    /// Work offered in cores: requests a second times their cost, retries left out.
    pub fn offered_cores(&self) -> f64 {
        [&self.short_class, &self.long_class]
            .iter()
            .map(|class| class.rate * class.mean_ms / 1000.0)
            .sum()
    }

    /// Looks for the first value that makes no sense.
    ///
    /// # Errors
    /// Names the field, its value and the range.
    pub fn validate(&self) -> Result<(), FieldError> {
        FieldError::check_range("duration_s", self.duration_s, 1.0, 10_000.0)?;
        let finest = (self.duration_s / MOST_SAMPLES).max(0.01);
        FieldError::check_range("sample_s", self.sample_s, finest, 1_000.0)?;
        FieldError::check_range("cores", self.cores, 1, 1_024)?;
        FieldError::check_range("ticket_window_ms", self.ticket_window_ms, 0.1, 10_000.0)?;
        FieldError::check_range("demotion_ms", self.demotion_ms, 0.0, 1e6)?;
        for (name, queue) in [
            ("short_queue", &self.short_queue),
            ("long_queue", &self.long_queue),
        ] {
            FieldError::check_range(&format!("{name}.tickets"), queue.tickets, 1, 10_000)?;
            FieldError::check_range(&format!("{name}.bound"), queue.bound, 0, 1_000_000)?;
        }
        for (name, class) in [
            ("short_class", &self.short_class),
            ("long_class", &self.long_class),
        ] {
            class.validate(name)?;
        }
        self.policy.validate("policy")?;
        self.admission.validate("admission")?;
        script::validate(&self.script, self)
    }
}

impl ClassConfig {
    fn validate(&self, name: &str) -> Result<(), FieldError> {
        let field = |part: &str| format!("{name}.{part}");
        FieldError::check_range(&field("rate"), self.rate, 0.0, 100_000.0)?;
        FieldError::check_range(&field("mean_ms"), self.mean_ms, 0.01, 1e7)?;
        FieldError::check_range(&field("blocking_share"), self.blocking_share, 0.0, 0.99)?;
        FieldError::check_range(&field("burst_ms"), self.burst_ms, 0.1, 10_000.0)?;
        FieldError::check_range(&field("timeout_s"), self.timeout_s, 0.001, 100_000.0)?;
        FieldError::check_range(&field("attempts"), self.attempts, 1, 100)?;
        FieldError::check_range(&field("backoff_ms"), self.backoff_ms, 0.0, 1e6)?;
        FieldError::check_range(&field("jitter"), self.jitter, 0.0, 1.0)
    }
}

/// Two values that must be in order, the lower one first.
pub(super) fn ordered(low: (&str, f64), high: (&str, f64)) -> Result<(), FieldError> {
    if low.1 <= high.1 {
        Ok(())
    } else {
        Err(FieldError::new(
            high.0,
            high.1,
            format!("at least {} = {}", low.0, low.1),
        ))
    }
}
