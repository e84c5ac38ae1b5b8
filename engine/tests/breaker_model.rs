//! The circuit breaker's model: the document's bound, its laws at every bound, and an independent checker.

mod support;

use engine::breaker::{
    Action, Caller, Check, Config, Fairness, Invariant, LivenessCheck, Phase, Property, Refusal,
    State, Variant, check,
};
use engine::explore::{Trail, explore};
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use proptest::prelude::*;
use stateright::{Checker, Model as _, StateRecorder};
use std::collections::{HashMap, HashSet};

fn checked(variant: Variant, callers: u8, max_failures: u16, max_open_ticks: u16) -> Check {
    check(Config::new(variant, callers, max_failures, max_open_ticks)).unwrap()
}

fn broken(check: &Check) -> Vec<Invariant> {
    let broken = check.invariants.iter();
    broken
        .filter(|(_, trail)| trail.is_some())
        .map(|&(invariant, _)| invariant)
        .collect()
}

fn holds(check: &Check, fairness: Fairness) -> Vec<Property> {
    let properties = Property::ALL.into_iter();
    properties
        .filter(|&p| check.liveness_of(p, fairness).lasso.is_none())
        .collect()
}

#[test]
fn hardened_holds_at_the_documents_bound() {
    let check = checked(Variant::Hardened, 2, 2, 2);
    assert_eq!((check.states, check.depth), (8, 6));
    assert_eq!(broken(&check), []);
    assert_eq!(check.counterexample(), None);
}

#[test]
fn naive_lets_two_probes_in_at_the_documents_bound() {
    let check = checked(Variant::Naive, 2, 2, 2);
    assert_eq!((check.states, check.depth), (9, 7));
    assert_eq!(
        broken(&check),
        [Invariant::NoDoubleProbe, Invariant::ProbeAcceptedIsBounded]
    );
    let (invariant, trail) = check.counterexample().unwrap();
    assert_eq!(invariant, Invariant::NoDoubleProbe);
    assert_eq!(trail.length(), 8);
    let actions: Vec<_> = trail.steps.iter().map(|(a, _)| a.to_string()).collect();
    assert_eq!(
        actions,
        [
            "ClosedCallFailure(1)",
            "ClosedCallFailureTripBreaker(1)",
            "OpenTick",
            "OpenTick",
            "OpenTimerElapses",
            "HalfOpenProbeStart(1)",
            "HalfOpenProbeStart(2)",
        ]
    );
    assert_eq!(trail.last().caller_active.len(), 2);
}

#[test]
fn the_second_probe_is_refused_by_the_hardened_design_alone() {
    let trail = checked(Variant::Naive, 2, 2, 2);
    let (_, trail) = trail.counterexample().unwrap();
    let (last, schedule) = trail.steps.split_last().unwrap();
    let hardened = Config::new(Variant::Hardened, 2, 2, 2);
    let mut state = trail.first;
    for &(action, naive) in schedule {
        state = hardened.apply(&state, action).unwrap();
        assert_eq!(state, naive, "until then the designs agree");
    }
    assert_eq!(hardened.apply(&state, last.0), Err(Refusal::ProbeInFlight));
    let rejected = Action::HalfOpenProbeRejected(Caller(2));
    assert_eq!(hardened.apply(&state, rejected), Ok(state));
}

#[test]
fn every_call_completes_in_the_hardened_design_under_weak_fairness() {
    let check = checked(Variant::Hardened, 2, 2, 2);
    assert_eq!(
        holds(&check, Fairness::Weak),
        [
            Property::EveryCallCompletes,
            Property::EveryCallerIsAnswered,
            Property::OpenIsProbed
        ]
    );
    assert_eq!(holds(&check, Fairness::None), [], "a run may stop anywhere");
}

#[test]
fn nothing_makes_a_breaker_close_while_every_probe_fails() {
    let check = checked(Variant::Hardened, 1, 1, 0);
    let lasso = check.liveness_of(Property::OpenRecloses, Fairness::Weak);
    let lasso = lasso.lasso.as_ref().unwrap();
    let actions: Vec<_> = lasso.cycle.iter().map(|(a, _)| a.name()).collect();
    assert_eq!(
        actions,
        [
            "OpenTimerElapses",
            "HalfOpenProbeStart",
            "HalfOpenProbeFailure"
        ]
    );
}

#[test]
fn the_naive_design_forgets_a_call_when_another_probe_ends() {
    let check = checked(Variant::Naive, 2, 2, 2);
    assert_eq!(holds(&check, Fairness::Weak), [Property::OpenIsProbed]);
    let lasso = check.liveness_of(Property::EveryCallCompletes, Fairness::Weak);
    let lasso = lasso.lasso.as_ref().unwrap();
    let (last, end) = *lasso.stem.steps.last().unwrap();
    assert_eq!(last, Action::HalfOpenProbeSuccess(Caller(2)));
    assert!(end.caller_active.is_empty(), "caller 1 was inside too");
}

#[test]
fn parameters_out_of_range_are_named() {
    let refusal = |callers, max_failures, max_open_ticks| {
        let config = Config::new(Variant::Naive, callers, max_failures, max_open_ticks);
        check(config).unwrap_err().to_string()
    };
    assert_eq!(refusal(7, 2, 2), "callers is 7, but must be from 1 to 6");
    assert_eq!(refusal(0, 2, 2), "callers is 0, but must be from 1 to 6");
    assert_eq!(
        refusal(2, 0, 2),
        "max-failures is 0, but must be from 1 to 1000"
    );
    assert_eq!(
        refusal(2, 2, 1001),
        "max-open-ticks is 1001, but must be from 0 to 1000"
    );
}

/// `(state, failureCount, openTicks, probeInflight, probesAccepted, callerActive)`.
type Tuple = (char, i32, i32, bool, i32, Vec<i32>);

/// A step: the document's name for it, and the caller, 0 for the clock.
type Step = (&'static str, i32);

/// The rules of `models.md`, section 2, once more.
#[derive(Clone, Copy, Debug)]
struct Rules {
    hardened: bool,
    callers: i32,
    max_failures: i32,
    max_open_ticks: i32,
}

impl Rules {
    fn of(config: Config) -> Self {
        Self {
            hardened: config.variant == Variant::Hardened,
            callers: config.callers.into(),
            max_failures: config.max_failures.into(),
            max_open_ticks: config.max_open_ticks.into(),
        }
    }

    fn steps(&self, state: &Tuple) -> Vec<(Step, Tuple)> {
        let (phase, failures, ticks, inflight, accepted, active) = state.clone();
        let mut steps = Vec::new();
        if phase == 'O' && ticks < self.max_open_ticks {
            let next = ('O', failures, ticks + 1, inflight, accepted, active.clone());
            steps.push((("OpenTick", 0), next));
        }
        if phase == 'O' && ticks == self.max_open_ticks {
            let next = ('H', failures, ticks, false, 0, vec![]);
            steps.push((("OpenTimerElapses", 0), next));
        }
        for c in 1..=self.callers {
            match phase {
                'C' => {
                    let success = ('C', 0, ticks, inflight, accepted, active.clone());
                    steps.push((("ClosedCallSuccess", c), success));
                    if failures + 1 < self.max_failures {
                        let next = ('C', failures + 1, ticks, inflight, accepted, active.clone());
                        steps.push((("ClosedCallFailure", c), next));
                    }
                    if failures + 1 == self.max_failures {
                        let next = (
                            'O',
                            self.max_failures,
                            0,
                            inflight,
                            accepted,
                            active.clone(),
                        );
                        steps.push((("ClosedCallFailureTripBreaker", c), next));
                    }
                }
                'O' => steps.push((("OpenShortCircuit", c), state.clone())),
                _ if active.contains(&c) => {
                    steps.push((("HalfOpenProbeSuccess", c), ('C', 0, 0, false, 0, vec![])));
                    let failure = ('O', self.max_failures, 0, false, 0, vec![]);
                    steps.push((("HalfOpenProbeFailure", c), failure));
                }
                _ => {
                    if !(self.hardened && inflight) {
                        let mut inside = active.clone();
                        inside.push(c);
                        inside.sort_unstable();
                        let next = ('H', failures, ticks, true, accepted + 1, inside);
                        steps.push((("HalfOpenProbeStart", c), next));
                    }
                    if inflight {
                        steps.push((("HalfOpenProbeRejected", c), state.clone()));
                    }
                }
            }
        }
        steps
    }
}

impl stateright::Model for Rules {
    type State = Tuple;
    type Action = Step;

    fn init_states(&self) -> Vec<Tuple> {
        vec![('C', 0, 0, false, 0, vec![])]
    }

    fn actions(&self, state: &Tuple, actions: &mut Vec<Step>) {
        actions.extend(self.steps(state).into_iter().map(|(step, _)| step));
    }

    fn next_state(&self, state: &Tuple, taken: Step) -> Option<Tuple> {
        let mut steps = self.steps(state).into_iter();
        steps.find(|&(step, _)| step == taken).map(|(_, next)| next)
    }

    fn properties(&self) -> Vec<stateright::Property<Self>> {
        vec![
            stateright::Property::always(
                "NoDoubleProbe",
                |_, (phase, _, _, inflight, _, active): &Tuple| {
                    !(*phase == 'H' && *inflight && active.len() > 1)
                },
            ),
            // Never found, so that the checker does not stop at a double probe.
            stateright::Property::sometimes("end of the world", |_, _| false),
        ]
    }
}

fn tuple(state: &State) -> Tuple {
    let phase = match state.phase {
        Phase::Closed => 'C',
        Phase::Open => 'O',
        Phase::HalfOpen => 'H',
    };
    (
        phase,
        state.failure_count.into(),
        state.open_ticks.into(),
        state.probe_inflight,
        state.probes_accepted.into(),
        state.caller_active.iter().map(|c| c.0.into()).collect(),
    )
}

/// Whether some fair run breaks a property: past a state that asks, some strongly connected set of states without goal
/// steps is fair to each actor.
fn is_violated(
    rules: &Rules,
    asks: impl Fn(&Tuple) -> bool,
    is_goal: impl Fn(&Step) -> bool,
    weak: bool,
) -> bool {
    let (recorder, recorded) = StateRecorder::new_with_accessor();
    let _ = rules.checker().visitor(recorder).spawn_bfs().join();
    let mut graph = DiGraph::<Tuple, Step>::new();
    let nodes: HashMap<Tuple, _> = HashSet::<Tuple>::from_iter(recorded())
        .into_iter()
        .map(|state| (state.clone(), graph.add_node(state)))
        .collect();
    for (state, &from) in &nodes {
        for (step, to) in rules.steps(state) {
            if !is_goal(&step) {
                graph.add_edge(from, nodes[&to], step);
            }
        }
    }
    let is_fair_to = |part: &[_], actor: i32| {
        part.iter().any(|&at| {
            let is_enabled = rules
                .steps(&graph[at])
                .iter()
                .any(|&((_, c), _)| c == actor);
            let is_taken = graph.edges(at).any(|edge| {
                edge.weight().1 == actor && part.contains(&petgraph::visit::EdgeRef::target(&edge))
            });
            !is_enabled || is_taken
        })
    };
    let actors = if weak { 0..rules.callers + 1 } else { 0..0 };
    let homes: HashSet<_> = tarjan_scc(&graph)
        .into_iter()
        .filter(|part| actors.clone().all(|actor| is_fair_to(part, actor)))
        .flatten()
        .collect();
    nodes.iter().any(|(state, &from)| {
        let mut reach = petgraph::visit::Dfs::new(&graph, from);
        asks(state) && std::iter::from_fn(|| reach.next(&graph)).any(|at| homes.contains(&at))
    })
}

fn is_violated_independently(rules: &Rules, property: Property, weak: bool) -> bool {
    let is_open = |state: &Tuple| state.0 == 'O';
    match property {
        Property::EveryCallCompletes => is_violated(
            rules,
            |state| state.5.contains(&1),
            |step| matches!(step, ("HalfOpenProbeSuccess" | "HalfOpenProbeFailure", 1)),
            weak,
        ),
        Property::EveryCallerIsAnswered => is_violated(
            rules,
            |_| true,
            |&(name, caller)| caller == 1 && name != "HalfOpenProbeStart",
            weak,
        ),
        Property::OpenIsProbed => {
            is_violated(rules, is_open, |step| step.0 == "HalfOpenProbeStart", weak)
        }
        Property::OpenRecloses => is_violated(
            rules,
            is_open,
            |step| step.0 == "HalfOpenProbeSuccess",
            weak,
        ),
    }
}

fn is_goal(property: Property, action: Action) -> bool {
    let first = action.caller() == Some(Caller(1));
    match property {
        Property::EveryCallCompletes => first && action.ends_probe(),
        Property::EveryCallerIsAnswered => first && action.name() != "HalfOpenProbeStart",
        Property::OpenIsProbed => action.name() == "HalfOpenProbeStart",
        Property::OpenRecloses => action.name() == "HalfOpenProbeSuccess",
    }
}

fn asks(property: Property, state: &State) -> bool {
    match property {
        Property::EveryCallCompletes => state.caller_active.contains(Caller(1)),
        Property::EveryCallerIsAnswered => true,
        Property::OpenIsProbed | Property::OpenRecloses => state.phase == Phase::Open,
    }
}

/// Plays a trail in the model, and gives back its states.
fn replay(config: Config, trail: &Trail<State, Action>) -> Vec<State> {
    let mut states = vec![trail.first];
    for &(action, to) in &trail.steps {
        let from = states.last().unwrap();
        assert_eq!(config.apply(from, action), Ok(to), "{action} from {from:?}");
        states.push(to);
    }
    states
}

/// The lasso is a run of the model, returns to itself, misses its goal and is fair.
fn replay_lasso(config: Config, check: &LivenessCheck) {
    let Some(lasso) = &check.lasso else { return };
    let stem = replay(config, &lasso.stem);
    assert_eq!(stem[0], State::default());
    let cycle = Trail {
        first: lasso.stem.last(),
        steps: lasso.cycle.clone(),
    };
    let states = replay(config, &cycle);
    assert_eq!(cycle.last(), cycle.first);
    let asked = stem.iter().rposition(|state| asks(check.property, state));
    let waiting = &lasso.stem.steps[asked.unwrap()..];
    for &(action, _) in waiting.iter().chain(&lasso.cycle) {
        assert!(!is_goal(check.property, action), "{action} is the goal");
    }
    if check.fairness == Fairness::Weak {
        for actor in config.callers().map(Some).chain([None]) {
            let takes = lasso.cycle.iter().any(|(a, _)| a.caller() == actor);
            let pauses = states.iter().any(|state| {
                let mut actions = config.actions();
                !actions.any(|a| a.caller() == actor && config.apply(state, a).is_ok())
            });
            assert!(takes || pauses, "{actor:?} is overlooked");
        }
    }
}

fn configs() -> impl Strategy<Value = Config> {
    let variant = prop_oneof![Just(Variant::Naive), Just(Variant::Hardened)];
    (variant, 1..=6u8, 1..=6u16, 0..=6u16).prop_map(|(variant, callers, failures, ticks)| {
        Config::new(variant, callers, failures, ticks)
    })
}

proptest! {
    #![proptest_config(support::cases(64))]

    #[test]
    fn states_and_depth_follow_their_formulas(config in configs()) {
        let check = check(config).unwrap();
        let counted = usize::from(config.max_failures) + usize::from(config.max_open_ticks) + 1;
        let callers = usize::from(config.callers);
        let (half_open, probes) = match config.variant {
            Variant::Hardened => (1 + callers, 1),
            Variant::Naive => (1 << callers, callers),
        };
        prop_assert_eq!(check.states, counted + half_open);
        prop_assert_eq!(check.depth, counted + probes);
    }

    #[test]
    fn hardened_holds_and_naive_fails_with_a_second_caller(config in configs()) {
        let check = check(config).unwrap();
        let is_safe = config.variant == Variant::Hardened || config.callers == 1;
        prop_assert_eq!(broken(&check).is_empty(), is_safe);
        if let Some((invariant, trail)) = check.counterexample() {
            // A trip, an ageing, and two probes.
            let counted = usize::from(config.max_failures) + usize::from(config.max_open_ticks) + 1;
            prop_assert_eq!(trail.length(), counted + 3);
            let states = replay(config, trail);
            prop_assert!(!invariant.holds(&config, states.last().unwrap()));
        }
        let expected: &[_] = if is_safe {
            &[Property::EveryCallCompletes, Property::EveryCallerIsAnswered, Property::OpenIsProbed]
        } else {
            &[Property::OpenIsProbed]
        };
        prop_assert_eq!(holds(&check, Fairness::Weak), expected);
    }

    #[test]
    fn lassos_replay_and_are_fair(config in configs()) {
        for checked in &check(config).unwrap().liveness {
            replay_lasso(config, checked);
        }
    }

    #[test]
    fn states_and_verdicts_are_those_of_an_independent_checker(config in configs()) {
        let rules = Rules::of(config);
        let theirs = rules.checker().spawn_bfs().join();
        let graph = explore(&config, usize::MAX);
        prop_assert_eq!(graph.states().len(), theirs.unique_state_count());
        let (recorder, recorded) = StateRecorder::new_with_accessor();
        let _ = rules.checker().visitor(recorder).spawn_bfs().join();
        let ours: HashSet<Tuple> = graph.states().iter().map(tuple).collect();
        prop_assert!(recorded().iter().all(|state| ours.contains(state)));

        let check = check(config).unwrap();
        let double = theirs.discovery("NoDoubleProbe");
        let ours = check.counterexample().map(|(_, trail)| trail.length());
        let theirs = double.map(|path| path.into_states().len());
        prop_assert_eq!(ours.is_some(), theirs.is_some());
        prop_assert!(ours <= theirs, "a shortest run is not longer than theirs");
        for checked in &check.liveness {
            let weak = checked.fairness == Fairness::Weak;
            prop_assert_eq!(
                checked.lasso.is_some(),
                is_violated_independently(&rules, checked.property, weak),
                "{} under {} fairness", checked.property, checked.fairness
            );
        }
    }

    #[test]
    fn the_designs_agree_until_a_second_probe(choices in prop::collection::vec(any::<prop::sample::Index>(), 0..60)) {
        let naive = Config::new(Variant::Naive, 3, 2, 1);
        let hardened = Config::new(Variant::Hardened, 3, 2, 1);
        let mut state = State::default();
        for choice in choices {
            let enabled: Vec<_> = naive.actions().filter(|&a| naive.apply(&state, a).is_ok()).collect();
            let action = *choice.get(&enabled);
            let next = naive.apply(&state, action).unwrap();
            match hardened.apply(&state, action) {
                Ok(same) => prop_assert_eq!(same, next),
                Err(refusal) => {
                    prop_assert_eq!(refusal, Refusal::ProbeInFlight);
                    prop_assert!(!Invariant::NoDoubleProbe.holds(&naive, &next));
                    break;
                }
            }
            state = next;
        }
    }
}
