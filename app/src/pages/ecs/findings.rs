//! Where the documents and the computation agree, and where not; each to be tried.

use super::state::{Rival, Scenario, State};
use crate::ui::Button;
use engine::ecs::admission::{AdmissionSettings, LatencySettings, PaceSettings};
use engine::ecs::{Class, Entry};
use leptos::prelude::*;

/// What a document says, what came out over ten seeds, and a scenario that shows it. What came out is asserted by the
/// engine's test `ecs_claims`, in other words.
struct Finding {
    verdict: &'static str,
    said: &'static str,
    found: &'static str,
    scenario: fn() -> Scenario,
}

const FINDINGS: [Finding; 7] = [
    Finding {
        verdict: "Confirmed",
        said: "Two controllers, each sensible, escalate under a burst of long tasks, and short tasks suffer long after.",
        found: "Long tickets reach their cap and stay there, and the cores stay busy with work for clients that left. Under the fixed policy at least 95% of the short answers come, during the burst and after.",
        scenario: || Scenario::preset("naive-overload"),
    },
    Finding {
        verdict: "In part",
        said: "The wait set of the short queue is zero exactly when short tasks are fine.",
        found: "Only if short tasks are counted wherever they wait. In a stuck system the short queue is almost empty: tasks run so slowly that they are demoted, and wait in the long queue, more than a hundred times as many as before.",
        scenario: || Scenario::preset("naive-overload"),
    },
    Finding {
        verdict: "Confirmed",
        said: "Admission control that follows short latency swings, and does worse than the execution control alone; a distress bit repairs it.",
        found: "Under a burst of long tasks the admitted fraction swings and short answers are lost; with the distress bit at least 98% of them are back.",
        scenario: || Scenario::preset("ac-latency"),
    },
    Finding {
        verdict: "In part",
        said: "Make the outer loop deliberately sluggish, and the two no longer interfere.",
        found: "Ten times slower with the same signal still loses more than a tenth of the short answers. It keeps 95% only when it acts on a signal that has held for its whole window.",
        scenario: sluggish_and_held,
    },
    Finding {
        verdict: "Not in the documents",
        said: "One frozen controller and one honest signal bring the system back.",
        found: "They bring the short tasks back. The long queue that the burst leaves behind is served by four tickets: from a minute after the burst on, fewer than half of the long answers come in time, and more than half a core works for clients that have left, which it did not before.",
        scenario: || Scenario::preset("naive-overload"),
    },
    Finding {
        verdict: "Not in the documents",
        said: "Admission control cannot tell short from long, so it sheds what it should protect.",
        found: "Where the overload is short tasks themselves, it wins: behind a latency signal more than 700 short answers a second come during a burst of short tasks, without it fewer than 500, and more than a twentieth of them is still missing in the last 20 s.",
        scenario: || short_burst(AdmissionSettings::latency(), AdmissionSettings::Off),
    },
    Finding {
        verdict: "Not in the documents",
        said: "The server says when short tasks hurt and its own knobs are exhausted.",
        found: "It depends on which knobs are meant whether the bit ever rises: short tickets at their cap and the threshold at its floor never come together. And whichever is meant, under a burst of short tasks the bit does not do what the latency signal does.",
        scenario: || short_burst(AdmissionSettings::distress(), AdmissionSettings::latency()),
    },
];

/// The fixed policy under a burst of short tasks, behind one admission control and another.
fn short_burst(admission: AdmissionSettings, beside: AdmissionSettings) -> Scenario {
    let mut scenario = Scenario::preset("ac-off");
    scenario.config.script = vec![Entry::Pulse {
        class: Class::Short,
        factor: 1.6,
        from_s: 30.0,
        until_s: 90.0,
    }];
    scenario.config.admission = admission;
    scenario.rival = Some(Rival {
        policy: scenario.config.policy.clone(),
        admission: beside,
    });
    scenario
}

/// The sluggish latency signal as it is, beside one that must have held.
fn sluggish_and_held() -> Scenario {
    let mut scenario = Scenario::preset("ac-sluggish");
    scenario.rival = Some(Rival {
        policy: scenario.config.policy.clone(),
        admission: AdmissionSettings::Latency(LatencySettings {
            pace: PaceSettings {
                held: true,
                ..PaceSettings::sluggish()
            },
            ..LatencySettings::default()
        }),
    });
    scenario
}

/// The findings.
#[component]
pub fn Findings(state: State) -> impl IntoView {
    let try_it = move |scenario: Scenario| {
        // Each makes sense, as their test shows; the seed stays.
        let _ = state.propose(|now| {
            now.config = scenario.config;
            now.rival = scenario.rival;
        });
        state.head.go_to(usize::MAX);
        if let Some(top) = document().query_selector(".ecs .stage").ok().flatten() {
            top.scroll_into_view();
        }
    };
    view! {
        <section class="ecs-findings" aria-label="What the documents say and what came out">
            <h2>"What the documents say, and what came out"</h2>
            <ul>
                {FINDINGS
                    .into_iter()
                    .map(|finding| {
                        view! {
                            <li class="card">
                                <p class="verdict-word">{finding.verdict}</p>
                                <p class="quiet">{finding.said}</p>
                                <p>{finding.found}</p>
                                <Button on_press=move || try_it((finding.scenario)())>"Try it"</Button>
                            </li>
                        }
                    })
                    .collect_view()}
            </ul>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::Side;
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn every_finding_can_be_tried() {
        for finding in FINDINGS {
            let scenario = (finding.scenario)();
            for config in Side::ALL.into_iter().filter_map(|side| scenario.side(side)) {
                assert_eq!(config.validate(), Ok(()), "{}", finding.said);
            }
        }
    }
}
