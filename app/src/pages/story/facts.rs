//! What the story claims of the retrier and server, the breaker and the contracts, computed by the engine.

use crate::study::{Band, bands};
use engine::breaker::{self, Check, Invariant, Variant};
use engine::retrier_server::trap::{Closure, Region};
use engine::retrier_server::{
    Component, Config, DEFAULT_CAP, DecidingRun, End, Judgement, Ledger, Plan, Proof, Run, Verdict,
    deciding_run, explore_from, judge, judge_range,
};

use crate::pages::basin::{grouped, healthy_from};
use std::sync::LazyLock;

/// Where a start can lead, in the order in which the story offers it.
pub const FATES: [Verdict; 4] = [
    Verdict::Recovers,
    Verdict::Orbits,
    Verdict::AtRisk,
    Verdict::Doomed,
];

/// The starts that the story's map reaches.
pub const MAP_TO: u64 = 60;

/// What is proved of a start.
#[must_use]
pub fn judged(plan: &Plan) -> Judgement {
    let start = plan.config.start(plan.q0, plan.qd0);
    judge(&plan.config, &start, DEFAULT_CAP)
}

/// Which of [`FATES`] a start has; none if that was not proved.
#[must_use]
pub fn fate(judgement: &Judgement) -> Option<usize> {
    FATES.iter().position(|fate| *fate == judgement.verdict)
}

/// The starts of one verdict under the essay's parameters, all next to each other, as far as the map reaches.
///
/// # Panics
/// If there is none of them. The essay's parameters have a band of each of [`FATES`].
#[must_use]
pub fn band(verdict: Verdict) -> Band {
    static BANDS: LazyLock<Vec<Band>> = LazyLock::new(|| {
        let verdicts = judge_range(&Config::default(), 0..=MAP_TO, 0, DEFAULT_CAP);
        bands(0, &verdicts)
    });
    let found = BANDS.iter().find(|band| band.verdict == verdict);
    *found.expect("every fate has a band")
}

/// How many states can be reached from a start, over all arrival choices; only where that many were found to be all.
#[must_use]
pub fn reachable(plan: &Plan) -> Option<usize> {
    let start = plan.config.start(plan.q0, plan.qd0);
    let found = explore_from(&plan.config, &start, DEFAULT_CAP);
    found.complete.then_some(found.states)
}

/// Rounds until every round ends healthy, with `arrivals` in each of them; none if that never comes.
#[must_use]
pub fn rounds_to_good(plan: &Plan, arrivals: u64) -> Option<u64> {
    let start = plan.config.start(plan.q0, plan.qd0);
    deciding_run(&plan.config, &start, arrivals).rounds_to_good()
}

/// Retries sent over a run.
#[must_use]
pub fn retries(run: &Run) -> u64 {
    run.points()
        .iter()
        .map(engine::retrier_server::Point::flux)
        .sum()
}

/// Whether a start lies in the trap, proved closed, under the plan's law.
#[must_use]
pub fn is_trapped(plan: &Plan) -> bool {
    let region = Region::general(&plan.config, plan.config.most_arrivals());
    region.contains(&plan.config.start(plan.q0, plan.qd0))
        && region.closure(&plan.config) == Closure::Closed
}

/// What becomes of a start at most arrivals, and with none, in a sentence.
#[must_use]
pub fn courses(judgement: &Judgement) -> String {
    match &judgement.proof {
        Proof::DecidingRuns { most, quiet } => format!(
            "With {} arrivals in every round, {}; with none, {}.",
            grouped(most.arrivals),
            course(most),
            course(quiet)
        ),
        Proof::Explored(_) => String::new(),
    }
}

/// What becomes of one run, as half a sentence.
#[must_use]
pub fn course(run: &DecidingRun) -> String {
    if let Some((round, at)) = run.trap_entry {
        return format!(
            "it is in the trap by round {}, with {} duplicates to {} fresh requests",
            grouped(round),
            grouped(at.qd),
            grouped(at.qf)
        );
    }
    match (&run.end, healthy_from(run)) {
        (_, Some(words)) => words,
        (End::Drains { .. }, None) => "it drains".to_owned(),
        (
            End::Cycle {
                at, good: false, ..
            },
            None,
        ) => format!(
            "it stays near a backlog of {} for ever",
            grouped(at.backlog())
        ),
        (End::Trap { round, .. }, None) => {
            format!("it is held down for ever from round {}", grouped(*round))
        }
        (end, None) if end.is_unbounded() => "it grows without bound".to_owned(),
        (_, None) => "where it leads is not settled".to_owned(),
    }
}

/// What both designs of the breaker are proved to do, the naive one first.
///
/// # Panics
/// Never: the model's own bounds are in range.
#[must_use]
pub fn breakers() -> [Check; 2] {
    Variant::ALL.map(|variant| {
        let config = breaker::Config {
            variant,
            ..breaker::Config::default()
        };
        breaker::check(config).expect("the document's bounds are in range")
    })
}

/// The states on the shortest run to two probes at once, the first one counted; none where that cannot happen.
#[must_use]
pub fn double_probe(check: &Check) -> Option<usize> {
    let mut invariants = check.invariants.iter();
    let (_, trail) = invariants.find(|(invariant, _)| *invariant == Invariant::NoDoubleProbe)?;
    trail.as_ref().map(engine::explore::Trail::length)
}

/// Whether the retrier and the server each break a promise in a run.
#[must_use]
pub fn breaches(ledger: &Ledger) -> [bool; 2] {
    [Component::Retrier, Component::Server].map(|component| {
        let mut violations = ledger.violations();
        violations.any(|violation| violation.clause.owed_by() == component)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn plain(q0: u64) -> Plan {
        Plan::new(Config::default(), q0, 40)
    }

    fn corner() -> Plan {
        Plan {
            qd0: 120,
            ..Plan::new(Config::default().with_fresh_first(), 30, 320)
        }
    }

    #[test]
    fn the_bands_are_those_of_the_models_page() {
        let edges = FATES.map(|fate| (band(fate).first, band(fate).last));
        assert_eq!(edges, [(0, 7), (8, 9), (10, 20), (21, MAP_TO)]);
    }

    #[test]
    fn five_and_seven_recover_in_17_and_21_states_and_8_and_9_orbit_in_27_and_29() {
        for (q0, states, fate_of) in [(5, 17, 0), (7, 21, 0), (8, 27, 1), (9, 29, 1)] {
            assert_eq!(reachable(&plain(q0)), Some(states), "{q0}");
            assert_eq!(fate(&judged(&plain(q0))), Some(fate_of), "{q0}");
        }
    }

    #[test]
    fn twelve_and_eighteen_are_at_risk_and_twenty_one_is_doomed() {
        assert_eq!(fate(&judged(&plain(12))), Some(2));
        assert_eq!(fate(&judged(&plain(18))), Some(2));
        assert_eq!(fate(&judged(&plain(21))), Some(3));
        let said = courses(&judged(&plain(18)));
        assert!(said.contains("in the trap by round"), "{said}");
        assert!(said.contains("with none, after round"), "{said}");
    }

    #[test]
    fn nothing_is_retried_from_five() {
        assert_eq!(retries(&plain(5).play().expect("a plan")), 0);
        assert!(retries(&plain(12).play().expect("a plan")) > 0);
    }

    #[test]
    fn the_corner_of_the_trap_drains_in_66_and_289_rounds_with_fresh_work_first() {
        assert_eq!(rounds_to_good(&corner(), 0), Some(66));
        assert_eq!(rounds_to_good(&corner(), 2), Some(289));
        assert!(!is_trapped(&corner()));
        let shared = Plan {
            config: Config::default(),
            ..corner()
        };
        assert!(is_trapped(&shared));
        assert_eq!(rounds_to_good(&shared, 2), None);
    }

    #[test]
    fn the_naive_breaker_probes_twice_in_8_states_of_9_and_the_hardened_one_never() {
        let [naive, hardened] = breakers();
        assert_eq!((naive.states, double_probe(&naive)), (9, Some(8)));
        assert_eq!((hardened.states, double_probe(&hardened)), (8, None));
    }

    #[test]
    fn in_the_storm_nobody_breaks_a_promise_and_both_promises_are_empty() {
        let run = plain(18).play().expect("a plan");
        let ledger = Ledger::of(&run);
        assert_eq!(breaches(&ledger), [false, false]);
        let said = crate::pages::why::conclusion(&Config::default(), &ledger, &run);
        assert!(said.contains("no component is at fault"), "{said}");
        assert!(
            said.contains("The promises that would help are empty"),
            "{said}"
        );
    }
}
