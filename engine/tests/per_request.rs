//! The retrier and the server with a clock for each request, beside the counting model.

mod seeds;
mod support;

use engine::ecs::experiment::Estimate;
use engine::per_request::{MOST_BACKLOG, Plan, Randomness, Round};
use engine::retrier_server::{Config, DEFAULT_CAP, Verdict, judge_range};
use proptest::prelude::*;
use seeds::{each_seed, estimate, show};

const ROUNDS: u64 = 400;

fn plan(q0: u64, randomness: Randomness) -> Plan {
    Plan {
        randomness,
        ..Plan::new(3, 2, 2, q0, ROUNDS)
    }
}

/// Whether the backlog of the last quarter is above any that a system in good order has.
fn climbed(rounds: &[Round]) -> bool {
    let tail = &rounds[rounds.len() * 3 / 4..];
    tail.iter().all(|round| round.backlog() > 100)
}

fn share_climbed(plan: &Plan) -> Estimate {
    let runs = each_seed(|seed| climbed(&plan.simulate(seed).expect("the plan makes sense")));
    estimate(&runs, |climbed| f64::from(u8::from(*climbed)))
}

/// Where the counting model recovers, so does this; where it orbits, the clocks of the single requests do not: requests
/// within `S T` of each other time out all the same, and the backlog climbs.
#[test]
fn without_randomness_it_recovers_exactly_where_the_counting_model_does() {
    let verdicts = judge_range(&Config::new(3, 2, 2), 0..=40, 0, DEFAULT_CAP);
    for (q0, verdict) in (0..).zip(verdicts) {
        let plan = plan(q0, Randomness::None);
        let (counted, simulated) = (
            climbed(&plan.count().unwrap()),
            climbed(&plan.simulate(0).unwrap()),
        );
        println!(
            "Q0 = {q0}: {}; counted, it climbs: {counted}; by request: {simulated}",
            verdict.name()
        );
        assert_eq!(simulated, verdict != Verdict::Recovers);
        assert_eq!(
            counted,
            !matches!(verdict, Verdict::Recovers | Verdict::Orbits)
        );
    }
}

/// The counting model speaks of large numbers. With three services a round, chance alone builds the backlog that tips the
/// system, from any start; with three hundred, chance averages out and the bands are there again.
#[test]
fn with_randomness_the_bands_hold_for_large_systems_and_not_for_small_ones() {
    let share = |scale: u64, q0: u64, rounds: u64| {
        let plan = Plan::new(3 * scale, 2 * scale, 2, q0 * scale, rounds);
        let share = share_climbed(&plan);
        println!(
            "S = {}, Q0 = {}, {rounds} rounds: {} of the runs climb",
            plan.s,
            plan.q0,
            show(share)
        );
        share.mean
    };
    assert!(share(1, 0, 400) >= 0.9);
    assert!(share(1, 5, 400) >= 0.9);
    assert!(share(100, 0, 100) == 0.0);
    assert!(share(100, 5, 100) == 0.0);
    assert!(share(100, 8, 100) == 1.0);
    assert!(share(100, 25, 100) == 1.0);
}

/// The cure carries over: with few enough retries to fit, `AMax + B < S`, no start and no chance tips the system.
#[test]
fn a_budget_that_fits_protects_from_any_start() {
    let plan = Plan {
        budget: Some(0),
        ..Plan::new(30, 20, 2, 300, 400)
    };
    assert_eq!(share_climbed(&plan).mean, 0.0);
    let plan = Plan {
        budget: Some(9),
        ..plan
    };
    assert_eq!(share_climbed(&plan).mean, 0.0);
    let plan = Plan {
        budget: Some(15),
        ..plan
    };
    assert_eq!(share_climbed(&plan).mean, 1.0, "AMax + B > S");
}

#[test]
fn nonsense_is_named() {
    let plain = Plan::new(3, 2, 2, 0, 10);
    let error = |plan: Plan| plan.simulate(0).unwrap_err().to_string();
    assert_eq!(
        error(Plan {
            s: 0,
            ..plain.clone()
        }),
        "s is 0, but must be from 1 to 1000"
    );
    assert_eq!(
        error(Plan {
            rounds: 0,
            ..plain.clone()
        }),
        "rounds is 0, but must be from 1 to 10000"
    );
    assert_eq!(
        error(Plan {
            q0: 10_001,
            ..plain
        }),
        "q0 is 10001, but must be from 0 to 10000"
    );
}

proptest! {
    #![proptest_config(support::cases(60))]

    /// The first copy is served before the duplicates, so what waits unanswered is what is fresh: the ledger is exact.
    #[test]
    fn the_ledger_is_the_fresh_work(
        s in 1u64..8, amax in 0u64..8, t in 1u64..5, q0 in 0u64..40, seed: u64, random: bool,
        budget in prop::option::of(0u64..5),
    ) {
        let randomness = if random { Randomness::Exponential } else { Randomness::None };
        let plan = Plan { randomness, budget, ..Plan::new(s, amax, t, q0, 60) };
        let rounds = plan.simulate(seed).unwrap();
        prop_assert_eq!(&rounds, &plan.simulate(seed).unwrap());
        prop_assert!(rounds.len() == 61 || rounds.last().unwrap().backlog() > MOST_BACKLOG);
        for (round, index) in rounds.iter().zip(0..) {
            prop_assert_eq!(round.round, index);
            prop_assert_eq!(round.fresh, round.pending);
            prop_assert!(budget.is_none_or(|budget| round.retries <= budget));
        }
    }
}
