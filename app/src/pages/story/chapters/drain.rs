//! A small backlog drains, and nothing is sent twice.

use super::{GoOn, RunScene, Start, query_of, state};
use crate::pages::Page;
use crate::pages::basin::grouped;
use crate::pages::story::chapter::Chapter;
use crate::pages::story::facts;
use crate::pages::story::step::Step;
use engine::retrier_server::{Config, Plan};
use leptos::prelude::*;

/// The start inside the basin.
const Q0: u64 = 5;

/// The scenario.
fn plan() -> Plan {
    Plan::new(Config::default(), Q0, 20)
}

/// The chapter.
pub fn chapter() -> AnyView {
    let Config { s, amax, t, .. } = Config::default();
    let threshold = Config::default().latency_threshold();
    let figure = || {
        let state = state(plan());
        view! { <RunScene state><Start state /></RunScene> }
    };
    view! {
        <Chapter step=Step::Drain figure=figure>
            <p>
                {format!(
                    "A server answers at most {s} requests a round. Its clients send at most {amax} new ones. So there is always room to spare, and whatever waits ought to be worked off.",
                )}
            </p>
            <p>
                {format!(
                    "Clients are impatient. What has waited for longer than {t} rounds is sent again, though the first copy is still in the queue. The server cannot tell the two apart, and serving a duplicate answers nobody. All that the clients see is how many of their requests are unanswered; up to {s} × {t} = {threshold} of them, they send nothing twice.",
                )}
            </p>
            <p>{told()}</p>
            <GoOn page=Page::Basin with=query_of(&plan())>"Open this start on the page of the storm"</GoOn>
        </Chapter>
    }
    .into_any()
}

/// What comes of it.
fn told() -> String {
    let plan = plan();
    let good = plan.config.s + plan.config.amax;
    let run = plan.play().expect("a plan in range");
    let retries = match facts::retries(&run) {
        0 => "not one retry is sent".to_owned(),
        sent => format!("{} retries are sent", grouped(sent)),
    };
    let reached = facts::reachable(&plan).map_or_else(String::new, |states| {
        format!(" Whatever arrives, only {states} states can be reached, and every way through them ends there.")
    });
    format!(
        "Say that {Q0} are waiting when we first look: a small shock, already over. In the run shown, with the most there can be arriving in every round, {retries}. {} Healthy means a backlog of at most {good}, for good.{reached}",
        facts::courses(&facts::judged(&plan)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn from_five_nothing_is_retried_and_all_17_states_lead_home() {
        let told = told();
        assert!(told.contains("not one retry is sent"), "{told}");
        assert!(told.contains("only 17 states"), "{told}");
        assert!(told.contains("at most 5, for good"), "{told}");
    }
}
