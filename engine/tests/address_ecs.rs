//! ECS scenarios as addresses: what is written is read back, and whatever is read makes sense or is refused.

mod mutated;

use engine::FieldError;
use engine::ecs::admission::{
    AdmissionSettings, DistressKnobs, DistressSettings, LatencySettings, PaceSettings,
};
use engine::ecs::policy::{FixedSettings, NaiveSettings, PolicySettings, ProbeSettings};
use engine::ecs::presets::{self, Preset};
use engine::ecs::{Class, Config, Cost, Entry, Setting};
use engine::query::{QueryReader, QueryWriter};
use mutated::mutated;
use proptest::prelude::*;

fn first() -> Preset {
    presets::named("naive-overload").expect("a preset")
}

fn write(config: &Config) -> String {
    let mut query = QueryWriter::default();
    config.write(&mut query);
    query.finish()
}

fn read(text: &str) -> Result<Config, FieldError> {
    let mut query = QueryReader::new(text)?;
    let (config, _) = Config::read(&mut query, first())?;
    query.finish()?;
    Ok(config)
}

prop_compose! {
    fn any_probe()(one in 1..=10_000_u32, other in 1..=10_000_u32, step in 0.0..=1.0) -> ProbeSettings {
        ProbeSettings { least: one.min(other), most: one.max(other), step }
    }
}

prop_compose! {
    fn any_naive()(interval_ms in 10.0..1e5, short in any_probe(), long in any_probe()) -> NaiveSettings {
        NaiveSettings { interval_ms, short, long }
    }
}

prop_compose! {
    fn any_fixed()(
        interval_ms in 10.0..1e5,
        short in any_probe(),
        demotion_step in 0.0..=1.0,
        (one, other) in (0.001..1e6, 0.001..1e6),
        empty_looks in 1..=10_000_u32,
    ) -> FixedSettings {
        let (one, other): (f64, f64) = (one, other);
        FixedSettings {
            interval_ms,
            short,
            demotion_step,
            demotion_least_ms: one.min(other),
            demotion_most_ms: one.max(other),
            empty_looks,
        }
    }
}

fn any_policy() -> impl Strategy<Value = PolicySettings> {
    prop_oneof![
        Just(PolicySettings::Static),
        Just(PolicySettings::Naive(NaiveSettings::default())),
        any_naive().prop_map(PolicySettings::Naive),
        any_fixed().prop_map(PolicySettings::Fixed),
    ]
}

prop_compose! {
    fn any_pace()(
        interval_ms in 10.0..1e5,
        looks in 1..=10_000_u32,
        held in any::<bool>(),
        cut in 0.0..=1.0,
        raise in 0.0..=1.0,
    ) -> PaceSettings {
        PaceSettings { interval_ms, looks, held, cut, raise }
    }
}

fn any_knobs() -> impl Strategy<Value = DistressKnobs> {
    prop::sample::select(vec![
        DistressKnobs::Demotion,
        DistressKnobs::Tickets,
        DistressKnobs::Either,
        DistressKnobs::Both,
    ])
}

fn any_admission() -> impl Strategy<Value = AdmissionSettings> {
    prop_oneof![
        Just(AdmissionSettings::Off),
        Just(AdmissionSettings::sluggish()),
        (0.001..1e6, any_pace()).prop_map(|(limit_ms, pace)| {
            AdmissionSettings::Latency(LatencySettings { limit_ms, pace })
        }),
        (any_knobs(), any_pace()).prop_map(|(knobs, pace)| {
            AdmissionSettings::Distress(DistressSettings { knobs, pace })
        }),
    ]
}

fn any_class() -> impl Strategy<Value = Class> {
    prop::sample::select(vec![Class::Short, Class::Long])
}

fn any_setting() -> impl Strategy<Value = Setting> {
    prop_oneof![
        any_policy().prop_map(Setting::Policy),
        any_admission().prop_map(Setting::Admission),
        (0.0..=1e6).prop_map(Setting::DemotionMs),
        (1..=10_000_u32).prop_map(Setting::ShortTickets),
        (1..=10_000_u32).prop_map(Setting::LongTickets),
        (0..=1_000_000_u32).prop_map(Setting::ShortBound),
        (0..=1_000_000_u32).prop_map(Setting::LongBound),
        (0.1..=1e4).prop_map(Setting::TicketWindowMs),
        (any_class(), 0.001..1e5).prop_map(|(class, value)| Setting::TimeoutS { class, value }),
        (any_class(), 1..=100_u32).prop_map(|(class, value)| Setting::Attempts { class, value }),
    ]
}

/// Entries that never overlap: one in each ten seconds.
fn any_script() -> impl Strategy<Value = Vec<Entry>> {
    let entry = (
        0..5,
        any_class(),
        0.0..10.0,
        0.0..4.0,
        5.0..9.0,
        any_setting(),
    );
    prop::collection::vec(entry, 0..4).prop_map(|entries| {
        let placed = entries.into_iter().zip([0.0, 10.0, 20.0]);
        placed
            .map(|((kind, class, x, from, until, setting), t)| {
                let (from_s, until_s) = (t + from, t + until);
                match kind {
                    0 => Entry::Pulse {
                        class,
                        factor: x * 100.0,
                        from_s,
                        until_s,
                    },
                    1 => Entry::Slowdown {
                        speed: x,
                        from_s,
                        until_s,
                    },
                    2 => Entry::CoresLost {
                        cores: 1,
                        from_s,
                        until_s,
                    },
                    3 => Entry::Outage { from_s, until_s },
                    _ => Entry::Set {
                        at_s: from_s,
                        setting,
                    },
                }
            })
            .collect()
    })
}

prop_compose! {
    fn any_config()(
        preset in prop::sample::select(presets::all()),
        changes in any::<u16>(),
        (duration_s, sample_s) in (30.0..1e4, 0.1..1e3),
        (cores, tickets, bound) in (1..=1024_u32, 1..=10_000_u32, 0..=1_000_000_u32),
        (rate, mean_ms, blocking_share, jitter) in (0.0..1e5, 0.01..1e7, 0.0..0.99, 0.0..=1.0),
        (attempts, timeout_s) in (1..=100_u32, 0.001..1e5),
        policy in any_policy(),
        admission in any_admission(),
        script in any_script(),
    ) -> Config {
        let mut config = preset.config;
        let has = |bit: u32| changes >> bit & 1 == 1;
        if has(0) { config.duration_s = config.duration_s.max(duration_s); }
        if has(1) { config.sample_s = sample_s; }
        if has(2) { config.cores = cores; }
        if has(3) { config.short_queue.tickets = tickets; }
        if has(4) { config.long_queue.bound = bound; }
        if has(5) { config.short_class.rate = rate; }
        if has(6) { config.long_class.mean_ms = mean_ms; }
        if has(7) { config.long_class.blocking_share = blocking_share; }
        if has(8) { config.short_class.jitter = jitter; }
        if has(9) { config.short_class.attempts = attempts; }
        if has(10) { config.long_class.timeout_s = timeout_s; }
        if has(11) { config.short_class.cost = Cost::Constant; }
        if has(12) { config.policy = policy; }
        if has(13) { config.admission = admission; }
        if has(14) { config.script = script; }
        config
    }
}

proptest! {
    #[test]
    fn a_configuration_is_read_back_as_it_was_written(config in any_config()) {
        prop_assert_eq!(config.validate(), Ok(()));
        prop_assert_eq!(read(&write(&config)), Ok(config));
    }

    #[test]
    fn any_text_is_a_configuration_in_range_or_a_refusal(text in ".{0,200}") {
        if let Ok(config) = read(&text) {
            prop_assert_eq!(config.validate(), Ok(()));
        }
    }

    #[test]
    fn any_values_are_a_configuration_in_range_or_a_refusal(
        name in prop::sample::select(vec![
            "v", "preset", "duration_s", "cores", "short_queue.tickets", "long_class.rate", "short_class.cost", "policy",
            "admission", "do",
        ]),
        value in "[-0-9a-z_:;,.%& ]{0,60}",
    ) {
        if let Ok(config) = read(&format!("{name}={value}")) {
            prop_assert_eq!(config.validate(), Ok(()));
        }
    }

    #[test]
    fn a_changed_address_is_refused_or_is_a_configuration_that_writes_back(
        text in mutated(any_config().prop_map(|config| write(&config))),
    ) {
        if let Ok(config) = read(&text) {
            prop_assert_eq!(config.validate(), Ok(()));
            prop_assert_eq!(read(&write(&config)), Ok(config));
        }
    }
}

#[test]
fn a_preset_is_its_name_and_a_change_is_one_more_word() {
    for preset in presets::all() {
        assert_eq!(write(&preset.config), format!("v=1&preset={}", preset.name));
    }
    let mut config = first().config;
    config.cores = 8;
    config.short_class.timeout_s = 0.25;
    let mut naive = NaiveSettings::default();
    naive.long.most = 64;
    config.policy = PolicySettings::Naive(naive);
    config.script = vec![
        Entry::Pulse {
            class: Class::Long,
            factor: 16.0,
            from_s: 30.0,
            until_s: 42.5,
        },
        Entry::Set {
            at_s: 60.0,
            setting: Setting::Admission(AdmissionSettings::sluggish()),
        },
    ];
    assert_eq!(
        write(&config),
        "v=1&preset=naive-overload&cores=8&short_class.timeout_s=0.25&policy=naive,long.most:64\
         &do=30..42.5:pulse:long:16;60:admission:latency,pace.looks:10"
    );
    config.script.clear();
    assert!(write(&config).ends_with("&do=none"));
}

#[test]
fn the_base_is_the_preset_that_differs_least() {
    let mut config = presets::named("ac-latency").expect("a preset").config;
    config.cores = 6;
    assert_eq!(write(&config), "v=1&preset=ac-latency&cores=6");
}

#[test]
fn a_bad_address_is_refused_by_name_value_and_way_out() {
    for (text, message) in [
        ("cores=0", "cores is 0, but must be from 1 to 1024"),
        ("cores=x", "cores is 'x', but must be a whole number from 0"),
        (
            "short_class.rate=-1",
            "short_class.rate is -1, but must be from 0 to 100000",
        ),
        (
            "short_class.rate=NaN",
            "short_class.rate is NaN, but must be from 0 to 100000",
        ),
        (
            "short_class.cost=cheap",
            "short_class.cost is 'cheap', but must be exponential or constant",
        ),
        (
            "policy=naive,long.most:0",
            "policy.long.most is 0, but must be from 1 to 10000",
        ),
        (
            "policy=naive,long.mist:0",
            "policy.long.mist is '0', but must be a setting that there is, given once",
        ),
        (
            "policy=naive,long.most:9,long.most:9",
            "policy.long.most is '9', but must be a setting that there is, given once",
        ),
        (
            "policy=static,step:1",
            "policy.step is '1', but must be a setting that there is, given once",
        ),
        (
            "admission=distress,knobs:all",
            "admission.knobs is 'all', but must be demotion, tickets, either or both",
        ),
        (
            "do=30..20:outage",
            "script[0].until_s is 20, but must be after script[0].from_s = 30",
        ),
        (
            "do=10..30:outage;20..40:outage",
            "script[1] is 20 to 40, but must be clear of script[0], which is of its kind and lasts 10 to 30",
        ),
        (
            "do=5:policy:naive,short.step:2",
            "script[0].setting.policy.short.step is 2, but must be from 0 to 1",
        ),
        (
            "tickets=3",
            "tickets is '3', but must be left out: this page knows no such part of an address",
        ),
    ] {
        assert_eq!(read(text).unwrap_err().to_string(), message);
    }
    for (text, start) in [
        (
            "preset=calm",
            "preset is 'calm', but must be one of naive-overload, ",
        ),
        (
            "policy=wise",
            "policy is 'wise', but must be static, naive or fixed",
        ),
        (
            "do=30..45:pulse:all:2",
            "do is '30..45:pulse:all:2', but must be none, or entries such as",
        ),
        (
            "do=now",
            "do is 'now', but must be none, or entries such as",
        ),
        (
            "do=7:long_tickets:x",
            "do is '7:long_tickets:x', but must be none, or entries such as",
        ),
    ] {
        let message = read(text).unwrap_err().to_string();
        assert!(message.starts_with(start), "{message}");
    }
}
