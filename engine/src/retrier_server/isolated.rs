//! Isolated checking: each component alone against a stub of its partner, the modular half of the argument.
//!
//! The retrier meets any server that serves `min(S, qf + qd)`, split any way, and acks what it served fresh. The
//! server meets any client within its rely. What is checked, over every step that can be taken, is what the
//! component owes: its own guarantees, and the steps that its partner relies on.

use super::config::{Config, Service};
use super::contracts::{Clause, Component, Moment, Round, Standing};
use super::run::Step;
use super::state::{State, Turn};
use crate::explore::{Graph, Model, explore};
use serde::{Deserialize, Serialize};

/// The cap on the backlog where none is given.
pub const DEFAULT_ISOLATED_CAP: u64 = 60;

/// Largest cap on the backlog of an isolated check.
pub const MAX_ISOLATED_CAP: u64 = 2_000;

/// Most states of an isolated check.
const MOST_STATES: usize = 200_000;

/// Most steps at which a clause is judged.
const MOST_STEPS: usize = 16 * MOST_STATES;

/// A component alone, against its partner's stub.
#[derive(Clone, Copy, Debug)]
pub struct Alone {
    config: Config,
    component: Component,
    q0: u64,
    cap: u64,
}

/// What an isolated check found of one clause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The clause.
    pub clause: Clause,
    /// Steps at which it was owed and kept.
    pub kept: usize,
    /// Steps at which its condition was false.
    pub vacuous: usize,
    /// A shortest run to a step that breaks it.
    pub violation: Option<Vec<State>>,
}

/// An isolated check of a component.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IsolatedCheck {
    /// The component.
    pub component: Component,
    /// States reached.
    pub states: usize,
    /// Whether every reachable state was explored.
    pub complete: bool,
    /// The cap on the backlog.
    pub cap: u64,
    /// What it owes.
    pub findings: Vec<Finding>,
}

impl IsolatedCheck {
    /// Whether every clause was kept at every step explored.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.findings.iter().all(|f| f.violation.is_none())
    }
}

impl Model for Alone {
    type State = State;
    type Action = ();

    fn initial(&self, each: &mut impl FnMut(State)) {
        let config = &self.config;
        match (self.component, config.service) {
            (Component::Server, Service::Proportional) => {
                // Its guarantee is about the basin: every start inside.
                let threshold = config.latency_threshold().min(self.cap);
                for qf in 0..=threshold {
                    for qd in 0..=threshold - qf {
                        each(config.start(qf, qd));
                    }
                }
            }
            _ => each(config.start(self.q0, 0)),
        }
    }

    fn steps(&self, state: &State, each: &mut impl FnMut((), State)) {
        let config = &self.config;
        match (self.component, state.turn) {
            (Component::Server, Turn::Server) => each((), config.server(state)),
            (Component::Server, Turn::Retrier) => {
                // Any client within the rely. The ledger is the client's own and left at its exact value.
                let retries = state.qf.saturating_sub(config.latency_threshold()) / config.t;
                'arrivals: for arrivals in 0..=config.most_arrivals().min(config.s) {
                    for retry in 0..=retries {
                        let qf = state.qf + arrivals;
                        let next = State {
                            qf,
                            qd: state.qd + retry,
                            done: 0,
                            p: qf,
                            turn: Turn::Server,
                            gate: state.gate,
                        };
                        each((), next);
                        if !self.admits(&next) {
                            match retry {
                                0 => break 'arrivals,
                                _ => break,
                            }
                        }
                    }
                }
            }
            (_, Turn::Retrier) => {
                for arrivals in 0..=config.most_arrivals() {
                    let next = config.retrier(state, arrivals);
                    each((), next);
                    if !self.admits(&next) {
                        break;
                    }
                }
            }
            (_, Turn::Server) => {
                let served = config.s.min(state.backlog());
                for fresh in served.saturating_sub(state.qd)..=served.min(state.qf) {
                    each(
                        (),
                        State {
                            qf: state.qf - fresh,
                            qd: state.qd - (served - fresh),
                            done: fresh,
                            turn: Turn::Retrier,
                            ..*state
                        },
                    );
                }
            }
        }
    }

    fn admits(&self, state: &State) -> bool {
        state.backlog() <= self.cap
    }
}

impl Alone {
    /// The retrier, with `q0` fresh requests queued and pending at its start, explored up to a backlog of `cap`. Its stub
    /// may serve nothing fresh for ever, so without a budget no cap makes this complete while requests can arrive.
    #[must_use]
    pub fn retrier(config: &Config, q0: u64, cap: u64) -> Self {
        Self {
            config: *config,
            component: Component::Retrier,
            q0,
            cap: cap.min(MAX_ISOLATED_CAP),
        }
    }

    /// The server: from every start inside the basin, or under fresh-first, whose guarantee has no condition, from a
    /// fresh queue of `q0`.
    #[must_use]
    pub fn server(config: &Config, q0: u64, cap: u64) -> Self {
        let cap = match config.service {
            // The basin and what one round adds to it.
            Service::Proportional => config.latency_threshold() + config.s,
            Service::FreshFirst => cap,
        };
        Self {
            config: *config,
            component: Component::Server,
            q0,
            cap: cap.min(MAX_ISOLATED_CAP),
        }
    }

    /// What the component owes: its guarantees, and what its partner relies on.
    pub fn owes(&self) -> impl Iterator<Item = Clause> + use<> {
        let component = self.component;
        Clause::ALL
            .into_iter()
            .filter(move |clause| clause.owed_by() == component)
    }

    /// Explores the component and checks what it owes at every step.
    #[must_use]
    pub fn check(&self) -> IsolatedCheck {
        let graph = explore(self, MOST_STATES);
        IsolatedCheck {
            component: self.component,
            states: graph.states().len(),
            complete: graph.is_complete() && self.has_every_start(),
            cap: self.cap,
            findings: self
                .owes()
                .map(|clause| self.find(&graph, clause))
                .collect(),
        }
    }

    /// Whether the cap left room for every start.
    fn has_every_start(&self) -> bool {
        match (self.component, self.config.service) {
            (Component::Server, Service::Proportional) => {
                self.config.latency_threshold() <= self.cap
            }
            _ => true,
        }
    }

    fn find(&self, graph: &Graph<State>, clause: Clause) -> Finding {
        let mut finding = Finding {
            clause,
            kept: 0,
            vacuous: 0,
            violation: None,
        };
        let mut steps = 0;
        for (i, state) in graph.states().iter().enumerate() {
            if steps > MOST_STEPS {
                // As many as the exploration takes, which is then not complete.
                break;
            }
            self.steps(state, &mut |(), next| {
                steps += 1;
                match self.moment(state, &next).standing(clause) {
                    None => {}
                    Some(Standing::Vacuous) => finding.vacuous += 1,
                    Some(Standing::Holds) => finding.kept += 1,
                    Some(Standing::Violated) if finding.violation.is_some() => {}
                    Some(Standing::Violated) => {
                        let path = graph.path_to(i).into_iter();
                        let mut run: Vec<_> = path.map(|i| graph.states()[i]).collect();
                        run.push(next);
                        finding.violation = Some(run);
                    }
                }
            });
        }
        finding
    }

    fn moment(&self, before: &State, after: &State) -> Moment {
        let step = match before.turn {
            Turn::Retrier => Step::Retrier {
                arrivals: after.qf - before.qf,
                flux: after.qd - before.qd,
            },
            Turn::Server => Step::Server {
                fresh: before.qf - after.qf,
                duplicates: before.qd - after.qd,
            },
        };
        Moment {
            config: self.config,
            before: *before,
            step,
            after: *after,
            // A server alone starts each round inside the basin, until a violation is found, and its client keeps
            // within the rely: the empty round stands for all of them.
            round: Round::default(),
        }
    }
}
