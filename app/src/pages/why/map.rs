//! Verdicts over any two parameters, drawn as they come from the worker.

use super::job::{Job, JobLine};
use super::study::{CAP, Study};
use super::{meaning, shared_map, verdict_legend};
use crate::parameters::Parameters;
use crate::plots::Canvas;
use crate::plots::verdict_map::{Cells, cell_at};
use crate::sight::Sight;
use crate::ui::{Announcer, Button, Drafts, Figure, Legend, Spot, TableData, fresh_id, is_plain};
use crate::worker::why::MapSoFar;
use engine::retrier_server::{Axis, MAX_MAP_CELLS, MAX_PARAMETER, Map, Scale, Verdict};
use leptos::ev::{KeyboardEvent, MouseEvent};
use leptos::html;
use leptos::prelude::*;

/// Pixels high.
const HEIGHT: f64 = 460.0;

/// Rounds of a run that a press starts, at least.
const ROUNDS: u64 = 40;

/// A map that opens the view: where budgets begin to matter.
pub const FIRST: (Scale, Scale) = (
    Scale {
        axis: Axis::Q0,
        low: 0,
        high: 60,
    },
    Scale {
        axis: Axis::B,
        low: 0,
        high: 12,
    },
);

/// The map.
#[component]
pub fn WideMap(study: Study) -> impl IntoView {
    let job = Job::new();
    let (x, y) = study.axes;
    let so_far = RwSignal::new(None::<MapSoFar>);
    let pointed = RwSignal::new(None::<(u64, u64)>);
    let announcer = Announcer::get();
    let drafts = Drafts::get();
    let fixed = study.part(|plan| (plan.config, plan.q0, plan.qd0));
    let map = Memo::new(move |_| {
        let (config, q0, qd0) = fixed.get();
        Map {
            x: x.get(),
            y: y.get(),
            config,
            q0,
            qd0,
            cap: CAP,
        }
    });
    // What varies along an axis does not matter beside it: a press on the map must not draw it anew.
    let drawn = Memo::new(move |_| {
        let map = map.get();
        let Map { x, y, .. } = map;
        let cell = map.cell(x.low, y.low);
        Map {
            config: cell.config,
            q0: cell.q0,
            qd0: cell.qd0,
            ..map
        }
    });
    let itself = NodeRef::<html::Section>::new();
    Sight::of(itself).effect(move || shared_map::draw(job, drawn.get(), so_far));

    let with_cells = move |use_it: &mut dyn FnMut(&Cells<'_>)| {
        so_far.with(|so_far| {
            let (cells, stride) = so_far
                .as_ref()
                .map_or((&[][..], 1), |map| (&map.cells[..], map.stride.max(1)));
            use_it(&Cells {
                x: x.get(),
                y: y.get(),
                cells,
                stride,
            });
        });
    };
    let draw = move |area: &_, palette: &_| {
        let boundaries = map.get().boundaries();
        with_cells(&mut |cells| {
            let _ = cells.draw_map(area, palette, &boundaries);
        });
    };
    let draw_marks = move |area: &_, palette: &_| {
        if let Some(cell) = pointed.get() {
            with_cells(&mut |cells| {
                let _ = cells.outline(area, palette, cell);
            });
        }
    };
    let under = move |event: &MouseEvent| {
        let at = Spot::of(event)?;
        cell_at(
            (at.x, at.y),
            (at.width, at.height),
            &x.get_untracked(),
            &y.get_untracked(),
        )
    };
    let run = move |(at_x, at_y): (u64, u64)| {
        let cell = map.get_untracked().cell(at_x, at_y);
        let loaded = study.propose(|plan| {
            plan.config = cell.config;
            plan.q0 = cell.q0;
            plan.qd0 = cell.qd0;
            plan.rounds = plan.rounds.max(ROUNDS);
        });
        if loaded.is_ok() {
            study.head.go_to(0);
            announcer.say("This cell is now the run of this page");
        }
    };
    let keydown = move |event: KeyboardEvent| {
        if !is_plain(&event) {
            return;
        }
        let (x, y) = (x.get_untracked(), y.get_untracked());
        let (at_x, at_y) = pointed.get_untracked().unwrap_or((x.low, y.low));
        let by = if event.shift_key() { 10 } else { 1 };
        let next = match event.key().as_str() {
            "ArrowRight" => ((at_x + by).min(x.high), at_y),
            "ArrowLeft" => (at_x.saturating_sub(by).max(x.low), at_y),
            "ArrowUp" => (at_x, (at_y + by).min(y.high)),
            "ArrowDown" => (at_x, at_y.saturating_sub(by).max(y.low)),
            "Enter" | " " => {
                event.prevent_default();
                run((at_x, at_y));
                return;
            }
            _ => return,
        };
        event.prevent_default();
        pointed.set(Some(next));
    };
    let is_widest = Signal::derive(move || {
        let span = |scale: Scale| scale.high - scale.low;
        span(x.get()).min(span(y.get())) >= MOST_SPAN
    });
    let zoom = move |closer: bool| {
        let (x_now, y_now) = (x.get_untracked(), y.get_untracked());
        let centre = pointed.get_untracked().unwrap_or((
            x_now.low + (x_now.high - x_now.low) / 2,
            y_now.low + (y_now.high - y_now.low) / 2,
        ));
        x.set(zoomed(x_now, centre.0, closer));
        y.set(zoomed(y_now, centre.1, closer));
        pointed.set(None);
    };
    let at = move |(x, y): (u64, u64)| {
        let mut verdict = None;
        with_cells(&mut |cells| verdict = cells.verdict(x, y));
        verdict
    };
    let read_out = Signal::derive(move || match pointed.get() {
        None => "Point at a cell to read it; press it to play a run from there.".to_owned(),
        Some(cell) => {
            let place = format!(
                "{} = {}, {} = {}",
                x.get().axis,
                cell.0,
                y.get().axis,
                cell.1
            );
            match at(cell) {
                Some(verdict) => format!("{place}: {}, {}.", verdict.name(), meaning(verdict)),
                None => format!("{place}: not known yet."),
            }
        }
    });
    let counts = Memo::new(move |_| {
        so_far.with(|map| {
            let cells = map.as_ref().map_or(&[][..], |map| &map.cells[..]);
            Verdict::ALL.map(|verdict| {
                let of_it = cells.iter().filter(|cell| **cell == Some(verdict));
                (verdict, of_it.count())
            })
        })
    });
    let share = Signal::derive(move || {
        let cells = (x.get().count() * y.get().count()).max(1);
        so_far.with(|map| map.as_ref().map(|map| map.known as f64 / cells as f64))
    });
    let summary = Signal::derive(move || {
        let counts: Vec<String> = counts
            .get()
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(verdict, count)| format!("{count} cells {}", verdict.name()))
            .collect();
        format!(
            "Map of {} by {}: {}.",
            x.get().axis,
            y.get().axis,
            counts.join(", ")
        )
    });
    let table = Callback::new(move |()| {
        let rows = counts
            .get()
            .iter()
            .map(|(verdict, count)| (vec![verdict.name().to_owned(), count.to_string()], false))
            .collect();
        let heads = ["Verdict", "Cells"].map(str::to_owned).to_vec();
        TableData {
            label: "Cells of each verdict".to_owned(),
            heads,
            rows,
        }
    });
    let parameters = Signal::derive(move || {
        let (x, y) = (x.get(), y.get());
        let axes = format!(
            "{} {} to {} across, {} {} to {} upwards",
            x.axis, x.low, x.high, y.axis, y.low, y.high
        );
        let fixed = study.plan.with(|plan| Parameters::from(plan));
        let fixed = fixed.without(x.axis.name()).without(y.axis.name());
        Parameters::new(
            format!("{axes}, {}", fixed.words),
            &format!("{}-{}-{}", x.axis, y.axis, fixed.slug),
        )
    });
    let known_lines = move || {
        map.get()
            .boundaries()
            .into_iter()
            .map(|b| view! { <li><strong>{b.name}</strong> ": " {b.meaning} "."</li> })
            .collect_view()
    };
    let progress = move || {
        so_far.with(|map| {
            map.as_ref().map(|map| {
                format!("{} cells known, {} of them judged; the others lie between two equal verdicts and can have no other.", map.known, map.judged)
            })
        })
    };
    view! {
        <section class="flow" node_ref=itself aria-labelledby="map-title">
            <h2 id="map-title">"Where the verdicts meet"</h2>
            <p>
                "Any two parameters against each other; the others are those of the settings. Lines are drawn where a "
                "boundary is known beforehand."
            </p>
            <div class="row">
                {move || {
                    // With what was typed into them and refused.
                    drafts.track();
                    view! {
                        <AxisField name="Across" scale=x other=y />
                        <AxisField name="Upwards" scale=y other=x />
                    }
                }}
                <div class="buttons">
                    <Button on_press=move || zoom(true)>"Zoom in"</Button>
                    <Button on_press=move || zoom(false) disabled=is_widest>"Zoom out"</Button>
                </div>
            </div>
            <JobLine job share what="Drawing the map" />
            <Figure
                title="The verdict of every cell"
                file="map"
                parameters=parameters
                summary=summary
                table=table
            >
                <div
                    class="layers map"
                    role="application"
                    aria-roledescription="map"
                    tabindex="0"
                    aria-label="Map of verdicts. Arrow keys read it, with shift by ten; Enter plays a run from there."
                    on:keydown=keydown
                    on:pointermove=move |event| pointed.set(under(&event))
                    on:pointerleave=move |_| pointed.set(None)
                    on:click=move |event: MouseEvent| {
                        if let Some(cell) = under(&event) {
                            run(cell);
                        }
                    }
                >
                    <Canvas height=HEIGHT draw=draw />
                    <Canvas over=true height=HEIGHT draw=draw_marks />
                </div>
                <p class="read-out" role="status">{read_out}</p>
                <Legend label="Verdicts" items=verdict_legend() />
            </Figure>
            <p class="note" data-point="progress">{progress}</p>
            <ul class="lines">{known_lines}</ul>
        </section>
    }
}

/// Most steps across that zooming out leads to: of two axes, a map of as many cells as one may have.
const MOST_SPAN: u64 = MAX_MAP_CELLS.isqrt() - 1;

/// Half the range around `centre`, or twice the range.
fn zoomed(scale: Scale, centre: u64, closer: bool) -> Scale {
    let span = scale.high - scale.low;
    let next = if closer { span / 2 } else { span * 2 + 2 };
    let next = next.clamp(2, MOST_SPAN);
    let low = centre
        .saturating_sub(next / 2)
        .clamp(scale.axis.least(), MAX_PARAMETER - next);
    Scale {
        low,
        high: low + next,
        ..scale
    }
}

/// An axis: which parameter, and from where to where.
#[component]
fn AxisField(name: &'static str, scale: RwSignal<Scale>, other: RwSignal<Scale>) -> impl IntoView {
    let id = fresh_id("axis");
    let (from_id, error_id) = (format!("{id}-range"), format!("{id}-error"));
    let error = RwSignal::new(None::<String>);
    // One that is set by other means is good.
    Effect::new(move || {
        scale.track();
        error.set(None);
    });
    let offer = move |text: String| {
        let axis = scale.get_untracked().axis;
        let read = format!("{axis}:{text}")
            .parse::<Scale>()
            .map_err(|error| error.to_string())
            .and_then(|next| {
                let cells = next.count().saturating_mul(other.get_untracked().count());
                match cells <= MAX_MAP_CELLS {
                    true => Ok(next),
                    false => Err(format!(
                        "The map would have {cells} cells, but may have at most {MAX_MAP_CELLS}"
                    )),
                }
            });
        match read {
            Ok(next) => {
                scale.set(next);
                error.set(None);
            }
            Err(why) => error.set(Some(why)),
        }
    };
    let choose = move |text: String| {
        let Ok(axis) = text.parse::<Axis>() else {
            return;
        };
        let now = scale.get_untracked();
        if other.get_untracked().axis == axis {
            // The two change places.
            let theirs = other.get_untracked();
            other.set(now);
            scale.set(theirs);
        } else {
            let usual = match axis {
                Axis::Q0 => 60,
                Axis::Qd0 => 120,
                _ => 12,
            };
            let low = axis.least();
            // As many values as leave the map within its cap.
            let most = MAX_MAP_CELLS / other.get_untracked().count();
            scale.set(Scale {
                axis,
                low,
                high: usual.min(low + most.max(1) - 1),
            });
        }
        error.set(None);
    };
    view! {
        <div class="axis">
            <label for=id.clone()>{name}</label>
            <select
                id=id.clone()
                prop:value=move || scale.get().axis.name()
                on:change=move |event| choose(event_target_value(&event))
            >
                {Axis::ALL
                    .into_iter()
                    .map(|axis| {
                        view! {
                            <option value=axis.name()>{axis.label()}</option>
                        }
                    })
                    .collect_view()}
            </select>
            <label for=from_id.clone()>"from..to"</label>
            <input
                type="text"
                id=from_id
                autocomplete="off"
                aria-invalid=move || error.with(Option::is_some).then_some("true")
                aria-describedby=error_id.clone()
                prop:value=move || {
                    let scale = scale.get();
                    format!("{}..{}", scale.low, scale.high)
                }
                on:change=move |event| offer(event_target_value(&event))
            />
            <p class="field-error" id=error_id role="alert" hidden=move || error.with(Option::is_none)>
                {error}
            </p>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn zooming_keeps_within_what_an_axis_may_take() {
        let s = Scale {
            axis: Axis::S,
            low: 1,
            high: 12,
        };
        for centre in [1, 6, 12] {
            for closer in [true, false] {
                let next = zoomed(s, centre, closer);
                assert_eq!(next.validate(), Ok(()));
                assert_eq!(next.count() < s.count(), closer);
            }
        }
        let at_the_end = Scale {
            low: MAX_PARAMETER - 4,
            high: MAX_PARAMETER,
            ..s
        };
        let mut widest = at_the_end;
        for _ in 0..20 {
            widest = zoomed(widest, widest.high, false);
            assert_eq!(widest.validate(), Ok(()));
        }
        assert_eq!(widest.count().pow(2), MAX_MAP_CELLS);
    }
}
