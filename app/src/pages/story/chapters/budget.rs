//! A budget for retries, and why the inequality is strict.

use super::{GoOn, RunScene, fates, query_of, reason, state};
use crate::pages::Page;
use crate::pages::basin::grouped;
use crate::pages::story::chapter::Chapter;
use crate::pages::story::facts;
use crate::pages::story::predict::Predict;
use crate::pages::story::step::Step;
use crate::ui::{Number, Table};
use engine::retrier_server::{Config, Plan};
use leptos::prelude::*;

/// A start from which, without a budget, nothing recovers.
const Q0: u64 = 30;

/// The largest budget that is compared and can be set.
const MOST: u64 = 6;

fn plan(budget: u64) -> Plan {
    Plan::new(Config::default().with_budget(budget), Q0, 60)
}

/// The budget that leaves no room.
fn full() -> u64 {
    let Config { s, amax, .. } = Config::default();
    s - amax
}

/// The chapter.
pub fn chapter() -> AnyView {
    let budget = full();
    let Config { s, amax, .. } = Config::default();
    let judgement = facts::judged(&plan(budget));
    let why = reason(&plan(budget), &judgement);
    let figure = move || {
        let state = state(plan(budget));
        view! {
            <RunScene state>
                <Number
                    symbol="B"
                    label="most retries"
                    unit="a round"
                    min=0.0
                    max=MOST as f64
                    value=state.part(|s| s.plan.config.budget.unwrap_or(0) as f64)
                    on_change=move |b: f64| state.propose(|s| s.plan.config.budget = Some(b as u64))
                />
            </RunScene>
        }
    };
    view! {
        <Chapter step=Step::Budget figure=figure>
            <p>
                "So something must change in what the parts promise. The clients could promise more: at most "
                <em>"B"</em> " retries a round, however many requests are unanswered."
            </p>
            <p>{without()}</p>
            <Predict
                step=Step::Budget
                ask=format!(
                    "{Q0} waiting and a budget of B = {budget}, so that {amax} + {budget} = {} may come in and {s} go out. What holds?",
                    amax + budget,
                )
                choices=fates()
                truth=Signal::stored(facts::fate(&judgement))
                why=why
            >
                <p>
                    "To break even is not enough to heal: what waits goes on waiting. AMax + B must be below S, strictly. Then more goes out than can come in, in every state, and there is no start from which it fails."
                </p>
                <Table label="Budgets compared" heads=heads() rows=rows() />
                <GoOn page=Page::Basin with=query_of(&plan(budget))>"Open this budget on the page of the storm"</GoOn>
            </Predict>
        </Chapter>
    }
    .into_any()
}

/// What becomes of the start without any retry.
fn without() -> String {
    let Config { s, amax, .. } = Config::default();
    let plan = plan(0);
    format!(
        "Take a start that is past saving, {Q0}, and allow no retry at all: {amax} + 0 come in at most, {s} go out. {}",
        facts::courses(&facts::judged(&plan))
    )
}

fn heads() -> Vec<String> {
    ["B", "AMax + B", "From Q0", "Verdict"]
        .map(str::to_owned)
        .to_vec()
}

/// The first few budgets: how much may come in, and the verdict.
fn rows() -> Vec<(Vec<String>, bool)> {
    (0..=full() + 2)
        .map(|budget| {
            let plan = plan(budget);
            let Config { s, amax, .. } = plan.config;
            let inflow = amax + budget;
            let sign = match inflow.cmp(&s) {
                std::cmp::Ordering::Less => "<",
                std::cmp::Ordering::Equal => "=",
                std::cmp::Ordering::Greater => ">",
            };
            let cells = vec![
                budget.to_string(),
                format!("{inflow} {sign} {s}"),
                grouped(Q0),
                facts::judged(&plan).verdict.name().to_owned(),
            ];
            (cells, budget == full())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::retrier_server::Verdict;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn no_budget_recovers_and_one_that_leaves_no_room_does_not() {
        assert_eq!(full(), 1);
        let verdict = |budget| facts::judged(&plan(budget)).verdict;
        assert_eq!(verdict(0), Verdict::Recovers);
        assert_eq!(verdict(1), Verdict::Orbits);
        assert_ne!(verdict(2), Verdict::Recovers);
        assert!(without().contains("2 + 0 come in at most, 3 go out"));
        let told: Vec<_> = rows()
            .into_iter()
            .map(|(cells, _)| cells[3].clone())
            .collect();
        assert_eq!(told[..2], ["recovers", "orbits"]);
    }
}
