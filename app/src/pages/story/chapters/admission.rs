//! Admission control in front of the execution control system: helped or hindered by its signal.

use super::{BothLanes, GoOn, preset, query_of_system, rate};
use crate::pages::Page;
use crate::pages::ecs::{JobLine, Quantity, Scenario, State};
use crate::pages::story::chapter::Chapter;
use crate::pages::story::predict::Predict;
use crate::pages::story::step::Step;
use crate::pages::story::trials::Trials;
use crate::plots::timeline::figure as digits;
use crate::sight::Sight;
use crate::ui::{Segmented, Table};
use engine::ecs::Summary;
use engine::ecs::admission::AdmissionSettings;
use leptos::html;
use leptos::prelude::*;

/// What is compared: the preset, and its name in the table. The first is without admission control.
const COMPARED: [(&str, &str); 5] = [
    ("ac-off", "none"),
    ("ac-latency", "latency signal"),
    ("ac-sluggish", "latency signal, ten times slower"),
    ("ac-distress", "distress bit"),
    ("ac-distress-sluggish", "distress bit, ten times slower"),
];

/// What is plotted.
const SHOWN: [Quantity; 4] = [
    Quantity::ShortAnswers,
    Quantity::Admitted,
    Quantity::TurnedAway,
    Quantity::Latency,
];

/// Answers that may be missing, as a share, before a difference counts.
const SAME: f64 = 0.02;

/// The chapter.
pub fn chapter() -> AnyView {
    let sight = Sight::new();
    let trials = Trials::new(COMPARED.map(|(name, _)| preset(name)).to_vec(), sight);
    let truth = Memo::new(move |_| {
        trials
            .found
            .with(|found| what_it_does(found.first()?, found.get(1)?))
    });
    let why = Signal::derive(move || {
        trials
            .found
            .with(|found| Some(why(found.first()?, found.get(1)?)))
            .unwrap_or_default()
    });
    let rows = move || trials.found.with(|found| rows(found));
    let kinds = [
        AdmissionSettings::latency(),
        AdmissionSettings::sluggish(),
        AdmissionSettings::distress(),
        AdmissionSettings::Off,
    ];
    let figure = move || {
        let state = State::new(Scenario::preset("ac-latency"));
        let run = NodeRef::<html::Div>::new();
        state.sight.watch(run);
        let kinds = StoredValue::new(kinds.clone());
        let chosen = state.part(move |scenario| {
            let admission = &scenario.config.admission;
            kinds.with_value(|kinds| kinds.iter().position(|kind| kind == admission))
        });
        let choose = move |kind: Option<usize>| {
            let Some(kind) = kind else { return };
            let admission = kinds.with_value(|kinds| kinds[kind].clone());
            // Each makes sense, as the presets do.
            let _ = state.propose(|scenario| scenario.config.admission = admission);
        };
        view! {
            <div class="run ecs" node_ref=run>
                <div class="moved">
                    <Segmented
                        label="Admission control in front of A"
                        options=vec![
                            (Some(0), "Latency signal"),
                            (Some(1), "The same, sluggish"),
                            (Some(2), "Distress bit"),
                            (Some(3), "None"),
                        ]
                        value=chosen
                        on_change=choose
                    />
                </div>
                <BothLanes state shown=&SHOWN />
            </div>
        }
    };
    let heads = || {
        [
            "Admission control",
            "Short answers/s during the burst",
            "in the last 20 s",
            "turned away",
        ]
        .map(str::to_owned)
        .to_vec()
    };
    view! {
        <Chapter
            step=Step::Admission
            sight
            figure=figure
        >
            <p>
                "A second defence, then. In front of the repaired system stands an admission control. It cannot tell short "
                "queries from long ones before they run; it follows the latency of short queries as the server measures it, "
                "and lets fewer requests in while that is high."
            </p>
            <Predict
                step=Step::Admission
                ask="A long burst of long queries comes. Behind this guard, how many short queries are answered during it?"
                    .to_owned()
                choices=["More than without the guard", "The same, to within 2%", "Fewer"].map(str::to_owned).to_vec()
                truth=truth
                why=why
            >
                <p>
                    "Each defence works alone. Together, the guard turns away the very queries that the other protects, and reacts "
                    "to swings that it causes. The documents name two ways to make peace: act more slowly than the system within, or let "
                    "that system say when it is in distress. This is what came of each under the same burst; slowness alone is no "
                    "peace, as the table shows."
                </p>
                {move || view! { <Table label="Admission controls compared" heads=heads() rows=rows() /> }}
                <p>
                    "Who wins depends on what the burst is made of. On the page of the two controllers you can try one of short "
                    "queries too."
                </p>
                <GoOn page=Page::Ecs with=query_of_system(&preset("ac-latency"))>"Go on to the page of the two controllers"</GoOn>
            </Predict>
            <JobLine job=trials.job what="Simulating each" again=move |()| trials.next() />
        </Chapter>
    }
    .into_any()
}

/// Which of the choices is so; none where a run has no burst.
fn what_it_does(alone: &Summary, guarded: &Summary) -> Option<usize> {
    let ratio = guarded.short_goodput_during? / alone.short_goodput_during?;
    Some(match ratio {
        ratio if ratio > 1.0 + SAME => 0,
        ratio if ratio >= 1.0 - SAME => 1,
        _ => 2,
    })
}

fn why(alone: &Summary, guarded: &Summary) -> String {
    format!(
        "{} a second with the guard, {} without.",
        rate(guarded.short_goodput_during),
        rate(alone.short_goodput_during)
    )
}

/// What came of each, as far as it has run.
fn rows(found: &[Summary]) -> Vec<(Vec<String>, bool)> {
    COMPARED
        .iter()
        .zip(found)
        .map(|((_, name), summary)| {
            let totals = &summary.totals;
            let cells = vec![
                (*name).to_owned(),
                rate(summary.short_goodput_during),
                rate(summary.short_goodput_after),
                digits((totals.short.rejected + totals.long.rejected) as f64),
            ];
            (cells, false)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::story::trials::simulated;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_latency_signal_costs_answers_and_the_distress_bit_brings_them_back() {
        let found = COMPARED.map(|(name, _)| simulated(&preset(name)));
        assert_eq!(what_it_does(&found[0], &found[1]), Some(2), "latency");
        assert_eq!(
            what_it_does(&found[0], &found[2]),
            Some(2),
            "slower alone does not repair it"
        );
        assert_eq!(what_it_does(&found[0], &found[3]), Some(1), "distress");
        assert_eq!(rows(&found).len(), COMPARED.len());
    }
}
