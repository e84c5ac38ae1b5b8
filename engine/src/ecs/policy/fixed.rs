//! The fixed policy: one controller, and a signal that cannot be gamed.

use serde::{Deserialize, Serialize};

use super::probe::{ProbeSettings, TicketProbe};
use super::{Exhausted, Knobs, Observation, Policy};
use crate::FieldError;
use crate::des::Time;
use crate::ecs::config::ordered;

/// Settings of the fixed policy. The long queue keeps the tickets it starts with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FixedSettings {
    /// Time between two looks in milliseconds, 10 to 100,000.
    pub interval_ms: f64,
    /// How the short queue probes.
    pub short: ProbeSettings,
    /// A step of the demotion threshold as a share of it, 0 to 1.
    pub demotion_step: f64,
    /// The lowest threshold in milliseconds, above 0.
    pub demotion_least_ms: f64,
    /// The highest threshold in milliseconds.
    pub demotion_most_ms: f64,
    /// Raise the threshold only when no short task waited at this many looks in a row: 1 asks only for the present one,
    /// more ask that the wait set has stayed empty. At most 10,000.
    pub empty_looks: u32,
}

impl Default for FixedSettings {
    fn default() -> Self {
        FixedSettings {
            interval_ms: 100.0,
            short: ProbeSettings {
                least: 4,
                most: 128,
                step: 0.1,
            },
            demotion_step: 0.1,
            demotion_least_ms: 10.0,
            demotion_most_ms: 500.0,
            empty_looks: 1,
        }
    }
}

impl FixedSettings {
    pub(super) fn validate(&self, name: &str) -> Result<(), FieldError> {
        FieldError::check_range(
            &format!("{name}.interval_ms"),
            self.interval_ms,
            10.0,
            100_000.0,
        )?;
        self.short.validate(&format!("{name}.short"))?;
        FieldError::check_range(
            &format!("{name}.demotion_step"),
            self.demotion_step,
            0.0,
            1.0,
        )?;
        let least = format!("{name}.demotion_least_ms");
        let most = format!("{name}.demotion_most_ms");
        FieldError::check_range(&least, self.demotion_least_ms, 0.001, 1e6)?;
        FieldError::check_range(&most, self.demotion_most_ms, 0.001, 1e6)?;
        ordered(
            (&least, self.demotion_least_ms),
            (&most, self.demotion_most_ms),
        )?;
        FieldError::check_range(&format!("{name}.empty_looks"), self.empty_looks, 1, 10_000)
    }
}

/// Only the short queue probes. The demotion threshold falls while short tasks wait and rises while none do: the wait
/// set is empty exactly when short tasks are fine, and no churn can fake that.
#[derive(Clone, Debug)]
pub struct Fixed {
    interval: Time,
    short: TicketProbe,
    step: f64,
    least: f64,
    most: f64,
    needed: u32,
    empty: u32,
}

impl Fixed {
    /// The policy at its start.
    pub fn new(settings: &FixedSettings) -> Self {
        Fixed {
            interval: Time::from_millis(settings.interval_ms),
            short: TicketProbe::new(&settings.short),
            step: settings.demotion_step,
            least: settings.demotion_least_ms,
            most: settings.demotion_most_ms,
            needed: settings.empty_looks,
            empty: 0,
        }
    }
}

impl Policy for Fixed {
    fn interval(&self) -> Time {
        self.interval
    }

    fn probe(&mut self, seen: &Observation, knobs: &mut Knobs) {
        knobs.short_tickets = self.short.next(knobs.short_tickets, &seen.short);
        let threshold = knobs.demotion.as_millis();
        let threshold = if seen.short.waiting > 0 {
            self.empty = 0;
            threshold * (1.0 - self.step)
        } else {
            self.empty = self.empty.saturating_add(1);
            let raise = if self.empty >= self.needed {
                self.step
            } else {
                0.0
            };
            threshold * (1.0 + raise)
        };
        knobs.demotion = Time::from_millis(threshold.clamp(self.least, self.most));
    }

    fn exhausted(&self, knobs: &Knobs) -> Exhausted {
        Exhausted {
            tickets: self.short.at_cap(knobs.short_tickets),
            demotion: knobs.demotion <= Time::from_millis(self.least),
        }
    }
}
