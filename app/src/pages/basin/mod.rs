//! The retrier and server: the storm and its basin.

mod address;
mod controls;
mod map;
mod now;
mod presets;
mod proof;
mod proof_panel;
mod schedule;
mod state;
mod storm;
mod words;

use controls::{Controls, control};
use leptos::html;
use leptos::prelude::*;
use proof_panel::ProofPanel;
use state::first_scenario;
use words::count;

use crate::address::Address;
use crate::embed::{Control, View, alone};
use crate::pages::Page;
use crate::ui::Term;

// What the story shows and says too.
pub(crate) use map::Map;
pub(crate) use now::{Now, swatch};
pub(crate) use proof::claims;
pub(crate) use state::State;
pub(crate) use storm::StormFigure;
pub(crate) use words::{essay_note, grouped, healthy_from, verdict};

/// The page.
#[component]
pub fn Basin() -> impl IntoView {
    let state = State::new(first_scenario());
    Address::get().follow(Page::Basin, state);
    let (page, stage) = (NodeRef::<html::Div>::new(), NodeRef::<html::Div>::new());
    state.sight.watch(page);
    state.head.sight.watch(stage);
    view! {
        <div class="basin" node_ref=page>
            <Intro state />
            <div class="bench">
                <div class="stage" node_ref=stage>
                    <Map state />
                    <Now state />
                    <StormFigure state />
                </div>
                <Controls state />
                <ProofPanel state />
            </div>
        </div>
    }
}

/// One view of the page alone.
pub fn embed(view: View, controls: &[Control]) -> AnyView {
    let state = State::new(first_scenario());
    Address::get().follow(Page::Basin, state);
    let shown = match view {
        View::BasinMap => view! { <Map state /> }.into_any(),
        _ => view! { <StormFigure state /> }.into_any(),
    };
    let sights = [state.sight, state.head.sight];
    alone("basin", &sights, shown, controls, |one| control(state, one))
}

/// The question, and the setting in three sentences with the present numbers.
#[component]
fn Intro(state: State) -> impl IntoView {
    let config = state.part(|scenario| scenario.plan.config);
    let s = move || count(config.get().s, "request", "requests");
    let amax = move || grouped(config.get().amax);
    let t = move || count(config.get().t, "round", "rounds");
    let so = move || match config.with(|config| config.amax < config.s) {
        true => ", so a backlog should drain",
        false => ", which can take all of that",
    };
    view! {
        <header class="intro">
            <h1>"Why does a healthy system stay broken after the shock is gone?"</h1>
            <p class="lead">
                "A server can serve " {s} " a round, and at most " {amax} " arrive" {so}
                ". But a client sends again what it has waited on for " {t} ", and these "
                <Term
                    word="duplicates"
                    meaning="Copies of requests that are already waiting. Serving one answers nobody: it is pure waste, yet it takes the same capacity."
                />
                " crowd out the requests they are copies of: past a point, its own retries keep the system down."
            </p>
            <p class="invitation">
                "New to this? "
                <a href=Page::Story.address()>"Read it as a story"</a>
                ": a chapter at a time, and you predict what happens before you see it."
            </p>
            <p class="note">
                "The model is that of the essay “Metastability as a failed conditional discharge of "
                "rely-guarantee composition”. Where the essay and the computation differ, the page shows "
                "what is computed, and says so."
            </p>
        </header>
    }
}
