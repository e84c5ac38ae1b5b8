//! Timed changes: load pulses, slowdowns, failures, changes of configuration.

use serde::{Deserialize, Serialize};

use super::admission::AdmissionSettings;
use super::config::Config;
use super::model::Class;
use super::policy::PolicySettings;
use crate::FieldError;
use crate::des::Time;

/// One entry of a script. Times are seconds since the start; an interval holds its start and not its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Entry {
    /// The arrival rate of a class times `factor`, 0 to 10,000.
    Pulse {
        /// The class.
        class: Class,
        /// What its rate is multiplied by.
        factor: f64,
        /// When it begins.
        from_s: f64,
        /// When it ends.
        until_s: f64,
    },
    /// Every core works at `speed`, 0 to 10, 1 being healthy: a cold cache, a noisy neighbour.
    Slowdown {
        /// The speed.
        speed: f64,
        /// When it begins.
        from_s: f64,
        /// When it ends.
        until_s: f64,
    },
    /// Some cores are gone.
    CoresLost {
        /// How many.
        cores: u32,
        /// When it begins.
        from_s: f64,
        /// When it ends.
        until_s: f64,
    },
    /// The server is down: what was in it is lost, and what comes is refused. Both count as shed.
    Outage {
        /// When it begins.
        from_s: f64,
        /// When it ends.
        until_s: f64,
    },
    /// A setting changes for good.
    Set {
        /// When.
        at_s: f64,
        /// To what.
        setting: Setting,
    },
}

/// A setting that a script can change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Setting {
    /// Another policy takes over, with the tickets and threshold as they are.
    Policy(PolicySettings),
    /// Another admission control takes over, at first admitting all.
    Admission(AdmissionSettings),
    /// The demotion threshold in milliseconds.
    DemotionMs(f64),
    /// Tickets of the short queue.
    ShortTickets(u32),
    /// Tickets of the long queue.
    LongTickets(u32),
    /// Room in the short queue.
    ShortBound(u32),
    /// Room in the long queue.
    LongBound(u32),
    /// The window of tickets acquired from then on, in milliseconds.
    TicketWindowMs(f64),
    /// How long clients of a class wait, for attempts from then on.
    TimeoutS {
        /// The class.
        class: Class,
        /// In seconds.
        value: f64,
    },
    /// How many attempts requests of a class have.
    Attempts {
        /// The class.
        class: Class,
        /// The first included.
        value: u32,
    },
}

/// What happens at one instant.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A class's rate is its configured one times this.
    Load(Class, f64),
    /// The cores' speed.
    Speed(f64),
    /// How many cores are gone.
    CoresLost(u32),
    /// The server goes down or comes up.
    Down(bool),
    /// A setting changes.
    Set(Setting),
}

impl Entry {
    /// When it begins and ends, in seconds; a change of setting has no length.
    pub fn interval(&self) -> (f64, f64) {
        match *self {
            Entry::Pulse {
                from_s, until_s, ..
            }
            | Entry::Slowdown {
                from_s, until_s, ..
            }
            | Entry::CoresLost {
                from_s, until_s, ..
            }
            | Entry::Outage { from_s, until_s } => (from_s, until_s),
            Entry::Set { at_s, .. } => (at_s, at_s),
        }
    }

    /// Whether both steer the same thing.
    fn rivals(&self, other: &Entry) -> bool {
        match (self, other) {
            (Entry::Pulse { class, .. }, Entry::Pulse { class: other, .. }) => class == other,
            (Entry::Set { setting, .. }, Entry::Set { setting: other, .. }) => {
                match (setting, other) {
                    (Setting::TimeoutS { class, .. }, Setting::TimeoutS { class: other, .. })
                    | (Setting::Attempts { class, .. }, Setting::Attempts { class: other, .. }) => {
                        class == other
                    }
                    _ => std::mem::discriminant(setting) == std::mem::discriminant(other),
                }
            }
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }

    fn validate(&self, name: &str, config: &Config) -> Result<(), FieldError> {
        let field = |part: &str| format!("{name}.{part}");
        let (from, until) = self.interval();
        if let Entry::Set { at_s, setting } = self {
            FieldError::check_range(&field("at_s"), *at_s, 0.0, config.duration_s)?;
            return setting.validate(&field("setting"));
        }
        FieldError::check_range(&field("from_s"), from, 0.0, config.duration_s)?;
        if until.is_nan() || until <= from {
            return Err(FieldError::new(
                field("until_s"),
                until,
                format!("after {} = {from}", field("from_s")),
            ));
        }
        match *self {
            Entry::Pulse { factor, .. } => {
                FieldError::check_range(&field("factor"), factor, 0.0, 10_000.0)
            }
            Entry::Slowdown { speed, .. } => {
                FieldError::check_range(&field("speed"), speed, 0.0, 10.0)
            }
            Entry::CoresLost { cores, .. } => {
                FieldError::check_range(&field("cores"), cores, 1, config.cores)
            }
            Entry::Outage { .. } | Entry::Set { .. } => Ok(()),
        }
    }
}

impl Setting {
    fn validate(&self, name: &str) -> Result<(), FieldError> {
        match self {
            Setting::Policy(policy) => policy.validate(&format!("{name}.policy")),
            Setting::Admission(admission) => admission.validate(&format!("{name}.admission")),
            Setting::DemotionMs(value) => {
                FieldError::check_range(&format!("{name}.demotion_ms"), *value, 0.0, 1e6)
            }
            Setting::ShortTickets(value) => {
                FieldError::check_range(&format!("{name}.short_tickets"), *value, 1, 10_000)
            }
            Setting::LongTickets(value) => {
                FieldError::check_range(&format!("{name}.long_tickets"), *value, 1, 10_000)
            }
            Setting::ShortBound(value) => {
                FieldError::check_range(&format!("{name}.short_bound"), *value, 0, 1_000_000)
            }
            Setting::LongBound(value) => {
                FieldError::check_range(&format!("{name}.long_bound"), *value, 0, 1_000_000)
            }
            Setting::TicketWindowMs(value) => {
                FieldError::check_range(&format!("{name}.ticket_window_ms"), *value, 0.1, 10_000.0)
            }
            Setting::TimeoutS { value, .. } => FieldError::check_range(
                &format!("{name}.timeout_s.value"),
                *value,
                0.001,
                100_000.0,
            ),
            Setting::Attempts { value, .. } => {
                FieldError::check_range(&format!("{name}.attempts.value"), *value, 1, 100)
            }
        }
    }
}

/// Most entries of a script.
pub const MAX_ENTRIES: usize = 100;

/// Looks for the first entry that makes no sense, or that overlaps an earlier one of its kind.
pub(super) fn validate(script: &[Entry], config: &Config) -> Result<(), FieldError> {
    FieldError::check_range("number of script entries", script.len(), 0, MAX_ENTRIES)?;
    for (index, entry) in script.iter().enumerate() {
        let name = format!("script[{index}]");
        entry.validate(&name, config)?;
        let (from, until) = entry.interval();
        for (earlier, other) in script[..index]
            .iter()
            .enumerate()
            .filter(|(_, other)| other.rivals(entry))
        {
            let (other_from, other_until) = other.interval();
            let apart = if from == until {
                from != other_from
            } else {
                until <= other_from || other_until <= from
            };
            if !apart {
                let expected = if from == until {
                    format!("another instant than that of script[{earlier}], which sets the same")
                } else {
                    format!(
                        "clear of script[{earlier}], which is of its kind and lasts {other_from} to {other_until}"
                    )
                };
                return Err(FieldError::new(
                    name,
                    format!("{from} to {until}"),
                    expected,
                ));
            }
        }
    }
    Ok(())
}

/// The changes of a script in the order of their times. Where one interval ends as another begins, the end comes first.
pub(super) fn changes(script: &[Entry]) -> Vec<(Time, Change)> {
    let mut ends = Vec::new();
    let mut starts = Vec::new();
    for entry in script {
        let (from, until) = entry.interval();
        let (start, end) = match entry {
            Entry::Pulse { class, factor, .. } => (
                Change::Load(*class, *factor),
                Some(Change::Load(*class, 1.0)),
            ),
            Entry::Slowdown { speed, .. } => (Change::Speed(*speed), Some(Change::Speed(1.0))),
            Entry::CoresLost { cores, .. } => {
                (Change::CoresLost(*cores), Some(Change::CoresLost(0)))
            }
            Entry::Outage { .. } => (Change::Down(true), Some(Change::Down(false))),
            Entry::Set { setting, .. } => (Change::Set(setting.clone()), None),
        };
        starts.push((Time::from_secs(from), start));
        ends.extend(end.map(|end| (Time::from_secs(until), end)));
    }
    ends.extend(starts);
    ends.sort_by_key(|(at, _)| *at);
    ends
}
