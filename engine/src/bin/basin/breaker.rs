//! `basin breaker`: the circuit breaker's model.

use crate::Failure;
use crate::within::within;
use clap::{Args, Subcommand, ValueEnum};
use engine::breaker::{
    self, Action, Caller, Check, Config, Fairness, LivenessCheck, MAX_CALLERS, MAX_MAX_FAILURES,
    MAX_MAX_OPEN_TICKS, State, schedule_rows,
};
use engine::explore::Trail;
use engine::rows::{Format, Output};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::io::Write;

#[derive(Args)]
pub struct Breaker {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Explore a design to the end: states, depth, invariants, liveness, and what breaks them.
    Check(CheckArgs),
    /// Play a schedule of actions on both designs: one line a design and step. A refused step changes nothing.
    Play(PlayArgs),
}

#[derive(Args)]
struct PlayArgs {
    #[command(flatten)]
    bounds: Bounds,
    /// The actions in order, as in the page's address: failure:1;trip:1;tick;tick;elapse;probe:1;probe:2
    /// [default: none, which shows the start]
    #[arg(
        long = "do",
        value_name = "ACTIONS",
        default_value = "",
        hide_default_value = true
    )]
    schedule: String,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Args)]
struct CheckArgs {
    /// The design: naive lets any caller start a probe, hardened one at a time
    #[arg(long, value_enum)]
    variant: Variant,
    #[command(flatten)]
    bounds: Bounds,
    /// How to print: JSON is one object, CSV one line a property
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The bounds of the model.
#[derive(Args)]
struct Bounds {
    /// Concurrent callers, 1 to 6
    #[arg(long, default_value_t = 2, value_parser = within(1, MAX_CALLERS.into()), allow_negative_numbers = true)]
    callers: u64,
    /// Failures in a row that open the breaker, 1 to 1000
    #[arg(long, default_value_t = 2, value_parser = within(1, MAX_MAX_FAILURES.into()), allow_negative_numbers = true)]
    max_failures: u64,
    /// Ticks before an open breaker's timer can elapse, 0 to 1000
    #[arg(long, default_value_t = 2, value_parser = within(0, MAX_MAX_OPEN_TICKS.into()), allow_negative_numbers = true)]
    max_open_ticks: u64,
}

#[derive(Clone, Copy, ValueEnum)]
enum Variant {
    Naive,
    Hardened,
}

impl From<Variant> for breaker::Variant {
    fn from(variant: Variant) -> Self {
        match variant {
            Variant::Naive => breaker::Variant::Naive,
            Variant::Hardened => breaker::Variant::Hardened,
        }
    }
}

impl Bounds {
    fn config(&self, variant: breaker::Variant) -> Config {
        Config {
            variant,
            // Within their ranges, which are those of these types.
            callers: self.callers as u8,
            max_failures: self.max_failures as u16,
            max_open_ticks: self.max_open_ticks as u16,
        }
    }
}

/// A state and the step that led to it; neither action nor caller for the initial state.
#[derive(Serialize)]
struct Entry {
    action: Option<&'static str>,
    caller: Option<Caller>,
    state: State,
}

fn entries(trail: &Trail<State, Action>) -> Vec<Entry> {
    let first = Entry {
        action: None,
        caller: None,
        state: trail.first,
    };
    let steps = trail.steps.iter().map(|&(action, state)| Entry {
        action: Some(action.name()),
        caller: action.caller(),
        state,
    });
    std::iter::once(first).chain(steps).collect()
}

#[derive(Serialize)]
struct Report {
    variant: breaker::Variant,
    callers: u8,
    max_failures: u16,
    max_open_ticks: u16,
    states: usize,
    depth: usize,
    invariants: Map<String, Value>,
    violates: Option<&'static str>,
    counterexample: Option<Vec<Entry>>,
    fairness: &'static str,
    liveness: Map<String, Value>,
    liveness_without_fairness: Map<String, Value>,
    lassos: Vec<Value>,
}

/// One line of CSV.
#[derive(Serialize)]
struct Row {
    variant: breaker::Variant,
    callers: u8,
    max_failures: u16,
    max_open_ticks: u16,
    states: usize,
    depth: usize,
    property: &'static str,
    fairness: Option<&'static str>,
    verdict: &'static str,
    /// States of the counterexample, the initial one counted, or of a lasso's stem and cycle.
    length: Option<usize>,
}

fn verdict(holds: bool) -> &'static str {
    if holds { "holds" } else { "violated" }
}

impl Report {
    fn new(check: &Check) -> Self {
        let config = check.config;
        let counterexample = check.counterexample();
        let invariants = check.invariants.iter();
        let liveness = |fairness| {
            let checks = check
                .liveness
                .iter()
                .filter(move |c| c.fairness == fairness);
            checks
                .map(|c| (c.property.name().into(), verdict(c.lasso.is_none()).into()))
                .collect()
        };
        Self {
            variant: config.variant,
            callers: config.callers,
            max_failures: config.max_failures,
            max_open_ticks: config.max_open_ticks,
            states: check.states,
            depth: check.depth,
            invariants: invariants
                .map(|(invariant, broken)| {
                    (invariant.name().into(), verdict(broken.is_none()).into())
                })
                .collect(),
            violates: counterexample.map(|(invariant, _)| invariant.name()),
            counterexample: counterexample.map(|(_, trail)| entries(trail)),
            fairness: Fairness::Weak.statement(),
            liveness: liveness(Fairness::Weak),
            liveness_without_fairness: liveness(Fairness::None),
            lassos: check.liveness.iter().filter_map(lasso).collect(),
        }
    }
}

/// A lasso: the cycle is the states from `cycle_start` on, then by `back` to that one again. Without `back` the run stops
/// in its last state.
fn lasso(check: &LivenessCheck) -> Option<Value> {
    let lasso = check.lasso.as_ref()?;
    let mut trail = lasso.stem.clone();
    let cycle_start = trail.length() - 1;
    trail.steps.extend(&lasso.cycle);
    let back = (!lasso.cycle.is_empty())
        .then(|| trail.steps.pop())
        .flatten()
        .map(|(action, _)| json!({"action": action.name(), "caller": action.caller()}));
    Some(json!({
        "property": check.property.name(),
        "fairness": check.fairness.name(),
        "cycle_start": cycle_start,
        "states": entries(&trail),
        "back": back,
    }))
}

fn rows(check: &Check) -> impl Iterator<Item = Row> {
    let config = check.config;
    let row = move |property, fairness, length: Option<usize>| Row {
        variant: config.variant,
        callers: config.callers,
        max_failures: config.max_failures,
        max_open_ticks: config.max_open_ticks,
        states: check.states,
        depth: check.depth,
        property,
        fairness,
        verdict: verdict(length.is_none()),
        length,
    };
    let invariants = check.invariants.iter().map(move |(invariant, broken)| {
        row(invariant.name(), None, broken.as_ref().map(Trail::length))
    });
    let liveness = check.liveness.iter().map(move |c| {
        let length = c
            .lasso
            .as_ref()
            .map(|lasso| lasso.stem.length() + lasso.cycle.len().saturating_sub(1));
        row(c.property.name(), Some(c.fairness.name()), length)
    });
    invariants.chain(liveness)
}

impl Breaker {
    pub fn run(&self, out: &mut Output<impl Write>) -> Result<(), Failure> {
        match &self.command {
            Command::Check(args) => args.run(out),
            Command::Play(args) => args.run(out),
        }
    }
}

impl PlayArgs {
    fn run(&self, out: &mut Output<impl Write>) -> Result<(), Failure> {
        let config = self.bounds.config(breaker::Variant::Naive);
        config.validate()?;
        let schedule = config.read_schedule(&self.schedule)?;
        for row in schedule_rows(config, &schedule) {
            out.row(self.format, &row)?;
        }
        Ok(())
    }
}

impl CheckArgs {
    fn run(&self, out: &mut Output<impl Write>) -> Result<(), Failure> {
        let check = breaker::check(self.bounds.config(self.variant.into()))?;
        match self.format {
            Format::Json => out.row(self.format, &Report::new(&check))?,
            Format::Csv => {
                for row in rows(&check) {
                    out.row(self.format, &row)?;
                }
            }
        }
        Ok(())
    }
}
