//! Seeded randomness in independent streams.

use rand::distr::{Distribution, OpenClosed01};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Hands out streams of random numbers, each with a seed of its own.
///
/// One stream for each use keeps the uses apart: two policies that draw differently still meet the same arrivals.
#[derive(Clone, Debug)]
pub struct Streams(Pcg64Mcg);

impl Streams {
    /// The streams of a seed.
    pub fn new(seed: u64) -> Self {
        Streams(Pcg64Mcg::seed_from_u64(seed))
    }

    /// The next stream.
    pub fn stream(&mut self) -> Stream {
        Stream(Pcg64Mcg::seed_from_u64(self.0.next_u64()))
    }
}

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Stream(Pcg64Mcg);

impl Stream {
    /// Evenly over (0, 1].
    pub fn uniform(&mut self) -> f64 {
        OpenClosed01.sample(&mut self.0)
    }

    /// Exponentially distributed with mean 1. By inversion and the portable logarithm, so that every machine agrees.
    pub fn exponential(&mut self) -> f64 {
        -libm::log(self.uniform())
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.uniform() <= probability
    }
}
