//! Experiments: many runs with one question.
//!
//! Each is a value that is stepped for a number of events at a time, so that whoever drives it can report progress, draw
//! what there is, and stop. As an iterator it runs from point to point.

mod batch;
mod estimate;
mod pulse_map;
mod sweep;
mod tipping;

pub use batch::{Batch, Job, seeds};
pub use estimate::Estimate;
pub use pulse_map::{Cell, PulseMap, PulseMapSettings};
pub use sweep::{Direction, Sweep, SweepPoint, SweepSettings, hysteresis};
pub use tipping::{Tipping, TippingPoint, TippingSettings};

use super::config::Config;
use super::model::Class;
use super::script::Entry;

/// What a step of an experiment came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Step<P> {
    /// The budget is spent; there is more to do.
    Working,
    /// A point is found; there may be more.
    Point(P),
    /// All is done.
    Done,
}

/// Something to find out by simulation.
pub trait Experiment {
    /// What it finds, again and again.
    type Point;

    /// Works for at most about `budget` events, or until a point is found.
    fn step(&mut self, budget: u64) -> Step<Self::Point>;

    /// How much is done, 0 to 1. A search that does not know how long it takes gives an upper bound of what is left.
    fn progress(&self) -> f64;

    /// The points, one after another, without a budget.
    fn points(self) -> Points<Self>
    where
        Self: Sized,
    {
        Points(self)
    }
}

/// The points of an experiment as an iterator.
#[derive(Debug)]
pub struct Points<E>(E);

impl<E: Experiment> Iterator for Points<E> {
    type Item = E::Point;

    fn next(&mut self) -> Option<E::Point> {
        loop {
            match self.0.step(u64::MAX) {
                Step::Working => {}
                Step::Point(point) => return Some(point),
                Step::Done => return None,
            }
        }
    }
}

/// The system before a pulse, through it, and long enough after it to see whether it comes back.
fn pulsed(base: &Config, class: Class, factor: f64, length_s: f64, observe_s: f64) -> Config {
    let until_s = PULSE_FROM_S + length_s;
    Config {
        duration_s: until_s + observe_s,
        script: vec![Entry::Pulse {
            class,
            factor,
            from_s: PULSE_FROM_S,
            until_s,
        }],
        ..base.clone()
    }
}

/// When the pulse of an experiment begins: the system has warmed up by then.
pub const PULSE_FROM_S: f64 = 20.0;

/// The share of the goodput before a pulse that counts as having come back.
pub const CAME_BACK: f64 = 0.9;
