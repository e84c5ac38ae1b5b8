//! The middle band, and where the essay puts its edge otherwise.

use super::{Differs, GoOn, RunScene, Start, fates, query_of, reason, state};
use crate::pages::Page;
use crate::pages::basin::{essay_note, grouped};
use crate::pages::story::chapter::Chapter;
use crate::pages::story::facts;
use crate::pages::story::predict::Predict;
use crate::pages::story::step::Step;
use engine::retrier_server::{Config, End, Plan, Proof, Verdict};
use leptos::prelude::*;

/// The start that is asked for.
const Q0: u64 = 9;

/// The start that the essay counts to the middle band.
const ESSAYS_FIRST: u64 = 7;

fn plan(q0: u64) -> Plan {
    Plan::new(Config::default(), q0, 40)
}

/// The chapter.
pub fn chapter() -> AnyView {
    let judgement = facts::judged(&plan(Q0));
    let why = reason(&plan(Q0), &judgement);
    let figure = || {
        let state = state(plan(Q0));
        view! { <RunScene state><Start state /></RunScene> }
    };
    view! {
        <Chapter step=Step::Orbits figure=figure>
            <p>
                "Somewhere between the start that drains and the one that may be lost there is an edge. Closer to it, the first "
                "few retries are sent, and the server has some room for them."
            </p>
            <Predict
                step=Step::Orbits
                ask=format!("{Q0} requests are waiting. What holds?")
                choices=fates()
                truth=Signal::stored(facts::fate(&judgement))
                why=why
            >
                <p>{balance()}</p>
                {difference().map(|words| view! { <Differs>{words}</Differs> })}
                <GoOn page=Page::Basin with=query_of(&plan(Q0))>"Open this start on the page of the storm"</GoOn>
            </Predict>
        </Chapter>
    }
    .into_any()
}

/// What holds the orbit in balance, and which starts are in it.
fn balance() -> String {
    let plan = plan(Q0);
    let Config { s, amax, .. } = plan.config;
    let band = facts::band(Verdict::Orbits);
    let held = match facts::judged(&plan).proof {
        Proof::DecidingRuns { most, .. } => match most.end {
            End::Cycle { at, .. } => {
                let flux = plan.config.flux(&at);
                format!(
                    "In each round {amax} new requests and {flux} sent again come in: {} against a capacity of {s}, for as long as full load lasts. ",
                    amax + flux
                )
            }
            _ => String::new(),
        },
        Proof::Explored(_) => String::new(),
    };
    format!(
        "{held}The system is sick without getting worse, and one quiet spell heals it. Only the starts from {} to {} are like this.",
        grouped(band.first),
        grouped(band.last)
    )
}

/// Where the essay puts the edge, if that is not where it is.
fn difference() -> Option<String> {
    let plan = plan(ESSAYS_FIRST);
    let note = essay_note(&plan, facts::judged(&plan).verdict)?;
    let reached = facts::reachable(&plan).map_or_else(String::new, |states| {
        format!(" All of the {states} states that can be reached from there lead home.")
    });
    Some(format!("{note}{reached} Move the start there and see."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn two_arrivals_and_a_retry_match_the_capacity_of_three() {
        let said = balance();
        assert!(
            said.contains("2 new requests and 1 sent again come in: 3 against a capacity of 3"),
            "{said}"
        );
        assert!(said.contains("from 8 to 9"), "{said}");
    }

    #[test]
    fn the_essays_seven_is_said_to_recover_in_21_states() {
        let said = difference().expect("the essay differs");
        assert!(said.contains("middle band of 7 to 9"), "{said}");
        assert!(said.contains("the 21 states"), "{said}");
    }
}
