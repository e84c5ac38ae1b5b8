//! The breaker's bounds and schedules as addresses.

mod mutated;

use engine::FieldError;
use engine::breaker::{Action, Caller, Config, MAX_SCHEDULE, Variant};
use engine::query::{QueryReader, QueryWriter};
use mutated::mutated;
use proptest::prelude::*;

type Schedule = (Config, Vec<Action>);

fn write((config, actions): &Schedule) -> String {
    let mut query = QueryWriter::default();
    config.write_bounds(&mut query, &Config::default());
    query.put("do", Config::write_schedule(actions));
    query.finish()
}

fn read(text: &str) -> Result<Schedule, FieldError> {
    let mut query = QueryReader::new(text)?;
    let config = Config::read_bounds(&mut query, &Config::default())?;
    let actions = config.read_schedule(&query.take_text("do").unwrap_or_default())?;
    query.finish()?;
    Ok((config, actions))
}

fn any_schedule() -> impl Strategy<Value = Schedule> {
    (1..=6_u8, 1..=1000_u16, 0..=1000_u16).prop_flat_map(|(callers, failures, ticks)| {
        let config = Config::new(Variant::Hardened, callers, failures, ticks);
        let actions: Vec<Action> = config.actions().collect();
        let actions = prop::collection::vec(prop::sample::select(actions), 0..30);
        actions.prop_map(move |actions| (config, actions))
    })
}

proptest! {
    #[test]
    fn a_schedule_is_read_back_as_it_was_written(schedule in any_schedule()) {
        prop_assert_eq!(read(&write(&schedule)), Ok(schedule));
    }

    #[test]
    fn any_text_is_a_schedule_in_range_or_a_refusal(text in ".{0,200}", value in "[a-z0-9:;-]{0,80}") {
        for text in [text, format!("do={value}"), format!("callers={value}")] {
            if let Ok((config, _)) = read(&text) {
                prop_assert_eq!(config.validate(), Ok(()));
            }
        }
    }

    #[test]
    fn a_changed_address_is_refused_or_is_a_schedule_that_writes_back(
        text in mutated(any_schedule().prop_map(|schedule| write(&schedule))),
    ) {
        if let Ok((config, actions)) = read(&text) {
            prop_assert_eq!(config.validate(), Ok(()));
            prop_assert!(actions.iter().all(|a| a.caller().is_none_or(|c| config.callers().any(|known| known == c))));
            prop_assert_eq!(read(&write(&(config, actions.clone()))), Ok((config, actions)));
        }
    }
}

#[test]
fn a_schedule_is_short_and_reads_by_itself() {
    let caller = Caller(1);
    let actions = vec![
        Action::ClosedCallFailure(caller),
        Action::ClosedCallFailureTripBreaker(caller),
        Action::OpenTick,
        Action::OpenTimerElapses,
        Action::HalfOpenProbeStart(Caller(2)),
    ];
    assert_eq!(
        write(&(Config::new(Variant::Hardened, 3, 2, 1), actions)),
        "v=1&callers=3&max-open-ticks=1&do=failure:1;trip:1;tick;elapse;probe:2"
    );
}

#[test]
fn a_bad_schedule_is_refused_by_name_value_and_way_out() {
    for (text, message) in [
        ("callers=7", "callers is 7, but must be from 1 to 6"),
        ("callers=x", "callers is 'x', but must be a whole number"),
        (
            "max-failures=0",
            "max-failures is 0, but must be from 1 to 1000",
        ),
        ("do=probe:3", "caller is 3, but must be from 1 to 2"),
        ("do=probe:0", "caller is 0, but must be from 1 to 2"),
    ] {
        assert_eq!(read(text).unwrap_err().to_string(), message);
    }
    for word in ["probe", "tick:1", "stop", "probe:x", ""] {
        let error = read(&format!("do=tick;{word}")).unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("do is '{word}', but must be actions such as")),
            "{error}"
        );
    }
    let long = vec!["tick"; MAX_SCHEDULE + 1].join(";");
    assert_eq!(
        read(&format!("do={long}")).unwrap_err().to_string(),
        "number of actions is 1001, but must be from 0 to 1000"
    );
}
