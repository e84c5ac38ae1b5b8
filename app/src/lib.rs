//! The dashboard: views of what the engine computes, and what the page and its worker share.
//!
//! Data flows one way: what the reader sets, to the engine, to a run, to the figures and words.

pub mod pages;
pub mod plots;
pub mod route;
pub mod shell;
pub mod study;
pub mod theme;
pub mod ui;
pub mod worker;
