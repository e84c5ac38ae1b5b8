//! The basin map on the page: read by pointing or by keyboard, and pressed to start a run. Beneath it stands the verdict
//! on what is pointed at, or on the present start.

use super::now::swatch;
use super::state::{State, Work};
use super::words;
use crate::parameters::Parameters;
use crate::plots::Canvas;
use crate::plots::basin_map::{BasinMap, q0_at};
use crate::study::Band;
use crate::ui::{
    Broken, Button, Figure, Legend, LegendItem, Pattern, Progress, Spot, TableData, is_plain,
};
use engine::retrier_server::{Verdict, judge_by_runs};
use leptos::ev::{KeyboardEvent, MouseEvent};
use leptos::prelude::*;

/// Pixels high.
const HEIGHT: f64 = 132.0;

fn legend() -> Vec<LegendItem> {
    let item = |colour, pattern, letter, word| LegendItem {
        colour,
        pattern,
        letter,
        word,
    };
    vec![
        item("recovers", Pattern::Plain, "R", "recovers for sure"),
        item(
            "orbits",
            Pattern::Dots,
            "O",
            "orbits: neither drains nor grows",
        ),
        item(
            "at-risk",
            Pattern::Stripes,
            "A",
            "at risk: can explode, can be saved",
        ),
        item("doomed", Pattern::Crosses, "D", "doomed: nothing saves it"),
    ]
}

/// The map, its read-out and its legend.
#[component]
pub fn Map(state: State) -> impl IntoView {
    let pointed = RwSignal::new(None::<u64>);
    let present = state.part(|scenario| scenario.plan.q0);
    let last = state.part(|scenario| scenario.map_to);

    let draw = move |area: &_, palette: &_| {
        state.bands.with(|bands| {
            let _ = BasinMap {
                bands,
                last: last.get(),
            }
            .draw(area, palette);
        });
    };
    let draw_marks = move |area: &_, palette: &_| {
        state.bands.with(|bands| {
            let map = BasinMap {
                bands,
                last: last.get(),
            };
            let _ = map.draw_marks(area, palette, present.get(), pointed.get());
        });
    };

    let under = move |event: &MouseEvent| {
        let at = Spot::of(event)?;
        q0_at(at.x, at.width, last.get_untracked())
    };
    let start = move |q0: u64| {
        // Q0 of the map is in range.
        let _ = state.start(|scenario| scenario.plan.q0 = q0);
    };
    let keydown = move |event: KeyboardEvent| {
        if !is_plain(&event) {
            return;
        }
        let at = pointed.get_untracked().unwrap_or(present.get_untracked());
        let last = last.get_untracked();
        let next = match event.key().as_str() {
            "ArrowRight" | "ArrowUp" => at.saturating_add(1),
            "ArrowLeft" | "ArrowDown" => at.saturating_sub(1),
            "PageUp" => at.saturating_add(10),
            "PageDown" => at.saturating_sub(10),
            "Home" => 0,
            "End" => last,
            "Enter" | " " => {
                event.prevent_default();
                start(at);
                return;
            }
            _ => return,
        };
        event.prevent_default();
        pointed.set(Some(next.min(last)));
    };

    let value_text = move || {
        let q0 = pointed.get().unwrap_or(present.get());
        match state.bands.with(|bands| verdict_of(bands, q0)) {
            Some(verdict) => format!("Q0 = {}: {verdict}", words::grouped(q0)),
            None => format!("Q0 = {}: not worked out yet", words::grouped(q0)),
        }
    };
    let summary = Signal::derive(move || {
        state.bands.with(|bands| {
            bands
                .iter()
                .map(|band| format!("{} from {} to {}", band.verdict, band.first, band.last))
                .collect::<Vec<_>>()
                .join("; ")
        })
    });
    let table = Callback::new(move |()| {
        let rows = state.bands.with(|bands| {
            bands
                .iter()
                .map(|band| {
                    let current = (band.first..=band.last).contains(&present.get());
                    let cells = [
                        band.verdict.to_string(),
                        words::grouped(band.first),
                        words::grouped(band.last),
                    ];
                    (cells.to_vec(), current)
                })
                .collect()
        });
        let heads = ["Verdict", "Q0 from", "to"].map(str::to_owned).to_vec();
        TableData {
            label: "The basin map".to_owned(),
            heads,
            rows,
        }
    });

    view! {
        <Figure
            title="Where does each starting backlog lead?"
            file="basin-map"
            parameters=state.part(|scenario| Parameters::from(&scenario.plan))
            summary=summary
            table=table
        >
            <div
                class="layers map"
                role="slider"
                tabindex="0"
                aria-label="Basin map, Q0. Arrow keys read it, Enter starts a run."
                aria-valuemin="0"
                aria-valuemax=last
                aria-valuenow=move || pointed.get().unwrap_or(present.get())
                aria-valuetext=value_text
                on:keydown=keydown
                on:pointermove=move |event| pointed.set(under(&event))
                on:pointerleave=move |_| pointed.set(None)
                on:blur=move |_| pointed.set(None)
                on:click=move |event| {
                    if let Some(q0) = under(&event) {
                        start(q0);
                    }
                }
            >
                <Canvas height=HEIGHT draw=draw />
                <Canvas over=true height=HEIGHT draw=draw_marks />
            </div>
            <Working state />
            <Legend label="Verdicts" items=legend() />
        </Figure>
        <VerdictCard state pointed />
    }
}

/// The verdict of a start, if it is known.
fn verdict_of(bands: &[Band], q0: u64) -> Option<Verdict> {
    let band = bands
        .iter()
        .find(|band| (band.first..=band.last).contains(&q0))?;
    Some(band.verdict)
}

/// How far the work is, while there is any, and what became of it otherwise.
#[component]
fn Working(state: State) -> impl IntoView {
    let share = Signal::derive(move || match state.work.get() {
        Work::Running(share) => share,
        _ => 0.0,
    });
    let kind = Memo::new(move |_| match state.work.get() {
        // The bar moves by itself.
        Work::Running(_) => Work::Running(0.0),
        other => other,
    });
    move || match kind.get() {
        Work::Done => ().into_any(),
        Work::Running(_) => view! {
            <Progress label="Working it out" share=share on_cancel=move || state.stop() />
        }
        .into_any(),
        Work::Stopped => view! {
            <p class="progress">
                "Stopped before all was worked out. "
                <Button on_press=move || state.study()>"Work it out"</Button>
            </p>
        }
        .into_any(),
        Work::Failed(why) => view! { <Broken why again=move || state.study() /> }.into_any(),
    }
}

/// The verdict on the start that is pointed at, or on the present one, in a sentence.
#[component]
fn VerdictCard(state: State, pointed: RwSignal<Option<u64>>) -> impl IntoView {
    let shown = Memo::new(move |_| {
        state.scenario.with(|s| {
            let elsewhere = pointed.get().filter(|q0| *q0 != s.plan.q0);
            let mut plan = s.plan.clone();
            // A start that is pointed at is judged here and now only where that takes no time; else its verdict is all there is.
            let judgement = match elsewhere {
                None => state.judgement.get().map(Ok),
                Some(q0) => {
                    plan.q0 = q0;
                    if s.is_small() {
                        let start = plan.config.start(q0, plan.qd0);
                        judge_by_runs(&plan.config, &start).map(Ok)
                    } else {
                        state.bands.with(|bands| verdict_of(bands, q0)).map(Err)
                    }
                }
            };
            (plan, judgement, elsewhere.is_some())
        })
    });
    move || {
        let (plan, judgement, elsewhere) = shown.get();
        let from = match plan.qd0 {
            0 => format!("From Q0 = {}: ", words::grouped(plan.q0)),
            qd => format!(
                "From {} fresh and {} duplicates: ",
                words::grouped(plan.q0),
                words::grouped(qd)
            ),
        };
        let (verdict, said) = match judgement {
            Some(Ok(judgement)) => (judgement.verdict, words::verdict(&plan.config, &judgement)),
            Some(Err(verdict)) => (verdict, words::verdict_alone(verdict)),
            None => (Verdict::Unknown, words::not_yet()),
        };
        let (class, letter) = swatch(verdict);
        view! {
            <div class="verdict card" class:elsewhere=elsewhere role="group" aria-label="Verdict">
                <span class=class aria-hidden="true">{letter}</span>
                <div>
                    <h2>{from} <strong>{said.name.to_ascii_lowercase()}</strong></h2>
                    <p>{said.why}</p>
                    {words::essay_note(&plan, verdict).map(|note| view! { <p class="note">{note}</p> })}
                    {(!plan.events.is_empty())
                        .then(|| view! { <p class="note">"The changes that are scheduled in mid-run are left out of this."</p> })}
                    <p class="note act">
                        {if elsewhere { "Press to start a run here." } else { "Point at the map to compare; press it to start a run there." }}
                    </p>
                </div>
            </div>
        }
    }
}
