//! Sweeps, the map of pulses and the search for the one that tips, on a small system that is quick to simulate.

use engine::ecs::experiment::{
    Direction, Estimate, Experiment, PulseMap, PulseMapSettings, Sweep, SweepSettings, Tipping,
    TippingSettings,
};
use engine::ecs::policy::{NaiveSettings, PolicySettings};
use engine::ecs::presets::named;
use engine::ecs::{Class, Config};

/// The naive policy with a low cap: it tips as the preset does, in fewer events.
fn small() -> Config {
    let mut naive = NaiveSettings::default();
    naive.long.most = 64;
    Config {
        policy: PolicySettings::Naive(naive),
        ..named("naive-overload").unwrap().config
    }
}

#[test]
fn the_map_of_pulses_has_an_edge_that_height_and_length_trade_for() {
    let settings = PulseMapSettings {
        factors: vec![2.0, 30.0],
        lengths_s: vec![1.0, 15.0],
        observe_s: 60.0,
        runs: 2,
        ..PulseMapSettings::default()
    };
    let mut map = PulseMap::new(&small(), &settings).unwrap();
    assert_eq!(map.progress(), 0.0);
    let mut cells = Vec::new();
    loop {
        match map.step(50_000) {
            engine::ecs::experiment::Step::Working => {}
            engine::ecs::experiment::Step::Point(cell) => cells.push(cell),
            engine::ecs::experiment::Step::Done => break,
        }
    }
    for cell in &cells {
        println!(
            "× {} for {} s: {:.2} of short goodput, {} of 2 came back",
            cell.factor, cell.length_s, cell.remaining.mean, cell.came_back
        );
    }
    assert_eq!(map.progress(), 1.0);
    let came_back: Vec<_> = cells
        .iter()
        .map(|cell| (cell.factor, cell.length_s, cell.came_back))
        .collect();
    assert_eq!(
        came_back,
        [
            (2.0, 1.0, 2),
            (30.0, 1.0, 2),
            (2.0, 15.0, 2),
            (30.0, 15.0, 0)
        ]
    );
    let naive = named("fixed-overload").unwrap().config;
    assert!(
        PulseMap::new(&naive, &settings)
            .unwrap()
            .points()
            .all(|cell| cell.came_back == 2),
        "the fixed policy has no edge here"
    );
}

#[test]
fn the_search_closes_in_on_the_smallest_pulse_that_tips() {
    let settings = TippingSettings {
        most: 40.0,
        within: 2.0,
        observe_s: 60.0,
        runs: 3,
        ..TippingSettings::default()
    };
    let points: Vec<_> = Tipping::new(&small(), &settings)
        .unwrap()
        .points()
        .collect();
    for point in &points {
        println!(
            "× {}: {} of {} tipped; safe {}, tips {:?}",
            point.factor, point.tipped, point.runs, point.safe, point.tips
        );
    }
    let last = points.last().unwrap();
    let tips = last.tips.expect("the highest pulse tips it");
    assert!(tips - last.safe <= 2.0);
    assert!((6.0..20.0).contains(&tips));
    for pair in points.windows(2) {
        assert!(
            pair[1].safe >= pair[0].safe && pair[1].tips <= pair[0].tips,
            "the bounds close in"
        );
    }
}

#[test]
fn a_system_that_no_pulse_tips_is_said_to_be_so() {
    let settings = TippingSettings {
        most: 20.0,
        observe_s: 20.0,
        runs: 1,
        ..TippingSettings::default()
    };
    let fixed = named("fixed-overload").unwrap().config;
    let points: Vec<_> = Tipping::new(&fixed, &settings).unwrap().points().collect();
    assert_eq!(points.len(), 1);
    assert_eq!((points[0].safe, points[0].tips), (20.0, None));
}

#[test]
fn a_sweep_goes_up_and_comes_down_over_the_same_loads() {
    let settings = SweepSettings {
        class: Class::Short,
        factors: vec![0.5, 1.0, 1.2],
        dwell_s: 10.0,
        seed: 1,
    };
    let points: Vec<_> = Sweep::new(&named("fixed-overload").unwrap().config, &settings)
        .unwrap()
        .points()
        .collect();
    let loads: Vec<_> = points
        .iter()
        .map(|point| (point.direction, point.factor))
        .collect();
    let (up, down) = (Direction::Up, Direction::Down);
    assert_eq!(
        loads,
        [(up, 0.5), (up, 1.0), (up, 1.2), (down, 1.0), (down, 0.5)]
    );
    for point in &points {
        let expected = 600.0 * point.factor;
        assert!(
            (point.short_goodput / expected - 1.0).abs() < 0.1,
            "at {} goodput is {}",
            point.factor,
            point.short_goodput
        );
        assert!((point.offered_cores - (2.4 * point.factor + 0.6)).abs() < 1e-9);
    }
}

/// Student's interval on values worked by hand: mean 3, standard error sqrt(2.5 / 5), quantile 2.7764.
#[test]
fn estimates_are_students() {
    let estimate = Estimate::of(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
    assert!((estimate.mean - 3.0).abs() < 1e-12);
    assert!((estimate.half_width() - 2.776_445 * 0.5_f64.sqrt()).abs() < 1e-5);
    assert_eq!(Estimate::of(&[]), None);
    assert_eq!(Estimate::of(&[7.0]).unwrap().half_width(), 0.0);
}
