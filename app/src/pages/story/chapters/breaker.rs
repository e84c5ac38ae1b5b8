//! The breaker's double probe.

use super::GoOn;
use crate::pages::Page;
use crate::pages::breaker::{Lanes, State};
use crate::pages::story::chapter::Chapter;
use crate::pages::story::facts;
use crate::pages::story::predict::Predict;
use crate::pages::story::step::Step;
use engine::breaker::Check;
use leptos::prelude::*;

/// The chapter.
pub fn chapter() -> AnyView {
    let checks = facts::breakers();
    let config = checks[0].config;
    let figure = || {
        view! {
            <div class="run breaker">
                <Lanes state=State::new() />
            </div>
        }
    };
    view! {
        <Chapter
            step=Step::Breaker
            wide=true
            figure=figure
        >
            <p>
                {format!(
                    "What many systems have against a storm of retries is a circuit breaker. After {} failures in a row it opens, and refuses calls at once. When its timer has elapsed it is half-open, and one probe, a single call, may ask whether the other side is back.",
                    config.max_failures,
                )}
            </p>
            <p>
                "A naive design starts a probe if the breaker is half-open. A hardened one also asks, in the same instant, that no "
                "probe is in flight."
            </p>
            <Predict
                step=Step::Breaker
                ask=format!("{} callers, in whatever order they act. Where can two probes be in flight at once?", config.callers)
                choices=["In neither design", "In the naive design only", "In the hardened design only", "In both"]
                    .map(str::to_owned)
                    .to_vec()
                truth=Signal::stored(Some(where_two_probe(&checks)))
                why=why(&checks)
            >
                <p>
                    "Both callers looked, and both were allowed: the breaker was half-open. Nothing that either did was wrong. "
                    "What was missing is one more question, asked in the same instant. Play it on both designs, step by step."
                </p>
                <GoOn page=Page::Breaker>"Take the steps yourself on the breaker’s page"</GoOn>
            </Predict>
        </Chapter>
    }
    .into_any()
}

/// Which of the choices is so.
fn where_two_probe(checks: &[Check; 2]) -> usize {
    let [naive, hardened] = checks
        .each_ref()
        .map(|check| facts::double_probe(check).is_some());
    usize::from(naive) + 2 * usize::from(hardened)
}

fn why(checks: &[Check; 2]) -> String {
    let told = checks.each_ref().map(|check| {
        let name = check.config.variant.name();
        match facts::double_probe(check) {
            Some(states) => format!(
                "The {name} design has {} reachable states, and a run of {states} states, the first one counted, that ends in two probes.",
                check.states
            ),
            None => format!(
                "The {name} one has {}, and none of them holds two probes.",
                check.states
            ),
        }
    });
    told.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn two_probes_are_in_flight_in_the_naive_design_only() {
        let checks = facts::breakers();
        assert_eq!(where_two_probe(&checks), 1);
        assert_eq!(
            why(&checks),
            "The naive design has 9 reachable states, and a run of 8 states, the first one counted, that ends in two probes. The hardened one has 8, and none of them holds two probes."
        );
    }
}
