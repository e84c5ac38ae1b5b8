//! The stability basin of the ECS: which pulses it comes back from.

use serde::{Deserialize, Serialize};

use super::batch::{Batch, Job};
use super::{CAME_BACK, Estimate, Experiment, Step, pulsed};
use crate::FieldError;
use crate::ecs::{Class, Config};

/// Which pulses to try.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PulseMapSettings {
    /// The class whose arrivals are multiplied.
    pub class: Class,
    /// The pulse's heights: 1 to 100 factors of the arrival rate.
    pub factors: Vec<f64>,
    /// The pulse's lengths in seconds, 1 to 100 of them.
    pub lengths_s: Vec<f64>,
    /// How long to watch after the pulse, in seconds, at least 20; the last 20 s tell whether goodput came back.
    pub observe_s: f64,
    /// Runs for each pulse, 1 to 100.
    pub runs: u32,
    /// The first seed; runs have this and the following ones.
    pub seed: u64,
}

impl Default for PulseMapSettings {
    fn default() -> Self {
        PulseMapSettings {
            class: Class::Long,
            factors: vec![2.0, 4.0, 8.0, 12.0, 16.0, 24.0, 32.0],
            lengths_s: vec![2.0, 5.0, 10.0, 15.0, 20.0, 30.0],
            observe_s: 100.0,
            runs: 3,
            seed: 1,
        }
    }
}

/// One pulse and what became of the system.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The pulse's height.
    pub factor: f64,
    /// The pulse's length in seconds.
    pub length_s: f64,
    /// Short goodput in the last 20 s as a share of that before the pulse.
    pub remaining: Estimate,
    /// In how many runs at least nine tenths of it came back.
    pub came_back: u32,
    /// Most long tickets over the runs.
    pub long_tickets_max: u32,
}

/// The map, cell by cell: lengths in the outer order, heights in the inner.
pub struct PulseMap {
    batch: Batch<(f64, f64)>,
    runs: usize,
    shares: Vec<f64>,
    long_tickets_max: u32,
}

impl PulseMap {
    /// The map of a system; its own script is left out.
    ///
    /// # Errors
    /// When the system or one of the pulses makes no sense.
    pub fn new(base: &Config, settings: &PulseMapSettings) -> Result<Self, FieldError> {
        FieldError::check_range("observe_s", settings.observe_s, 20.0, 10_000.0)?;
        FieldError::check_range("runs", settings.runs, 1, 100)?;
        FieldError::check_range("lengths_s", settings.lengths_s.len(), 1, 100)?;
        FieldError::check_range("factors", settings.factors.len(), 1, 100)?;
        for (index, &length) in settings.lengths_s.iter().enumerate() {
            FieldError::check_range(&format!("lengths_s[{index}]"), length, 0.001, 10_000.0)?;
        }
        for (index, &factor) in settings.factors.iter().enumerate() {
            FieldError::check_range(&format!("factors[{index}]"), factor, 0.0, 10_000.0)?;
        }
        let mut jobs = Vec::new();
        for &length_s in &settings.lengths_s {
            for &factor in &settings.factors {
                let config = pulsed(base, settings.class, factor, length_s, settings.observe_s);
                for run in 0..u64::from(settings.runs) {
                    let seed = settings.seed.wrapping_add(run);
                    jobs.push(Job {
                        key: (factor, length_s),
                        config: config.clone(),
                        seed,
                    });
                }
            }
        }
        let batch = Batch::new(jobs)?;
        Ok(PulseMap {
            batch,
            runs: settings.runs as usize,
            shares: Vec::new(),
            long_tickets_max: 0,
        })
    }
}

impl Experiment for PulseMap {
    type Point = Cell;

    fn step(&mut self, budget: u64) -> Step<Cell> {
        let ((factor, length_s), simulation) = match self.batch.step(budget) {
            Step::Working => return Step::Working,
            Step::Done => return Step::Done,
            Step::Point(point) => point,
        };
        let summary = simulation.summary();
        self.shares.push(summary.short_remaining());
        self.long_tickets_max = self.long_tickets_max.max(summary.long_tickets_max);
        if self.shares.len() < self.runs {
            return Step::Working;
        }
        let shares = std::mem::take(&mut self.shares);
        Step::Point(Cell {
            factor,
            length_s,
            remaining: Estimate::of(&shares).expect("there is at least one run"),
            came_back: shares.iter().filter(|&&share| share >= CAME_BACK).count() as u32,
            long_tickets_max: std::mem::take(&mut self.long_tickets_max),
        })
    }

    fn progress(&self) -> f64 {
        self.batch.progress()
    }
}
