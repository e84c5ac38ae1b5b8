//! What happens, in words.

use super::state::{RunData, Side, State};
use crate::parameters::Parameters;
use crate::plots::timeline::figure;
use engine::ecs::admission::{AdmissionSettings, DistressKnobs};
use engine::ecs::experiment::CAME_BACK;
use engine::ecs::policy::PolicySettings;
use engine::ecs::{Class, Config, Entry, Setting, Snapshot, mean};
use leptos::prelude::Signal;

/// How a system is at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// Nothing is simulated yet.
    Waiting,
    /// Short requests are answered as they come.
    Healthy,
    /// Something of the script is at work, and short requests suffer.
    Strained,
    /// The script is over, and short requests still suffer.
    Stuck,
    /// There are no short requests; the system is saturated with long ones.
    Saturated,
}

impl Mood {
    /// The class, the pattern and the letter of its swatch.
    #[must_use]
    pub const fn swatch(self) -> (&'static str, &'static str) {
        match self {
            Mood::Waiting => ("swatch unknown", "…"),
            Mood::Healthy => ("swatch recovers", "H"),
            Mood::Strained => ("swatch at-risk stripes", "S"),
            Mood::Stuck => ("swatch doomed crosses", "X"),
            Mood::Saturated => ("swatch orbits dots", "B"),
        }
    }
}

/// What happens at an instant, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// How it is.
    pub mood: Mood,
    /// What happens, in a sentence.
    pub what: String,
    /// Why, in a few.
    pub why: Vec<String>,
}

/// The name of a policy.
#[must_use]
pub const fn policy(policy: &PolicySettings) -> &'static str {
    match policy {
        PolicySettings::Static => "Static",
        PolicySettings::Naive(_) => "Naive",
        PolicySettings::Fixed(_) => "Fixed",
    }
}

/// What a policy does, in a sentence.
#[must_use]
pub const fn policy_about(policy: &PolicySettings) -> &'static str {
    match policy {
        PolicySettings::Static => "Tickets and demotion threshold stay as they start.",
        PolicySettings::Naive(_) => {
            "Two controllers: each queue tries more and fewer tickets, and keeps what raised its own ticket acquisitions."
        }
        PolicySettings::Fixed(_) => {
            "One controller: long tickets are frozen, and the demotion threshold falls while short tasks wait and rises while none do."
        }
    }
}

/// The name of an admission control.
#[must_use]
pub fn admission(admission: &AdmissionSettings) -> String {
    let slow = |looks: u32| if looks > 1 { "sluggish " } else { "" };
    match admission {
        AdmissionSettings::Off => "no admission control".to_owned(),
        AdmissionSettings::Latency(settings) => {
            format!("{}latency signal", slow(settings.pace.looks))
        }
        AdmissionSettings::Distress(settings) => {
            format!("{}distress bit", slow(settings.pace.looks))
        }
    }
}

/// Which knobs a distress bit means.
#[must_use]
pub const fn knobs(knobs: DistressKnobs) -> &'static str {
    match knobs {
        DistressKnobs::Demotion => "the demotion threshold is at its floor",
        DistressKnobs::Tickets => "the short tickets are at their cap",
        DistressKnobs::Either => {
            "the threshold is at its floor or the short tickets are at their cap"
        }
        DistressKnobs::Both => {
            "the threshold is at its floor and the short tickets are at their cap"
        }
    }
}

/// The name of a class.
#[must_use]
pub const fn class(class: Class) -> &'static str {
    match class {
        Class::Short => "short",
        Class::Long => "long",
    }
}

/// A factor, such as × 30.
#[must_use]
pub fn times(factor: f64) -> String {
    format!("× {}", figure(factor))
}

/// An entry of a script in a few words.
#[must_use]
pub fn entry(entry: &Entry) -> String {
    match entry {
        Entry::Pulse {
            class: of, factor, ..
        } => format!("{} arrivals × {factor}", class(*of)),
        Entry::Slowdown { speed, .. } => format!("cores at {}% speed", figure(speed * 100.0)),
        Entry::CoresLost { cores, .. } => format!("{cores} cores lost"),
        Entry::Outage { .. } => "server down".to_owned(),
        Entry::Set { setting: to, .. } => setting(to),
    }
}

fn setting(setting: &Setting) -> String {
    match setting {
        Setting::Policy(to) => format!("policy: {}", policy(to).to_ascii_lowercase()),
        Setting::Admission(to) => format!("admission: {}", admission(to)),
        Setting::DemotionMs(ms) => format!("demotion at {ms} ms"),
        Setting::ShortTickets(n) => format!("short tickets {n}"),
        Setting::LongTickets(n) => format!("long tickets {n}"),
        Setting::ShortBound(n) => format!("short queue holds {n}"),
        Setting::LongBound(n) => format!("long queue holds {n}"),
        Setting::TicketWindowMs(ms) => format!("ticket window {ms} ms"),
        Setting::TimeoutS { class: of, value } => format!("{} timeout {value} s", class(*of)),
        Setting::Attempts { class: of, value } => format!("{} attempts {value}", class(*of)),
    }
}

/// The policy in force at an instant, the script's changes included.
#[must_use]
pub fn policy_at(config: &Config, t: f64) -> &PolicySettings {
    let changes = config.script.iter().filter_map(|entry| match entry {
        Entry::Set {
            at_s,
            setting: Setting::Policy(policy),
        } if *at_s <= t => Some((*at_s, policy)),
        _ => None,
    });
    changes
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map_or(&config.policy, |(_, policy)| policy)
}

/// Short goodput before the script's first change, or what is offered if that is not known.
#[must_use]
pub fn short_before(run: &RunData) -> f64 {
    let first = script_span(&run.config).map_or(f64::INFINITY, |(from, _)| from);
    mean(&run.samples, 5.0, first, |sample| sample.short_goodput)
        .unwrap_or(run.config.short_class.rate)
}

/// When the script's first change begins and its last one ends.
#[must_use]
pub fn script_span(config: &Config) -> Option<(f64, f64)> {
    config
        .script
        .iter()
        .map(Entry::interval)
        .reduce(|all, one| (all.0.min(one.0), all.1.max(one.1)))
}

/// What changes from one frame to another, a second.
pub fn rate(now: &Snapshot, then: &Snapshot, of: impl Fn(&Snapshot) -> f64) -> f64 {
    let seconds = now.t - then.t;
    if seconds > 0.0 {
        (of(now) - of(then)) / seconds
    } else {
        0.0
    }
}

/// What happens at frame `position` of a run.
#[must_use]
pub fn now(run: &RunData, position: usize) -> Said {
    let Some((now, then)) = around(run, position) else {
        return Said {
            mood: Mood::Waiting,
            what: "The simulation is starting.".to_owned(),
            why: Vec::new(),
        };
    };
    let config = &run.config;
    let t = now.t;
    let per_second = |of: fn(&Snapshot) -> u64| rate(now, then, |s| of(s) as f64);
    let answered = per_second(|s| s.totals.short.answered);
    let arriving = per_second(|s| s.totals.short.requests);
    let retries = per_second(|s| s.totals.short.retries + s.totals.long.retries);
    let work = rate(now, then, |s| s.totals.cpu_work);
    let waste = rate(now, then, |s| s.totals.waste);
    let active: Vec<_> = config
        .script
        .iter()
        .filter(|entry| {
            let (from, until) = entry.interval();
            from <= t && t < until
        })
        .map(self::entry)
        .collect();
    let over = script_span(config).filter(|(_, until)| t >= *until);
    let busy = config.short_class.rate > 0.0;
    let well = answered >= CAME_BACK * arriving.min(short_before(run)) || t < 1.0;
    let of_them = format!(
        "{} of {} short requests a second are answered in time",
        figure(answered),
        figure(arriving)
    );
    let (mood, what) = if now.down {
        (Mood::Strained, "The server is down.".to_owned())
    } else if !busy {
        let acquired = per_second(|s| s.totals.short_acquisitions + s.totals.long_acquisitions);
        (
            Mood::Saturated,
            format!(
                "{} tickets are acquired a second, and {} cores' worth of work is done.",
                figure(acquired),
                figure(work)
            ),
        )
    } else if well {
        let while_ = if active.is_empty() {
            String::new()
        } else {
            format!(", with {}", active.join(", "))
        };
        (
            Mood::Healthy,
            format!(
                "Short requests are healthy: {} a second are answered in time, {} arrive{while_}.",
                figure(answered),
                figure(arriving)
            ),
        )
    } else if let Some((_, until)) = over {
        (
            Mood::Stuck,
            format!(
                "Still broken: what happened to it ended {} s ago, yet only {of_them}.",
                figure(t - until)
            ),
        )
    } else {
        let while_ = if active.is_empty() {
            String::new()
        } else {
            format!(", with {}", active.join(", "))
        };
        (Mood::Strained, format!("Strained: only {of_them}{while_}."))
    };

    let mut why = Vec::new();
    let on_cores = f64::from(now.running);
    if let PolicySettings::Naive(naive) = policy_at(config, t) {
        let cap = if now.long.tickets >= naive.long.most {
            format!(
                "Long tickets {} of {}: at their cap",
                now.long.tickets, naive.long.most
            )
        } else {
            format!(
                "Long tickets {} of at most {}",
                now.long.tickets, naive.long.most
            )
        };
        why.push(format!(
            "{cap}, {} in use. Short tickets {} of at most {}.",
            now.long.in_use, now.short.tickets, naive.short.most
        ));
    } else {
        why.push(format!(
            "Long tickets {}, {} in use. Short tickets {}.",
            now.long.tickets, now.long.in_use, now.short.tickets
        ));
    }
    if on_cores > now.cores * 1.5 && now.cores > 0.0 {
        why.push(format!(
            "{} tasks share {} {}, so each runs at {}% of a core's speed, short ones too.",
            now.running,
            figure(now.cores),
            if now.cores == 1.0 { "core" } else { "cores" },
            figure(100.0 * now.speed * now.cores / on_cores)
        ));
    }
    if work > 0.0 && waste / work > 0.05 {
        let again = if retries >= 1.0 {
            format!("; they come back as {} retries a second", figure(retries))
        } else {
            String::new()
        };
        why.push(format!(
            "{}% of the work done is for clients that have left{again}.",
            figure(100.0 * waste / work),
        ));
    }
    if busy {
        let demoted = per_second(|s| s.totals.short.demotions);
        why.push(if demoted > 0.05 * arriving {
            format!(
                "{} wait in the short queue. But {} short tasks a second pass the demotion threshold and join the {} in the long one.",
                now.short.waiting,
                figure(demoted),
                now.long.waiting
            )
        } else {
            format!(
                "{} wait in the short queue, {} in the long one.",
                now.short.waiting, now.long.waiting
            )
        });
    }
    if let PolicySettings::Fixed(fixed) = policy_at(config, t) {
        let at = if now.demotion_ms <= fixed.demotion_least_ms {
            "at its floor, so long tasks leave the fast lane at once"
        } else if now.demotion_ms >= fixed.demotion_most_ms {
            "at its ceiling: there is room, so longer tasks may stay in the fast lane"
        } else {
            "between its bounds"
        };
        why.push(format!(
            "Demotion threshold {} ms, {at}.",
            figure(now.demotion_ms)
        ));
    }
    if now.admitted_fraction < 1.0 {
        why.push(format!(
            "Admission lets {}% in, and cannot tell short from long.",
            figure(100.0 * now.admitted_fraction)
        ));
    }
    if now.distress {
        why.push("The distress bit is up.".to_owned());
    }
    Said { mood, what, why }
}

/// The frame at `position` and the one a second before it, to take differences of; at the start, the one after it.
#[must_use]
pub fn around(run: &RunData, position: usize) -> Option<(&Snapshot, &Snapshot)> {
    let last = run.frames.len().checked_sub(1)?;
    let now = position.clamp(0, last).max(SECOND.min(last));
    Some((&run.frames[now], &run.frames[now.saturating_sub(SECOND)]))
}

/// Frames to a second.
const SECOND: usize = (1.0 / crate::worker::ecs::FRAME_S) as usize;

/// What becomes of long requests, in a sentence; nothing until the run has ended, or where there are none.
#[must_use]
pub fn long_ones(run: &RunData) -> Option<String> {
    let summary = &run.summary;
    let after = summary.long_goodput_after?;
    if run.config.long_class.rate <= 0.0 {
        return None;
    }
    let part = |what: &str, rate: Option<f64>| rate.map(|rate| format!("{what} {}", figure(rate)));
    let rates = [
        part("before", summary.long_goodput_before),
        part("during", summary.long_goodput_during),
        part("last 20 s", Some(after)),
    ];
    let waiting = run.frames.last()?.long.waiting;
    Some(format!(
        "Long answers in time, a second: {}. At the end {waiting} tasks wait in the long queue.",
        rates.into_iter().flatten().collect::<Vec<_>>().join(", ")
    ))
}

/// How a whole run ended, in a sentence; nothing until it has.
#[must_use]
pub fn outcome(run: &RunData) -> Option<(Mood, String)> {
    let summary = &run.summary;
    let after = summary.short_goodput_after?;
    if run.config.short_class.rate <= 0.0 {
        return Some((
            Mood::Saturated,
            format!(
                "{} tickets acquired, {} core-seconds of work done",
                figure(
                    (summary.totals.short_acquisitions + summary.totals.long_acquisitions) as f64
                ),
                figure(summary.totals.cpu_work)
            ),
        ));
    }
    summary.short_goodput_before?;
    Some(if summary.short_remaining() >= CAME_BACK {
        (
            Mood::Healthy,
            // One that never left has nothing to come back from.
            match summary.short_goodput_during {
                Some(_) => format!("Short requests come back: {} a second", figure(after)),
                None => format!("Short requests are well: {} a second", figure(after)),
            },
        )
    } else {
        (
            Mood::Stuck,
            format!("Short requests stay broken: {} a second", figure(after)),
        )
    })
}

/// What one side runs.
#[must_use]
pub fn parameters(state: State, side: Side) -> Signal<Parameters> {
    state.part(move |scenario| {
        let config = scenario.side(side);
        config.map_or_else(Parameters::default, |config| {
            parameters_of(&config, scenario.seed)
        })
    })
}

/// What a system runs: its policy, its admission control, the seed and the script.
#[must_use]
pub fn parameters_of(config: &Config, seed: u64) -> Parameters {
    let (policy, admission) = (policy(&config.policy), admission(&config.admission));
    let mut words = vec![
        format!("{policy} policy"),
        admission.clone(),
        format!("seed {seed}"),
    ];
    words.extend(config.script.iter().map(|step| {
        let (from, until) = step.interval();
        let when = match until > from {
            true => format!("from {from} to {until} s"),
            false => format!("at {from} s"),
        };
        format!("{} {when}", entry(step))
    }));
    Parameters::new(
        words.join(", "),
        &format!("{policy}-{admission}-seed{seed}"),
    )
}
