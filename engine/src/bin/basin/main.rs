//! `basin`: the engine from the command line.

fn main() {}
