//! The dashboard: views of what the engine computes, and what the page and its worker share.
//!
//! Data flows one way: what the reader sets, to the engine, to a run, to the figures and words.

#[cfg(feature = "page")]
pub mod address;
#[cfg(feature = "page")]
pub mod embed;
#[cfg(feature = "page")]
pub mod later;
#[cfg(feature = "page")]
pub mod pages;
#[cfg(feature = "page")]
pub mod parameters;
#[cfg(feature = "page")]
pub mod plots;
#[cfg(feature = "page")]
pub mod program;
#[cfg(feature = "page")]
pub mod route;
#[cfg(feature = "page")]
pub mod share;
#[cfg(feature = "page")]
pub mod shell;
#[cfg(feature = "page")]
pub mod sight;
#[cfg(feature = "page")]
pub mod size;
pub mod study;
#[cfg(feature = "page")]
pub mod text;
#[cfg(feature = "page")]
pub mod theme;
#[cfg(feature = "page")]
pub mod ui;
pub mod worker;
