//! What the reader can set.

use super::contracts::RunPlayer;
use super::study::Study;
use crate::embed::Control;
use crate::ui::{Number, PresetItem, Presets, Segmented, Toggle};
use engine::retrier_server::{Config, Fault, MAX_PARAMETER, Plan, Service};
use leptos::prelude::*;

/// Most rounds of a run on this page.
pub const MOST_ROUNDS: u64 = 2_000;

type Preset = (&'static str, &'static str, fn() -> Plan);

/// Ready-made runs, each a point about contracts.
const PRESETS: [Preset; 6] = [
    (
        "The storm",
        "18 queued: every promise is kept, and empty",
        || Plan::new(Config::default(), 18, 40),
    ),
    (
        "Inside the basin",
        "5 queued: both conditions hold each other up",
        || Plan::new(Config::default(), 5, 40),
    ),
    (
        "A budget",
        "B = 0: the retrier’s promise loses its “if”",
        || Plan::new(Config::default().with_budget(0), 30, 40),
    ),
    (
        "Fresh first",
        "The server’s promise loses its “if”",
        || Plan {
            qd0: 120,
            ..Plan::new(Config::default().with_fresh_first(), 30, 300)
        },
    ),
    (
        "An eager retrier",
        "It retries inside the threshold, and is named",
        || Plan::new(Config::default().with_fault(Fault::EagerRetrier), 5, 40),
    ),
    (
        "A wasteful server",
        "It leaves capacity idle, and is named",
        || Plan::new(Config::default().with_fault(Fault::WastefulServer), 6, 40),
    ),
];

/// Presets, parameters, fixes and faults.
#[component]
pub fn Controls(study: Study) -> impl IntoView {
    let some = move |controls: &[Control]| {
        let controls = controls.iter().map(|&one| control(study, one));
        view! { <div class="fields">{controls.collect_view()}</div> }
    };
    view! {
        <aside class="controls" aria-label="Settings">
            <details open=true>
                <summary><h2>"Cases"</h2></summary>
                {control(study, Control::Presets)}
            </details>
            <details open=true>
                <summary><h2>"Start and laws"</h2></summary>
                {some(&[
                    Control::Q0,
                    Control::Qd,
                    Control::S,
                    Control::AMax,
                    Control::T,
                    Control::Rounds,
                ])}
            </details>
            <details open=true>
                <summary><h2>"Fixes"</h2></summary>
                {some(&[Control::B, Control::Fixes])}
            </details>
            <details open=true>
                <summary><h2>"A component that breaks its contract"</h2></summary>
                {some(&[Control::Fault])}
            </details>
        </aside>
    }
}

/// One control of the page, if it has it.
pub fn control(study: Study, control: Control) -> Option<AnyView> {
    let one = match control {
        Control::Presets => view! { <Cases study /> }.into_any(),
        Control::Play => view! { <RunPlayer study /> }.into_any(),
        Control::Q0 => view! {
            <Parameter study symbol="Q0" label="fresh requests at the start" slider_max=60
                of=|p| p.q0 set=|p, v| p.q0 = v />
        }
        .into_any(),
        Control::Qd => view! {
            <Parameter study symbol="qd" label="duplicates at the start" slider_max=160
                of=|p| p.qd0 set=|p, v| p.qd0 = v />
        }
        .into_any(),
        Control::S => view! {
            <Parameter study symbol="S" label="capacity" unit="a round" min=1 slider_max=12
                of=|p| p.config.s set=|p, v| p.config.s = v />
        }
        .into_any(),
        Control::AMax => view! {
            <Parameter study symbol="AMax" label="most arrivals" unit="a round" slider_max=12
                of=|p| p.config.amax set=|p, v| p.config.amax = v />
        }
        .into_any(),
        Control::T => view! {
            <Parameter study symbol="T" label="timeout" unit="rounds" min=1 slider_max=8
                of=|p| p.config.t set=|p, v| p.config.t = v />
        }
        .into_any(),
        Control::B => view! { <Budget study /> }.into_any(),
        Control::Fixes => view! { <OtherFixes study /> }.into_any(),
        Control::Fault => view! { <FaultChoice study /> }.into_any(),
        Control::Rounds => view! {
            <Parameter study symbol="" label="Length of the run" unit="rounds" min=1 max=MOST_ROUNDS slider_max=300
                of=|p| p.rounds set=|p, v| p.rounds = v />
        }
        .into_any(),
        _ => return None,
    };
    Some(one)
}

#[component]
fn Cases(study: Study) -> impl IntoView {
    let items = PRESETS
        .iter()
        .map(|&(name, blurb, _)| PresetItem { name, blurb })
        .collect::<Vec<_>>();
    let current = study.part(|plan| PRESETS.iter().position(|preset| (preset.2)() == *plan));
    view! {
        <Presets
            label="Cases"
            items=items
            current=current
            on_pick=move |i: usize| study.load((PRESETS[i].2)())
        />
    }
}

/// The retry budget.
#[component]
fn Budget(study: Study) -> impl IntoView {
    let budget = study.part(|plan| plan.config.budget);
    let on = Signal::derive(move || budget.get().is_some());
    view! {
        <Toggle
            label="Retry budget"
            note="At most B retries, in every state: no “if”."
            value=on
            on_change=move |on: bool| {
                let kept = study.kept_budget.get_untracked();
                // A switch leaves every number as it is.
                let _ = study.propose(|p| p.config.budget = on.then_some(kept));
            }
        />
        <Number
            symbol="B"
            label="most retries"
            unit="a round"
            min=0.0
            max=MAX_PARAMETER as f64
            slider_max=12.0
            disabled=Signal::derive(move || !on.get())
            value=Signal::derive(move || {
                budget.get().unwrap_or_else(|| study.kept_budget.get()) as f64
            })
            on_change=move |b: f64| study.propose(|p| p.config.budget = Some(b as u64))
        />
    }
}

/// Fresh work first, and quiet.
#[component]
fn OtherFixes(study: Study) -> impl IntoView {
    let set = move |change: fn(&mut Config, bool)| {
        move |on: bool| {
            // A switch leaves every number as it is.
            let _ = study.propose(|plan| change(&mut plan.config, on));
        }
    };
    view! {
        <Toggle
            label="Fresh first"
            note="Fresh work is served before duplicates, in every state: no “if”."
            value=study.part(|p| p.config.service == Service::FreshFirst)
            on_change=set(|config, on| {
                config.service = if on { Service::FreshFirst } else { Service::Proportional };
            })
        />
        <Toggle
            label="Quiet"
            note="No new requests arrive; retries keep firing."
            value=study.part(|p| p.config.quiet)
            on_change=set(|config, on| config.quiet = on)
        />
    }
}

/// The component that breaks its contract.
#[component]
fn FaultChoice(study: Study) -> impl IntoView {
    view! {
        <Segmented
            label="Who misbehaves"
            hide_label=true
            options=vec![
                (Fault::None, "Nobody"),
                (Fault::EagerRetrier, "Retrier"),
                (Fault::WastefulServer, "Server"),
            ]
            value=study.part(|p| p.config.fault)
            on_change=move |fault: Fault| {
                let _ = study.propose(|p| p.config.fault = fault);
            }
        />
        <p class="note">
            "The retrier would retry inside the latency threshold; the server would leave one unit of "
            "its capacity idle."
        </p>
    }
}

/// One whole number of the plan.
#[component]
fn Parameter(
    study: Study,
    symbol: &'static str,
    label: &'static str,
    #[prop(optional)] unit: &'static str,
    #[prop(optional)] min: u64,
    #[prop(default = MAX_PARAMETER)] max: u64,
    slider_max: u64,
    of: fn(&Plan) -> u64,
    set: fn(&mut Plan, u64),
) -> impl IntoView {
    view! {
        <Number
            symbol=symbol
            label=label
            unit=unit
            min=min as f64
            max=max as f64
            slider_max=slider_max as f64
            value=study.part(move |plan| of(plan) as f64)
            on_change=move |v: f64| study.propose(|plan| set(plan, v as u64))
        />
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::retrier_server::{Component, Ledger};
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn each_case_makes_its_point() {
        for (name, _, plan) in PRESETS {
            let run = plan().play().expect(name);
            let blamed: Vec<_> = Ledger::of(&run)
                .violations()
                .map(|v| v.clause.owed_by())
                .collect();
            match name {
                "An eager retrier" => assert!(blamed.contains(&Component::Retrier)),
                "A wasteful server" => assert!(blamed.contains(&Component::Server)),
                _ => assert!(blamed.is_empty(), "{name}"),
            }
        }
    }
}
