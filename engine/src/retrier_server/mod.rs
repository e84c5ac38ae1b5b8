//! The retrier and the server: a client that retries what it believes late, a server that splits its
//! capacity between fresh and duplicate work, and the storm that neither is to blame for.
//!
//! [`Config`] holds the parameters and the laws, [`State`] one state; [`Config::retrier`] and
//! [`Config::server`] are the two steps that make a round. [`Run`] plays them, [`judge`] decides where a start
//! leads, and [`trap`] holds the region that no run leaves.

mod address;
mod certificate;
pub mod clients;
mod config;
mod contracts;
mod counterexample;
mod decide;
mod explored;
mod fault;
mod gate;
mod isolated;
mod law;
mod map;
pub mod overflow;
mod run;
mod state;
pub mod tla;
mod trace;
pub mod trap;
mod verdict;

pub use certificate::{
    Certificate, Evidence, GraphCertificate, Ranked, RunCertificate, certificate,
};
pub use config::{Config, MAX_BACKLOG, MAX_PARAMETER, Service};
pub use contracts::{
    Clause, Component, Ledger, Side, Standing, Standings, Violation, standing_of, values,
};
pub use counterexample::{Counterexample, Kind, Property, Search, counterexample};
pub use decide::{DecidingRun, Drain, End, MAX_ROUNDS, deciding_run};
pub use explored::{Composition, DEFAULT_CAP, Exploration, MAX_CAP, explore_from};
pub use fault::Fault;
pub use gate::{Breaker, Gate, GateState, TokenBucket};
pub use isolated::{Alone, DEFAULT_ISOLATED_CAP, Finding, IsolatedCheck, MAX_ISOLATED_CAP};
pub use law::{Law, LawOutcome, Price, Rescue, compare_laws};
pub use map::{Axis, Boundary, Cell, MAX_MAP_CELLS, Map, MapJob, Scale, Share};
pub use run::{Arrivals, Change, Event, MAX_EVENTS, MAX_RUN_ROUNDS, Plan, Point, Run, Step};
pub use state::{State, Turn};
pub use trace::{ContractRow, TraceRow, contract_trace, trace};
pub use verdict::{
    Judgement, Phase, Proof, Verdict, judge, judge_by_runs, judge_range, judge_range_by_runs,
    phase, phase_by_runs, verdict,
};
