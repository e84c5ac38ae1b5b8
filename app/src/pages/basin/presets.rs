//! The essay's experiments, ready to play.

use crate::ui::PresetItem;
use engine::retrier_server::{Change, Config, Event, Plan};

/// A ready-made scenario.
pub struct Preset {
    /// Its name and what it shows.
    pub item: PresetItem,
    /// The plan it plays.
    pub plan: fn() -> Plan,
}

const fn preset(name: &'static str, blurb: &'static str, plan: fn() -> Plan) -> Preset {
    Preset {
        item: PresetItem { name, blurb },
        plan,
    }
}

fn at(round: u64, change: Change) -> Event {
    Event { round, change }
}

fn plain(q0: u64, rounds: u64) -> Plan {
    Plan::new(Config::default(), q0, rounds)
}

/// Every preset; the first is what the page opens with.
pub const PRESETS: [Preset; 10] = [
    preset(
        "The storm",
        "18 requests queued, and its own retries do the rest",
        || plain(18, 40),
    ),
    preset("Inside the basin", "5 queued: no retry is ever due", || {
        plain(5, 20)
    }),
    preset(
        "The middle band",
        "9 queued: neither drains nor explodes",
        || plain(9, 40),
    ),
    preset(
        "Quiet rescue",
        "15 queued, arrivals cut to none: it drains",
        || Plan {
            config: Config::default().with_quiet(),
            ..plain(15, 60)
        },
    ),
    preset(
        "Doomed even when quiet",
        "21 queued: too late for quiet",
        || Plan {
            config: Config::default().with_quiet(),
            ..plain(21, 60)
        },
    ),
    preset(
        "A retry budget",
        "30 queued, at most B = 0 retries: drains from anywhere",
        || Plan {
            config: Config::default().with_budget(0),
            ..plain(30, 60)
        },
    ),
    preset(
        "A budget one too large",
        "B = 1 makes AMax + B = S: the inequality is strict",
        || Plan {
            config: Config::default().with_budget(1),
            ..plain(30, 60)
        },
    ),
    preset(
        "Out of the trap",
        "30 fresh, 120 duplicates, fresh work first",
        || Plan {
            config: Config::default().with_fresh_first(),
            qd0: 120,
            ..plain(30, 320)
        },
    ),
    preset(
        "Three acts",
        "A shock of 20 in round 10; it is over at once, and nothing recovers",
        || Plan {
            events: vec![at(10, Change::Shock(20))],
            ..plain(2, 60)
        },
    ),
    preset(
        "Three acts and a fix",
        "The same shock; a budget of B = 0 from round 20",
        || Plan {
            events: vec![at(10, Change::Shock(20)), at(20, Change::Budget(Some(0)))],
            ..plain(2, 160)
        },
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use engine::retrier_server::{DEFAULT_CAP, Phase, Verdict, judge, phase};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn named(name: &str) -> Plan {
        let preset = PRESETS.iter().find(|p| p.item.name == name);
        (preset.expect(name).plan)()
    }

    fn verdict(plan: &Plan) -> Verdict {
        let start = plan.config.start(plan.q0, plan.qd0);
        judge(&plan.config, &start, DEFAULT_CAP).verdict
    }

    #[test]
    fn every_preset_plays_and_is_unlike_the_others() {
        for (i, preset) in PRESETS.iter().enumerate() {
            let plan = (preset.plan)();
            plan.play().expect(preset.item.name);
            assert!(PRESETS[i + 1..].iter().all(|other| (other.plan)() != plan));
        }
    }

    #[test]
    fn presets_do_what_their_words_say() {
        for (name, expected) in [
            ("The storm", Verdict::AtRisk),
            ("Inside the basin", Verdict::Recovers),
            ("The middle band", Verdict::Orbits),
            ("Quiet rescue", Verdict::Recovers),
            ("Doomed even when quiet", Verdict::Doomed),
            ("A retry budget", Verdict::Recovers),
            ("Out of the trap", Verdict::Recovers),
        ] {
            assert_eq!(verdict(&named(name)), expected, "{name}");
        }
        assert_ne!(verdict(&named("A budget one too large")), Verdict::Recovers);
    }

    #[test]
    fn three_acts_end_in_the_storm_and_the_fix_ends_it() {
        let last = |name| {
            let run = named(name).play().expect(name);
            *run.points().last().expect("a run has a start")
        };
        let stuck = last("Three acts");
        assert!(matches!(
            phase(&stuck.config, &stuck.state, DEFAULT_CAP),
            Phase::Lost | Phase::Trapped
        ));
        let fixed = last("Three acts and a fix");
        assert_eq!(
            phase(&fixed.config, &fixed.state, DEFAULT_CAP),
            Phase::Healthy
        );
    }
}
