//! The circuit breaker: two designs on the same schedule, what is proved of each, and the breaker as a retry law.

mod address;
mod bench;
mod diagram;
mod findings;
mod laws;
mod runtime;
mod state;
mod words;

use crate::address::Address;
use crate::embed::{Control, View, alone};
use crate::pages::Page;
use crate::ui::Term;
use bench::{Actions, Bounds, Log, Pair, Stories, control};
use findings::Findings;
use laws::Laws;
use leptos::html;
use leptos::prelude::*;
use runtime::Runtime;

// What the story shows too.
pub(crate) use bench::Lanes;
pub(crate) use state::State;

/// The page.
#[component]
pub fn Breaker() -> impl IntoView {
    let state = State::new();
    Address::get().follow(Page::Breaker, state);
    let stage = NodeRef::<html::Div>::new();
    state.head.sight.watch(stage);
    view! {
        <div class="breaker">
            <header class="intro">
                <h1>"Can two probes slip through one half-open breaker?"</h1>
                <p class="lead">
                    "After too many failures in a row a "
                    <Term
                        word="circuit breaker"
                        meaning="A guard around calls to something that may be failing. Closed, it lets calls through and counts failures in a row; open, it refuses them at once; half-open, it lets one probe through to see whether the other side has recovered."
                    />
                    " opens and refuses calls at once. When its timer has elapsed it is half-open: one probe may ask whether "
                    "the other side is back. The naive design only checks that it is half-open, so two callers can both "
                    "probe. The hardened one also checks, in the same instant, that no probe is in flight. Play both on the "
                    "same schedule, or take the steps yourself."
                </p>
            </header>
            <div class="bench">
                <div class="stage" node_ref=stage>
                    <Lanes state />
                    <Actions state />
                    <Log state />
                </div>
                <aside class="controls" aria-label="Settings">
                    <Stories state />
                    <Bounds state />
                </aside>
            </div>
            <Findings state />
            <Runtime />
            <Laws settings=state.laws />
        </div>
    }
}

/// Both designs alone, the one view that can be.
pub fn embed(_: View, controls: &[Control]) -> AnyView {
    let state = State::new();
    Address::get().follow(Page::Breaker, state);
    let shown = view! { <Pair state /> }.into_any();
    alone("breaker", &[state.head.sight], shown, controls, |one| {
        control(state, one)
    })
}
