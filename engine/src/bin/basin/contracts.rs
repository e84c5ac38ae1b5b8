//! `basin contracts`: each component's rely and guarantee at every step of a run.

use crate::Failure;
use crate::trace::PlanArgs;
use clap::Args;
use engine::retrier_server::{Ledger, contract_trace};
use engine::rows::{Format, Output};
use std::io::Write;

/// The standing of each contract and of each of its clauses: "holds", "vacuous" (its condition is false, so it promises
/// nothing), "violated", or null where the step has no part in it.
#[derive(Args)]
pub struct Contracts {
    #[command(flatten)]
    plan: PlanArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

impl Contracts {
    pub fn run(&self, out: &mut Output<impl Write>) -> Result<(), Failure> {
        let run = self.plan.plan()?.play()?;
        for row in contract_trace(&run, &Ledger::of(&run)) {
            out.row(self.format, &row)?;
        }
        Ok(())
    }
}
