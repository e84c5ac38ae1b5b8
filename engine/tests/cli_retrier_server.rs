//! The `basin` command: what it prints, and how it refuses.

mod cli;

use cli::{basin, rows};
use engine::retrier_server::{Config, Plan, trace};
use engine::rows::{Format, text};
use serde_json::{Value, json};

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
fn trace_prints_what_the_page_hands_out() {
    let mut plan = Plan::new(Config::default(), 5, 12);
    plan.events = vec!["3:shock:25".parse().unwrap(), "6:budget:0".parse().unwrap()];
    let run = plan.play().unwrap();
    for (name, format) in [("json", Format::Json), ("csv", Format::Csv)] {
        let printed = basin(&format!(
            "trace --q0 5 --rounds 12 --do 3:shock:25;6:budget:0 --format {name}"
        ));
        assert_eq!(
            String::from_utf8(printed.stdout).unwrap(),
            text(format, trace(&run))
        );
    }
    let refused = basin("trace --q0 5 --do 3:shocks:25");
    assert_eq!(refused.status.code(), Some(2));
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

#[test]
fn a_gate_shows_what_was_due_and_what_it_remembers() {
    let rows = rows("trace --q0 12 --rounds 3 --gate breaker:2,2");
    let read: Vec<_> = rows
        .iter()
        .filter(|row| row["turn"] == "server")
        .map(|row| (row["due"].clone(), row["flux"].clone(), row["gate"].clone()))
        .collect();
    assert_eq!(
        read,
        [
            (json!(3), json!(3), json!("closed failures 1")),
            (json!(3), json!(3), json!("open ticks 0")),
            (json!(3), json!(0), json!("open ticks 1")),
        ]
    );
}

#[test]
fn classify_explores_gated_laws() {
    let rows = rows("classify --q0 18 --gate token-bucket:10,10");
    assert_eq!(rows[0]["verdict"], "recovers");
    assert_eq!(rows[0]["complete"], true);
}

#[test]
fn laws_compares_the_laws_named() {
    let rows = rows("laws --law none --law breaker:3,5 --q0 18 --most-q0 30");
    assert_eq!(rows.len(), 2);
    assert_eq!(
        (&rows[0]["recovers_to"], &rows[0]["then"]),
        (&json!(7), &json!("orbits"))
    );
    assert_eq!(rows[0]["q0_rounds_to_good"], Value::Null);
    assert_eq!(
        (&rows[1]["recovers_to"], &rows[1]["q0_rounds_to_good"]),
        (&json!(30), &json!(35))
    );
}

#[test]
fn gates_and_laws_are_refused_in_one_line() {
    for (arguments, says) in [
        (
            "trace --q0 1 --gate breaker:0,1",
            "breaker:F,TICKS with each from 1 to 65535",
        ),
        ("laws --law fast", "budget:B"),
        ("laws --budget 1", "--law budget:B"),
        ("laws --gate breaker:1,1", "name it as a --law"),
        ("laws --most-q0 100001", "from 0 to 100000"),
    ] {
        let output = basin(arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {error}");
        assert!(output.stdout.is_empty(), "{arguments}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(error.contains(says), "{error}");
    }
}
