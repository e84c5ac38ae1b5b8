//! `basin map`: verdicts over two parameters.

use crate::Failure;
use crate::retrier_server::ConfigArgs;
use crate::within::within;
use clap::Args;
use engine::retrier_server::{DEFAULT_CAP, MAX_CAP, MAX_PARAMETER, Map as Plan, MapJob, Scale};
use engine::rows::{Format, Output};
use serde_json::{Value, json};
use std::io::Write;

/// Prints one object a cell, x fastest: the two axes by their names, and the verdict.
#[derive(Args)]
pub struct Map {
    /// The axis across: q0, qd0, s, amax, t or b, and its values, such as q0:0..60
    #[arg(long, value_name = "AXIS:A..B", value_parser = scale, allow_negative_numbers = true)]
    x: Scale,
    /// The axis upwards
    #[arg(long, value_name = "AXIS:A..B", value_parser = scale, allow_negative_numbers = true)]
    y: Scale,
    #[command(flatten)]
    config: ConfigArgs,
    /// Fresh requests queued and pending at the start, unless an axis, 0 to 2147483648
    #[arg(long, default_value_t = 18, value_parser = within(0, MAX_PARAMETER), allow_negative_numbers = true)]
    q0: u64,
    /// Duplicates queued at the start, unless an axis, 0 to 2147483648
    #[arg(long, default_value_t = 0, value_parser = within(0, MAX_PARAMETER), allow_negative_numbers = true)]
    qd: u64,
    /// Largest backlog explored where the law is not monotone, 0 to 1000000
    #[arg(long, default_value_t = DEFAULT_CAP, value_parser = within(0, MAX_CAP), allow_negative_numbers = true)]
    cap: u64,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

fn scale(text: &str) -> Result<Scale, String> {
    text.parse()
        .map_err(|error: engine::FieldError| format!("{error}"))
}

impl Map {
    pub fn run(&self, out: &mut Output<impl Write>) -> Result<(), Failure> {
        let mut job = MapJob::new(Plan {
            x: self.x,
            y: self.y,
            config: self.config.config()?,
            q0: self.q0,
            qd0: self.qd,
            cap: self.cap,
        })?;
        job.advance(usize::MAX);
        for (i, verdict) in job.cells().iter().enumerate() {
            let mut row = serde_json::Map::new();
            let (x, y) = (i % job.width(), i / job.width());
            row.insert(
                self.x.axis.name().into(),
                Value::from(self.x.low + x as u64),
            );
            row.insert(
                self.y.axis.name().into(),
                Value::from(self.y.low + y as u64),
            );
            row.insert("verdict".into(), json!(verdict));
            out.row(self.format, &row)?;
        }
        Ok(())
    }
}
