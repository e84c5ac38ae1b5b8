//! Each component alone, against a stub of its partner.

use super::job::{Job, JobLine};
use super::study::{CAP, Study};
use crate::sight::Sight;
use crate::ui::Table;
use crate::worker::why::{Request, Response};
use engine::retrier_server::{Component, DEFAULT_ISOLATED_CAP, IsolatedCheck};
use leptos::html;
use leptos::prelude::*;

/// Largest start and threshold that are checked here.
const MOST: u64 = DEFAULT_ISOLATED_CAP;

/// The two checks, run in a worker while they are in sight.
#[component]
pub fn Isolated(study: Study) -> impl IntoView {
    let job = Job::new();
    let checked = RwSignal::new(None::<[IsolatedCheck; 2]>);
    let asked = study.part(|plan| (plan.config, plan.q0));
    let is_small = move || {
        let (config, _) = asked.get();
        config.latency_threshold() <= MOST && config.amax <= 12 && config.s <= 24
    };
    let itself = NodeRef::<html::Section>::new();
    Sight::of(itself).effect(move || {
        let (config, q0) = asked.get();
        // What was found of other parameters is not shown for these.
        checked.set(None);
        if is_small() {
            let request = Request::Isolated(config, q0.min(MOST), MOST.min(CAP));
            job.ask(request, move |response| {
                if let Response::Isolated(checks) = response {
                    checked.set(Some(checks));
                }
                true
            });
        }
    });
    view! {
        <section class="flow" node_ref=itself aria-labelledby="isolated-title">
            <h2 id="isolated-title">"Each component alone"</h2>
            <p>
                "The modular half of the argument: each component is explored against a stub of its partner, and "
                "keeps what it owes. The storm is in neither of them; it is what the two promises together leave open."
            </p>
            <JobLine job share=Signal::stored(None) what="Exploring each component alone" />
            {move || {
                if is_small() {
                    let checks = checked.get();
                    checks.iter().flatten().map(check).collect_view().into_any()
                } else {
                    view! {
                        <p class="note">
                            "These parameters are too large to be explored here; "
                            <code>"basin isolated"</code> " does it."
                        </p>
                    }
                        .into_any()
                }
            }}
        </section>
    }
}

fn check(check: &IsolatedCheck) -> impl IntoView + use<> {
    let (title, stub) = match check.component {
        Component::Retrier => (
            "The retrier",
            "against any server that serves min(S, qf + qd) a round, split any way, and acks what it served fresh",
        ),
        _ => ("The server", "against any client within its rely"),
    };
    let extent = match check.complete {
        true => format!("{} states, all there are.", check.states),
        false => format!(
            "{} states, all with a backlog up to {}; the stub can make it grow without end, so this is not complete.",
            check.states, check.cap
        ),
    };
    let heads = [
        "Owes",
        "Verdict",
        "Steps that keep it",
        "Steps where it is vacuous",
    ]
    .map(str::to_owned)
    .to_vec();
    let rows = check
        .findings
        .iter()
        .map(|finding| {
            let verdict = match &finding.violation {
                None => "kept".to_owned(),
                Some(run) => {
                    let last = run[run.len() - 1];
                    let before = run[run.len() - 2];
                    format!(
                        "broken, first after {} steps: ({}, {}) to ({}, {})",
                        run.len() - 1,
                        before.qf,
                        before.qd,
                        last.qf,
                        last.qd
                    )
                }
            };
            let cells = vec![
                finding.clause.name().to_owned(),
                verdict,
                finding.kept.to_string(),
                finding.vacuous.to_string(),
            ];
            (cells, false)
        })
        .collect();
    let holds = check.holds();
    view! {
        <div class="check" data-component=check.component.name() data-holds=holds.to_string()>
            <h3>
                {title} " alone " {if holds { "keeps its contract" } else { "breaks its contract" }}
            </h3>
            <p class="note">{stub} ". " {extent}</p>
            <Table label=format!("{title} alone") heads rows />
        </div>
    }
}
