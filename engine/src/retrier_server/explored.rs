//! The retrier and the server as a model for the explorer: every arrival choice, up to a cap on the backlog.

use super::config::Config;
use super::decide::deciding_run;
use super::gate::GateState;
use super::state::{State, Turn};
use super::trap::{Closure, Region};
use super::verdict::{Judgement, Proof, Verdict};
use crate::explore::{Graph, Model, explore};
use serde::{Deserialize, Serialize};

/// The cap on the backlog where none is given.
pub const DEFAULT_CAP: u64 = 500;

/// Largest cap on the backlog that can be asked for.
pub const MAX_CAP: u64 = 1_000_000;

/// Most states that an exploration keeps: beyond it, the exploration is incomplete.
const MOST_STATES: usize = 50_000_000;

/// The composed system from one start, explored up to a backlog of `cap`.
#[derive(Clone, Copy, Debug)]
pub struct Composition {
    /// The parameters and laws.
    pub config: Config,
    /// The round start to explore from.
    pub start: State,
    /// Largest backlog explored; at most [`MAX_CAP`].
    pub cap: u64,
}

/// A state in 16 bytes. The ledger is left out: it is `qf + done`, as the retrier's accounting guarantees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Compact {
    qf: u32,
    qd: u32,
    done: u32,
    gate: u32,
}

/// The bit of `done` that says that the server moves next. Counts under [`MAX_CAP`] leave it free.
const SERVER_NEXT: u32 = 1 << 31;

impl Compact {
    fn new(state: &State) -> Self {
        debug_assert!(state.ledger_is_exact());
        let turn = match state.turn {
            Turn::Retrier => 0,
            Turn::Server => SERVER_NEXT,
        };
        let (kind, high, low) = match state.gate {
            GateState::None => (0, 0, 0),
            GateState::Tokens { tokens, acks } => (0, acks, tokens),
            GateState::Closed { failures } => (1, 0, failures),
            GateState::Open { ticks } => (2, 0, ticks),
            GateState::HalfOpen { probed } => (3, 0, u16::from(probed)),
        };
        // A breaker uses 16 bits for its count and two above for its kind; a bucket uses all 32 for its two counts.
        let gate = (u32::from(high) | kind) << 16 | u32::from(low);
        Self {
            // At most `MAX_CAP`: larger states are not admitted.
            qf: state.qf as u32,
            qd: state.qd as u32,
            done: state.done as u32 | turn,
            gate,
        }
    }

    /// The whole state, under `config`.
    #[must_use]
    pub fn expand(self, config: &Config) -> State {
        use super::gate::Gate;
        let (high, low) = ((self.gate >> 16) as u16, self.gate as u16);
        let gate = match (config.gate, high) {
            (Gate::None, _) => GateState::None,
            (Gate::TokenBucket(_), acks) => GateState::Tokens { tokens: low, acks },
            (Gate::Breaker(_), 1) => GateState::Closed { failures: low },
            (Gate::Breaker(_), 2) => GateState::Open { ticks: low },
            (Gate::Breaker(_), _) => GateState::HalfOpen { probed: low != 0 },
        };
        let done = u64::from(self.done & !SERVER_NEXT);
        State {
            qf: u64::from(self.qf),
            qd: u64::from(self.qd),
            done,
            p: u64::from(self.qf) + done,
            turn: if self.done & SERVER_NEXT == 0 {
                Turn::Retrier
            } else {
                Turn::Server
            },
            gate,
        }
    }
}

impl Model for Composition {
    type State = Compact;
    /// The round's arrivals; 0 for the server's step.
    type Action = u64;

    fn initial(&self, each: &mut impl FnMut(Compact)) {
        each(Compact::new(&self.start));
    }

    fn steps(&self, state: &Compact, each: &mut impl FnMut(u64, Compact)) {
        let state = state.expand(&self.config);
        match state.turn {
            Turn::Server => each(0, Compact::new(&self.config.server(&state))),
            Turn::Retrier => {
                let mut next = self.config.retrier(&state, 0);
                for arrivals in 0..=self.config.most_arrivals() {
                    next.qf = state.qf + arrivals;
                    next.p = next.qf;
                    let compact = Compact::new(&next);
                    each(arrivals, compact);
                    // The first choice beyond the cap shows the cut; more arrivals would only repeat it.
                    if !self.admits(&compact) {
                        break;
                    }
                }
            }
        }
    }

    fn admits(&self, state: &Compact) -> bool {
        u64::from(state.qf) + u64::from(state.qd) <= self.cap
    }
}

/// What an exploration of every arrival choice found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exploration {
    /// The cap on the backlog.
    pub cap: u64,
    /// States reached within the cap.
    pub states: usize,
    /// Whether no reachable state was beyond the cap.
    pub complete: bool,
    /// Whether the run at most arrivals was proved to grow without bound; not asked of monotone laws.
    pub climbs: bool,
    /// Whether `<>[]Good` holds on every run.
    pub stabilizes: Option<bool>,
    /// Whether a run enters the trap, where the region is proved closed.
    pub trap_reachable: Option<bool>,
    /// Whether the run without arrivals ends in `Good` for ever.
    pub quiet_recovers: Option<bool>,
    /// Whether some run ends in `Good` for ever.
    pub can_recover: Option<bool>,
}

impl Exploration {
    /// The verdict that the findings amount to. Whatever was not proved stays open.
    #[must_use]
    pub fn judgement(&self) -> Judgement {
        Judgement {
            verdict: Verdict::from_findings(
                self.stabilizes,
                self.can_recover,
                self.unbounded_reachable(),
            ),
            stabilizes: self.stabilizes,
            trap_reachable: self.trap_reachable,
            quiet_recovers: self.quiet_recovers,
            can_recover: self.can_recover,
            proof: Proof::Explored(*self),
        }
    }

    /// A complete graph is finite, so nothing in it grows without bound; the trap does.
    fn unbounded_reachable(&self) -> Option<bool> {
        if self.complete {
            Some(false)
        } else {
            (self.climbs || self.trap_reachable == Some(true)).then_some(true)
        }
    }
}

/// Explores every arrival choice from the round start `start`, up to a backlog of `cap`.
#[must_use]
pub fn explore_from(config: &Config, start: &State, cap: u64) -> Exploration {
    let composition = Composition {
        config: *config,
        start: *start,
        cap: cap.min(MAX_CAP),
    };
    composition.examine(&explore(&composition, MOST_STATES))
}

impl Composition {
    /// Reads the findings off an explored graph of this composition.
    #[must_use]
    pub fn examine(&self, graph: &Graph<Compact>) -> Exploration {
        let config = &self.config;
        let complete = graph.is_complete();
        let is_good = |state: &Compact| config.is_good(&state.expand(config));
        let region = Region::general(config, config.most_arrivals());
        let is_closed = region.closure(config) == Closure::Closed;
        let trap_found = is_closed && graph.find(|s| region.contains(&s.expand(config))).is_some();

        // Every cycle of the graph is a run that repeats itself; the component of a state on one is named.
        let cyclic = graph.cyclic_components(|_| true);
        // What the run at most arrivals comes to is a witness under any law; under a monotone one the deciding runs have their
        // own say, and this is the other.
        let most = (!config.is_monotone())
            .then(|| deciding_run(config, &self.start, config.most_arrivals()).end);
        let climbs = most.is_some_and(|end| end.is_unbounded());
        let fails = trap_found
            || most.and_then(|end| end.recovers()) == Some(false)
            || graph
                .states()
                .iter()
                .zip(&cyclic)
                .any(|(state, component)| component.is_some() && !is_good(state));
        let quiet_recovers = deciding_run(config, &self.start, 0).end.recovers();
        let recovers_somewhere = quiet_recovers == Some(true) || graph.has_cycle_within(is_good);
        Exploration {
            cap: self.cap,
            climbs,
            states: graph.states().len(),
            complete,
            stabilizes: if fails {
                Some(false)
            } else {
                complete.then_some(true)
            },
            trap_reachable: if trap_found {
                Some(true)
            } else {
                (complete || !is_closed).then_some(false)
            },
            quiet_recovers,
            can_recover: if recovers_somewhere {
                Some(true)
            } else {
                complete.then_some(false)
            },
        }
    }
}
