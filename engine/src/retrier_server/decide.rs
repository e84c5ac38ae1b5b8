//! Deciding runs: one run at fixed arrivals, followed until its end is proved.
//!
//! One round is monotone under every law without a memory, so the run at most arrivals dominates every run and the
//! quiet run is dominated by every run (`models.md`, section 1). What becomes of these two decides a start.

use super::config::{Config, MAX_BACKLOG, Service};
use super::gate::Gate;
use super::overflow::Overflow;
use super::state::State;
use super::trap::{Closure, Region};
use serde::{Deserialize, Serialize};

/// Most rounds a deciding run is followed for before it is called unsettled.
pub const MAX_ROUNDS: u64 = 1 << 22;

/// The same for a law that is not monotone, of which steady growth proves nothing: to follow it longer shows hardly more.
const MAX_ROUNDS_WITH_MEMORY: u64 = 1 << 18;

/// After this many rounds the arguments that need no walk are tried: a backlog of 2^31 takes as long to drain.
const SHORTCUT_ROUND: u64 = 1 << 12;

/// A deterministic run at fixed arrivals and what it was proved to come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecidingRun {
    /// Fresh arrivals in every round.
    pub arrivals: u64,
    /// What the run comes to.
    pub end: End,
    /// The first round start inside the trap, where the trap is proved closed and the run was seen to enter it.
    pub trap_entry: Option<(u64, State)>,
    /// The first round from whose end on every round's end was `Good`, as far as the run was followed; 0 is the start.
    ends_good_from: u64,
    /// The same for every state, mid-round included.
    good_from: u64,
    /// Rounds followed.
    pub rounds: u64,
}

/// How a deciding run ends. Round 0 is the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// The run repeats itself for ever.
    Cycle {
        /// A round start on the cycle.
        at: State,
        /// The round of `at`. The cycle may have been entered earlier.
        round: u64,
        /// Rounds in the cycle.
        length: u64,
        /// Whether every state on it, mid-round included, is `Good`.
        good: bool,
    },
    /// The backlog grows without bound. The later round start is at or above the earlier one in both queues, is
    /// larger, and the server worked at full capacity in between; by monotonicity each such period takes in at least
    /// as much as this one and serves no more, so every period adds to the backlog.
    Climb {
        /// The earlier round.
        from_round: u64,
        /// The earlier round start.
        from: State,
        /// The later round.
        to_round: u64,
        /// The later round start.
        to: State,
    },
    /// The run enters a region that no run with these arrivals leaves, and that holds no `Good` state.
    Trap {
        /// The region.
        region: Region,
        /// The first round inside.
        round: u64,
        /// The first round start inside.
        at: State,
    },
    /// The run enters a set of round starts that it does not leave and in which it grows without bound, under a gate.
    Overflows {
        /// The set.
        overflow: Overflow,
        /// The first round inside.
        round: u64,
        /// The first round start inside.
        at: State,
    },
    /// The backlog drains to `Good` and stays there, by an argument that needs no walk to the end.
    Drains {
        /// The argument.
        reason: Drain,
        /// The round start to which it was applied.
        at: State,
        /// The round of `at`.
        round: u64,
    },
    /// Arrivals alone fill the server, so a backlog that is not `Good` never falls.
    Saturated {
        /// Whether it grows without bound: yes if arrivals exceed capacity; no if they equal it and no retry is ever due,
        /// so that the backlog stays what it is; `None` if they equal it and the run was not followed to its end.
        grows: Option<bool>,
        /// The round start to which the argument was applied.
        at: State,
        /// The round of `at`.
        round: u64,
    },
    /// Neither was proved within [`MAX_ROUNDS`] rounds, or fewer under a law that is not monotone, and [`MAX_BACKLOG`]
    /// requests.
    Unsettled,
}

/// Why a backlog is sure to drain. Each leaves the server more capacity than can come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Drain {
    /// Arrivals and budget together are below capacity, in every state: `a + B < S`.
    BudgetBelowCapacity,
    /// Fresh work is served first and arrivals are below capacity: `qf` empties, then the flux is 0, then `qd` empties.
    FreshFirst,
    /// The backlog is too small for a retry to be due even if all of it were fresh, and arrivals are below capacity.
    InsideThreshold,
    /// Nothing arrives, so `qf` never grows, and it is too small for a retry to be due.
    NothingArrives,
}

impl DecidingRun {
    /// Rounds until `Good`: from the end of that round on every round ends in `Good`, 0 being the start. `None` where the
    /// run does not recover, or was proved to without walking so far.
    #[must_use]
    pub fn rounds_to_good(&self) -> Option<u64> {
        self.walked_to_good().then_some(self.ends_good_from)
    }

    /// Rounds until `<>[]Good` comes true: as [`DecidingRun::rounds_to_good`], with mid-round states counted too, where
    /// the backlog stands higher.
    #[must_use]
    pub fn rounds_to_good_throughout(&self) -> Option<u64> {
        self.walked_to_good().then_some(self.good_from)
    }

    fn walked_to_good(&self) -> bool {
        matches!(self.end, End::Cycle { good: true, .. })
    }
}

impl End {
    /// Whether the run ends in `Good` for ever; `None` if unsettled.
    #[must_use]
    pub fn recovers(&self) -> Option<bool> {
        match self {
            End::Cycle { good, .. } => Some(*good),
            End::Drains { .. } => Some(true),
            End::Climb { .. }
            | End::Trap { .. }
            | End::Overflows { .. }
            | End::Saturated { .. } => Some(false),
            End::Unsettled => None,
        }
    }

    /// Whether the run was proved to grow without bound. The trap of a run without arrivals holds it without growth.
    #[must_use]
    pub fn is_unbounded(&self) -> bool {
        match self {
            End::Climb { .. } | End::Overflows { .. } => true,
            End::Trap { region, .. } => region.arrivals > 0,
            End::Saturated { grows, .. } => *grows == Some(true),
            End::Cycle { .. } | End::Drains { .. } | End::Unsettled => false,
        }
    }
}

/// The end of the run through `at`, where an argument gives it without a walk.
fn shortcut(config: &Config, arrivals: u64, at: State, round: u64) -> Option<End> {
    if !config.fault.is_none() {
        // The arguments rest on both contracts.
        return None;
    }
    let never_due = |qf: u64| qf < config.latency_threshold() + config.t;
    if arrivals >= config.s {
        let grows = if arrivals > config.s {
            Some(true)
        } else if config.budget == Some(0) || never_due(at.backlog()) {
            Some(false)
        } else {
            None
        };
        return (!config.is_good(&at)).then_some(End::Saturated { grows, at, round });
    }
    let reason = if config.budget.is_some_and(|b| arrivals + b < config.s) {
        Drain::BudgetBelowCapacity
    } else if config.service == Service::FreshFirst {
        Drain::FreshFirst
    } else if never_due(at.backlog()) {
        Drain::InsideThreshold
    } else if arrivals == 0 && never_due(at.qf) {
        Drain::NothingArrives
    } else {
        return None;
    };
    Some(End::Drains { reason, at, round })
}

/// Follows the run from the round start `start` at `arrivals` a round until its end is proved.
///
/// Cycles are found by Brent's method, so memory is constant. Under a law with a memory only cycles, and the drain
/// arguments, are proofs; the rest needs monotonicity.
#[must_use]
pub fn deciding_run(config: &Config, start: &State, arrivals: u64) -> DecidingRun {
    follow(config, start, arrivals, Walk::Whole)
}

/// How a run ends, proved by the first argument that applies: what [`deciding_run`] says of recovery and of growth, and
/// nothing of how far the run is from there.
#[must_use]
pub(super) fn quick_end(config: &Config, start: &State, arrivals: u64) -> End {
    follow(config, start, arrivals, Walk::Shortest).end
}

/// How far a run is followed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Walk {
    /// To the cycle that it ends in, or into the trap if it comes to that, so that both can be shown.
    Whole,
    /// No farther than until its end is proved.
    Shortest,
}

fn follow(config: &Config, start: &State, arrivals: u64, walk: Walk) -> DecidingRun {
    let trap = Region::general(config, arrivals);
    let trap = (trap.closure(config) == Closure::Closed).then_some(trap);
    let mut run = DecidingRun {
        arrivals,
        end: End::Unsettled,
        trap_entry: None,
        ends_good_from: u64::from(!config.is_good(start)),
        good_from: u64::from(!config.is_good(start)),
        rounds: 0,
    };
    let overflow = Overflow::of(config, arrivals);
    let most_rounds = match config.is_monotone() {
        true => MAX_ROUNDS,
        false => MAX_ROUNDS_WITH_MEMORY,
    };
    let mut state = *start;

    // The checkpoint that later states are held against, and what happened since.
    let mut checkpoint = state;
    let mut checkpoint_round = 0;
    let mut window = 1;
    let mut good_since = true;
    let mut full_since = true;

    loop {
        if let Some(region) = trap.filter(|trap| trap.contains(&state)) {
            run.trap_entry = Some((run.rounds, state));
            if run.end == End::Unsettled {
                run.end = End::Trap {
                    region,
                    round: run.rounds,
                    at: state,
                };
            }
            return run;
        }
        if let Some(overflow) = overflow.filter(|set| set.contains(config, &state)) {
            run.end = End::Overflows {
                overflow,
                round: run.rounds,
                at: state,
            };
            return run;
        }
        let is_last = run.rounds == most_rounds || state.backlog() > MAX_BACKLOG;
        let is_tried = walk == Walk::Shortest || is_last || run.rounds == SHORTCUT_ROUND;
        if is_tried && run.end == End::Unsettled {
            let end = shortcut(config, arrivals, state, run.rounds);
            // A half answer is kept for the last.
            let is_whole = !matches!(end, Some(End::Saturated { grows: None, .. }));
            if let Some(end) = end.filter(|_| is_last || is_whole) {
                run.end = end;
                return run;
            }
        }
        if is_last {
            return run;
        }

        let mid = config.retrier(&state, arrivals);
        state = config.server(&mid);
        run.rounds += 1;
        let (mid_good, end_good) = (config.is_good(&mid), config.is_good(&state));
        if !end_good {
            run.ends_good_from = run.rounds + 1;
            run.good_from = run.rounds + 1;
        } else if !mid_good {
            run.good_from = run.rounds;
        }
        good_since &= mid_good && end_good;
        full_since &= mid.backlog() >= config.s;

        // Acks in transit matter to what earns tokens by them, and to nothing else.
        let repeats = match config.gate {
            Gate::TokenBucket(_) => state == checkpoint,
            Gate::None | Gate::Breaker(_) => {
                (state.qf, state.qd, state.gate) == (checkpoint.qf, checkpoint.qd, checkpoint.gate)
            }
        };
        if repeats && run.end == End::Unsettled {
            run.end = End::Cycle {
                at: state,
                round: run.rounds,
                length: run.rounds - checkpoint_round,
                good: good_since,
            };
            return run;
        }
        let dominates = state.qf >= checkpoint.qf && state.qd >= checkpoint.qd;
        if dominates && full_since && config.is_monotone() && run.end == End::Unsettled {
            run.end = End::Climb {
                from_round: checkpoint_round,
                from: checkpoint,
                to_round: run.rounds,
                to: state,
            };
            // It climbs for ever; it is followed on only to see whether it enters the trap.
            if trap.is_none() || walk == Walk::Shortest {
                return run;
            }
        }
        if run.rounds - checkpoint_round == window {
            checkpoint = state;
            checkpoint_round = run.rounds;
            window *= 2;
            good_since = true;
            full_since = true;
        }
    }
}
