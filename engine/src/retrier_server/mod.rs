//! The retrier and the server: a client that retries what it believes late, a server that splits its
//! capacity between fresh and duplicate work, and the storm that neither is to blame for.
//!
//! [`Config`] holds the parameters and the laws, [`State`] one state; [`Config::retrier`] and
//! [`Config::server`] are the two steps that make a round. [`Run`] plays them, [`judge`] decides where a start
//! leads, and [`trap`] holds the region that no run leaves.

mod config;
mod decide;
mod explored;
mod gate;
mod run;
mod state;
pub mod trap;
mod verdict;

pub use config::{Config, MAX_BACKLOG, MAX_PARAMETER, Service};
pub use decide::{DecidingRun, End, MAX_ROUNDS, deciding_run};
pub use explored::{Composition, DEFAULT_CAP, Exploration, MAX_CAP, explore_from};
pub use gate::{Breaker, Gate, GateState, TokenBucket};
pub use run::{Arrivals, Change, Event, MAX_RUN_ROUNDS, Plan, Point, Run, Step};
pub use state::{State, Turn};
pub use verdict::{Judgement, Phase, Proof, Verdict, judge, judge_range, phase};
