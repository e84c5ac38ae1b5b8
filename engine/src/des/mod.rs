//! A discrete-event core, usable on its own.
//!
//! A system is a [graph](Graph) of *logic nodes*, which decide where work goes next and take no time, and *processors*,
//! which take time: a [`Line`] queues for permits, a [`Shared`] processor divides its cores among all who run on it, a
//! delay lets a given time pass. One [`Calendar`] drives all of it. A model implements [`Logic`]; a [`Run`] carries it
//! through time, applies a script of timed changes and asks for a sample at a fixed interval.
//!
//! The same seed and script give the same run, bit for bit, on every machine and in WebAssembly: times are whole
//! nanoseconds, ties fall in the order of scheduling, and reals use only the basic operations of IEEE 754 and the
//! portable `libm`. In a steady state nothing is allocated: events, tasks and queues live in storage that is reused.

mod calendar;
mod graph;
mod heap;
mod lanes;
mod level;
mod line;
mod random;
mod run;
mod shared;
mod time;

pub use calendar::{Appointment, Calendar, Lane};
pub use graph::{Context, Graph, Kind, NodeId, TaskId};
pub use level::Level;
pub use line::Line;
pub use random::{Stream, Streams};
pub use run::{Logic, Run};
pub use shared::Shared;
pub use time::Time;
