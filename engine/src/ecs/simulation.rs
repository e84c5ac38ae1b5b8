//! A simulation of the execution control system, from the outside.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::config::Config;
use super::model::{self, Class, Model, Totals};
use super::sample::{Probe, Sample};
use super::script;
use crate::FieldError;
use crate::des::{Run, Time};

/// How long the tail is that tells how a run ended, in seconds.
const AFTER_S: f64 = 20.0;

/// One run: a configuration and a seed, carried through time in slices of any length.
///
/// ```
/// use engine::ecs::{Config, Simulation};
/// let mut simulation = Simulation::new(&Config::default(), 1)?;
/// simulation.advance(2.0);
/// assert_eq!(simulation.samples().len(), 2);
/// # Ok::<(), engine::FieldError>(())
/// ```
pub struct Simulation {
    config: Config,
    run: Run<Model>,
}

/// One queue at an instant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QueueSnapshot {
    /// Tasks that wait.
    pub waiting: u32,
    /// Room for waiting tasks.
    pub bound: u32,
    /// Tickets.
    pub tickets: u32,
    /// Tickets in use.
    pub in_use: u32,
}

/// A wire of the topology and how many tasks have gone along it since the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flow {
    /// The node it leaves.
    pub from: Cow<'static, str>,
    /// The node it enters.
    pub to: Cow<'static, str>,
    /// Tasks.
    pub tasks: u64,
}

/// The system at an instant, for a diagram.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// When, in seconds.
    pub t: f64,
    /// The short queue.
    pub short: QueueSnapshot,
    /// The long queue.
    pub long: QueueSnapshot,
    /// Cores that work.
    pub cores: f64,
    /// Their speed, 1 being healthy.
    pub speed: f64,
    /// Whether the server is down.
    pub down: bool,
    /// Tasks on the cores.
    pub running: u32,
    /// Tasks blocked with a ticket in hand.
    pub blocked: u32,
    /// The demotion threshold in milliseconds.
    pub demotion_ms: f64,
    /// The fraction of attempts that admission control lets in.
    pub admitted_fraction: f64,
    /// Whether the distress bit is up.
    pub distress: bool,
    /// Requests whose client waits before it tries again.
    pub backing_off: u32,
    /// What has been counted.
    pub totals: Totals,
    /// The wires; differences between two snapshots give flows.
    pub flows: Vec<Flow>,
}

/// A run in a few figures. Goodput is in answers a second.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Short goodput before the script's first change, from 5 s on; without a script, up to the last 20 s.
    pub short_goodput_before: Option<f64>,
    /// Short goodput from the script's first change to its last; absent without a script.
    pub short_goodput_during: Option<f64>,
    /// Short goodput in the last 20 s.
    pub short_goodput_after: Option<f64>,
    /// Long goodput, over the same time as the short one.
    pub long_goodput_before: Option<f64>,
    /// Long goodput, over the same time as the short one.
    pub long_goodput_during: Option<f64>,
    /// Long goodput, over the same time as the short one.
    pub long_goodput_after: Option<f64>,
    /// Most tickets that the long queue had.
    pub long_tickets_max: u32,
    /// What was counted.
    #[serde(flatten)]
    pub totals: Totals,
    /// Events simulated.
    pub events: u64,
}

/// The last row of a run that is written as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SummaryRow<'a> {
    /// The run in a few figures.
    pub summary: &'a Summary,
}

impl Snapshot {
    /// How many tasks have gone along the wire between two nodes since the start; none where there is no such wire.
    ///
    /// ```
    /// use engine::ecs::{Config, Simulation};
    /// let mut simulation = Simulation::new(&Config::default(), 1)?;
    /// simulation.advance(2.0);
    /// let snapshot = simulation.snapshot();
    /// assert_eq!(
    ///     snapshot.tasks_along("clients", "admission"),
    ///     snapshot.totals.short.attempts + snapshot.totals.long.attempts
    /// );
    /// assert_eq!(snapshot.tasks_along("cores", "clients"), 0);
    /// # Ok::<(), engine::FieldError>(())
    /// ```
    pub fn tasks_along(&self, from: &str, to: &str) -> u64 {
        self.flows
            .iter()
            .filter(|flow| flow.from == from && flow.to == to)
            .map(|flow| flow.tasks)
            .sum()
    }
}

impl Summary {
    /// Short goodput after the script as a share of that before it; 1 when there was none before.
    pub fn short_remaining(&self) -> f64 {
        match (self.short_goodput_before, self.short_goodput_after) {
            (Some(before), Some(after)) if before > 0.0 => after / before,
            _ => 1.0,
        }
    }
}

impl Simulation {
    /// A simulation at its start.
    ///
    /// # Errors
    /// When the configuration makes no sense: [`Config::validate`].
    pub fn new(config: &Config, seed: u64) -> Result<Self, FieldError> {
        config.validate()?;
        let run = Run::new(
            Model::new(config, seed),
            model::graph(config),
            script::changes(&config.script),
            Time::from_secs(config.sample_s),
        );
        Ok(Simulation {
            config: config.clone(),
            run,
        })
    }

    /// The configuration it was made from.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The present instant in seconds.
    pub fn now(&self) -> f64 {
        self.run.now().as_secs()
    }

    /// Whether the configured duration has passed.
    pub fn is_done(&self) -> bool {
        self.run.now() >= self.end()
    }

    /// Events so far.
    pub fn events(&self) -> u64 {
        self.run.events()
    }

    /// Goes on to `until` seconds, at most to the end. How a run is sliced does not change it.
    pub fn advance(&mut self, until: f64) {
        self.run.advance(Time::from_secs(until).min(self.end()));
    }

    /// Goes on towards `until` seconds, at most to the end, for at most `budget` events; returns whether it got there.
    pub fn advance_within(&mut self, until: f64, budget: u64) -> bool {
        self.run
            .advance_within(Time::from_secs(until).min(self.end()), budget)
    }

    /// Goes on to the end.
    pub fn finish(&mut self) {
        self.run.advance(self.end());
    }

    fn end(&self) -> Time {
        Time::from_secs(self.config.duration_s)
    }

    /// The samples so far, one for each interval of `sample_s` seconds that has passed.
    pub fn samples(&self) -> &[Sample] {
        &self.run.logic.samples
    }

    /// What the policy saw and did at each of its looks so far, with the potential functions.
    pub fn probes(&self) -> &[Probe] {
        &self.run.logic.probes
    }

    /// What has been counted so far.
    pub fn totals(&self) -> Totals {
        self.run.logic.totals(&self.run.context)
    }

    /// The system as it is now.
    pub fn snapshot(&self) -> Snapshot {
        let context = &self.run.context;
        let model = &self.run.logic;
        let queue = |label| {
            let line = context.graph.line(model::queue(label));
            QueueSnapshot {
                waiting: line.waiting(),
                bound: line.bound(),
                tickets: line.permits(),
                in_use: line.in_use(),
            }
        };
        let (short, long) = (queue(Class::Short), queue(Class::Long));
        let cores = model::cores(context);
        let graph = &context.graph;
        Snapshot {
            t: self.now(),
            cores: cores.cores(),
            speed: cores.speed(),
            down: model.down(),
            running: cores.running(),
            blocked: short.in_use + long.in_use - cores.running(),
            demotion_ms: model.demotion().as_millis(),
            admitted_fraction: model.admitted_fraction(),
            distress: model.distress(),
            backing_off: model.backing_off(),
            totals: self.totals(),
            flows: graph
                .wires()
                .iter()
                .map(|&(from, to)| Flow {
                    from: Cow::Borrowed(graph.name(from)),
                    to: Cow::Borrowed(graph.name(to)),
                    tasks: graph.crossings((from, to)),
                })
                .collect(),
            short,
            long,
        }
    }

    /// The run so far in a few figures.
    pub fn summary(&self) -> Summary {
        let script = self.config.script.iter().map(super::Entry::interval);
        let span = script.reduce(|all, one| (all.0.min(one.0), all.1.max(one.1)));
        let after = (self.config.duration_s - AFTER_S, self.config.duration_s);
        let before = (5.0, span.map_or(after.0, |(from, _)| from));
        let mean = |(from, until): (f64, f64), of: fn(&Sample) -> f64| {
            mean(self.samples(), from, until, of)
        };
        let short = |sample: &Sample| sample.short_goodput;
        let long = |sample: &Sample| sample.long_goodput;
        Summary {
            short_goodput_before: mean(before, short),
            short_goodput_during: span.and_then(|span| mean(span, short)),
            short_goodput_after: mean(after, short),
            long_goodput_before: mean(before, long),
            long_goodput_during: span.and_then(|span| mean(span, long)),
            long_goodput_after: mean(after, long),
            long_tickets_max: self
                .probes()
                .iter()
                .map(|probe| probe.long_tickets)
                .max()
                .unwrap_or_default(),
            totals: self.totals(),
            events: self.events(),
        }
    }
}

/// The mean of a figure over the samples whose interval ends in (`from_s`, `until_s`]; nothing when there are none.
pub fn mean(
    samples: &[Sample],
    from_s: f64,
    until_s: f64,
    of: impl Fn(&Sample) -> f64,
) -> Option<f64> {
    let inside = samples
        .iter()
        .filter(|sample| sample.t > from_s + 1e-9 && sample.t <= until_s + 1e-9);
    let (sum, count) = inside.fold((0.0, 0u32), |(sum, count), sample| {
        (sum + of(sample), count + 1)
    });
    (count > 0).then(|| sum / f64::from(count))
}
