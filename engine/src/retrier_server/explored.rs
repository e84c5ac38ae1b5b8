//! The retrier and the server as a model for the explorer: every arrival choice, up to a cap on the backlog.

use super::config::Config;
use super::decide::deciding_run;
use super::gate::{Gate, GateState};
use super::state::{State, Turn};
use super::trap::{Closure, Region};
use super::verdict::{Judgement, Proof, Verdict};
use crate::explore::{Model, Reached, survey};
use serde::{Deserialize, Serialize};

/// The cap on the backlog where none is given.
pub const DEFAULT_CAP: u64 = 500;

/// Largest cap on the backlog that can be asked for.
pub const MAX_CAP: u64 = 1_000_000;

/// Most memory that an exploration takes, in bytes: beyond it, the exploration is incomplete. In a browser several may
/// run side by side, each in a worker of its own.
const MOST_BYTES: usize = 128 << 20;

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
    /// The queue, and in its highest bit whether the server moves next.
    qd: u32,
    done: u32,
    gate: u32,
}

/// The bit of `qd` that says that the server moves next.
const SERVER_NEXT: u32 = 1 << 31;

impl Compact {
    /// Queues too large to be kept are beyond every cap, and stay so.
    fn new(state: &State) -> Self {
        debug_assert!(state.ledger_is_exact());
        let kept = |count: u64, most: u32| u32::try_from(count).unwrap_or(most).min(most);
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
            qf: kept(state.qf, u32::MAX),
            qd: kept(state.qd, SERVER_NEXT - 1) | turn,
            // At most a round's service, and so at most `MAX_PARAMETER`.
            done: kept(state.done, u32::MAX),
            gate,
        }
    }

    /// The whole state, under `config`.
    #[must_use]
    pub fn expand(self, config: &Config) -> State {
        let (high, low) = ((self.gate >> 16) as u16, self.gate as u16);
        let gate = match (config.gate, high) {
            (Gate::None, _) => GateState::None,
            (Gate::TokenBucket(_), acks) => GateState::Tokens { tokens: low, acks },
            (Gate::Breaker(_), 1) => GateState::Closed { failures: low },
            (Gate::Breaker(_), 2) => GateState::Open { ticks: low },
            (Gate::Breaker(_), _) => GateState::HalfOpen { probed: low != 0 },
        };
        let (qf, done) = (u64::from(self.qf), u64::from(self.done));
        State {
            qf,
            qd: u64::from(self.qd & !SERVER_NEXT),
            done,
            p: qf + done,
            turn: match self.server_moves_next() {
                true => Turn::Server,
                false => Turn::Retrier,
            },
            gate,
        }
    }

    const fn server_moves_next(self) -> bool {
        self.qd & SERVER_NEXT != 0
    }

    fn backlog(self) -> u64 {
        u64::from(self.qf) + u64::from(self.qd & !SERVER_NEXT)
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
        state.backlog() <= self.cap
    }

    /// One for each pair of queues within the cap, each turn with what may be done, and each state of the gate.
    fn codes(&self) -> Option<u64> {
        let pairs = pairs_below(self.cap + 1);
        let gates = self.config.gate.codes(self.start.gate)?;
        pairs.checked_mul(self.turns())?.checked_mul(gates)
    }

    fn encode(&self, state: &Compact) -> u64 {
        let pair = pairs_below(state.backlog()) + u64::from(state.qf);
        let turn = match state.server_moves_next() {
            true => 0,
            false => 1 + u64::from(state.done),
        };
        let gate = match self.config.gate {
            Gate::None => return pair * self.turns() + turn,
            gate => gate.encode(state.expand(&self.config).gate),
        };
        (gate * pairs_below(self.cap + 1) + pair) * self.turns() + turn
    }

    fn decode(&self, code: u64) -> Compact {
        let turns = self.turns();
        let (pair, turn) = (code / turns, code % turns);
        let pairs = pairs_below(self.cap + 1);
        let (gate, pair) = match self.config.gate {
            Gate::None => (0, pair),
            _ => (pair / pairs, pair % pairs),
        };
        let backlog = backlog_of_pair(pair);
        let qf = pair - pairs_below(backlog);
        Compact::new(&State {
            qf,
            qd: backlog - qf,
            done: turn.saturating_sub(1),
            p: qf + turn.saturating_sub(1),
            turn: match turn {
                0 => Turn::Server,
                _ => Turn::Retrier,
            },
            gate: self.config.gate.decode(gate),
        })
    }
}

/// How many pairs of queues have less than `backlog` in both together.
const fn pairs_below(backlog: u64) -> u64 {
    backlog * (backlog + 1) / 2
}

/// The backlog of a pair of queues, when pairs are numbered by their backlog: the largest with no more pairs below it.
fn backlog_of_pair(pair: u64) -> u64 {
    // Exact, but for the last digit of the root.
    let root = ((8 * pair + 1) as f64).sqrt() as u64;
    let near = root.saturating_sub(1) / 2;
    match (pairs_below(near) > pair, pairs_below(near + 1) <= pair) {
        (true, _) => near - 1,
        (_, true) => near + 1,
        _ => near,
    }
}

impl Composition {
    /// Turns that the codes tell apart: the server's, when nothing is done, and the retrier's with what may be done.
    fn turns(&self) -> u64 {
        let done = self.config.s.min(self.cap).max(self.start.done);
        done.saturating_add(2)
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
    composition.examine(&survey(&composition, MOST_BYTES))
}

impl Composition {
    /// Reads the findings off the states reached by this composition, or by a model of the same steps.
    #[must_use]
    pub fn examine<M: Model<State = Compact>>(&self, reached: &Reached<'_, M>) -> Exploration {
        let config = &self.config;
        let complete = reached.is_complete();
        let is_good = |state: &Compact| config.is_good(&state.expand(config));
        let region = Region::general(config, config.most_arrivals());
        let is_closed = region.closure(config) == Closure::Closed;
        let trap_found = is_closed && reached.holds(|s| region.contains(&s.expand(config)));

        // What the run at most arrivals comes to is a witness under any law; under a monotone one the deciding runs have their
        // own say, and this is the other.
        let most = (!config.is_monotone())
            .then(|| deciding_run(config, &self.start, config.most_arrivals()).end);
        let climbs = most.is_some_and(|end| end.is_unbounded());
        let fails = trap_found
            || most.and_then(|end| end.recovers()) == Some(false)
            // Every cycle is a run that repeats itself.
            || reached.has_cycle_through(|state| !is_good(state));
        let quiet_recovers = deciding_run(config, &self.start, 0).end.recovers();
        let recovers_somewhere = quiet_recovers == Some(true) || reached.has_cycle_within(is_good);
        Exploration {
            cap: self.cap,
            climbs,
            states: reached.states(),
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
