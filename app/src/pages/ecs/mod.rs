//! The execution control system: why two sensible controllers fail together, and which fix holds.

mod address;
mod controls;
mod diagram;
mod experiments;
mod findings;
mod job_line;
mod now;
mod script;
mod series;
mod state;
mod words;

use controls::{Controls, control};
use diagram::Diagram;
use experiments::Experiments;
use findings::Findings;
use leptos::html;
use leptos::prelude::*;
use now::Now;
use script::ScriptEditor;
use series::Potentials;

// What the story shows too.
pub(crate) use job_line::JobLine;
pub(crate) use now::LaneHead;
pub(crate) use series::{Quantity, Series};
pub(crate) use state::{RunData, Scenario, Side, State};

use crate::address::Address;
use crate::embed::{Control, View, alone};
use crate::later::later;
use crate::pages::Page;
use crate::ui::Term;

/// What the page opens with.
const FIRST: &str = "naive-overload";

/// The page.
#[component]
pub fn Ecs() -> impl IntoView {
    let state = State::new(Scenario::preset(FIRST));
    Address::get().follow(Page::Ecs, state);
    let (page, stage) = (NodeRef::<html::Div>::new(), NodeRef::<html::Div>::new());
    state.sight.watch(page);
    state.head.sight.watch(stage);
    view! {
        <div class="ecs" node_ref=page>
            <Intro />
            <div class="bench">
                <Controls state />
                <div class="stage" node_ref=stage>
                    {later(move || view! { <ScriptEditor state /> <Now state /> }.into_any())}
                    {later(move || lanes(state, run))}
                    <section class="flow">
                        <h2>"Which signal can be trusted?"</h2>
                        <p>
                            "A controller needs a "
                            <Term
                                word="potential function"
                                meaning="A number that says how far the system is from health, and that the controller's own moves are meant to lower."
                            />
                            ". The number of short tasks that wait is one: it is near zero exactly when they are fine. Ticket "
                            "acquisitions are not: a ticket bounds wall-clock time, so more tickets on the same cores are "
                            "acquired more often while each does less. The short queue alone is not one either: a short task "
                            "that was demoted waits in the long queue, where this signal does not look. Shaded are the "
                            "intervals in which one controller's move went with more waiting in the other's queue."
                        </p>
                    </section>
                    {later(move || lanes(state, potentials))}
                    {later(move || view! { <Experiments state /> }.into_any())}
                    {later(move || view! { <Findings state /> }.into_any())}
                </div>
            </div>
        </div>
    }
}

/// Both systems alone, the one view that can be.
pub fn embed(_: View, controls: &[Control]) -> AnyView {
    let state = State::new(Scenario::preset(FIRST));
    Address::get().follow(Page::Ecs, state);
    let sights = [state.sight, state.head.sight];
    alone("ecs", &sights, lanes(state, run), controls, |one| {
        control(state, one)
    })
}

/// Something of each system, side by side.
fn lanes(state: State, view: fn(State, Side) -> AnyView) -> AnyView {
    view! {
        <div class="lanes" class:single=move || !state.runs(Side::B).get()>
            {view(state, Side::A)}
            {move || state.runs(Side::B).get().then(|| view(state, Side::B))}
        </div>
    }
    .into_any()
}

/// What one system does.
fn run(state: State, side: Side) -> AnyView {
    view! {
        <section class="lane" aria-label=format!("System {}", side.letter())>
            <LaneHead state side />
            <Diagram state side />
            <Series state side />
        </section>
    }
    .into_any()
}

/// The potential functions of one system.
fn potentials(state: State, side: Side) -> AnyView {
    view! {
        <section class="lane alone" aria-label=format!("Potential functions of {}", side.letter())>
            <Potentials state side />
        </section>
    }
    .into_any()
}

/// The question, and the setting in three sentences.
#[component]
fn Intro() -> impl IntoView {
    view! {
        <header class="intro">
            <h1>"Why do two sensible controllers fail together, and which fix holds?"</h1>
            <p class="lead">
                "A database answers short queries in milliseconds while long ones want whole seconds of its cores. "
                <Term
                    word="Tickets"
                    meaning="Permits to run for a wall-clock window of 10 ms. A task that is not done by then gives its ticket back and queues again; one that has held tickets for longer than the demotion threshold moves to the long queue."
                />
                " bound how many tasks run at once. Under the naive policy (A) each queue adjusts its own tickets by what "
                "seems to work. A burst of long queries makes them escalate, and when it is over, the short queries stay "
                "starved: clients time out and come again, and the cores work for those who have left. Freezing one "
                "controller and trusting one honest signal (B) goes on answering short queries through the same burst."
            </p>
        </header>
    }
}
