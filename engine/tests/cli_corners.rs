//! The `basin` command with parameters at the ends of their ranges: each question is answered, or refused in one line that
//! names the option.

mod cli;

use cli::{basin, rows};

const MOST: u64 = 1 << 31;

/// Answered, or refused in words.
fn answers(arguments: &str) -> bool {
    let output = basin(arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    match output.status.code() {
        Some(0) => {
            assert!(!output.stdout.is_empty(), "basin {arguments} says nothing");
            assert!(error.is_empty(), "basin {arguments}: {error}");
            true
        }
        Some(2) => {
            assert!(output.stdout.is_empty(), "basin {arguments}");
            assert_eq!(error.lines().count(), 1, "basin {arguments}: {error}");
            assert!(error.contains("--"), "basin {arguments}: {error}");
            assert!(error.contains("must be"), "basin {arguments}: {error}");
            false
        }
        code => panic!("basin {arguments} ends with {code:?}: {error}"),
    }
}

/// The ends of what every command of the round model takes, and what goes with them.
fn systems() -> impl Iterator<Item = String> {
    let parameters = [
        (1, 0, 1),
        (1, MOST, 1),
        (MOST, 0, 1),
        (1, 0, MOST),
        (MOST, MOST, 1),
        (MOST, MOST, MOST),
    ];
    let laws = [
        "",
        "--budget 0",
        "--budget 2147483648",
        "--fresh-first",
        "--fault wasteful-server",
        "--gate token-bucket:65535,65535",
        "--gate breaker:65535,65535",
    ];
    parameters.into_iter().flat_map(move |(s, amax, t)| {
        laws.map(|law| format!("--s {s} --amax {amax} --t {t} {law}"))
    })
}

#[test]
fn every_command_of_the_round_model_answers_at_the_ends() {
    for system in systems() {
        for (command, q0) in [
            ("trace --rounds 3 --qd 2147483648", MOST),
            ("classify --cap 40", MOST),
            ("classify --cap 0 --qd 2147483648", 0),
            ("certificate --cap 40 --qd 2147483648", MOST),
            ("contracts --rounds 3 --quiet", MOST),
            ("counterexample --property bounded:1000000 --cap 40", 0),
            ("counterexample --property stabilization --cap 40", MOST),
            ("counterexample --property not-trapped --cap 40", MOST),
        ] {
            let asked = format!("{command} {system} --q0 {q0}");
            assert!(answers(&asked), "basin {asked} is refused");
        }
    }
}

#[test]
fn components_alone_are_checked_at_the_ends() {
    // Which laws there are matters less to how much there is to check.
    for system in
        systems().filter(|system| !system.contains("--budget") && !system.contains("--fault"))
    {
        let asked = format!("isolated {system} --q0 18");
        assert!(answers(&asked), "basin {asked} is refused");
    }
}

#[test]
fn maps_clients_and_laws_answer_or_are_refused_at_the_ends() {
    let (mut answered, mut refused) = (0, 0);
    for system in systems() {
        for question in [
            "map --x q0:2147483647..2147483648 --y t:2147483647..2147483648 --cap 20",
            "map --x s:1..2 --y qd0:2147483647..2147483648 --cap 20",
            "clients --n 1 --q0 2147483648 --rounds 2",
            "clients --n 100 --q0 2147483648 --judge --cap 1000",
            "clients --n 2 --q0 0 --judge --cap 0",
            "laws --q0 2147483648 --most-q0 4 --cap 40",
        ] {
            match answers(&format!("{question} {system}")) {
                true => answered += 1,
                false => refused += 1,
            }
        }
    }
    // Clients have no laws with a memory and none that misbehaves.
    assert!(answered > 100 && refused > 20, "{answered}, {refused}");
}

#[test]
fn the_breaker_answers_at_its_smallest_and_largest() {
    for variant in ["naive", "hardened"] {
        for bounds in [
            "--callers 1 --max-failures 1 --max-open-ticks 0",
            "--callers 6 --max-failures 1 --max-open-ticks 1000",
        ] {
            assert!(answers(&format!(
                "breaker check --variant {variant} {bounds}"
            )));
        }
    }
    for beyond in [
        "--callers 0",
        "--callers 7",
        "--max-failures 0",
        "--max-failures 1001",
        "--max-open-ticks 1001",
    ] {
        assert!(!answers(&format!("breaker check --variant naive {beyond}")));
        assert!(!answers(&format!("breaker play --do tick {beyond}")));
    }
}

#[test]
fn a_map_beyond_its_cap_is_refused_before_it_starts() {
    for axes in [
        "--x q0:0..999 --y b:0..999",
        "--x q0:0..2147483648 --y b:0..2147483648",
        "--x q0:0..262144 --y s:1..1",
    ] {
        let output = basin(&format!("map {axes}"));
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        assert!(
            error.contains("must be such that the map has at most 262144 cells"),
            "{error}"
        );
    }
    assert_eq!(rows("map --x q0:0..262143 --y s:1..1").len(), 262_144);
}
