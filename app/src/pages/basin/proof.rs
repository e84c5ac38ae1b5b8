//! What proves a verdict, in words and figures that can be taken elsewhere.

use super::words::{grouped, healthy_from};
use crate::text::capitalised;
use engine::retrier_server::{
    Config, DecidingRun, Drain, End, Exploration, Gate, Judgement, Plan, Proof, Service, State,
};

/// One step of a proof: what is claimed, and what shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// What is claimed.
    pub claim: String,
    /// What shows it.
    pub shown: String,
}

/// The proof of `judgement`, as claims in order.
#[must_use]
pub fn claims(config: &Config, judgement: &Judgement) -> Vec<Claim> {
    match judgement.proof {
        Proof::DecidingRuns { most, quiet } => {
            let arrivals = grouped(most.arrivals);
            let (claim, shown, which) = match most.arrivals {
                0 => (
                    "One run decides it.",
                    "Nothing arrives, so there is no other.".to_owned(),
                    "With no arrivals".to_owned(),
                ),
                _ => (
                    "Two runs decide it.",
                    format!(
                        "More work never helps: with more fresh requests, more duplicates or more arrivals, neither queue ends a round lower. So every run lies between the one with {arrivals} arrivals in every round and the one with none."
                    ),
                    format!("With {arrivals} arrivals in every round"),
                ),
            };
            let claim = claim.to_owned();
            let mut claims = vec![Claim { claim, shown }];
            claims.push(end(config, &most, &which));
            if let (Some((round, at)), End::Climb { .. } | End::Cycle { .. }) =
                (most.trap_entry, most.end)
            {
                claims.push(Claim {
                    claim: "That run enters the trap.".to_owned(),
                    shown: format!(
                        "At round {} it is inside, with {}; no run leaves it.",
                        grouped(round),
                        queues(&at)
                    ),
                });
            }
            if most.arrivals > 0 {
                claims.push(end(config, &quiet, "With no arrivals"));
            }
            claims
        }
        Proof::Explored(found) => vec![explored(&found)],
    }
}

/// The whole proof as plain text: configuration, start, verdict, claims.
#[must_use]
pub fn as_text(plan: &Plan, judgement: &Judgement) -> String {
    let mut text = format!(
        "{}; start qf = p = {}, qd = {}.\nVerdict: {}.\n",
        laws(&plan.config),
        plan.q0,
        plan.qd0,
        judgement.verdict
    );
    for (i, claim) in claims(&plan.config, judgement).iter().enumerate() {
        text += &format!("{}. {} {}\n", i + 1, claim.claim, claim.shown);
    }
    text
}

/// The parameters and laws in a line.
#[must_use]
pub fn laws(config: &Config) -> String {
    let mut text = format!("S = {}, AMax = {}, T = {}", config.s, config.amax, config.t);
    if let Some(budget) = config.budget {
        text += &format!(", retry budget B = {budget}");
    }
    if config.service == Service::FreshFirst {
        text += ", fresh first";
    }
    if config.quiet {
        text += ", quiet";
    }
    text
}

fn queues(state: &State) -> String {
    format!("qf = {} and qd = {}", grouped(state.qf), grouped(state.qd))
}

fn end(config: &Config, run: &DecidingRun, which: &str) -> Claim {
    let settled =
        healthy_from(run).map_or_else(String::new, |words| format!("{}.", capitalised(&words)));
    let (comes_to, shown) = match run.end {
        End::Cycle {
            at,
            round,
            length,
            good: true,
        } => (
            "it ends healthy",
            format!(
                "{settled} At round {} it stands at {} and then repeats itself every {}, every state of the cycle within the {} that count as healthy.",
                grouped(round),
                queues(&at),
                rounds(length),
                grouped(config.s + config.amax)
            ),
        ),
        End::Cycle {
            at,
            round,
            length,
            good: false,
        } => (
            "it goes round for ever and is never healthy for good",
            format!(
                "At round {} it stands at {} and then repeats itself every {}; a state of that cycle is above the {} that count as healthy.",
                grouped(round),
                queues(&at),
                rounds(length),
                grouped(config.s + config.amax)
            ),
        ),
        End::Climb {
            from_round,
            from,
            to_round,
            to,
        } => (
            "it climbs without bound",
            format!(
                "At round {} it stands at {}, at or above where it stood at round {} ({}), the server at full capacity in between. More work never helps, so each such stretch adds at least as much again.",
                grouped(to_round),
                queues(&to),
                grouped(from_round),
                queues(&from)
            ),
        ),
        End::Trap { region, round, at } => (
            "it enters the trap",
            format!(
                "At round {} it stands at {}, inside the region qf ≥ {}, qd ≥ {} × qf. There at least {} retries a round are due, so qd grows by more than the fresh queue can, and the fresh share of {} served rounds down to 0: no round leaves the region, and no state in it is healthy.",
                grouped(round),
                queues(&at),
                grouped(region.qf_min),
                grouped(region.ratio),
                grouped(u128::from(config.s) * (u128::from(region.arrivals) + 1)),
                grouped(config.s)
            ),
        ),
        End::Overflows { round, at, .. } => (
            "it grows without bound",
            format!(
                "At round {} it stands at {}. {}",
                grouped(round),
                queues(&at),
                match config.gate {
                    Gate::TokenBucket(_) =>
                        "From there every token is spent as it is earned, and what is served earns retries faster than the capacity that arrivals leave can serve them.",
                    Gate::Breaker(_) | Gate::None =>
                        "Arrivals take all that the server can do, retries stay due for ever, and every probe of the breaker adds to the backlog.",
                }
            ),
        ),
        End::Drains { reason, at, round } => (
            "it drains",
            format!(
                "At round {}, with {}, {}.",
                grouped(round),
                queues(&at),
                match reason {
                    Drain::BudgetBelowCapacity =>
                        "arrivals and retry budget together are below the capacity in every state, so the backlog falls until it is healthy",
                    Drain::FreshFirst =>
                        "fresh work is served first and arrivals are below the capacity, so the fresh queue empties, then retries stop, then the duplicates go",
                    Drain::InsideThreshold =>
                        "the backlog is too small for any retry to be due, and arrivals are below the capacity",
                    Drain::NothingArrives =>
                        "nothing arrives and the fresh queue is too small for any retry to be due, so both queues only shrink",
                }
            ),
        ),
        End::Saturated { grows, at, round } => (
            match grows {
                Some(true) => "it grows without bound",
                Some(false) => "its backlog never falls",
                None => "its backlog never falls, though whether it grows is not proved",
            },
            format!(
                "At round {} it stands at {}, and arrivals alone take all that the server can do, so a backlog that is not healthy stays so.",
                grouped(round),
                queues(&at)
            ),
        ),
        End::Unsettled => (
            "its end is not proved",
            format!(
                "It was followed for {} without an end that proves anything.",
                rounds(run.rounds)
            ),
        ),
    };
    Claim {
        claim: format!("{which}, {comes_to}."),
        shown,
    }
}

fn rounds(n: u64) -> String {
    if n == 1 {
        "round".to_owned()
    } else {
        format!("{} rounds", grouped(n))
    }
}

fn explored(found: &Exploration) -> Claim {
    Claim {
        claim: if found.complete {
            "Every run was explored."
        } else {
            "Runs were explored up to a cap."
        }
        .to_owned(),
        shown: format!(
            "{} states are reachable with a backlog of at most {}{}.",
            grouped(found.states as u64),
            grouped(found.cap),
            if found.complete {
                ", and none beyond it"
            } else {
                "; some lie beyond it"
            }
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::retrier_server::{DEFAULT_CAP, judge};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn text(config: Config, q0: u64) -> String {
        let plan = Plan::new(config, q0, 10);
        as_text(&plan, &judge(&config, &config.start(q0, 0), DEFAULT_CAP))
    }

    #[test]
    fn the_storms_proof_names_both_runs_and_the_way_up() {
        let text = text(Config::default(), 18);
        assert!(
            text.starts_with(
                "S = 3, AMax = 2, T = 2; start qf = p = 18, qd = 0.\nVerdict: at risk."
            ),
            "{text}"
        );
        assert!(
            text.contains("With 2 arrivals in every round, it climbs without bound."),
            "{text}"
        );
        assert!(text.contains("That run enters the trap."), "{text}");
        assert!(
            text.contains("With no arrivals, it ends healthy."),
            "{text}"
        );
    }

    #[test]
    fn an_orbits_proof_shows_the_cycle() {
        let text = text(Config::default(), 9);
        assert!(text.contains("goes round for ever"), "{text}");
    }

    #[test]
    fn quiet_has_but_one_run() {
        let text = text(Config::default().with_quiet(), 15);
        assert_eq!(
            text.matches("\n1. ").count() + text.matches("\n2. ").count(),
            2,
            "{text}"
        );
        assert!(!text.contains("\n3. "), "{text}");
    }
}
