//! The breaker's bounds and a schedule of actions as parts of an address:
//! `callers=2&max-failures=2&max-open-ticks=2&do=failure:1;trip:1;tick;tick;elapse;probe:1;probe:2`.

use super::config::{Action, Config};
use super::state::Caller;
use crate::FieldError;
use crate::query::{QueryReader, QueryWriter, quoted};

/// Most actions in a schedule that is read.
pub const MAX_SCHEDULE: usize = 1000;

const SCHEDULE: &str = "actions such as failure:1;trip:1;tick, each tick, elapse, or with a caller's number one of success, \
                        failure, trip, refused, probe, rejected, probe-success, probe-failure";

/// An action of a caller, after its word.
type OfCaller = (&'static str, fn(Caller) -> Action);

/// The actions of a caller, by their words.
const OF_CALLER: [OfCaller; 8] = [
    ("success", Action::ClosedCallSuccess),
    ("failure", Action::ClosedCallFailure),
    ("trip", Action::ClosedCallFailureTripBreaker),
    ("refused", Action::OpenShortCircuit),
    ("probe", Action::HalfOpenProbeStart),
    ("rejected", Action::HalfOpenProbeRejected),
    ("probe-success", Action::HalfOpenProbeSuccess),
    ("probe-failure", Action::HalfOpenProbeFailure),
];

/// The actions of the clock, by their words.
const OF_CLOCK: [(&str, Action); 2] = [
    ("tick", Action::OpenTick),
    ("elapse", Action::OpenTimerElapses),
];

impl Config {
    /// Writes the bounds that differ from those of `default`. The design is left to who compares both.
    pub fn write_bounds(&self, query: &mut QueryWriter, default: &Config) {
        query.put_unless(default.callers, "callers", self.callers);
        query.put_unless(default.max_failures, "max-failures", self.max_failures);
        query.put_unless(
            default.max_open_ticks,
            "max-open-ticks",
            self.max_open_ticks,
        );
    }

    /// Reads bounds; what is not given is as in `default`, and so is the design.
    ///
    /// # Errors
    /// Names the first bound that cannot be read or is out of range.
    pub fn read_bounds(query: &mut QueryReader, default: &Config) -> Result<Self, FieldError> {
        const COUNT: &str = "a whole number";
        let config = Config {
            variant: default.variant,
            callers: query.take("callers", COUNT)?.unwrap_or(default.callers),
            max_failures: query
                .take("max-failures", COUNT)?
                .unwrap_or(default.max_failures),
            max_open_ticks: query
                .take("max-open-ticks", COUNT)?
                .unwrap_or(default.max_open_ticks),
        };
        config.validate()?;
        Ok(config)
    }

    /// A schedule as text, in which order its actions are tried. Whether a design takes them is for it to say.
    #[must_use]
    pub fn write_schedule(actions: &[Action]) -> String {
        let words: Vec<String> = actions.iter().map(|&action| word(action)).collect();
        words.join(";")
    }

    /// Reads a schedule for these bounds; an empty text is an empty one.
    ///
    /// # Errors
    /// Names an action that cannot be read, a caller that there is not, or a schedule of more than [`MAX_SCHEDULE`]
    /// actions.
    pub fn read_schedule(&self, text: &str) -> Result<Vec<Action>, FieldError> {
        if text.is_empty() {
            return Ok(Vec::new());
        }
        let words: Vec<&str> = text.split(';').collect();
        FieldError::check_range("number of actions", words.len(), 0, MAX_SCHEDULE)?;
        words.into_iter().map(|word| self.action(word)).collect()
    }

    fn action(&self, text: &str) -> Result<Action, FieldError> {
        let wrong = || FieldError::new("do", quoted(text), SCHEDULE);
        let Some((name, caller)) = text.split_once(':') else {
            let found = OF_CLOCK.iter().find(|(word, _)| *word == text);
            return found.map(|&(_, action)| action).ok_or_else(wrong);
        };
        let of = OF_CALLER.iter().find(|(word, _)| *word == name);
        let (_, of) = of.ok_or_else(wrong)?;
        let caller = caller.parse().map_err(|_| wrong())?;
        FieldError::check_range("caller", caller, 1, self.callers)?;
        Ok(of(Caller(caller)))
    }
}

fn word(action: Action) -> String {
    let of_clock = OF_CLOCK.iter().find(|(_, of)| *of == action);
    if let Some((word, _)) = of_clock {
        return (*word).to_owned();
    }
    let of_caller = action.caller().and_then(|caller| {
        let (word, _) = OF_CALLER.iter().find(|(_, of)| of(caller) == action)?;
        Some(format!("{word}:{caller}"))
    });
    of_caller.unwrap_or_default()
}
