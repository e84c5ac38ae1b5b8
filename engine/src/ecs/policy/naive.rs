//! The naive policy: two controllers on one machine.

use serde::{Deserialize, Serialize};

use super::probe::{ProbeSettings, TicketProbe};
use super::{Exhausted, Knobs, Observation, Policy};
use crate::FieldError;
use crate::des::Time;

/// Settings of the naive policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NaiveSettings {
    /// Time between two looks in milliseconds, 10 to 100,000.
    pub interval_ms: f64,
    /// How the short queue probes.
    pub short: ProbeSettings,
    /// How the long queue probes.
    pub long: ProbeSettings,
}

impl Default for NaiveSettings {
    fn default() -> Self {
        NaiveSettings {
            interval_ms: 100.0,
            short: ProbeSettings {
                least: 4,
                most: 128,
                step: 0.1,
            },
            long: ProbeSettings {
                least: 2,
                most: 128,
                step: 0.1,
            },
        }
    }
}

impl NaiveSettings {
    pub(super) fn validate(&self, name: &str) -> Result<(), FieldError> {
        FieldError::check_range(
            &format!("{name}.interval_ms"),
            self.interval_ms,
            10.0,
            100_000.0,
        )?;
        self.short.validate(&format!("{name}.short"))?;
        self.long.validate(&format!("{name}.long"))
    }
}

/// Each queue probes its own tickets, blind to the other.
#[derive(Clone, Debug)]
pub struct Naive {
    interval: Time,
    short: TicketProbe,
    long: TicketProbe,
}

impl Naive {
    /// The policy at its start.
    pub fn new(settings: &NaiveSettings) -> Self {
        Naive {
            interval: Time::from_millis(settings.interval_ms),
            short: TicketProbe::new(&settings.short),
            long: TicketProbe::new(&settings.long),
        }
    }
}

impl Policy for Naive {
    fn interval(&self) -> Time {
        self.interval
    }

    fn probe(&mut self, seen: &Observation, knobs: &mut Knobs) {
        knobs.short_tickets = self.short.next(knobs.short_tickets, &seen.short);
        knobs.long_tickets = self.long.next(knobs.long_tickets, &seen.long);
    }

    fn exhausted(&self, knobs: &Knobs) -> Exhausted {
        Exhausted {
            tickets: self.short.at_cap(knobs.short_tickets),
            demotion: true,
        }
    }
}
