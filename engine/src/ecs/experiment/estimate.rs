//! A mean and how sure of it one can be.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// A mean with its 95% confidence interval.
///
/// The interval is Student's: the values come from runs with different seeds, so they are independent, and each is itself
/// a mean over thousands of tasks, so close to normal. With one value there is no interval, and both ends are the value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// How many values.
    pub runs: u32,
}

impl Estimate {
    /// Of these values; nothing when there are none.
    pub fn of(values: &[f64]) -> Option<Self> {
        let runs = values.len() as u32;
        if runs == 0 {
            return None;
        }
        let count = f64::from(runs);
        let mean = values.iter().sum::<f64>() / count;
        let half = if runs > 1 {
            let variance = values
                .iter()
                .map(|value| (value - mean).powi(2))
                .sum::<f64>()
                / (count - 1.0);
            let student =
                StudentsT::new(0.0, 1.0, count - 1.0).expect("there is more than one value");
            student.inverse_cdf(0.975) * (variance / count).sqrt()
        } else {
            0.0
        };
        Some(Estimate {
            mean,
            low: mean - half,
            high: mean + half,
            runs,
        })
    }

    /// Half the width of the interval.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}
