//! The smallest pulse that tips the system.

use serde::{Deserialize, Serialize};

use super::batch::{Batch, seeds};
use super::{CAME_BACK, Experiment, Step, pulsed};
use crate::FieldError;
use crate::ecs::{Class, Config};

/// Where to search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TippingSettings {
    /// The class whose arrivals are multiplied.
    pub class: Class,
    /// The pulse's length in seconds.
    pub length_s: f64,
    /// The highest pulse to try: a factor of the arrival rate, above 1.
    pub most: f64,
    /// How closely to find it: the search ends when the bounds are this far apart, 0.01 or more.
    pub within: f64,
    /// How long to watch after the pulse, in seconds, at least 20.
    pub observe_s: f64,
    /// Runs for each height, 1 to 100. A height tips the system when more than half of them do not come back.
    pub runs: u32,
    /// The first seed; runs have this and the following ones.
    pub seed: u64,
}

impl Default for TippingSettings {
    fn default() -> Self {
        TippingSettings {
            class: Class::Long,
            length_s: 15.0,
            most: 64.0,
            within: 0.5,
            observe_s: 100.0,
            runs: 5,
            seed: 1,
        }
    }
}

/// One height that was tried, and what is known since.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TippingPoint {
    /// The height.
    pub factor: f64,
    /// In how many runs the system did not come back.
    pub tipped: u32,
    /// Of how many.
    pub runs: u32,
    /// The highest factor known not to tip it.
    pub safe: f64,
    /// The lowest factor known to tip it; absent while none is known.
    pub tips: Option<f64>,
}

/// A search by bisection; its points are the heights tried, and the last holds the answer. No `tips` in the last point
/// means that even the highest pulse does not tip the system. Tipping is random near the edge, so the answer is where the
/// majority turns, and is as good as the number of runs.
pub struct Tipping {
    base: Config,
    settings: TippingSettings,
    safe: f64,
    tips: Option<f64>,
    trial: Option<Trial>,
    tried: u32,
}

struct Trial {
    factor: f64,
    batch: Batch<u64>,
    tipped: u32,
}

impl Tipping {
    /// The search in a system; its own script is left out.
    ///
    /// # Errors
    /// When the system or the settings make no sense.
    pub fn new(base: &Config, settings: &TippingSettings) -> Result<Self, FieldError> {
        FieldError::check_range("length_s", settings.length_s, 0.001, 10_000.0)?;
        FieldError::check_range("most", settings.most, 1.0, 10_000.0)?;
        FieldError::check_range("within", settings.within, 0.01, 1_000.0)?;
        FieldError::check_range("observe_s", settings.observe_s, 20.0, 10_000.0)?;
        FieldError::check_range("runs", settings.runs, 1, 100)?;
        let mut search = Tipping {
            base: base.clone(),
            settings: settings.clone(),
            safe: 1.0,
            tips: None,
            trial: None,
            tried: 0,
        };
        search.trial = Some(search.trial_at(settings.most)?);
        Ok(search)
    }

    fn trial_at(&self, factor: f64) -> Result<Trial, FieldError> {
        let settings = &self.settings;
        let config = pulsed(
            &self.base,
            settings.class,
            factor,
            settings.length_s,
            settings.observe_s,
        );
        let seed = settings.seed;
        let batch = seeds(&config, seed..seed.saturating_add(u64::from(settings.runs)))?;
        Ok(Trial {
            factor,
            batch,
            tipped: 0,
        })
    }

    /// The next height to try, or nothing when the answer is close enough.
    fn next_factor(&self) -> Option<f64> {
        let tips = self.tips?;
        (tips - self.safe > self.settings.within).then_some((tips + self.safe) / 2.0)
    }

    fn trials_at_most(&self) -> f64 {
        1.0 + ((self.settings.most - 1.0) / self.settings.within)
            .log2()
            .max(0.0)
            .ceil()
    }
}

impl Experiment for Tipping {
    type Point = TippingPoint;

    fn step(&mut self, budget: u64) -> Step<TippingPoint> {
        let Some(trial) = &mut self.trial else {
            return Step::Done;
        };
        match trial.batch.step(budget) {
            Step::Working => return Step::Working,
            Step::Point((_, simulation)) => {
                trial.tipped += u32::from(simulation.summary().short_remaining() < CAME_BACK);
                return Step::Working;
            }
            Step::Done => {}
        }
        let (factor, tipped) = (trial.factor, trial.tipped);
        self.tried += 1;
        if 2 * tipped > self.settings.runs {
            self.tips = Some(factor);
        } else {
            self.safe = factor;
        }
        self.trial = self.next_factor().map(|factor| {
            self.trial_at(factor)
                .expect("a lower pulse makes sense when a higher one did")
        });
        Step::Point(TippingPoint {
            factor,
            tipped,
            runs: self.settings.runs,
            safe: self.safe,
            tips: self.tips,
        })
    }

    fn progress(&self) -> f64 {
        match &self.trial {
            Some(trial) => (f64::from(self.tried) + trial.batch.progress()) / self.trials_at_most(),
            None => 1.0,
        }
    }
}
