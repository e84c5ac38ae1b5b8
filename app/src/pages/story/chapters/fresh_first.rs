//! The server's own fix: fresh work first, from the deepest corner of the trap.

use super::{GoOn, RunScene, query_of, state};
use crate::pages::Page;
use crate::pages::basin::grouped;
use crate::pages::story::chapter::Chapter;
use crate::pages::story::facts;
use crate::pages::story::predict::Predict;
use crate::pages::story::step::Step;
use crate::ui::Toggle;
use engine::retrier_server::{Config, Plan};
use leptos::prelude::*;

fn plan() -> Plan {
    Plan {
        qd0: 120,
        ..Plan::new(Config::default().with_fresh_first(), 30, 320)
    }
}

/// Rounds to health with no arrivals, and at most arrivals.
fn rounds() -> (Option<u64>, Option<u64>) {
    let plan = plan();
    (
        facts::rounds_to_good(&plan, 0),
        facts::rounds_to_good(&plan, plan.config.amax),
    )
}

/// The chapter.
pub fn chapter() -> AnyView {
    let Config { amax, .. } = Config::default();
    let figure = || {
        let state = state(plan());
        view! {
            <RunScene state>
                <Toggle
                    label="Quiet"
                    note="No new requests arrive; retries keep firing."
                    value=state.part(|s| s.plan.config.quiet)
                    on_change=move |on: bool| {
                        // A switch leaves every number as it is.
                        let _ = state.propose(|s| s.plan.config.quiet = on);
                    }
                />
            </RunScene>
        }
    };
    view! {
        <Chapter step=Step::FreshFirst figure=figure>
            <p>
                "The server could promise more, too. Let it serve fresh requests before duplicates, and ask nothing of the "
                "clients at all."
            </p>
            <p>{corner()}</p>
            <Predict
                step=Step::FreshFirst
                ask=format!("And while the most there can be arrives, {amax} new requests in every round?")
                choices=["It never recovers", "It takes less than twice as long", "It takes two to four times as long", "It takes more than four times as long"]
                    .map(str::to_owned)
                    .to_vec()
                truth=Signal::stored(how_long())
                why=why()
            >
                <p>
                    "First the fresh requests are worked off; answers flow, the clients’ count of the unanswered falls, and the "
                    "retries die out. What is left of the capacity then works off the duplicates. The fix needs nothing from "
                    "anybody else, however many clients there are, as long as their new requests together stay below the capacity."
                </p>
                <GoOn page=Page::Basin with=query_of(&plan())>"Open this start on the page of the storm"</GoOn>
            </Predict>
        </Chapter>
    }
    .into_any()
}

/// The start, and how long it takes without arrivals.
fn corner() -> String {
    let fixed = plan();
    let shared = Plan {
        config: Config::default(),
        ..fixed.clone()
    };
    let there = if facts::is_trapped(&shared) {
        "deep in the trap: while the server shared its capacity out, no run would leave it"
    } else {
        "far out"
    };
    let took = match rounds().0 {
        Some(rounds) => format!(
            "it is healthy in {} rounds (the essay says about 70)",
            grouped(rounds)
        ),
        None => "it does not recover".to_owned(),
    };
    format!(
        "Begin with {} fresh requests and {} duplicates, {there}. With fresh work first and no new arrivals, {took}.",
        grouped(fixed.q0),
        grouped(fixed.qd0),
    )
}

/// Which of the choices is so.
fn how_long() -> Option<usize> {
    match rounds() {
        (Some(_), None) => Some(0),
        (Some(none), Some(most)) if most < 2 * none => Some(1),
        (Some(none), Some(most)) if most <= 4 * none => Some(2),
        (Some(_), Some(_)) => Some(3),
        (None, _) => None,
    }
}

fn why() -> String {
    let Config { s, amax, .. } = Config::default();
    match rounds() {
        (Some(none), Some(most)) => format!(
            "{} rounds, against {} with no arrivals. New requests take {amax} of the {s} served a round, and only {} is left for what waits.",
            grouped(most),
            grouped(none),
            s - amax
        ),
        _ => "It was not followed to its end.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_corner_takes_66_rounds_and_289_under_full_load() {
        assert!(corner().contains("healthy in 66 rounds"), "{}", corner());
        assert!(corner().contains("deep in the trap"), "{}", corner());
        assert_eq!(how_long(), Some(3));
        assert!(why().starts_with("289 rounds, against 66"), "{}", why());
    }
}
