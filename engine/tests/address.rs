//! Scenarios as addresses: what is written is read back, and whatever is read is a scenario or a clear refusal.

mod mutated;

use engine::FieldError;
use engine::query::{QueryReader, QueryWriter};
use engine::retrier_server::{
    Arrivals, Breaker, Change, Config, Event, Fault, Gate, Plan, Service, TokenBucket,
};
use mutated::mutated;
use proptest::prelude::*;

fn write(plan: &Plan) -> String {
    let mut query = QueryWriter::default();
    plan.write(&mut query);
    query.finish()
}

fn read(text: &str) -> Result<Plan, FieldError> {
    let mut query = QueryReader::new(text)?;
    let plan = Plan::read(&mut query, &Plan::new(Config::default(), 18, 60))?;
    query.finish()?;
    Ok(plan)
}

fn any_gate() -> impl Strategy<Value = Gate> {
    prop_oneof![
        Just(Gate::None),
        (any::<u16>(), 1..=u16::MAX).prop_map(|(capacity, acks_per_token)| {
            Gate::TokenBucket(TokenBucket {
                capacity,
                acks_per_token,
            })
        }),
        (1..=u16::MAX, 1..=u16::MAX).prop_map(|(max_failures, max_open_ticks)| {
            Gate::Breaker(Breaker {
                max_failures,
                max_open_ticks,
            })
        }),
    ]
}

fn any_service() -> impl Strategy<Value = Service> {
    prop_oneof![Just(Service::Proportional), Just(Service::FreshFirst)]
}

fn any_change() -> impl Strategy<Value = Change> {
    let count = 0..=1_u64 << 31;
    prop_oneof![
        count.clone().prop_map(Change::Shock),
        prop::option::of(count).prop_map(Change::Budget),
        any_service().prop_map(Change::Service),
        any::<bool>().prop_map(Change::Quiet),
        any_gate().prop_map(Change::Gate),
    ]
}

prop_compose! {
    fn any_plan()(
        (s, amax, t) in (1..=1_u64 << 31, 0..=1_u64 << 31, 1..=1_u64 << 31),
        budget in prop::option::of(0..=1_u64 << 31),
        service in any_service(),
        quiet in any::<bool>(),
        gate in any_gate(),
        fault in prop::sample::select(Fault::ALL.to_vec()),
        (q0, qd0, rounds) in (0..=1_u64 << 31, 0..=1_u64 << 31, 1..200_u64),
        seed in any::<u64>(),
        kind in 0..4,
        events in prop::collection::vec((1..200_u64, any_change()), 0..5),
    ) -> Plan {
        Plan {
            config: Config { budget, service, quiet, gate, fault, ..Config::new(s, amax, t) },
            q0,
            qd0,
            arrivals: match kind {
                0 => Arrivals::Max,
                1 => Arrivals::Zero,
                2 => Arrivals::Random(seed),
                _ => Arrivals::List((0..rounds).map(|round| (seed ^ round) % (amax + 1)).collect()),
            },
            rounds,
            events: events
                .into_iter()
                .map(|(round, change)| Event { round: round.min(rounds), change })
                .collect(),
        }
    }
}

proptest! {
    #[test]
    fn a_plan_is_read_back_as_it_was_written(plan in any_plan()) {
        prop_assert_eq!(read(&write(&plan)), Ok(plan));
    }

    #[test]
    fn any_text_is_a_plan_in_range_or_a_refusal(text in ".{0,200}") {
        if let Ok(plan) = read(&text) {
            prop_assert!(plan.validate().is_ok());
        }
    }

    #[test]
    fn a_changed_address_is_refused_or_is_a_plan_that_writes_back(
        text in mutated(any_plan().prop_map(|plan| write(&plan))),
    ) {
        if let Ok(plan) = read(&text) {
            prop_assert!(plan.validate().is_ok());
            prop_assert_eq!(read(&write(&plan)), Ok(plan));
        }
    }

    #[test]
    fn any_values_are_a_plan_in_range_or_a_refusal(
        name in prop::sample::select(vec![
            "v", "s", "amax", "t", "b", "serve", "quiet", "gate", "fault", "q0", "qd", "arrivals", "rounds", "do",
        ]),
        value in "[-0-9a-z:;,.%& ]{0,60}",
    ) {
        if let Ok(plan) = read(&format!("{name}={value}")) {
            prop_assert!(plan.validate().is_ok());
        }
    }
}

#[test]
fn an_address_is_short_and_reads_by_itself() {
    let storm = Plan::new(Config::default(), 18, 60);
    assert_eq!(write(&storm), "v=1&s=3&amax=2&t=2&q0=18&rounds=60");
    let acts = Plan {
        arrivals: Arrivals::Random(7),
        events: vec![
            Event {
                round: 10,
                change: Change::Shock(25),
            },
            Event {
                round: 30,
                change: Change::Service(Service::FreshFirst),
            },
        ],
        ..Plan::new(Config::default().with_budget(1), 0, 80)
    };
    assert_eq!(
        write(&acts),
        "v=1&s=3&amax=2&t=2&b=1&q0=0&arrivals=random:7&rounds=80&do=10:shock:25;30:serve:fresh"
    );
}

#[test]
fn what_is_not_given_is_the_default() {
    assert_eq!(read(""), Ok(Plan::new(Config::default(), 18, 60)));
    assert_eq!(read("q0=5").unwrap().q0, 5);
}

#[test]
fn a_bad_address_is_refused_by_name_value_and_way_out() {
    for (text, message) in [
        ("s=0", "s is 0, but must be from 1 to 2147483648"),
        (
            "q0=x",
            "q0 is 'x', but must be a whole number from 0 to 2147483648",
        ),
        (
            "q0=-1",
            "q0 is '-1', but must be a whole number from 0 to 2147483648",
        ),
        ("q0=1&q0=2", "q0 is '2', but must be given only once"),
        (
            "v=2",
            "v is 2, but must be 1: this page knows no other version of the address",
        ),
        (
            "size=3",
            "size is '3', but must be left out: this page knows no such part of an address",
        ),
        ("serve=last", "serve is 'last', but must be shared or fresh"),
        ("quiet=maybe", "quiet is 'maybe', but must be 0 or 1"),
        (
            "arrivals=0,9&rounds=2",
            "arrivals[1] is 9, but must be from 0 to 2",
        ),
        (
            "do=900:shock:5",
            "event round is 900, but must be from 1 to 60",
        ),
    ] {
        assert_eq!(read(text).unwrap_err().to_string(), message);
    }
    let error = read("do=5:explode:1").unwrap_err().to_string();
    assert!(error.starts_with("do is '5:explode:1', but must be changes such as"));
    let error = read(&"x".repeat(70_000)).unwrap_err().to_string();
    assert!(error.contains("length of the address is 70000"));
}
