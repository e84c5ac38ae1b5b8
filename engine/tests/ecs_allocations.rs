//! A run in a steady state allocates nothing.

use allocation_counter::measure;
use engine::ecs::presets::named;
use engine::ecs::{Config, Simulation};

fn allocations(name: &str, from: f64, until: f64) -> (u64, u64) {
    let mut simulation = Simulation::new(&named(name).unwrap().config, 1).unwrap();
    simulation.advance(from);
    let events = simulation.events();
    let counted = measure(|| simulation.advance(until));
    (counted.count_total, simulation.events() - events)
}

#[test]
fn in_health_in_a_storm_and_behind_admission_control() {
    for (name, from, until) in [
        ("naive-overload", 10.0, 29.0),
        ("naive-overload", 150.0, 160.0),
        ("fixed-overload", 60.0, 120.0),
        ("ac-latency", 40.0, 80.0),
        ("ac-distress-sluggish", 40.0, 80.0),
        ("churn-10", 5.0, 50.0),
    ] {
        let (allocations, events) = allocations(name, from, until);
        println!("{name} from {from} to {until} s: {allocations} allocations in {events} events");
        assert!(events > 10_000);
        assert_eq!(allocations, 0);
    }
}

#[test]
fn with_tasks_that_block() {
    let mut config = Config::default();
    config.short_class.blocking_share = 0.5;
    let mut simulation = Simulation::new(&config, 1).unwrap();
    simulation.advance(20.0);
    assert_eq!(measure(|| simulation.advance(60.0)).count_total, 0);
}
