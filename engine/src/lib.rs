//! The models, the explorer and the simulation behind the metastability dashboard.
//!
//! Pure Rust: no browser, no clock, no global state, no `unsafe`. Models are values and a step is a
//! function of a state, so whatever the page shows can be computed again from the command line.

pub mod breaker;
pub mod des;
pub mod ecs;
pub mod explore;
mod field_error;
pub mod liveness;
pub mod per_request;
pub mod query;
pub mod retrier_server;
pub mod rows;
pub mod scenario_file;

pub use field_error::FieldError;
