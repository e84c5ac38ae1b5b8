//! Parameters at the ends of their ranges: every entry gives an answer or a refusal, in bounded time and memory.

mod support;

use allocation_counter::measure;
use engine::breaker::{self, Variant};
use engine::ecs;
use engine::per_request;
use engine::retrier_server::clients::{Clients, ClientsPlan, judge_clients};
use engine::retrier_server::{
    Alone, Arrivals, Axis, Breaker, Change, Config, Event, Fault, Gate, Law, Ledger, MAX_CAP, Map,
    MapJob, Plan, Property, Scale, Search, TokenBucket, Verdict, certificate, compare_laws,
    counterexample, explore_from, judge, judge_range, phase, tla, verdict,
};
use proptest::prelude::*;
use serde_json::Value;

const MOST: u64 = 1 << 31;

fn end(least: u64) -> impl Strategy<Value = u64> {
    prop::sample::select(vec![least, least + 1, 3, 1_000, MOST - 1, MOST])
}

fn any_gate() -> impl Strategy<Value = Gate> {
    let ends = || prop::sample::select(vec![1, 2, u16::MAX]);
    let capacity = prop::sample::select(vec![0, 1, u16::MAX]);
    prop_oneof![
        2 => Just(Gate::None),
        1 => (capacity, ends()).prop_map(|(capacity, acks_per_token)| {
            Gate::TokenBucket(TokenBucket { capacity, acks_per_token })
        }),
        1 => (ends(), ends()).prop_map(|(max_failures, max_open_ticks)| {
            Gate::Breaker(Breaker { max_failures, max_open_ticks })
        }),
    ]
}

fn any_config() -> impl Strategy<Value = Config> {
    let parameters = (end(1), end(0), end(1), prop::option::of(end(0)));
    let fault = prop::sample::select(Fault::ALL.to_vec());
    let laws = (any_gate(), fault, any::<bool>(), any::<bool>());
    (parameters, laws).prop_map(
        |((s, amax, t, budget), (gate, fault, fresh_first, quiet))| {
            let mut config = Config::new(s, amax, t).with_gate(gate).with_fault(fault);
            config.budget = budget;
            config.quiet = quiet;
            if fresh_first {
                config = config.with_fresh_first();
            }
            config
        },
    )
}

proptest! {
    // A component alone may take all the states that it is allowed.
    #![proptest_config(support::cases(2))]

    #[test]
    fn each_component_is_checked_alone(config in any_config(), q0 in end(0), cap in prop::sample::select(vec![0, 25])) {
        for alone in [Alone::retrier(&config, q0, cap), Alone::server(&config, q0, cap)] {
            let check = alone.check();
            prop_assert_eq!(check.findings.len(), alone.owes().count());
        }
    }
}

proptest! {
    #![proptest_config(support::cases(24))]

    #[test]
    fn a_start_is_judged_explored_and_certified(
        config in any_config(), q0 in end(0), qd in end(0), cap in prop::sample::select(vec![0, 60, 200]),
    ) {
        config.validate().unwrap();
        let start = config.start(q0, qd);
        let judgement = judge(&config, &start, cap);
        let quick = verdict(&config, &start, cap);
        // The shortest way may prove what the whole one leaves open.
        prop_assert!(judgement.verdict == quick || judgement.verdict == Verdict::Unknown);
        let explored = explore_from(&config, &start, cap);
        prop_assert!(explored.states > 0 || q0 + qd > cap);
        let _ = phase(&config, &start, cap);
        prop_assert_eq!(certificate(&config, &start, cap).verdict, judgement.verdict);
        prop_assert_eq!(tla::export(&config, &start).is_ok(), config.gate == Gate::None);
    }

    #[test]
    fn a_counterexample_is_found_or_not(
        config in any_config(), q0 in end(0), qd in end(0), k in prop::sample::select(vec![0, 50, MAX_CAP]),
    ) {
        let start = config.start(q0, qd);
        for property in [Property::Bounded(k), Property::NotTrapped, Property::Stabilization] {
            if let Search::Found(run) = counterexample(&config, &start, property, 60) {
                prop_assert_eq!(run.states[0], start);
                run.plan(&config, 40).validate().unwrap();
            }
        }
    }

    #[test]
    fn a_run_is_played_and_its_contracts_are_judged(
        config in any_config(), q0 in end(0), qd0 in end(0), seed: u64, shocks in prop::collection::vec(1..60_u64, 0..5),
    ) {
        let shock = |round| Event { round, change: Change::Shock(MOST) };
        let plan = Plan {
            config,
            q0,
            qd0,
            arrivals: Arrivals::Random(seed),
            rounds: 60,
            events: shocks.into_iter().map(shock).collect(),
        };
        let run = plan.play().unwrap();
        prop_assert!(run.points().iter().all(|point| point.state.ledger_is_exact()));
        prop_assert_eq!(Ledger::of(&run).steps().len(), run.points().len());
        let last = run.round_starts().last().unwrap();
        if last.state.backlog() > 1 << 33 && !config.is_monotone() {
            prop_assert_eq!(explore_from(&config, &last.state, 60).states, 0);
        }
    }

    #[test]
    fn a_map_is_drawn_between_the_ends_of_its_axes(
        mut config in any_config(), q0 in end(0), qd0 in end(0),
        axes in Just(Axis::ALL.to_vec()).prop_shuffle(), (x_end, y_end) in any::<(bool, bool)>(),
    ) {
        let scale = |axis: Axis, at_end: bool| match at_end {
            true => Scale { axis, low: MOST - 4, high: MOST },
            false => Scale { axis, low: axis.least(), high: axis.least() + 4 },
        };
        if !config.is_monotone() {
            // Each of its cells is explored.
            config.amax = config.amax.min(3);
        }
        let (x, y) = (scale(axes[0], x_end), scale(axes[1], y_end));
        let map = Map { x, y, config, q0, qd0, cap: 20 };
        let mut job = MapJob::new(map).unwrap();
        while !job.advance(1) {}
        prop_assert_eq!(job.known(), 25);
        prop_assert!(map.boundaries().len() <= 3);
    }

    #[test]
    fn laws_are_compared_or_refused(config in any_config(), gate in any_gate(), q0 in end(0)) {
        let laws = [Law::None, Law::Budget(MOST), Law::Gate(gate)];
        if let Err(error) = compare_laws(&config, &laws, q0, MOST, 60) {
            prop_assert_eq!(error.field, "s");
        }
    }

    #[test]
    fn many_clients_are_played_and_judged_or_refused(
        config in any_config(), n in prop::sample::select(vec![1_usize, 2, 4, 5, 100]), q0 in end(0),
        cap in prop::sample::select(vec![0, 40, 1_000]),
    ) {
        let clients = Clients { config, n };
        let plan = ClientsPlan { clients, q0: vec![q0; n], arrivals: Arrivals::Max, rounds: 100 };
        let judged = judge_clients(&clients, &plan.q0, cap);
        let is_plain = config.gate == Gate::None && config.fault.is_none();
        prop_assert_eq!(plan.play().is_ok(), is_plain);
        prop_assert_eq!(judged.is_ok(), is_plain);
    }

    #[test]
    fn single_requests_are_simulated_or_refused(s in end(1), amax in end(0), t in end(1), q0 in end(0)) {
        let plan = per_request::Plan::new(s, amax, t, q0, 20);
        let is_in_range = [s, amax, t].iter().all(|&n| n <= 1_000) && q0 <= 10_000;
        prop_assert_eq!(plan.simulate(1).is_ok(), is_in_range);
        prop_assert_eq!(plan.count().is_ok(), is_in_range);
    }
}

#[test]
fn a_basin_map_up_to_a_million_is_a_byte_a_start() {
    let taken = measure(|| {
        for config in [
            Config::default(),
            Config::new(MOST, MOST, MOST),
            Config::new(1, 0, 1),
        ] {
            assert_eq!(judge_range(&config, 0..=1_000_000, 0, 60).len(), 1_000_001);
        }
    });
    assert!(taken.bytes_max < 2_000_000, "{}", taken.bytes_max);
}

#[test]
fn a_run_of_many_clients_is_refused_before_it_outgrows_memory() {
    let clients = Clients {
        config: Config::default(),
        n: 100,
    };
    let plan = |rounds| ClientsPlan {
        clients,
        q0: vec![18; 100],
        arrivals: Arrivals::Max,
        rounds,
    };
    let refused = plan(10_001).play().unwrap_err().to_string();
    assert_eq!(refused, "rounds is 10001, but must be from 0 to 10000");
    let taken = measure(|| assert_eq!(plan(10_000).play().unwrap().len(), 20_001));
    assert!(taken.bytes_max < 200 << 20, "{}", taken.bytes_max);
}

#[test]
fn the_breaker_is_checked_at_its_largest() {
    for variant in Variant::ALL {
        for (failures, ticks) in [(1, 0), (1, 1_000), (1_000, 0), (1_000, 1_000)] {
            for callers in [1, breaker::MAX_CALLERS] {
                let config = breaker::Config::new(variant, callers, failures, ticks);
                let check = breaker::check(config).unwrap();
                let is_broken = check.counterexample().is_some();
                assert_eq!(
                    is_broken,
                    variant == Variant::Naive && callers > 1,
                    "{config:?}"
                );
            }
        }
    }
}

/// Puts `number` in place of each number of a configuration in turn.
fn with_each_number(value: &Value, number: f64, each: &mut impl FnMut(Value)) {
    fn paths(value: &Value, at: &str, found: &mut Vec<String>) {
        match value {
            Value::Number(_) => found.push(at.to_owned()),
            Value::Array(items) => {
                for (i, item) in items.iter().enumerate() {
                    paths(item, &format!("{at}/{i}"), found);
                }
            }
            Value::Object(fields) => {
                for (name, field) in fields {
                    paths(field, &format!("{at}/{name}"), found);
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    paths(value, "", &mut found);
    for path in found {
        let mut changed = value.clone();
        *changed.pointer_mut(&path).expect("it was found there") =
            match number.fract() == 0.0 && number.abs() < 1e9 {
                true => Value::from(number as i64),
                false => Value::from(number),
            };
        each(changed);
    }
}

#[test]
fn an_ecs_with_a_number_at_an_end_is_simulated_or_refused() {
    let (mut simulated, mut refused) = (0, 0);
    for name in ["naive-overload", "ac-distress-sluggish"] {
        let config = ecs::presets::named(name).unwrap().config;
        let config = serde_json::to_value(&config).unwrap();
        for number in [
            0.0, 1.0, -1.0, 0.1, 0.99, 100.0, 1_000.0, 10_000.0, 100_000.0, 1e6, 1e7, 1e-300, 1e300,
        ] {
            with_each_number(&config, number, &mut |changed| {
                let Ok(config) = serde_json::from_value::<ecs::Config>(changed) else {
                    refused += 1;
                    return;
                };
                match ecs::Simulation::new(&config, 1) {
                    Ok(mut simulation) => {
                        simulation.advance_within(config.duration_s, 2_000);
                        assert!(simulation.now() <= config.duration_s);
                        simulated += 1;
                    }
                    Err(error) => {
                        assert_eq!(config.validate(), Err(error));
                        refused += 1;
                    }
                }
            });
        }
    }
    println!("{simulated} simulated, {refused} refused");
    assert!(simulated > 100 && refused > 100);
}

#[test]
fn what_would_take_too_long_to_show_is_refused_by_number() {
    let event = Event {
        round: 1,
        change: Change::Shock(1),
    };
    let mut plan = Plan::new(Config::new(3, 2, 2), 18, 40);
    plan.events = vec![event; 100];
    assert_eq!(plan.validate(), Ok(()));
    plan.events.push(event);
    assert_eq!(
        plan.validate().unwrap_err().to_string(),
        "number of changes is 101, but must be from 0 to 100"
    );

    let entry = |at: usize| ecs::Entry::Pulse {
        class: ecs::Class::Long,
        factor: 2.0,
        from_s: at as f64,
        until_s: at as f64 + 0.5,
    };
    let config = |entries: usize| ecs::Config {
        script: (0..entries).map(entry).collect(),
        ..ecs::Config::default()
    };
    assert_eq!(config(100).validate(), Ok(()));
    assert_eq!(
        config(101).validate().unwrap_err().to_string(),
        "number of script entries is 101, but must be from 0 to 100"
    );
}

#[test]
fn a_refusal_shows_the_start_of_what_is_long() {
    let nines = "9".repeat(1_000_000);
    let error = nines.parse::<Arrivals>().unwrap_err();
    assert!(error.to_string().len() < 200, "{}", error.to_string().len());
    let error = engine::FieldError::new("s", &nines, "from 1 to 2147483648");
    assert!(error.to_string().starts_with("s is 9999"));
    assert!(
        error
            .to_string()
            .ends_with("9…, but must be from 1 to 2147483648")
    );
    assert!(error.to_string().len() < 200);
}
