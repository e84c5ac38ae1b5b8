//! The circuit breaker at run time under every interleaving of its threads, by `loom`.
//!
//! `cargo xtask test --only loom` runs it.
#![cfg(loom)]

use engine::breaker::{CallError, CircuitBreaker, Phase, Refused, Settings};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::thread;
use std::time::Duration;

type Breaker = CircuitBreaker<fn() -> Duration>;

/// A clock that stands still. The time open is none, so an open breaker is half-open at the next look.
fn still() -> Duration {
    Duration::ZERO
}

fn half_open() -> Arc<Breaker> {
    let settings = Settings {
        max_failures: 1,
        open_for: Duration::ZERO,
    };
    let breaker: Breaker = CircuitBreaker::new(settings, still as fn() -> Duration).unwrap();
    assert_eq!(breaker.call(|| Err::<(), _>(())), Err(CallError::Inner(())));
    Arc::new(breaker)
}

/// Counts who is inside at the same time.
#[derive(Default)]
struct Inside(AtomicUsize);

impl Inside {
    /// A call to the resource, which notes whether it is alone there.
    fn visit(&self) -> bool {
        let alone = self.0.fetch_add(1, Ordering::SeqCst) == 0;
        thread::yield_now();
        self.0.fetch_sub(1, Ordering::SeqCst);
        alone
    }
}

/// `preemptions`: how often a thread is interrupted where it need not be; `None` is every interleaving.
fn race(threads: usize, preemptions: Option<usize>, outcome: Result<(), ()>) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = preemptions;
    model.check(move || {
        let breaker = half_open();
        let inside = Arc::new(Inside::default());
        let callers: Vec<_> = (0..threads)
            .map(|_| {
                let (breaker, inside) = (breaker.clone(), inside.clone());
                thread::spawn(move || {
                    let Ok(permit) = breaker.admit() else {
                        return;
                    };
                    let is_alone = inside.visit();
                    if permit.is_probe() {
                        assert!(is_alone, "a probe shares the resource with another call");
                    }
                    match outcome {
                        Ok(()) => permit.succeed(),
                        Err(()) => permit.fail(),
                    }
                })
            })
            .collect();
        for caller in callers {
            caller.join().unwrap();
        }
        assert!(!breaker.snapshot().probe_inflight, "a reservation is left");
    });
}

#[test]
fn failing_probes_never_overlap() {
    race(2, None, Err(()));
}

#[test]
fn three_failing_probes_never_overlap() {
    race(3, Some(2), Err(()));
}

#[test]
fn a_probe_is_alone_until_it_has_closed_the_breaker() {
    loom::model(|| {
        let breaker = half_open();
        let probes = Arc::new(Inside::default());
        let caller = |breaker: Arc<Breaker>, probes: Arc<Inside>| {
            move || match breaker.admit() {
                Ok(permit) => {
                    if permit.is_probe() {
                        assert!(probes.visit(), "two probes at once");
                    }
                    permit.succeed();
                    1
                }
                Err(refused) => {
                    assert_eq!(refused, Refused::ProbeInFlight);
                    0
                }
            }
        };
        let other = thread::spawn(caller(breaker.clone(), probes.clone()));
        let admitted = caller(breaker.clone(), probes.clone())() + other.join().unwrap();
        assert!(admitted >= 1, "someone is let through");
        assert_eq!(breaker.snapshot().phase, Phase::Closed);
    });
}

#[test]
fn a_dropped_probe_releases_its_reservation() {
    loom::model(|| {
        let breaker = half_open();
        let other = {
            let breaker = breaker.clone();
            thread::spawn(move || drop(breaker.admit()))
        };
        drop(breaker.admit());
        other.join().unwrap();
        assert!(breaker.admit().is_ok_and(|permit| permit.is_probe()));
    });
}
