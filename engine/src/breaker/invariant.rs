//! What must hold in every state.

use super::config::Config;
use super::state::{Phase, State};
use std::fmt;

/// An invariant of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Invariant {
    /// Every variable stays within its type.
    TypeOk,
    /// At most one caller is inside a probe.
    NoDoubleProbe,
    /// A reserved probe belongs to someone.
    NoOrphanReservation,
    /// A half-open episode lets at most one probe through.
    ProbeAcceptedIsBounded,
}

impl Invariant {
    /// Every invariant.
    pub const ALL: [Invariant; 4] = [
        Invariant::TypeOk,
        Invariant::NoDoubleProbe,
        Invariant::NoOrphanReservation,
        Invariant::ProbeAcceptedIsBounded,
    ];

    /// The document's name for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Invariant::TypeOk => "TypeOK",
            Invariant::NoDoubleProbe => "NoDoubleProbe",
            Invariant::NoOrphanReservation => "NoOrphanReservation",
            Invariant::ProbeAcceptedIsBounded => "ProbeAcceptedIsBounded",
        }
    }

    /// What it says.
    #[must_use]
    pub const fn statement(self) -> &'static str {
        match self {
            Invariant::TypeOk => "every variable stays within its range",
            Invariant::NoDoubleProbe => {
                "while half-open with a probe in flight, at most one caller is inside"
            }
            Invariant::NoOrphanReservation => "a probe in flight belongs to a caller inside",
            Invariant::ProbeAcceptedIsBounded => "a half-open episode accepts at most one probe",
        }
    }

    /// Whether it holds in `state`.
    #[must_use]
    pub fn holds(self, config: &Config, state: &State) -> bool {
        match self {
            Invariant::TypeOk => {
                state.failure_count <= config.max_failures
                    && state.open_ticks <= config.max_open_ticks
                    && state.caller_active.iter().all(|c| c.0 <= config.callers)
            }
            Invariant::NoDoubleProbe => {
                state.phase != Phase::HalfOpen
                    || !state.probe_inflight
                    || state.caller_active.len() <= 1
            }
            Invariant::NoOrphanReservation => {
                !state.probe_inflight || !state.caller_active.is_empty()
            }
            Invariant::ProbeAcceptedIsBounded => state.probes_accepted <= 1,
        }
    }
}

impl fmt::Display for Invariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
