//! The basin map on the page: read by pointing or by keyboard, and pressed to start a run.

use super::state::State;
use super::words;
use crate::plots::Canvas;
use crate::plots::basin_map::{BasinMap, q0_at};
use crate::ui::{Figure, Legend, LegendItem, Pattern, Table};
use engine::retrier_server::{DEFAULT_CAP, judge};
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
        item(
            "recovers",
            Pattern::Plain,
            "R",
            "recovers, whatever arrives",
        ),
        item(
            "orbits",
            Pattern::Dots,
            "O",
            "orbits: neither drains nor explodes",
        ),
        item(
            "at-risk",
            Pattern::Stripes,
            "A",
            "at risk: can explode, can be saved",
        ),
        item(
            "doomed",
            Pattern::Crosses,
            "D",
            "doomed: nothing brings it back",
        ),
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
            let _ = BasinMap { bands }.draw(area, palette);
        });
    };
    let draw_marks = move |area: &_, palette: &_| {
        state.bands.with(|bands| {
            let _ = BasinMap { bands }.draw_marks(area, palette, present.get(), pointed.get());
        });
    };

    let under = move |event: &MouseEvent| {
        let target = event_current_target(event);
        let at = target.get_bounding_client_rect();
        q0_at(
            f64::from(event.client_x()) - at.left(),
            at.width(),
            last.get_untracked(),
        )
    };
    let start = move |q0: u64| {
        // Q0 of the map is in range.
        let _ = state.start(|scenario| scenario.plan.q0 = q0);
    };
    let keydown = move |event: KeyboardEvent| {
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

    let read_out = Signal::derive(move || {
        let q0 = pointed.get().unwrap_or(present.get());
        let (config, qd) = state.scenario.with(|s| (s.plan.config, s.plan.qd0));
        let judgement = judge(&config, &config.start(q0, qd), DEFAULT_CAP);
        let said = words::verdict(&config, &judgement);
        (
            q0,
            format!(
                "Q0 = {}: {}. {}",
                words::grouped(q0),
                said.name.to_lowercase(),
                said.why
            ),
        )
    });
    let summary = Signal::derive(move || {
        state.bands.with(|bands| {
            bands
                .iter()
                .map(|band| format!("{} from {} to {}", band.verdict, band.first, band.last))
                .collect::<Vec<_>>()
                .join("; ")
        })
    });
    let table = ViewFn::from(move || {
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
        view! { <Table label="The basin map" heads rows /> }
    });

    view! {
        <Figure
            title="Where does each starting backlog lead?"
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
                aria-valuenow=move || read_out.get().0
                aria-valuetext=move || read_out.get().1
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
            <p class="read-out" data-pointed=move || pointed.get().is_some().to_string()>
                {move || read_out.get().1}
                <span class="quiet">" Press the map to start a run there."</span>
            </p>
            <Legend label="Verdicts" items=legend() />
        </Figure>
    }
}

/// The element that listens to `event`.
fn event_current_target(event: &MouseEvent) -> web_sys::Element {
    use wasm_bindgen::JsCast;
    event
        .current_target()
        .expect("an event that is heard has a target")
        .unchecked_into()
}
