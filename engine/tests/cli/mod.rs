//! The `basin` command, as its tests call it.

use serde_json::Value;
use std::process::{Command, Output};

/// Runs the command to its end.
pub fn basin(arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_basin"))
        .args(arguments.split_whitespace())
        .output()
        .unwrap()
}

/// Runs the command, which must succeed, and reads a JSON value from each line.
pub fn rows(arguments: &str) -> Vec<Value> {
    let output = basin(arguments);
    assert!(output.status.success(), "basin {arguments}: {output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}
