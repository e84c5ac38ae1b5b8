//! Verdicts against an independent checker: the model written a second time, its states found by `stateright` and its
//! cycles by `petgraph`.

mod support;

use engine::retrier_server::{Config, Service, Verdict, explore_from, judge};
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use proptest::prelude::*;
use stateright::{Checker, Model, Property, StateRecorder};
use std::collections::HashMap;

/// `(qf, qd, done, p, the server moves next)`.
type Tuple = (i64, i64, i64, i64, bool);

/// The rules of `models.md`, section 1, once more.
#[derive(Clone, Debug)]
struct Rules {
    s: i64,
    amax: i64,
    t: i64,
    budget: Option<i64>,
    fresh_first: bool,
    quiet: bool,
    q0: i64,
    qd0: i64,
    cap: i64,
}

impl Model for Rules {
    type State = Tuple;
    type Action = i64;

    fn init_states(&self) -> Vec<Tuple> {
        vec![(self.q0, self.qd0, 0, self.q0, false)]
    }

    fn actions(&self, &(.., server_next): &Tuple, actions: &mut Vec<i64>) {
        let choices = if server_next || self.quiet {
            0
        } else {
            self.amax
        };
        actions.extend(0..=choices);
    }

    fn next_state(&self, &(qf, qd, done, p, server_next): &Tuple, a: i64) -> Option<Tuple> {
        if server_next {
            let n = self.s.min(qf + qd);
            let f = match (self.fresh_first, qf + qd) {
                (_, 0) => 0,
                (true, _) => qf.min(n),
                (false, all) => (n * qf).div_euclid(all),
            };
            return Some((qf - f, qd - (n - f), f, p, false));
        }
        let late = (p - done - self.s * self.t).max(0);
        let raw = late.div_euclid(self.t);
        let flux = self.budget.map_or(raw, |b| raw.min(b));
        Some((qf + a, qd + flux, 0, p - done + a, true))
    }

    fn within_boundary(&self, &(qf, qd, ..): &Tuple) -> bool {
        qf + qd <= self.cap
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("explore all", |_, _| true)]
    }
}

/// What the second checker found within the cap.
struct Found {
    states: usize,
    complete: bool,
    bad_cycle: bool,
    good_cycle: bool,
    trap: bool,
}

impl Rules {
    fn is_good(&self, state: &Tuple) -> bool {
        state.0 + state.1 <= self.s + self.amax
    }

    fn check(&self) -> Found {
        let (recorder, states) = StateRecorder::new_with_accessor();
        self.clone().checker().visitor(recorder).spawn_bfs().join();
        let states = states();
        let mut graph = DiGraph::new();
        let nodes: HashMap<_, _> = states.iter().map(|s| (*s, graph.add_node(*s))).collect();
        let mut complete = self.within_boundary(&self.init_states()[0]);
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
        let cyclic = |graph: &DiGraph<Tuple, ()>| -> Vec<Vec<Tuple>> {
            tarjan_scc(graph)
                .into_iter()
                .filter(|c| c.len() > 1 || graph.contains_edge(c[0], c[0]))
                .map(|c| c.into_iter().map(|node| graph[node]).collect())
                .collect()
        };
        let bad_cycle = cyclic(&graph).iter().flatten().any(|s| !self.is_good(s));
        let good = graph.filter_map(|_, s| self.is_good(s).then_some(*s), |_, ()| Some(()));
        let a = if self.quiet { 0 } else { self.amax };
        let trap_is_closed = !self.fresh_first && self.budget.is_none_or(|b| b >= self.s * (a + 1));
        // Under quiet the least queue is raised until none of the region's states is Good.
        let in_region = |&(qf, qd, _, _, server_next): &Tuple| {
            let is_closed = qf >= self.t * self.s * (a + 2) && qd >= self.s * qf;
            !server_next && is_closed && qf + self.s * qf > self.s + self.amax
        };
        Found {
            states: states.len(),
            complete,
            bad_cycle,
            good_cycle: !cyclic(&good).is_empty(),
            trap: trap_is_closed && states.iter().any(in_region),
        }
    }
}

fn any_rules() -> impl Strategy<Value = Rules> {
    (
        (1..5i64, 0..5i64, 1..4i64),
        prop::option::of(0..6i64),
        any::<bool>(),
        prop::bool::weighted(0.2),
        (0..30i64, 0..15i64),
    )
        .prop_map(
            |((s, amax, t), budget, fresh_first, quiet, (q0, qd0))| Rules {
                s,
                amax,
                t,
                budget,
                fresh_first,
                quiet,
                q0,
                qd0,
                cap: 60,
            },
        )
}

impl Rules {
    fn config(&self) -> Config {
        Config {
            budget: self.budget.map(|b| b as u64),
            service: if self.fresh_first {
                Service::FreshFirst
            } else {
                Service::Proportional
            },
            quiet: self.quiet,
            ..Config::new(self.s as u64, self.amax as u64, self.t as u64)
        }
    }
}

proptest! {
    #![proptest_config(support::cases(200))]

    #[test]
    fn verdicts_equal_the_independent_checkers(rules in any_rules()) {
        let found = rules.check();
        let config = rules.config();
        let start = config.start(rules.q0 as u64, rules.qd0 as u64);
        let explored = explore_from(&config, &start, rules.cap as u64);
        prop_assert_eq!((explored.states, explored.complete), (found.states, found.complete));

        for judgement in [judge(&config, &start, rules.cap as u64), explored.judgement()] {
            if found.complete {
                // Every run is a path of this graph, and every fair run ends on one of its cycles.
                let expected = match (found.bad_cycle, found.good_cycle) {
                    (false, _) => Verdict::Recovers,
                    (true, false) => Verdict::Doomed,
                    (true, true) => Verdict::Orbits,
                };
                prop_assert_eq!(judgement.verdict, expected, "{:?}", judgement);
                prop_assert_eq!(judgement.stabilizes, Some(!found.bad_cycle));
                prop_assert_eq!(judgement.can_recover, Some(found.good_cycle));
                prop_assert_eq!(judgement.trap_reachable, Some(found.trap));
            } else {
                // What the part within the cap shows must not be contradicted.
                if found.bad_cycle {
                    prop_assert_eq!(judgement.stabilizes, Some(false));
                }
                if found.good_cycle {
                    prop_assert_eq!(judgement.can_recover, Some(true));
                }
                if found.trap {
                    // The run at most arrivals may outgrow everything without passing through the region itself.
                    prop_assert_ne!(judgement.trap_reachable, Some(false));
                    prop_assert_eq!(explored.trap_reachable, Some(true));
                }
                let trap_by_start = judgement.trap_reachable == Some(true);
                prop_assert!(!(trap_by_start && judgement.verdict == Verdict::Recovers));
            }
        }
    }
}
