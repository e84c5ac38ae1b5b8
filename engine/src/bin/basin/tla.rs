//! `basin tla`: the composed system for TLC or Apalache.

use crate::Failure;
use crate::retrier_server::{ConfigArgs, StartArgs};
use clap::Args;
use engine::retrier_server::tla::export;
use engine::rows::{Format, Output};
use serde::Serialize;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

/// Writes Compose.tla and Compose.cfg, which check PAcct, Bounded (backlog at most 50) and stabilization.
#[derive(Args)]
pub struct Tla {
    /// The folder to write into; made if it is missing
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    config: ConfigArgs,
    #[command(flatten)]
    start: StartArgs,
    /// No fresh arrivals
    #[arg(long)]
    quiet: bool,
}

#[derive(Serialize)]
struct Row {
    module: PathBuf,
    config: PathBuf,
}

impl Tla {
    pub fn run(&self, out: &mut Output<impl Write>) -> Result<(), Failure> {
        let mut config = self.config.config()?;
        config.quiet = self.quiet;
        let export = export(&config, &self.start.state(&config))?;
        let row = Row {
            module: self.out.join("Compose.tla"),
            config: self.out.join("Compose.cfg"),
        };
        fs::create_dir_all(&self.out)?;
        fs::write(&row.module, export.module)?;
        fs::write(&row.config, export.config)?;
        Ok(out.row(Format::Json, &row)?)
    }
}
