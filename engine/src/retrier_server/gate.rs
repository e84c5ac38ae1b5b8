//! Retry laws with a memory: a token bucket and a circuit breaker, put between the raw flux and the server.

use crate::FieldError;
use crate::query::quoted;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A retry law that remembers, applied to the raw flux before any budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// No gate: the raw flux goes through.
    #[default]
    None,
    /// A token bucket.
    TokenBucket(TokenBucket),
    /// A circuit breaker on the retry path.
    Breaker(Breaker),
}

/// A token bucket: a retry costs a token, and answered requests earn them back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TokenBucket {
    /// Most tokens held, and how many there are at first: 0 to 65,535.
    pub capacity: u16,
    /// Acks read that return one token: 1 to 65,535.
    pub acks_per_token: u16,
}

/// A circuit breaker: a round in which something is late is a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Breaker {
    /// Failures in a row that open it: 1 to 65,535.
    pub max_failures: u16,
    /// Rounds without retries while it is open: 1 to 65,535.
    pub max_open_ticks: u16,
}

/// What a [`Gate`] remembers between two retrier steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateState {
    /// Nothing.
    #[default]
    None,
    /// The bucket.
    Tokens {
        /// Tokens left.
        tokens: u16,
        /// Acks read since the last token was earned.
        acks: u16,
    },
    /// Retries go out.
    Closed {
        /// Failures in a row so far.
        failures: u16,
    },
    /// No retries go out.
    Open {
        /// Rounds it has been open.
        ticks: u16,
    },
    /// One retry goes out, or has gone out.
    HalfOpen {
        /// Whether the one retry has been let through and is being judged.
        probed: bool,
    },
}

impl fmt::Display for Gate {
    /// Writes what [`FromStr`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Gate::None => f.write_str("none"),
            Gate::TokenBucket(bucket) => write!(
                f,
                "token-bucket:{},{}",
                bucket.capacity, bucket.acks_per_token
            ),
            Gate::Breaker(breaker) => {
                write!(
                    f,
                    "breaker:{},{}",
                    breaker.max_failures, breaker.max_open_ticks
                )
            }
        }
    }
}

impl FromStr for Gate {
    type Err = FieldError;

    /// Reads `none`, `token-bucket:CAPACITY,ACKS_PER_TOKEN` or `breaker:MAX_FAILURES,MAX_OPEN_TICKS`.
    fn from_str(text: &str) -> Result<Self, FieldError> {
        let wrong = || {
            FieldError::new(
                "gate",
                quoted(text),
                "none, token-bucket:K,M with K from 0 to 65535 and M from 1 to 65535, or breaker:F,TICKS with each from 1 to 65535",
            )
        };
        let two = |numbers: &str| {
            let (first, second) = numbers.split_once(',')?;
            Some((first.trim().parse().ok()?, second.trim().parse().ok()?))
        };
        let gate = match text.trim().split_once(':') {
            None if text.trim() == "none" => Some(Gate::None),
            Some(("token-bucket", numbers)) => two(numbers).map(|(capacity, acks_per_token)| {
                Gate::TokenBucket(TokenBucket {
                    capacity,
                    acks_per_token,
                })
            }),
            Some(("breaker", numbers)) => two(numbers).map(|(max_failures, max_open_ticks)| {
                Gate::Breaker(Breaker {
                    max_failures,
                    max_open_ticks,
                })
            }),
            _ => None,
        };
        gate.filter(|gate| gate.validate().is_ok())
            .ok_or_else(wrong)
    }
}

impl fmt::Display for GateState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GateState::None => f.write_str("none"),
            GateState::Tokens { tokens, acks } => write!(f, "tokens {tokens} acks {acks}"),
            GateState::Closed { failures } => write!(f, "closed failures {failures}"),
            GateState::Open { ticks } => write!(f, "open ticks {ticks}"),
            GateState::HalfOpen { probed: false } => f.write_str("half-open"),
            GateState::HalfOpen { probed: true } => f.write_str("half-open probed"),
        }
    }
}

impl Gate {
    /// What the gate remembers at first.
    #[must_use]
    pub fn initial(self) -> GateState {
        match self {
            Gate::None => GateState::None,
            Gate::TokenBucket(bucket) => GateState::Tokens {
                tokens: bucket.capacity,
                acks: 0,
            },
            Gate::Breaker(_) => GateState::Closed { failures: 0 },
        }
    }

    /// Checks the gate's own parameters.
    ///
    /// # Errors
    /// Names the first one that is out of range.
    pub fn validate(self) -> Result<(), FieldError> {
        let most = u16::MAX;
        match self {
            Gate::None => Ok(()),
            Gate::TokenBucket(bucket) => {
                FieldError::check_range("acks per token", bucket.acks_per_token, 1, most)
            }
            Gate::Breaker(breaker) => {
                FieldError::check_range("max failures", breaker.max_failures, 1, most)?;
                FieldError::check_range("max open ticks", breaker.max_open_ticks, 1, most)
            }
        }
    }

    /// How many states the gate may come to from `state`; `None` if that is not one of its own.
    #[must_use]
    pub(super) fn codes(self, state: GateState) -> Option<u64> {
        let codes = match self {
            Gate::None => 1,
            Gate::TokenBucket(bucket) => {
                (u64::from(bucket.capacity) + 1) * u64::from(bucket.acks_per_token)
            }
            Gate::Breaker(breaker) => {
                u64::from(breaker.max_failures) + u64::from(breaker.max_open_ticks) + 2
            }
        };
        let is_own = match (self, state) {
            (Gate::None, GateState::None) => true,
            (Gate::TokenBucket(bucket), GateState::Tokens { tokens, acks }) => {
                tokens <= bucket.capacity && acks < bucket.acks_per_token
            }
            (Gate::Breaker(breaker), GateState::Closed { failures }) => {
                failures < breaker.max_failures
            }
            (Gate::Breaker(breaker), GateState::Open { ticks }) => ticks < breaker.max_open_ticks,
            (Gate::Breaker(_), GateState::HalfOpen { .. }) => true,
            _ => false,
        };
        is_own.then_some(codes)
    }

    /// The code of one of the gate's own states, below [`Gate::codes`].
    #[must_use]
    pub(super) fn encode(self, state: GateState) -> u64 {
        match (self, state) {
            (Gate::TokenBucket(bucket), GateState::Tokens { tokens, acks }) => {
                u64::from(tokens) * u64::from(bucket.acks_per_token) + u64::from(acks)
            }
            (_, GateState::HalfOpen { probed }) => u64::from(probed),
            (_, GateState::Closed { failures }) => 2 + u64::from(failures),
            (Gate::Breaker(breaker), GateState::Open { ticks }) => {
                2 + u64::from(breaker.max_failures) + u64::from(ticks)
            }
            _ => 0,
        }
    }

    /// The state of a code that [`Gate::encode`] gave out.
    #[must_use]
    pub(super) fn decode(self, code: u64) -> GateState {
        match self {
            Gate::None => GateState::None,
            Gate::TokenBucket(bucket) => {
                let per_token = u64::from(bucket.acks_per_token);
                // Both are below a bound of 16 bits.
                GateState::Tokens {
                    tokens: (code / per_token) as u16,
                    acks: (code % per_token) as u16,
                }
            }
            Gate::Breaker(breaker) => {
                let most = u64::from(breaker.max_failures);
                match code.checked_sub(2) {
                    None => GateState::HalfOpen { probed: code == 1 },
                    Some(failures) if failures < most => GateState::Closed {
                        failures: failures as u16,
                    },
                    Some(code) => GateState::Open {
                        ticks: (code - most) as u16,
                    },
                }
            }
        }
    }

    /// How many of `raw` retries the gate would let out from `state`.
    #[must_use]
    pub(super) fn lets_out(self, state: GateState, raw: u64) -> u64 {
        match state {
            GateState::None | GateState::Closed { .. } => raw,
            GateState::Tokens { tokens, .. } => raw.min(u64::from(tokens)),
            GateState::Open { .. } | GateState::HalfOpen { probed: true } => 0,
            GateState::HalfOpen { probed: false } => raw.min(1),
        }
    }

    /// What the gate remembers after a retrier step that found `raw` retries due, sent `sent` and read `acks`.
    ///
    /// Acks read in a step pay for retries from the next step on. The step that trips the breaker still sends its
    /// retries; the step that judges the probe sends none.
    #[must_use]
    pub(super) fn after(self, state: GateState, raw: u64, sent: u64, acks_read: u64) -> GateState {
        match (self, state) {
            (Gate::TokenBucket(bucket), GateState::Tokens { tokens, acks }) => {
                let per_token = u64::from(bucket.acks_per_token);
                let acks = u64::from(acks) + acks_read;
                let left = u64::from(tokens) - sent + acks / per_token;
                GateState::Tokens {
                    // Both fit: one is at most the capacity, the other below `acks_per_token`.
                    tokens: left.min(u64::from(bucket.capacity)) as u16,
                    acks: (acks % per_token) as u16,
                }
            }
            (Gate::Breaker(breaker), GateState::Closed { failures }) => match raw {
                0 => GateState::Closed { failures: 0 },
                _ if failures + 1 >= breaker.max_failures => GateState::Open { ticks: 0 },
                _ => GateState::Closed {
                    failures: failures + 1,
                },
            },
            (Gate::Breaker(breaker), GateState::Open { ticks }) => {
                if ticks + 1 >= breaker.max_open_ticks {
                    GateState::HalfOpen { probed: false }
                } else {
                    GateState::Open { ticks: ticks + 1 }
                }
            }
            (Gate::Breaker(_), GateState::HalfOpen { probed: false }) => {
                GateState::HalfOpen { probed: true }
            }
            (Gate::Breaker(_), GateState::HalfOpen { probed: true }) => match raw {
                0 => GateState::Closed { failures: 0 },
                _ => GateState::Open { ticks: 0 },
            },
            // A gate switched on or off in mid-run starts afresh.
            (gate, _) => gate.initial(),
        }
    }
}
