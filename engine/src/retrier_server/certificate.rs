//! Certificates: what proves a verdict, in words that can be copied and figures that can be checked.

use super::config::{Config, Service};
use super::decide::{DecidingRun, Drain, End};
use super::explored::{Composition, MAX_CAP};
use super::gate::Gate;
use super::overflow;
use super::state::{State, Turn};
use super::trap::Region;
use super::verdict::{Proof, Verdict, judge};
use crate::explore::explore;
use serde::{Deserialize, Serialize};

/// Most round starts that a certificate lists of one run.
const MOST_LISTED: u64 = 200;

/// Most states of an explored graph that a certificate lists.
const MOST_GRAPH_STATES: usize = 100_000;

/// A verdict and what proves it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    /// The parameters and laws.
    pub config: Config,
    /// The round start judged.
    pub start: State,
    /// The verdict.
    pub verdict: Verdict,
    /// The argument, a sentence or two an entry.
    pub statements: Vec<String>,
    /// The deciding runs, at most arrivals and without any, where the law is monotone.
    pub runs: Vec<RunCertificate>,
    /// The explored graph, where it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<GraphCertificate>,
}

/// The end of one deciding run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunCertificate {
    /// Fresh arrivals in every round.
    pub arrivals: u64,
    /// Whether it ends in `Good` for ever.
    pub recovers: Option<bool>,
    /// What it comes to, in words.
    pub statement: String,
    /// The figures behind the words.
    pub evidence: Evidence,
    /// Where the run also enters the closed region after its end was proved otherwise: that region and the step.
    pub trap: Option<Evidence>,
}

/// The figures of a run's end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "snake_case")]
pub enum Evidence {
    /// A cycle of `Good` states, and how far each earlier round start is from it.
    GoodCycle {
        /// The round from which the run repeats itself.
        round: u64,
        /// The cycle's states, mid-round ones included.
        cycle: Vec<State>,
        /// Round starts with their rounds to `Good` for ever, a ranking that falls by one a round; the first
        /// [`MOST_LISTED`] of them.
        ranking: Vec<Ranked>,
    },
    /// A cycle with a state that is not `Good`.
    OtherCycle {
        /// The round from which the run repeats itself.
        round: u64,
        /// The cycle's states, mid-round ones included.
        cycle: Vec<State>,
        /// Which of them are not `Good`, from 0.
        not_good: Vec<usize>,
    },
    /// A region that no round leaves, and the round that enters it.
    ClosedRegion {
        /// Least `qf` in the region.
        qf_min: String,
        /// Least `qd` in the region, as a multiple of `qf`.
        ratio: u64,
        /// The round that enters it.
        round: u64,
        /// The round start before, outside; `None` if the start lies inside.
        before: Option<State>,
        /// The first round start inside.
        after: State,
    },
    /// Two round starts of which the later dominates the earlier.
    Dominance {
        /// The earlier round.
        from_round: u64,
        /// The earlier round start; not `Good`.
        from: State,
        /// The later round.
        to_round: u64,
        /// The later round start.
        to: State,
    },
    /// A set of round starts, under a gate, that the run does not leave and in which it grows without bound.
    Overflow {
        /// Least `qf` in the set.
        qf_min: String,
        /// Least weight in the set.
        weight_min: String,
        /// The first round inside.
        round: u64,
        /// The first round start inside.
        at: State,
        /// Its weight.
        weight: String,
    },
    /// More capacity than can come in.
    Drains {
        /// The round from which the argument applies.
        round: u64,
        /// That round's start.
        at: State,
    },
    /// Arrivals alone fill the server.
    Saturated {
        /// The round from which the argument applies.
        round: u64,
        /// That round's start; not `Good`.
        at: State,
    },
    /// Nothing was proved.
    Unsettled {
        /// Rounds followed.
        rounds: u64,
    },
}

/// A round start and how far it is from `Good` for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ranked {
    /// The round.
    pub round: u64,
    /// Its start.
    pub state: State,
    /// Rounds until every state is `Good`; 0 once they are.
    pub rounds_to_good: u64,
}

/// Every state that was reached and every step between them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphCertificate {
    /// The cap on the backlog.
    pub cap: u64,
    /// States reached.
    pub count: usize,
    /// Whether no reachable state was beyond the cap.
    pub complete: bool,
    /// The states in breadth-first order, the start first; empty if they are too many to list.
    pub states: Vec<State>,
    /// The numbers of the states that each one steps to.
    pub steps: Vec<Vec<u32>>,
}

/// The certificate of the verdict of the round start `start`; for laws that are not monotone, from an exploration up to
/// a backlog of `cap`.
#[must_use]
pub fn certificate(config: &Config, start: &State, cap: u64) -> Certificate {
    let judgement = judge(config, start, cap);
    let mut certificate = Certificate {
        config: *config,
        start: *start,
        verdict: judgement.verdict,
        statements: Vec::new(),
        runs: Vec::new(),
        graph: None,
    };
    match &judgement.proof {
        Proof::DecidingRuns { most, quiet } => {
            certificate.statements.push(
                "One round is monotone: with more qf, qd or arrivals, neither queue ends lower. So every run lies \
                 between the run without arrivals and the run at most arrivals."
                    .into(),
            );
            certificate
                .statements
                .push(consequence(judgement.verdict).into());
            certificate.runs = [most, quiet]
                .into_iter()
                .map(|run| RunCertificate::new(config, start, run))
                .collect();
        }
        Proof::Explored(explored) => {
            let extent = match explored.complete {
                true => "It is the complete reachable graph.".to_owned(),
                false => format!(
                    "States with a backlog above {}, or beyond the memory allowed, were left out, so it is not complete.",
                    explored.cap
                ),
            };
            certificate.statements.push(format!(
                "This law is not known to be monotone, so every arrival choice was explored: {} states. {extent}",
                explored.states
            ));
            certificate.statements.push(findings(explored));
            certificate.graph = Some(GraphCertificate::new(config, start, cap));
        }
    }
    certificate
}

fn consequence(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Recovers => {
            "The run at most arrivals ends in Good for ever, and every run is below it: stabilization holds."
        }
        Verdict::Orbits => {
            "The run at most arrivals repeats itself outside Good, so stabilization fails, and no run grows beyond \
             it; the run without arrivals recovers."
        }
        Verdict::AtRisk => {
            "The run at most arrivals grows without bound, so stabilization fails; the run without arrivals recovers."
        }
        Verdict::Doomed => {
            "Even the run without arrivals, which every run dominates, does not end in Good: no continuation recovers."
        }
        Verdict::Unknown => "What becomes of one of the two runs was not proved.",
    }
}

fn findings(explored: &super::explored::Exploration) -> String {
    let say = |finding: Option<bool>, yes: &str, no: &str| match finding {
        Some(true) => yes.to_owned(),
        Some(false) => no.to_owned(),
        None => format!("whether {yes} is open"),
    };
    format!(
        "In it {}, and {}.",
        say(
            explored.stabilizes,
            "every cycle is Good, so stabilization holds",
            "some cycle holds a state that is not Good, so stabilization fails"
        ),
        say(
            explored.can_recover,
            "some run ends in Good for ever",
            "no run ends in Good for ever"
        ),
    )
}

impl RunCertificate {
    fn new(config: &Config, start: &State, run: &DecidingRun) -> Self {
        let arrivals = run.arrivals;
        let name = match arrivals {
            0 => "The run without arrivals".to_owned(),
            a => format!("The run with {a} arrivals a round"),
        };
        let (statement, evidence) = match run.end {
            End::Cycle {
                round,
                length,
                good,
                ..
            } => {
                let cycle = states_of_rounds(config, start, arrivals, round - length, length);
                let from = round - length;
                if good {
                    let settled = run.rounds_to_good_throughout().unwrap_or(0);
                    (
                        format!(
                            "{name} repeats itself from round {from} on, every {}: {} states, all of them Good; it is Good for ever from round {settled} on.",
                            rounds(length),
                            cycle.len()
                        ),
                        Evidence::GoodCycle {
                            round: from,
                            cycle,
                            ranking: ranking(config, start, arrivals, settled),
                        },
                    )
                } else {
                    let not_good: Vec<usize> = (0..cycle.len())
                        .filter(|&i| !config.is_good(&cycle[i]))
                        .collect();
                    (
                        format!(
                            "{name} repeats itself from round {from} on, every {}; {} of the cycle's {} states are \
                             not Good (backlog above {}).",
                            rounds(length),
                            not_good.len(),
                            cycle.len(),
                            config.s + config.amax
                        ),
                        Evidence::OtherCycle {
                            round: from,
                            cycle,
                            not_good,
                        },
                    )
                }
            }
            End::Trap { region, round, at } => (
                format!("{name} {}", enters(&region, round, &at)),
                entry(config, start, arrivals, &region, round, at),
            ),
            End::Climb {
                from_round,
                from,
                to_round,
                to,
            } => (
                format!(
                    "{name} stands at ({}, {}) in round {from_round} and at ({}, {}) in round {to_round}, at or above \
                     it in both queues, and the server was busy all the while; so every {} it ends at or above where \
                     it was, and it grows without bound.",
                    from.qf,
                    from.qd,
                    to.qf,
                    to.qd,
                    rounds(to_round - from_round)
                ),
                Evidence::Dominance {
                    from_round,
                    from,
                    to_round,
                    to,
                },
            ),
            End::Overflows {
                overflow,
                round,
                at,
            } => (
                overflow_statement(&name, config, round, &at),
                Evidence::Overflow {
                    qf_min: overflow.qf_min.to_string(),
                    weight_min: overflow.weight_min.to_string(),
                    round,
                    at,
                    weight: overflow::weight(config, &at).to_string(),
                },
            ),
            End::Drains { reason, at, round } => {
                let why = match reason {
                    Drain::BudgetBelowCapacity => format!(
                        "arrivals and budget are {arrivals} + {} < {}, below capacity in every state",
                        config.budget.unwrap_or(0),
                        config.s
                    ),
                    Drain::FreshFirst => format!(
                        "fresh work is served first and {arrivals} < {}: qf empties, then no retry is due, then qd \
                         empties",
                        config.s
                    ),
                    Drain::NothingArrives => format!(
                        "nothing arrives and qf = {} is too small for a retry to be due",
                        at.qf
                    ),
                    Drain::InsideThreshold => format!(
                        "its backlog is below LatThresh + T = {} and {arrivals} < {}: no retry is ever due",
                        config.latency_threshold() + config.t,
                        config.s
                    ),
                };
                (
                    format!(
                        "{name} drains to Good and stays there, for from round {round} on {why}."
                    ),
                    Evidence::Drains { round, at },
                )
            }
            End::Saturated { grows, at, round } => (
                format!(
                    "{name} brings at least the capacity of {} every round, so from round {round} on, at ({}, {}), its \
                     backlog never falls{}.",
                    config.s,
                    at.qf,
                    at.qd,
                    match grows {
                        Some(true) => ", and grows without bound",
                        Some(false) => " and, with no retry due, never grows",
                        None => "",
                    }
                ),
                Evidence::Saturated { round, at },
            ),
            End::Unsettled => (
                format!(
                    "{name} was followed for {} and came to no proved end.",
                    rounds(run.rounds)
                ),
                Evidence::Unsettled { rounds: run.rounds },
            ),
        };
        let region = Region::general(config, arrivals);
        let late = run
            .trap_entry
            .filter(|_| !matches!(run.end, End::Trap { .. }));
        let (statement, trap) = match late {
            None => (statement, None),
            Some((round, at)) => (
                format!("{statement} It also {}", enters(&region, round, &at)),
                Some(entry(config, start, arrivals, &region, round, at)),
            ),
        };
        Self {
            arrivals,
            recovers: run.end.recovers(),
            statement,
            evidence,
            trap,
        }
    }
}

fn overflow_statement(name: &str, config: &Config, round: u64, at: &State) -> String {
    let why = match config.gate {
        Gate::TokenBucket(_) => {
            "the acks of what is served earn tokens faster than the capacity left over serves the retries they pay for"
        }
        Gate::Breaker(_) | Gate::None => {
            "arrivals fill the server, and every probe of the breaker adds to the backlog"
        }
    };
    format!(
        "{name} grows without bound from round {round} on, at ({}, {}): {why}.",
        at.qf, at.qd
    )
}

/// What it means to enter `region` in `round`, at `at`, and why no round leaves it.
fn enters(region: &Region, round: u64, at: &State) -> String {
    format!(
        "enters the region qf ≥ {}, qd ≥ {} × qf in round {round}, at ({}, {}). No round with at most {} arrivals leaves \
         it: there at least {} retries join a round, so the fresh share of the service rounds down to 0 and qd keeps its \
         lead. None of its states is Good.",
        region.qf_min,
        region.ratio,
        at.qf,
        at.qd,
        region.arrivals,
        u128::from(region.ratio) * (u128::from(region.arrivals) + 1),
    )
}

fn entry(
    config: &Config,
    start: &State,
    arrivals: u64,
    region: &Region,
    round: u64,
    after: State,
) -> Evidence {
    let before = round
        .checked_sub(1)
        .map(|before| states_of_rounds(config, start, arrivals, before, 1)[0]);
    Evidence::ClosedRegion {
        qf_min: region.qf_min.to_string(),
        ratio: region.ratio,
        round,
        before,
        after,
    }
}

fn rounds(count: u64) -> String {
    match count {
        1 => "round".to_owned(),
        n => format!("{n} rounds"),
    }
}

/// The states of `length` rounds of the run at `arrivals`, from the start of round `from` on: two a round, the last
/// round's end left out. At most [`MOST_LISTED`] rounds of them.
fn states_of_rounds(
    config: &Config,
    start: &State,
    arrivals: u64,
    from: u64,
    length: u64,
) -> Vec<State> {
    let mut state = *start;
    let mut states = Vec::new();
    for round in 0..from + length.min(MOST_LISTED) {
        let mid = config.retrier(&state, arrivals);
        if round >= from {
            states.extend([state, mid]);
        }
        state = config.server(&mid);
    }
    states
}

fn ranking(config: &Config, start: &State, arrivals: u64, settled: u64) -> Vec<Ranked> {
    let mut state = *start;
    let mut ranked = Vec::new();
    for round in 0..=settled.min(MOST_LISTED) {
        debug_assert!(state.turn == Turn::Retrier);
        ranked.push(Ranked {
            round,
            state,
            rounds_to_good: settled - round,
        });
        state = config.server(&config.retrier(&state, arrivals));
    }
    ranked
}

impl GraphCertificate {
    fn new(config: &Config, start: &State, cap: u64) -> Self {
        let cap = cap.min(MAX_CAP);
        let composition = Composition {
            config: *config,
            start: *start,
            cap,
        };
        let graph = explore(&composition, MOST_GRAPH_STATES + 1);
        let count = graph.states().len();
        let is_listed = count <= MOST_GRAPH_STATES;
        Self {
            cap,
            count,
            complete: graph.is_complete(),
            states: match is_listed {
                true => graph.states().iter().map(|s| s.expand(config)).collect(),
                false => Vec::new(),
            },
            steps: match is_listed {
                true => (0..count).map(|i| graph.successors(i).to_vec()).collect(),
                false => Vec::new(),
            },
        }
    }
}

impl Certificate {
    /// The whole argument as text, to be copied.
    #[must_use]
    pub fn text(&self) -> String {
        let Config { s, amax, t, .. } = self.config;
        let mut laws = String::new();
        if let Some(b) = self.config.budget {
            laws += &format!(", B = {b}");
        }
        if self.config.service == Service::FreshFirst {
            laws += ", fresh-first";
        }
        if self.config.quiet {
            laws += ", quiet";
        }
        if self.config.gate != Gate::None {
            laws += ", with a retry gate";
        }
        if !self.config.fault.is_none() {
            laws += &format!(", {}", self.config.fault.name());
        }
        let mut lines = vec![format!(
            "S = {s}, AMax = {amax}, T = {t}{laws}, from qf = {}, qd = {}: {}.",
            self.start.qf, self.start.qd, self.verdict
        )];
        lines.extend(self.statements.iter().cloned());
        lines.extend(self.runs.iter().map(|run| run.statement.clone()));
        lines.join("\n")
    }
}
