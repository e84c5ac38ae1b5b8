//! Runs of the execution control system whose figures the story needs, one after the other in one worker.

use crate::sight::Sight;
use crate::worker::Json;
use crate::worker::ecs::{Job, Request, Response, Status};
use engine::ecs::{Config, Summary};
use leptos::prelude::*;

/// The seed of every run of the story, as the pages open with.
pub const SEED: u64 = 1;

/// Some systems to run, and what came of those that have.
#[derive(Clone, Copy)]
pub struct Trials {
    configs: StoredValue<Vec<Config>>,
    /// The runs that are over, in the order of the systems.
    pub found: RwSignal<Vec<Summary>>,
    /// The work.
    pub job: Job,
}

impl Trials {
    /// Runs `configs` when they are first in `sight`.
    #[must_use]
    pub fn new(configs: Vec<Config>, sight: Sight) -> Self {
        let trials = Self {
            configs: StoredValue::new(configs),
            found: RwSignal::new(Vec::new()),
            job: Job::new(),
        };
        let status = trials.job.status();
        sight.effect(move || {
            if status.with(|status| matches!(status, Status::Idle | Status::Done)) {
                trials.next();
            }
        });
        trials
    }

    /// Runs the next system, if one is left.
    pub fn next(self) {
        let done = self.found.with_untracked(Vec::len);
        let Some(config) = self
            .configs
            .with_value(|configs| configs.get(done).cloned())
        else {
            return;
        };
        let request = Request::Seeds {
            config: Json(config),
            first: SEED,
            runs: 1,
        };
        self.job.start(request, move |response| {
            if let Response::Seed(run) = response {
                self.found.update(|found| found.push(run.summary.0));
            }
        });
    }

    /// What came of all of them, once they are over.
    #[must_use]
    pub fn all(self) -> Option<Vec<Summary>> {
        let wanted = self.configs.with_value(Vec::len);
        self.found
            .with(|found| (found.len() == wanted).then(|| found.clone()))
    }
}

/// What comes of a run of `config`, worked out at once.
#[cfg(test)]
pub fn simulated(config: &Config) -> Summary {
    let mut simulation = engine::ecs::Simulation::new(config, SEED).expect("a good configuration");
    simulation.finish();
    simulation.summary()
}
