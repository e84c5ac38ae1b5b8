//! The same runs of the ECS natively and in WASM, bit for bit: both builds are held against one file.

use engine::ecs::presets::all;
use engine::ecs::{Entry, Setting, Simulation};
use engine::per_request::Plan;
use std::fmt::Write;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Set this in the environment to write the file anew after a change that is meant to change it.
#[cfg(not(target_arch = "wasm32"))]
const BLESS: &str = "BLESS";

const EXPECTED: &str = include_str!("portable_ecs.txt");

fn runs() -> String {
    let mut text = String::new();
    for preset in all() {
        let mut config = preset.config;
        config.duration_s = 40.0;
        config.short_class.blocking_share = 0.1;
        config.script.push(Entry::Slowdown {
            speed: 0.7,
            from_s: 10.0,
            until_s: 20.0,
        });
        config.script.push(Entry::Set {
            at_s: 25.0,
            setting: Setting::ShortBound(50),
        });
        let mut simulation = Simulation::new(&config, 11).unwrap();
        simulation.finish();
        writeln!(text, "# {}: {} events", preset.name, simulation.events()).unwrap();
        for sample in simulation.samples().iter().skip(3).step_by(6) {
            writeln!(
                text,
                "{} {} {} {} {:016x} {:016x} {:016x} {:016x}",
                sample.t,
                sample.short_goodput,
                sample.short_waiting,
                sample.retries,
                sample.cpu_work.to_bits(),
                sample.waste.to_bits(),
                sample.demotion_ms.to_bits(),
                sample.admitted_fraction.to_bits(),
            )
            .unwrap();
        }
    }
    writeln!(text, "# per request").unwrap();
    for round in Plan::new(3, 2, 2, 8, 60).simulate(1).unwrap() {
        writeln!(text, "{} {} {}", round.round, round.fresh, round.duplicates).unwrap();
    }
    text
}

#[test]
fn runs_are_the_same_on_every_target() {
    let runs = runs();
    #[cfg(not(target_arch = "wasm32"))]
    if std::env::var_os(BLESS).is_some() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/portable_ecs.txt");
        std::fs::write(file, &runs).unwrap();
        return;
    }
    for (line, (got, expected)) in runs.lines().zip(EXPECTED.lines()).enumerate() {
        assert_eq!(got, expected, "line {}", line + 1);
    }
    assert_eq!(runs.lines().count(), EXPECTED.lines().count());
}
