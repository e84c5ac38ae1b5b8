//! The circuit breaker: a transition system in two designs, what is checked of it, and the hardened one as a type to use.
//!
//! After [`Config::max_failures`] failures in a row the breaker opens and calls short-circuit. When its timer has elapsed it
//! is half-open and lets one probe through, whose outcome closes it or opens it again. The [`Variant::Naive`] design does not
//! look whether a probe is in flight before it starts one, so two run at once; [`Variant::Hardened`] does.
//!
//! [`Config`] is the model, for the explorer, and [`check`] examines it. [`CircuitBreaker`] is the hardened design at
//! run time. The breaker as a retry law is [`crate::retrier_server::Breaker`].

mod address;
mod check;
mod config;
mod invariant;
mod property;
mod runtime;
mod schedule;
mod state;

pub use address::MAX_SCHEDULE;
pub use check::{Check, LivenessCheck, check};
pub use config::{
    Action, Config, MAX_CALLERS, MAX_MAX_FAILURES, MAX_MAX_OPEN_TICKS, Refusal, Variant,
};
pub use invariant::Invariant;
pub use property::{Fairness, Property};
pub use runtime::{CallError, CircuitBreaker, Clock, Permit, Refused, Settings, Snapshot};
pub use schedule::{Moment, ScheduleRow, schedule_rows};
pub use state::{Caller, CallerSet, Phase, State};
