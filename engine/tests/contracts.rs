//! The contracts: nothing is violated in the storm, the fixes take an "if" away, and a faulty component is named.

use engine::retrier_server::{
    Alone, Arrivals, Clause, Component, Config, DEFAULT_ISOLATED_CAP, Fault, Ledger, Plan, Run,
    Side, Standing, standing_of, values,
};
use proptest::prelude::*;

fn run(config: Config, q0: u64, rounds: u64) -> (Run, Ledger) {
    let run = Plan::new(config, q0, rounds).play().expect("a good plan");
    let ledger = Ledger::of(&run);
    (run, ledger)
}

/// How often a clause stands so over the run.
fn count(ledger: &Ledger, clause: Clause, standing: Standing) -> usize {
    let at = Clause::ALL.iter().position(|&c| c == clause).unwrap();
    let steps = ledger.steps().iter();
    steps.filter(|step| step[at] == Some(standing)).count()
}

fn storm() -> Config {
    Config::new(3, 2, 2)
}

#[test]
fn the_storm_violates_nothing_and_both_conditional_promises_are_vacuous() {
    let (_, ledger) = run(storm(), 18, 40);
    assert_eq!(ledger.violations().count(), 0);
    for clause in [Clause::Retries, Clause::Basin] {
        assert_eq!(count(&ledger, clause, Standing::Vacuous), 40, "{clause}");
        assert_eq!(count(&ledger, clause, Standing::Holds), 0, "{clause}");
    }
    for clause in [
        Clause::Service,
        Clause::Acks,
        Clause::Growth,
        Clause::Arrivals,
        Clause::Flux,
    ] {
        assert_eq!(count(&ledger, clause, Standing::Holds), 40, "{clause}");
    }
    assert_eq!(count(&ledger, Clause::Accounting, Standing::Holds), 81);
}

#[test]
fn inside_the_basin_every_promise_holds() {
    let (run, ledger) = run(storm(), 5, 40);
    let holds_or_none = |s: &Option<Standing>| matches!(s, None | Some(Standing::Holds));
    assert!(ledger.steps().iter().flatten().all(holds_or_none));
    assert!(run.points().iter().all(|point| point.flux() == 0));
}

#[test]
fn a_budget_takes_the_condition_from_the_retriers_guarantee() {
    assert!(Clause::Retries.condition(&storm()).is_some());
    let fixed = storm().with_budget(0);
    assert_eq!(Clause::Retries.condition(&fixed), None);
    assert!(Clause::Basin.condition(&fixed).is_some());

    let (run, ledger) = run(fixed, 30, 60);
    assert_eq!(count(&ledger, Clause::Retries, Standing::Holds), 60);
    assert_eq!(ledger.violations().count(), 0);
    // The backlog comes into the basin, and the server's promise comes into force.
    let last = ledger.steps().last().unwrap();
    assert_eq!(
        standing_of(last, Component::Server, Side::Guarantee),
        Some(Standing::Holds)
    );
    assert!(fixed.is_good(&run.points().last().unwrap().state));
}

#[test]
fn fresh_first_takes_the_condition_from_the_servers_guarantee() {
    assert!(Clause::Basin.condition(&storm()).is_some());
    let fixed = storm().with_fresh_first();
    assert_eq!(Clause::Basin.condition(&fixed), None);
    assert!(Clause::Retries.condition(&fixed).is_some());

    let (_, ledger) = run(fixed, 18, 40);
    assert_eq!(count(&ledger, Clause::Basin, Standing::Holds), 40);
    assert_eq!(ledger.violations().count(), 0);
}

#[test]
fn an_eager_retrier_is_named() {
    let (run, ledger) = run(storm().with_fault(Fault::EagerRetrier), 5, 10);
    let first = ledger
        .violations()
        .next()
        .expect("it retries inside the threshold");
    assert_eq!((first.point, first.clause), (1, Clause::Retries));
    assert!(
        ledger
            .violations()
            .all(|v| v.clause.owed_by() == Component::Retrier)
    );
    assert_eq!(
        values(&run, 1, Clause::Retries).as_deref(),
        Some("qf = 5 ≤ 6, retries sent 2")
    );
    // Its partner's promise is not broken but void: the rely is not met.
    assert_eq!(count(&ledger, Clause::Basin, Standing::Violated), 0);
    assert!(count(&ledger, Clause::Basin, Standing::Vacuous) > 0);
}

#[test]
fn a_wasteful_server_is_named() {
    let (run, ledger) = run(storm().with_fault(Fault::WastefulServer), 5, 10);
    let first = ledger.violations().next().expect("it wastes capacity");
    assert_eq!((first.point, first.clause), (2, Clause::Service));
    assert!(
        ledger
            .violations()
            .all(|v| v.clause.owed_by() == Component::Server)
    );
    assert_eq!(
        values(&run, 2, Clause::Service).as_deref(),
        Some("served 2, min(3, 7) = 3")
    );
}

#[test]
fn demand_above_capacity_breaks_the_servers_rely_and_no_component() {
    let (_, ledger) = run(Config::new(2, 3, 2), 1, 5);
    assert!(ledger.violations().count() > 0);
    assert!(ledger.violations().all(|v| v.clause == Clause::Arrivals));
    assert_eq!(Clause::Arrivals.owed_by(), Component::Demand);
}

#[test]
fn a_shock_is_no_components_step_and_breaks_no_contract() {
    use engine::retrier_server::{Change, Event};
    let plan = Plan {
        events: vec![Event {
            round: 3,
            change: Change::Shock(30),
        }],
        ..Plan::new(storm(), 3, 20)
    };
    let run = plan.play().unwrap();
    assert_eq!(Ledger::of(&run).violations().count(), 0);
}

#[test]
fn each_component_keeps_its_contract_alone() {
    for config in [
        storm(),
        storm().with_budget(1),
        storm().with_fresh_first(),
        Config::new(4, 4, 3),
    ] {
        let retrier = Alone::retrier(&config, 18, DEFAULT_ISOLATED_CAP).check();
        let server = Alone::server(&config, 18, DEFAULT_ISOLATED_CAP).check();
        assert!(retrier.holds(), "{config:?} {retrier:?}");
        assert!(server.holds(), "{config:?} {server:?}");
        assert!(retrier.findings.iter().all(|f| f.kept > 0));
    }
    // The server's basin is finite, so its check is complete: every round start within LatThresh.
    let server = Alone::server(&storm(), 0, DEFAULT_ISOLATED_CAP).check();
    assert!(server.complete);
    let basin = server
        .findings
        .iter()
        .find(|f| f.clause == Clause::Basin)
        .unwrap();
    assert_eq!(basin.vacuous, 0);
}

#[test]
fn alone_a_faulty_component_is_found_out_and_its_partner_is_not() {
    let eager = storm().with_fault(Fault::EagerRetrier);
    let check = Alone::retrier(&eager, 5, DEFAULT_ISOLATED_CAP).check();
    let broken = |c: Clause| {
        check
            .findings
            .iter()
            .any(|f| f.clause == c && f.violation.is_some())
    };
    assert!(broken(Clause::Retries) && broken(Clause::Growth) && broken(Clause::Flux));
    assert!(!broken(Clause::Accounting));
    assert!(
        Alone::server(&eager, 5, DEFAULT_ISOLATED_CAP)
            .check()
            .holds()
    );

    let wasteful = storm().with_fault(Fault::WastefulServer);
    let check = Alone::server(&wasteful, 5, DEFAULT_ISOLATED_CAP).check();
    let service = check
        .findings
        .iter()
        .find(|f| f.clause == Clause::Service)
        .unwrap();
    let run = service.violation.as_ref().expect("it wastes capacity");
    let (before, after) = (run[run.len() - 2], run[run.len() - 1]);
    assert!(before.backlog() - after.backlog() < 3.min(before.backlog()));
    assert!(
        Alone::retrier(&wasteful, 5, DEFAULT_ISOLATED_CAP)
            .check()
            .holds()
    );
}

#[test]
fn a_server_at_the_edge_leaves_the_basin_if_it_wastes_capacity() {
    let config = Config::new(3, 3, 2).with_fault(Fault::WastefulServer);
    let check = Alone::server(&config, 0, DEFAULT_ISOLATED_CAP).check();
    let basin = check
        .findings
        .iter()
        .find(|f| f.clause == Clause::Basin)
        .unwrap();
    assert!(basin.violation.is_some());
}

proptest! {
    #[test]
    fn honest_components_never_violate_a_contract(
        (s, t) in (1..9u64, 1..5u64),
        amax in 0..9u64,
        budget in prop::option::of(0..9u64),
        fresh_first: bool,
        q0 in 0..80u64,
        qd0 in 0..80u64,
        seed: u64,
    ) {
        let mut config = Config::new(s, amax.min(s), t);
        config.budget = budget;
        if fresh_first {
            config = config.with_fresh_first();
        }
        let plan = Plan { qd0, arrivals: Arrivals::Random(seed), ..Plan::new(config, q0, 60) };
        let run = plan.play().unwrap();
        prop_assert_eq!(Ledger::of(&run).violations().next(), None);
    }

    #[test]
    fn every_standing_comes_with_its_values(q0 in 0..40u64, faulty: bool, fresh_first: bool) {
        let mut config = storm();
        if faulty { config = config.with_fault(Fault::EagerRetrier); }
        if fresh_first { config = config.with_fresh_first(); }
        let (run, ledger) = run(config, q0, 12);
        for (i, step) in ledger.steps().iter().enumerate() {
            for (clause, standing) in Clause::ALL.iter().zip(step) {
                prop_assert_eq!(standing.is_some(), values(&run, i, *clause).is_some());
            }
        }
    }
}
