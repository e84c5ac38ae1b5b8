//! What the page says: what the run is doing and why, what a verdict means, and where the essay puts it otherwise.

use crate::text::capitalised;
use engine::retrier_server::trap::Region;
use engine::retrier_server::{
    Config, DecidingRun, Judgement, Phase, Plan, Point, Proof, Run, Service, State, Step, Turn,
    Verdict,
};

/// A sentence or two under a short name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// The short name, such as "Climbing".
    pub name: String,
    /// The explanation, with the state's own numbers.
    pub why: String,
}

/// `1 retry`, `3 retries`: a count with its noun.
#[must_use]
pub fn count(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}

/// A number with its thousands apart: 12,345.
#[must_use]
pub fn grouped(n: impl Into<u128>) -> String {
    let digits = n.into().to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// From when on a run is healthy for ever, as half a sentence. In mid-round the backlog stands higher than where the round
/// ends, so that can come later.
#[must_use]
pub fn healthy_from(run: &DecidingRun) -> Option<String> {
    let (ends, throughout) = (run.rounds_to_good()?, run.rounds_to_good_throughout()?);
    Some(match (ends, throughout) {
        (_, 0) => "it is healthy throughout".to_owned(),
        (0, later) => format!(
            "every round ends healthy, and after round {} it is so in mid-round too",
            grouped(later)
        ),
        (ends, later) if ends == later => {
            format!("after round {} it is healthy for ever", grouped(ends))
        }
        (ends, later) => format!(
            "after round {} every round ends healthy, and after round {} it is so in mid-round too",
            grouped(ends),
            grouped(later)
        ),
    })
}

/// Where in its run a point is: "Round 12 of 60, the server moves next".
#[must_use]
pub fn place(run: &Run, index: usize) -> String {
    let point = &run.points()[index];
    let next = match point.state.turn {
        Turn::Retrier => "the retrier",
        Turn::Server => "the server",
    };
    match point.step {
        Step::Start => format!("The start, before round 1 of {}", grouped(run.rounds())),
        _ => format!(
            "Round {} of {}, {next} moves next",
            grouped(point.round),
            grouped(run.rounds())
        ),
    }
}

/// What the step that made a point did.
#[must_use]
pub fn step(point: &Point) -> String {
    let State { qf, qd, .. } = point.state;
    match point.step {
        Step::Start if qd > 0 => format!(
            "{} and {} are queued.",
            count(qf, "fresh request", "fresh requests"),
            count(qd, "duplicate", "duplicates")
        ),
        Step::Start => format!(
            "{} queued, none answered yet.",
            count(qf, "fresh request is", "fresh requests are")
        ),
        Step::Shock => format!("A shock: fresh requests jump to {}.", grouped(qf)),
        Step::Retrier { arrivals, flux: 0 } => format!(
            "{}, and no retry is sent.",
            count(arrivals, "new request arrives", "new requests arrive")
        ),
        Step::Retrier { arrivals, flux } => format!(
            "The retrier sends {} on top of {}: {} in, against a capacity of {}.",
            count(flux, "retry", "retries"),
            count(arrivals, "new request", "new requests"),
            grouped(arrivals + flux),
            grouped(point.config.s)
        ),
        Step::Server {
            fresh: 0,
            duplicates: 0,
        } => "The server has nothing to do.".to_owned(),
        Step::Server {
            fresh,
            duplicates: 0,
        } => {
            format!(
                "The server answers {}.",
                count(fresh, "request", "requests")
            )
        }
        Step::Server { fresh, duplicates } => format!(
            "Of {} served, {} fresh and {} wasted on duplicates.",
            grouped(fresh + duplicates),
            count(fresh, "is", "are"),
            count(duplicates, "is", "are")
        ),
    }
}

/// What a run is doing at a point, and why. `earlier` is the backlog one round before, which tells rising from falling.
#[must_use]
pub fn doing(point: &Point, phase: Phase, earlier: u64) -> Said {
    let (config, state) = (&point.config, &point.state);
    let backlog = state.backlog();
    let good = config.s + config.amax;
    let falling = backlog < earlier;
    let arrivals = config.most_arrivals();
    let flux = config.flux(state);
    let inflow = format!(
        "{} and up to {} a round, against a capacity of {}",
        count(flux, "retry", "retries"),
        count(arrivals, "arrival", "arrivals"),
        grouped(config.s)
    );
    let (name, why) = match phase {
        Phase::Healthy => (
            "Inside the basin",
            format!(
                "The backlog is {}, within the {} that count as healthy. Whatever arrives, it comes down to that again and stays there.",
                grouped(backlog),
                grouped(good)
            ),
        ),
        Phase::Draining => (
            "Draining",
            format!(
                "The backlog is {}, above the {} that count as healthy, but {}.",
                grouped(backlog),
                grouped(good),
                why_it_drains(config, state)
            ),
        ),
        Phase::Orbiting if falling => (
            "Falling, for now",
            "A quiet spell is draining it, but arrivals at their most would hold it in orbit: inflow can match capacity for ever.".to_owned(),
        ),
        Phase::Orbiting => (
            "Orbiting",
            format!("It neither drains nor explodes: {inflow}, so inflow can match capacity for ever."),
        ),
        Phase::Climbing if falling => (
            "Falling, for now",
            format!("The backlog is down to {} from {} a round ago. But at most arrivals the storm would return and grow for ever: {inflow}.", grouped(backlog), grouped(earlier)),
        ),
        Phase::Climbing => (
            "Climbing",
            format!("{inflow}. At most arrivals it grows for ever; cutting arrivals now would still save it."),
        ),
        Phase::Lost => (
            "Lost",
            format!(
                "It is not in the trap yet, but nothing brings it back: even with no arrivals at all, retries of the {} still unanswered keep the server busy.",
                count(state.p - state.done, "request", "requests")
            ),
        ),
        Phase::Trapped => {
            let region = Region::general(config, arrivals);
            (
                "Trapped",
                format!(
                    "With {} duplicates to {} fresh requests (at least {} to 1), less than one of the {} served in a round would be fresh, which rounds down to none. Nothing is answered, so every retry timer keeps firing: {} come next.",
                    grouped(state.qd),
                    grouped(state.qf),
                    grouped(region.ratio),
                    grouped(config.s),
                    count(flux, "retry", "retries")
                ),
            )
        }
        Phase::Unknown => (
            "Not proved",
            "Where this state leads was not settled within the bounds of the search.".to_owned(),
        ),
    };
    Said {
        name: name.to_owned(),
        why: capitalised(&why),
    }
}

fn why_it_drains(config: &Config, state: &State) -> String {
    let arrivals = config.most_arrivals();
    match config.budget {
        Some(budget) if arrivals + budget < config.s => format!(
            "at most {} a round can come in ({} arrivals and {} retries) while {} go out",
            grouped(arrivals + budget),
            grouped(arrivals),
            grouped(budget),
            grouped(config.s)
        ),
        _ if config.service == Service::FreshFirst && arrivals < config.s => format!(
            "fresh work is served first, so answers flow, the ledger shrinks from {} and the retries die out",
            grouped(state.p)
        ),
        _ if config.quiet => {
            "with no arrivals the fresh queue empties before its retries can fill the server"
                .to_owned()
        }
        _ => "whatever arrives, every continuation brings it back".to_owned(),
    }
}

/// What a verdict on a start means, in one sentence.
#[must_use]
pub fn verdict(config: &Config, judgement: &Judgement) -> Said {
    let good = grouped(config.s + config.amax);
    let why = match judgement.verdict {
        Verdict::Recovers => format!(
            "Whatever arrives, the backlog comes down to {good} or less and stays there."
        ),
        Verdict::Orbits => {
            "Under sustained load it neither drains nor explodes. A quiet spell would free it.".to_owned()
        }
        Verdict::AtRisk => format!(
            "Sustained load drives it {}. Cutting arrivals in time still saves it.",
            if judgement.trap_reachable == Some(true) {
                "into the trap, which no run leaves"
            } else {
                "up without bound"
            }
        ),
        Verdict::Doomed => {
            "No continuation recovers, not even with no arrivals at all: its own retries keep it down."
                .to_owned()
        }
        Verdict::Unknown => match judgement.proof {
            Proof::Explored(found) => format!(
                "The search met its cap, a backlog of {}, after {} states, before any of the others was proved.",
                grouped(found.cap),
                grouped(found.states as u64)
            ),
            Proof::DecidingRuns { .. } => {
                "The deciding runs were not settled within the rounds they are followed for.".to_owned()
            }
        },
    };
    Said {
        why,
        ..verdict_alone(judgement.verdict)
    }
}

/// A verdict of which no more is known yet.
#[must_use]
pub fn verdict_alone(verdict: Verdict) -> Said {
    let name = match verdict {
        Verdict::Recovers => "Recovers",
        Verdict::Orbits => "Orbits",
        Verdict::AtRisk => "At risk",
        Verdict::Doomed => "Doomed",
        Verdict::Unknown => "Unknown",
    };
    Said {
        name: name.to_owned(),
        why: "Start a run here to see what proves it.".to_owned(),
    }
}

/// What is said while the engine is at work.
#[must_use]
pub fn not_yet() -> Said {
    Said {
        name: "not worked out yet".to_owned(),
        why: "The engine is still at it.".to_owned(),
    }
}

/// Where the essay that the model is taken from puts this start otherwise, or uses another word.
#[must_use]
pub fn essay_note(plan: &Plan, verdict: Verdict) -> Option<String> {
    if plan.config != Config::default() || plan.qd0 != 0 {
        return None;
    }
    match (plan.q0, verdict) {
        (7, Verdict::Recovers) => Some(
            "The essay puts 7 in its middle band of 7 to 9. Under its own rules 7 recovers: the retries due are (7 − 6) / 2, which rounds down to 0."
                .to_owned(),
        ),
        (_, Verdict::AtRisk) => Some(
            "The essay calls this “doomed”, meaning that the trap can be reached. Here doomed is kept for starts that nothing saves; this one, a quiet spell still does."
                .to_owned(),
        ),
        (8 | 9, Verdict::Orbits) => Some(
            "This is the essay’s middle band, where 2 arrivals and 1 retry exactly match the capacity of 3."
                .to_owned(),
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::retrier_server::{DEFAULT_CAP, judge, phase};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn said_at(plan: &Plan, round: u64) -> Said {
        let run = plan.play().expect("a good plan");
        let at = |round| run.points()[run.index_of_round(round)];
        let point = at(round);
        let earlier = at(round.saturating_sub(1)).state.backlog();
        let phase = phase(&point.config, &point.state, DEFAULT_CAP);
        doing(&point, phase, earlier)
    }

    #[test]
    fn a_start_inside_the_basin_is_said_to_be_there() {
        let said = said_at(&Plan::new(Config::default(), 5, 20), 1);
        assert_eq!(said.name, "Inside the basin");
    }

    #[test]
    fn the_storm_climbs_is_lost_and_is_trapped() {
        let plan = Plan::new(Config::default(), 18, 60);
        assert_eq!(said_at(&plan, 1).name, "Climbing");
        assert_eq!(said_at(&plan, 12).name, "Lost");
        assert_eq!(said_at(&plan, 60).name, "Trapped");
    }

    #[test]
    fn the_middle_band_orbits() {
        let said = said_at(&Plan::new(Config::default(), 9, 40), 40);
        assert_eq!(said.name, "Orbiting");
        assert!(said.why.contains("capacity of 3"), "{}", said.why);
    }

    #[test]
    fn a_budget_is_given_as_the_reason_for_draining() {
        let plan = Plan::new(Config::default().with_budget(0), 30, 20);
        let said = said_at(&plan, 3);
        assert_eq!(said.name, "Draining");
        assert!(
            said.why.contains("at most 2 a round can come in"),
            "{}",
            said.why
        );
    }

    #[test]
    fn the_essays_words_are_given_where_they_differ() {
        let note = |q0| {
            let plan = Plan::new(Config::default(), q0, 10);
            let judgement = judge(&plan.config, &plan.config.start(q0, 0), DEFAULT_CAP);
            essay_note(&plan, judgement.verdict)
        };
        assert!(note(7).expect("7 differs").contains("7 recovers"));
        assert!(note(18).expect("18 differs").contains("“doomed”"));
        assert_eq!(note(5), None);
        assert_eq!(note(25), None);
    }

    #[test]
    fn thousands_are_set_apart() {
        for (n, words) in [
            (0_u64, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(grouped(n), words);
        }
    }
}
