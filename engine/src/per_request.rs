//! The retrier and the server with a timeout for each request, in continuous time: how far the counting model carries.
//!
//! The [counting model](crate::retrier_server) keeps two numbers and lets `floor((pending - S T) / T)` retries go out in a
//! round. Here each request has its own clock, and sends a duplicate whenever `T` rounds have passed without an answer;
//! the server takes first what came first, fresh or duplicate, and works off duplicates of answered requests like any
//! other. A round is one unit of time. It runs on the same [core](crate::des) as the execution control system.
//!
//! Without randomness it recovers from the same starts as the counting model, and climbs from where that orbits. With it,
//! the bands hold for large systems; at three services a round, chance alone builds the backlog that tips the system.

use serde::{Deserialize, Serialize};
use slab::Slab;

use crate::FieldError;
use crate::des::{
    Appointment, Context, Graph, Kind, Line, Logic, NodeId, Run, Stream, Streams, TaskId, Time,
};
use crate::retrier_server::Config;

/// A run ends when this much work is queued: it has climbed far past any recovery.
pub const MOST_BACKLOG: u64 = 100_000;

/// Where randomness enters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Randomness {
    /// Nowhere: `AMax` arrivals evenly over a round, and every service takes `1/S` of one.
    None,
    /// Poisson arrivals and exponential services, with those means.
    #[default]
    Exponential,
}

/// What to run. `S`, `AMax`, `T` and `B` are those of the counting model; its other laws have no counterpart here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// `S`: services a round, 1 to 1,000.
    pub s: u64,
    /// `AMax`: fresh arrivals a round, 0 to 1,000.
    pub amax: u64,
    /// `T`: the timeout of a request in rounds, 1 to 1,000.
    pub t: u64,
    /// `B`: most duplicates sent in a round, 0 to 1,000; a request that finds the budget spent waits another `T`.
    #[serde(default)]
    pub budget: Option<u64>,
    /// `Q0`: requests queued at the start, 0 to 10,000.
    pub q0: u64,
    /// Rounds to run, 1 to 10,000.
    pub rounds: u64,
    /// Where randomness enters.
    #[serde(default)]
    pub randomness: Randomness,
}

/// The system at the end of a round. Round 0 is the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// Which round.
    pub round: u64,
    /// Fresh work queued or served: first copies.
    pub fresh: u64,
    /// Duplicate work queued or served.
    pub duplicates: u64,
    /// Requests without an answer.
    pub pending: u64,
    /// Duplicates sent in the round.
    pub retries: u64,
}

impl Round {
    /// All work at the server.
    pub fn backlog(&self) -> u64 {
        self.fresh + self.duplicates
    }
}

impl Plan {
    /// The plain system at the counting model's parameters.
    pub fn new(s: u64, amax: u64, t: u64, q0: u64, rounds: u64) -> Self {
        Plan {
            s,
            amax,
            t,
            budget: None,
            q0,
            rounds,
            randomness: Randomness::default(),
        }
    }

    /// Looks for the first value that makes no sense.
    ///
    /// # Errors
    /// Names the field, its value and the range.
    pub fn validate(&self) -> Result<(), FieldError> {
        FieldError::check_range("s", self.s, 1, 1_000)?;
        FieldError::check_range("amax", self.amax, 0, 1_000)?;
        FieldError::check_range("t", self.t, 1, 1_000)?;
        if let Some(budget) = self.budget {
            FieldError::check_range("budget", budget, 0, 1_000)?;
        }
        FieldError::check_range("q0", self.q0, 0, 10_000)?;
        FieldError::check_range("rounds", self.rounds, 1, 10_000)
    }

    /// Simulates the rounds, or as many as it takes to queue [`MOST_BACKLOG`].
    ///
    /// # Errors
    /// When a value makes no sense.
    pub fn simulate(&self, seed: u64) -> Result<Vec<Round>, FieldError> {
        self.validate()?;
        let mut streams = Streams::new(seed);
        let system = Requests {
            plan: self.clone(),
            arrivals: streams.stream(),
            services: streams.stream(),
            requests: Slab::new(),
            now: Round::default(),
            rounds: Vec::with_capacity(self.rounds as usize + 1),
        };
        let mut run = Run::new(system, graph(), Vec::new(), ROUND);
        for round in 0..=self.rounds {
            run.advance(Time(round * ROUND.0));
            if run.logic.now.backlog() > MOST_BACKLOG {
                break;
            }
        }
        Ok(run.logic.rounds)
    }

    /// The counting model's run at the same parameters, with the most arrivals in every round, until it has queued
    /// [`MOST_BACKLOG`].
    ///
    /// # Errors
    /// When a value makes no sense.
    pub fn count(&self) -> Result<Vec<Round>, FieldError> {
        self.validate()?;
        let config = Config {
            budget: self.budget,
            ..Config::new(self.s, self.amax, self.t)
        };
        let mut state = config.start(self.q0, 0);
        let mut rounds = Vec::with_capacity(self.rounds as usize + 1);
        let mut retries = 0;
        for round in 0..=self.rounds {
            rounds.push(Round {
                round,
                fresh: state.qf,
                duplicates: state.qd,
                pending: state.p - state.done,
                retries,
            });
            if state.backlog() > MOST_BACKLOG {
                break;
            }
            retries = config.flux(&state);
            state = config.server(&config.retrier(&state, self.amax));
        }
        Ok(rounds)
    }
}

/// A round, as the core counts time.
const ROUND: Time = Time(1_000_000_000);

const RETRIER: NodeId = NodeId(0);
const QUEUE: NodeId = NodeId(1);
const SERVER: NodeId = NodeId(2);
const SERVICE: NodeId = NodeId(3);
const ANSWER: NodeId = NodeId(4);

fn graph() -> Graph {
    Graph::new(
        vec![
            ("retrier", Kind::Logic),
            (
                "queue",
                Kind::Line {
                    line: Line::new(1, u32::MAX),
                    then: SERVER,
                },
            ),
            ("server", Kind::Logic),
            ("service", Kind::Delay { then: ANSWER }),
            ("answer", Kind::Logic),
        ],
        &[(RETRIER, QUEUE), (SERVER, SERVICE)],
    )
}

struct Requests {
    plan: Plan,
    arrivals: Stream,
    services: Stream,
    requests: Slab<Request>,
    now: Round,
    rounds: Vec<Round>,
}

/// A request that is unanswered or has copies at the server.
struct Request {
    /// Its clock, until it is answered.
    timeout: Option<Appointment>,
    copies: u64,
}

struct Copied {
    request: usize,
    duplicate: bool,
}

#[derive(Clone, Copy)]
enum Timer {
    Arrival,
    Timeout(usize),
}

impl Requests {
    /// A time in rounds with mean `1 / rate`.
    fn interval(stream: &mut Stream, randomness: Randomness, rate: u64) -> Time {
        let mean = 1.0 / rate as f64;
        Time::from_secs(match randomness {
            Randomness::None => mean,
            Randomness::Exponential => mean * stream.exponential(),
        })
    }

    fn expect_arrival(&mut self, context: &mut Context<Copied, Timer>) {
        if self.plan.amax > 0 {
            let gap = Self::interval(&mut self.arrivals, self.plan.randomness, self.plan.amax);
            context.after(gap, Timer::Arrival);
        }
    }

    fn request(&mut self, context: &mut Context<Copied, Timer>) {
        let request = self.requests.insert(Request {
            timeout: None,
            copies: 0,
        });
        self.now.pending += 1;
        self.send(request, false, context);
    }

    fn send(&mut self, request: usize, duplicate: bool, context: &mut Context<Copied, Timer>) {
        *self.queued(duplicate) += 1;
        self.now.retries += u64::from(duplicate);
        self.requests[request].copies += 1;
        self.start_clock(request, context);
        let task = context.create(Copied { request, duplicate });
        context.send(RETRIER, QUEUE, task);
    }

    fn start_clock(&mut self, request: usize, context: &mut Context<Copied, Timer>) {
        let timeout = context.after(Time(self.plan.t * ROUND.0), Timer::Timeout(request));
        self.requests[request].timeout = Some(timeout);
    }

    fn timeout(&mut self, request: usize, context: &mut Context<Copied, Timer>) {
        if self
            .plan
            .budget
            .is_some_and(|budget| self.now.retries >= budget)
        {
            self.start_clock(request, context);
        } else {
            self.send(request, true, context);
        }
    }

    fn queued(&mut self, duplicate: bool) -> &mut u64 {
        if duplicate {
            &mut self.now.duplicates
        } else {
            &mut self.now.fresh
        }
    }

    fn served(&mut self, task: TaskId, context: &mut Context<Copied, Timer>) {
        let Copied {
            request: id,
            duplicate,
        } = context.remove(task);
        *self.queued(duplicate) -= 1;
        let request = &mut self.requests[id];
        request.copies -= 1;
        if let Some(timeout) = request.timeout.take() {
            context.cancel(timeout);
            self.now.pending -= 1;
        }
        if request.copies == 0 {
            self.requests.remove(id);
        }
        context.release(QUEUE);
    }
}

impl Logic for Requests {
    type Task = Copied;
    type Timer = Timer;
    type Change = ();

    fn start(&mut self, context: &mut Context<Copied, Timer>) {
        for _ in 0..self.plan.q0 {
            self.request(context);
        }
        self.expect_arrival(context);
        self.rounds.push(self.now);
    }

    fn arrive(&mut self, node: NodeId, task: TaskId, context: &mut Context<Copied, Timer>) {
        match node {
            SERVER => {
                let time = Self::interval(&mut self.services, self.plan.randomness, self.plan.s);
                context.delay(SERVER, SERVICE, task, time);
            }
            ANSWER => self.served(task, context),
            _ => unreachable!("nothing is sent to the retrier"),
        }
    }

    fn ring(&mut self, timer: Timer, context: &mut Context<Copied, Timer>) {
        match timer {
            Timer::Arrival => {
                self.request(context);
                self.expect_arrival(context);
            }
            Timer::Timeout(request) => self.timeout(request, context),
        }
    }

    fn change(&mut self, (): &(), _: &mut Context<Copied, Timer>) {}

    fn sample(&mut self, _: &Context<Copied, Timer>) {
        self.now.round += 1;
        self.rounds.push(self.now);
        self.now.retries = 0;
    }
}
