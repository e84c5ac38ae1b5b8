//! `basin certificate`: what proves a verdict.

use crate::Failure;
use crate::retrier_server::{ConfigArgs, StartArgs};
use crate::within::within;
use clap::Args;
use engine::retrier_server::{DEFAULT_CAP, MAX_CAP, certificate};
use engine::rows::{Format, Output};
use std::io::Write;

#[derive(Args)]
pub struct Certificate {
    #[command(flatten)]
    config: ConfigArgs,
    #[command(flatten)]
    start: StartArgs,
    /// Largest backlog explored where the law is not monotone, 0 to 1000000
    #[arg(long, default_value_t = DEFAULT_CAP, value_parser = within(0, MAX_CAP), allow_negative_numbers = true)]
    cap: u64,
}

impl Certificate {
    pub fn run(&self, out: &mut Output<impl Write>) -> Result<(), Failure> {
        let config = self.config.config()?;
        let certificate = certificate(&config, &self.start.state(&config), self.cap);
        Ok(out.row(Format::Json, &certificate)?)
    }
}
