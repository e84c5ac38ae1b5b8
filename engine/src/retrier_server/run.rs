//! Runs: the model played round by round, with arrivals of a chosen kind and changes at chosen rounds.

use super::config::{Config, MAX_BACKLOG, MAX_PARAMETER, Service};
use super::gate::Gate;
use super::state::State;
use crate::FieldError;
use crate::query::quoted;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Most rounds in a run.
pub const MAX_RUN_ROUNDS: u64 = 100_000;

/// Most changes that a plan schedules.
pub const MAX_EVENTS: usize = 100;

/// Fresh arrivals, round by round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arrivals {
    /// `AMax` every round.
    #[default]
    Max,
    /// None.
    Zero,
    /// Uniform in `0..=AMax`, from a seed: the same seed gives the same arrivals everywhere.
    Random(u64),
    /// One entry a round, each within `0..=AMax`.
    List(Vec<u64>),
}

impl Arrivals {
    /// Checks that a list has an entry for each of `rounds` rounds, and that none is above `amax`.
    ///
    /// # Errors
    /// Names the entry and the range, or the length that is missing.
    pub fn validate(&self, amax: u64, rounds: u64) -> Result<(), FieldError> {
        if let Arrivals::List(list) = self {
            for (i, &arrivals) in list.iter().enumerate() {
                let field = format!("arrivals[{i}]");
                FieldError::check_range(&field, arrivals, 0, amax)?;
            }
            if (list.len() as u64) < rounds {
                return Err(FieldError::new(
                    "arrivals",
                    format!("a list of {}", list.len()),
                    format!("a list with an entry for each of the {} rounds", rounds),
                ));
            }
        }
        Ok(())
    }
}

impl FromStr for Arrivals {
    type Err = FieldError;

    /// Reads `max`, `zero`, `random:SEED` or a list such as `0,2,1`.
    fn from_str(text: &str) -> Result<Self, FieldError> {
        let wrong = || {
            FieldError::new(
                "arrivals",
                quoted(text),
                "max, zero, random:SEED, or whole numbers separated by commas",
            )
        };
        match text.trim() {
            "max" => Ok(Arrivals::Max),
            "zero" => Ok(Arrivals::Zero),
            other => match other.strip_prefix("random:") {
                Some(seed) => seed.parse().map(Arrivals::Random).map_err(|_| {
                    FieldError::new(
                        "arrivals seed",
                        quoted(seed),
                        format!("from 0 to {}", u64::MAX),
                    )
                }),
                None => other
                    .split(',')
                    .map(|entry| entry.trim().parse().map_err(|_| wrong()))
                    .collect::<Result<_, _>>()
                    .map(Arrivals::List),
            },
        }
    }
}

impl fmt::Display for Arrivals {
    /// Writes what [`FromStr`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Arrivals::Max => f.write_str("max"),
            Arrivals::Zero => f.write_str("zero"),
            Arrivals::Random(seed) => write!(f, "random:{seed}"),
            Arrivals::List(list) => {
                let entries: Vec<String> = list.iter().map(u64::to_string).collect();
                f.write_str(&entries.join(","))
            }
        }
    }
}

/// A change at the beginning of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Event {
    /// The round it begins, from 1.
    pub round: u64,
    /// What changes.
    pub change: Change,
}

/// What can change in mid-run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// A shock: so many fresh requests join `qf` and `p` at once.
    Shock(u64),
    /// The retry budget, or none.
    Budget(Option<u64>),
    /// The server's split.
    Service(Service),
    /// Whether arrivals stop.
    Quiet(bool),
    /// The retry law's gate.
    Gate(Gate),
}

/// Everything that a run is computed from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Plan {
    /// Parameters and laws at the start.
    pub config: Config,
    /// `Q0`: fresh requests queued and pending at the start, 0 to [`MAX_PARAMETER`].
    pub q0: u64,
    /// Duplicates queued at the start, 0 to [`MAX_PARAMETER`].
    #[serde(default)]
    pub qd0: u64,
    /// Fresh arrivals.
    #[serde(default)]
    pub arrivals: Arrivals,
    /// Rounds to play, 0 to [`MAX_RUN_ROUNDS`].
    pub rounds: u64,
    /// Changes, in any order; those of one round apply in the order given.
    #[serde(default)]
    pub events: Vec<Event>,
}

/// What made a point of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing: the start.
    Start,
    /// A shock between two rounds.
    Shock,
    /// The retrier's step.
    Retrier {
        /// Fresh requests that arrived.
        arrivals: u64,
        /// Duplicates that it sent.
        flux: u64,
    },
    /// The server's step.
    Server {
        /// Fresh requests served.
        fresh: u64,
        /// Duplicates served: waste.
        duplicates: u64,
    },
}

/// One state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// The round in which the state was made; 0 for the start.
    pub round: u64,
    /// The state.
    pub state: State,
    /// The step that made it.
    pub step: Step,
    /// The laws in force when it was made.
    pub config: Config,
}

impl Point {
    /// Duplicates put in by the step that made this state.
    #[must_use]
    pub fn flux(&self) -> u64 {
        match self.step {
            Step::Retrier { flux, .. } => flux,
            _ => 0,
        }
    }
}

/// A run, computed whole: the plan and its states, the start first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    points: Vec<Point>,
    round_starts: Vec<usize>,
    outgrew: bool,
}

impl Plan {
    /// A run of `rounds` rounds from `q0` at most arrivals, without changes.
    #[must_use]
    pub fn new(config: Config, q0: u64, rounds: u64) -> Self {
        Self {
            config,
            q0,
            qd0: 0,
            arrivals: Arrivals::Max,
            rounds,
            events: Vec::new(),
        }
    }

    /// Checks every part of the plan.
    ///
    /// # Errors
    /// Names the first part out of range, its value and the range.
    pub fn validate(&self) -> Result<(), FieldError> {
        self.config.validate()?;
        FieldError::check_range("q0", self.q0, 0, MAX_PARAMETER)?;
        FieldError::check_range("qd", self.qd0, 0, MAX_PARAMETER)?;
        FieldError::check_range("rounds", self.rounds, 0, MAX_RUN_ROUNDS)?;
        self.arrivals.validate(self.config.amax, self.rounds)?;
        FieldError::check_range("number of changes", self.events.len(), 0, MAX_EVENTS)?;
        for event in &self.events {
            FieldError::check_range("event round", event.round, 1, self.rounds.max(1))?;
            match event.change {
                Change::Shock(size) => FieldError::check_range("shock", size, 0, MAX_PARAMETER)?,
                Change::Budget(Some(b)) => FieldError::check_range("budget", b, 0, MAX_PARAMETER)?,
                Change::Gate(gate) => gate.validate()?,
                Change::Budget(None) | Change::Service(_) | Change::Quiet(_) => {}
            }
        }
        Ok(())
    }

    /// Plays the plan.
    ///
    /// # Errors
    /// Names the first part of the plan that is out of range.
    pub fn play(&self) -> Result<Run, FieldError> {
        self.validate()?;
        let mut config = self.config;
        let mut rng = match self.arrivals {
            Arrivals::Random(seed) => Some(Pcg64Mcg::seed_from_u64(seed)),
            _ => None,
        };
        let mut run = Run {
            points: Vec::with_capacity(2 * self.rounds as usize + 1),
            round_starts: vec![0],
            outgrew: false,
        };
        let mut state = config.start(self.q0, self.qd0);
        run.push(0, state, Step::Start, config);
        for round in 1..=self.rounds {
            for event in self.events.iter().filter(|event| event.round == round) {
                if let Change::Shock(size) = event.change {
                    state.qf += size;
                    state.p += size;
                    run.push(round - 1, state, Step::Shock, config);
                    *run.round_starts.last_mut().expect("the start is one") = run.points.len() - 1;
                } else {
                    event.change.apply(&mut config, &mut state);
                }
            }
            if state.backlog() > MAX_BACKLOG {
                run.outgrew = true;
                break;
            }
            // Drawn in every round, so that quiet does not shift what arrives after it.
            let drawn = match (&self.arrivals, &mut rng) {
                (Arrivals::Random(_), Some(rng)) => rng.random_range(0..=config.amax),
                (Arrivals::List(list), _) => list[round as usize - 1],
                (Arrivals::Zero, _) => 0,
                _ => config.amax,
            };
            let arrivals = drawn.min(config.most_arrivals());
            let flux = config.flux(&state);
            let mid = config.retrier(&state, arrivals);
            run.push(round, mid, Step::Retrier { arrivals, flux }, config);
            state = config.server(&mid);
            let fresh = state.done;
            let duplicates = mid.qd - state.qd;
            run.push(round, state, Step::Server { fresh, duplicates }, config);
            run.round_starts.push(run.points.len() - 1);
        }
        Ok(run)
    }
}

impl Change {
    fn apply(self, config: &mut Config, state: &mut State) {
        match self {
            Change::Shock(_) => {}
            Change::Budget(budget) => config.budget = budget,
            Change::Service(service) => config.service = service,
            Change::Quiet(quiet) => config.quiet = quiet,
            Change::Gate(gate) => {
                config.gate = gate;
                state.gate = gate.initial();
            }
        }
    }
}

impl Run {
    fn push(&mut self, round: u64, state: State, step: Step, config: Config) {
        self.points.push(Point {
            round,
            state,
            step,
            config,
        });
    }

    /// Every state, the start first, then two a round and one a shock.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The state at the end of each round, that of round 0 being the start; after any shock.
    pub fn round_starts(&self) -> impl ExactSizeIterator<Item = &Point> {
        self.round_starts.iter().map(|&i| &self.points[i])
    }

    /// Rounds played; fewer than planned only if the backlog outgrew [`MAX_BACKLOG`].
    #[must_use]
    pub fn rounds(&self) -> u64 {
        self.round_starts.len() as u64 - 1
    }

    /// Whether the run ended early because its backlog passed [`MAX_BACKLOG`].
    #[must_use]
    pub fn outgrew(&self) -> bool {
        self.outgrew
    }

    /// Where in [`Run::points`] the end of `round` is, after any shock.
    #[must_use]
    pub fn index_of_round(&self, round: u64) -> usize {
        self.round_starts[(round.min(self.rounds())) as usize]
    }
}
