//! The model's laws, over random parameters.

use engine::retrier_server::trap::{Closure, Region};
use engine::retrier_server::{
    Arrivals, Change, Config, DEFAULT_CAP, Event, Fault, Gate, Plan, Point, Service, State, Step,
    Turn, Verdict, deciding_run, judge, judge_range,
};
use proptest::prelude::*;

fn any_config() -> impl Strategy<Value = Config> {
    (
        1..12u64,
        0..12u64,
        1..6u64,
        prop::option::of(0..15u64),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(s, amax, t, budget, fresh_first, quiet)| Config {
            s,
            amax,
            t,
            budget,
            service: if fresh_first {
                Service::FreshFirst
            } else {
                Service::Proportional
            },
            quiet,
            gate: Gate::None,
            fault: Fault::None,
        })
}

fn any_change() -> impl Strategy<Value = Change> {
    prop_oneof![
        (0..100u64).prop_map(Change::Shock),
        prop::option::of(0..10u64).prop_map(Change::Budget),
        any::<bool>().prop_map(Change::Quiet),
        prop_oneof![Just(Service::Proportional), Just(Service::FreshFirst)]
            .prop_map(Change::Service),
    ]
}

fn any_plan() -> impl Strategy<Value = Plan> {
    (
        any_config(),
        0..80u64,
        0..80u64,
        any::<u64>(),
        prop::collection::vec((1..60u64, any_change()), 0..4),
    )
        .prop_map(|(config, q0, qd0, seed, events)| Plan {
            config,
            q0,
            qd0,
            arrivals: Arrivals::Random(seed),
            rounds: 60,
            events: events
                .into_iter()
                .map(|(round, change)| Event { round, change })
                .collect(),
        })
}

/// What a step must keep, whatever made it.
fn assert_conserves(before: &Point, after: &Point) {
    let (from, to) = (before.state, after.state);
    match after.step {
        Step::Start => unreachable!("a run has one start"),
        Step::Shock => assert_eq!(to.p - from.p, to.qf - from.qf),
        Step::Retrier { arrivals, flux } => {
            assert_eq!(to.qf, from.qf + arrivals);
            assert_eq!(to.qd, from.qd + flux);
            assert_eq!(to.done, 0);
        }
        Step::Server { fresh, duplicates } => {
            assert_eq!(to.qf, from.qf - fresh);
            assert_eq!(to.qd, from.qd - duplicates);
            assert_eq!(to.done, fresh);
            // The server never wastes capacity while there is work.
            assert_eq!(fresh + duplicates, after.config.s.min(from.backlog()));
        }
    }
}

proptest! {
    #[test]
    fn the_ledger_is_exact_in_every_state(plan in any_plan()) {
        let run = plan.play().unwrap();
        prop_assert!(run.points().iter().all(|point| point.state.ledger_is_exact()));
    }

    #[test]
    fn work_is_conserved_in_every_step(plan in any_plan()) {
        let run = plan.play().unwrap();
        for pair in run.points().windows(2) {
            assert_conserves(&pair[0], &pair[1]);
        }
    }

    #[test]
    fn no_retry_is_due_within_the_latency_threshold(plan in any_plan()) {
        for point in plan.play().unwrap().points() {
            if point.state.is_round_start() && point.state.qf <= point.config.latency_threshold() {
                prop_assert_eq!(point.config.flux(&point.state), 0);
            }
        }
    }

    #[test]
    fn a_run_is_a_function_of_its_plan(plan in any_plan()) {
        prop_assert_eq!(plan.play().unwrap(), plan.play().unwrap());
    }

    #[test]
    fn the_general_trap_is_closed_wherever_it_is_said_to_be(
        config in any_config(),
        above in 0..200u64,
        extra in 0..500u64,
        arrivals in 0..12u64,
    ) {
        let region = Region::general(&config, config.most_arrivals());
        let qf = u64::try_from(region.qf_min).unwrap() + above;
        let inside = config.start(qf, qf * region.ratio + extra);
        prop_assert!(region.contains(&inside));
        let after = config.server(&config.retrier(&inside, arrivals.min(config.most_arrivals())));
        match region.closure(&config) {
            Closure::Closed => {
                prop_assert!(region.contains(&after));
                prop_assert!(!config.is_good(&after));
            }
            Closure::Open { from, arrivals, to } => {
                prop_assert!(region.contains(&from) && !region.contains(&to));
                prop_assert_eq!(config.server(&config.retrier(&from, arrivals)), to);
            }
            Closure::Unproved => prop_assert!(false, "every law without a memory is settled"),
        }
    }

    #[test]
    fn a_budget_below_spare_capacity_always_recovers(
        spare in 1..20u64, amax in 0..20u64, t in 1..6u64, budget in 0..20u64,
        q0 in 0..2_000u64, qd in 0..2_000u64, fresh_first in any::<bool>(),
    ) {
        let mut config = Config::new(amax + budget + spare, amax, t).with_budget(budget);
        if fresh_first {
            config = config.with_fresh_first();
        }
        let verdict = judge(&config, &config.start(q0, qd), DEFAULT_CAP).verdict;
        prop_assert_eq!(verdict, Verdict::Recovers);
    }

    #[test]
    fn fresh_first_recovers_whenever_arrivals_are_below_capacity(
        spare in 1..20u64, amax in 0..20u64, t in 1..6u64, q0 in 0..500u64, qd in 0..500u64,
    ) {
        let config = Config::new(amax + spare, amax, t).with_fresh_first();
        let verdict = judge(&config, &config.start(q0, qd), DEFAULT_CAP).verdict;
        prop_assert_eq!(verdict, Verdict::Recovers);
    }

    /// What the deciding runs rest on.
    #[test]
    fn a_round_is_monotone(
        config in any_config(),
        (qf, more_qf) in (0..60u64, 0..4u64),
        (qd, more_qd) in (0..60u64, 0..4u64),
        (a, more_a) in (0..12u64, 0..3u64),
    ) {
        let config = Config { quiet: false, ..config };
        let (a, more_a) = (a.min(config.amax), (a + more_a).min(config.amax));
        let low_mid = config.retrier(&config.start(qf, qd), a);
        let high_mid = config.retrier(&config.start(qf + more_qf, qd + more_qd), more_a);
        prop_assert!(low_mid.qf <= high_mid.qf && low_mid.qd <= high_mid.qd);
        let (low, high) = (config.server(&low_mid), config.server(&high_mid));
        prop_assert!(low.qf <= high.qf && low.qd <= high.qd, "{:?} above {:?}", low, high);
    }

    #[test]
    fn every_run_lies_between_the_deciding_runs(plan in any_plan()) {
        let plan = Plan { events: Vec::new(), ..plan };
        let play = |arrivals| Plan { arrivals, ..plan.clone() }.play().unwrap();
        let (low, high) = (play(Arrivals::Zero), play(Arrivals::Max));
        let run = plan.play().unwrap();
        for ((low, at), high) in low.points().iter().zip(run.points()).zip(high.points()) {
            let queues = |point: &Point| (point.state.qf, point.state.qd);
            let ((qf, qd), (low, high)) = (queues(at), (queues(low), queues(high)));
            prop_assert!(low.0 <= qf && qf <= high.0 && low.1 <= qd && qd <= high.1);
        }
    }

    #[test]
    fn every_start_is_decided(config in any_config(), q0 in 0..300u64, qd in 0..300u64) {
        let judgement = judge(&config, &config.start(q0, qd), DEFAULT_CAP);
        prop_assert_ne!(judgement.verdict, Verdict::Unknown, "{:?}", judgement);
    }

    #[test]
    fn a_climb_climbs(config in any_config(), q0 in 0..100u64, qd in 0..100u64) {
        let most = deciding_run(&config, &config.start(q0, qd), config.most_arrivals());
        if most.end.is_unbounded() {
            let backlog = |rounds| {
                let plan = Plan { qd0: qd, ..Plan::new(config, q0, rounds) };
                plan.play().unwrap().points().last().unwrap().state.backlog()
            };
            prop_assert!(backlog(2_000) >= q0 + qd && backlog(4_000) > backlog(2_000));
        }
    }

    #[test]
    fn bisection_agrees_with_judging_each_start(config in any_config(), qd in 0..20u64) {
        let each: Vec<_> = (0..=80)
            .map(|q0| judge(&config, &config.start(q0, qd), DEFAULT_CAP).verdict)
            .collect();
        prop_assert_eq!(judge_range(&config, 0..=80, qd, DEFAULT_CAP), each);
    }

    #[test]
    fn verdicts_only_worsen_with_more_work(config in any_config(), q0 in 0..200u64, qd in 0..200u64) {
        let rank = |q0, qd| {
            let verdict = judge(&config, &config.start(q0, qd), DEFAULT_CAP).verdict;
            Verdict::ALL.iter().position(|&v| v == verdict)
        };
        prop_assert!(rank(q0, qd) <= rank(q0 + 1, qd));
        prop_assert!(rank(q0, qd) <= rank(q0, qd + 1));
    }
}

#[test]
fn parameters_at_the_ends_of_their_ranges_are_judged() {
    let most = 1 << 31;
    for s in [1, most] {
        for amax in [0, 1, most] {
            for t in [1, most] {
                for budget in [None, Some(0), Some(most)] {
                    for fresh_first in [false, true] {
                        let mut config = Config::new(s, amax, t);
                        config.budget = budget;
                        if fresh_first {
                            config = config.with_fresh_first();
                        }
                        config.validate().unwrap();
                        for q0 in [0, 1, most] {
                            for qd in [0, most] {
                                let start = config.start(q0, qd);
                                let judgement = judge(&config, &start, DEFAULT_CAP);
                                // Only where arrivals equal capacity can the end be billions of rounds away; that it
                                // never recovers is proved even there.
                                let is_proved = judgement.verdict != Verdict::Unknown;
                                let is_far = amax == s && judgement.stabilizes == Some(false);
                                assert!(is_proved || is_far, "{config:?} from ({q0}, {qd})");
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_storm_at_the_largest_parameters_stays_exact_or_ends_in_time() {
    let most = 1 << 31;
    let plan = Plan {
        qd0: most,
        ..Plan::new(Config::new(1, most, 1), most, 100_000)
    };
    let run = plan.play().unwrap();
    assert!(run.outgrew() && run.rounds() < 100_000);
    assert!(run.points().iter().all(|p| p.state.ledger_is_exact()));
}

#[test]
fn three_acts_can_be_played_trigger_no_recovery_fix() {
    let shock = Event {
        round: 10,
        change: Change::Shock(25),
    };
    let storm = Plan {
        events: vec![shock],
        ..Plan::new(Config::default(), 0, 400)
    };
    let last = |plan: &Plan| plan.play().unwrap().points().last().unwrap().state;
    let is_good = |state: &State| Config::default().is_good(state);
    let run = storm.play().unwrap();
    assert!(
        run.points()[..run.index_of_round(8)]
            .iter()
            .all(|p| is_good(&p.state))
    );
    assert_eq!(run.points()[run.index_of_round(9)].step, Step::Shock);
    assert!(!is_good(&last(&storm)), "the trigger is long gone");

    let fix = |change| Plan {
        events: vec![shock, Event { round: 20, change }],
        ..storm.clone()
    };
    assert!(is_good(&last(&fix(Change::Budget(Some(0))))));
    assert!(is_good(&last(&fix(Change::Service(Service::FreshFirst)))));
    // By round 20 it is too late for quiet: retries feed themselves.
    assert!(!is_good(&last(&fix(Change::Quiet(true)))));
}

#[test]
fn turns_alternate_and_rounds_count_up() {
    let run = Plan::new(Config::default(), 18, 3).play().unwrap();
    let seen: Vec<_> = run
        .points()
        .iter()
        .map(|p| (p.round, p.state.turn))
        .collect();
    let (retrier, server) = (Turn::Retrier, Turn::Server);
    assert_eq!(
        seen,
        [
            (0, retrier),
            (1, server),
            (1, retrier),
            (2, server),
            (2, retrier),
            (3, server),
            (3, retrier),
        ]
    );
}

#[test]
fn bad_input_is_refused_by_name_value_and_range() {
    let refusal = |plan: Plan| plan.play().unwrap_err().to_string();
    let plan = |config| Plan::new(config, 18, 5);
    for (bad, message) in [
        (
            plan(Config::new(0, 2, 2)),
            "s is 0, but must be from 1 to 2147483648",
        ),
        (
            plan(Config::new(3, 2, 0)),
            "t is 0, but must be from 1 to 2147483648",
        ),
        (
            plan(Config::new(3, 2, 2).with_budget(1 << 40)),
            "budget is 1099511627776, but must be from 0 to 2147483648",
        ),
        (
            Plan::new(Config::default(), 1, 100_001),
            "rounds is 100001, but must be from 0 to 100000",
        ),
        (
            Plan {
                arrivals: Arrivals::List(vec![0, 3, 0, 0, 0]),
                ..plan(Config::default())
            },
            "arrivals[1] is 3, but must be from 0 to 2",
        ),
        (
            Plan {
                arrivals: Arrivals::List(vec![0, 1]),
                ..plan(Config::default())
            },
            "arrivals is a list of 2, but must be a list with an entry for each of the 5 rounds",
        ),
        (
            Plan {
                events: vec![Event {
                    round: 0,
                    change: Change::Quiet(true),
                }],
                ..plan(Config::default())
            },
            "event round is 0, but must be from 1 to 5",
        ),
    ] {
        assert_eq!(refusal(bad), message);
    }
}
