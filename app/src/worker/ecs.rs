//! Simulations of the execution control system and experiments with them, as the worker runs them.

#[cfg(feature = "page")]
mod job;

#[cfg(feature = "page")]
pub use job::{Job, Status};

use super::{Json, Kind};
use engine::FieldError;
use engine::ecs::experiment::{
    Cell, Experiment, PulseMap, PulseMapSettings, Step, Sweep, SweepPoint, SweepSettings, Tipping,
    TippingPoint, TippingSettings, seeds,
};
use engine::ecs::{Config, Probe, Sample, Simulation, Snapshot, Summary};
use engine::per_request;
use serde::{Deserialize, Serialize};

/// Simulated seconds from one snapshot of a run to the next.
pub const FRAME_S: f64 = 0.25;

/// Milliseconds of work between two answers: often enough to watch a run grow, seldom enough that drawing keeps up.
const SLICE_MS: f64 = 250.0;

/// Events between two looks at the clock.
const BUDGET: u64 = 20_000;

/// Something to simulate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// One run, to its end.
    Run {
        /// The system.
        config: Json<Config>,
        /// The seed.
        seed: u64,
    },
    /// The same system with many seeds.
    Seeds {
        /// The system.
        config: Json<Config>,
        /// The first seed.
        first: u64,
        /// How many.
        runs: u64,
    },
    /// The stability basin: which pulses the system comes back from.
    PulseMap {
        /// The system.
        config: Json<Config>,
        /// Which pulses.
        settings: PulseMapSettings,
    },
    /// Load up and down again.
    Sweep {
        /// The system.
        config: Json<Config>,
        /// Which loads.
        settings: SweepSettings,
    },
    /// The smallest pulse that tips the system.
    Tipping {
        /// The system.
        config: Json<Config>,
        /// Where to search.
        settings: TippingSettings,
    },
    /// A clock for each request, beside the counting model.
    PerRequest {
        /// What to run.
        plan: per_request::Plan,
        /// The first seed.
        first: u64,
        /// How many seeds.
        runs: u64,
    },
}

/// What came of it, piece by piece.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Response {
    /// More of a run.
    Slice(Slice),
    /// One seed's run is over.
    Seed(SeedRun),
    /// One pulse's runs are over.
    Cell(Cell),
    /// One load of the sweep is over.
    SweepPoint(SweepPoint),
    /// One height of the search is judged.
    TippingPoint(TippingPoint),
    /// The counting model's run.
    Counted(Vec<per_request::Round>),
    /// One seed's run with a clock for each request.
    PerRequest(Vec<per_request::Round>),
    /// How much is done, 0 to 1.
    Progress(f64),
    /// All is done.
    Done,
    /// The request makes no sense; the engine's words.
    Refused(String),
}

/// What a run has added since the last slice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slice {
    /// Samples, one each `sample_s`.
    pub samples: Vec<Sample>,
    /// Looks of the policy.
    pub probes: Vec<Probe>,
    /// The system every [`FRAME_S`], from the start on.
    pub frames: Vec<Snapshot>,
    /// The run so far in a few figures.
    pub summary: Json<Summary>,
}

/// One seed's run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeedRun {
    /// The seed.
    pub seed: u64,
    /// Short goodput, sample by sample.
    pub short_goodput: Vec<f64>,
    /// The run in a few figures.
    pub summary: Json<Summary>,
}

impl super::Request for Request {
    const KIND: Kind = Kind::Ecs;
    type Answer = Response;

    /// Ends with [`Response::Done`] or [`Response::Refused`].
    fn answer(self, respond: &dyn Fn(Response)) {
        answer(self, respond);
    }
}

fn answer(request: Request, respond: &dyn Fn(Response)) {
    let outcome = match request {
        Request::Run { config, seed } => run(&config.0, seed, respond),
        Request::Seeds {
            config,
            first,
            runs,
        } => seeds(&config.0, first..first.saturating_add(runs)).map(|batch| {
            experiment(batch, respond, |(seed, simulation)| {
                let samples = simulation.samples().iter();
                Response::Seed(SeedRun {
                    seed,
                    short_goodput: samples.map(|sample| sample.short_goodput).collect(),
                    summary: Json(simulation.summary()),
                })
            });
        }),
        Request::PulseMap { config, settings } => {
            PulseMap::new(&config.0, &settings).map(|map| experiment(map, respond, Response::Cell))
        }
        Request::Sweep { config, settings } => Sweep::new(&config.0, &settings)
            .map(|sweep| experiment(sweep, respond, Response::SweepPoint)),
        Request::Tipping { config, settings } => Tipping::new(&config.0, &settings)
            .map(|search| experiment(search, respond, Response::TippingPoint)),
        Request::PerRequest { plan, first, runs } => beside(&plan, first, runs, respond),
    };
    respond(match outcome {
        Ok(()) => Response::Done,
        Err(error) => Response::Refused(error.to_string()),
    });
}

fn run(config: &Config, seed: u64, respond: &dyn Fn(Response)) -> Result<(), FieldError> {
    let mut simulation = Simulation::new(config, seed)?;
    let mut frames = vec![simulation.snapshot()];
    let (mut samples, mut probes) = (0, 0);
    let mut since = now_ms();
    let mut next = 1_u64;
    loop {
        if simulation.advance_within(next as f64 * FRAME_S, BUDGET) {
            frames.push(simulation.snapshot());
            next += 1;
        }
        let done = simulation.is_done();
        if done || now_ms() - since > SLICE_MS {
            respond(Response::Slice(Slice {
                samples: simulation.samples()[samples..].to_vec(),
                probes: simulation.probes()[probes..].to_vec(),
                frames: std::mem::take(&mut frames),
                summary: Json(simulation.summary()),
            }));
            (samples, probes) = (simulation.samples().len(), simulation.probes().len());
            respond(Response::Progress(simulation.now() / config.duration_s));
            since = now_ms();
        }
        if done {
            return Ok(());
        }
    }
}

/// The counting model's run, and then those with a clock for each request.
fn beside(
    plan: &per_request::Plan,
    first: u64,
    runs: u64,
    respond: &dyn Fn(Response),
) -> Result<(), FieldError> {
    respond(Response::Counted(plan.count()?));
    for run in 0..runs {
        let rounds = plan.simulate(first.wrapping_add(run))?;
        respond(Response::PerRequest(rounds));
        respond(Response::Progress((run + 1) as f64 / runs as f64));
    }
    Ok(())
}

fn experiment<E: Experiment>(
    mut experiment: E,
    respond: &dyn Fn(Response),
    found: impl Fn(E::Point) -> Response,
) {
    let mut since = now_ms();
    loop {
        match experiment.step(BUDGET) {
            Step::Working => {}
            Step::Point(point) => respond(found(point)),
            Step::Done => return,
        }
        if now_ms() - since > SLICE_MS {
            respond(Response::Progress(experiment.progress()));
            since = now_ms();
        }
    }
}

fn now_ms() -> f64 {
    js_sys::Date::now()
}
