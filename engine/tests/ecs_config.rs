//! A configuration that makes no sense is refused, with the field, the value and what it may be.

use engine::ecs::admission::{AdmissionSettings, LatencySettings, PaceSettings};
use engine::ecs::experiment::{
    PulseMap, PulseMapSettings, Sweep, SweepSettings, Tipping, TippingSettings,
};
use engine::ecs::policy::{FixedSettings, NaiveSettings, PolicySettings, ProbeSettings};
use engine::ecs::presets::all;
use engine::ecs::{Class, Config, Entry, Setting, Simulation};
use proptest::prelude::*;

/// What the configuration is refused with after a change.
fn refusal(change: impl FnOnce(&mut Config)) -> String {
    let mut config = Config::default();
    change(&mut config);
    match Simulation::new(&config, 1) {
        Ok(_) => panic!("the configuration was taken"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn numbers_out_of_range() {
    assert_eq!(
        refusal(|config| config.cores = 0),
        "cores is 0, but must be from 1 to 1024"
    );
    assert_eq!(
        refusal(|config| config.duration_s = f64::NAN),
        "duration_s is NaN, but must be from 1 to 10000"
    );
    assert_eq!(
        refusal(|config| config.short_class.timeout_s = -1.0),
        "short_class.timeout_s is -1, but must be from 0.001 to 100000"
    );
    assert_eq!(
        refusal(|config| config.long_class.rate = -0.5),
        "long_class.rate is -0.5, but must be from 0 to 100000"
    );
    assert_eq!(
        refusal(|config| config.long_class.blocking_share = 1.0),
        "long_class.blocking_share is 1, but must be from 0 to 0.99"
    );
    assert_eq!(
        refusal(|config| config.short_queue.tickets = 0),
        "short_queue.tickets is 0, but must be from 1 to 10000"
    );
    assert_eq!(
        refusal(|config| config.ticket_window_ms = f64::INFINITY),
        "ticket_window_ms is inf, but must be from 0.1 to 10000"
    );
}

#[test]
fn a_run_that_would_not_fit_into_memory() {
    let long = |config: &mut Config| {
        config.duration_s = 10_000.0;
        config.sample_s = 0.05;
    };
    assert_eq!(
        refusal(long),
        "sample_s is 0.05, but must be from 0.1 to 1000"
    );
    let hasty = NaiveSettings {
        interval_ms: 0.001,
        ..NaiveSettings::default()
    };
    assert_eq!(
        refusal(|config| config.policy = PolicySettings::Naive(hasty)),
        "policy.interval_ms is 0.001, but must be from 10 to 100000"
    );
}

#[test]
fn thresholds_out_of_order() {
    let fixed = FixedSettings {
        demotion_least_ms: 600.0,
        ..FixedSettings::default()
    };
    assert_eq!(
        refusal(|config| config.policy = PolicySettings::Fixed(fixed)),
        "policy.demotion_most_ms is 500, but must be at least policy.demotion_least_ms = 600"
    );
    let naive = NaiveSettings {
        long: ProbeSettings {
            least: 9,
            most: 8,
            step: 0.1,
        },
        ..NaiveSettings::default()
    };
    assert_eq!(
        refusal(|config| config.policy = PolicySettings::Naive(naive)),
        "policy.long.most is 8, but must be at least policy.long.least = 9"
    );
    let pace = PaceSettings {
        cut: 1.5,
        ..PaceSettings::default()
    };
    let latency = LatencySettings {
        pace,
        ..LatencySettings::default()
    };
    assert_eq!(
        refusal(|config| config.admission = AdmissionSettings::Latency(latency)),
        "admission.pace.cut is 1.5, but must be from 0 to 1"
    );
}

fn pulse(class: Class, from_s: f64, until_s: f64) -> Entry {
    Entry::Pulse {
        class,
        factor: 2.0,
        from_s,
        until_s,
    }
}

#[test]
fn scripts_that_overlap_themselves_or_run_backwards() {
    assert_eq!(
        refusal(|config| config.script = vec![
            pulse(Class::Long, 30.0, 45.0),
            pulse(Class::Long, 44.0, 50.0)
        ]),
        "script[1] is 44 to 50, but must be clear of script[0], which is of its kind and lasts 30 to 45"
    );
    assert_eq!(
        refusal(|config| config.script = vec![pulse(Class::Short, 10.0, 10.0)]),
        "script[0].until_s is 10, but must be after script[0].from_s = 10"
    );
    assert_eq!(
        refusal(|config| config.script = vec![pulse(Class::Short, -3.0, 10.0)]),
        "script[0].from_s is -3, but must be from 0 to 200"
    );
    assert_eq!(
        refusal(|config| config.script = vec![Entry::CoresLost {
            cores: 5,
            from_s: 1.0,
            until_s: 2.0
        }]),
        "script[0].cores is 5, but must be from 1 to 4"
    );
    let set = |value| Entry::Set {
        at_s: 10.0,
        setting: Setting::ShortTickets(value),
    };
    assert_eq!(
        refusal(|config| config.script = vec![set(1), set(2)]),
        "script[1] is 10 to 10, but must be another instant than that of script[0], which sets the same"
    );
    assert_eq!(
        refusal(|config| config.script = vec![set(0)]),
        "script[0].setting.short_tickets is 0, but must be from 1 to 10000"
    );
}

#[test]
fn scripts_that_only_touch_are_taken() {
    let config = Config {
        script: vec![
            pulse(Class::Long, 45.0, 50.0),
            pulse(Class::Long, 30.0, 45.0),
            pulse(Class::Short, 30.0, 45.0),
            Entry::Slowdown {
                speed: 0.0,
                from_s: 31.0,
                until_s: 32.0,
            },
            Entry::Outage {
                from_s: 31.5,
                until_s: 33.0,
            },
        ],
        ..Config::default()
    };
    assert_eq!(config.validate(), Ok(()));
}

#[test]
fn experiments_refuse_as_well() {
    let base = Config::default();
    let sweep = SweepSettings {
        factors: vec![1.0, 3.0, 2.0],
        ..SweepSettings::default()
    };
    let error = |result: Result<(), engine::FieldError>| result.unwrap_err().to_string();
    assert_eq!(
        error(Sweep::new(&base, &sweep).map(drop)),
        "factors[2] is 2, but must be above factors[1] = 3"
    );
    let map = PulseMapSettings {
        lengths_s: vec![5.0, -1.0],
        ..PulseMapSettings::default()
    };
    assert_eq!(
        error(PulseMap::new(&base, &map).map(drop)),
        "lengths_s[1] is -1, but must be from 0.001 to 10000"
    );
    let tipping = TippingSettings {
        runs: 0,
        ..TippingSettings::default()
    };
    assert_eq!(
        error(Tipping::new(&base, &tipping).map(drop)),
        "runs is 0, but must be from 1 to 100"
    );
}

#[test]
fn configurations_survive_json_and_unknown_fields_do_not() {
    for preset in all() {
        let text = serde_json::to_string(&preset.config).unwrap();
        assert_eq!(
            serde_json::from_str::<Config>(&text).unwrap(),
            preset.config,
            "{}",
            preset.name
        );
    }
    let mut value = serde_json::to_value(Config::default()).unwrap();
    value["core"] = 4.into();
    let error = serde_json::from_value::<Config>(value)
        .unwrap_err()
        .to_string();
    assert!(error.contains("unknown field `core`"), "{error}");
}

proptest! {
    /// Whatever number stands in a field, it is refused by its name or simulated; nothing panics.
    #[test]
    fn any_number_is_refused_by_name_or_taken(
        field in 0usize..10,
        number in prop_oneof![any::<f64>(), Just(f64::NAN), Just(0.0), -1.0..1e4],
        whole in prop_oneof![Just(0u32), Just(u32::MAX), 0u32..20_000],
    ) {
        let mut config = Config { duration_s: 1.0, ..Config::default() };
        let name = match field {
            0 => { config.sample_s = number; "sample_s" }
            1 => { config.cores = whole; "cores" }
            2 => { config.ticket_window_ms = number; "ticket_window_ms" }
            3 => { config.demotion_ms = number; "demotion_ms" }
            4 => { config.short_queue.bound = whole; "short_queue.bound" }
            5 => { config.short_class.mean_ms = number; "short_class.mean_ms" }
            6 => { config.long_class.backoff_ms = number; "long_class.backoff_ms" }
            7 => { config.short_class.jitter = number; "short_class.jitter" }
            8 => { config.long_queue.tickets = whole; "long_queue.tickets" }
            _ => { config.short_class.attempts = whole; "short_class.attempts" }
        };
        match Simulation::new(&config, 1) {
            Ok(mut simulation) => simulation.finish(),
            Err(error) => prop_assert_eq!(error.field, name),
        }
    }
}
