//! The parameters and laws of the retrier and the server, and their two steps.

use super::fault::Fault;
use super::gate::Gate;
use super::state::{State, Turn};
use crate::FieldError;
use serde::{Deserialize, Serialize};

/// Largest value of a parameter (`s`, `amax`, `t`, `budget`) and of each queue at the start.
pub const MAX_PARAMETER: u64 = 1 << 31;

/// Largest backlog from which a step is taken: 2^52 requests.
///
/// Under it no step overflows: a step adds at most `MAX_PARAMETER` arrivals and at most `p` duplicates, and
/// the one product, capacity times `qf`, is taken in 128 bits where 64 are too few. Counts also stay exact in a
/// browser's numbers. A run that would pass it ends there.
pub const MAX_BACKLOG: u64 = 1 << 52;

/// How the server splits its capacity between fresh and duplicate work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Service {
    /// In proportion to the two queues: fresh work gets `floor(n * qf / (qf + qd))` of `n`.
    #[default]
    Proportional,
    /// Fresh work first, duplicates with what is left.
    FreshFirst,
}

/// The model's parameters and laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// `S`: requests the server can serve in a round, 1 to [`MAX_PARAMETER`].
    pub s: u64,
    /// `AMax`: most fresh arrivals in a round, 0 to [`MAX_PARAMETER`].
    pub amax: u64,
    /// `T`: the retry timeout in rounds, 1 to [`MAX_PARAMETER`].
    pub t: u64,
    /// `B`: most retries in a round, 0 to [`MAX_PARAMETER`]; `None` is no budget.
    #[serde(default)]
    pub budget: Option<u64>,
    /// The server's split.
    #[serde(default)]
    pub service: Service,
    /// No fresh arrivals at all; retries keep firing.
    #[serde(default)]
    pub quiet: bool,
    /// A retry law with a memory, before the budget.
    #[serde(default)]
    pub gate: Gate,
    /// A component that breaks its contract on purpose.
    #[serde(default)]
    pub fault: Fault,
}

impl Default for Config {
    /// The document's values: `S = 3`, `AMax = 2`, `T = 2`, no fix.
    fn default() -> Self {
        Self::new(3, 2, 2)
    }
}

impl Config {
    /// The plain model, without any fix.
    #[must_use]
    pub const fn new(s: u64, amax: u64, t: u64) -> Self {
        Self {
            s,
            amax,
            t,
            budget: None,
            service: Service::Proportional,
            quiet: false,
            gate: Gate::None,
            fault: Fault::None,
        }
    }

    /// With at most `b` retries a round.
    #[must_use]
    pub const fn with_budget(mut self, b: u64) -> Self {
        self.budget = Some(b);
        self
    }

    /// With fresh work served first.
    #[must_use]
    pub const fn with_fresh_first(mut self) -> Self {
        self.service = Service::FreshFirst;
        self
    }

    /// With no fresh arrivals.
    #[must_use]
    pub const fn with_quiet(mut self) -> Self {
        self.quiet = true;
        self
    }

    /// With a retry law that remembers.
    #[must_use]
    pub const fn with_gate(mut self, gate: Gate) -> Self {
        self.gate = gate;
        self
    }

    /// With a component that breaks its contract.
    #[must_use]
    pub const fn with_fault(mut self, fault: Fault) -> Self {
        self.fault = fault;
        self
    }

    /// Checks every parameter.
    ///
    /// # Errors
    /// Names the first one out of range, its value and the range.
    pub fn validate(&self) -> Result<(), FieldError> {
        FieldError::check_range("s", self.s, 1, MAX_PARAMETER)?;
        FieldError::check_range("amax", self.amax, 0, MAX_PARAMETER)?;
        FieldError::check_range("t", self.t, 1, MAX_PARAMETER)?;
        if let Some(b) = self.budget {
            FieldError::check_range("budget", b, 0, MAX_PARAMETER)?;
        }
        self.gate.validate()
    }

    /// `LatThresh = S * T`: pending requests that are within their latency budget.
    #[must_use]
    pub const fn latency_threshold(&self) -> u64 {
        self.s * self.t
    }

    /// Most arrivals that a round can bring: `AMax`, or 0 under quiet.
    #[must_use]
    pub const fn most_arrivals(&self) -> u64 {
        if self.quiet { 0 } else { self.amax }
    }

    /// Whether more work never helps: with more `qf`, `qd` or arrivals neither queue ends lower.
    ///
    /// True of every law without a memory (`models.md`, section 1), which is what lets two runs decide a verdict. Of
    /// laws with a faulty component it is not proved.
    #[must_use]
    pub const fn is_monotone(&self) -> bool {
        matches!(self.gate, Gate::None) && self.fault.is_none()
    }

    /// The state before the first round: `q0` fresh requests queued, all pending, and `qd` duplicates.
    #[must_use]
    pub fn start(&self, q0: u64, qd: u64) -> State {
        State {
            qf: q0,
            qd,
            done: 0,
            p: q0,
            turn: Turn::Retrier,
            gate: self.gate.initial(),
        }
    }

    /// Retries that are due: what has waited longer than `T`, spread over `T` rounds. An eager retrier holds all that
    /// is pending to be late.
    #[must_use]
    pub fn raw_flux(&self, state: &State) -> u64 {
        let threshold = match self.fault {
            Fault::EagerRetrier => 0,
            Fault::None | Fault::WastefulServer => self.latency_threshold(),
        };
        state.p.saturating_sub(state.done).saturating_sub(threshold) / self.t
    }

    /// Requests that the server serves in a round that finds `backlog` queued: `min(S, backlog)`, and one fewer of
    /// its capacity if it is wasteful.
    #[must_use]
    pub(super) fn served(&self, backlog: u64) -> u64 {
        let capacity = match self.fault {
            Fault::WastefulServer => self.s - 1,
            Fault::None | Fault::EagerRetrier => self.s,
        };
        capacity.min(backlog)
    }

    /// Retries that the next retrier step sends: the raw flux after the gate and the budget.
    #[must_use]
    pub fn flux(&self, state: &State) -> u64 {
        let gated = self.gate.lets_out(state.gate, self.raw_flux(state));
        self.budget.map_or(gated, |b| gated.min(b))
    }

    /// The retrier's step: `arrivals` fresh requests and the flux join the queues, and the acks are read.
    ///
    /// `arrivals` is within `0..=most_arrivals()`, and the backlog at most [`MAX_BACKLOG`]; the caller sees to both.
    #[must_use]
    pub fn retrier(&self, state: &State, arrivals: u64) -> State {
        debug_assert!(state.turn == Turn::Retrier && arrivals <= self.most_arrivals());
        let flux = self.flux(state);
        State {
            qf: state.qf + arrivals,
            qd: state.qd + flux,
            done: 0,
            p: state.p - state.done + arrivals,
            turn: Turn::Server,
            gate: self
                .gate
                .after(state.gate, self.raw_flux(state), flux, state.done),
        }
    }

    /// The server's step: it serves up to `S` requests, split by its law, and acks the fresh ones.
    #[must_use]
    pub fn server(&self, state: &State) -> State {
        debug_assert!(state.turn == Turn::Server);
        let backlog = state.backlog();
        let served = self.served(backlog);
        let fresh = match self.service {
            Service::Proportional => fresh_share(served, state.qf, backlog),
            Service::FreshFirst => state.qf.min(served),
        };
        State {
            qf: state.qf - fresh,
            qd: state.qd - (served - fresh),
            done: fresh,
            p: state.p,
            turn: Turn::Retrier,
            gate: state.gate,
        }
    }

    /// `Good`: a backlog of no more than one round's arrivals on top of what the server clears in a round.
    #[must_use]
    pub fn is_good(&self, state: &State) -> bool {
        state.backlog() <= self.s + self.amax
    }
}

/// `floor(served * qf / backlog)`, 0 for an empty backlog, whatever the size of the product.
fn fresh_share(served: u64, qf: u64, backlog: u64) -> u64 {
    match (served.checked_mul(qf), backlog) {
        (_, 0) => 0,
        (Some(product), _) => product / backlog,
        // The quotient is at most `served`.
        (None, _) => (u128::from(served) * u128::from(qf) / u128::from(backlog)) as u64,
    }
}
