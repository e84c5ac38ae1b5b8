//! `basin contracts`: each component's rely and guarantee at every step of a run.

use crate::Failure;
use crate::output::{Format, Output};
use crate::trace::PlanArgs;
use clap::Args;
use engine::retrier_server::{
    Clause, Component, Ledger, Side, Standing, Standings, Turn, standing_of,
};
use serde::Serialize;
use std::io::Write;

/// The standing of each contract and of each of its clauses: "holds", "vacuous" (its condition is false, so it promises
/// nothing), "violated", or null where the step has no part in it.
#[derive(Args)]
pub struct Contracts {
    #[command(flatten)]
    plan: PlanArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Serialize)]
struct Row {
    round: u64,
    turn: Turn,
    qf: u64,
    qd: u64,
    done: u64,
    p: u64,
    retrier_rely: Option<Standing>,
    retrier_guarantee: Option<Standing>,
    server_rely: Option<Standing>,
    server_guarantee: Option<Standing>,
    service: Option<Standing>,
    acks: Option<Standing>,
    accounting: Option<Standing>,
    retries: Option<Standing>,
    growth: Option<Standing>,
    arrivals: Option<Standing>,
    flux: Option<Standing>,
    basin: Option<Standing>,
    /// Who broke the first clause broken at this step.
    violated_by: Option<Component>,
}

impl Contracts {
    pub fn run(&self, out: &mut Output<impl Write>) -> Result<(), Failure> {
        let run = self.plan.plan()?.play()?;
        let ledger = Ledger::of(&run);
        for (point, standings) in run.points().iter().zip(ledger.steps()) {
            let [
                service,
                acks,
                accounting,
                retries,
                growth,
                arrivals,
                flux,
                basin,
            ] = *standings;
            let of = |component, side| standing_of(standings, component, side);
            let state = point.state;
            out.row(
                self.format,
                &Row {
                    round: point.round,
                    turn: state.turn,
                    qf: state.qf,
                    qd: state.qd,
                    done: state.done,
                    p: state.p,
                    retrier_rely: of(Component::Retrier, Side::Rely),
                    retrier_guarantee: of(Component::Retrier, Side::Guarantee),
                    server_rely: of(Component::Server, Side::Rely),
                    server_guarantee: of(Component::Server, Side::Guarantee),
                    service,
                    acks,
                    accounting,
                    retries,
                    growth,
                    arrivals,
                    flux,
                    basin,
                    violated_by: culprit(standings),
                },
            )?;
        }
        Ok(())
    }
}

fn culprit(standings: &Standings) -> Option<Component> {
    Clause::ALL
        .iter()
        .zip(standings)
        .find(|(_, standing)| **standing == Some(Standing::Violated))
        .map(|(clause, _)| clause.owed_by())
}
