//! The engine's speed in the browser, told line by line for `cargo xtask bench`. Built for WASM only.
#![cfg(target_arch = "wasm32")]

use engine::ecs::Simulation;
use engine::ecs::presets::named;
use engine::explore::survey;
use engine::retrier_server::{Composition, Config, DEFAULT_CAP, Map, MapJob, judge_range};
use wasm_bindgen_test::{Instant, console_log, wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

/// Times `work`, which says how much it got done, and tells the best of `times` runs.
fn tell(name: &str, times: usize, mut work: impl FnMut() -> u64) {
    let (best, done) = (0..times)
        .map(|_| {
            let start = Instant::now();
            let done = work();
            (start.elapsed(), done)
        })
        .min()
        .expect("at least one run");
    console_log!("measured;{name};{};{done}", best.as_nanos());
}

#[wasm_bindgen_test]
fn exploration() {
    let config = Config::new(3, 2, 2);
    let storm = Composition {
        config,
        start: config.start(18, 0),
        cap: 5_000,
    };
    tell("explore/states", 4, || {
        survey(&storm, 1 << 28).states() as u64
    });
}

#[wasm_bindgen_test]
fn the_basin_map() {
    let config = Config::new(3, 2, 2);
    // The clock is too coarse for one.
    tell("basin/100 times Q0 0..60", 5, || {
        (0..100)
            .map(|_| judge_range(&config, 0..=60, 0, DEFAULT_CAP).len() as u64)
            .sum()
    });
}

#[wasm_bindgen_test]
fn maps() {
    for (name, x, y) in [
        ("map/q0 x b", "q0:0..255", "b:0..255"),
        ("map/q0 x s", "q0:0..255", "s:1..256"),
        ("map/q0 x amax", "q0:0..255", "amax:0..255"),
        ("map/b x amax", "b:0..255", "amax:0..255"),
        ("map/s x t", "s:1..256", "t:1..256"),
        ("map/s x amax", "s:1..256", "amax:0..255"),
    ] {
        let map = Map {
            x: x.parse().expect("a scale"),
            y: y.parse().expect("a scale"),
            config: Config::new(3, 2, 2),
            q0: 18,
            qd0: 0,
            cap: DEFAULT_CAP,
        };
        tell(name, 5, || {
            let mut job = MapJob::new(map).expect("a map in range");
            job.advance(usize::MAX);
            job.known() as u64
        });
    }
}

#[wasm_bindgen_test]
fn simulation() {
    for (name, seconds) in [("naive-overload", 60.0), ("fixed-overload", 100.0)] {
        let config = named(name).expect("the preset exists").config;
        tell(&format!("ecs/{name}"), 3, || {
            let mut simulation = Simulation::new(&config, 1).expect("the preset makes sense");
            simulation.advance(seconds);
            simulation.events()
        });
    }
}
