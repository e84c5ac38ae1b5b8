//! `basin breaker`: what it prints, and how it refuses.
#![cfg(not(target_arch = "wasm32"))]

mod cli;

use cli::{basin, rows};
use serde_json::{Value, json};

fn check(arguments: &str) -> Value {
    let mut reports = rows(&format!("breaker check {arguments}"));
    assert_eq!(reports.len(), 1, "{arguments}");
    reports.remove(0)
}

const BOUND: &str = "--callers 2 --max-failures 2 --max-open-ticks 2";

#[test]
fn the_naive_design_comes_with_its_shortest_double_probe() {
    let report = check(&format!("--variant naive {BOUND}"));
    assert_eq!(report["variant"], "naive");
    assert_eq!(
        (&report["states"], &report["depth"]),
        (&json!(9), &json!(7))
    );
    assert_eq!(
        report["invariants"],
        json!({
            "TypeOK": "holds",
            "NoDoubleProbe": "violated",
            "NoOrphanReservation": "holds",
            "ProbeAcceptedIsBounded": "violated",
        })
    );
    let run = report["counterexample"].as_array().unwrap();
    assert_eq!(run.len(), 8);
    assert_eq!(
        run[0],
        json!({
            "action": null,
            "caller": null,
            "state": {
                "state": "Closed", "failureCount": 0, "openTicks": 0, "probeInflight": false,
                "probesAccepted": 0, "callerActive": [],
            },
        })
    );
    assert_eq!(
        run[7],
        json!({
            "action": "HalfOpenProbeStart",
            "caller": 2,
            "state": {
                "state": "HalfOpen", "failureCount": 2, "openTicks": 2, "probeInflight": true,
                "probesAccepted": 2, "callerActive": [1, 2],
            },
        })
    );
}

#[test]
fn the_hardened_design_holds_and_its_calls_complete() {
    let report = check(&format!("--variant hardened {BOUND}"));
    assert_eq!(
        (&report["states"], &report["depth"]),
        (&json!(8), &json!(6))
    );
    assert_eq!(report["counterexample"], Value::Null);
    let mut verdicts = report["invariants"].as_object().unwrap().values();
    assert!(verdicts.all(|verdict| verdict == "holds"));
    assert_eq!(report["liveness"]["EveryCallCompletes"], "holds");
    assert_eq!(
        report["liveness_without_fairness"]["EveryCallCompletes"],
        "violated"
    );
}

#[test]
fn a_lasso_names_the_step_back_to_its_cycle() {
    let report = check("--variant hardened --callers 1 --max-failures 1 --max-open-ticks 0");
    let lassos = report["lassos"].as_array().unwrap();
    let lasso = |property: &str, fairness: &str| {
        let found = lassos
            .iter()
            .find(|l| l["property"] == property && l["fairness"] == fairness);
        found.unwrap()
    };
    let fails_for_ever = lasso("OpenRecloses", "weak");
    assert_eq!(fails_for_ever["cycle_start"], 1);
    assert_eq!(fails_for_ever["states"].as_array().unwrap().len(), 4);
    assert_eq!(
        fails_for_ever["back"],
        json!({"action": "HalfOpenProbeFailure", "caller": 1})
    );
    let stops = lasso("EveryCallCompletes", "none");
    assert_eq!(stops["back"], Value::Null, "the run stops inside the probe");
}

#[test]
fn csv_has_a_line_a_property() {
    let output = basin("breaker check --variant naive --format csv");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(
        lines[0],
        "variant,callers,max_failures,max_open_ticks,states,depth,property,fairness,verdict,length"
    );
    assert_eq!(lines[2], "naive,2,2,2,9,7,NoDoubleProbe,,violated,8");
    assert_eq!(lines.len(), 1 + 4 + 2 * 4);
}

#[test]
fn bad_input_is_one_line_that_names_the_option_and_its_range() {
    for (arguments, option, range) in [
        ("--variant naive --callers 7", "--callers", "from 1 to 6"),
        ("--variant naive --callers -1", "--callers", "from 1 to 6"),
        (
            "--variant naive --max-failures 0",
            "--max-failures",
            "from 1 to 1000",
        ),
        (
            "--variant naive --max-open-ticks 1001",
            "--max-open-ticks",
            "from 0 to 1000",
        ),
        ("--variant soft", "--variant", "naive, hardened"),
        ("", "--variant", "required"),
    ] {
        let output = basin(&format!("breaker check {arguments}"));
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {error}");
        assert!(output.stdout.is_empty(), "{arguments}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(error.contains(option) && error.contains(range), "{error}");
    }
}

#[test]
fn play_prints_both_designs_on_the_same_schedule() {
    let schedule = "failure:1;tick";
    let rows = rows(&format!("breaker play --do {schedule}"));
    assert_eq!(rows.len(), 6);
    assert_eq!(
        rows[1],
        json!({
            "variant": "naive", "step": 1, "action": "ClosedCallFailure", "caller": 1, "refused": null,
            "state": "Closed", "failureCount": 1, "openTicks": 0, "probeInflight": false,
            "probesAccepted": 0, "callerActive": [],
        })
    );
    assert_eq!(rows[5]["variant"], "hardened");
    assert_eq!(rows[5]["refused"], "the breaker is not Open");
    let csv = basin(&format!("breaker play --do {schedule} --format csv"));
    let csv = String::from_utf8(csv.stdout).unwrap();
    assert!(
        csv.starts_with("variant,step,action,caller,refused,state,"),
        "{csv}"
    );
    let refused = basin("breaker play --do tock");
    assert_eq!(refused.status.code(), Some(2));
}
