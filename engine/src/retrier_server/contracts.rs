//! Contracts: what each component relies on and guarantees, judged at every step of a run.
//!
//! The clauses are the document's. In the storm none of them is violated: the promises that carry an "if" become
//! vacuous. A budget takes the "if" from the retrier's guarantee, fresh-first from the server's.

use super::config::{Config, Service};
use super::run::{Point, Run, Step};
use super::state::State;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A part of the composed system, and what is outside of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Component {
    /// The client side.
    Retrier,
    /// The server side.
    Server,
    /// Whoever sends fresh requests: no component.
    Demand,
}

impl Component {
    /// What it is called in words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Component::Retrier => "retrier",
            Component::Server => "server",
            Component::Demand => "demand",
        }
    }
}

/// The two sides of a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// What the component needs of its partner.
    Rely,
    /// What it promises while it gets that.
    Guarantee,
}

/// One clause of a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Clause {
    /// Retrier's rely: the server serves `min(S, qf + qd)`.
    Service,
    /// Retrier's rely: the server acks exactly the fresh requests that it served.
    Acks,
    /// Retrier's guarantee, `PAcct`: `p = qf + done`.
    Accounting,
    /// Retrier's guarantee: no retries while `qf <= LatThresh`; with a budget at most `B`, in every state.
    Retries,
    /// Retrier's guarantee: a turn adds at most `AMax + flux` to the queues, the flux in its `qf` form.
    Growth,
    /// Server's rely: fresh arrivals are at most `AMax`, and that is at most `S`.
    Arrivals,
    /// Server's rely: retries are at most `floor(max(0, qf - LatThresh) / T)`.
    Flux,
    /// Server's guarantee: a round start with `qf + qd <= LatThresh` stays so; under fresh-first, that fresh work never
    /// waits for duplicates, in every state.
    Basin,
}

impl Clause {
    /// Every clause: the retrier's, then the server's.
    pub const ALL: [Clause; 8] = [
        Clause::Service,
        Clause::Acks,
        Clause::Accounting,
        Clause::Retries,
        Clause::Growth,
        Clause::Arrivals,
        Clause::Flux,
        Clause::Basin,
    ];

    /// Whose contract the clause is in.
    #[must_use]
    pub const fn owner(self) -> Component {
        match self {
            Clause::Service
            | Clause::Acks
            | Clause::Accounting
            | Clause::Retries
            | Clause::Growth => Component::Retrier,
            Clause::Arrivals | Clause::Flux | Clause::Basin => Component::Server,
        }
    }

    /// Which side of that contract it is on.
    #[must_use]
    pub const fn side(self) -> Side {
        match self {
            Clause::Service | Clause::Acks | Clause::Arrivals | Clause::Flux => Side::Rely,
            Clause::Accounting | Clause::Retries | Clause::Growth | Clause::Basin => {
                Side::Guarantee
            }
        }
    }

    /// Who has to keep it: the owner for a guarantee, the partner for a rely.
    #[must_use]
    pub const fn owed_by(self) -> Component {
        match self {
            Clause::Service | Clause::Acks | Clause::Basin => Component::Server,
            Clause::Accounting | Clause::Retries | Clause::Growth | Clause::Flux => {
                Component::Retrier
            }
            Clause::Arrivals => Component::Demand,
        }
    }

    /// A few words to know it by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Clause::Service => "full service",
            Clause::Acks => "acks",
            Clause::Accounting => "accounting",
            Clause::Retries => "retries",
            Clause::Growth => "growth",
            Clause::Arrivals => "arrivals",
            Clause::Flux => "flux",
            Clause::Basin => "basin",
        }
    }

    /// The condition under which the clause says anything: its "if". `None` if it holds in every state.
    #[must_use]
    pub fn condition(self, config: &Config) -> Option<String> {
        let threshold = config.latency_threshold();
        match self {
            Clause::Retries if config.budget.is_none() => Some(format!("qf ≤ {threshold}")),
            Clause::Basin if config.service == Service::Proportional => Some(format!(
                "qf + qd ≤ {threshold} at the round's start, and the rely is met"
            )),
            _ => None,
        }
    }

    /// The clause in words, under `config`, its condition included.
    #[must_use]
    pub fn statement(self, config: &Config) -> String {
        let Config { s, amax, t, .. } = *config;
        let threshold = config.latency_threshold();
        match self {
            Clause::Service => format!("The server serves min({s}, qf + qd) requests a round."),
            Clause::Acks => "Every fresh request served is acked: done = fresh served.".into(),
            Clause::Accounting => "The ledger is exact: p = qf + done.".into(),
            Clause::Retries => match config.budget {
                None => format!("While qf ≤ {threshold} it sends no retries."),
                Some(b) => format!("It sends at most {b} retries a round, in every state."),
            },
            Clause::Growth => match config.budget {
                None => format!(
                    "A turn adds at most {amax} + floor(max(0, qf − {threshold}) / {t}) requests."
                ),
                Some(b) => format!(
                    "A turn adds at most {amax} + min({b}, floor(max(0, qf − {threshold}) / {t})) requests."
                ),
            },
            Clause::Arrivals => {
                format!("At most {amax} fresh requests arrive a round, and {amax} ≤ {s}.")
            }
            Clause::Flux => {
                format!("At most floor(max(0, qf − {threshold}) / {t}) retries come a round.")
            }
            Clause::Basin => match config.service {
                Service::Proportional => {
                    format!("A round that starts with qf + qd ≤ {threshold} ends so.")
                }
                Service::FreshFirst => format!(
                    "min({s}, qf) fresh requests are served a round, whatever qd is, in every state."
                ),
            },
        }
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a clause stands at a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It is kept.
    Holds,
    /// Its condition is false, so it promises nothing.
    Vacuous,
    /// It is broken.
    Violated,
}

impl Standing {
    /// What it is called in words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Standing::Holds => "holds",
            Standing::Vacuous => "vacuous",
            Standing::Violated => "violated",
        }
    }

    fn of(promised: bool, kept: bool) -> Self {
        match (promised, kept) {
            (false, _) => Standing::Vacuous,
            (true, true) => Standing::Holds,
            (true, false) => Standing::Violated,
        }
    }
}

/// The clauses at one step, in the order of [`Clause::ALL`]; `None` for those that are not about this step.
pub type Standings = [Option<Standing>; Clause::ALL.len()];

/// The standing of `side` of `component`'s contract: its worst clause's, `None` if the step has none of them.
#[must_use]
pub fn standing_of(standings: &Standings, component: Component, side: Side) -> Option<Standing> {
    let mut worst = None;
    for (clause, &standing) in Clause::ALL.iter().zip(standings) {
        if clause.owner() != component || clause.side() != side {
            continue;
        }
        worst = match (worst, standing) {
            (Some(Standing::Violated), _) | (_, Some(Standing::Violated)) => {
                Some(Standing::Violated)
            }
            (Some(Standing::Vacuous), _) | (_, Some(Standing::Vacuous)) => Some(Standing::Vacuous),
            (standing, other) => standing.or(other),
        };
    }
    worst
}

/// The contracts judged at every step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger {
    steps: Vec<Standings>,
}

/// A violated clause, where, and by whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The point of the run whose step broke it.
    pub point: usize,
    /// The clause.
    pub clause: Clause,
}

impl Ledger {
    /// Judges every step of `run`.
    #[must_use]
    pub fn of(run: &Run) -> Self {
        let points = run.points();
        let steps = (0..points.len())
            .map(|i| Moment::at(points, i).map_or_else(Standings::default, |m| m.standings()))
            .collect();
        Self { steps }
    }

    /// The standings at each point of the run, as they are numbered in [`Run::points`].
    #[must_use]
    pub fn steps(&self) -> &[Standings] {
        &self.steps
    }

    /// The violated clauses, in the order of the run.
    pub fn violations(&self) -> impl Iterator<Item = Violation> + '_ {
        self.steps.iter().enumerate().flat_map(|(point, step)| {
            Clause::ALL
                .into_iter()
                .zip(step)
                .filter(|(_, standing)| **standing == Some(Standing::Violated))
                .map(move |(clause, _)| Violation { point, clause })
        })
    }
}

/// The present values behind `clause` at point `index` of `run`, in words; `None` if the clause is not about that step.
#[must_use]
pub fn values(run: &Run, index: usize, clause: Clause) -> Option<String> {
    Moment::at(run.points(), index)?.values(clause)
}

/// A step together with what its clauses are judged on.
pub(super) struct Moment {
    /// The laws in force.
    pub config: Config,
    /// The state before the step.
    pub before: State,
    /// The step.
    pub step: Step,
    /// The state after it.
    pub after: State,
    /// The step's round so far, for the server's step.
    pub round: Round,
}

/// A round up to its server's step.
#[derive(Clone, Copy, Default)]
pub(super) struct Round {
    /// The state at its start.
    pub start: State,
    /// The fresh arrivals of its retrier's step.
    pub arrivals: u64,
    /// The retries of its retrier's step.
    pub retries: u64,
}

impl Moment {
    fn at(points: &[Point], index: usize) -> Option<Self> {
        let point = points.get(index)?;
        let round = match point.step {
            Step::Server { .. } => {
                let Step::Retrier { arrivals, flux } = points[index - 1].step else {
                    unreachable!("the server moves after the retrier");
                };
                Round {
                    start: points[index - 2].state,
                    arrivals,
                    retries: flux,
                }
            }
            Step::Start | Step::Shock | Step::Retrier { .. } => Round::default(),
        };
        Some(Self {
            config: point.config,
            before: points[index.saturating_sub(1)].state,
            step: point.step,
            after: point.state,
            round,
        })
    }

    /// The flux that the server counts on: `floor(max(0, qf - LatThresh) / T)`.
    fn lawful_flux(config: &Config, qf: u64) -> u64 {
        qf.saturating_sub(config.latency_threshold()) / config.t
    }

    /// The same as the retrier promises it: within its budget.
    fn promised_flux(config: &Config, qf: u64) -> u64 {
        let flux = Self::lawful_flux(config, qf);
        config.budget.map_or(flux, |b| flux.min(b))
    }

    /// How `clause` stands at the step; `None` if it is not about such a step.
    pub(super) fn standing(&self, clause: Clause) -> Option<Standing> {
        let Self {
            config,
            before,
            after,
            round,
            ..
        } = self;
        let threshold = config.latency_threshold();
        match (clause, self.step) {
            (Clause::Accounting, _) => Some(Standing::of(true, after.ledger_is_exact())),
            (Clause::Retries, Step::Retrier { flux, .. }) => Some(match config.budget {
                None => Standing::of(before.qf <= threshold, flux == 0),
                Some(b) => Standing::of(true, flux <= b),
            }),
            (Clause::Growth, Step::Retrier { .. }) => {
                let grown = after.backlog() - before.backlog();
                let most = config.amax + Self::promised_flux(config, before.qf);
                Some(Standing::of(true, grown <= most))
            }
            (Clause::Arrivals, Step::Retrier { arrivals, .. }) => Some(Standing::of(
                true,
                arrivals <= config.amax && config.amax <= config.s,
            )),
            (Clause::Flux, Step::Retrier { flux, .. }) => Some(Standing::of(
                true,
                flux <= Self::lawful_flux(config, before.qf),
            )),
            (Clause::Service, Step::Server { fresh, duplicates }) => Some(Standing::of(
                true,
                fresh + duplicates == config.s.min(before.backlog()),
            )),
            (Clause::Acks, Step::Server { fresh, .. }) => {
                Some(Standing::of(true, after.done == fresh))
            }
            (Clause::Basin, Step::Server { fresh, .. }) => Some(match config.service {
                Service::Proportional => {
                    let promised = round.start.backlog() <= threshold
                        && config.amax <= config.s
                        && round.arrivals <= config.amax
                        && round.retries <= Self::lawful_flux(config, round.start.qf);
                    Standing::of(promised, after.backlog() <= threshold)
                }
                Service::FreshFirst => Standing::of(true, fresh == config.s.min(before.qf)),
            }),
            _ => None,
        }
    }

    fn standings(&self) -> Standings {
        Clause::ALL.map(|clause| self.standing(clause))
    }

    fn values(&self, clause: Clause) -> Option<String> {
        self.standing(clause)?;
        let Self {
            config,
            before,
            after,
            round,
            ..
        } = self;
        let threshold = config.latency_threshold();
        let against = |value: u64| match value <= threshold {
            true => format!("{value} ≤ {threshold}"),
            false => format!("{value} > {threshold}"),
        };
        Some(match (clause, self.step) {
            (Clause::Accounting, _) => {
                format!("p = {}, qf + done = {}", after.p, after.qf + after.done)
            }
            (Clause::Retries, Step::Retrier { flux, .. }) => match config.budget {
                None => format!("qf = {}, retries sent {flux}", against(before.qf)),
                Some(b) => format!("retries sent {flux}, budget {b}"),
            },
            (Clause::Growth, Step::Retrier { .. }) => format!(
                "grew by {}, at most {} + {}",
                after.backlog() - before.backlog(),
                config.amax,
                Self::promised_flux(config, before.qf),
            ),
            (Clause::Arrivals, Step::Retrier { arrivals, .. }) => {
                format!("arrivals {arrivals}, AMax {}, S {}", config.amax, config.s)
            }
            (Clause::Flux, Step::Retrier { flux, .. }) => format!(
                "retries {flux}, at most {}",
                Self::lawful_flux(config, before.qf)
            ),
            (Clause::Service, Step::Server { fresh, duplicates }) => format!(
                "served {}, min({}, {}) = {}",
                fresh + duplicates,
                config.s,
                before.backlog(),
                config.s.min(before.backlog()),
            ),
            (Clause::Acks, Step::Server { fresh, .. }) => {
                format!("done = {}, fresh served {fresh}", after.done)
            }
            (Clause::Basin, Step::Server { fresh, .. }) => match config.service {
                Service::Proportional => format!(
                    "qf + qd = {} at the round's start, {} at its end",
                    against(round.start.backlog()),
                    after.backlog(),
                ),
                Service::FreshFirst => format!(
                    "fresh served {fresh}, min({}, {}) = {}",
                    config.s,
                    before.qf,
                    config.s.min(before.qf)
                ),
            },
            _ => unreachable!("a clause with a standing has values"),
        })
    }
}
