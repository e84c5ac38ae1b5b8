//! The explorer: cycles as another library finds them, bits as good as a table of states, and bounds that hold.

mod support;

use allocation_counter::measure;
use engine::explore::{Explorer, Graph, Model, explore, survey};
use engine::retrier_server::{
    Breaker, Composition, Config, Exploration, Fault, Gate, Phase, TokenBucket, explore_from, phase,
};
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use proptest::prelude::*;
use std::collections::{BTreeSet, HashSet};

const ROOM: usize = 1 << 28;

/// The steps of another model, without its codes.
struct Plain<'m, M>(&'m M);

impl<M: Model> Model for Plain<'_, M> {
    type State = M::State;
    type Action = M::Action;

    fn initial(&self, each: &mut impl FnMut(M::State)) {
        self.0.initial(each);
    }

    fn steps(&self, state: &M::State, each: &mut impl FnMut(M::Action, M::State)) {
        self.0.steps(state, each);
    }

    fn admits(&self, state: &M::State) -> bool {
        self.0.admits(state)
    }
}

/// Any graph: the steps of each node, of which 0 is the start.
#[derive(Debug)]
struct Wired(Vec<Vec<u8>>);

impl Model for Wired {
    type State = u8;
    type Action = ();

    fn initial(&self, each: &mut impl FnMut(u8)) {
        each(0);
    }

    fn steps(&self, state: &u8, each: &mut impl FnMut((), u8)) {
        for &to in &self.0[usize::from(*state)] {
            each((), to);
        }
    }

    fn codes(&self) -> Option<u64> {
        Some(self.0.len() as u64)
    }

    fn encode(&self, state: &u8) -> u64 {
        // Not in the order in which they are found.
        self.0.len() as u64 - 1 - u64::from(*state)
    }

    fn decode(&self, code: u64) -> u8 {
        (self.0.len() as u64 - 1 - code) as u8
    }
}

fn any_wiring() -> impl Strategy<Value = Wired> {
    (1..40u8).prop_flat_map(|nodes| {
        let steps = prop::collection::vec(0..nodes, 0..4);
        prop::collection::vec(steps, usize::from(nodes)).prop_map(Wired)
    })
}

/// The components that hold a cycle, as `petgraph` finds them, over the states that pass `is_in`.
fn cyclic_sets(graph: &Graph<u8>, is_in: impl Fn(u8) -> bool) -> BTreeSet<BTreeSet<u8>> {
    let mut theirs = DiGraph::new();
    let nodes: Vec<_> = graph.states().iter().map(|&s| theirs.add_node(s)).collect();
    for from in 0..nodes.len() {
        for &to in graph.successors(from) {
            theirs.update_edge(nodes[from], nodes[to as usize], ());
        }
    }
    let kept = theirs.filter_map(|_, &s| is_in(s).then_some(s), |_, ()| Some(()));
    tarjan_scc(&kept)
        .into_iter()
        .filter(|part| part.len() > 1 || kept.contains_edge(part[0], part[0]))
        .map(|part| part.into_iter().map(|node| kept[node]).collect())
        .collect()
}

fn any_composition() -> impl Strategy<Value = Composition> {
    let gate = prop_oneof![
        Just(Gate::None),
        (0..6u16, 1..5u16).prop_map(|(capacity, acks_per_token)| {
            Gate::TokenBucket(TokenBucket {
                capacity,
                acks_per_token,
            })
        }),
        (1..5u16, 1..5u16).prop_map(|(max_failures, max_open_ticks)| {
            Gate::Breaker(Breaker {
                max_failures,
                max_open_ticks,
            })
        }),
    ];
    let fault = prop::sample::select(Fault::ALL.to_vec());
    let parameters = (1..6u64, 0..5u64, 1..4u64, prop::option::of(0..6u64));
    let laws = (gate, fault, any::<bool>());
    (parameters, laws, (0..20u64, 0..10u64), 5..30u64).prop_map(
        |((s, amax, t, budget), (gate, fault, fresh_first), (q0, qd0), cap)| {
            let mut config = Config::new(s, amax, t).with_gate(gate).with_fault(fault);
            config.budget = budget;
            if fresh_first {
                config = config.with_fresh_first();
            }
            let start = config.start(q0, qd0);
            Composition { config, start, cap }
        },
    )
}

proptest! {
    #![proptest_config(support::cases(100))]

    #[test]
    fn cycles_are_those_that_another_library_finds(wired in any_wiring(), odd: bool) {
        let is_in = |state: &u8| !odd || state % 2 == 1;
        let graph = explore(&wired, usize::MAX);
        let components = graph.cyclic_components(|i| is_in(&graph.states()[i]));
        let mut ours = std::collections::BTreeMap::<u32, BTreeSet<u8>>::new();
        for (&state, component) in graph.states().iter().zip(components) {
            if let Some(component) = component {
                ours.entry(component).or_default().insert(state);
            }
        }
        let theirs = cyclic_sets(&graph, |state| is_in(&state));
        prop_assert_eq!(ours.into_values().collect::<BTreeSet<_>>(), theirs.clone());
        prop_assert_eq!(graph.has_cycle_within(is_in), !theirs.is_empty());

        let all: BTreeSet<u8> = cyclic_sets(&graph, |_| true).into_iter().flatten().collect();
        let coded = survey(&wired, ROOM);
        let plain = Plain(&wired);
        let plain = survey(&plain, ROOM);
        prop_assert_eq!(coded.states(), graph.states().len());
        prop_assert_eq!(plain.states(), graph.states().len());
        prop_assert_eq!(coded.has_cycle_within(is_in), !theirs.is_empty());
        prop_assert_eq!(plain.has_cycle_within(is_in), !theirs.is_empty());
        for state in 0..40 {
            let is_here = graph.states().contains(&state);
            prop_assert_eq!(coded.holds(|s| *s == state), is_here);
            prop_assert_eq!(coded.has_cycle_through(|s| *s == state), all.contains(&state));
            prop_assert_eq!(plain.has_cycle_through(|s| *s == state), all.contains(&state));
        }
    }

    #[test]
    fn a_bit_a_state_finds_what_a_table_of_states_finds(composition in any_composition()) {
        let plain = Plain(&composition);
        let expected: Exploration = composition.examine(&survey(&plain, ROOM));
        prop_assert_eq!(composition.examine(&survey(&composition, ROOM)), expected);
        let Composition { config, start, cap } = composition;
        prop_assert_eq!(explore_from(&config, &start, cap), expected);
        let graph = explore(&composition, usize::MAX);
        prop_assert_eq!((graph.states().len(), graph.is_complete()), (expected.states, expected.complete));
    }

    #[test]
    fn every_state_has_a_code_of_its_own(composition in any_composition()) {
        let codes = composition.codes().expect("a start of the gate's own");
        let graph = explore(&composition, usize::MAX);
        let mut seen = HashSet::new();
        for state in graph.states() {
            let code = composition.encode(state);
            prop_assert!(code < codes && seen.insert(code), "{:?}", state);
            prop_assert_eq!(composition.decode(code), *state);
        }
    }
}

/// The storm with room for a backlog of 5,000: more than a million states.
fn wide() -> Composition {
    let config = Config::new(3, 2, 2);
    let start = config.start(18, 0);
    Composition {
        config,
        start,
        cap: 5_000,
    }
}

#[test]
fn a_million_states_and_the_search_for_their_cycles_take_less_than_16_bytes_each() {
    let composition = wide();
    let mut states = 0;
    let taken = measure(|| {
        let reached = survey(&composition, ROOM);
        states = reached.states();
        // Looks at all of them: no state is wanted.
        assert!(!reached.has_cycle_through(|_| false));
    });
    let bytes = taken.bytes_max as f64 / states as f64;
    println!("{bytes:.1} bytes for each of {states} states");
    assert_eq!(states, 1_277_436);
    assert!(bytes < 16.0, "{bytes}");
}

#[test]
fn memory_is_bounded_by_what_it_is_given() {
    let composition = wide();
    let plain = Plain(&composition);
    for bytes in [1 << 20, 1 << 22, 1 << 24] {
        let taken = measure(|| {
            let reached = survey(&plain, bytes);
            assert!(!reached.is_complete());
            reached.has_cycle_through(|_| false);
        });
        assert!(
            taken.bytes_max <= bytes as u64,
            "{} of {bytes}",
            taken.bytes_max
        );
        let taken = measure(|| {
            let reached = survey(&composition, bytes);
            reached.has_cycle_through(|_| false);
        });
        assert!(
            taken.bytes_max <= bytes as u64,
            "{} of {bytes}",
            taken.bytes_max
        );
    }
}

/// From every number a step to every number.
struct Everywhere;

impl Model for Everywhere {
    type State = u32;
    type Action = u32;

    fn initial(&self, each: &mut impl FnMut(u32)) {
        each(0);
    }

    fn steps(&self, _: &u32, each: &mut impl FnMut(u32, u32)) {
        (0..1_000).for_each(|to| each(to, to));
    }
}

#[test]
fn too_many_steps_end_an_exploration_as_too_many_states_do() {
    let mut explorer = Explorer::new(&Everywhere, 1_000);
    assert!(explorer.advance(usize::MAX));
    assert!(explorer.is_full());
    let graph = explorer.into_graph();
    assert!(!graph.is_complete());
    // Each state's steps are taken whole, so that the last may pass the bound.
    assert!(graph.steps() <= 17_000, "{}", graph.steps());

    let mut explorer = Explorer::new(&Everywhere, 999);
    explorer.advance(1);
    assert!(explorer.is_full() && explorer.states() == 999);
}

#[test]
fn a_state_beyond_32_bits_is_beyond_every_cap() {
    let breaker = Breaker {
        max_failures: 3,
        max_open_ticks: 5,
    };
    let config = Config::default().with_gate(Gate::Breaker(breaker));
    for (qf, qd) in [(1 << 32, 0), (0, 1 << 31), (3 << 31, 1), (1 << 40, 1 << 33)] {
        let start = config.start(qf, qd);
        let found = explore_from(&config, &start, 500);
        assert_eq!((found.states, found.complete), (0, false), "({qf}, {qd})");
        assert_ne!(phase(&config, &start, 500), Phase::Healthy);
    }
    // The most that a round can have served, with nothing queued.
    let mut start = Config::new(1 << 31, 0, 1).start(0, 0);
    start.done = 1 << 31;
    start.p = 1 << 31;
    let found = explore_from(&Config::new(1 << 31, 0, 1), &start, 5);
    assert_eq!((found.complete, found.stabilizes), (true, Some(true)));
}
