//! Who sets the tickets and the demotion threshold.
//!
//! A policy is one small type that implements [`Policy`]. To add one, write it in a file of its own beside these, with
//! its settings, and name the settings in [`PolicySettings`].

mod fixed;
mod naive;
mod probe;
mod unchanging;

use serde::{Deserialize, Serialize};

pub use fixed::{Fixed, FixedSettings};
pub use naive::{Naive, NaiveSettings};
pub use probe::{ProbeSettings, TicketProbe};
pub use unchanging::Unchanging;

use crate::FieldError;
use crate::des::Time;

/// What a policy can turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knobs {
    /// Tickets of the short queue, at least 1.
    pub short_tickets: u32,
    /// Tickets of the long queue, at least 1.
    pub long_tickets: u32,
    /// The demotion threshold.
    pub demotion: Time,
}

/// What one queue showed over the interval just past.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct QueueView {
    /// Tasks that wait now: the wait set.
    pub waiting: u32,
    /// Whether any task had to wait during the interval, all tickets being in use.
    pub waited: bool,
    /// Tickets acquired during the interval.
    pub acquisitions: u64,
}

/// What a policy sees.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Observation {
    /// The short queue.
    pub short: QueueView,
    /// The long queue.
    pub long: QueueView,
}

/// Which knobs have no turn left that would help short tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted {
    /// The short tickets are at their cap.
    pub tickets: bool,
    /// The demotion threshold is at its floor.
    pub demotion: bool,
}

/// A policy.
pub trait Policy: Send {
    /// Time between two looks.
    fn interval(&self) -> Time;

    /// Looks at the interval just past, and turns the knobs.
    fn probe(&mut self, seen: &Observation, knobs: &mut Knobs);

    /// Which knobs are exhausted. One that the policy never turns always is.
    fn exhausted(&self, knobs: &Knobs) -> Exhausted;
}

/// Which policy, and its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "snake_case")]
pub enum PolicySettings {
    /// Nothing ever changes.
    Static,
    /// Each queue probes its tickets and keeps what raised its acquisitions.
    Naive(NaiveSettings),
    /// Long tickets frozen; the demotion threshold follows whether short tasks wait.
    Fixed(FixedSettings),
}

impl PolicySettings {
    /// A policy with these settings, at its start.
    pub fn build(&self) -> Box<dyn Policy> {
        match self {
            PolicySettings::Static => Box::new(Unchanging),
            PolicySettings::Naive(settings) => Box::new(Naive::new(settings)),
            PolicySettings::Fixed(settings) => Box::new(Fixed::new(settings)),
        }
    }

    pub(super) fn validate(&self, name: &str) -> Result<(), FieldError> {
        match self {
            PolicySettings::Static => Ok(()),
            PolicySettings::Naive(settings) => settings.validate(name),
            PolicySettings::Fixed(settings) => settings.validate(name),
        }
    }
}
