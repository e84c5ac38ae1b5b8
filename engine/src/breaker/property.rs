//! What must happen in the end, and what is assumed of those who act.
//!
//! In the model a call is one step, except a probe, which starts in one and ends in another. "Every call eventually
//! completes" is therefore about probes; that calls of any kind are answered is a property of its own. Callers are alike,
//! so what holds of caller 1 holds of each.

use super::config::{Action, Config};
use super::state::{Caller, Phase, State};
use crate::explore::Graph;
use crate::liveness::{FairSet, LeadsTo, LiveLasso, find_violation};
use std::fmt;

/// A liveness property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// Whoever is inside a probe ends it, by a success or a failure of its own.
    EveryCallCompletes,
    /// Every caller is answered again and again: by a success, a failure, a short circuit, a rejection or the end of its probe.
    EveryCallerIsAnswered,
    /// After the breaker opens, a probe starts.
    OpenIsProbed,
    /// After the breaker opens, it closes again.
    OpenRecloses,
}

impl Property {
    /// Every property.
    pub const ALL: [Property; 4] = [
        Property::EveryCallCompletes,
        Property::EveryCallerIsAnswered,
        Property::OpenIsProbed,
        Property::OpenRecloses,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Property::EveryCallCompletes => "EveryCallCompletes",
            Property::EveryCallerIsAnswered => "EveryCallerIsAnswered",
            Property::OpenIsProbed => "OpenIsProbed",
            Property::OpenRecloses => "OpenRecloses",
        }
    }

    /// What it says.
    #[must_use]
    pub const fn statement(self) -> &'static str {
        match self {
            Property::EveryCallCompletes => {
                "a caller inside a probe eventually ends it, by its own success or failure"
            }
            Property::EveryCallerIsAnswered => {
                "every caller is answered again and again, whatever the answer"
            }
            Property::OpenIsProbed => "after the breaker opens, a probe eventually starts",
            Property::OpenRecloses => "after the breaker opens, it eventually closes",
        }
    }

    /// Looks for a run that breaks it, in the complete graph of `config`.
    #[must_use]
    pub(super) fn violation(
        self,
        config: &Config,
        graph: &Graph<State>,
        fairness: Fairness,
    ) -> Option<LiveLasso<State, Action>> {
        const WATCHED: Caller = Caller(1);
        let is_watched = |action: &Action| action.caller() == Some(WATCHED);
        let is_open = |state: &State| state.phase == Phase::Open;
        let sets = fairness.sets(config);
        let fair: Vec<FairSet<Action>> = sets.iter().map(|set| set as _).collect();
        match self {
            Property::EveryCallCompletes => {
                let property = LeadsTo {
                    asks: |state: &State| state.caller_active.contains(WATCHED),
                    goal: |action: &Action| is_watched(action) && action.ends_probe(),
                };
                find_violation(config, graph, &property, &fair)
            }
            Property::EveryCallerIsAnswered => {
                let property = LeadsTo {
                    asks: |_: &State| true,
                    goal: |action: &Action| {
                        is_watched(action) && !matches!(action, Action::HalfOpenProbeStart(_))
                    },
                };
                find_violation(config, graph, &property, &fair)
            }
            Property::OpenIsProbed => {
                let property = LeadsTo {
                    asks: is_open,
                    goal: |action: &Action| matches!(action, Action::HalfOpenProbeStart(_)),
                };
                find_violation(config, graph, &property, &fair)
            }
            Property::OpenRecloses => {
                let property = LeadsTo {
                    asks: is_open,
                    goal: |action: &Action| matches!(action, Action::HalfOpenProbeSuccess(_)),
                };
                find_violation(config, graph, &property, &fair)
            }
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What is assumed of those who act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fairness {
    /// Nothing: a run may stop anywhere, and anyone may be overlooked for ever.
    None,
    /// Weak fairness of each caller's next step, whichever it is, and of the clock's.
    Weak,
}

impl Fairness {
    /// Both assumptions.
    pub const ALL: [Fairness; 2] = [Fairness::None, Fairness::Weak];

    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Fairness::None => "none",
            Fairness::Weak => "weak",
        }
    }

    /// What it assumes.
    #[must_use]
    pub const fn statement(self) -> &'static str {
        match self {
            Fairness::None => {
                "nothing is assumed: a run may stop anywhere, and anyone may be overlooked for ever"
            }
            Fairness::Weak => {
                "no caller that can step waits for ever for its next step, and neither does the clock (OpenTick, OpenTimerElapses)"
            }
        }
    }

    /// The sets of actions to which it applies.
    fn sets(self, config: &Config) -> Vec<impl Fn(&Action) -> bool> {
        let actors: Vec<Option<Caller>> = match self {
            Fairness::None => Vec::new(),
            Fairness::Weak => std::iter::once(None)
                .chain(config.callers().map(Some))
                .collect(),
        };
        let steps_of = |actor| move |action: &Action| action.caller() == actor;
        actors.into_iter().map(steps_of).collect()
    }
}

impl fmt::Display for Fairness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
