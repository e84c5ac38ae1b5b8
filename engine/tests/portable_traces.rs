//! The same traces natively and in WASM: both builds are held against one file.

use engine::retrier_server::{
    Arrivals, Change, Config, DEFAULT_CAP, Event, Plan, Service, Verdict, judge_range,
};
use std::fmt::Write;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Set this in the environment to write the file anew after a change that is meant to change it.
#[cfg(not(target_arch = "wasm32"))]
const BLESS: &str = "BLESS";

const EXPECTED: &str = include_str!("portable_traces.txt");

fn plans() -> Vec<(&'static str, Plan)> {
    let plain = Config::default();
    let corner = Plan {
        qd0: 120,
        ..Plan::new(plain.with_fresh_first(), 30, 80)
    };
    let three_acts = Plan {
        arrivals: Arrivals::Random(7),
        events: vec![
            Event {
                round: 10,
                change: Change::Shock(25),
            },
            Event {
                round: 30,
                change: Change::Service(Service::FreshFirst),
            },
        ],
        ..Plan::new(plain, 0, 80)
    };
    let large = Config::new(1_000_003, 999_983, 17).with_budget(50_021);
    vec![
        ("inside", Plan::new(plain, 5, 20)),
        ("storm", Plan::new(plain, 18, 40)),
        ("budget", Plan::new(plain.with_budget(0), 30, 40)),
        ("corner", corner),
        ("three acts", three_acts),
        ("large", Plan::new(large, 1 << 31, 60)),
        (
            "largest storm",
            Plan::new(Config::new(7, 1 << 31, 1), 1 << 31, 60),
        ),
    ]
}

fn traces() -> String {
    let mut text = String::new();
    for (name, plan) in plans() {
        writeln!(text, "# {name}").unwrap();
        for point in plan.play().unwrap().points() {
            let s = point.state;
            let flux = point.flux();
            writeln!(
                text,
                "{} {} {} {} {} {flux}",
                point.round, s.qf, s.qd, s.done, s.p
            )
            .unwrap();
        }
    }
    writeln!(text, "# bands").unwrap();
    for amax in 0..4 {
        let verdicts = judge_range(&Config::new(3, amax, 2), 0..=60, 0, DEFAULT_CAP);
        let letters: Vec<_> = verdicts.iter().map(|v: &Verdict| &v.name()[..1]).collect();
        writeln!(text, "{}", letters.concat()).unwrap();
    }
    text
}

#[test]
fn traces_are_the_same_on_every_target() {
    let traces = traces();
    #[cfg(not(target_arch = "wasm32"))]
    if std::env::var_os(BLESS).is_some() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/portable_traces.txt");
        std::fs::write(file, &traces).unwrap();
        return;
    }
    for (line, (got, expected)) in traces.lines().zip(EXPECTED.lines()).enumerate() {
        assert_eq!(got, expected, "line {}", line + 1);
    }
    assert_eq!(traces.lines().count(), EXPECTED.lines().count());
}
