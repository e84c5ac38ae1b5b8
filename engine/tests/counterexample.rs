//! Counterexamples: checked values, replayed step by step, and none longer than another checker's.

mod support;

use engine::retrier_server::trap::Region;
use engine::retrier_server::{
    Config, Counterexample, Kind, Property, Search, State, Turn, counterexample, judge,
};
use proptest::prelude::*;
use stateright::{Checker, Model};

const CAP: u64 = 120;

fn storm() -> Config {
    Config::new(3, 2, 2)
}

fn find(config: &Config, q0: u64, property: Property) -> Search {
    counterexample(config, &config.start(q0, 0), property, CAP)
}

/// Every state that one step leads to.
fn next_states(config: &Config, state: &State) -> Vec<State> {
    match state.turn {
        Turn::Retrier => (0..=config.most_arrivals())
            .map(|a| config.retrier(state, a))
            .collect(),
        Turn::Server => vec![config.server(state)],
    }
}

/// Checks that `run` is a run of the model from `start` that breaks the property in the way it says.
fn assert_breaks(config: &Config, start: &State, property: Property, run: &Counterexample) {
    assert_eq!(run.states[0], *start);
    for pair in run.states.windows(2) {
        assert!(next_states(config, &pair[0]).contains(&pair[1]), "{pair:?}");
    }
    let (last, before) = run.states.split_last().unwrap();
    let region = Region::general(config, config.most_arrivals());
    match (property, run.kind) {
        (Property::Bounded(k), Kind::Finite) => {
            assert!(last.backlog() > k);
            assert!(before.iter().all(|s| s.backlog() <= k));
        }
        (Property::NotTrapped, Kind::Finite) => {
            assert!(region.contains(last));
            assert!(before.iter().all(|s| !region.contains(s)));
        }
        (Property::Stabilization, Kind::Lasso { cycle_start }) => {
            assert!(next_states(config, last).contains(&run.states[cycle_start]));
            assert!(run.states[cycle_start..].iter().any(|s| !config.is_good(s)));
        }
        (Property::Stabilization, Kind::Climb { dominates }) => {
            let earlier = &run.states[dominates];
            assert!(dominates < before.len() && config.is_monotone());
            assert!(earlier.is_round_start() && last.is_round_start());
            assert!(last.qf >= earlier.qf && last.qd >= earlier.qd);
            assert!(run.states[dominates..].iter().any(|s| !config.is_good(s)));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn from_18_bounded_50_is_broken_in_12_states() {
    let search = find(&storm(), 18, Property::Bounded(50));
    let run = search.found().expect("the storm passes 50");
    assert!(run.shortest);
    assert_eq!(run.states.len(), 12);
    let starts: Vec<_> = run
        .states
        .iter()
        .filter(|s| s.is_round_start())
        .map(|s| (s.qf, s.qd, s.done, s.p))
        .collect();
    assert_eq!(
        starts,
        [
            (18, 0, 0, 18),
            (17, 5, 2, 19),
            (18, 8, 1, 19),
            (19, 12, 1, 20),
            (20, 16, 1, 21),
            (21, 21, 1, 22)
        ]
    );
    let last = run.states[11];
    assert_eq!((last.qf, last.qd, last.done, last.p), (23, 28, 0, 23));
    assert_eq!(last.turn, Turn::Server);
}

#[test]
fn from_5_and_7_nothing_is_broken_and_that_is_proved() {
    for q0 in [5, 7] {
        for property in [
            Property::Bounded(50),
            Property::NotTrapped,
            Property::Stabilization,
        ] {
            assert_eq!(
                find(&storm(), q0, property),
                Search::NotFound { complete: true },
                "{q0} {property}"
            );
        }
    }
}

#[test]
fn from_8_and_9_the_orbit_is_a_lasso_and_the_trap_is_out_of_reach() {
    for q0 in [8, 9] {
        let search = find(&storm(), q0, Property::Stabilization);
        let run = search.found().expect("it orbits");
        assert!(matches!(run.kind, Kind::Lasso { .. }), "{run:?}");
        assert!(run.shortest);
        assert_breaks(
            &storm(),
            &storm().start(q0, 0),
            Property::Stabilization,
            run,
        );
        assert_eq!(
            find(&storm(), q0, Property::NotTrapped),
            Search::NotFound { complete: true }
        );
    }
}

#[test]
fn from_18_stabilization_is_broken_by_a_climb_of_three_states() {
    let search = find(&storm(), 18, Property::Stabilization);
    let run = search.found().unwrap();
    assert_eq!(run.kind, Kind::Climb { dominates: 0 });
    assert_eq!(run.states.len(), 3);
    assert!(run.shortest);
}

#[test]
fn the_trap_is_reached_from_10_on_and_a_start_inside_is_its_own_counterexample() {
    for q0 in [10, 18, 21, 30] {
        let search = find(&storm(), q0, Property::NotTrapped);
        let run = search.found().expect("the trap is reachable");
        assert!(run.shortest, "{q0}");
        assert_breaks(&storm(), &storm().start(q0, 0), Property::NotTrapped, run);
    }
    let corner = storm().start(30, 120);
    let search = counterexample(&storm(), &corner, Property::NotTrapped, CAP);
    assert_eq!(search.found().unwrap().states, [corner]);
}

#[test]
fn a_counterexample_loads_as_a_run() {
    for (property, q0) in [
        (Property::Bounded(50), 18),
        (Property::NotTrapped, 18),
        (Property::Stabilization, 8),
        (Property::Stabilization, 12),
    ] {
        let search = find(&storm(), q0, property);
        let found = search.found().unwrap();
        let run = found.plan(&storm(), 30).play().unwrap();
        let played: Vec<State> = run.points().iter().map(|point| point.state).collect();
        assert!(run.rounds() >= 30);
        assert_eq!(played[..found.states.len()], found.states[..], "{property}");
        match found.kind {
            // It goes on round the cycle.
            Kind::Lasso { cycle_start } => {
                let length = found.states.len() - cycle_start;
                for at in cycle_start..played.len() - length {
                    assert_eq!(played[at], played[at + length]);
                }
            }
            // It keeps above the state that it dominated.
            Kind::Climb { dominates } => {
                let length = found.states.len() - 1 - dominates;
                let earlier = played[dominates];
                for later in played[dominates..].iter().step_by(length) {
                    assert!(later.qf >= earlier.qf && later.qd >= earlier.qd);
                }
            }
            Kind::Finite => {}
        }
    }
}

#[test]
fn properties_read_back_as_written() {
    for text in ["bounded:50", "not-trapped", "stabilization"] {
        assert_eq!(text.parse::<Property>().unwrap().to_string(), text);
    }
    for text in ["bounded", "bounded:-1", "bounded:1000001", "trapped", ""] {
        let error = text.parse::<Property>().unwrap_err().to_string();
        assert!(error.contains("bounded:K"), "{error}");
    }
}

/// The model for stateright, with a bound.
#[derive(Clone)]
struct Bounded {
    config: Config,
    q0: u64,
    qd0: u64,
    property: Property,
}

impl Bounded {
    fn is_broken(&self, state: &State) -> bool {
        match self.property {
            Property::Bounded(k) => state.backlog() > k,
            _ => Region::general(&self.config, self.config.most_arrivals()).contains(state),
        }
    }
}

impl Model for Bounded {
    type State = State;
    type Action = State;

    fn init_states(&self) -> Vec<State> {
        vec![self.config.start(self.q0, self.qd0)]
    }

    fn actions(&self, state: &State, actions: &mut Vec<State>) {
        actions.extend(next_states(&self.config, state));
    }

    fn next_state(&self, _: &State, next: State) -> Option<State> {
        Some(next)
    }

    fn properties(&self) -> Vec<stateright::Property<Self>> {
        vec![stateright::Property::always("kept", |model: &Self, s| {
            !model.is_broken(s)
        })]
    }

    fn within_boundary(&self, state: &State) -> bool {
        state.backlog() <= 4 * CAP
    }
}

fn any_config() -> impl Strategy<Value = Config> {
    (
        1..5u64,
        0..4u64,
        1..4u64,
        prop::option::of(0..5u64),
        any::<bool>(),
    )
        .prop_map(|(s, amax, t, budget, fresh_first)| {
            let mut config = Config::new(s, amax, t);
            config.budget = budget;
            match fresh_first {
                true => config.with_fresh_first(),
                false => config,
            }
        })
}

/// Whether a lasso or a climb of fewer than `limit` states begins with `run`.
fn breaks_within(config: &Config, run: &mut Vec<State>, limit: usize) -> bool {
    let last = run[run.len() - 1];
    if run.len() < limit && last.is_round_start() {
        let is_climb_from = |at: &usize| {
            let from = &run[*at];
            from.is_round_start()
                && (last.qf >= from.qf && last.qd >= from.qd)
                && run[*at..].iter().any(|s| !config.is_good(s))
        };
        if (0..run.len() - 1).any(|at| is_climb_from(&at)) {
            return true;
        }
    }
    if run.len() >= limit {
        return false;
    }
    next_states(config, &last).into_iter().any(|next| {
        let closes = run.iter().position(|s| *s == next);
        if closes.is_some_and(|at| run[at..].iter().any(|s| !config.is_good(s))) {
            return true;
        }
        run.push(next);
        let breaks = breaks_within(config, run, limit);
        run.pop();
        breaks
    })
}

/// Two a round arrive and two are served, so its rounds start and end in `Good` and pass through a backlog above it.
#[test]
fn a_cycle_that_leaves_good_only_between_round_starts_is_a_lasso() {
    let config = Config::new(2, 2, 1).with_fresh_first();
    for (q0, qd0) in [(1, 2), (0, 4), (2, 2)] {
        let start = config.start(q0, qd0);
        assert_eq!(judge(&config, &start, CAP).stabilizes, Some(false));
        let search = counterexample(&config, &start, Property::Stabilization, CAP);
        let run = search.found().expect("stabilization fails");
        assert!(run.shortest);
        assert_breaks(&config, &start, Property::Stabilization, run);
    }
    let search = counterexample(&config, &config.start(1, 2), Property::Stabilization, CAP);
    let run = search.found().expect("stabilization fails");
    // The start has done nothing yet, so the cycle begins one step later.
    assert_eq!(
        (run.kind, run.states.len()),
        (Kind::Lasso { cycle_start: 1 }, 3)
    );
    let is_good: Vec<_> = run.states.iter().map(|s| config.is_good(s)).collect();
    assert_eq!(is_good, [true, false, true]);
}

proptest! {
    #![proptest_config(support::cases(64))]

    #[test]
    fn it_replays_step_by_step_and_breaks_the_property(
        config in any_config(), q0 in 0..25u64, qd0 in 0..12u64, k in 5..60u64,
    ) {
        let start = config.start(q0, qd0);
        for property in [Property::Bounded(k), Property::NotTrapped, Property::Stabilization] {
            if let Search::Found(run) = counterexample(&config, &start, property, CAP) {
                assert_breaks(&config, &start, property, &run);
            }
        }
    }

    #[test]
    fn there_is_one_exactly_if_stabilization_fails(
        config in any_config(), q0 in 0..25u64, qd0 in 0..12u64,
    ) {
        let start = config.start(q0, qd0);
        let stabilizes = judge(&config, &start, CAP).stabilizes;
        let search = counterexample(&config, &start, Property::Stabilization, CAP);
        prop_assert_eq!(search.found().is_none(), stabilizes == Some(true), "{:?}", stabilizes);
    }

    #[test]
    fn none_is_longer_than_staterights(
        config in any_config(), q0 in 0..20u64, qd0 in 0..8u64, k in 5..40u64, trap: bool,
    ) {
        let property = match trap {
            true => Property::NotTrapped,
            false => Property::Bounded(k),
        };
        let model = Bounded { config, q0, qd0, property };
        let checker = model.clone().checker().spawn_bfs().join();
        let theirs = checker.discovery("kept").map(|path| path.into_states().len());
        let start = config.start(q0, qd0);
        match counterexample(&config, &start, property, 4 * CAP) {
            Search::Found(ours) => {
                prop_assert!(ours.shortest);
                prop_assert_eq!(Some(ours.states.len()), theirs);
            }
            Search::NotFound { .. } => prop_assert_eq!(theirs, None),
        }
    }

    #[test]
    fn no_shorter_lasso_or_climb_exists(
        config in any_config(), q0 in 0..20u64, qd0 in 0..10u64,
    ) {
        let start = config.start(q0, qd0);
        let search = counterexample(&config, &start, Property::Stabilization, CAP);
        if let Some(run) = search.found().filter(|run| run.states.len() <= 11) {
            prop_assert!(run.shortest);
            prop_assert!(!breaks_within(&config, &mut vec![start], run.states.len()));
        }
    }

    #[test]
    fn under_a_faulty_component_lassos_replay_too(q0 in 0..12u64, eager: bool) {
        use engine::retrier_server::Fault;
        let fault = if eager { Fault::EagerRetrier } else { Fault::WastefulServer };
        let config = storm().with_fault(fault);
        let start = config.start(q0, 0);
        for property in [Property::Bounded(30), Property::Stabilization] {
            if let Search::Found(run) = counterexample(&config, &start, property, CAP) {
                assert_breaks(&config, &start, property, &run);
            }
        }
    }
}
