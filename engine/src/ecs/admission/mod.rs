//! Who stands in front of the execution control system and turns requests away.
//!
//! An admission control is one small type that implements [`Admission`]. It sees what the server shows to the outside
//! and answers with the fraction of attempts to let in, without telling short from long. To add one, write it in a file
//! of its own beside these, with its settings, and name the settings in [`AdmissionSettings`].

mod distress;
mod latency;
mod open;
mod pace;

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

pub use distress::{Distress, DistressKnobs, DistressSettings};
pub use latency::{Latency, LatencySettings};
pub use open::Open;
pub use pace::{Pace, PaceSettings};

use super::policy::Exhausted;
use crate::FieldError;
use crate::des::Time;

/// What the server shows to the outside over the interval just past.
#[derive(Debug)]
pub struct Signal<'a> {
    /// Time in the server, in microseconds, of the tasks that left it labelled short.
    pub short_latency: &'a Histogram<u32>,
    /// Whether short tasks wait.
    pub short_waits: bool,
    /// Which of the policy's knobs are exhausted.
    pub exhausted: Exhausted,
}

/// An admission control.
pub trait Admission: Send {
    /// Time between two looks.
    fn interval(&self) -> Time;

    /// Looks at the interval just past and says which fraction of attempts to admit, 0 to 1.
    fn admit(&mut self, signal: &Signal<'_>) -> f64;

    /// Whether the distress bit is up, for one that has it.
    fn distress(&self) -> bool {
        false
    }
}

/// Which admission control, and its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "snake_case")]
pub enum AdmissionSettings {
    /// All are admitted.
    Off,
    /// Sheds while the short latency that the server measures is high.
    Latency(LatencySettings),
    /// Sheds while the server says that short tasks wait and its knobs are exhausted.
    Distress(DistressSettings),
}

impl AdmissionSettings {
    /// The latency signal at the pace of the policy.
    pub fn latency() -> Self {
        AdmissionSettings::Latency(LatencySettings::default())
    }

    /// The latency signal, ten times slower.
    pub fn sluggish() -> Self {
        AdmissionSettings::Latency(LatencySettings {
            pace: PaceSettings::sluggish(),
            ..LatencySettings::default()
        })
    }

    /// The distress bit at the pace of the policy.
    pub fn distress() -> Self {
        AdmissionSettings::Distress(DistressSettings::default())
    }

    /// The distress bit, ten times slower.
    pub fn distress_sluggish() -> Self {
        AdmissionSettings::Distress(DistressSettings {
            pace: PaceSettings::sluggish(),
            ..DistressSettings::default()
        })
    }

    /// An admission control with these settings, at its start.
    pub fn build(&self) -> Box<dyn Admission> {
        match self {
            AdmissionSettings::Off => Box::new(Open),
            AdmissionSettings::Latency(settings) => Box::new(Latency::new(settings)),
            AdmissionSettings::Distress(settings) => Box::new(Distress::new(settings)),
        }
    }

    pub(super) fn validate(&self, name: &str) -> Result<(), FieldError> {
        match self {
            AdmissionSettings::Off => Ok(()),
            AdmissionSettings::Latency(settings) => settings.validate(name),
            AdmissionSettings::Distress(settings) => settings.validate(name),
        }
    }
}

/// A histogram of latencies in microseconds, up to an hour, to two digits.
pub(super) fn latencies() -> Histogram<u32> {
    Histogram::new_with_bounds(1, 3_600_000_000, 2).expect("the bounds are in order")
}

/// The 95th percentile in milliseconds, or nothing when nothing was recorded.
pub(super) fn p95_ms(histogram: &Histogram<u32>) -> Option<f64> {
    (!histogram.is_empty()).then(|| histogram.value_at_quantile(0.95) as f64 / 1000.0)
}
