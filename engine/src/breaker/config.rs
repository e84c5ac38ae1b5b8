//! The breaker as a transition system: its parameters and its actions.

use super::state::{Caller, CallerSet, Phase, State};
use crate::FieldError;
use crate::explore::Model;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Most callers.
pub const MAX_CALLERS: u8 = 6;

/// Largest failure threshold.
pub const MAX_MAX_FAILURES: u16 = 1000;

/// Longest time open, in ticks.
pub const MAX_MAX_OPEN_TICKS: u16 = 1000;

/// The design.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    /// Any caller may start a probe while the breaker is half-open.
    Naive,
    /// A caller starts a probe only if none is in flight.
    #[default]
    Hardened,
}

impl Variant {
    /// Both designs.
    pub const ALL: [Variant; 2] = [Variant::Naive, Variant::Hardened];

    /// The word for it on the command line and in addresses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Naive => "naive",
            Variant::Hardened => "hardened",
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The model's parameters, and as a [`Model`] the model itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The design.
    pub variant: Variant,
    /// `NumCallers`: who may call at the same time, 1 to [`MAX_CALLERS`].
    pub callers: u8,
    /// `MaxFailures`: failures in a row that open the breaker, 1 to [`MAX_MAX_FAILURES`].
    pub max_failures: u16,
    /// `MaxOpenTicks`: ticks before an open breaker's timer can elapse, 0 to [`MAX_MAX_OPEN_TICKS`].
    pub max_open_ticks: u16,
}

impl Default for Config {
    /// The document's bound: two callers, two failures, two ticks; the hardened design.
    fn default() -> Self {
        Self::new(Variant::Hardened, 2, 2, 2)
    }
}

/// A step of the breaker, named as in the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Action {
    /// A call succeeds while the breaker is closed.
    ClosedCallSuccess(Caller),
    /// A call fails while the breaker is closed, below the threshold.
    ClosedCallFailure(Caller),
    /// A call fails and reaches the threshold: the breaker opens.
    ClosedCallFailureTripBreaker(Caller),
    /// A call is refused because the breaker is open.
    OpenShortCircuit(Caller),
    /// Time passes while the breaker is open.
    OpenTick,
    /// The timer elapses: the breaker is half-open.
    OpenTimerElapses,
    /// A caller starts a probe.
    HalfOpenProbeStart(Caller),
    /// A call is refused because a probe is in flight.
    HalfOpenProbeRejected(Caller),
    /// A probe succeeds: the breaker closes.
    HalfOpenProbeSuccess(Caller),
    /// A probe fails: the breaker opens again.
    HalfOpenProbeFailure(Caller),
}

impl Action {
    /// The document's name for it, without the caller.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Action::ClosedCallSuccess(_) => "ClosedCallSuccess",
            Action::ClosedCallFailure(_) => "ClosedCallFailure",
            Action::ClosedCallFailureTripBreaker(_) => "ClosedCallFailureTripBreaker",
            Action::OpenShortCircuit(_) => "OpenShortCircuit",
            Action::OpenTick => "OpenTick",
            Action::OpenTimerElapses => "OpenTimerElapses",
            Action::HalfOpenProbeStart(_) => "HalfOpenProbeStart",
            Action::HalfOpenProbeRejected(_) => "HalfOpenProbeRejected",
            Action::HalfOpenProbeSuccess(_) => "HalfOpenProbeSuccess",
            Action::HalfOpenProbeFailure(_) => "HalfOpenProbeFailure",
        }
    }

    /// Who takes it; `None` for the clock's steps.
    #[must_use]
    pub const fn caller(self) -> Option<Caller> {
        match self {
            Action::ClosedCallSuccess(c)
            | Action::ClosedCallFailure(c)
            | Action::ClosedCallFailureTripBreaker(c)
            | Action::OpenShortCircuit(c)
            | Action::HalfOpenProbeStart(c)
            | Action::HalfOpenProbeRejected(c)
            | Action::HalfOpenProbeSuccess(c)
            | Action::HalfOpenProbeFailure(c) => Some(c),
            Action::OpenTick | Action::OpenTimerElapses => None,
        }
    }

    /// Whether the step ends a probe with its own outcome.
    #[must_use]
    pub const fn ends_probe(self) -> bool {
        matches!(
            self,
            Action::HalfOpenProbeSuccess(_) | Action::HalfOpenProbeFailure(_)
        )
    }
}

impl fmt::Display for Action {
    /// As in the document: `HalfOpenProbeStart(2)`, `OpenTick`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.caller() {
            Some(caller) => write!(f, "{}({caller})", self.name()),
            None => f.write_str(self.name()),
        }
    }
}

/// Why an action is not enabled: the first part of its guard that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// The breaker is in another phase than the action asks for.
    NotIn(Phase),
    /// One more failure would not leave the count below the threshold.
    WouldTrip,
    /// One more failure would not reach the threshold.
    WouldNotTrip,
    /// The timer has not run to its end.
    TimerStillRuns,
    /// The timer has run to its end.
    TimerIsUp,
    /// The caller is inside a probe.
    CallerIsActive,
    /// The caller is not inside a probe.
    CallerIsNotActive,
    /// A probe is in flight: the hardened design's guard.
    ProbeInFlight,
    /// No probe is in flight.
    NoProbeInFlight,
    /// There is no such caller.
    NoSuchCaller,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Refusal::NotIn(phase) => return write!(f, "the breaker is not {phase}"),
            Refusal::WouldTrip => "this failure would reach the threshold",
            Refusal::WouldNotTrip => "this failure would not reach the threshold",
            Refusal::TimerStillRuns => "the timer is still running",
            Refusal::TimerIsUp => "the timer has run to its end",
            Refusal::CallerIsActive => "the caller is already inside a probe",
            Refusal::CallerIsNotActive => "the caller is not inside a probe",
            Refusal::ProbeInFlight => "a probe is in flight",
            Refusal::NoProbeInFlight => "no probe is in flight",
            Refusal::NoSuchCaller => "there is no such caller",
        };
        f.write_str(text)
    }
}

impl Config {
    /// A configuration, unchecked.
    #[must_use]
    pub const fn new(
        variant: Variant,
        callers: u8,
        max_failures: u16,
        max_open_ticks: u16,
    ) -> Self {
        Self {
            variant,
            callers,
            max_failures,
            max_open_ticks,
        }
    }

    /// Checks every parameter.
    ///
    /// # Errors
    /// Names the first one out of range, its value and the range.
    pub fn validate(&self) -> Result<(), FieldError> {
        FieldError::check_range("callers", self.callers, 1, MAX_CALLERS)?;
        FieldError::check_range("max-failures", self.max_failures, 1, MAX_MAX_FAILURES)?;
        FieldError::check_range("max-open-ticks", self.max_open_ticks, 0, MAX_MAX_OPEN_TICKS)
    }

    /// Every caller, by number.
    pub fn callers(&self) -> impl Iterator<Item = Caller> + use<> {
        (1..=self.callers).map(Caller)
    }

    /// Every action that the configuration has, enabled or not: each caller's, then the clock's.
    pub fn actions(&self) -> impl Iterator<Item = Action> + use<> {
        const OF_CALLER: [fn(Caller) -> Action; 8] = [
            Action::ClosedCallSuccess,
            Action::ClosedCallFailure,
            Action::ClosedCallFailureTripBreaker,
            Action::OpenShortCircuit,
            Action::HalfOpenProbeStart,
            Action::HalfOpenProbeRejected,
            Action::HalfOpenProbeSuccess,
            Action::HalfOpenProbeFailure,
        ];
        self.callers()
            .flat_map(|caller| OF_CALLER.map(|action| action(caller)))
            .chain([Action::OpenTick, Action::OpenTimerElapses])
    }

    /// The state that `action` leads to from `state`.
    ///
    /// # Errors
    /// Says which part of the action's guard does not hold.
    pub fn apply(&self, state: &State, action: Action) -> Result<State, Refusal> {
        self.guard(state, action)?;
        let mut next = *state;
        match action {
            Action::ClosedCallSuccess(_) => next.failure_count = 0,
            Action::ClosedCallFailure(_) => next.failure_count += 1,
            Action::ClosedCallFailureTripBreaker(_) => {
                next.phase = Phase::Open;
                next.failure_count = self.max_failures;
                next.open_ticks = 0;
            }
            Action::OpenShortCircuit(_) | Action::HalfOpenProbeRejected(_) => {}
            Action::OpenTick => next.open_ticks += 1,
            Action::OpenTimerElapses => {
                next.phase = Phase::HalfOpen;
                next.release();
            }
            Action::HalfOpenProbeStart(caller) => {
                next.probe_inflight = true;
                next.probes_accepted += 1;
                next.caller_active = next.caller_active.with(caller);
            }
            Action::HalfOpenProbeSuccess(_) => {
                next.phase = Phase::Closed;
                next.failure_count = 0;
                next.open_ticks = 0;
                next.release();
            }
            Action::HalfOpenProbeFailure(_) => {
                next.phase = Phase::Open;
                next.failure_count = self.max_failures;
                next.open_ticks = 0;
                next.release();
            }
        }
        Ok(next)
    }

    /// Whether `action` is enabled in `state`, else why not.
    fn guard(&self, state: &State, action: Action) -> Result<(), Refusal> {
        let check = |holds: bool, refusal| if holds { Ok(()) } else { Err(refusal) };
        let phase = |phase| check(state.phase == phase, Refusal::NotIn(phase));
        let trips = state.failure_count + 1 >= self.max_failures;
        let is_up = state.open_ticks >= self.max_open_ticks;
        if let Some(caller) = action.caller() {
            check(
                (1..=self.callers).contains(&caller.0),
                Refusal::NoSuchCaller,
            )?;
        }
        match action {
            Action::ClosedCallSuccess(_) => phase(Phase::Closed),
            Action::ClosedCallFailure(_) => {
                phase(Phase::Closed)?;
                check(!trips, Refusal::WouldTrip)
            }
            Action::ClosedCallFailureTripBreaker(_) => {
                phase(Phase::Closed)?;
                check(trips, Refusal::WouldNotTrip)
            }
            Action::OpenShortCircuit(_) => phase(Phase::Open),
            Action::OpenTick => {
                phase(Phase::Open)?;
                check(!is_up, Refusal::TimerIsUp)
            }
            Action::OpenTimerElapses => {
                phase(Phase::Open)?;
                check(is_up, Refusal::TimerStillRuns)
            }
            Action::HalfOpenProbeStart(caller) => {
                phase(Phase::HalfOpen)?;
                check(
                    !state.caller_active.contains(caller),
                    Refusal::CallerIsActive,
                )?;
                let is_free = !state.probe_inflight || self.variant == Variant::Naive;
                check(is_free, Refusal::ProbeInFlight)
            }
            Action::HalfOpenProbeRejected(caller) => {
                phase(Phase::HalfOpen)?;
                check(state.probe_inflight, Refusal::NoProbeInFlight)?;
                check(
                    !state.caller_active.contains(caller),
                    Refusal::CallerIsActive,
                )
            }
            Action::HalfOpenProbeSuccess(caller) | Action::HalfOpenProbeFailure(caller) => {
                phase(Phase::HalfOpen)?;
                check(
                    state.caller_active.contains(caller),
                    Refusal::CallerIsNotActive,
                )
            }
        }
    }
}

impl State {
    /// Ends the half-open episode's bookkeeping: no reservation, nobody inside, no probe counted.
    fn release(&mut self) {
        self.probe_inflight = false;
        self.probes_accepted = 0;
        self.caller_active = CallerSet::EMPTY;
    }
}

impl Model for Config {
    type State = State;
    type Action = Action;

    fn initial(&self, each: &mut impl FnMut(State)) {
        each(State::default());
    }

    fn steps(&self, state: &State, each: &mut impl FnMut(Action, State)) {
        for action in self.actions() {
            if let Ok(next) = self.apply(state, action) {
                each(action, next);
            }
        }
    }
}
