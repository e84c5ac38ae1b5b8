//! Simulated time.

use std::ops::{Add, AddAssign, Sub};

/// An instant since the start of a run, or a span, in whole nanoseconds.
///
/// Whole numbers keep a run exact: an interval added a million times ends where it should.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub u64);

impl Time {
    /// The start of a run, or no time at all.
    pub const ZERO: Time = Time(0);
    /// A time that never comes.
    pub const NEVER: Time = Time(u64::MAX);

    /// Seconds to the nearest nanosecond; negative values become zero, and values beyond 584 years [`Time::NEVER`].
    pub fn from_secs(seconds: f64) -> Time {
        Time::from_nanos(seconds * 1e9)
    }

    /// Milliseconds to the nearest nanosecond, bounded as in [`Time::from_secs`].
    pub fn from_millis(milliseconds: f64) -> Time {
        Time::from_nanos(milliseconds * 1e6)
    }

    /// Nanoseconds to the nearest whole one, bounded as in [`Time::from_secs`].
    pub fn from_nanos(nanoseconds: f64) -> Time {
        Time((nanoseconds + 0.5) as u64)
    }

    /// The shortest time that covers these nanoseconds: rounded up, bounded as in [`Time::from_secs`].
    pub fn covering(nanoseconds: f64) -> Time {
        let whole = nanoseconds as u64;
        Time(whole.saturating_add(u64::from((whole as f64) < nanoseconds)))
    }

    /// This time in seconds.
    pub fn as_secs(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// This time in milliseconds.
    pub fn as_millis(self) -> f64 {
        self.0 as f64 / 1e6
    }
}

impl Add for Time {
    type Output = Time;
    fn add(self, other: Time) -> Time {
        Time(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Time {
    fn add_assign(&mut self, other: Time) {
        *self = *self + other;
    }
}

impl Sub for Time {
    type Output = Time;
    fn sub(self, other: Time) -> Time {
        Time(self.0.saturating_sub(other.0))
    }
}
