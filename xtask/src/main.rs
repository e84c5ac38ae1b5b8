//! Chores: set-up, serving, testing, building.
fn main() {}
