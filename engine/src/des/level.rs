//! A number that changes in time, and its integral.

use super::time::Time;

/// How many of something there are. Differences of the area over an interval give the mean number in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    now: u64,
    area: u64,
    changed: Time,
}

impl Level {
    /// How many there are.
    pub fn get(&self) -> u64 {
        self.now
    }

    /// Sets how many there are from `at` on.
    pub fn set(&mut self, at: Time, level: u64) {
        self.area += self.now * (at - self.changed).0;
        self.changed = at;
        self.now = level;
    }

    /// The level summed over time up to `at`, in units times seconds.
    pub fn area(&self, at: Time) -> f64 {
        (self.area + self.now * (at - self.changed).0) as f64 / 1e9
    }
}
