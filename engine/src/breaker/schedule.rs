//! A schedule of actions, and what a design makes of it.

use super::config::{Action, Config, Refusal, Variant};
use super::state::{Caller, State};
use serde::Serialize;

/// A design after a step of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The state.
    pub state: State,
    /// The step that was tried; `None` at the start.
    pub action: Option<Action>,
    /// Why the step was not taken.
    pub refusal: Option<Refusal>,
}

impl Config {
    /// What the design makes of a schedule, from its initial state: a step that it refuses leaves its state as it is.
    #[must_use]
    pub fn play(&self, schedule: &[Action]) -> Vec<Moment> {
        let mut moments = vec![Moment {
            state: State::default(),
            action: None,
            refusal: None,
        }];
        for &action in schedule {
            let state = moments[moments.len() - 1].state;
            let taken = self.apply(&state, action);
            moments.push(Moment {
                state: taken.unwrap_or(state),
                action: Some(action),
                refusal: taken.err(),
            });
        }
        moments
    }
}

/// One moment as a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ScheduleRow {
    /// The design.
    pub variant: Variant,
    /// Steps tried so far.
    pub step: usize,
    /// The step that was tried; none at the start.
    pub action: Option<&'static str>,
    /// Who tried it; nobody where it is the clock's.
    pub caller: Option<Caller>,
    /// Why it was not taken.
    pub refused: Option<String>,
    /// The state after it.
    #[serde(flatten)]
    pub state: State,
}

/// What both designs make of a schedule under the bounds of `config`: the naive one's moments, then the hardened one's.
pub fn schedule_rows(config: Config, schedule: &[Action]) -> impl Iterator<Item = ScheduleRow> {
    Variant::ALL.into_iter().flat_map(move |variant| {
        let moments = Config { variant, ..config }.play(schedule);
        let rows = moments.into_iter().enumerate();
        rows.map(move |(step, moment)| ScheduleRow {
            variant,
            step,
            action: moment.action.map(Action::name),
            caller: moment.action.and_then(Action::caller),
            refused: moment.refusal.map(|refusal| refusal.to_string()),
            state: moment.state,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_step_leaves_the_state_as_it_is() {
        let moments = Config::default().play(&[Action::OpenTick]);
        assert_eq!(moments[1].state, moments[0].state);
        assert!(moments[1].refusal.is_some());
    }
}
