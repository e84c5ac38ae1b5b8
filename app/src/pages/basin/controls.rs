//! What the reader can set.

use super::now::Now;
use super::presets::PRESETS;
use super::schedule::Schedule;
use super::state::State;
use crate::embed::Control;
use crate::pages::gate::GateChoice;
use crate::pages::plan::{Budget, FreshAndQuiet, Parameter, law};
use crate::study::{MAX_MAP, MOST_ROUNDS};
use crate::ui::{MAX_SEED, Number, Presets, Segmented, fresh_id};
use engine::retrier_server::{Arrivals, Step};
use leptos::prelude::*;

/// Seed of the first random run.
const FIRST_SEED: u64 = 1;

/// Presets, parameters, fixes, arrivals and the schedule.
#[component]
pub fn Controls(state: State) -> impl IntoView {
    let some = move |controls: &[Control]| {
        let controls = controls.iter().map(|&one| control(state, one));
        view! { <div class="fields">{controls.collect_view()}</div> }
    };
    view! {
        <aside class="controls" aria-label="Settings">
            <details open=true>
                <summary><h2>"Experiments"</h2></summary>
                {control(state, Control::Presets)}
            </details>
            <details open=true>
                <summary><h2>"Start and laws"</h2></summary>
                {some(&[Control::Q0, Control::S, Control::AMax, Control::T, Control::Qd])}
            </details>
            <details open=true>
                <summary><h2>"Fixes"</h2></summary>
                {some(&[Control::B, Control::Fixes])}
            </details>
            <details open=true>
                <summary><h2>"The run"</h2></summary>
                {some(&[Control::Arrivals, Control::Schedule, Control::Rounds, Control::Map])}
            </details>
        </aside>
    }
}

/// One control of the page, if it has it.
pub fn control(state: State, control: Control) -> Option<AnyView> {
    let plan = state.plan_of();
    let one = match control {
        Control::Presets => view! { <Experiments state /> }.into_any(),
        Control::Play => view! { <Now state /> }.into_any(),
        Control::Q0 => view! {
            <Parameter plan symbol="Q0" label="fresh requests queued at the start" slider_max=60
                of=|p| p.q0 set=|p, v| p.q0 = v />
        }
        .into_any(),
        Control::Qd => view! {
            <Parameter plan symbol="qd" label="duplicates queued at the start" slider_max=160
                of=|p| p.qd0 set=|p, v| p.qd0 = v />
        }
        .into_any(),
        Control::T => {
            let note = Signal::derive(move || {
                let threshold = state.scenario.with(|s| s.plan.config.latency_threshold());
                Some(format!("Retries begin above S × T = {threshold} unanswered."))
            });
            law(plan, control, note.into())?
        }
        Control::B => view! { <BudgetControl state /> }.into_any(),
        Control::Fixes => view! {
            <GateChoice plan />
            <FreshAndQuiet plan about_fresh="The server serves fresh requests before duplicates." />
        }
        .into_any(),
        Control::Arrivals => view! { <ArrivalsChoice state /> }.into_any(),
        Control::Schedule => view! { <Schedule state /> }.into_any(),
        Control::Rounds => view! {
            <Parameter plan symbol="" label="Length of the run" unit="rounds" min=1 max=MOST_ROUNDS slider_max=300
                of=|p| p.rounds set=|p, v| p.rounds = v
                disabled=state.part(|s| matches!(s.plan.arrivals, Arrivals::List(_))) />
        }
        .into_any(),
        Control::Map => view! {
            <Number
                label="Length of the map"
                unit="Q0"
                min=1.0
                max=MAX_MAP as f64
                slider_max=300.0
                value=state.part(|s| s.map_to as f64)
                on_change=move |v: f64| state.propose(|s| s.map_to = v as u64)
            />
        }
        .into_any(),
        _ => law(plan, control, MaybeProp::default())?,
    };
    Some(one)
}

/// The essay's experiments.
#[component]
fn Experiments(state: State) -> impl IntoView {
    let current = state.part(|s| PRESETS.iter().position(|preset| (preset.plan)() == s.plan));
    let pick = move |i: usize| {
        // Presets are in range, as their test shows.
        let _ = state.start(|scenario| scenario.plan = (PRESETS[i].plan)());
    };
    let items = PRESETS.iter().map(|preset| preset.item).collect::<Vec<_>>();
    view! { <Presets label="Experiments" items=items current=current on_pick=pick /> }
}

/// The retry budget, and what it promises.
#[component]
fn BudgetControl(state: State) -> impl IntoView {
    let budget = state.part(|s| s.plan.config.budget);
    let note = Signal::derive(move || {
        let (s, most) = state
            .scenario
            .with(|sc| (sc.plan.config.s, sc.plan.config.most_arrivals()));
        budget.get().map(|b| match most.saturating_add(b) {
            sum if sum < s => format!("AMax + B = {sum} < S = {s}: recovers from every state."),
            sum => format!("AMax + B = {sum}, not below S = {s}: no such promise."),
        })
    });
    let about = "The retrier sends at most B retries a round.";
    view! { <Budget plan=state.plan_of() about note /> }
}

/// A kind of arrivals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Max,
    Zero,
    Random,
    List,
}

impl Kind {
    fn of(arrivals: &Arrivals) -> Self {
        match arrivals {
            Arrivals::Max => Kind::Max,
            Arrivals::Zero => Kind::Zero,
            Arrivals::Random(_) => Kind::Random,
            Arrivals::List(_) => Kind::List,
        }
    }
}

/// What arrives in the run shown: the verdict is over all arrivals whichever is chosen.
#[component]
fn ArrivalsChoice(state: State) -> impl IntoView {
    let kind = state.part(|s| Kind::of(&s.plan.arrivals));
    let choose = move |kind: Kind| {
        let arrivals = match kind {
            Kind::Max => Arrivals::Max,
            Kind::Zero => Arrivals::Zero,
            Kind::Random => Arrivals::Random(FIRST_SEED),
            // What arrived so far, to be changed.
            Kind::List => Arrivals::List(state.run.with_untracked(|run| {
                let steps = run.points().iter().filter_map(|p| match p.step {
                    Step::Retrier { arrivals, .. } => Some(arrivals),
                    _ => None,
                });
                steps.collect()
            })),
        };
        let _ = state.propose(|s| s.plan.arrivals = arrivals);
    };
    view! {
        <div class="arrivals">
            <Segmented
                label="Arrivals in this run (the verdict is over all)"
                options=vec![
                    (Kind::Max, "Most"),
                    (Kind::Zero, "None"),
                    (Kind::Random, "Random"),
                    (Kind::List, "List"),
                ]
                value=kind
                on_change=choose
            />
            {move || match kind.get() {
                Kind::Random => Some(view! { <Seed state /> }.into_any()),
                Kind::List => Some(view! { <List state /> }.into_any()),
                Kind::Max | Kind::Zero => None,
            }}
        </div>
    }
}

#[component]
fn Seed(state: State) -> impl IntoView {
    let seed = state.part(|s| match s.plan.arrivals {
        Arrivals::Random(seed) => seed as f64,
        _ => 0.0,
    });
    view! {
        <Number
            label="Seed"
            min=0.0
            max=MAX_SEED as f64
            slider_max=100.0
            value=seed
            on_change=move |v: f64| state.propose(|s| s.plan.arrivals = Arrivals::Random(v as u64))
        />
    }
}

#[component]
fn List(state: State) -> impl IntoView {
    let id = fresh_id("list");
    let error_id = format!("{id}-error");
    let error = RwSignal::new(None::<String>);
    let draft = RwSignal::new(None::<String>);
    let text = state.part(|s| s.plan.arrivals.to_string());
    let offer = move |text: String| {
        let answer = text
            .parse::<Arrivals>()
            .map_err(|error| error.to_string())
            .and_then(|list| state.propose(|s| s.plan.arrivals = list));
        draft.set(answer.is_err().then_some(text));
        error.set(answer.err());
    };
    view! {
        <div class="list">
            <label for=id.clone()>"Arrivals round by round, such as 0,2,1; the list sets the run’s length"</label>
            <textarea
                id=id
                rows="3"
                spellcheck="false"
                aria-invalid=move || error.with(Option::is_some).then_some("true")
                aria-describedby=error_id.clone()
                prop:value=move || draft.get().unwrap_or_else(|| text.get())
                on:change=move |event| offer(event_target_value(&event))
            ></textarea>
            <p class="field-error" id=error_id role="alert" hidden=move || error.with(Option::is_none)>
                {error}
            </p>
        </div>
    }
}
