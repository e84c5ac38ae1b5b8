//! What is proved of each design under the bounds.

use super::state::State;
use super::words;
use crate::ui::Term;
use engine::breaker::{Fairness, Invariant, Property, Variant};
use leptos::prelude::*;

/// States, invariants and liveness of both designs, from their complete graphs.
#[component]
pub fn Findings(state: State) -> impl IntoView {
    let sizes = move || {
        let [naive, hardened] = Variant::ALL.map(|variant| state.check(variant));
        format!(
            "With these bounds the naive design has {} reachable states, the farthest {} steps away, and the hardened one {}, \
             the farthest {} steps away. All of them were visited.",
            naive.states, naive.depth, hardened.states, hardened.depth
        )
    };
    let invariants = move || {
        Invariant::ALL
            .into_iter()
            .map(|invariant| {
                let cells = Variant::ALL.map(|variant| {
                    let check = state.check(variant);
                    let found = check.invariants.iter().find(|(i, _)| *i == invariant);
                    match found.and_then(|(_, trail)| trail.as_ref()) {
                        None => cell(true, "in every state".into()),
                        Some(trail) => {
                            cell(false, format!("shortest run: {} states", trail.length()))
                        }
                    }
                });
                view! {
                    <tr>
                        <th scope="row">
                            <span class="name">{invariant.name()}</span>
                            <span class="says">{invariant.statement()}</span>
                        </th>
                        {cells.into_iter().collect_view()}
                    </tr>
                }
            })
            .collect_view()
    };
    let liveness = move |fairness| {
        move || {
            Property::ALL
                .into_iter()
                .map(|property| {
                    let cells = Variant::ALL.map(|variant| {
                        let check = state.check(variant);
                        match &check.liveness_of(property, fairness).lasso {
                            None => cell(true, "on every fair run".into()),
                            Some(_) => {
                                cell(false, words::failing(variant, property, fairness).into())
                            }
                        }
                    });
                    view! {
                        <tr>
                            <th scope="row">
                                <span class="name">{property.name()}</span>
                                <span class="says">{property.statement()}</span>
                            </th>
                            {cells.into_iter().collect_view()}
                        </tr>
                    }
                })
                .collect_view()
        }
    };
    let heads = move |of: &'static str| {
        view! {
            <thead>
                <tr>
                    <th scope="col">{of}</th>
                    <th scope="col">"Naive"</th>
                    <th scope="col">"Hardened"</th>
                </tr>
            </thead>
        }
    };
    view! {
        <section class="proved flow" aria-labelledby="findings-title">
            <h2 id="findings-title">"What is proved"</h2>
            <p class="sizes">{sizes}</p>
            <div class="table-scroll" role="region" aria-label="Invariants" tabindex="0">
                <table class="verdicts">{heads("Never broken?")}<tbody>{invariants}</tbody></table>
            </div>
            <h3>"Does every call complete?"</h3>
            <p>
                "That needs an assumption about who keeps moving. Under "
                <Term
                    word="weak fairness"
                    meaning="Whoever can take a step, and goes on being able to, takes one eventually. Here it is assumed of each caller’s next step, whichever it is, and of the clock."
                />
                " nobody who can step waits for ever. In the model only a probe lasts longer than one step, so only a probe can fail to end."
            </p>
            <div class="table-scroll" role="region" aria-label="Liveness under weak fairness" tabindex="0">
                <table class="verdicts">{heads("Under weak fairness")}<tbody>{liveness(Fairness::Weak)}</tbody></table>
            </div>
            <p>
                "Nobody can promise that the breaker closes: that is for whatever it guards to decide. Without any fairness "
                "nothing of this holds, since a run may just stop."
            </p>
            <details>
                <summary>"The same without fairness"</summary>
                <div class="table-scroll" role="region" aria-label="Liveness without fairness" tabindex="0">
                    <table class="verdicts">{heads("Without fairness")}<tbody>{liveness(Fairness::None)}</tbody></table>
                </div>
            </details>
        </section>
    }
}

fn cell(holds: bool, why: String) -> impl IntoView {
    view! {
        <td class:broken=!holds>
            <span class="mark">{if holds { "holds" } else { "violated" }}</span>
            " "
            <span class="says">{why}</span>
        </td>
    }
}
