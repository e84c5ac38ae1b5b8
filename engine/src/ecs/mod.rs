//! The execution control system (ECS) of a database, simulated.
//!
//! Tasks of unknown cost hold *tickets*, permits to run for a wall-clock window on shared cores. All start in the short
//! queue and are demoted to the long one when they prove long; full queues shed. A [policy](policy::Policy) sets the
//! tickets and the demotion threshold, an [admission control](admission::Admission) stands in front, and clients time
//! out and retry without the server knowing. The rules are those of the paper "Towards Designing an Execution Control
//! System with Metastability Resilience", filled in where it leaves room.
//!
//! A [`Config`] and a seed make a [`Simulation`]; it advances in slices, and its samples can be read as they come.

mod address;
pub mod admission;
mod config;
pub mod experiment;
mod model;
pub mod policy;
pub mod presets;
mod sample;
mod script;
mod simulation;

pub use config::{ClassConfig, Config, Cost, QueueConfig};
pub use model::{Class, Counters, Pair, Totals};
pub use sample::{Probe, Sample};
pub use script::{Change, Entry, Setting};
pub use simulation::{Flow, QueueSnapshot, Simulation, Snapshot, Summary, SummaryRow, mean};
