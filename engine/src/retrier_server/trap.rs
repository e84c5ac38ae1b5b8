//! The trap: a region of round starts that no run leaves.
//!
//! The document's region at `S=3, AMax=2, T=2` is `qf >= 8*S /\ qd >= 3*qf`. The general one is
//! `qf >= T*S*(a + 2) /\ qd >= S*qf` for runs with at most `a` arrivals a round, the same set there.
//! Why no run leaves it, with the proportional split and no gate: raw flux is at least `S*(a + 1)`, so after the
//! retrier's step `qd` is at least `S*(qf + a + 1)`; the fresh share `S*qf/(qf + qd)` is then below 1, nothing fresh
//! is served, and after the server's step `qd` is still at least `S*(qf + a)`. A budget keeps the argument only
//! while it lets `S*(a + 1)` retries out. Its states are never `Good`: with `a = AMax` there are far more than `S + AMax`
//! requests in each of them, and for fewer arrivals `qf` is asked to be so large that there are. Since `qf` does not fall in
//! it, the region stays closed for any larger least `qf`.

use super::config::{Config, Service};
use super::gate::Gate;
use super::state::State;
use serde::{Deserialize, Serialize};

/// The region `qf >= qf_min /\ qd >= ratio * qf`, of round starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    /// Least fresh queue in the region.
    pub qf_min: u128,
    /// Duplicates per fresh request that the region asks for.
    pub ratio: u64,
    /// Most arrivals a round under which it is meant to be closed.
    pub arrivals: u64,
}

/// Whether a region is closed under a configuration, and what shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closure {
    /// No round leaves the region: the argument of this module holds for the configuration.
    Closed,
    /// A round leaves it.
    Open {
        /// A round start inside.
        from: State,
        /// The arrivals of the round that leaves.
        arrivals: u64,
        /// The round start outside that follows.
        to: State,
    },
    /// Neither shown: the law has a memory, so whether a round leaves depends on more than the queues, or a component
    /// breaks its contract.
    Unproved,
}

impl Region {
    /// The region for runs of at most `arrivals` a round.
    #[must_use]
    pub fn general(config: &Config, arrivals: u64) -> Self {
        let (s, amax) = (u128::from(config.s), u128::from(config.amax));
        // With `S` duplicates for each fresh request, so many are more than `Good` allows.
        let beyond_good = (s + amax) / (s + 1) + 1;
        let closed = u128::from(config.t) * s * (u128::from(arrivals) + 2);
        Self {
            qf_min: closed.max(beyond_good),
            ratio: config.s,
            arrivals,
        }
    }

    /// Whether a round start lies in the region. A mid-round state never does: the region is closed at round starts.
    #[must_use]
    pub fn contains(&self, state: &State) -> bool {
        state.is_round_start()
            && u128::from(state.qf) >= self.qf_min
            && u128::from(state.qd) >= u128::from(self.ratio) * u128::from(state.qf)
    }

    /// Whether the region is closed under `config`.
    #[must_use]
    pub fn closure(&self, config: &Config) -> Closure {
        if config.gate != Gate::None || !config.fault.is_none() {
            return Closure::Unproved;
        }
        let enough = u128::from(config.s) * (u128::from(self.arrivals) + 1);
        let budget_allows = config.budget.is_none_or(|b| u128::from(b) >= enough);
        if config.service == Service::Proportional && budget_allows {
            return Closure::Closed;
        }
        self.escape(config).unwrap_or(Closure::Unproved)
    }

    /// A round that leaves from the region's corner, its state with the least of both queues.
    fn escape(&self, config: &Config) -> Option<Closure> {
        let qf = u64::try_from(self.qf_min).ok()?;
        let qd = qf.checked_mul(self.ratio)?;
        if qf.checked_add(qd)? > super::MAX_BACKLOG {
            return None;
        }
        let from = config.start(qf, qd);
        [self.arrivals, 0].into_iter().find_map(|arrivals| {
            let to = config.server(&config.retrier(&from, arrivals));
            (!self.contains(&to)).then_some(Closure::Open { from, arrivals, to })
        })
    }
}
