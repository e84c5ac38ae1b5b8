//! Events a second of the ECS, in health, in the storm, and behind admission control; allocations in a steady state.

#![allow(missing_docs)]

use std::hint::black_box;

use allocation_counter::measure;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use engine::ecs::Simulation;
use engine::ecs::presets::named;

fn events(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("ecs");
    group.sample_size(10);
    for (name, seconds) in [
        ("churn-10", 60.0),
        ("fixed-overload", 200.0),
        ("ac-latency", 120.0),
        ("naive-overload", 60.0),
    ] {
        let config = named(name).expect("the preset exists").config;
        let run = || {
            let mut simulation = Simulation::new(&config, 1).expect("the preset makes sense");
            simulation.advance(seconds);
            simulation.events()
        };
        group.throughput(Throughput::Elements(run()));
        group.bench_function(name, |bencher| bencher.iter(|| black_box(run())));
    }
    group.finish();
}

fn allocations(_: &mut Criterion) {
    let config = named("fixed-overload").expect("the preset exists").config;
    let mut simulation = Simulation::new(&config, 1).expect("the preset makes sense");
    simulation.advance(60.0);
    let counted = measure(|| simulation.advance(120.0)).count_total;
    println!("measured;ecs/allocations;{counted}");
}

criterion_group!(benches, events, allocations);
criterion_main!(benches);
