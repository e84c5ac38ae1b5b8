//! `basin isolated`: each component alone against a stub of its partner.

use crate::Failure;
use crate::retrier_server::ConfigArgs;
use crate::within::within;
use clap::Args;
use engine::retrier_server::{Alone, Clause, Component, DEFAULT_ISOLATED_CAP, MAX_ISOLATED_CAP};
use engine::rows::{Format, Output};
use serde::Serialize;
use std::io::Write;

/// Prints one object a clause that the component owes: its guarantees, and what its partner relies on.
#[derive(Args)]
pub struct Isolated {
    #[command(flatten)]
    config: ConfigArgs,
    /// Fresh requests queued and pending at the retrier's start, 0 to 2000
    #[arg(long, default_value_t = 18, value_parser = within(0, MAX_ISOLATED_CAP), allow_negative_numbers = true)]
    q0: u64,
    /// Largest backlog explored, 0 to 2000
    #[arg(long, default_value_t = DEFAULT_ISOLATED_CAP, value_parser = within(0, MAX_ISOLATED_CAP), allow_negative_numbers = true)]
    cap: u64,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Serialize)]
struct Row {
    component: Component,
    clause: Clause,
    /// `null` where no step broke it, but not every reachable state was explored.
    holds: Option<bool>,
    /// Steps at which it was owed and kept.
    kept: usize,
    /// Steps at which its condition was false.
    vacuous: usize,
    states: usize,
    complete: bool,
}

impl Isolated {
    pub fn run(&self, out: &mut Output<impl Write>) -> Result<(), Failure> {
        let config = self.config.config()?;
        for alone in [
            Alone::retrier(&config, self.q0, self.cap),
            Alone::server(&config, self.q0, self.cap),
        ] {
            let check = alone.check();
            for finding in &check.findings {
                out.row(
                    self.format,
                    &Row {
                        component: check.component,
                        clause: finding.clause,
                        holds: match finding.violation {
                            Some(_) => Some(false),
                            None => check.complete.then_some(true),
                        },
                        kept: finding.kept,
                        vacuous: finding.vacuous,
                        states: check.states,
                        complete: check.complete,
                    },
                )?;
            }
        }
        Ok(())
    }
}
