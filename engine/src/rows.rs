//! Rows as JSON lines or as CSV: what the command prints, and what readers of the page take away.

use serde::Serialize;
use serde_json::Value;
use std::io::{self, Write};

/// How rows are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Format {
    /// One JSON object a line.
    #[default]
    Json,
    /// A header, then one line a row; `null` is an empty cell.
    Csv,
}

/// Where rows go. Buffered: nothing is written before the first row, so that a refused input writes nothing.
#[derive(Debug)]
pub struct Output<W: Write> {
    writer: io::BufWriter<W>,
    wrote_header: bool,
}

impl<W: Write> Output<W> {
    /// Nothing is written to `writer` yet.
    pub fn new(writer: W) -> Self {
        Self {
            writer: io::BufWriter::new(writer),
            wrote_header: false,
        }
    }

    /// The writer, with what is still buffered.
    pub fn into_inner(self) -> io::BufWriter<W> {
        self.writer
    }

    /// Writes one row, a struct; its fields keep their order. For CSV, rows after the first have the same fields.
    ///
    /// # Errors
    /// What the writer reports.
    ///
    /// # Panics
    /// When a row for CSV is not a struct.
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

/// All of `rows` as one text.
#[must_use]
pub fn text<R: Serialize>(format: Format, rows: impl IntoIterator<Item = R>) -> String {
    let mut output = Output::new(Vec::new());
    for row in rows {
        output
            .row(format, &row)
            .expect("a buffer takes whatever is written");
    }
    let bytes = output.into_inner().into_inner();
    String::from_utf8(bytes.expect("as above")).expect("JSON and CSV are text")
}

/// A table as CSV: its heads, then its rows.
#[must_use]
pub fn table<'a>(rows: impl IntoIterator<Item = &'a [String]>) -> String {
    rows.into_iter()
        .map(|row| {
            let cells: Vec<_> = row.iter().map(|cell| quoted(cell)).collect();
            format!("{}\n", cells.join(","))
        })
        .collect()
}

/// A CSV cell.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => quoted(text),
        other => quoted(&other.to_string()),
    }
}

/// The text of a cell, in quotation marks where it would be taken for several.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Row {
        name: &'static str,
        count: Option<u64>,
        callers: Vec<u8>,
    }

    const ROWS: [Row; 2] = [
        Row {
            name: "a, \"b\"",
            count: None,
            callers: Vec::new(),
        },
        Row {
            name: "c",
            count: Some(2),
            callers: Vec::new(),
        },
    ];

    #[test]
    fn a_row_of_csv_has_as_many_cells_as_the_header() {
        assert_eq!(
            text(Format::Csv, ROWS),
            "name,count,callers\n\"a, \"\"b\"\"\",,[]\nc,2,[]\n"
        );
        let both = Row {
            name: "d",
            count: None,
            callers: vec![1, 2],
        };
        assert!(text(Format::Csv, [both]).ends_with("d,,\"[1,2]\"\n"));
    }

    #[test]
    fn json_has_an_object_a_line() {
        let json = text(Format::Json, ROWS);
        let last: Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
        assert_eq!(last["count"], 2);
    }

    #[test]
    fn a_table_is_written_with_its_heads() {
        let rows = [["Round", "qf"], ["1", "1,200"]].map(|row| row.map(str::to_owned));
        let rows = rows.iter().map(<[String; 2]>::as_slice);
        assert_eq!(table(rows), "Round,qf\n1,\"1,200\"\n");
    }
}
