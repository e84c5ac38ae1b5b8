//! A [`Config`] as part of an address: `preset=naive-overload&cores=8&policy=naive,long.most:64&do=30..45:pulse:long:16`.
//!
//! A preset is the base, and only what differs from it is written, under the names that a configuration's file and its
//! refusals have. A script is written whole, an entry after the other: an interval and what it brings, or an instant and
//! the setting that changes.

use std::fmt;
use std::str::FromStr;

use super::admission::{
    AdmissionSettings, DistressKnobs, DistressSettings, LatencySettings, PaceSettings,
};
use super::config::{ClassConfig, Config, Cost};
use super::model::Class;
use super::policy::{FixedSettings, NaiveSettings, PolicySettings, ProbeSettings};
use super::presets::{self, Preset};
use super::script::{Entry, Setting};
use crate::FieldError;
use crate::query::{QueryReader, QueryWriter, quoted};

/// What an empty script is written as.
const NOTHING: &str = "none";

const SCRIPT: &str = "none, or entries such as 30..45:pulse:long:16;60:long_tickets:4, each an interval in seconds and one of \
                      pulse:CLASS:FACTOR, slowdown:SPEED, cores_lost:N, outage, or an instant and one of policy:…, \
                      admission:…, demotion_ms:X, short_tickets:N, long_tickets:N, short_bound:N, long_bound:N, \
                      ticket_window_ms:X, timeout_s:CLASS:X, attempts:CLASS:N";

const POLICY: &str =
    "static, naive or fixed, and what differs from its usual settings, such as naive,long.most:64";

const ADMISSION: &str = "off, latency or distress, and what differs from its usual settings, such as latency,pace.looks:10";

impl Config {
    /// Writes the configuration: the preset that it differs from the least, and the differences. Returns that preset.
    pub fn write(&self, query: &mut QueryWriter) -> Preset {
        let preset = self.nearest_preset();
        query.put("preset", preset.name);
        for (name, text) in self.differences(&preset.config) {
            query.put(&name, text);
        }
        preset
    }

    /// Reads a configuration and the preset that it is based on, which is `default` where none is named.
    ///
    /// # Errors
    /// Names the first part that cannot be read or is out of range.
    pub fn read(query: &mut QueryReader, default: Preset) -> Result<(Self, Preset), FieldError> {
        let preset = match query.take_text("preset") {
            None => default,
            Some(name) => presets::named(&name).ok_or_else(|| {
                let names: Vec<_> = presets::all().iter().map(|preset| preset.name).collect();
                FieldError::new(
                    "preset",
                    quoted(&name),
                    format!("one of {}", names.join(", ")),
                )
            })?,
        };
        let mut config = preset.config.clone();
        for (name, slot) in slots(&mut config) {
            if let Some(text) = query.take_text(&name) {
                slot.set(&name, &text)?;
            }
        }
        if let Some(text) = query.take_text("policy") {
            config.policy = text.parse()?;
        }
        if let Some(text) = query.take_text("admission") {
            config.admission = text.parse()?;
        }
        if let Some(text) = query.take_text("do") {
            config.script = match text.trim() {
                "" | NOTHING => Vec::new(),
                entries => entries
                    .split(';')
                    .map(str::parse)
                    .collect::<Result<_, _>>()?,
            };
        }
        config.validate()?;
        Ok((config, preset))
    }

    /// The preset that this differs from in the fewest parts; the first of those.
    fn nearest_preset(&self) -> Preset {
        presets::all()
            .into_iter()
            .min_by_key(|preset| self.differences(&preset.config).len())
            .expect("there are presets")
    }

    /// The parts that differ from `base`, as they are written.
    fn differences(&self, base: &Config) -> Vec<(String, String)> {
        let mut different = differing(self, base, slots);
        if self.policy != base.policy {
            different.push(("policy".to_owned(), self.policy.to_string()));
        }
        if self.admission != base.admission {
            different.push(("admission".to_owned(), self.admission.to_string()));
        }
        if self.script != base.script {
            let entries: Vec<_> = self.script.iter().map(Entry::to_string).collect();
            let text = match entries.is_empty() {
                true => NOTHING.to_owned(),
                false => entries.join(";"),
            };
            different.push(("do".to_owned(), text));
        }
        different
    }
}

/// A setting that is a number or a word.
enum Slot<'a> {
    Real(&'a mut f64),
    Count(&'a mut u32),
    Flag(&'a mut bool),
    Cost(&'a mut Cost),
    Knobs(&'a mut DistressKnobs),
}

const COSTS: [(Cost, &str); 2] = [
    (Cost::Exponential, "exponential"),
    (Cost::Constant, "constant"),
];

const KNOBS: [(DistressKnobs, &str); 4] = [
    (DistressKnobs::Demotion, "demotion"),
    (DistressKnobs::Tickets, "tickets"),
    (DistressKnobs::Either, "either"),
    (DistressKnobs::Both, "both"),
];

impl Slot<'_> {
    /// Sets it to what `text` says.
    fn set(self, name: &str, text: &str) -> Result<(), FieldError> {
        let done = match self {
            Slot::Real(value) => put(value, text.parse().ok(), "a number"),
            Slot::Count(value) => put(value, text.parse().ok(), "a whole number from 0"),
            Slot::Flag(value) => put(value, text.parse().ok(), "true or false"),
            Slot::Cost(value) => put(value, named(&COSTS, text), "exponential or constant"),
            Slot::Knobs(value) => put(
                value,
                named(&KNOBS, text),
                "demotion, tickets, either or both",
            ),
        };
        done.map_err(|expected| FieldError::new(name, quoted(text), expected))
    }
}

fn put<T>(slot: &mut T, value: Option<T>, expected: &'static str) -> Result<(), &'static str> {
    *slot = value.ok_or(expected)?;
    Ok(())
}

fn named<T: Copy>(words: &[(T, &str)], text: &str) -> Option<T> {
    let (value, _) = words.iter().find(|(_, word)| *word == text)?;
    Some(*value)
}

fn word<T: PartialEq>(words: &[(T, &'static str)], value: &T) -> &'static str {
    let found = words.iter().find(|(of, _)| of == value);
    found.map_or("", |(_, word)| word)
}

impl fmt::Display for Slot<'_> {
    /// Writes what [`Slot::set`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Slot::Real(value) => value.fmt(f),
            Slot::Count(value) => value.fmt(f),
            Slot::Flag(value) => value.fmt(f),
            Slot::Cost(value) => f.write_str(word(&COSTS, value)),
            Slot::Knobs(value) => f.write_str(word(&KNOBS, value)),
        }
    }
}

type Slots<'a> = Vec<(String, Slot<'a>)>;

/// What differs between two values of one type, by name, as the first has it.
fn differing<T: Clone>(
    one: &T,
    other: &T,
    slots: impl Fn(&mut T) -> Slots<'_>,
) -> Vec<(String, String)> {
    let (mut one, mut other) = (one.clone(), other.clone());
    let pairs = slots(&mut one).into_iter().zip(slots(&mut other));
    pairs
        .map(|((name, one), (_, other))| (name, one.to_string(), other.to_string()))
        .filter(|(_, one, other)| one != other)
        .map(|(name, one, _)| (name, one))
        .collect()
}

fn within<'a>(group: &str, slots: Slots<'a>) -> impl Iterator<Item = (String, Slot<'a>)> {
    slots
        .into_iter()
        .map(move |(name, slot)| (format!("{group}.{name}"), slot))
}

fn slots(config: &mut Config) -> Slots<'_> {
    let mut slots = vec![
        ("duration_s".to_owned(), Slot::Real(&mut config.duration_s)),
        ("sample_s".to_owned(), Slot::Real(&mut config.sample_s)),
        ("cores".to_owned(), Slot::Count(&mut config.cores)),
        (
            "ticket_window_ms".to_owned(),
            Slot::Real(&mut config.ticket_window_ms),
        ),
        (
            "demotion_ms".to_owned(),
            Slot::Real(&mut config.demotion_ms),
        ),
    ];
    for (group, queue) in [
        ("short_queue", &mut config.short_queue),
        ("long_queue", &mut config.long_queue),
    ] {
        slots.push((format!("{group}.tickets"), Slot::Count(&mut queue.tickets)));
        slots.push((format!("{group}.bound"), Slot::Count(&mut queue.bound)));
    }
    slots.extend(within("short_class", class_slots(&mut config.short_class)));
    slots.extend(within("long_class", class_slots(&mut config.long_class)));
    slots
}

fn class_slots(class: &mut ClassConfig) -> Slots<'_> {
    vec![
        ("rate".to_owned(), Slot::Real(&mut class.rate)),
        ("mean_ms".to_owned(), Slot::Real(&mut class.mean_ms)),
        ("cost".to_owned(), Slot::Cost(&mut class.cost)),
        (
            "blocking_share".to_owned(),
            Slot::Real(&mut class.blocking_share),
        ),
        ("burst_ms".to_owned(), Slot::Real(&mut class.burst_ms)),
        ("timeout_s".to_owned(), Slot::Real(&mut class.timeout_s)),
        ("attempts".to_owned(), Slot::Count(&mut class.attempts)),
        ("backoff_ms".to_owned(), Slot::Real(&mut class.backoff_ms)),
        ("jitter".to_owned(), Slot::Real(&mut class.jitter)),
    ]
}

fn probe_slots(probe: &mut ProbeSettings) -> Slots<'_> {
    vec![
        ("least".to_owned(), Slot::Count(&mut probe.least)),
        ("most".to_owned(), Slot::Count(&mut probe.most)),
        ("step".to_owned(), Slot::Real(&mut probe.step)),
    ]
}

fn naive_slots(naive: &mut NaiveSettings) -> Slots<'_> {
    let mut slots = vec![("interval_ms".to_owned(), Slot::Real(&mut naive.interval_ms))];
    slots.extend(within("short", probe_slots(&mut naive.short)));
    slots.extend(within("long", probe_slots(&mut naive.long)));
    slots
}

fn fixed_slots(fixed: &mut FixedSettings) -> Slots<'_> {
    let mut slots = vec![("interval_ms".to_owned(), Slot::Real(&mut fixed.interval_ms))];
    slots.extend(within("short", probe_slots(&mut fixed.short)));
    slots.extend([
        (
            "demotion_step".to_owned(),
            Slot::Real(&mut fixed.demotion_step),
        ),
        (
            "demotion_least_ms".to_owned(),
            Slot::Real(&mut fixed.demotion_least_ms),
        ),
        (
            "demotion_most_ms".to_owned(),
            Slot::Real(&mut fixed.demotion_most_ms),
        ),
        (
            "empty_looks".to_owned(),
            Slot::Count(&mut fixed.empty_looks),
        ),
    ]);
    slots
}

fn pace_slots(pace: &mut PaceSettings) -> Slots<'_> {
    vec![
        ("interval_ms".to_owned(), Slot::Real(&mut pace.interval_ms)),
        ("looks".to_owned(), Slot::Count(&mut pace.looks)),
        ("held".to_owned(), Slot::Flag(&mut pace.held)),
        ("cut".to_owned(), Slot::Real(&mut pace.cut)),
        ("raise".to_owned(), Slot::Real(&mut pace.raise)),
    ]
}

fn latency_slots(latency: &mut LatencySettings) -> Slots<'_> {
    let mut slots = vec![("limit_ms".to_owned(), Slot::Real(&mut latency.limit_ms))];
    slots.extend(within("pace", pace_slots(&mut latency.pace)));
    slots
}

fn distress_slots(distress: &mut DistressSettings) -> Slots<'_> {
    let mut slots = vec![("knobs".to_owned(), Slot::Knobs(&mut distress.knobs))];
    slots.extend(within("pace", pace_slots(&mut distress.pace)));
    slots
}

/// Writes a name, and the settings that are not as usual: `naive,long.most:64`.
fn write_settings<T: Clone + Default>(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    settings: &T,
    slots: impl Fn(&mut T) -> Slots<'_>,
) -> fmt::Result {
    f.write_str(name)?;
    for (name, text) in differing(settings, &T::default(), slots) {
        write!(f, ",{name}:{text}")?;
    }
    Ok(())
}

/// Reads the settings after a name; what is not given is as usual.
fn read_settings<T: Default>(
    field: &str,
    given: &[&str],
    slots: impl Fn(&mut T) -> Slots<'_>,
) -> Result<T, FieldError> {
    let mut settings = T::default();
    let mut known = slots(&mut settings);
    for part in given {
        let (name, text) = part.split_once(':').unwrap_or((part, ""));
        let full = format!("{field}.{name}");
        match known.iter().position(|(known, _)| known == name) {
            Some(at) => known.swap_remove(at).1.set(&full, text)?,
            None => {
                return Err(FieldError::new(
                    full,
                    quoted(text),
                    "a setting that there is, given once",
                ));
            }
        }
    }
    drop(known);
    Ok(settings)
}

/// Refuses settings where there are none.
fn no_settings(field: &str, given: &[&str]) -> Result<(), FieldError> {
    #[derive(Default)]
    struct None;
    read_settings(field, given, |_: &mut None| Vec::new()).map(drop)
}

impl fmt::Display for PolicySettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PolicySettings::Static => f.write_str("static"),
            PolicySettings::Naive(naive) => write_settings(f, "naive", naive, naive_slots),
            PolicySettings::Fixed(fixed) => write_settings(f, "fixed", fixed, fixed_slots),
        }
    }
}

impl FromStr for PolicySettings {
    type Err = FieldError;

    /// Reads a policy and what differs from its usual settings, such as `naive,long.most:64`.
    fn from_str(text: &str) -> Result<Self, FieldError> {
        let parts: Vec<&str> = text.split(',').collect();
        let given = &parts[1..];
        Ok(match parts[0] {
            "static" => {
                no_settings("policy", given)?;
                PolicySettings::Static
            }
            "naive" => PolicySettings::Naive(read_settings("policy", given, naive_slots)?),
            "fixed" => PolicySettings::Fixed(read_settings("policy", given, fixed_slots)?),
            _ => return Err(FieldError::new("policy", quoted(text), POLICY)),
        })
    }
}

impl fmt::Display for AdmissionSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AdmissionSettings::Off => f.write_str("off"),
            AdmissionSettings::Latency(latency) => {
                write_settings(f, "latency", latency, latency_slots)
            }
            AdmissionSettings::Distress(distress) => {
                write_settings(f, "distress", distress, distress_slots)
            }
        }
    }
}

impl FromStr for AdmissionSettings {
    type Err = FieldError;

    /// Reads an admission control and what differs from its usual settings, such as `latency,pace.looks:10`.
    fn from_str(text: &str) -> Result<Self, FieldError> {
        let parts: Vec<&str> = text.split(',').collect();
        let given = &parts[1..];
        Ok(match parts[0] {
            "off" => {
                no_settings("admission", given)?;
                AdmissionSettings::Off
            }
            "latency" => {
                AdmissionSettings::Latency(read_settings("admission", given, latency_slots)?)
            }
            "distress" => {
                AdmissionSettings::Distress(read_settings("admission", given, distress_slots)?)
            }
            _ => return Err(FieldError::new("admission", quoted(text), ADMISSION)),
        })
    }
}

const CLASSES: [(Class, &str); 2] = [(Class::Short, "short"), (Class::Long, "long")];

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, until) = self.interval();
        match self {
            Entry::Pulse { class, factor, .. } => {
                write!(
                    f,
                    "{from}..{until}:pulse:{}:{factor}",
                    word(&CLASSES, class)
                )
            }
            Entry::Slowdown { speed, .. } => write!(f, "{from}..{until}:slowdown:{speed}"),
            Entry::CoresLost { cores, .. } => write!(f, "{from}..{until}:cores_lost:{cores}"),
            Entry::Outage { .. } => write!(f, "{from}..{until}:outage"),
            Entry::Set { at_s, setting } => write!(f, "{at_s}:{setting}"),
        }
    }
}

impl FromStr for Entry {
    type Err = FieldError;

    /// Reads an interval and what it brings, such as `30..45:pulse:long:16`, or an instant and a setting, such as
    /// `60:long_tickets:4`.
    fn from_str(text: &str) -> Result<Self, FieldError> {
        let wrong = || FieldError::new("do", quoted(text), SCRIPT);
        let (when, what) = text.split_once(':').ok_or_else(wrong)?;
        let seconds = |text: &str| text.trim().parse::<f64>().map_err(|_| wrong());
        let Some((from, until)) = when.split_once("..") else {
            return Ok(Entry::Set {
                at_s: seconds(when)?,
                setting: what
                    .parse()
                    .map_err(|error: FieldError| match error.field.as_str() {
                        // The whole entry says more.
                        "do" => wrong(),
                        _ => error,
                    })?,
            });
        };
        let (from_s, until_s) = (seconds(from)?, seconds(until)?);
        let parts: Vec<&str> = what.split(':').map(str::trim).collect();
        match parts[..] {
            ["pulse", class, factor] => Ok(Entry::Pulse {
                class: named(&CLASSES, class).ok_or_else(wrong)?,
                factor: factor.parse().map_err(|_| wrong())?,
                from_s,
                until_s,
            }),
            ["slowdown", speed] => Ok(Entry::Slowdown {
                speed: speed.parse().map_err(|_| wrong())?,
                from_s,
                until_s,
            }),
            ["cores_lost", cores] => Ok(Entry::CoresLost {
                cores: cores.parse().map_err(|_| wrong())?,
                from_s,
                until_s,
            }),
            ["outage"] => Ok(Entry::Outage { from_s, until_s }),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setting::Policy(policy) => write!(f, "policy:{policy}"),
            Setting::Admission(admission) => write!(f, "admission:{admission}"),
            Setting::DemotionMs(value) => write!(f, "demotion_ms:{value}"),
            Setting::ShortTickets(value) => write!(f, "short_tickets:{value}"),
            Setting::LongTickets(value) => write!(f, "long_tickets:{value}"),
            Setting::ShortBound(value) => write!(f, "short_bound:{value}"),
            Setting::LongBound(value) => write!(f, "long_bound:{value}"),
            Setting::TicketWindowMs(value) => write!(f, "ticket_window_ms:{value}"),
            Setting::TimeoutS { class, value } => {
                write!(f, "timeout_s:{}:{value}", word(&CLASSES, class))
            }
            Setting::Attempts { class, value } => {
                write!(f, "attempts:{}:{value}", word(&CLASSES, class))
            }
        }
    }
}

impl FromStr for Setting {
    type Err = FieldError;

    /// Reads a setting and its value, such as `long_tickets:4` or `policy:naive,long.most:64`.
    fn from_str(text: &str) -> Result<Self, FieldError> {
        let wrong = || FieldError::new("do", quoted(text), SCRIPT);
        let (name, value) = text.split_once(':').ok_or_else(wrong)?;
        let real = || value.trim().parse::<f64>().map_err(|_| wrong());
        let count = || value.trim().parse::<u32>().map_err(|_| wrong());
        let of_class = || {
            let (class, value) = value.split_once(':')?;
            Some((named(&CLASSES, class.trim())?, value.trim()))
        };
        Ok(match name.trim() {
            "policy" => Setting::Policy(value.parse()?),
            "admission" => Setting::Admission(value.parse()?),
            "demotion_ms" => Setting::DemotionMs(real()?),
            "short_tickets" => Setting::ShortTickets(count()?),
            "long_tickets" => Setting::LongTickets(count()?),
            "short_bound" => Setting::ShortBound(count()?),
            "long_bound" => Setting::LongBound(count()?),
            "ticket_window_ms" => Setting::TicketWindowMs(real()?),
            "timeout_s" => {
                let (class, value) = of_class().ok_or_else(wrong)?;
                let value = value.parse().map_err(|_| wrong())?;
                Setting::TimeoutS { class, value }
            }
            "attempts" => {
                let (class, value) = of_class().ok_or_else(wrong)?;
                let value = value.parse().map_err(|_| wrong())?;
                Setting::Attempts { class, value }
            }
            _ => return Err(wrong()),
        })
    }
}
