//! Admission control by a latency signal.

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

use super::pace::{Pace, PaceSettings};
use super::{Admission, Signal, latencies, p95_ms};
use crate::FieldError;
use crate::des::Time;

/// Settings of the latency signal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LatencySettings {
    /// The signal is up while the 95th percentile of short latency is above this, in milliseconds, 0.001 to 1,000,000.
    pub limit_ms: f64,
    /// How it moves.
    pub pace: PaceSettings,
}

impl Default for LatencySettings {
    fn default() -> Self {
        LatencySettings {
            limit_ms: 50.0,
            pace: PaceSettings::default(),
        }
    }
}

impl LatencySettings {
    pub(super) fn validate(&self, name: &str) -> Result<(), FieldError> {
        FieldError::check_range(&format!("{name}.limit_ms"), self.limit_ms, 0.001, 1e6)?;
        self.pace.validate(&format!("{name}.pace"))
    }
}

/// Guesses the server's health from the latency of the tasks that left it labelled short. A short task that waited is
/// demoted and leaves labelled long, so the signal can look healthy while short tasks suffer.
#[derive(Clone, Debug)]
pub struct Latency {
    limit_ms: f64,
    pace: Pace,
    window: Histogram<u32>,
}

impl Latency {
    /// The control at its start.
    pub fn new(settings: &LatencySettings) -> Self {
        Latency {
            limit_ms: settings.limit_ms,
            pace: Pace::new(&settings.pace),
            window: latencies(),
        }
    }
}

impl Admission for Latency {
    fn interval(&self) -> Time {
        self.pace.interval()
    }

    fn admit(&mut self, signal: &Signal<'_>) -> f64 {
        self.window
            .add(signal.short_latency)
            .expect("both have the same bounds");
        let over =
            |latency: &Histogram<u32>| p95_ms(latency).is_some_and(|p95| p95 > self.limit_ms);
        if self
            .pace
            .look(over(signal.short_latency), || over(&self.window))
        {
            self.window.reset();
        }
        self.pace.fraction()
    }
}
