//! What proves the verdict, on the page.

use super::proof::{as_text, claims};
use super::state::State;
use crate::ui::CopyButton;
use leptos::prelude::*;

/// The findings and the proof.
#[component]
pub fn ProofPanel(state: State) -> impl IntoView {
    let config = state.part(|scenario| scenario.plan.config);
    let findings = move || {
        let Some(found) = state.judgement.get() else {
            return Vec::new();
        };
        let said = |finding: Option<bool>| match finding {
            Some(true) => "yes",
            Some(false) => "no",
            None => "not proved",
        };
        vec![
            ("Recovers whatever arrives", said(found.stabilizes)),
            ("Recovers if arrivals stop", said(found.quiet_recovers)),
            ("Can recover at all", said(found.can_recover)),
            ("Can fall into the trap", said(found.trap_reachable)),
        ]
    };
    let text = move || {
        let judgement = state.judgement.get_untracked();
        state
            .scenario
            .with_untracked(|s| judgement.map(|found| as_text(&s.plan, &found)))
            .unwrap_or_default()
    };
    let shown = move || {
        let judgement = state.judgement.get();
        judgement
            .map(|found| claims(&config.get(), &found))
            .unwrap_or_default()
    };
    view! {
        <section class="proof" aria-labelledby="proof-title">
            <div class="title">
                <h3 id="proof-title">"What proves this"</h3>
                <CopyButton label="Copy the proof" text=text />
            </div>
            <dl class="findings">
                {move || {
                    findings()
                        .into_iter()
                        .map(|(what, said)| view! { <div><dt>{what}</dt><dd>{said}</dd></div> })
                        .collect_view()
                }}
            </dl>
            <ol class="claims">
                {move || {
                    shown()
                        .into_iter()
                        .map(|claim| view! { <li><strong>{claim.claim}</strong> " " {claim.shown}</li> })
                        .collect_view()
                }}
            </ol>
        </section>
    }
}
