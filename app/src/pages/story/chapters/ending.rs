//! Which promise to strengthen, how the reader did, and where to go on.

use super::{GoOn, query_of};
use crate::pages::Page;
use crate::pages::story::chapter::Chapter;
use crate::pages::story::predict::Predictions;
use crate::pages::story::step::Step;
use crate::ui::{Button, focus};
use engine::retrier_server::{Clause, Config, Plan};
use leptos::prelude::*;

/// The chapter.
pub fn chapter() -> AnyView {
    let predictions = Predictions::get();
    let said = move || predictions.tally().said();
    let again = move || {
        predictions.forget();
        focus(&format!("#{}-title", Step::Drain.id()));
    };
    let storm = |config: Config| Plan::new(config, 18, 60);
    let budget = storm(Config::default().with_budget(0));
    let fresh = storm(Config::default().with_fresh_first());
    view! {
        <Chapter step=Step::Ending>
            <p>
                "To find the culprit is to ask the wrong question. Ask which promise was too weak: the one with an “if” that a "
                "shock can make false. A fix takes the “if” away."
            </p>
            <ul class="promised">
                <li>
                    <strong>"The retrier, with a budget: "</strong>
                    {Clause::Retries.statement(&budget.config)}
                    {condition(Clause::Retries, &budget.config)}
                    " It is safe while the clients’ new requests and budgets together stay below the capacity."
                </li>
                <li>
                    <strong>"The server, with fresh work first: "</strong>
                    {Clause::Basin.statement(&fresh.config)}
                    {condition(Clause::Basin, &fresh.config)}
                    " It asks nothing of the clients but that their new requests stay below the capacity."
                </li>
                <li>
                    <strong>"The execution control: "</strong>
                    "one controller fewer, and a signal that churn cannot fake: whether anyone waits."
                </li>
                <li>
                    <strong>"The breaker: "</strong>
                    "a probe starts only if none is in flight, asked and done in one step."
                </li>
            </ul>
            <div class="tally">
                <p class="says" role="status" data-tally="">{said}</p>
                <Button on_press=again>"Forget my predictions and begin again"</Button>
            </div>
            <h3>"Where to go on"</h3>
            <ul class="onward">
                <li>
                    <GoOn page=Page::Basin with=query_of(&budget)>"The storm, with a budget of 0"</GoOn>
                    <p class="note">"Shocks and fixes in mid-run, every start on one map, and what proves each verdict."</p>
                </li>
                <li>
                    <GoOn page=Page::Basin with=query_of(&fresh)>"The storm, with fresh work first"</GoOn>
                    <p class="note">"The other fix, from the same start."</p>
                </li>
                <li>
                    <GoOn page=Page::Why>"Why it fails"</GoOn>
                    <p class="note">"Contracts step by step, shortest counterexamples, maps over two parameters, many clients."</p>
                </li>
                <li>
                    <GoOn page=Page::Ecs>"Two controllers"</GoOn>
                    <p class="note">"Other bursts, other policies, many seeds, and where each defence wins."</p>
                </li>
                <li>
                    <GoOn page=Page::Breaker>"The circuit breaker"</GoOn>
                    <p class="note">"The breaker by hand, and as a retry law."</p>
                </li>
            </ul>
        </Chapter>
    }
    .into_any()
}

/// The "if" that a promise has left, or that it has none.
fn condition(clause: Clause, config: &Config) -> String {
    match clause.condition(config) {
        Some(condition) => format!(" If {condition}."),
        None => " No “if” is left.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn each_fix_takes_the_if_of_its_own_promise_away() {
        let plain = Config::default();
        for (clause, fixed) in [
            (Clause::Retries, plain.with_budget(0)),
            (Clause::Basin, plain.with_fresh_first()),
        ] {
            assert!(condition(clause, &plain).starts_with(" If "));
            assert_eq!(condition(clause, &fixed), " No “if” is left.");
        }
    }
}
