//! The circuit breaker at run time: driven along every step of the hardened model, and what the model leaves out.
#![cfg(not(loom))]

use engine::breaker::{
    Action, CallError, Caller, CircuitBreaker, Clock, Config, Permit, Phase, Refused, Settings,
    State, Variant,
};
use engine::explore::{Trail, explore};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::time::Duration;

/// A clock that a test moves.
#[derive(Clone, Debug, Default)]
struct Ticks(Arc<AtomicU64>);

impl Clock for Ticks {
    fn now(&self) -> Duration {
        Duration::from_secs(self.0.load(Ordering::SeqCst))
    }
}

impl Ticks {
    fn pass(&self, ticks: u64) {
        self.0.fetch_add(ticks, Ordering::SeqCst);
    }
}

fn breaker(max_failures: u32, open_for: u64) -> (CircuitBreaker<Ticks>, Ticks) {
    let clock = Ticks::default();
    let settings = Settings {
        max_failures,
        open_for: Duration::from_secs(open_for),
    };
    (CircuitBreaker::new(settings, clock.clone()).unwrap(), clock)
}

fn succeed(breaker: &CircuitBreaker<Ticks>) -> Result<(), CallError<()>> {
    breaker.call(|| Ok(()))
}

fn fail(breaker: &CircuitBreaker<Ticks>) -> Result<(), CallError<()>> {
    breaker.call(|| Err(()))
}

/// Plays a run of the model on a breaker, and compares the states after each step.
///
/// One tick of the model is one second, and the timer elapses with the second after the last tick.
fn conform(config: Config, trail: &Trail<State, Action>) {
    let (breaker, clock) = breaker(
        config.max_failures.into(),
        u64::from(config.max_open_ticks) + 1,
    );
    let mut inside: BTreeMap<Caller, Permit<'_, Ticks>> = BTreeMap::new();
    for &(action, expected) in &trail.steps {
        match action {
            Action::ClosedCallSuccess(_) => assert_eq!(succeed(&breaker), Ok(())),
            Action::ClosedCallFailure(_) | Action::ClosedCallFailureTripBreaker(_) => {
                assert_eq!(fail(&breaker), Err(CallError::Inner(())));
            }
            Action::OpenShortCircuit(_) => {
                let refused = succeed(&breaker);
                assert!(matches!(
                    refused,
                    Err(CallError::Refused(Refused::Open { .. }))
                ));
            }
            Action::OpenTick | Action::OpenTimerElapses => clock.pass(1),
            Action::HalfOpenProbeStart(caller) => {
                let permit = breaker.admit().unwrap();
                assert!(permit.is_probe());
                inside.insert(caller, permit);
            }
            Action::HalfOpenProbeRejected(_) => assert_eq!(
                succeed(&breaker),
                Err(CallError::Refused(Refused::ProbeInFlight))
            ),
            Action::HalfOpenProbeSuccess(caller) => inside.remove(&caller).unwrap().succeed(),
            Action::HalfOpenProbeFailure(caller) => inside.remove(&caller).unwrap().fail(),
        }
        let snapshot = breaker.snapshot();
        let seen = (
            snapshot.phase,
            snapshot.failure_count,
            snapshot.open_since.map(|since| since.as_secs()),
            snapshot.probe_inflight,
            inside.keys().copied().collect::<Vec<_>>(),
        );
        let is_open = expected.phase == Phase::Open;
        let modelled = (
            expected.phase,
            u32::from(expected.failure_count),
            is_open.then_some(expected.open_ticks.into()),
            expected.probe_inflight,
            expected.caller_active.iter().collect(),
        );
        assert_eq!(seen, modelled, "after {action}");
    }
}

#[test]
fn every_step_of_the_model_is_a_step_of_the_breaker() {
    for (callers, max_failures, max_open_ticks) in [(2, 2, 2), (1, 1, 0), (3, 1, 1), (6, 4, 3)] {
        let config = Config::new(Variant::Hardened, callers, max_failures, max_open_ticks);
        let graph = explore(&config, usize::MAX);
        for from in 0..graph.states().len() {
            for (action, to) in graph.actions_from(&config, from) {
                let mut trail = graph.trail_to(&config, from);
                trail.steps.push((action, graph.states()[to]));
                conform(config, &trail);
            }
        }
    }
}

proptest! {
    #[test]
    fn long_runs_of_the_model_are_runs_of_the_breaker(
        callers in 1..=6u8, max_failures in 1..=4u16, max_open_ticks in 0..=3u16,
        choices in prop::collection::vec(any::<prop::sample::Index>(), 0..200),
    ) {
        let config = Config::new(Variant::Hardened, callers, max_failures, max_open_ticks);
        let mut trail = Trail { first: State::default(), steps: Vec::new() };
        for choice in choices {
            let from = trail.last();
            let enabled: Vec<_> = config
                .actions()
                .filter_map(|action| Some((action, config.apply(&from, action).ok()?)))
                .collect();
            trail.steps.push(*choice.get(&enabled));
        }
        conform(config, &trail);
    }
}

#[test]
fn a_refused_call_is_not_made_and_says_why() {
    let (breaker, clock) = breaker(1, 10);
    assert_eq!(fail(&breaker), Err(CallError::Inner(())));
    clock.pass(4);
    let refused = breaker.call(|| -> Result<(), ()> { panic!("an open breaker makes no call") });
    let remaining = Duration::from_secs(6);
    assert_eq!(
        refused,
        Err(CallError::Refused(Refused::Open { remaining }))
    );
    clock.pass(6);
    let probe = breaker.admit().unwrap();
    let refused = breaker.admit().unwrap_err();
    assert_eq!(refused, Refused::ProbeInFlight);
    assert_eq!(
        refused.to_string(),
        "the circuit breaker is half-open and its probe is in flight"
    );
    probe.succeed();
    assert_eq!(succeed(&breaker), Ok(()));
}

#[test]
fn a_panic_in_a_probe_releases_the_reservation_and_counts_as_a_failure() {
    let (breaker, clock) = breaker(1, 1);
    let _ = fail(&breaker);
    clock.pass(1);
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        breaker.call(|| -> Result<(), ()> { std::panic::resume_unwind(Box::new("downstream")) })
    }));
    assert!(panicked.is_err());
    let after = breaker.snapshot();
    assert_eq!((after.phase, after.probe_inflight), (Phase::Open, false));
    clock.pass(1);
    assert_eq!(succeed(&breaker), Ok(()));
    assert_eq!(breaker.snapshot().phase, Phase::Closed);
}

#[test]
fn a_panic_in_a_closed_breakers_call_counts_as_a_failure() {
    let (breaker, _) = breaker(1, 1);
    let _ = catch_unwind(AssertUnwindSafe(|| {
        breaker.call(|| -> Result<(), ()> { std::panic::resume_unwind(Box::new("downstream")) })
    }));
    assert_eq!(breaker.snapshot().phase, Phase::Open);
}

#[test]
fn an_outcome_from_an_earlier_period_is_ignored() {
    let (breaker, clock) = breaker(1, 1);
    let slow_success = breaker.admit().unwrap();
    let slow_failure = breaker.admit().unwrap();
    let _ = fail(&breaker);
    slow_success.succeed();
    assert_eq!(breaker.snapshot().phase, Phase::Open);
    clock.pass(1);
    let probe = breaker.admit().unwrap();
    slow_failure.fail();
    let during = breaker.snapshot();
    assert_eq!(
        (during.phase, during.probe_inflight),
        (Phase::HalfOpen, true)
    );
    probe.succeed();
    assert_eq!(breaker.snapshot().phase, Phase::Closed);
}

#[test]
fn a_clock_that_goes_back_keeps_the_breaker_open() {
    let (breaker, clock) = breaker(1, 3);
    clock.pass(10);
    let _ = fail(&breaker);
    clock.0.store(2, Ordering::SeqCst);
    assert_eq!(breaker.snapshot().open_since, Some(Duration::ZERO));
    clock.0.store(13, Ordering::SeqCst);
    assert_eq!(breaker.snapshot().phase, Phase::HalfOpen);
}

#[test]
fn a_threshold_of_no_failures_is_refused() {
    let settings = Settings {
        max_failures: 0,
        open_for: Duration::ZERO,
    };
    let refused = CircuitBreaker::new(settings, Ticks::default()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "max_failures is 0, but must be from 1 to 4294967295"
    );
}

#[test]
fn threads_that_race_for_the_probe_get_one() {
    const THREADS: usize = 4;
    for _ in 0..200 {
        let (breaker, clock) = breaker(1, 1);
        let _ = fail(&breaker);
        clock.pass(1);
        let (barrier, probes) = (Barrier::new(THREADS), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    barrier.wait();
                    let admitted = breaker.admit();
                    probes.fetch_add(usize::from(admitted.is_ok()), Ordering::SeqCst);
                    barrier.wait();
                    drop(admitted);
                });
            }
        });
        assert_eq!(probes.into_inner(), 1);
    }
}
