//! The hardened breaker at run time.
//!
//! How the model's symbols appear here:
//!
//! | model | run time |
//! |---|---|
//! | `state`, `failureCount` | fields behind a lock that is never held during a call |
//! | `openTicks` | the time since the breaker opened, read from the [`Clock`] |
//! | `OpenTimerElapses` | noticed by the first call after [`Settings::open_for`] |
//! | `probeInflight` | an `AtomicBool` |
//! | `HalfOpenProbeStart`, whose guard is `~probeInflight` | `compare_exchange(false, true)` on it |
//! | `HalfOpenProbeRejected` | [`Refused::ProbeInFlight`] |
//! | `OpenShortCircuit` | [`Refused::Open`] |
//! | `callerActive` | the [`Permit`]s that are held |
//! | releasing the reservation | ending the [`Permit`], or dropping it, in a panic too |
//!
//! In the model a call of a closed breaker is one step. Here it lasts, so its outcome may come after the breaker has left
//! the closed period in which the call began; it is then ignored.

use super::state::Phase;
use crate::FieldError;
use std::fmt;
use std::sync::PoisonError;
use std::time::Duration;

#[cfg(loom)]
use loom::sync::{
    Mutex, MutexGuard,
    atomic::{AtomicBool, Ordering},
};
#[cfg(not(loom))]
use std::sync::{
    Mutex, MutexGuard,
    atomic::{AtomicBool, Ordering},
};

/// Where the breaker reads the time.
pub trait Clock {
    /// The time since some fixed moment. It should never go back: while it does, an open breaker stays open.
    fn now(&self) -> Duration;
}

impl<F: Fn() -> Duration> Clock for F {
    fn now(&self) -> Duration {
        self()
    }
}

/// What a breaker is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// Failures in a row that open it, at least 1.
    pub max_failures: u32,
    /// How long it stays open before it lets a probe through.
    pub open_for: Duration,
}

/// A circuit breaker: it stops calling what keeps failing, and asks again with one probe at a time.
///
/// It may be shared between threads. The engine has no clock, so one is handed in:
///
/// ```
/// use engine::breaker::{CallError, CircuitBreaker, Refused, Settings};
/// use std::time::{Duration, Instant};
///
/// let start = Instant::now();
/// let settings = Settings { max_failures: 2, open_for: Duration::from_secs(5) };
/// let breaker = CircuitBreaker::new(settings, move || start.elapsed())?;
/// for _ in 0..2 {
///     assert_eq!(breaker.call(|| Err::<(), _>("no answer")), Err(CallError::Inner("no answer")));
/// }
/// let refused = breaker.call(|| Ok::<_, &str>("never asked"));
/// assert!(matches!(refused, Err(CallError::Refused(Refused::Open { .. }))));
/// # Ok::<(), engine::FieldError>(())
/// ```
#[derive(Debug)]
pub struct CircuitBreaker<C> {
    settings: Settings,
    clock: C,
    internal: Mutex<Internal>,
    /// Whether a probe is reserved. Set and cleared under the lock and only while half-open, and read without it: callers
    /// refused during a slow probe do not queue for the lock.
    probe_inflight: AtomicBool,
}

#[derive(Debug)]
struct Internal {
    phase: Phase,
    failure_count: u32,
    opened_at: Duration,
    /// Counts the changes of phase, so that the outcome of a call can be told to be late.
    period: u64,
}

/// Why a call was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refused {
    /// The breaker is open.
    Open {
        /// How long until it lets a probe through.
        remaining: Duration,
    },
    /// The breaker is half-open and its one probe is in flight.
    ProbeInFlight,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Open { remaining } => {
                write!(f, "the circuit breaker is open for another {remaining:?}")
            }
            Refused::ProbeInFlight => {
                f.write_str("the circuit breaker is half-open and its probe is in flight")
            }
        }
    }
}

impl std::error::Error for Refused {}

/// Why a call gave no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallError<E> {
    /// The breaker did not make the call.
    Refused(Refused),
    /// The call was made and failed.
    Inner(E),
}

impl<E: fmt::Display> fmt::Display for CallError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallError::Refused(refused) => refused.fmt(f),
            CallError::Inner(error) => error.fmt(f),
        }
    }
}

impl<E: std::error::Error + 'static> std::error::Error for CallError<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            CallError::Refused(_) => None,
            CallError::Inner(error) => error.source(),
        }
    }
}

/// What a breaker looks like at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Snapshot {
    /// Closed, open or half-open.
    pub phase: Phase,
    /// Failures in a row, those that opened the breaker included until it closes.
    pub failure_count: u32,
    /// While open, for how long it has been.
    pub open_since: Option<Duration>,
    /// Whether a probe is in flight.
    pub probe_inflight: bool,
}

impl<C: Clock> CircuitBreaker<C> {
    /// A closed breaker.
    ///
    /// # Errors
    /// Refuses a failure threshold of 0.
    pub fn new(settings: Settings, clock: C) -> Result<Self, FieldError> {
        FieldError::check_range("max_failures", settings.max_failures, 1, u32::MAX)?;
        Ok(Self {
            settings,
            clock,
            internal: Mutex::new(Internal {
                phase: Phase::Closed,
                failure_count: 0,
                opened_at: Duration::ZERO,
                period: 0,
            }),
            probe_inflight: AtomicBool::new(false),
        })
    }

    /// Makes `call` if the breaker lets it through, and learns from its outcome. A call that panics has failed.
    ///
    /// # Errors
    /// [`CallError::Refused`] if the call was not made, [`CallError::Inner`] if it was and failed.
    pub fn call<T, E>(&self, call: impl FnOnce() -> Result<T, E>) -> Result<T, CallError<E>> {
        let permit = self.admit().map_err(CallError::Refused)?;
        match call() {
            Ok(value) => {
                permit.succeed();
                Ok(value)
            }
            Err(error) => {
                permit.fail();
                Err(CallError::Inner(error))
            }
        }
    }

    /// Asks to make a call whose outcome is told to the permit. For calls that no closure can hold, such as asynchronous ones.
    ///
    /// # Errors
    /// Says why the call must not be made.
    pub fn admit(&self) -> Result<Permit<'_, C>, Refused> {
        if self.probe_inflight.load(Ordering::SeqCst) {
            return Err(Refused::ProbeInFlight);
        }
        let now = self.clock.now();
        let mut internal = self.lock();
        self.elapse(&mut internal, now);
        let is_probe = match internal.phase {
            Phase::Closed => false,
            Phase::Open => {
                let open_since = now.saturating_sub(internal.opened_at);
                return Err(Refused::Open {
                    remaining: self.settings.open_for - open_since,
                });
            }
            Phase::HalfOpen => {
                let reserve = self.probe_inflight.compare_exchange(
                    false,
                    true,
                    Ordering::SeqCst,
                    Ordering::SeqCst,
                );
                reserve.map_err(|_| Refused::ProbeInFlight)?;
                true
            }
        };
        Ok(Permit {
            breaker: self,
            period: internal.period,
            is_probe,
            is_settled: false,
        })
    }

    /// What the breaker looks like now.
    pub fn snapshot(&self) -> Snapshot {
        let now = self.clock.now();
        let mut internal = self.lock();
        self.elapse(&mut internal, now);
        Snapshot {
            phase: internal.phase,
            failure_count: internal.failure_count,
            open_since: (internal.phase == Phase::Open)
                .then(|| now.saturating_sub(internal.opened_at)),
            probe_inflight: self.probe_inflight.load(Ordering::SeqCst),
        }
    }

    /// The model's `OpenTimerElapses`, if it is due.
    fn elapse(&self, internal: &mut Internal, now: Duration) {
        let open_since = now.saturating_sub(internal.opened_at);
        if internal.phase == Phase::Open && open_since >= self.settings.open_for {
            internal.enter(Phase::HalfOpen);
        }
    }

    fn settle(&self, period: u64, is_probe: bool, succeeded: bool) {
        let now = self.clock.now();
        let mut internal = self.lock();
        // A probe's period cannot end before the probe: only it may leave the half-open phase.
        if internal.period != period {
            return;
        }
        if succeeded {
            internal.failure_count = 0;
            if is_probe {
                internal.enter(Phase::Closed);
            }
        } else {
            if !is_probe {
                internal.failure_count += 1;
            }
            if internal.failure_count >= self.settings.max_failures {
                internal.opened_at = now;
                internal.enter(Phase::Open);
            }
        }
        if is_probe {
            self.probe_inflight.store(false, Ordering::SeqCst);
        }
    }

    /// No user code runs under the lock, so a poisoned one holds nothing half done.
    fn lock(&self) -> MutexGuard<'_, Internal> {
        self.internal.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Internal {
    fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.period += 1;
    }
}

/// Leave to make one call. Tell it the outcome; dropped without one, as in a panic, the call counts as failed.
///
/// Forgetting it (`std::mem::forget`) during a probe leaves the breaker waiting for that probe for ever.
#[must_use = "a permit dropped without an outcome counts as a failure"]
#[derive(Debug)]
pub struct Permit<'b, C: Clock> {
    breaker: &'b CircuitBreaker<C>,
    period: u64,
    is_probe: bool,
    is_settled: bool,
}

impl<C: Clock> Permit<'_, C> {
    /// Whether the call is the half-open breaker's probe.
    #[must_use]
    pub fn is_probe(&self) -> bool {
        self.is_probe
    }

    /// The call succeeded.
    pub fn succeed(self) {
        self.settle(true);
    }

    /// The call failed.
    pub fn fail(self) {
        self.settle(false);
    }

    fn settle(mut self, succeeded: bool) {
        self.is_settled = true;
        self.breaker.settle(self.period, self.is_probe, succeeded);
    }
}

impl<C: Clock> Drop for Permit<'_, C> {
    fn drop(&mut self) {
        if !self.is_settled {
            self.breaker.settle(self.period, self.is_probe, false);
        }
    }
}
