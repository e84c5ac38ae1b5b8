//! Why it fails: the contracts, runs that break a property, the phase plane, certificates and wide maps.

mod address;
mod certificate;
mod clients;
mod compare;
mod contracts;
mod controls;
mod counterexample;
mod export;
mod isolated;
mod job;
mod judged;
mod map;
mod phases;
mod plane;
mod shared_map;
mod study;

use crate::address::Address;
use crate::embed::{Control, View, alone};
use crate::pages::Page;
use crate::sight::Sight;
use crate::ui::Tabs;
use certificate::CertificatePanel;
use clients::ClientsPanel;
use compare::Compare;
use contracts::Contracts;
use controls::{Controls, control};
use counterexample::CounterexamplePanel;
use engine::retrier_server::Verdict;
use export::Export;
use isolated::Isolated;
use judged::Judged;
use leptos::html;
use leptos::prelude::*;
use map::WideMap;
use plane::PhasePlane;

// What the story shows and says too.
pub(crate) use contracts::{LedgerFigure, conclusion};
pub(crate) use phases::at_once;
pub(crate) use study::Study;

/// The page.
#[component]
pub fn Why() -> impl IntoView {
    let study = Study::new();
    Address::get().follow(Page::Why, study);
    let stage = NodeRef::<html::Div>::new();
    study.head.sight.watch(stage);
    view! {
        <div class="basin why">
            <header class="intro">
                <h1>"Why does it fail when nobody breaks a promise?"</h1>
                <p class="lead">
                    "Each component relies on something of its partner and guarantees something in return. "
                    "In the storm every one of these promises is kept, to the letter: the ones that would have "
                    "helped begin with “if”, and their “if” has become false. A fix takes the “if” away."
                </p>
            </header>
            <div class="bench">
                <Controls study />
                <div class="stage" node_ref=stage>
                    <VerdictLine study />
                    <Tabs
                        label="Ways to look at it"
                        chosen=study.tab
                        tabs=vec![
                            ("Contracts", ViewFn::from(move || view! { <Contracts study /> <Isolated study /> })),
                            ("Counterexamples", ViewFn::from(move || view! { <CounterexamplePanel study /> })),
                            ("Phase plane", ViewFn::from(move || view! { <PhasePlane study /> })),
                            ("Certificate", ViewFn::from(move || view! { <CertificatePanel study /> })),
                            ("Maps", ViewFn::from(move || view! { <WideMap study /> })),
                            ("Compare", ViewFn::from(move || view! { <Compare study /> })),
                            ("N clients", ViewFn::from(move || view! { <ClientsPanel study /> })),
                            ("TLA+", ViewFn::from(move || view! { <Export study /> })),
                        ]
                    />
                </div>
            </div>
        </div>
    }
}

/// The phase plane alone, the one view that can be.
pub fn embed(_: View, controls: &[Control]) -> AnyView {
    let study = Study::new();
    Address::get().follow(Page::Why, study);
    study.tab.set(address::PLANE);
    let shown = view! { <PhasePlane study /> }.into_any();
    alone("why", &[study.head.sight], shown, controls, |one| {
        control(study, one)
    })
}

/// The class of a verdict's swatch, and its letter.
fn swatch(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Recovers => ("swatch recovers", "R"),
        Verdict::Orbits => ("swatch orbits dots", "O"),
        Verdict::AtRisk => ("swatch at-risk stripes", "A"),
        Verdict::Doomed => ("swatch doomed crosses", "D"),
        Verdict::Unknown => ("swatch unknown", "?"),
    }
}

/// What a verdict means, in a few words.
const fn meaning(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Recovers => "it drains, whatever arrives",
        Verdict::Orbits => "it can fail to drain, but never explodes",
        Verdict::AtRisk => "it can explode, and can still be saved",
        Verdict::Doomed => "nothing that arrivals do brings it back",
        Verdict::Unknown => "not proved within the bounds",
    }
}

/// What is said in place of a verdict until it is known.
const NOT_JUDGED: &str = "not judged yet";

/// The verdict on the present start.
#[component]
fn VerdictLine(study: Study) -> impl IntoView {
    let itself = NodeRef::<html::Div>::new();
    let judged = Judged::new(study.start(), Sight::of(itself));
    let said = Memo::new(move |_| {
        let (q0, qd0) = study.plan.with(|plan| (plan.q0, plan.qd0));
        (judged.verdict.get(), q0, qd0)
    });
    view! {
        <div node_ref=itself>
            <p class="said" role="status">
                {move || {
                    let (verdict, q0, qd0) = said.get();
                    let (class, letter) = swatch(verdict.unwrap_or(Verdict::Unknown));
                    let (name, meaning) = match verdict {
                        Some(verdict) => (verdict.name(), format!(", {}.", meaning(verdict))),
                        None => (NOT_JUDGED, ".".to_owned()),
                    };
                    view! {
                        <span class=class aria-hidden="true">{letter}</span>
                        <span>
                            {format!("From {q0} fresh and {qd0} duplicates: ")} <strong>{name}</strong> {meaning}
                        </span>
                    }
                }}
            </p>
            {judged.line()}
        </div>
    }
}

/// The legend of verdicts.
fn verdict_legend() -> Vec<crate::ui::LegendItem> {
    use crate::ui::{LegendItem, Pattern};
    [
        ("recovers", Pattern::Plain, "R", Verdict::Recovers),
        ("orbits", Pattern::Dots, "O", Verdict::Orbits),
        ("at-risk", Pattern::Stripes, "A", Verdict::AtRisk),
        ("doomed", Pattern::Crosses, "D", Verdict::Doomed),
        ("unknown", Pattern::Plain, "?", Verdict::Unknown),
    ]
    .into_iter()
    .map(|(colour, pattern, letter, verdict)| LegendItem {
        colour,
        pattern,
        letter,
        word: verdict.name(),
    })
    .collect()
}
