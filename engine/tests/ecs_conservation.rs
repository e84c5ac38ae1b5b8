//! Nothing is lost and nothing comes from nowhere, whatever the configuration.

mod support;

use engine::ecs::admission::{
    AdmissionSettings, DistressKnobs, DistressSettings, LatencySettings, PaceSettings,
};
use engine::ecs::policy::{FixedSettings, NaiveSettings, PolicySettings, ProbeSettings};
use engine::ecs::{Class, ClassConfig, Config, Cost, Entry, QueueConfig, Setting, Simulation};
use proptest::prelude::*;

fn class() -> impl Strategy<Value = ClassConfig> {
    let load = (0.0..300.0, 0.5..200.0, any::<bool>());
    let blocking = (prop_oneof![Just(0.0), 0.0..0.9], 0.5..20.0);
    let client = (0.02..5.0, 1u32..5, 0.0..200.0, 0.0..=1.0);
    (load, blocking, client).prop_map(|(load, blocking, client)| ClassConfig {
        rate: load.0,
        mean_ms: load.1,
        cost: if load.2 {
            Cost::Exponential
        } else {
            Cost::Constant
        },
        blocking_share: blocking.0,
        burst_ms: blocking.1,
        timeout_s: client.0,
        attempts: client.1,
        backoff_ms: client.2,
        jitter: client.3,
    })
}

fn queue() -> impl Strategy<Value = QueueConfig> {
    (1u32..40, 0u32..60).prop_map(|(tickets, bound)| QueueConfig { tickets, bound })
}

fn policy() -> impl Strategy<Value = PolicySettings> {
    let probe = |least: u32| ProbeSettings {
        least,
        most: least + 60,
        step: 0.2,
    };
    prop_oneof![
        Just(PolicySettings::Static),
        (1u32..6, 1u32..6).prop_map(move |(short, long)| PolicySettings::Naive(NaiveSettings {
            interval_ms: 50.0,
            short: probe(short),
            long: probe(long),
        })),
        (1u32..6, 1u32..4).prop_map(move |(short, looks)| PolicySettings::Fixed(FixedSettings {
            short: probe(short),
            empty_looks: looks,
            ..FixedSettings::default()
        })),
    ]
}

fn admission() -> impl Strategy<Value = AdmissionSettings> {
    let pace = || {
        (1u32..12, any::<bool>()).prop_map(|(looks, held)| PaceSettings {
            looks,
            held,
            ..PaceSettings::default()
        })
    };
    let knobs = prop_oneof![
        Just(DistressKnobs::Demotion),
        Just(DistressKnobs::Tickets),
        Just(DistressKnobs::Either),
        Just(DistressKnobs::Both)
    ];
    prop_oneof![
        Just(AdmissionSettings::Off),
        (pace(), 1.0..80.0).prop_map(|(pace, limit_ms)| AdmissionSettings::Latency(
            LatencySettings { limit_ms, pace }
        )),
        (pace(), knobs).prop_map(
            |(pace, knobs)| AdmissionSettings::Distress(DistressSettings { knobs, pace })
        ),
    ]
}

fn script() -> impl Strategy<Value = Vec<Entry>> {
    let span =
        || (0.0..6.0, 0.05..3.0).prop_map(|(from, length): (f64, f64)| (from, from + length));
    let pulse = (span(), 0.0..6.0, any::<bool>()).prop_map(|((from_s, until_s), factor, short)| {
        Entry::Pulse {
            class: if short { Class::Short } else { Class::Long },
            factor,
            from_s,
            until_s,
        }
    });
    let slowdown =
        (span(), prop_oneof![Just(0.0), 0.0..2.0]).prop_map(|((from_s, until_s), speed)| {
            Entry::Slowdown {
                speed,
                from_s,
                until_s,
            }
        });
    let lost = span().prop_map(|(from_s, until_s)| Entry::CoresLost {
        cores: 1,
        from_s,
        until_s,
    });
    let outage = span().prop_map(|(from_s, until_s)| Entry::Outage { from_s, until_s });
    let setting = prop_oneof![
        policy().prop_map(Setting::Policy),
        admission().prop_map(Setting::Admission),
        (0.0..200.0).prop_map(Setting::DemotionMs),
        (1u32..50).prop_map(Setting::ShortTickets),
        (1u32..50).prop_map(Setting::LongTickets),
        (0u32..50).prop_map(Setting::ShortBound),
        (0u32..50).prop_map(Setting::LongBound),
        (0.5..50.0).prop_map(Setting::TicketWindowMs),
        (0.01..2.0).prop_map(|value| Setting::TimeoutS {
            class: Class::Short,
            value
        }),
        (1u32..4).prop_map(|value| Setting::Attempts {
            class: Class::Long,
            value
        }),
    ];
    let set = (0.0..8.0, setting).prop_map(|(at_s, setting)| Entry::Set { at_s, setting });
    let maybe = |entry: BoxedStrategy<Entry>| prop::option::of(entry);
    (
        maybe(pulse.boxed()),
        maybe(slowdown.boxed()),
        maybe(lost.boxed()),
        maybe(outage.boxed()),
        maybe(set.boxed()),
    )
        .prop_map(|(a, b, c, d, e)| [a, b, c, d, e].into_iter().flatten().collect())
}

fn config() -> impl Strategy<Value = Config> {
    let server = (1u32..8, 1.0..40.0, 0.0..200.0);
    (
        server,
        (queue(), queue()),
        (class(), class()),
        policy(),
        admission(),
        script(),
    )
        .prop_map(
            |(server, queues, classes, policy, admission, script)| Config {
                duration_s: 8.0,
                sample_s: 0.5,
                cores: server.0,
                ticket_window_ms: server.1,
                demotion_ms: server.2,
                short_queue: queues.0,
                long_queue: queues.1,
                short_class: classes.0,
                long_class: classes.1,
                policy,
                admission,
                script,
            },
        )
}

proptest! {
    #![proptest_config(support::cases(120))]

    #[test]
    fn attempts_and_requests_are_conserved(config in config(), seed in any::<u64>()) {
        let mut simulation = Simulation::new(&config, seed).map_err(|error| TestCaseError::fail(error.to_string()))?;
        for slice in 1..=20 {
            simulation.advance(0.4 * f64::from(slice));
            let totals = simulation.totals();
            let sum = |of: fn(&engine::ecs::Counters) -> u64| of(&totals.short) + of(&totals.long);
            prop_assert_eq!(
                sum(|count| count.attempts),
                sum(|count| count.finished + count.shed() + count.rejected) + totals.attempts_in_system
            );
            prop_assert_eq!(
                sum(|count| count.requests),
                sum(|count| count.answered + count.given_up) + totals.requests_open
            );
            prop_assert_eq!(sum(|count| count.attempts), sum(|count| count.requests + count.retries));
            prop_assert!(sum(|count| count.answered) <= sum(|count| count.finished));
            let snapshot = simulation.snapshot();
            prop_assert_eq!(snapshot.tasks_along("clients", "admission"), sum(|count| count.attempts));
            let waiting = u64::from(snapshot.short.waiting + snapshot.long.waiting);
            let holding = u64::from(snapshot.short.in_use + snapshot.long.in_use);
            prop_assert_eq!(waiting + holding, totals.attempts_in_system);
            prop_assert!(totals.waste <= totals.cpu_work + 1e-6);
            prop_assert!(totals.cpu_work <= 2.0 * f64::from(config.cores) * simulation.now() + 1e-6);
        }
    }
}
