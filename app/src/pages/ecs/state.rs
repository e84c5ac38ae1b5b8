//! What the reader has set, and the runs that come of it.

use super::experiments::Settings;
use crate::sight::Sight;
use crate::ui::Playhead;
use crate::worker::Json;
use crate::worker::ecs::{FRAME_S, Job, Request, Response, Slice, Status};
use engine::FieldError;
use engine::ecs::admission::AdmissionSettings;
use engine::ecs::policy::{FixedSettings, PolicySettings};
use engine::ecs::{Config, Probe, Sample, Snapshot, Summary, presets};
use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;

/// The longest run that the page plays, in seconds: a snapshot every [`FRAME_S`] is kept of it.
pub const MAX_DURATION_S: f64 = 1_000.0;

/// The shortest: its last 20 s are summed up.
pub const MIN_DURATION_S: f64 = 21.0;

/// Milliseconds that settings must stay as they are before they are simulated: a slider passes through many.
const SETTLED_MS: u32 = 150;

/// Frames a second that the player opens with: ten simulated seconds.
const SPEED: f64 = 10.0 / FRAME_S;

/// What the reader sets: all that the page shows follows from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The system.
    pub config: Config,
    /// The seed.
    pub seed: u64,
    /// What runs beside it, on the same arrivals.
    pub rival: Option<Rival>,
}

/// The same system under another policy and admission control.
#[derive(Clone, Debug, PartialEq)]
pub struct Rival {
    /// Its policy.
    pub policy: PolicySettings,
    /// Its admission control.
    pub admission: AdmissionSettings,
}

/// One of the two systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The first, always there.
    A,
    /// The one beside it.
    B,
}

impl Side {
    /// Both.
    pub const ALL: [Side; 2] = [Side::A, Side::B];

    /// Its letter.
    #[must_use]
    pub const fn letter(self) -> &'static str {
        match self {
            Side::A => "A",
            Side::B => "B",
        }
    }
}

impl Scenario {
    /// A preset of the engine, beside what it is usually compared with.
    ///
    /// # Panics
    /// When there is no preset of this name.
    #[must_use]
    pub fn preset(name: &str) -> Self {
        Self::of(presets::named(name).expect("a preset of the engine").config)
    }

    /// A system beside what it is usually compared with: the naive policy beside the fixed one, and an admission
    /// control beside none.
    #[must_use]
    pub fn of(config: Config) -> Self {
        let rival = match (&config.policy, &config.admission) {
            (PolicySettings::Naive(_), admission) => Some(Rival {
                policy: PolicySettings::Fixed(FixedSettings::default()),
                admission: admission.clone(),
            }),
            (policy, AdmissionSettings::Latency(_) | AdmissionSettings::Distress(_)) => {
                Some(Rival {
                    policy: policy.clone(),
                    admission: AdmissionSettings::Off,
                })
            }
            _ => None,
        };
        Self {
            config,
            seed: 1,
            rival,
        }
    }

    /// Checks that the page plays a run of this length: a snapshot of every [`FRAME_S`] is kept of it.
    ///
    /// # Errors
    /// Names the length and its range.
    pub fn check_duration(&self) -> Result<(), FieldError> {
        let duration = self.config.duration_s;
        FieldError::check_range("duration_s", duration, MIN_DURATION_S, MAX_DURATION_S)
    }

    /// The configuration of one side, if it runs.
    #[must_use]
    pub fn side(&self, side: Side) -> Option<Config> {
        match (side, &self.rival) {
            (Side::A, _) => Some(self.config.clone()),
            (Side::B, None) => None,
            (Side::B, Some(rival)) => Some(Config {
                policy: rival.policy.clone(),
                admission: rival.admission.clone(),
                ..self.config.clone()
            }),
        }
    }

    /// The policy of one side.
    #[must_use]
    pub fn policy(&self, side: Side) -> &PolicySettings {
        match (side, &self.rival) {
            (Side::B, Some(rival)) => &rival.policy,
            _ => &self.config.policy,
        }
    }

    /// The policy of one side, to change.
    pub fn policy_mut(&mut self, side: Side) -> &mut PolicySettings {
        match (side, &mut self.rival) {
            (Side::B, Some(rival)) => &mut rival.policy,
            _ => &mut self.config.policy,
        }
    }

    /// The admission control of one side.
    #[must_use]
    pub fn admission(&self, side: Side) -> &AdmissionSettings {
        match (side, &self.rival) {
            (Side::B, Some(rival)) => &rival.admission,
            _ => &self.config.admission,
        }
    }

    /// The admission control of one side, to change.
    pub fn admission_mut(&mut self, side: Side) -> &mut AdmissionSettings {
        match (side, &mut self.rival) {
            (Side::B, Some(rival)) => &mut rival.admission,
            _ => &mut self.config.admission,
        }
    }
}

/// A run as far as it is simulated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunData {
    /// Its configuration.
    pub config: Config,
    /// Its samples.
    pub samples: Vec<Sample>,
    /// What its policy saw and did.
    pub probes: Vec<Probe>,
    /// The system every [`FRAME_S`]; none before the first run.
    pub frames: Vec<Snapshot>,
    /// It in a few figures.
    pub summary: Summary,
}

impl RunData {
    fn append(&mut self, slice: Slice) {
        self.samples.extend(slice.samples);
        self.probes.extend(slice.probes);
        self.frames.extend(slice.frames);
        self.summary = slice.summary.0;
    }
}

/// One side's run and the work that makes it.
#[derive(Clone, Copy)]
pub struct Lane {
    /// The run that is shown.
    pub run: RwSignal<RunData>,
    /// The work.
    pub job: Job,
    /// What the work was last asked for.
    asked: StoredValue<Option<(Config, u64)>>,
}

impl Lane {
    fn new() -> Self {
        Self {
            run: RwSignal::new(RunData::default()),
            job: Job::new(),
            asked: StoredValue::new(None),
        }
    }
}

/// The page's state: what is set, and what the engine makes of it.
#[derive(Clone, Copy)]
pub struct State {
    /// What is set. Always in range: what is not is refused by [`State::propose`].
    pub scenario: ReadSignal<Scenario>,
    set_scenario: WriteSignal<Scenario>,
    /// What the experiments are set to.
    pub experiments: RwSignal<Settings>,
    /// The experiment that is open.
    pub experiment: RwSignal<usize>,
    lanes: [Lane; 2],
    /// Where the reader is in the runs; a position is a frame.
    pub head: Playhead,
    /// The position that the reader wants, while the run has not come so far.
    wanted: RwSignal<Option<usize>>,
    /// What shows it: it is simulated once that is seen.
    pub sight: Sight,
    /// How often what is set has changed.
    changes: RwSignal<u64>,
}

impl State {
    /// The state that the page opens with; it starts to simulate when it is first seen.
    #[must_use]
    pub fn new(first: Scenario) -> Self {
        let (scenario, set_scenario) = signal(first);
        let lanes = [Lane::new(), Lane::new()];
        let frames = move |lane: Lane| lane.run.with(|run| run.frames.len());
        let last = Memo::new(move |_| lanes.map(frames).into_iter().max().unwrap_or(0).max(1) - 1);
        let state = Self {
            scenario,
            set_scenario,
            experiments: RwSignal::new(Settings::default()),
            experiment: RwSignal::new(0),
            lanes,
            head: Playhead::new(last.into(), SPEED),
            wanted: RwSignal::new(None),
            sight: Sight::new(),
            changes: RwSignal::new(0),
        };
        state.sight.effect(move || match state.changes.get() {
            0 => state.simulate(),
            change => leptos::task::spawn_local(async move {
                TimeoutFuture::new(SETTLED_MS).await;
                if state.changes.try_get_untracked() == Some(change) {
                    state.simulate();
                }
            }),
        });
        state
    }

    /// One side's run and work.
    #[must_use]
    pub fn lane(self, side: Side) -> Lane {
        match side {
            Side::A => self.lanes[0],
            Side::B => self.lanes[1],
        }
    }

    /// Whether a side runs.
    #[must_use]
    pub fn runs(self, side: Side) -> Signal<bool> {
        self.part(move |scenario| side == Side::A || scenario.rival.is_some())
    }

    /// One part of what is set, followed.
    pub fn part<T: PartialEq + Clone + Send + Sync + 'static>(
        self,
        of: impl Fn(&Scenario) -> T + Send + Sync + 'static,
    ) -> Signal<T> {
        Memo::new(move |_| self.scenario.with(&of)).into()
    }

    /// The instant under the playhead, in seconds.
    #[must_use]
    pub fn now(self) -> f64 {
        self.head.position.get() as f64 * FRAME_S
    }

    /// Moves the playhead to an instant.
    pub fn go_to(self, t: f64) {
        self.head.go_to((t / FRAME_S).round().max(0.0) as usize);
    }

    /// Where the reader wants to be, in seconds; none at the end of the run, however far that is.
    #[must_use]
    pub fn place(self) -> Option<f64> {
        let (position, last) = (self.head.position.get(), self.head.last.get());
        let place = match self.wanted.get() {
            Some(wanted) if position == wanted.min(last) => Some(wanted),
            _ => (position < last).then_some(position),
        };
        let seconds = place? as f64 * FRAME_S;
        let duration = self.scenario.with(|scenario| scenario.config.duration_s);
        (seconds < duration).then_some(seconds)
    }

    /// Sets all at once, paused at an instant or at the end.
    pub fn load(self, scenario: Scenario, at: Option<f64>) {
        let set = self.change(|now| *now = scenario);
        debug_assert_eq!(set, Ok(()), "what was read is in range");
        match at {
            Some(t) => {
                self.go_to(t);
                let frame = (t / FRAME_S).round() as usize;
                self.wanted.set(Some(frame));
            }
            None => {
                self.wanted.set(None);
                self.head.go_to(usize::MAX);
            }
        }
    }

    /// Changes what is set, if the result makes sense, and has it simulated.
    ///
    /// # Errors
    /// Says what makes no sense; nothing is changed then.
    pub fn change(self, change: impl FnOnce(&mut Scenario)) -> Result<(), FieldError> {
        let mut next = self.scenario.get_untracked();
        change(&mut next);
        for config in Side::ALL.into_iter().filter_map(|side| next.side(side)) {
            config.validate()?;
        }
        next.check_duration()?;
        self.set_scenario.set(next);
        self.changes.update(|changes| *changes += 1);
        Ok(())
    }

    /// The same, with an error in words.
    ///
    /// # Errors
    /// The engine's words on what makes no sense; nothing is changed then.
    pub fn propose(self, change: impl FnOnce(&mut Scenario)) -> Result<(), String> {
        self.change(change).map_err(|error| error.to_string())
    }

    /// Simulates what is set, as far as that is not done or under way.
    pub fn simulate(self) {
        let scenario = self.scenario.get_untracked();
        for side in Side::ALL {
            let lane = self.lane(side);
            match scenario.side(side) {
                Some(config) => self.simulate_lane(lane, config, scenario.seed),
                None => {
                    lane.job.cancel();
                    lane.asked.set_value(None);
                    lane.run.set(RunData::default());
                }
            }
        }
    }

    fn simulate_lane(self, lane: Lane, config: Config, seed: u64) {
        let ask = (config, seed);
        let stands = lane
            .job
            .status()
            .with_untracked(|status| status.is_working() || *status == Status::Done);
        if stands && lane.asked.with_value(|asked| asked.as_ref() == Some(&ask)) {
            return;
        }
        let request = Request::Run {
            config: Json(ask.0.clone()),
            seed,
        };
        // The run that is shown stays until there is something of the new one.
        let begins = StoredValue::new(Some(ask.0.clone()));
        lane.asked.set_value(Some(ask));
        lane.job.start(request, move |response| {
            if let Response::Slice(slice) = response {
                let begins = begins.try_update_value(Option::take).flatten();
                self.show(lane, begins, slice);
            }
        });
    }

    /// Shows more of a run, or the beginning of the next. Who stands at its end sees it grow, and who wants to be elsewhere
    /// comes there as soon as the run does.
    fn show(self, lane: Lane, begins: Option<Config>, slice: Slice) {
        let head = self.head;
        let (position, last) = (head.position.get_untracked(), head.last.get_untracked());
        let wanted = match self.wanted.get_untracked() {
            Some(wanted) if position == wanted.min(last) => Some(wanted),
            _ if position >= last && !head.playing.get_untracked() => None,
            _ => Some(position),
        };
        lane.run.update(|run| {
            if let Some(config) = begins {
                *run = RunData {
                    config,
                    ..RunData::default()
                };
            }
            run.append(slice);
        });
        let last = head.last.get_untracked();
        let next = wanted.map_or(last, |wanted| wanted.min(last));
        if next != position {
            head.position.set(next);
        }
        self.wanted.set(wanted.filter(|wanted| *wanted > last));
    }
}
