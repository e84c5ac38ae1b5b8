//! The speed and the size that the project is held to: measured, and told as one table.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use anyhow::{Context, Result};
use clap::ValueEnum;
use serde_json::Value;
use xshell::cmd;

use crate::bundle::Build;
use crate::root;
use crate::size;
use crate::test::run_in_browser;
use crate::tools::Tools;

/// A part of the measurements that can be made alone.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// The engine on this machine
    Native,
    /// The engine as WASM in Chromium
    Wasm,
    /// The bundle in Chromium, as a reader meets it, and its size
    Page,
}

/// Takes the measurements and prints a line for each thing that is to be reached, then all that was measured.
pub fn bench(tools: &Tools, only: &[Part], arguments: &[String]) -> Result<()> {
    let runs = |part| only.is_empty() || only.contains(&part);
    let mut figures = Figures::default();
    if runs(Part::Native) {
        native(tools, arguments, &mut figures)?;
    }
    // What a browser is needed for is said to be missing where there is none.
    let mut missing = Vec::new();
    for (part, measure) in [
        (Part::Wasm, wasm as fn(&Tools, &mut Figures) -> Result<()>),
        (Part::Page, page),
    ] {
        if runs(part)
            && let Err(error) = measure(tools, &mut figures)
        {
            missing.push(format!("could not be measured here: {error:#}"));
        }
    }
    println!("\n{}", figures.listing());
    println!("{}", figures.table());
    missing.iter().for_each(|why| println!("{why}"));
    Ok(())
}

/// What criterion finds of `engine/benches`.
fn native(tools: &Tools, arguments: &[String], figures: &mut Figures) -> Result<()> {
    let start = SystemTime::now();
    let said = cmd!(
        tools.sh,
        "cargo bench --package engine --bench * -- --warm-up-time 1 --measurement-time 3 {arguments...}"
    )
    .read()?;
    println!("{said}");
    // What criterion does not time is counted.
    said.lines().for_each(|line| figures.hear("count", line));
    collect(&root().join("target/criterion"), start, figures)
}

/// What `engine/tests/speed.rs` tells from a worker in Chromium, built as readers get it.
fn wasm(tools: &Tools, figures: &mut Figures) -> Result<()> {
    tools.for_building()?;
    tools.for_browsing()?;
    let sh = tools.sh;
    run_in_browser(sh);
    let _patience = sh.push_env("WASM_BINDGEN_TEST_TIMEOUT", "300");
    let said = cmd!(
        sh,
        "cargo test --profile worker-release --package engine --no-default-features --target wasm32-unknown-unknown --test speed -- --nocapture"
    )
    .read()?;
    said.lines().for_each(|line| figures.hear("wasm", line));
    Ok(())
}

/// What `tests/src/bin/measure.rs` tells of the bundle, and the bundle's size.
fn page(tools: &Tools, figures: &mut Figures) -> Result<()> {
    tools.for_browsing()?;
    let bundle = Build::Release.bundle(tools)?;
    figures.put("page/gzip -9", size::first_visit(&bundle)? as f64, None);
    let sh = tools.sh;
    let _bundle = sh.push_env("BUNDLE", bundle);
    let said = cmd!(
        sh,
        "cargo run --quiet --package browser-tests --bin measure"
    )
    .read()?;
    said.lines().for_each(|line| figures.hear("page", line));
    Ok(())
}

/// All that was measured, by name.
#[derive(Default)]
struct Figures(BTreeMap<String, Figure>);

#[derive(Clone, Copy)]
struct Figure {
    /// Nanoseconds of one run, or a count of what the name says.
    value: f64,
    /// What one run gets done, where it is said: states, events, cells.
    elements: Option<f64>,
}

impl Figure {
    /// Millions of elements a second.
    fn rate(self) -> Option<f64> {
        Some(self.elements? / self.value * 1e3)
    }
}

/// What is to be reached of one kind of work.
struct Goal {
    work: &'static str,
    target: &'static str,
    /// What was measured, in words, and whether it is enough.
    measure: fn(&Figures) -> Option<(String, bool)>,
}

/// The table of what is to be reached.
const GOALS: &[Goal] = &[
    Goal {
        work: "exploration, native, one thread",
        target: "10 times stateright's",
        measure: |figures| {
            let ours = figures.rate("native/explore/states")?;
            let theirs = figures.rate("native/explore/stateright")?;
            let times = ours / theirs;
            Some((
                format!("{ours:.2} M states/s, {times:.0} times {theirs:.2} M/s"),
                times >= 10.0,
            ))
        },
    },
    Goal {
        work: "its memory, the search for cycles included",
        target: "under 16 bytes a state",
        measure: |figures| figures.below("count/explore/bytes a state", 1.0, 16.0, "bytes"),
    },
    Goal {
        work: "exploration, WASM",
        target: "half of native",
        measure: |figures| {
            let wasm = figures.rate("wasm/explore/states")?;
            let share = wasm / figures.rate("native/explore/states")?;
            Some((
                format!("{wasm:.2} M states/s, {:.0}% of native", share * 100.0),
                share >= 0.5,
            ))
        },
    },
    Goal {
        work: "default basin map, WASM",
        target: "under 1 ms",
        // Told of a hundred of them.
        measure: |figures| figures.below("wasm/basin/100 times Q0 0..60", 1e8, 1.0, "ms"),
    },
    Goal {
        work: "256 x 256 cells, one axis Q0, WASM",
        target: "16 ms",
        measure: |figures| figures.worst("wasm/map/", |name| name.contains("q0"), 1e6, 16.0),
    },
    Goal {
        work: "256 x 256 cells, neither axis Q0, WASM",
        target: "500 ms",
        measure: |figures| figures.worst("wasm/map/", |name| !name.contains("q0"), 1e6, 500.0),
    },
    Goal {
        work: "256 x 256 cells, any axes, native",
        target: "8 ms",
        measure: |figures| figures.worst("native/map/", |_| true, 1e6, 8.0),
    },
    Goal {
        work: "ECS events, native",
        target: "5 M/s",
        measure: |figures| figures.slowest("native/ecs/", 5.0),
    },
    Goal {
        work: "ECS events, WASM",
        target: "2.5 M/s",
        measure: |figures| figures.slowest("wasm/ecs/", 2.5),
    },
    Goal {
        work: "ECS allocations in a steady state",
        target: "0",
        measure: |figures| figures.below("count/ecs/allocations", 1.0, 1.0, "in 60 simulated s"),
    },
    Goal {
        work: "playing four plots of 1,000 points",
        target: "8 ms of script a frame, 95th percentile",
        measure: |figures| figures.below("page/script a frame", 1.0, 8.0, "ms"),
    },
    Goal {
        work: "a first visit, gzip -9",
        target: "200 kB",
        measure: |figures| figures.below("page/gzip -9", 1e3, 200.0, "kB"),
    },
    Goal {
        work: "first picture, from this machine",
        target: "under 1 s",
        measure: |figures| figures.below("page/first picture", 1.0, 1e3, "ms"),
    },
    Goal {
        work: "longest task at a page's opening, of five pages",
        target: "50 ms",
        measure: |figures| figures.worst("page/opening ", |_| true, 1.0, 50.0),
    },
    Goal {
        work: "response to input",
        target: "under 1 s",
        measure: |figures| figures.below("page/response to input", 1.0, 1e3, "ms"),
    },
];

impl Figures {
    fn put(&mut self, name: impl Into<String>, value: f64, elements: Option<f64>) {
        self.0.insert(name.into(), Figure { value, elements });
    }

    /// Takes in a line such as `measured;WHAT;VALUE` or `measured;WHAT;VALUE;ELEMENTS`; others are not for it.
    fn hear(&mut self, part: &str, line: &str) {
        let Some((_, told)) = line.split_once("measured;") else {
            return;
        };
        let mut words = told.trim().split(';');
        let (Some(what), Some(Ok(value))) = (words.next(), words.next().map(str::parse)) else {
            return;
        };
        let elements = words.next().and_then(|word| word.parse().ok());
        self.put(format!("{part}/{what}"), value, elements);
    }

    fn rate(&self, name: &str) -> Option<f64> {
        self.0.get(name)?.rate()
    }

    /// Whether the figure, in the unit of which it counts `a_unit`, is below `most`.
    fn below(&self, name: &str, a_unit: f64, most: f64, unit: &str) -> Option<(String, bool)> {
        let value = self.0.get(name)?.value / a_unit;
        Some((format!("{value:.2} {unit}"), value < most))
    }

    /// The longest of the times whose names begin so and are wanted, where a millisecond counts so much, and whether it is
    /// within so many milliseconds.
    fn worst(
        &self,
        start: &str,
        is_wanted: fn(&str) -> bool,
        a_millisecond: f64,
        most: f64,
    ) -> Option<(String, bool)> {
        let wanted = self.named(start).filter(|(name, _)| is_wanted(name));
        let (name, figure) = wanted.max_by(|a, b| a.1.value.total_cmp(&b.1.value))?;
        let value = figure.value / a_millisecond;
        Some((format!("{value:.2} ms, the slowest: {name}"), value <= most))
    }

    /// The lowest of the rates whose names begin so, and whether it is at least so many millions a second.
    fn slowest(&self, start: &str, least: f64) -> Option<(String, bool)> {
        let rates = self
            .named(start)
            .filter_map(|(name, figure)| Some((name, figure.rate()?)));
        let (name, rate) = rates.min_by(|a, b| a.1.total_cmp(&b.1))?;
        Some((format!("{rate:.2} M/s, the slowest: {name}"), rate >= least))
    }

    fn named<'f>(&'f self, start: &'f str) -> impl Iterator<Item = (&'f str, Figure)> {
        let figures = self.0.iter();
        figures.filter_map(move |(name, &figure)| Some((name.strip_prefix(start)?, figure)))
    }

    /// Everything that was timed, with its rate.
    fn listing(&self) -> String {
        let is_timed = |name: &str| !name.starts_with("page/") && !name.starts_with("count/");
        let timed = self.0.iter().filter(|(name, _)| is_timed(name));
        let rows = timed.map(|(name, figure)| {
            let rate = figure.rate();
            let rate = rate.map_or_else(String::new, |rate| format!("{rate:.2} M/s"));
            [name.clone(), time(figure.value), rate]
        });
        align(["benchmark", "time", "rate"].map(str::to_owned), rows)
    }

    fn table(&self) -> String {
        let rows = GOALS.iter().map(|goal| {
            let (measured, verdict) = match (goal.measure)(self) {
                None => ("not measured".to_owned(), ""),
                Some((measured, true)) => (measured, "met"),
                Some((measured, false)) => (measured, "NOT MET"),
            };
            [
                goal.work.to_owned(),
                goal.target.to_owned(),
                measured,
                verdict.to_owned(),
            ]
        });
        align(
            ["work", "to reach", "measured", ""].map(str::to_owned),
            rows,
        )
    }
}

/// A table with its columns under each other.
fn align<const N: usize>(head: [String; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let rows: Vec<_> = std::iter::once(head).chain(rows).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<_> = (0..N).map(|column| width(column).unwrap_or(0)).collect();
    let lines = rows.iter().map(|row| {
        let cells = row.iter().zip(&widths);
        let cells = cells.map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    });
    lines.collect()
}

/// Reads what criterion has written below `folder` since `start`.
fn collect(folder: &Path, start: SystemTime, figures: &mut Figures) -> Result<()> {
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
            let name = benchmark["full_id"]
                .as_str()
                .context("a benchmark without a name")?;
            let mean = read(&estimates)?["mean"]["point_estimate"]
                .as_f64()
                .context("a benchmark without a mean")?;
            let elements = benchmark["throughput"]["Elements"].as_f64();
            figures.put(format!("native/{name}"), mean, elements);
        } else {
            collect(&path, start, figures)?;
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

#[cfg(test)]
mod tests {
    use super::{Figures, GOALS, time};

    #[test]
    fn times_are_told_in_the_unit_that_fits() {
        assert_eq!(time(12.0), "12.00 ns");
        assert_eq!(time(3_400_000.0), "3.40 ms");
        assert_eq!(time(61e9), "61.00 s");
    }

    #[test]
    fn every_goal_has_its_line_whether_it_was_measured_or_not() {
        let table = Figures::default().table();
        assert_eq!(table.lines().count(), GOALS.len() + 1);
        assert_eq!(table.matches("not measured").count(), GOALS.len());
    }

    #[test]
    fn a_goal_is_met_or_not_by_what_was_heard() {
        let mut figures = Figures::default();
        figures.hear("native", "measured;explore/states;1000000;5000");
        figures.hear("native", "noise measured;explore/stateright;1000000;400");
        figures.hear("wasm", "measured;map/q0 x b;17000000;65536");
        figures.hear("wasm", "measured;map/s x t;499000000;65536");
        figures.hear("wasm", "not a figure");
        figures.hear("page", "measured;opening #/why;50.40");
        figures.hear("page", "measured;opening #/ecs;31.00");
        let line = |work: &str| {
            let table = figures.table();
            let line = table.lines().find(|line| line.starts_with(work));
            line.expect("it has a line").to_owned()
        };
        let explored = line("exploration, native");
        assert!(
            explored.contains("5.00 M states/s, 12 times 0.40 M/s"),
            "{explored}"
        );
        assert!(explored.ends_with("met"));
        assert!(line("256 x 256 cells, one axis").ends_with("NOT MET"));
        assert!(line("256 x 256 cells, neither").contains("499.00 ms, the slowest: s x t"));
        let opened = line("longest task at a page's opening");
        assert!(
            opened.contains("50.40 ms, the slowest: #/why") && opened.ends_with("NOT MET"),
            "{opened}"
        );
        assert!(line("exploration, WASM").ends_with("not measured"));
    }
}
