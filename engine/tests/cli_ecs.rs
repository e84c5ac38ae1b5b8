//! `basin ecs`: what it prints, and how it refuses.

mod cli;

use cli::{basin, rows};
use serde_json::Value;
use std::io::Write;
use std::process::{Command, Output, Stdio};

const FIELDS: [&str; 16] = [
    "t",
    "short_goodput",
    "long_goodput",
    "short_waiting",
    "long_waiting",
    "short_tickets",
    "long_tickets",
    "demotion_ms",
    "acquisitions",
    "cpu_work",
    "waste",
    "admitted_fraction",
    "shed",
    "rejected",
    "timeouts",
    "retries",
];

const SUMMARY: [&str; 7] = [
    "short_goodput_before",
    "short_goodput_during",
    "short_goodput_after",
    "long_goodput_before",
    "long_goodput_during",
    "long_goodput_after",
    "long_tickets_max",
];

#[test]
fn run_prints_samples_alone_as_csv() {
    let output = basin("ecs run --preset ac-off --seed 1 --format csv");
    let csv = String::from_utf8(output.stdout).unwrap();
    let mut lines = csv.lines();
    assert!(
        lines
            .next()
            .unwrap()
            .starts_with("t,short_goodput,long_goodput,")
    );
    let json = rows("ecs run --preset ac-off --seed 1");
    assert_eq!(lines.count(), json.len() - 1);
}

#[test]
fn run_prints_a_line_a_second_and_a_summary() {
    let rows = rows("ecs run --preset ac-off --seed 5");
    assert_eq!(rows.len(), 121);
    for (second, row) in rows[..120].iter().enumerate() {
        assert_eq!(row["t"], (second + 1) as f64);
        let names: Vec<_> = row.as_object().unwrap().keys().take(FIELDS.len()).collect();
        assert_eq!(names, FIELDS);
        assert!(FIELDS.iter().all(|field| row[field].is_number()));
    }
    let summary = &rows[120]["summary"];
    assert!(
        SUMMARY.iter().all(|field| summary[field].is_number()),
        "{summary}"
    );
    assert!(summary["short"]["attempts"].as_u64().unwrap() > 70_000);
    let seconds = |from: f64, until: f64| {
        let inside: Vec<_> = rows[..120]
            .iter()
            .filter(|row| (from + 0.5..until + 0.5).contains(&row["t"].as_f64().unwrap()))
            .map(|row| row["short_goodput"].as_f64().unwrap())
            .collect();
        inside.iter().sum::<f64>() / inside.len() as f64
    };
    assert_eq!(summary["short_goodput_during"], seconds(30.0, 90.0));
    assert_eq!(summary["short_goodput_after"], seconds(100.0, 120.0));
}

#[test]
fn the_same_seed_prints_the_same() {
    let run = |seed| basin(&format!("ecs run --preset churn-10 --seed {seed}")).stdout;
    assert_eq!(run(3), run(3));
    assert_ne!(run(3), run(4));
}

#[test]
fn presets_are_those_of_the_trial_run_and_can_be_run_from_their_configuration() {
    let presets = rows("ecs presets --config");
    let names: Vec<_> = presets
        .iter()
        .map(|preset| preset["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "naive-overload",
            "fixed-overload",
            "ac-off",
            "ac-latency",
            "ac-distress",
            "ac-sluggish",
            "ac-distress-sluggish",
            "churn-2",
            "churn-10"
        ]
    );
    let churn = &presets[7]["config"];
    assert_eq!(
        with_config(&churn.to_string()).stdout,
        basin("ecs run --preset churn-2").stdout
    );
}

fn with_config(config: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_basin"))
        .args(["ecs", "run", "--config", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(config.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn sweep_prints_each_load_with_intervals_and_the_hysteresis() {
    let rows = rows("ecs sweep --preset fixed-overload --factors 1,4 --dwell 10 --seeds 3");
    assert_eq!(rows.len(), 4);
    assert_eq!(
        (&rows[1]["direction"], &rows[1]["factor"]),
        (&"up".into(), &4.0.into())
    );
    assert_eq!(
        (&rows[2]["direction"], &rows[2]["factor"]),
        (&"down".into(), &1.0.into())
    );
    let goodput = &rows[0]["short_goodput"];
    assert_eq!(goodput["runs"], 3);
    assert!(goodput["low"].as_f64() < goodput["mean"].as_f64());
    assert!(rows[3]["summary"]["hysteresis"]["mean"].is_number());
}

#[test]
fn map_and_tip_print_their_points() {
    let cells =
        rows("ecs map --preset fixed-overload --factors 2,8 --lengths 1 --observe 20 --runs 1");
    assert_eq!(cells.len(), 2);
    assert_eq!(cells[1]["came_back"], 1);
    let points = rows("ecs tip --preset fixed-overload --most 8 --observe 20 --runs 1");
    assert_eq!(points.len(), 1);
    assert_eq!(points[0]["tips"], Value::Null);
}

#[test]
fn refusals_are_one_line_with_nothing_on_standard_output() {
    for (arguments, named) in [
        ("run --preset storm", "naive-overload, fixed-overload"),
        ("run --seed -1", "from 0 to 18446744073709551615"),
        (
            "run --config /nowhere/ecs.json",
            "--config is /nowhere/ecs.json",
        ),
        (
            "sweep --factors 2,1",
            "--factors[1] is 1, but must be above factors[0] = 2",
        ),
        ("sweep --factors=-1,1", "--factors[0] is -1"),
        ("sweep --dwell -4", "--dwell is -4"),
        ("sweep --seeds 0", "from 1 to 1000"),
        ("map --lengths 0", "--lengths[0] is 0"),
        (
            "tip --observe 5",
            "--observe is 5, but must be from 20 to 10000",
        ),
        ("tip --most nan", "--most is NaN"),
    ] {
        let output = basin(&format!("ecs {arguments}"));
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {error}");
        assert!(output.stdout.is_empty(), "{arguments}");
        assert_eq!(error.lines().count(), 1, "{arguments}: {error}");
        assert!(error.contains(named), "{arguments}: {error}");
    }
    for (config, named) in [("{", "--config is -"), ("{\"cores\": 4}", "missing field")] {
        let output = with_config(config);
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(named), "{error}");
    }
    let presets = rows("ecs presets --config");
    let mut config = presets[0]["config"].clone();
    config["script"][0]["until_s"] = 10.into();
    let error = String::from_utf8(with_config(&config.to_string()).stderr).unwrap();
    assert!(
        error.contains("script[0].until_s is 10, but must be after script[0].from_s = 30"),
        "{error}"
    );
}
