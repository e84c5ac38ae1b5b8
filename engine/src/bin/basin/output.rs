//! Rows as JSON lines or as CSV.

use clap::ValueEnum;
use serde::Serialize;
use serde_json::Value;
use std::io::{self, Write};

/// How rows are written.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum Format {
    /// One JSON object a line.
    #[default]
    Json,
    /// A header, then one line a row; `null` is an empty cell.
    Csv,
}

/// Where rows go. Buffered: nothing is written before the first row, so that a refused input writes nothing.
pub struct Output<W: Write> {
    writer: io::BufWriter<W>,
    wrote_header: bool,
}

impl<W: Write> Output<W> {
    pub fn new(writer: W) -> Self {
        Self {
            writer: io::BufWriter::new(writer),
            wrote_header: false,
        }
    }

    pub fn into_inner(self) -> io::BufWriter<W> {
        self.writer
    }

    /// Writes one row, a flat struct for CSV; its fields keep their order.
    pub fn row(&mut self, format: Format, row: &impl Serialize) -> io::Result<()> {
        match format {
            Format::Json => {
                serde_json::to_writer(&mut self.writer, row)?;
                writeln!(self.writer)
            }
            Format::Csv => {
                let value = serde_json::to_value(row)?;
                let Value::Object(cells) = value else {
                    unreachable!("a row is a struct")
                };
                if !self.wrote_header {
                    let names: Vec<_> = cells.keys().cloned().collect();
                    writeln!(self.writer, "{}", names.join(","))?;
                    self.wrote_header = true;
                }
                let cells: Vec<_> = cells.values().map(cell).collect();
                writeln!(self.writer, "{}", cells.join(","))
            }
        }
    }
}

/// A CSV cell. Texts hold no quotation mark.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) if text.contains(',') => format!("\"{text}\""),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
