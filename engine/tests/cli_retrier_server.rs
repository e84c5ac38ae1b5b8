//! The `basin` command: what it prints, and how it refuses.

use serde_json::{Value, json};
use std::process::{Command, Output};

fn basin(arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_basin"))
        .args(arguments.split_whitespace())
        .output()
        .unwrap()
}

fn rows(arguments: &str) -> Vec<Value> {
    let output = basin(arguments);
    assert!(output.status.success(), "basin {arguments}: {output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn trace_prints_each_state_the_initial_one_first() {
    let rows = rows("trace --s 3 --amax 2 --t 2 --q0 18 --rounds 1 --arrivals max");
    assert_eq!(
        rows,
        [
            json!({"round": 0, "turn": "retrier", "qf": 18, "qd": 0, "done": 0, "p": 18, "flux": 0}),
            json!({"round": 1, "turn": "server", "qf": 20, "qd": 6, "done": 0, "p": 20, "flux": 6}),
            json!({"round": 1, "turn": "retrier", "qf": 18, "qd": 5, "done": 2, "p": 20, "flux": 0}),
        ]
    );
}

#[test]
fn trace_plays_lists_seeds_and_quiet() {
    let arrivals = |rows: &[Value]| -> Vec<i64> {
        let qf: Vec<_> = rows.iter().map(|row| row["qf"].as_i64().unwrap()).collect();
        qf.chunks(2)
            .filter(|pair| pair.len() == 2)
            .map(|pair| pair[1] - pair[0])
            .collect()
    };
    let list = rows("trace --q0 5 --arrivals 0,2,1");
    assert_eq!(
        list.len(),
        7,
        "a list plays as many rounds as it has entries"
    );
    assert_eq!(arrivals(&list), [0, 2, 1]);
    let seeded = rows("trace --q0 5 --rounds 30 --arrivals random:7");
    assert_eq!(seeded, rows("trace --q0 5 --rounds 30 --arrivals random:7"));
    assert_ne!(seeded, rows("trace --q0 5 --rounds 30 --arrivals random:8"));
    let quiet = rows("trace --q0 15 --rounds 30 --quiet");
    assert_eq!(quiet, rows("trace --q0 15 --rounds 30 --arrivals zero"));
    assert_eq!(
        quiet,
        rows("trace --q0 15 --rounds 30 --arrivals zero --quiet")
    );
}

#[test]
fn classify_prints_a_row_a_start() {
    let rows = rows("classify --s 3 --amax 2 --t 2 --q0 7..8");
    assert_eq!(
        rows,
        [
            json!({
                "q0": 7, "verdict": "recovers", "stabilizes": true, "trap_reachable": false,
                "quiet_recovers": true, "can_recover": true, "states": 21, "complete": true,
            }),
            json!({
                "q0": 8, "verdict": "orbits", "stabilizes": false, "trap_reachable": false,
                "quiet_recovers": true, "can_recover": true, "states": 27, "complete": true,
            }),
        ]
    );
}

#[test]
fn the_cap_bounds_what_is_counted_and_not_the_verdict() {
    for cap in [0, 17, 40, 500] {
        let rows = rows(&format!("classify --q0 18 --cap {cap}"));
        assert_eq!(rows[0]["verdict"], "at_risk");
        assert_eq!(rows[0]["complete"], false);
        assert_eq!(rows[0]["states"] == 0, cap < 18);
    }
}

#[test]
fn csv_has_a_header_and_the_same_values() {
    let output = basin("classify --q0 7..8 --format csv");
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "q0,verdict,stabilizes,trap_reachable,quiet_recovers,can_recover,states,complete\n\
         7,recovers,true,false,true,true,21,true\n\
         8,orbits,false,false,true,true,27,true\n"
    );
}

#[test]
fn bad_input_is_refused_on_one_line_that_names_option_and_range() {
    for (arguments, named) in [
        ("trace --q0 18 --s 0", ["--s", "from 1 to 2147483648"]),
        (
            "trace --q0 18 --amax -1",
            ["--amax", "from 0 to 2147483648"],
        ),
        ("trace --q0 18 --t 1.5", ["--t", "from 1 to 2147483648"]),
        (
            "trace --q0 18 --budget x",
            ["--budget", "from 0 to 2147483648"],
        ),
        (
            "trace --q0 99999999999999999999",
            ["--q0", "from 0 to 2147483648"],
        ),
        (
            "trace --q0 18 --rounds 100001",
            ["--rounds", "from 0 to 100000"],
        ),
        (
            "trace --q0 18 --arrivals 0,3",
            ["--arrivals[1] is 3", "from 0 to 2"],
        ),
        (
            "trace --q0 18 --arrivals some",
            ["--arrivals", "max, zero, random:SEED"],
        ),
        (
            "trace --q0 18 --arrivals random:x",
            ["--arrivals seed", "from 0 to"],
        ),
        (
            "trace --q0 18 --arrivals 1,1 --rounds 3",
            ["--arrivals", "each of the 3 rounds"],
        ),
        (
            "trace --q0 18 --quiet --arrivals max",
            ["--arrivals", "--quiet"],
        ),
        (
            "trace --q0 18 --quiet --arrivals 0,0",
            ["--arrivals", "--quiet"],
        ),
        ("trace", ["--q0", "required"]),
        ("classify --q0 9..x", ["--q0", "A..B"]),
        ("classify --q0 9..5", ["--q0", "9 is above 5"]),
        (
            "classify --q0 5 --cap 1000001",
            ["--cap", "from 0 to 1000000"],
        ),
        ("classify --q0 5 --format xml", ["--format", "json"]),
        ("clasify --q0 5", ["clasify", ""]),
    ] {
        let output = basin(arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "basin {arguments}: {error}");
        assert!(output.stdout.is_empty(), "basin {arguments}");
        assert_eq!(error.lines().count(), 1, "basin {arguments}: {error}");
        for part in named {
            assert!(error.contains(part), "basin {arguments}: {error}");
        }
    }
}
