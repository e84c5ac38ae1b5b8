//! No admission control.

use super::{Admission, Signal};
use crate::des::Time;

/// Admits all.
#[derive(Clone, Copy, Debug)]
pub struct Open;

impl Admission for Open {
    fn interval(&self) -> Time {
        Time::from_millis(100.0)
    }

    fn admit(&mut self, _: &Signal<'_>) -> f64 {
        1.0
    }
}
