//! One state of the breaker.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Where the breaker is in its life: the document's `state`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Phase {
    /// Calls go through; failures in a row are counted.
    #[default]
    Closed,
    /// Calls short-circuit until the timer elapses.
    Open,
    /// A probe may go through.
    HalfOpen,
}

impl Phase {
    /// The document's word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Closed => "Closed",
            Phase::Open => "Open",
            Phase::HalfOpen => "HalfOpen",
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Who calls, numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Caller(pub u8);

impl fmt::Display for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A set of callers, as their bits. Serialised as the list of their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "Vec<Caller>", from = "Vec<Caller>")]
pub struct CallerSet(u8);

impl CallerSet {
    /// Nobody.
    pub const EMPTY: Self = Self(0);

    /// This set and `caller`, whose number is from 1 to 8.
    #[must_use]
    pub const fn with(self, caller: Caller) -> Self {
        Self(self.0 | 1 << (caller.0 - 1))
    }

    /// Whether `caller` is in it.
    #[must_use]
    pub const fn contains(self, caller: Caller) -> bool {
        self.0 >> (caller.0 - 1) & 1 == 1
    }

    /// How many are in it.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether nobody is.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Its callers, by number.
    pub fn iter(self) -> impl Iterator<Item = Caller> {
        (1..=8).map(Caller).filter(move |&c| self.contains(c))
    }
}

impl From<CallerSet> for Vec<Caller> {
    fn from(set: CallerSet) -> Self {
        set.iter().collect()
    }
}

impl From<Vec<Caller>> for CallerSet {
    fn from(callers: Vec<Caller>) -> Self {
        let known = callers.into_iter().filter(|c| (1..=8).contains(&c.0));
        known.fold(Self::EMPTY, Self::with)
    }
}

/// One state, its fields named as in the document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct State {
    /// Closed, open or half-open.
    #[serde(rename = "state")]
    pub phase: Phase,
    /// Failures in a row while closed, in calls.
    pub failure_count: u16,
    /// How long the breaker has been open, in ticks.
    pub open_ticks: u16,
    /// Whether a probe is reserved.
    pub probe_inflight: bool,
    /// Probes let through in the present half-open episode.
    pub probes_accepted: u8,
    /// Who is inside a probe.
    pub caller_active: CallerSet,
}
