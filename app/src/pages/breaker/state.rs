//! What the reader has set and done, and what both designs make of it.

use super::address::Scenario;
use super::laws::Settings;
use super::words;
use crate::ui::{Announcer, Playhead};
use engine::breaker::{
    Action, Check, Config, Fairness, MAX_SCHEDULE, Moment, Property, Variant, check,
};
use leptos::prelude::*;
use std::sync::Arc;

/// Steps a second that the player opens with.
const SPEED: f64 = 1.5;

/// Longest time open and highest threshold on the page, where the check is made between two frames. The command line
/// goes further.
pub const MOST_ON_PAGE: u16 = 40;

/// A run to watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Story {
    /// The naive design's shortest run to two probes at once.
    DoubleProbe,
    /// The naive design's run in which a call is never finished.
    ForgottenCall,
    /// The hardened design's run in which every probe fails.
    NeverCloses,
}

impl Story {
    /// Every story.
    pub const ALL: [Story; 3] = [Story::DoubleProbe, Story::ForgottenCall, Story::NeverCloses];

    /// Its actions under these bounds, if they have such a run.
    pub fn under(self, bounds: Config) -> Option<Vec<Action>> {
        let checks =
            Variant::ALL.map(|variant| Some(Arc::new(check(Config { variant, ..bounds }).ok()?)));
        let [Some(naive), Some(hardened)] = checks else {
            return None;
        };
        self.actions(&[naive, hardened])
    }

    /// Its actions, if the configuration has such a run.
    fn actions(self, checks: &[Arc<Check>; 2]) -> Option<Vec<Action>> {
        let [naive, hardened] = checks;
        let lasso = |check: &Check, property| {
            let lasso = check.liveness_of(property, Fairness::Weak).lasso.as_ref()?;
            let steps = lasso.stem.steps.iter().chain(&lasso.cycle);
            Some(steps.map(|&(action, _)| action).collect())
        };
        match self {
            Story::DoubleProbe => {
                let (_, trail) = naive.counterexample()?;
                Some(trail.steps.iter().map(|&(action, _)| action).collect())
            }
            Story::ForgottenCall => lasso(naive, Property::EveryCallCompletes),
            Story::NeverCloses => lasso(hardened, Property::OpenRecloses),
        }
    }
}

/// The page's state.
#[derive(Clone, Copy)]
pub struct State {
    /// The bounds; the variant in it is of no account.
    bounds: RwSignal<Config>,
    /// What is tried, in order.
    pub schedule: RwSignal<Arc<Vec<Action>>>,
    /// The story shown, until the reader leaves it.
    pub story: RwSignal<Option<Story>>,
    /// Where in the schedule the reader is; 0 is the start.
    pub head: Playhead,
    /// The laws that are compared.
    pub laws: RwSignal<Settings>,
    checks: Memo<[Arc<Check>; 2]>,
    lanes: Memo<[Arc<Vec<Moment>>; 2]>,
    announcer: Announcer,
}

impl State {
    /// The document's bound, and the double probe at its last step.
    pub fn new() -> Self {
        let bounds = RwSignal::new(Config::default());
        let schedule = RwSignal::new(Arc::new(Vec::new()));
        let last = Signal::derive(move || schedule.with(|s| s.len()));
        let config = move |variant| Config {
            variant,
            ..bounds.get()
        };
        let state = Self {
            bounds,
            schedule,
            story: RwSignal::new(None),
            head: Playhead::new(last, SPEED),
            laws: RwSignal::new(Settings::first()),
            checks: Memo::new(move |_| {
                Variant::ALL.map(|variant| {
                    Arc::new(check(config(variant)).expect("bounds are checked when they are set"))
                })
            }),
            lanes: Memo::new(move |_| {
                Variant::ALL.map(|v| Arc::new(schedule.with(|s| config(v).play(s))))
            }),
            announcer: Announcer::get(),
        };
        state.show(Story::DoubleProbe);
        state.head.go_to(usize::MAX);
        state
    }

    /// All that is set and done.
    pub fn scenario(self) -> Scenario {
        Scenario {
            bounds: self.bounds.get(),
            story: self.story.get(),
            schedule: self.schedule.get(),
            laws: self.laws.get(),
        }
    }

    /// Sets all that is set and done, paused at a step.
    pub fn load(self, scenario: Scenario, at: usize) {
        self.head.pause();
        self.bounds.set(scenario.bounds);
        self.schedule.set(scenario.schedule);
        self.story.set(scenario.story);
        if self.laws.with_untracked(|laws| *laws != scenario.laws) {
            self.laws.set(scenario.laws);
        }
        self.head.go_to(at);
    }

    /// The bounds.
    pub fn bounds(self) -> Config {
        self.bounds.get()
    }

    /// The configuration of one design.
    pub fn config(self, variant: Variant) -> Config {
        Config {
            variant,
            ..self.bounds.get()
        }
    }

    /// What was found of one design.
    pub fn check(self, variant: Variant) -> Arc<Check> {
        self.checks.with(|checks| checks[variant as usize].clone())
    }

    /// One design where the reader is.
    pub fn now(self, variant: Variant) -> Moment {
        let position = self.head.position.get();
        self.lanes.with(|lanes| {
            let lane = &lanes[variant as usize];
            lane[position.min(lane.len() - 1)]
        })
    }

    /// One design from the start to the end of the schedule.
    pub fn lane(self, variant: Variant) -> Arc<Vec<Moment>> {
        self.lanes.with(|lanes| lanes[variant as usize].clone())
    }

    /// Sets the bounds. A story is told anew under them; a schedule made by hand begins again.
    ///
    /// # Errors
    /// Names the bound out of range; nothing is changed then.
    pub fn set_bounds(self, change: impl FnOnce(&mut Config)) -> Result<(), String> {
        let mut next = self.bounds.get_untracked();
        change(&mut next);
        next.validate().map_err(|error| error.to_string())?;
        if next == self.bounds.get_untracked() {
            return Ok(());
        }
        self.head.pause();
        self.bounds.set(next);
        match self.story.get_untracked() {
            Some(story) if self.has(story) => {
                self.show(story);
                self.head.go_to(usize::MAX);
            }
            _ => self.restart(),
        }
        Ok(())
    }

    /// Whether the configuration has such a run.
    pub fn has(self, story: Story) -> bool {
        self.checks.with(|checks| story.actions(checks).is_some())
    }

    /// Loads a story, at its start.
    pub fn show(self, story: Story) {
        let Some(actions) = self.checks.with_untracked(|checks| story.actions(checks)) else {
            return;
        };
        self.head.go_to(0);
        self.schedule.set(Arc::new(actions));
        self.story.set(Some(story));
    }

    /// Whether some design can take `action` where the reader is.
    pub fn takers(self, action: Action) -> [bool; 2] {
        Variant::ALL.map(|variant| {
            let now = self.now(variant);
            self.config(variant).apply(&now.state, action).is_ok()
        })
    }

    /// Takes a step by hand: what followed in the schedule is dropped.
    pub fn step(self, action: Action) {
        let position = self.head.position.get_untracked();
        if position >= MAX_SCHEDULE {
            self.announcer
                .say(format!("No more than {MAX_SCHEDULE} steps can be taken."));
            return;
        }
        self.head.pause();
        self.story.set(None);
        self.schedule.update(|schedule| {
            let schedule = Arc::make_mut(schedule);
            schedule.truncate(position);
            schedule.push(action);
        });
        self.head.go_to(position + 1);
        let said = untrack(|| {
            Variant::ALL.map(|v| {
                format!(
                    "{}: {}",
                    words::design(v),
                    words::moment(&self.config(v), &self.now(v))
                )
            })
        });
        self.announcer.say(said.join(" "));
    }

    /// Takes back the last step before where the reader is.
    pub fn undo(self) {
        let position = self.head.position.get_untracked();
        self.head.pause();
        self.story.set(None);
        self.schedule.update(|schedule| {
            Arc::make_mut(schedule).truncate(position.saturating_sub(1));
        });
        self.head.go_to(position.saturating_sub(1));
        self.announcer.say("The last step is taken back.");
    }

    /// Begins again, with nothing done.
    pub fn restart(self) {
        self.head.go_to(0);
        self.story.set(None);
        self.schedule.set(Arc::new(Vec::new()));
        self.announcer
            .say("Back at the start: closed, no failures.");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::breaker::Refusal;

    fn checks() -> [Arc<Check>; 2] {
        Variant::ALL.map(|v| Arc::new(check(Config::new(v, 2, 2, 2)).unwrap()))
    }

    #[test]
    fn the_double_probe_is_taken_by_one_design_and_refused_by_the_other() {
        let actions = Story::DoubleProbe.actions(&checks()).unwrap();
        let [naive, hardened] =
            Variant::ALL.map(|v| *Config::new(v, 2, 2, 2).play(&actions).last().unwrap());
        assert_eq!(naive.state.caller_active.len(), 2);
        assert_eq!(hardened.state.caller_active.len(), 1);
        assert_eq!(hardened.refusal, Some(Refusal::ProbeInFlight));
    }

    #[test]
    fn one_caller_alone_has_no_double_probe_to_show() {
        let checks = Variant::ALL.map(|v| Arc::new(check(Config::new(v, 1, 2, 2)).unwrap()));
        assert_eq!(Story::DoubleProbe.actions(&checks), None);
        assert!(Story::NeverCloses.actions(&checks).is_some());
    }
}
