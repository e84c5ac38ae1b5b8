//! Where a gated run at constant arrivals grows without bound, though its law is not monotone.
//!
//! **Token bucket.** Let `M` acks earn a token and let `W = M*(qf + qd + tokens) + qf + done + acks`, where `acks` are those
//! counted towards the next token. Sending a retry turns a token into a `qd`, serving a fresh request turns a `qf` into a
//! `done`, reading it turns a `done` into an `acks`, and `M` of these into a token worth `M`: so with `a` arrivals `W`
//! changes in a round by `(M + 1)*a - M*n`, `n` being what is served, less what tokens beyond the capacity `K` would be worth.
//! Where `qf >= S*T + T*K` every token is spent, so that none is lost if `S + M - 1 <= M*K`. The server serves `n = S`. So
//! if `(M + 1)*a > M*S`, `W` grows in every round in which `qf` is that large. It stays so: `qf` falls only if more than `a` fresh
//! requests are served, hence `S*qf >= (a + 1)*(qf + qd)`, and with `W` large enough such a `qf` is far above its bound.
//!
//! **Any gate, arrivals equal to capacity.** At `a = S` neither `qf` nor the backlog falls. A breaker's half-open probes go out
//! for ever while a retry is due, and each adds to the backlog.

use super::config::{Config, Service};
use super::gate::{Gate, GateState};
use super::state::State;
use serde::{Deserialize, Serialize};

/// A set of round starts that the run at constant arrivals does not leave, growing without bound inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overflow {
    /// Fresh arrivals in every round.
    pub arrivals: u64,
    /// Least `qf` in the set: enough for every token to be spent, or for a retry to be due.
    pub qf_min: u128,
    /// Least weight `W` in the set; 0 where the argument needs none.
    pub weight_min: u128,
}

impl Overflow {
    /// The set for `config` at `arrivals` a round; `None` where the argument does not apply.
    #[must_use]
    pub fn of(config: &Config, arrivals: u64) -> Option<Self> {
        if !config.fault.is_none() || arrivals > config.most_arrivals() {
            return None;
        }
        let (a, s, t) = (
            u128::from(arrivals),
            u128::from(config.s),
            u128::from(config.t),
        );
        match config.gate {
            Gate::None => None,
            Gate::Breaker(_) => (a >= s && config.budget != Some(0)).then_some(Self {
                arrivals,
                qf_min: s * t + t,
                weight_min: 0,
            }),
            Gate::TokenBucket(bucket) => {
                let (k, m) = (
                    u128::from(bucket.capacity),
                    u128::from(bucket.acks_per_token),
                );
                let spends_all = config.budget.is_none_or(|b| u128::from(b) >= k);
                let loses_none = s + m - 1 <= m * k;
                let grows = (m + 1) * a > m * s;
                let never_drains = config.service == Service::Proportional || a >= s;
                if !(spends_all && loses_none && grows && never_drains) {
                    return None;
                }
                let qf_min = s * t + t * k;
                let backlog = (s * (qf_min + s)).div_ceil(a + 1);
                Some(Self {
                    arrivals,
                    qf_min,
                    weight_min: (m + 1) * backlog + m * k + (m - 1) + s,
                })
            }
        }
    }

    /// Whether a round start lies in the set.
    #[must_use]
    pub fn contains(&self, config: &Config, state: &State) -> bool {
        state.is_round_start()
            && u128::from(state.qf) >= self.qf_min
            && weight(config, state) >= self.weight_min
    }
}

/// The weight `W` of a round start; 0 without a token bucket.
#[must_use]
pub fn weight(config: &Config, state: &State) -> u128 {
    let (Gate::TokenBucket(bucket), GateState::Tokens { tokens, acks }) = (config.gate, state.gate)
    else {
        return 0;
    };
    let worth = u128::from(state.backlog()) + u128::from(tokens);
    u128::from(bucket.acks_per_token) * worth
        + u128::from(state.qf)
        + u128::from(state.done)
        + u128::from(acks)
}
