//! The static policy.

use super::{Exhausted, Knobs, Observation, Policy};
use crate::des::Time;

/// Leaves everything as it is.
#[derive(Clone, Copy, Debug)]
pub struct Unchanging;

impl Policy for Unchanging {
    fn interval(&self) -> Time {
        Time::from_millis(100.0)
    }

    fn probe(&mut self, _: &Observation, _: &mut Knobs) {}

    fn exhausted(&self, _: &Knobs) -> Exhausted {
        Exhausted {
            tickets: true,
            demotion: true,
        }
    }
}
