//! The ledger of promises in the storm: none is broken.

use super::{GoOn, query_of};
use crate::pages::Page;
use crate::pages::story::chapter::Chapter;
use crate::pages::story::facts;
use crate::pages::story::predict::Predict;
use crate::pages::story::step::Step;
use crate::pages::why::{LedgerFigure, Study, at_once, conclusion};
use engine::retrier_server::{Clause, Config, Ledger, Plan};
use leptos::prelude::*;

/// The storm.
fn plan() -> Plan {
    Plan::new(Config::default(), 18, 40)
}

/// The chapter.
pub fn chapter() -> AnyView {
    let plan = plan();
    let run = plan.play().expect("a plan in range");
    let ledger = Ledger::of(&run);
    let config = plan.config;
    let figure = || {
        let study = Study::new();
        study.load(self::plan());
        study.head.go_to(usize::MAX);
        // The storm is short.
        let found = at_once(study);
        let phases = Memo::new(move |_| found.get().unwrap_or_default());
        view! {
            <div class="run why">
                <LedgerFigure study phases />
            </div>
        }
    };
    view! {
        <Chapter step=Step::Contracts figure=figure>
            <p>
                "Back to the storm, and to the question of blame. The clients’ side, the retrier, and the server have each made "
                "promises, and each relies on the other’s."
            </p>
            <ul class="promised">
                <li><strong>"The retrier: "</strong> {Clause::Retries.statement(&config)}</li>
                <li><strong>"The server: "</strong> {Clause::Basin.statement(&config)}</li>
            </ul>
            <Predict
                step=Step::Contracts
                ask=format!("{} waiting, {} rounds of full load, and the storm. Who breaks a promise?", plan.q0, plan.rounds)
                choices=["Nobody", "The retrier", "The server", "Both"].map(str::to_owned).to_vec()
                truth=Signal::stored(Some(who(&ledger)))
                why=conclusion(&plan.config, &ledger, &run)
            >
                <p>
                    "Both promises begin with an “if”. Inside the basin each makes the other’s come true, round after round. "
                    "The shock made both false at once, and then there was nobody left to begin. A promise whose “if” is false is "
                    "kept by doing anything at all."
                </p>
                <p>
                    "So it is with the controllers and the breaker: each part right by itself, and wrong together. No test of a part "
                    "would have found it."
                </p>
                <GoOn page=Page::Why with=query_of(&self::plan())>"Open the ledger on the page of why it fails"</GoOn>
            </Predict>
        </Chapter>
    }
    .into_any()
}

/// Which of the choices is so.
fn who(ledger: &Ledger) -> usize {
    let [retrier, server] = facts::breaches(ledger);
    usize::from(retrier) + 2 * usize::from(server)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::retrier_server::Fault;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn blamed(plan: &Plan) -> usize {
        who(&Ledger::of(&plan.play().expect("a plan in range")))
    }

    #[test]
    fn in_the_storm_nobody_is_to_blame_and_a_faulty_part_is() {
        assert_eq!(blamed(&plan()), 0);
        let with = |fault| {
            let mut plan = plan();
            plan.config.fault = fault;
            blamed(&plan)
        };
        assert_eq!(with(Fault::EagerRetrier), 1);
        assert_eq!(with(Fault::WastefulServer), 2);
    }
}
