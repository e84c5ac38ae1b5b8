//! Arrivals stop: up to which start that helps.

use super::{GoOn, RunScene, Start, query_of, state};
use crate::pages::Page;
use crate::pages::story::chapter::Chapter;
use crate::pages::story::facts;
use crate::pages::story::predict::Predict;
use crate::pages::story::step::Step;
use engine::retrier_server::{Config, Plan, Proof, Verdict};
use leptos::prelude::*;

fn plan(q0: u64) -> Plan {
    Plan::new(Config::default().with_quiet(), q0, 80)
}

/// The chapter.
pub fn chapter() -> AnyView {
    let saved = facts::band(Verdict::AtRisk).last;
    let lost = facts::band(Verdict::Doomed).first;
    let figure = move || {
        let state = state(plan(lost));
        view! { <RunScene state><Start state /></RunScene> }
    };
    view! {
        <Chapter step=Step::Quiet figure=figure>
            <p>
                "Then let there be silence. From now on not one new request arrives, ever. There is only what already waits, "
                "and what its owners send again. Nobody could ask for a longer lull."
            </p>
            <Predict
                step=Step::Quiet
                ask=format!("Silence, with {saved} waiting or with {lost}. Which of them recovers?")
                choices=vec!["Both".to_owned(), format!("Only {saved}"), "Neither".to_owned()]
                truth=Signal::stored(which(saved, lost))
                why=why(saved, lost)
            >
                <p>
                    "A single request apart. Retries are sent for what is unanswered, whether or not anything new comes in; past "
                    "the edge they alone keep the server busy with duplicates. To shed load helps, but only in time."
                </p>
                <p class="note">
                    "The essay asks whether silence reaches health once. Here health must also last, which is the stronger claim."
                </p>
                <GoOn page=Page::Basin with=query_of(&plan(lost))>"Open the silence on the page of the storm"</GoOn>
            </Predict>
        </Chapter>
    }
    .into_any()
}

/// Which of the choices is so: both recover, only the first, or neither.
fn which(saved: u64, lost: u64) -> Option<usize> {
    let recovers = |q0| facts::judged(&plan(q0)).stabilizes;
    match (recovers(saved)?, recovers(lost)?) {
        (true, true) => Some(0),
        (true, false) => Some(1),
        (false, false) => Some(2),
        // More work never helps.
        (false, true) => None,
    }
}

fn why(saved: u64, lost: u64) -> String {
    let course = |q0| match facts::judged(&plan(q0)).proof {
        Proof::DecidingRuns { most, .. } => facts::course(&most),
        Proof::Explored(_) => "it was explored".to_owned(),
    };
    format!(
        "From {saved}, {}; from {lost}, {}.",
        course(saved),
        course(lost)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn silence_saves_20_and_not_21() {
        assert_eq!(facts::band(Verdict::AtRisk).last, 20);
        assert_eq!(which(20, 21), Some(1));
        assert_eq!(which(19, 20), Some(0));
        assert_eq!(which(21, 22), Some(2));
        let said = why(20, 21);
        assert!(said.contains("From 20, after round"), "{said}");
        assert!(
            said.contains("from 21, it stays near a backlog of 37 for ever"),
            "{said}"
        );
    }
}
