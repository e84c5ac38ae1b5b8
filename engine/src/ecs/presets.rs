//! Named configurations.

use super::admission::AdmissionSettings;
use super::config::{ClassConfig, Config, Cost, QueueConfig};
use super::model::Class;
use super::policy::{FixedSettings, NaiveSettings, PolicySettings};
use super::script::Entry;

/// A configuration with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Preset {
    /// The name, as on the command line.
    pub name: &'static str,
    /// What it shows, in a sentence.
    pub about: &'static str,
    /// The configuration.
    pub config: Config,
}

/// A database server in good health, three quarters busy: four cores, 600 short requests a second of 4 ms, now and then a
/// long one of 2 s, and the naive policy.
impl Default for Config {
    fn default() -> Self {
        let class = ClassConfig {
            rate: 600.0,
            mean_ms: 4.0,
            cost: Cost::Exponential,
            blocking_share: 0.0,
            burst_ms: 1.0,
            timeout_s: 0.5,
            attempts: 4,
            backoff_ms: 50.0,
            jitter: 0.5,
        };
        Config {
            duration_s: 200.0,
            sample_s: 1.0,
            cores: 4,
            ticket_window_ms: 10.0,
            demotion_ms: 30.0,
            short_queue: QueueConfig {
                tickets: 8,
                bound: 2000,
            },
            long_queue: QueueConfig {
                tickets: 4,
                bound: 2000,
            },
            long_class: ClassConfig {
                rate: 0.3,
                mean_ms: 2000.0,
                timeout_s: 60.0,
                ..class.clone()
            },
            short_class: class,
            policy: PolicySettings::Naive(NaiveSettings::default()),
            admission: AdmissionSettings::Off,
            script: Vec::new(),
        }
    }
}

/// The system of [`Config::default`] for 200 s, with long arrivals times `factor` from 30 to 45 s.
fn overload(policy: PolicySettings, factor: f64) -> Config {
    let pulse = Entry::Pulse {
        class: Class::Long,
        factor,
        from_s: 30.0,
        until_s: 45.0,
    };
    Config {
        policy,
        script: vec![pulse],
        ..Config::default()
    }
}

/// The fixed policy behind an admission control for 120 s, with room for 200 short tasks and long arrivals times 30 from
/// 30 to 90 s.
fn admission(admission: AdmissionSettings) -> Config {
    let pulse = Entry::Pulse {
        class: Class::Long,
        factor: 30.0,
        from_s: 30.0,
        until_s: 90.0,
    };
    Config {
        duration_s: 120.0,
        short_queue: QueueConfig {
            tickets: 8,
            bound: 200,
        },
        policy: PolicySettings::Fixed(FixedSettings::default()),
        admission,
        script: vec![pulse],
        ..Config::default()
    }
}

/// One core and a fixed number of tickets for long tasks, of which some fifty come at once and none is ever done.
fn churn(tickets: u32) -> Config {
    let mut config = Config {
        duration_s: 60.0,
        cores: 1,
        long_queue: QueueConfig {
            tickets,
            bound: 2000,
        },
        policy: PolicySettings::Static,
        script: vec![Entry::Pulse {
            class: Class::Long,
            factor: 500.0,
            from_s: 0.0,
            until_s: 0.5,
        }],
        ..Config::default()
    };
    config.short_class.rate = 0.0;
    config.long_class.rate = 0.2;
    config.long_class.mean_ms = 100_000.0;
    config.long_class.cost = Cost::Constant;
    config
}

/// All presets, in the order in which they are best met.
pub fn all() -> Vec<Preset> {
    let naive = || PolicySettings::Naive(NaiveSettings::default());
    let fixed = || PolicySettings::Fixed(FixedSettings::default());
    let preset = |name, about, config| Preset {
        name,
        about,
        config,
    };
    vec![
        preset(
            "naive-overload",
            "Two ticket controllers escalate under a pulse of long tasks, and never come back.",
            overload(naive(), 30.0),
        ),
        preset(
            "fixed-overload",
            "The same pulse; long tickets are frozen and demotion follows the short wait set.",
            overload(fixed(), 30.0),
        ),
        preset(
            "ac-off",
            "The fixed policy alone under a long pulse of long tasks.",
            admission(AdmissionSettings::Off),
        ),
        preset(
            "ac-latency",
            "An admission control that follows short latency swings, and sheds the tasks it should protect.",
            admission(AdmissionSettings::latency()),
        ),
        preset(
            "ac-distress",
            "An admission control that rejects only while short tasks wait and the knobs are exhausted.",
            admission(AdmissionSettings::distress()),
        ),
        preset(
            "ac-sluggish",
            "The latency signal, ten times slower.",
            admission(AdmissionSettings::sluggish()),
        ),
        preset(
            "ac-distress-sluggish",
            "The distress bit, ten times slower.",
            admission(AdmissionSettings::distress_sluggish()),
        ),
        preset(
            "churn-2",
            "One saturated core and two tickets: 200 acquisitions a second.",
            churn(2),
        ),
        preset(
            "churn-10",
            "The same core and ten tickets: five times the acquisitions, no more work.",
            churn(10),
        ),
    ]
}

/// The preset of this name.
pub fn named(name: &str) -> Option<Preset> {
    all().into_iter().find(|preset| preset.name == name)
}
