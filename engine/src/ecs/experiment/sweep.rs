//! Load swept up and down again: hysteresis.

use serde::{Deserialize, Serialize};

use super::{Experiment, Step};
use crate::FieldError;
use crate::ecs::{Class, Config, Entry, Simulation, mean};

/// How to sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SweepSettings {
    /// The class whose arrivals are multiplied.
    pub class: Class,
    /// The factors on the way up, rising; the way down has them in reverse.
    pub factors: Vec<f64>,
    /// How long each load lasts, in seconds; figures are of its second half.
    pub dwell_s: f64,
    /// The seed.
    pub seed: u64,
}

impl Default for SweepSettings {
    fn default() -> Self {
        SweepSettings {
            class: Class::Long,
            factors: vec![1.0, 2.0, 4.0, 6.0, 8.0, 12.0, 16.0, 20.0],
            dwell_s: 30.0,
            seed: 1,
        }
    }
}

/// Whether the load was rising or falling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Rising, the top included.
    Up,
    /// Falling.
    Down,
}

/// One load of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepPoint {
    /// The way.
    pub direction: Direction,
    /// What the class's rate is multiplied by.
    pub factor: f64,
    /// Work offered by both classes, in cores, retries left out.
    pub offered_cores: f64,
    /// Short requests answered, a second.
    pub short_goodput: f64,
    /// Long requests answered, a second.
    pub long_goodput: f64,
    /// Mean tickets of the long queue.
    pub long_tickets: f64,
    /// CPU work for clients that had left, in cores.
    pub waste: f64,
}

/// One run through all loads; its points are the loads in the order of time.
pub struct Sweep {
    simulation: Simulation,
    steps: Vec<(Direction, f64)>,
    class: Class,
    dwell_s: f64,
    next: usize,
}

impl Sweep {
    /// A sweep of a system; its own script is left out.
    ///
    /// # Errors
    /// When the system or the settings make no sense.
    pub fn new(base: &Config, settings: &SweepSettings) -> Result<Self, FieldError> {
        FieldError::check_range("dwell_s", settings.dwell_s, 2.0 * base.sample_s, 10_000.0)?;
        FieldError::check_range("factors", settings.factors.len(), 2, 1_000)?;
        for (index, &factor) in settings.factors.iter().enumerate() {
            FieldError::check_range(&format!("factors[{index}]"), factor, 0.0, 10_000.0)?;
            if index > 0 && factor <= settings.factors[index - 1] {
                let expected = format!(
                    "above factors[{}] = {}",
                    index - 1,
                    settings.factors[index - 1]
                );
                return Err(FieldError::new(
                    format!("factors[{index}]"),
                    factor,
                    expected,
                ));
            }
        }
        let up = settings
            .factors
            .iter()
            .map(|&factor| (Direction::Up, factor));
        let down = settings
            .factors
            .iter()
            .rev()
            .skip(1)
            .map(|&factor| (Direction::Down, factor));
        let steps: Vec<_> = up.chain(down).collect();
        let dwell_s = settings.dwell_s;
        let script = steps
            .iter()
            .enumerate()
            .map(|(index, &(_, factor))| Entry::Pulse {
                class: settings.class,
                factor,
                from_s: index as f64 * dwell_s,
                until_s: (index + 1) as f64 * dwell_s,
            });
        let config = Config {
            duration_s: steps.len() as f64 * dwell_s,
            script: script.collect(),
            ..base.clone()
        };
        let simulation = Simulation::new(&config, settings.seed)?;
        Ok(Sweep {
            simulation,
            steps,
            class: settings.class,
            dwell_s,
            next: 0,
        })
    }

    fn point(&self, index: usize) -> SweepPoint {
        let (direction, factor) = self.steps[index];
        let until = (index + 1) as f64 * self.dwell_s;
        let mean = |of: fn(&crate::ecs::Sample) -> f64| {
            mean(
                self.simulation.samples(),
                until - self.dwell_s / 2.0,
                until,
                of,
            )
            .unwrap_or_default()
        };
        let mut load = self.simulation.config().clone();
        load.class_mut(self.class).rate *= factor;
        SweepPoint {
            direction,
            factor,
            offered_cores: load.offered_cores(),
            short_goodput: mean(|sample| sample.short_goodput),
            long_goodput: mean(|sample| sample.long_goodput),
            long_tickets: mean(|sample| f64::from(sample.long_tickets)),
            waste: mean(|sample| sample.waste),
        }
    }
}

impl Experiment for Sweep {
    type Point = SweepPoint;

    fn step(&mut self, budget: u64) -> Step<SweepPoint> {
        if self.next == self.steps.len() {
            return Step::Done;
        }
        let until = (self.next + 1) as f64 * self.dwell_s;
        if !self.simulation.advance_within(until, budget) {
            return Step::Working;
        }
        let point = self.point(self.next);
        self.next += 1;
        Step::Point(point)
    }

    fn progress(&self) -> f64 {
        self.simulation.now() / self.simulation.config().duration_s
    }
}

/// How much less short goodput there is on the way down than on the way up: the mean over the loads met both ways, in
/// answers a second. Near zero, the sweep retraces itself.
pub fn hysteresis(points: &[SweepPoint]) -> f64 {
    let of = |direction: Direction| {
        points
            .iter()
            .filter(move |point| point.direction == direction)
    };
    let gaps: Vec<f64> = of(Direction::Down)
        .filter_map(|down| {
            let up = of(Direction::Up).find(|up| up.factor == down.factor)?;
            Some(up.short_goodput - down.short_goodput)
        })
        .collect();
    if gaps.is_empty() {
        0.0
    } else {
        gaps.iter().sum::<f64>() / gaps.len() as f64
    }
}
