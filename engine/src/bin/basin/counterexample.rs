//! `basin counterexample`: a shortest run that breaks a property.

use crate::Failure;
use crate::retrier_server::{ConfigArgs, StartArgs};
use crate::within::within;
use clap::Args;
use engine::retrier_server::{
    DEFAULT_CAP, Kind, MAX_CAP, Property, Search, State, Turn, counterexample,
};
use engine::rows::{Format, Output};
use serde::Serialize;
use std::io::Write;

#[derive(Args)]
pub struct Counterexample {
    #[command(flatten)]
    config: ConfigArgs,
    #[command(flatten)]
    start: StartArgs,
    /// bounded:K (backlog at most K, 0 to 1000000), not-trapped (at round starts) or stabilization
    #[arg(long, allow_negative_numbers = true)]
    property: String,
    /// Largest backlog explored where the law is not monotone, 0 to 1000000
    #[arg(long, default_value_t = DEFAULT_CAP, value_parser = within(0, MAX_CAP), allow_negative_numbers = true)]
    cap: u64,
}

#[derive(Serialize)]
struct Row {
    property: String,
    found: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    complete: Option<bool>,
    #[serde(flatten)]
    run: Option<RunRow>,
}

#[derive(Serialize)]
struct RunRow {
    kind: &'static str,
    /// States, the initial one counted.
    length: usize,
    /// Whether it is proved that no run with fewer states breaks the property.
    shortest: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    cycle_start: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dominates: Option<usize>,
    states: Vec<StateRow>,
}

/// One state, as every listing of states prints it.
#[derive(Serialize)]
pub struct StateRow {
    turn: Turn,
    qf: u64,
    qd: u64,
    done: u64,
    p: u64,
}

impl From<&State> for StateRow {
    fn from(state: &State) -> Self {
        Self {
            turn: state.turn,
            qf: state.qf,
            qd: state.qd,
            done: state.done,
            p: state.p,
        }
    }
}

impl Counterexample {
    pub fn run(&self, out: &mut Output<impl Write>) -> Result<(), Failure> {
        let config = self.config.config()?;
        let property: Property = self.property.parse()?;
        let search = counterexample(&config, &self.start.state(&config), property, self.cap);
        let (complete, run) = match &search {
            Search::NotFound { complete } => (Some(*complete), None),
            Search::Found(run) => (
                None,
                Some(RunRow {
                    kind: run.kind.name(),
                    length: run.states.len(),
                    shortest: run.shortest,
                    cycle_start: match run.kind {
                        Kind::Lasso { cycle_start } => Some(cycle_start),
                        _ => None,
                    },
                    dominates: match run.kind {
                        Kind::Climb { dominates } => Some(dominates),
                        _ => None,
                    },
                    states: run.states.iter().map(StateRow::from).collect(),
                }),
            ),
        };
        let row = Row {
            property: property.to_string(),
            found: run.is_some(),
            complete,
            run,
        };
        Ok(out.row(Format::Json, &row)?)
    }
}
