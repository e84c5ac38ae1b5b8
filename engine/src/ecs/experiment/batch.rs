//! A list of runs, one after another.

use std::collections::VecDeque;
use std::ops::Range;

use super::{Experiment, Step};
use crate::FieldError;
use crate::ecs::{Config, Simulation};

/// One run to make, and what it is for.
#[derive(Clone, Debug, PartialEq)]
pub struct Job<K> {
    /// What it is for.
    pub key: K,
    /// What to simulate.
    pub config: Config,
    /// With which seed.
    pub seed: u64,
}

/// Makes a list of runs. Its points are the finished simulations with their keys.
pub struct Batch<K> {
    jobs: VecDeque<Job<K>>,
    current: Option<(K, Simulation)>,
    all: usize,
}

impl<K> Batch<K> {
    /// A batch that has not begun.
    ///
    /// # Errors
    /// When one of the configurations makes no sense.
    pub fn new(jobs: Vec<Job<K>>) -> Result<Self, FieldError> {
        for job in &jobs {
            job.config.validate()?;
        }
        Ok(Batch {
            all: jobs.len(),
            jobs: jobs.into(),
            current: None,
        })
    }
}

impl<K> Experiment for Batch<K> {
    type Point = (K, Simulation);

    fn step(&mut self, budget: u64) -> Step<Self::Point> {
        let (key, mut simulation) = match self.current.take() {
            Some(current) => current,
            None => {
                let Some(job) = self.jobs.pop_front() else {
                    return Step::Done;
                };
                let simulation = Simulation::new(&job.config, job.seed)
                    .expect("all were validated at the start");
                (job.key, simulation)
            }
        };
        if simulation.advance_within(f64::INFINITY, budget) {
            Step::Point((key, simulation))
        } else {
            self.current = Some((key, simulation));
            Step::Working
        }
    }

    fn progress(&self) -> f64 {
        if self.all == 0 {
            return 1.0;
        }
        let (open, part) = match &self.current {
            Some((_, simulation)) => (1, simulation.now() / simulation.config().duration_s),
            None => (0, 0.0),
        };
        ((self.all - self.jobs.len() - open) as f64 + part) / self.all as f64
    }
}

/// The same configuration with many seeds. The key is the seed.
///
/// # Errors
/// When the configuration makes no sense.
pub fn seeds(config: &Config, seeds: Range<u64>) -> Result<Batch<u64>, FieldError> {
    Batch::new(
        seeds
            .map(|seed| Job {
                key: seed,
                config: config.clone(),
                seed,
            })
            .collect(),
    )
}
