//! `basin classify`: where each Q0 leads.

use crate::Failure;
use crate::retrier_server::ConfigArgs;
use crate::within::within;
use clap::Args;
use engine::retrier_server::{DEFAULT_CAP, MAX_CAP, MAX_PARAMETER, Verdict, explore_from, judge};
use engine::rows::{Format, Output};
use serde::Serialize;
use std::io::Write;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// One value, or `A..B` with both ends included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span(pub RangeInclusive<u64>);

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("must be a whole number or A..B, each from 0 to {MAX_PARAMETER}");
        let value = |text: &str| match text.trim().parse() {
            Ok(value) if value <= MAX_PARAMETER => Ok(value),
            _ => Err(wrong()),
        };
        let (low, high) = match text.split_once("..") {
            Some((low, high)) => (value(low)?, value(high)?),
            None => (value(text)?, value(text)?),
        };
        if low > high {
            return Err(format!("must not go down: {low} is above {high}"));
        }
        Ok(Span(low..=high))
    }
}

#[derive(Args)]
pub struct Classify {
    #[command(flatten)]
    config: ConfigArgs,
    /// The starts to judge: one Q0, or A..B with both ends included, each 0 to 2147483648
    #[arg(long, value_name = "A..B", allow_negative_numbers = true)]
    q0: Span,
    /// Duplicates queued at the start, 0 to 2147483648
    #[arg(long, default_value_t = 0, value_parser = within(0, MAX_PARAMETER), allow_negative_numbers = true)]
    qd: u64,
    /// Largest backlog that the explorer counts, 0 to 1000000
    #[arg(long, default_value_t = DEFAULT_CAP, value_parser = within(0, MAX_CAP), allow_negative_numbers = true)]
    cap: u64,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Serialize)]
struct Row {
    q0: u64,
    verdict: Verdict,
    stabilizes: Option<bool>,
    trap_reachable: Option<bool>,
    quiet_recovers: Option<bool>,
    can_recover: Option<bool>,
    states: usize,
    complete: bool,
}

impl Classify {
    pub fn run(&self, out: &mut Output<impl Write>) -> Result<(), Failure> {
        let config = self.config.config()?;
        for q0 in self.q0.0.clone() {
            let start = config.start(q0, self.qd);
            let explored = explore_from(&config, &start, self.cap);
            let judgement = if config.is_monotone() {
                judge(&config, &start, self.cap)
            } else {
                explored.judgement()
            };
            out.row(
                self.format,
                &Row {
                    q0,
                    verdict: judgement.verdict,
                    stabilizes: judgement.stabilizes,
                    // The deciding runs may climb past the region that the explorer finds.
                    trap_reachable: judgement.trap_reachable.or(explored.trap_reachable),
                    quiet_recovers: judgement.quiet_recovers,
                    can_recover: judgement.can_recover,
                    states: explored.states,
                    complete: explored.complete,
                },
            )?;
        }
        Ok(())
    }
}
