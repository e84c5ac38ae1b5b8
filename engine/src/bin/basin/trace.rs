//! `basin trace`: one run, state by state.

use crate::Failure;
use crate::retrier_server::{ConfigArgs, StartArgs};
use crate::within::within;
use clap::Args;
use engine::FieldError;
use engine::retrier_server::{Arrivals, MAX_RUN_ROUNDS, Plan, trace};
use engine::rows::{Format, Output};
use std::io::Write;

#[derive(Args)]
pub struct Trace {
    #[command(flatten)]
    plan: PlanArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The run that a command plays.
#[derive(Args)]
pub struct PlanArgs {
    #[command(flatten)]
    config: ConfigArgs,
    #[command(flatten)]
    start: StartArgs,
    /// Rounds to play, 0 to 100000 [default: 20, or as many as a list has entries]
    #[arg(long, value_parser = within(0, MAX_RUN_ROUNDS), allow_negative_numbers = true)]
    rounds: Option<u64>,
    /// Fresh arrivals: max, zero, random:SEED, or a list such as 0,2,1 with an entry a round [default: max]
    #[arg(long)]
    arrivals: Option<String>,
    /// No fresh arrivals; the same as --arrivals zero
    #[arg(long)]
    quiet: bool,
    /// Changes on the way, such as 10:shock:25;20:budget:0 [default: none]
    #[arg(long = "do", value_name = "CHANGES")]
    changes: Option<String>,
}

impl Trace {
    pub fn run(&self, out: &mut Output<impl Write>) -> Result<(), Failure> {
        let run = self.plan.plan()?.play()?;
        for row in trace(&run) {
            out.row(self.format, &row)?;
        }
        Ok(())
    }
}

impl PlanArgs {
    /// The plan, its configuration checked.
    pub fn plan(&self) -> Result<Plan, FieldError> {
        let arrivals = match &self.arrivals {
            None => Arrivals::Max,
            Some(text) => text.parse()?,
        };
        if self.quiet && self.arrivals.is_some() && arrivals != Arrivals::Zero {
            return Err(FieldError::new(
                "arrivals",
                arrivals,
                "zero, or left out, beside --quiet",
            ));
        }
        let rounds = match (self.rounds, &arrivals) {
            (Some(rounds), _) => rounds,
            (None, Arrivals::List(list)) => list.len() as u64,
            (None, _) => 20,
        };
        Ok(Plan {
            config: self.config.config()?,
            q0: self.start.q0,
            qd0: self.start.qd,
            arrivals: if self.quiet { Arrivals::Zero } else { arrivals },
            rounds,
            events: match &self.changes {
                None => Vec::new(),
                Some(text) => text.split(';').map(str::parse).collect::<Result<_, _>>()?,
            },
        })
    }
}
