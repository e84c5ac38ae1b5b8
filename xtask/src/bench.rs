//! The engine's speed, as one table.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use anyhow::{Context, Result};
use serde_json::Value;
use xshell::cmd;

use crate::root;
use crate::tools::Tools;

/// Runs the benchmarks of `engine/benches` and prints a line for each that ran.
pub fn bench(tools: &Tools, arguments: &[String]) -> Result<()> {
    let start = SystemTime::now();
    cmd!(
        tools.sh,
        "cargo bench --package engine --bench * -- {arguments...}"
    )
    .run()?;

    let mut rows = Vec::new();
    collect(&root().join("target/criterion"), start, &mut rows)?;
    rows.sort_by(|a, b| a.name.cmp(&b.name));
    let width = rows
        .iter()
        .map(|row| row.name.len())
        .max()
        .unwrap_or_default();
    println!("\n{:<width$} {:>12} {:>16}", "benchmark", "time", "rate");
    for row in rows {
        println!(
            "{:<width$} {:>12} {:>16}",
            row.name,
            time(row.nanoseconds),
            rate(&row)
        );
    }
    Ok(())
}

struct Row {
    name: String,
    /// The mean of one run.
    nanoseconds: f64,
    /// What one run gets done, where the benchmark says so: states, events, cells.
    elements: Option<f64>,
}

/// Reads what criterion has written below `folder` since `start`.
fn collect(folder: &Path, start: SystemTime, rows: &mut Vec<Row>) -> Result<()> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(());
    };
    for entry in entries {
        let path = entry?.path();
        if !path.is_dir() {
            continue;
        }
        let estimates = path.join("estimates.json");
        let is_new = path.ends_with("new")
            && fs::metadata(&estimates)
                .is_ok_and(|data| data.modified().is_ok_and(|at| at >= start));
        if is_new {
            let benchmark = read(&path.join("benchmark.json"))?;
            rows.push(Row {
                name: benchmark["full_id"]
                    .as_str()
                    .context("a benchmark without a name")?
                    .to_owned(),
                nanoseconds: read(&estimates)?["mean"]["point_estimate"]
                    .as_f64()
                    .context("a benchmark without a mean")?,
                elements: benchmark["throughput"]["Elements"].as_f64(),
            });
        } else {
            collect(&path, start, rows)?;
        }
    }
    Ok(())
}

fn read(file: &Path) -> Result<Value> {
    let text =
        fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
    Ok(serde_json::from_str(&text)?)
}

fn time(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        ns if ns < 1e3 => (ns, "ns"),
        ns if ns < 1e6 => (ns / 1e3, "µs"),
        ns if ns < 1e9 => (ns / 1e6, "ms"),
        ns => (ns / 1e9, "s"),
    };
    format!("{value:.2} {unit}")
}

fn rate(row: &Row) -> String {
    row.elements.map_or_else(String::new, |elements| {
        format!("{:.2} M/s", elements / row.nanoseconds * 1e3)
    })
}

#[cfg(test)]
mod tests {
    use super::{Row, rate, time};

    #[test]
    fn times_are_told_in_the_unit_that_fits() {
        assert_eq!(time(12.0), "12.00 ns");
        assert_eq!(time(3_400_000.0), "3.40 ms");
        assert_eq!(time(61e9), "61.00 s");
    }

    #[test]
    fn a_rate_is_what_gets_done_in_a_second() {
        let row = Row {
            name: String::new(),
            nanoseconds: 1e9,
            elements: Some(5e6),
        };
        assert_eq!(rate(&row), "5.00 M/s");
    }
}
