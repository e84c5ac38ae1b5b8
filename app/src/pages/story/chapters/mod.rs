//! The chapters, a file each, and what several of them use.

pub mod admission;
pub mod breaker;
pub mod budget;
pub mod contracts;
pub mod drain;
pub mod ending;
pub mod escalation;
pub mod fresh_first;
pub mod metric;
pub mod orbits;
pub mod quiet;
pub mod shock;
pub mod trap;

use super::facts::{self, FATES};
use crate::pages::Page;
use crate::pages::basin::{Now, State, StormFigure, claims, swatch, verdict};
use crate::pages::ecs::{self, LaneHead, Quantity, Series, Side};
use crate::plots::timeline::figure;
use crate::study::Scenario;
use crate::ui::Number;
use engine::ecs::presets;
use engine::query::QueryWriter;
use engine::retrier_server::{Judgement, Plan, Verdict};
use leptos::html;
use leptos::prelude::*;

/// Pixels high of a run.
const RUN_HEIGHT: f64 = 440.0;

/// Where a start can lead, as choices.
fn fates() -> Vec<String> {
    let words = FATES.map(|fate| match fate {
        Verdict::Recovers => "It recovers: whatever arrives, the queue drains and stays drained",
        Verdict::Orbits => "It orbits: under full load it neither drains nor explodes",
        Verdict::AtRisk => {
            "It may be trapped: full load can drive it where no run returns; a lull in time saves it"
        }
        Verdict::Doomed => "It is doomed: nothing that arrives, or fails to arrive, saves it",
        Verdict::Unknown => "It is not known",
    });
    words.map(str::to_owned).to_vec()
}

/// Why a start has its verdict.
fn reason(plan: &Plan, judgement: &Judgement) -> String {
    let said = verdict(&plan.config, judgement);
    format!("{} {}", said.why, facts::courses(judgement))
}

/// What proves a verdict, to be opened.
#[component]
fn Proof(plan: Plan, judgement: Judgement) -> impl IntoView {
    view! {
        <details class="proved">
            <summary>"What proves it"</summary>
            <ol>
                {claims(&plan.config, &judgement)
                    .into_iter()
                    .map(|claim| view! { <li><strong>{claim.claim}</strong> " " {claim.shown}</li> })
                    .collect_view()}
            </ol>
        </details>
    }
}

/// The state of a run shown in the story.
fn state(plan: Plan) -> State {
    State::new(Scenario {
        plan,
        map_to: facts::MAP_TO,
    })
}

/// A run, what it is doing, and what can be moved in it.
#[component]
fn RunScene(
    state: State,
    /// What can be moved.
    children: Children,
) -> impl IntoView {
    let run = NodeRef::<html::Div>::new();
    state.sight.watch(run);
    state.head.sight.watch(run);
    view! {
        <div class="run" node_ref=run>
            <div class="moved">{children()} <VerdictNow state /></div>
            <StormFigure state height=RUN_HEIGHT />
            <Now state />
        </div>
    }
}

/// The verdict on what is set now.
#[component]
fn VerdictNow(state: State) -> impl IntoView {
    let config = state.part(|scenario| scenario.plan.config);
    move || {
        let judgement = state.judgement.get()?;
        let (class, letter) = swatch(judgement.verdict);
        let said = verdict(&config.get(), &judgement);
        Some(view! {
            <p class="verdict-now" role="status">
                <span class=class aria-hidden="true">{letter}</span>
                <span><strong>{said.name}</strong> ". " {said.why}</span>
            </p>
        })
    }
}

/// The number of requests that wait at the start, to be moved.
#[component]
fn Start(state: State) -> impl IntoView {
    view! {
        <Number
            symbol="Q0"
            label="requests waiting at the start"
            min=0.0
            max=facts::MAP_TO as f64
            value=state.part(|scenario| scenario.plan.q0 as f64)
            on_change=move |q0: f64| state.propose(|scenario| scenario.plan.q0 = q0 as u64)
        />
    }
}

/// Where to go on from a chapter with the very scenario.
#[component]
fn GoOn(
    page: Page,
    /// What is taken along, as the part of an address after the page's name.
    #[prop(optional, into)]
    with: Option<String>,
    /// What the link says.
    children: Children,
) -> impl IntoView {
    let address = match with {
        Some(query) => format!("{}?{query}", page.address()),
        None => page.address(),
    };
    view! { <p class="go-on"><a href=address>{children()}</a></p> }
}

/// A run as part of an address.
fn query_of(plan: &Plan) -> String {
    let mut query = QueryWriter::default();
    plan.write(&mut query);
    query.finish()
}

/// A system as part of an address.
fn query_of_system(config: &engine::ecs::Config) -> String {
    let mut query = QueryWriter::default();
    config.write(&mut query);
    query.finish()
}

/// A preset of the execution control system.
fn preset(name: &str) -> engine::ecs::Config {
    presets::named(name).expect("a preset of the engine").config
}

/// Answers a second, where there are any to tell of.
fn rate(goodput: Option<f64>) -> String {
    goodput.map_or_else(|| "–".to_owned(), figure)
}

/// Two systems side by side on the same arrivals.
#[component]
fn BothLanes(
    state: ecs::State,
    /// What is plotted of each.
    shown: &'static [Quantity],
) -> impl IntoView {
    view! {
        <div class="lanes">
            {Side::ALL
                .into_iter()
                .map(|side| {
                    view! {
                        <section class="lane" aria-label=format!("System {}", side.letter())>
                            <LaneHead state side />
                            <Series state side shown />
                        </section>
                    }
                })
                .collect_view()}
        </div>
    }
}

/// Where an essay and the computation differ.
#[component]
fn Differs(children: Children) -> impl IntoView {
    view! {
        <aside class="differs" aria-label="Where the essay and the computation differ">
            <p>{children()}</p>
        </aside>
    }
}
