//! The `basin` command where it says why: counterexamples, contracts, maps, clients, certificates and TLA+.

mod cli;

use cli::{basin, rows};
use serde_json::{Value, json};

fn row(arguments: &str) -> Value {
    let mut rows = rows(arguments);
    assert_eq!(rows.len(), 1, "basin {arguments}");
    rows.remove(0)
}

#[test]
fn counterexample_prints_a_finite_run_with_every_state() {
    let found = row("counterexample --property bounded:50 --s 3 --amax 2 --t 2 --q0 18");
    assert_eq!(found["found"], true);
    assert_eq!(found["kind"], "finite");
    assert_eq!(found["length"], 12);
    let states = found["states"].as_array().unwrap();
    assert_eq!(states.len(), 12);
    assert_eq!(
        states[0],
        json!({"turn": "retrier", "qf": 18, "qd": 0, "done": 0, "p": 18})
    );
    assert_eq!(
        states[11],
        json!({"turn": "server", "qf": 23, "qd": 28, "done": 0, "p": 23})
    );
    assert!(found.get("complete").is_none());
}

#[test]
fn counterexample_tells_a_lasso_from_a_climb() {
    let lasso = row("counterexample --property stabilization --q0 8");
    assert_eq!(lasso["kind"], "lasso");
    assert_eq!(lasso["cycle_start"], 1);
    assert!(lasso.get("dominates").is_none());
    let climb = row("counterexample --property stabilization --q0 18");
    assert_eq!(climb["kind"], "climb");
    assert_eq!(climb["dominates"], 0);
    assert!(climb.get("cycle_start").is_none());
}

#[test]
fn counterexample_says_whether_there_is_proved_to_be_none() {
    for property in ["bounded:50", "not-trapped", "stabilization"] {
        let none = row(&format!("counterexample --property {property} --q0 5"));
        assert_eq!(
            none,
            json!({"property": property, "found": false, "complete": true})
        );
    }
}

#[test]
fn contracts_prints_each_step_and_names_who_broke_one() {
    let storm = rows("contracts --q0 18 --rounds 40");
    assert_eq!(storm.len(), 81);
    assert!(storm.iter().all(|row| row["violated_by"].is_null()));
    assert_eq!(storm[1]["retries"], "vacuous");
    assert_eq!(storm[2]["server_guarantee"], "vacuous");
    let eager = rows("contracts --q0 3 --rounds 4 --fault eager-retrier");
    assert_eq!(eager[1]["violated_by"], "retrier");
    let wasteful = rows("contracts --q0 6 --rounds 4 --fault wasteful-server");
    assert_eq!(wasteful[2]["violated_by"], "server");
}

#[test]
fn isolated_prints_what_each_component_owes() {
    let owed = rows("isolated");
    for row in &owed {
        // Where not every state was explored, that nothing broke a promise proves nothing beyond them.
        let proved = if row["complete"] == true {
            json!(true)
        } else {
            Value::Null
        };
        assert_eq!(row["holds"], proved, "{row}");
        assert_eq!(row["complete"], row["component"] == "server", "{row}");
    }
    let basin = owed.iter().find(|row| row["clause"] == "basin").unwrap();
    assert_eq!(basin["component"], "server");
    assert_eq!(basin["complete"], true);
}

#[test]
fn map_prints_a_row_a_cell_by_the_axes_names() {
    let cells = rows("map --x q0:0..24 --y b:0..1");
    assert_eq!(cells.len(), 50);
    assert_eq!(cells[0], json!({"q0": 0, "b": 0, "verdict": "recovers"}));
    assert_eq!(cells[49], json!({"q0": 24, "b": 1, "verdict": "orbits"}));
    let csv = basin("map --x s:3..3 --y q0:7..8 --format csv");
    assert_eq!(
        String::from_utf8(csv.stdout).unwrap(),
        "s,q0,verdict\n3,7,recovers\n3,8,orbits\n"
    );
}

#[test]
fn clients_plays_and_judges() {
    let run = rows("clients --n 2 --q0 3,1 --rounds 1");
    assert_eq!(run.len(), 6);
    assert_eq!(run[1]["client"], 1);
    assert_eq!(run[1]["qf"], 1);
    let safe = row("clients --judge --n 3 --s 7 --amax 1 --budget 1 --q0 40");
    assert_eq!(safe["verdict"], "recovers");
    assert_eq!(safe["budgets_are_safe"], true);
    assert_eq!(safe["most_inflow"], 6);
    let beyond = row("clients --judge --n 2 --amax 1 --budget 1 --q0 9 --cap 10");
    assert_eq!(beyond["complete"], false);
}

#[test]
fn certificate_prints_the_ends_of_both_runs() {
    let trap = row("certificate --q0 18");
    assert_eq!(trap["verdict"], "at_risk");
    let runs = trap["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 2);
    assert_eq!(runs[1]["evidence"]["end"], "good_cycle");
    let ranking = runs[1]["evidence"]["ranking"].as_array().unwrap();
    let ranks: Vec<u64> = ranking
        .iter()
        .map(|r| r["rounds_to_good"].as_u64().unwrap())
        .collect();
    assert!(ranks.windows(2).all(|pair| pair[0] == pair[1] + 1));
    assert_eq!(ranks.last(), Some(&0));
    let orbit = row("certificate --q0 8");
    assert_eq!(orbit["runs"][0]["evidence"]["end"], "other_cycle");
    let graph = row("certificate --q0 2 --fault wasteful-server --cap 40");
    assert_eq!(graph["graph"]["complete"], true);
    assert_eq!(
        graph["graph"]["states"].as_array().unwrap().len(),
        graph["graph"]["steps"].as_array().unwrap().len()
    );
}

#[test]
fn tla_writes_both_files() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("tla/made");
    let _ = std::fs::remove_dir_all(&folder);
    let written = row(&format!("tla --out {} --q0 18", folder.display()));
    let module = std::fs::read_to_string(folder.join("Compose.tla")).unwrap();
    assert_eq!(module, include_str!("tla/storm.tla"));
    assert!(written["config"].as_str().unwrap().ends_with("Compose.cfg"));
}

#[test]
fn bad_input_is_refused_in_one_line_that_names_the_option() {
    for (arguments, option) in [
        ("counterexample --q0 18 --property bounded", "--property"),
        ("counterexample --q0 18 --property bounded:-3", "--property"),
        ("counterexample --q0 18", "--property"),
        ("counterexample --property not-trapped", "--q0"),
        ("contracts --q0 18 --fault lazy", "--fault"),
        ("map --x q0:0..9 --y q0:0..9", "--y"),
        ("map --x q0:9..0 --y b:0..3", "--x"),
        ("map --x z:0..9 --y b:0..3", "--x"),
        ("clients --n 0 --q0 3", "--n"),
        ("clients --n 3 --q0 3,4", "--q0"),
        ("isolated --q0 9999", "--q0"),
        ("tla --q0 5", "--out"),
    ] {
        let output = basin(arguments);
        assert_eq!(output.status.code(), Some(2), "basin {arguments}");
        assert!(output.stdout.is_empty(), "basin {arguments}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(error.lines().count(), 1, "basin {arguments}: {error}");
        assert!(error.contains(option), "basin {arguments}: {error}");
    }
}
