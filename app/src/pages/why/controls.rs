//! What the reader can set.

use super::contracts::RunPlayer;
use super::study::Study;
use crate::embed::Control;
use crate::pages::gate::GateChoice;
use crate::pages::plan::{Budget, FreshAndQuiet, Parameter, law};
use crate::ui::{PresetItem, Presets, Segmented};
use engine::retrier_server::{Config, Fault, Plan};
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
    let plan = study.plan_of();
    let one = match control {
        Control::Presets => view! { <Cases study /> }.into_any(),
        Control::Play => view! { <RunPlayer study /> }.into_any(),
        Control::Q0 => view! {
            <Parameter plan symbol="Q0" label="fresh requests at the start" slider_max=60
                of=|p| p.q0 set=|p, v| p.q0 = v />
        }
        .into_any(),
        Control::Qd => view! {
            <Parameter plan symbol="qd" label="duplicates at the start" slider_max=160
                of=|p| p.qd0 set=|p, v| p.qd0 = v />
        }
        .into_any(),
        Control::B => view! { <Budget plan about="At most B retries, in every state: no “if”." /> }.into_any(),
        Control::Fixes => view! {
            <GateChoice plan />
            <FreshAndQuiet plan
                about_fresh="Fresh work is served before duplicates, in every state: no “if”." />
        }
        .into_any(),
        Control::Fault => view! { <FaultChoice study /> }.into_any(),
        Control::Rounds => view! {
            <Parameter plan symbol="" label="Length of the run" unit="rounds" min=1 max=MOST_ROUNDS slider_max=300
                of=|p| p.rounds set=|p, v| p.rounds = v />
        }
        .into_any(),
        _ => law(plan, control, MaybeProp::default())?,
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
