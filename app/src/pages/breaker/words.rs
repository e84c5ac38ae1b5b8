//! What the page says.

use super::state::Story;
use engine::breaker::{
    Action, Config, Fairness, Invariant, Moment, Phase, Property, Refusal, State, Variant,
};

/// A design's name.
pub fn design(variant: Variant) -> &'static str {
    match variant {
        Variant::Naive => "Naive",
        Variant::Hardened => "Hardened",
    }
}

/// What an action is called on its button; who takes it stands beside.
pub fn button(action: Action) -> &'static str {
    match action {
        Action::ClosedCallSuccess(_) => "A call succeeds",
        Action::ClosedCallFailure(_) => "A call fails",
        Action::ClosedCallFailureTripBreaker(_) => "A call fails and trips the breaker",
        Action::OpenShortCircuit(_) => "A call is short-circuited",
        Action::OpenTick => "A tick passes",
        Action::OpenTimerElapses => "The timer elapses",
        Action::HalfOpenProbeStart(_) => "Starts a probe",
        Action::HalfOpenProbeRejected(_) => "A call is rejected",
        Action::HalfOpenProbeSuccess(_) => "Its probe succeeds",
        Action::HalfOpenProbeFailure(_) => "Its probe fails",
    }
}

/// What an action did, as a sentence without its end.
fn deed(action: Action) -> String {
    let did = match action {
        Action::ClosedCallSuccess(_) => "made a call that succeeded",
        Action::ClosedCallFailure(_) => "made a call that failed",
        Action::ClosedCallFailureTripBreaker(_) => {
            "made a call that failed, and the breaker opened"
        }
        Action::OpenShortCircuit(_) => "was short-circuited: no call was made",
        Action::OpenTick => return "a tick passed".into(),
        Action::OpenTimerElapses => return "the timer elapsed: the breaker is half-open".into(),
        Action::HalfOpenProbeStart(_) => "started a probe",
        Action::HalfOpenProbeRejected(_) => "was rejected: a probe is in flight",
        Action::HalfOpenProbeSuccess(_) => "ended its probe well, and the breaker closed",
        Action::HalfOpenProbeFailure(_) => "saw its probe fail, and the breaker opened again",
    };
    let caller = action.caller().map_or(0, |caller| caller.0);
    format!("caller {caller} {did}")
}

/// What a design made of its last step.
pub fn moment(config: &Config, moment: &Moment) -> String {
    let Some(action) = moment.action else {
        return "nothing has happened yet.".into();
    };
    match moment.refusal {
        Some(refusal @ Refusal::ProbeInFlight) => format!(
            "refused {action}: {refusal}. The caller is told so, without a call being made."
        ),
        Some(refusal) => format!("refused {action}: {refusal}."),
        None => {
            let broken = broken(config, &moment.state);
            match broken.is_empty() {
                true => format!("{}.", deed(action)),
                false => format!(
                    "{}. Now {} are inside at once: {} broken.",
                    deed(action),
                    moment.state.caller_active.len(),
                    broken.join(" and ") + if broken.len() == 1 { " is" } else { " are" }
                ),
            }
        }
    }
}

/// The names of the invariants that `state` breaks.
fn broken(config: &Config, state: &State) -> Vec<&'static str> {
    let broken = Invariant::ALL.into_iter();
    broken
        .filter(|invariant| !invariant.holds(config, state))
        .map(Invariant::name)
        .collect()
}

/// A state in words.
pub fn state(config: &Config, state: &State) -> String {
    match state.phase {
        Phase::Closed => format!(
            "Closed, {} of {} failures in a row.",
            state.failure_count, config.max_failures
        ),
        Phase::Open => format!(
            "Open, {} of {} ticks passed.",
            state.open_ticks, config.max_open_ticks
        ),
        Phase::HalfOpen => {
            let inside: Vec<_> = state.caller_active.iter().map(|c| c.to_string()).collect();
            match inside.as_slice() {
                [] => "Half-open, nobody inside.".into(),
                [one] => format!("Half-open, caller {one} inside a probe."),
                many => format!(
                    "Half-open, callers {} inside probes at once.",
                    many.join(" and ")
                ),
            }
        }
    }
}

/// A story's title and what it shows.
pub fn story(story: Story) -> (&'static str, &'static str) {
    match story {
        Story::DoubleProbe => (
            "Two probes at once",
            "The naive design's shortest way to break NoDoubleProbe. The hardened one refuses the last step.",
        ),
        Story::ForgottenCall => (
            "A call that is forgotten",
            "Naive: another's probe ends, everybody inside is released, and caller 1 never ends its own.",
        ),
        Story::NeverCloses => (
            "A breaker that never closes",
            "Either design, with nobody overlooked: while every probe fails, the breaker opens for ever.",
        ),
    }
}

/// What a story has come to at its last step.
pub const fn ending(story: Story) -> &'static str {
    match story {
        Story::DoubleProbe => {
            "Two callers are inside at once: in the naive design NoDoubleProbe is broken. The hardened one has refused the last step."
        }
        Story::ForgottenCall => {
            "No rule about single states is broken. But a call that was begun has not ended, and the naive design no longer knows of it: the last steps can repeat for ever. The hardened one still holds its caller inside, and waits."
        }
        Story::NeverCloses => {
            "The last steps can repeat for ever, in either design: every probe fails, and the breaker opens again."
        }
    }
}

/// Why a property fails, where it does.
pub fn failing(variant: Variant, property: Property, fairness: Fairness) -> &'static str {
    match (variant, property, fairness) {
        (_, Property::EveryCallCompletes, Fairness::None) => "the caller inside the probe may stop",
        (_, Property::EveryCallerIsAnswered, Fairness::None) => "the caller may stop",
        (_, Property::OpenIsProbed, Fairness::None) => "the clock or the callers may stop",
        (_, Property::OpenRecloses, Fairness::None) => "everything may stop",
        (Variant::Naive, Property::EveryCallCompletes, Fairness::Weak) => {
            "another probe's end releases the caller before its own"
        }
        (Variant::Naive, Property::EveryCallerIsAnswered, Fairness::Weak) => {
            "it starts probe after probe, each cut short by another's end"
        }
        (_, Property::OpenRecloses, Fairness::Weak) => "every probe may fail",
        _ => "a fair run breaks it",
    }
}
