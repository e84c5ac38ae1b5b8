//! Retry laws with a memory: what each lets out, and verdicts against an independent checker.
#![cfg(not(target_arch = "wasm32"))]

mod support;

use engine::retrier_server::overflow::{Overflow, weight};
use engine::retrier_server::{
    Arrivals, Breaker, Config, DEFAULT_CAP, End, Gate, GateState, Law, Plan, State, Step,
    TokenBucket, Verdict, compare_laws, deciding_run, explore_from, judge,
};
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use proptest::prelude::*;
use stateright::{Checker, Model, Property, StateRecorder};
use std::collections::HashMap;

const fn bucket(capacity: u16, acks_per_token: u16) -> Gate {
    Gate::TokenBucket(TokenBucket {
        capacity,
        acks_per_token,
    })
}

const fn breaker(max_failures: u16, max_open_ticks: u16) -> Gate {
    Gate::Breaker(Breaker {
        max_failures,
        max_open_ticks,
    })
}

fn any_gate() -> impl Strategy<Value = Gate> {
    prop_oneof![
        (0..8u16, 1..5u16).prop_map(|(k, m)| bucket(k, m)),
        (1..5u16, 1..5u16).prop_map(|(f, t)| breaker(f, t)),
    ]
}

/// The retrier's steps of a run: `(state before, raw flux, flux, state after)`.
fn retrier_steps(plan: &Plan) -> Vec<(State, u64, u64, State)> {
    let run = plan.play().unwrap();
    let pairs = run.points().windows(2);
    pairs
        .filter_map(|pair| match pair[1].step {
            Step::Retrier { flux, .. } => {
                let raw = plan.config.raw_flux(&pair[0].state);
                Some((pair[0].state, raw, flux, pair[1].state))
            }
            _ => None,
        })
        .collect()
}

fn plan(config: Config, q0: u64, seed: u64) -> Plan {
    Plan {
        arrivals: Arrivals::Random(seed),
        ..Plan::new(config, q0, 120)
    }
}

fn any_parameters() -> impl Strategy<Value = Config> {
    (1..6u64, 0..6u64, 1..4u64).prop_map(|(s, amax, t)| Config::new(s, amax, t))
}

proptest! {
    #![proptest_config(support::cases(256))]

    #[test]
    fn a_bucket_spends_no_token_that_it_has_not(
        config in any_parameters(), k in 0..8u16, m in 1..5u16, q0 in 0..60u64, seed: u64
    ) {
        let steps = retrier_steps(&plan(config.with_gate(bucket(k, m)), q0, seed));
        let (mut sent, mut acks) = (0, 0);
        for (before, raw, flux, after) in steps {
            let GateState::Tokens { tokens, .. } = before.gate else { panic!("{before:?}") };
            let GateState::Tokens { tokens: left, .. } = after.gate else { panic!("{after:?}") };
            prop_assert!(left <= k);
            prop_assert_eq!(flux, raw.min(tokens.into()));
            sent += flux;
            prop_assert!(sent <= u64::from(k) + acks / u64::from(m), "more sent than ever earned");
            acks += before.done;
        }
    }

    #[test]
    fn a_breaker_opens_after_so_many_failures_in_a_row_and_then_keeps_still(
        config in any_parameters(), f in 1..5u16, ticks in 1..5u16, q0 in 0..60u64, seed: u64
    ) {
        let steps = retrier_steps(&plan(config.with_gate(breaker(f, ticks)), q0, seed));
        let mut failures = 0;
        for (i, &(before, raw, flux, after)) in steps.iter().enumerate() {
            prop_assert!(flux <= raw);
            match before.gate {
                GateState::Closed { .. } => {
                    prop_assert_eq!(flux, raw);
                    failures = if raw > 0 { failures + 1 } else { 0 };
                    let trips = after.gate == GateState::Open { ticks: 0 };
                    prop_assert_eq!(trips, failures == f);
                    if trips {
                        let silent = steps[i + 1..].iter().take(ticks.into());
                        prop_assert!(silent.clone().all(|step| step.2 == 0));
                        if let Some(probe) = steps.get(i + 1 + usize::from(ticks)) {
                            prop_assert_eq!(probe.2, probe.1.min(1), "then one goes out");
                        }
                    }
                }
                GateState::Open { .. } => prop_assert_eq!(flux, 0),
                GateState::HalfOpen { probed: false } => prop_assert_eq!(flux, raw.min(1)),
                GateState::HalfOpen { probed: true } => {
                    prop_assert_eq!(flux, 0);
                    let judged = match raw {
                        0 => GateState::Closed { failures: 0 },
                        _ => GateState::Open { ticks: 0 },
                    };
                    prop_assert_eq!(after.gate, judged);
                    failures = 0;
                }
                GateState::None | GateState::Tokens { .. } => panic!("{before:?}"),
            }
        }
    }

    #[test]
    fn a_cycle_under_a_gate_comes_back_to_its_state(
        config in any_parameters(), gate in any_gate(), q0 in 0..60u64, quiet: bool
    ) {
        let config = config.with_gate(gate);
        let arrivals = if quiet { 0 } else { config.amax };
        let run = deciding_run(&config, &config.start(q0, 0), arrivals);
        if let End::Cycle { at, length, .. } = run.end {
            let mut state = at;
            for _ in 0..length {
                state = config.server(&config.retrier(&state, arrivals));
            }
            // A breaker does not look at acks in transit.
            let came_back = match gate {
                Gate::TokenBucket(_) => state == at,
                _ => (state.qf, state.qd, state.gate) == (at.qf, at.qd, at.gate),
            };
            prop_assert!(came_back, "{:?} after {:?}", state, at);
        }
    }

    #[test]
    fn an_overflow_is_not_left_and_grows(
        config in any_parameters(), gate in any_gate(), budget in prop::option::of(0..9u64), fresh_first: bool,
        (qf, qd) in (0..400u64, 0..400u64), tokens in 0..8u16, acks in 0..5u16, done in 0..6u64,
    ) {
        let mut config = config.with_gate(gate);
        config.budget = budget;
        if fresh_first {
            config = config.with_fresh_first();
        }
        let overflow = Overflow::of(&config, config.amax);
        prop_assume!(overflow.is_some());
        let overflow = overflow.unwrap();
        let mut state = config.start(qf, qd);
        state.done = done.min(config.s);
        state.p = state.qf + state.done;
        if let Gate::TokenBucket(TokenBucket { capacity, acks_per_token }) = gate {
            state.gate = GateState::Tokens { tokens: tokens.min(capacity), acks: acks % acks_per_token };
        }
        prop_assume!(overflow.contains(&config, &state));
        let backlog = state.backlog();
        for _ in 0..400 {
            let next = config.server(&config.retrier(&state, config.amax));
            prop_assert!(overflow.contains(&config, &next), "{:?} leaves to {:?}", state, next);
            if matches!(gate, Gate::TokenBucket(_)) {
                prop_assert!(weight(&config, &next) > weight(&config, &state));
            } else {
                prop_assert!(next.backlog() >= state.backlog());
            }
            state = next;
        }
        prop_assert!(state.backlog() > backlog);
    }

    #[test]
    fn gates_and_laws_read_what_they_write(gate in any_gate(), b in 0..100u64) {
        prop_assert_eq!(gate.to_string().parse(), Ok(gate));
        for law in [Law::None, Law::Budget(b), Law::Gate(gate)] {
            prop_assert_eq!(law.to_string().parse(), Ok(law));
        }
    }
}

/// `(qf, qd, done, the server moves next, the gate's memory)`: tokens and acks, or the breaker's phase and count.
type Tuple = (i64, i64, i64, bool, (i64, i64));

const CLOSED: i64 = 0;
const OPEN: i64 = 1;
const PROBING: i64 = 2;
const JUDGING: i64 = 3;

/// The rules of `models.md`, section 1, with its other retry laws, once more.
#[derive(Clone, Debug)]
struct Rules {
    s: i64,
    amax: i64,
    t: i64,
    gate: Gate,
    q0: i64,
    cap: i64,
}

impl Rules {
    /// The flux, and the gate's memory after the step.
    fn flux(&self, raw: i64, acks_read: i64, memory: (i64, i64)) -> (i64, (i64, i64)) {
        match self.gate {
            Gate::None => (raw, memory),
            Gate::TokenBucket(bucket) => {
                let (tokens, acks) = memory;
                let (k, m) = (i64::from(bucket.capacity), i64::from(bucket.acks_per_token));
                let flux = raw.min(tokens);
                let counted = acks + acks_read;
                (flux, (k.min(tokens - flux + counted / m), counted % m))
            }
            Gate::Breaker(gate) => {
                let (f, ticks) = (i64::from(gate.max_failures), i64::from(gate.max_open_ticks));
                match memory {
                    (CLOSED, _) if raw == 0 => (0, (CLOSED, 0)),
                    (CLOSED, failures) if failures + 1 == f => (raw, (OPEN, 0)),
                    (CLOSED, failures) => (raw, (CLOSED, failures + 1)),
                    (OPEN, silent) if silent + 1 == ticks => (0, (PROBING, 0)),
                    (OPEN, silent) => (0, (OPEN, silent + 1)),
                    (PROBING, _) => (raw.min(1), (JUDGING, 0)),
                    _ if raw == 0 => (0, (CLOSED, 0)),
                    _ => (0, (OPEN, 0)),
                }
            }
        }
    }

    fn check(&self) -> (usize, bool, bool, bool) {
        let (recorder, states) = StateRecorder::new_with_accessor();
        let _ = self.clone().checker().visitor(recorder).spawn_bfs().join();
        let states = states();
        let mut graph = DiGraph::new();
        let nodes: HashMap<_, _> = states.iter().map(|s| (*s, graph.add_node(*s))).collect();
        let mut complete = true;
        for state in &states {
            for next in self.next_states(state) {
                match nodes.get(&next) {
                    Some(&node) => {
                        graph.update_edge(nodes[state], node, ());
                    }
                    None => complete = false,
                }
            }
        }
        let is_good = |s: &Tuple| s.0 + s.1 <= self.s + self.amax;
        let on_cycles = |graph: &DiGraph<Tuple, ()>| -> Vec<Tuple> {
            let parts = tarjan_scc(graph).into_iter();
            parts
                .filter(|c| c.len() > 1 || graph.contains_edge(c[0], c[0]))
                .flatten()
                .map(|node| graph[node])
                .collect()
        };
        let bad_cycle = on_cycles(&graph).iter().any(|s| !is_good(s));
        let good = graph.filter_map(|_, s| is_good(s).then_some(*s), |_, ()| Some(()));
        (
            states.len(),
            complete,
            bad_cycle,
            !on_cycles(&good).is_empty(),
        )
    }
}

impl Model for Rules {
    type State = Tuple;
    type Action = i64;

    fn init_states(&self) -> Vec<Tuple> {
        let memory = match self.gate {
            Gate::TokenBucket(bucket) => (bucket.capacity.into(), 0),
            _ => (CLOSED, 0),
        };
        vec![(self.q0, 0, 0, false, memory)]
    }

    fn actions(&self, state: &Tuple, actions: &mut Vec<i64>) {
        actions.extend(0..=if state.3 { 0 } else { self.amax });
    }

    fn next_state(&self, &(qf, qd, done, server_next, memory): &Tuple, a: i64) -> Option<Tuple> {
        if server_next {
            let n = self.s.min(qf + qd);
            let f = if n == 0 { 0 } else { n * qf / (qf + qd) };
            return Some((qf - f, qd - (n - f), f, false, memory));
        }
        let raw = (qf - self.s * self.t).max(0) / self.t;
        let (flux, memory) = self.flux(raw, done, memory);
        Some((qf + a, qd + flux, 0, true, memory))
    }

    fn within_boundary(&self, &(qf, qd, ..): &Tuple) -> bool {
        qf + qd <= self.cap
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("explore all", |_, _| true)]
    }
}

proptest! {
    #![proptest_config(support::cases(150))]

    #[test]
    fn gated_verdicts_equal_the_independent_checkers(
        (s, amax, t) in (1..4i64, 0..4i64, 1..4i64), gate in any_gate(), q0 in 0..25i64
    ) {
        let rules = Rules { s, amax, t, gate, q0, cap: 60 };
        let (states, complete, bad_cycle, good_cycle) = rules.check();
        let config = Config::new(s as u64, amax as u64, t as u64).with_gate(gate);
        let start = config.start(q0 as u64, 0);
        let explored = explore_from(&config, &start, 60);
        prop_assert_eq!((explored.states, explored.complete), (states, complete));
        let judgement = judge(&config, &start, 60);
        if complete {
            let expected = match (bad_cycle, good_cycle) {
                (false, _) => Verdict::Recovers,
                (true, false) => Verdict::Doomed,
                (true, true) => Verdict::Orbits,
            };
            prop_assert_eq!(judgement.verdict, expected, "{:?}", judgement);
        } else {
            prop_assert!(!(bad_cycle && judgement.verdict == Verdict::Recovers));
            prop_assert!(!(good_cycle && judgement.verdict == Verdict::Doomed));
            // Only a proved climb may say more than the part within the cap.
            if judgement.verdict == Verdict::AtRisk {
                prop_assert!(deciding_run(&config, &start, config.amax).end.is_unbounded());
            }
        }
    }
}

#[test]
fn a_breaker_and_a_slow_bucket_empty_the_trap_and_recover_from_every_q0() {
    let config = Config::default();
    let laws = Law::usual(&config);
    let outcomes = compare_laws(&config, &laws, 18, 60, DEFAULT_CAP).unwrap();
    let read: Vec<_> = outcomes
        .iter()
        .map(|o| {
            (
                o.law.to_string(),
                o.recovers_to,
                o.from_start.price.map(|p| (p.rounds, p.sent, p.held_back)),
                o.from_trap.price.map(|p| (p.rounds, p.sent, p.held_back)),
            )
        })
        .collect();
    let all = Some(60);
    assert_eq!(
        read,
        [
            ("none".into(), Some(7), None, None),
            (
                "budget:0".into(),
                all,
                Some((13, 0, 36)),
                Some((91, 0, 1326))
            ),
            (
                "token-bucket:10,10".into(),
                all,
                Some((28, 15, 101)),
                Some((126, 35, 2016))
            ),
            (
                "breaker:3,5".into(),
                all,
                Some((35, 22, 157)),
                Some((140, 49, 2718))
            ),
        ]
    );
    let trap = outcomes[0].from_trap.start;
    assert_eq!((trap.qf, trap.qd), (24, 72));
    assert_eq!(outcomes[0].from_trap.verdict, Verdict::Doomed);
}

#[test]
fn a_bucket_that_every_ack_refills_climbs() {
    let config = Config::default().with_gate(bucket(10, 1));
    let judgement = judge(&config, &config.start(18, 0), DEFAULT_CAP);
    assert_eq!(judgement.verdict, Verdict::AtRisk);
    let end = deciding_run(&config, &config.start(18, 0), 2).end;
    assert!(matches!(end, End::Overflows { .. }), "{end:?}");
    // At two acks a token, retries just fill what arrivals leave.
    let config = Config::default().with_gate(bucket(10, 2));
    let judgement = judge(&config, &config.start(18, 0), DEFAULT_CAP);
    assert_eq!(judgement.verdict, Verdict::Orbits);
}

#[test]
fn laws_are_read_with_their_ranges() {
    for text in [
        "",
        "budget",
        "budget:-1",
        "token-bucket:1",
        "token-bucket:1,0",
        "breaker:0,1",
        "breaker:1,65536",
        "gate",
    ] {
        let refused = text.parse::<Law>().unwrap_err().to_string();
        assert!(
            refused.starts_with(&format!("law is '{text}', but must be none, budget:B")),
            "{refused}"
        );
    }
}
