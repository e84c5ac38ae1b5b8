//! `basin trace`: one run, state by state.

use crate::Failure;
use crate::output::{Format, Output};
use crate::retrier_server::{ConfigArgs, StartArgs};
use crate::within::within;
use clap::Args;
use engine::FieldError;
use engine::retrier_server::{Arrivals, Gate, MAX_RUN_ROUNDS, Plan, Point, Step, Turn};
use serde::Serialize;
use std::io::Write;

#[derive(Args)]
pub struct Trace {
    #[command(flatten)]
    plan: PlanArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The run that a command plays.
#[derive(Args)]
pub struct PlanArgs {
    #[command(flatten)]
    config: ConfigArgs,
    #[command(flatten)]
    start: StartArgs,
    /// Rounds to play, 0 to 100000 [default: 20, or as many as a list has entries]
    #[arg(long, value_parser = within(0, MAX_RUN_ROUNDS), allow_negative_numbers = true)]
    rounds: Option<u64>,
    /// Fresh arrivals: max, zero, random:SEED, or a list such as 0,2,1 with an entry a round [default: max]
    #[arg(long)]
    arrivals: Option<String>,
    /// No fresh arrivals; the same as --arrivals zero
    #[arg(long)]
    quiet: bool,
}

#[derive(Serialize)]
struct Row {
    round: u64,
    turn: Turn,
    qf: u64,
    qd: u64,
    done: u64,
    p: u64,
    flux: u64,
    /// Retries that were due when the step that made this state began, those held back counted. Only with a gate.
    #[serde(skip_serializing_if = "Option::is_none")]
    due: Option<u64>,
    /// What the gate remembers. Only with a gate.
    #[serde(skip_serializing_if = "Option::is_none")]
    gate: Option<String>,
}

impl Row {
    /// The row of `point`, which `before` precedes.
    fn new(before: Option<&Point>, point: &Point) -> Self {
        let state = point.state;
        let is_gated = point.config.gate != Gate::None;
        let due = match (point.step, before) {
            (Step::Retrier { .. }, Some(before)) => point.config.raw_flux(&before.state),
            _ => 0,
        };
        Row {
            round: point.round,
            turn: state.turn,
            qf: state.qf,
            qd: state.qd,
            done: state.done,
            p: state.p,
            flux: point.flux(),
            due: is_gated.then_some(due),
            gate: is_gated.then(|| state.gate.to_string()),
        }
    }
}

impl Trace {
    pub fn run(&self, out: &mut Output<impl Write>) -> Result<(), Failure> {
        let run = self.plan.plan()?.play()?;
        let points = run.points();
        let befores = std::iter::once(None).chain(points.iter().map(Some));
        for (before, point) in befores.zip(points) {
            out.row(self.format, &Row::new(before, point))?;
        }
        Ok(())
    }
}

impl PlanArgs {
    /// The plan, its configuration checked.
    pub fn plan(&self) -> Result<Plan, FieldError> {
        let arrivals = match &self.arrivals {
            None => Arrivals::Max,
            Some(text) => text.parse()?,
        };
        if self.quiet && self.arrivals.is_some() && arrivals != Arrivals::Zero {
            return Err(FieldError::new(
                "arrivals",
                arrivals,
                "zero, or left out, beside --quiet",
            ));
        }
        let rounds = match (self.rounds, &arrivals) {
            (Some(rounds), _) => rounds,
            (None, Arrivals::List(list)) => list.len() as u64,
            (None, _) => 20,
        };
        Ok(Plan {
            config: self.config.config()?,
            q0: self.start.q0,
            qd0: self.start.qd,
            arrivals: if self.quiet { Arrivals::Zero } else { arrivals },
            rounds,
            events: Vec::new(),
        })
    }
}
