//! A run, and the contracts along it, as rows, one a state.

use super::contracts::{Clause, Component, Ledger, Side, Standing, Standings, standing_of};
use super::gate::Gate;
use super::run::{Point, Run, Step};
use super::state::Turn;
use serde::Serialize;

/// One state of a run, its names those of the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TraceRow {
    /// The round that the state belongs to; the start is of round 0.
    pub round: u64,
    /// Who moves next.
    pub turn: Turn,
    /// Fresh requests queued.
    pub qf: u64,
    /// Duplicates queued.
    pub qd: u64,
    /// Fresh requests answered in the round.
    pub done: u64,
    /// The retrier's count of requests sent and not known to be answered.
    pub p: u64,
    /// Retries sent in the step that made the state.
    pub flux: u64,
    /// Retries that were due when that step began, those held back counted. Only with a gate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due: Option<u64>,
    /// What the gate remembers. Only with a gate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<String>,
}

/// The rows of `run`, from its start.
pub fn trace(run: &Run) -> impl Iterator<Item = TraceRow> {
    // With a gate at any point all rows have its columns, so that they make one table.
    let is_gated = run.points().iter().any(|p| p.config.gate != Gate::None);
    let points = run.points();
    let befores = std::iter::once(None).chain(points.iter().map(Some));
    befores
        .zip(points)
        .map(move |(before, point)| TraceRow::new(before, point, is_gated))
}

impl TraceRow {
    /// The row of `point`, which `before` precedes.
    fn new(before: Option<&Point>, point: &Point, is_gated: bool) -> Self {
        let state = point.state;
        let due = match (point.step, before) {
            (Step::Retrier { .. }, Some(before)) => point.config.raw_flux(&before.state),
            _ => 0,
        };
        Self {
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

/// One state of a run and how the contracts stand at the step that made it. A standing is absent where the step has no part
/// in what is promised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ContractRow {
    /// The round that the state belongs to.
    pub round: u64,
    /// Who moves next.
    pub turn: Turn,
    /// Fresh requests queued.
    pub qf: u64,
    /// Duplicates queued.
    pub qd: u64,
    /// Fresh requests answered in the round.
    pub done: u64,
    /// The retrier's count of requests sent and not known to be answered.
    pub p: u64,
    /// What the retrier relies on.
    pub retrier_rely: Option<Standing>,
    /// What the retrier guarantees.
    pub retrier_guarantee: Option<Standing>,
    /// What the server relies on.
    pub server_rely: Option<Standing>,
    /// What the server guarantees.
    pub server_guarantee: Option<Standing>,
    /// The clause of that name.
    pub service: Option<Standing>,
    /// The clause of that name.
    pub acks: Option<Standing>,
    /// The clause of that name.
    pub accounting: Option<Standing>,
    /// The clause of that name.
    pub retries: Option<Standing>,
    /// The clause of that name.
    pub growth: Option<Standing>,
    /// The clause of that name.
    pub arrivals: Option<Standing>,
    /// The clause of that name.
    pub flux: Option<Standing>,
    /// The clause of that name.
    pub basin: Option<Standing>,
    /// Who broke the first clause broken at this step.
    pub violated_by: Option<Component>,
}

/// The rows of `run`, whose contracts are judged in `ledger`, from its start.
pub fn contract_trace(run: &Run, ledger: &Ledger) -> impl Iterator<Item = ContractRow> {
    let steps = run.points().iter().zip(ledger.steps());
    steps.map(|(point, standings)| {
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
        ContractRow {
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
        }
    })
}

fn culprit(standings: &Standings) -> Option<Component> {
    Clause::ALL
        .iter()
        .zip(standings)
        .find(|(_, standing)| **standing == Some(Standing::Violated))
        .map(|(clause, _)| clause.owed_by())
}
