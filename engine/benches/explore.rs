//! States a second of exhaustive exploration, beside the `stateright` crate's breadth-first search of the same model.

#![allow(missing_docs)]

use std::hint::black_box;

use allocation_counter::measure;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use engine::explore::{self, Model as _, survey};
use engine::retrier_server::{Composition, Config};
use stateright::{Checker, Model, Property};

/// Memory that an exploration may take, in bytes.
const ROOM: usize = 1 << 30;

/// The storm, up to a backlog of 5,000: more than a million states.
fn storm() -> Composition {
    let config = Config::new(3, 2, 2);
    Composition {
        config,
        start: config.start(18, 0),
        cap: 5_000,
    }
}

/// The same model as one of `stateright`'s.
#[derive(Clone)]
struct Adapted(Composition);

impl Model for Adapted {
    type State = <Composition as explore::Model>::State;
    type Action = Self::State;

    fn init_states(&self) -> Vec<Self::State> {
        let mut states = Vec::new();
        self.0.initial(&mut |state| states.push(state));
        states
    }

    fn actions(&self, state: &Self::State, actions: &mut Vec<Self::Action>) {
        self.0.steps(state, &mut |_, next| actions.push(next));
    }

    fn next_state(&self, _: &Self::State, next: Self::Action) -> Option<Self::State> {
        Some(next)
    }

    fn within_boundary(&self, state: &Self::State) -> bool {
        self.0.admits(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("explore all", |_, _| true)]
    }
}

fn states(criterion: &mut Criterion) {
    let storm = storm();
    let mut reached = 0;
    let taken = measure(|| {
        let survey = survey(&storm, ROOM);
        reached = survey.states();
        // No state is wanted, so that all are looked at.
        assert!(!survey.has_cycle_through(|_| false));
    });
    let bytes = taken.bytes_max as f64 / reached as f64;
    println!("measured;explore/bytes a state;{bytes:.2}");

    let mut group = criterion.benchmark_group("explore");
    group.sample_size(10);
    group.throughput(Throughput::Elements(reached as u64));
    group.bench_function("states", |bencher| {
        bencher.iter(|| black_box(survey(&storm, ROOM).states()));
    });
    group.bench_function("states and cycles", |bencher| {
        bencher.iter(|| black_box(survey(&storm, ROOM).has_cycle_through(|_| false)));
    });
    group.bench_function("stateright", |bencher| {
        bencher.iter(|| {
            let checker = Adapted(storm).checker().threads(1).spawn_bfs().join();
            assert_eq!(checker.unique_state_count(), reached);
        });
    });
    group.finish();
}

criterion_group!(benches, states);
criterion_main!(benches);
