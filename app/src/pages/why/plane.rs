//! The phase plane on the page: the start is dragged, or moved by keyboard.

use super::job::{Job, JobLine};
use super::study::{CAP, Study};
use super::{meaning, shared_map, verdict_legend};
use crate::parameters::Parameters;
use crate::plots::Canvas;
use crate::plots::phase_plane::{Overlay, draw_ground, draw_over};
use crate::plots::verdict_map::{Cells, cell_at};
use crate::sight::Sight;
use crate::ui::{Figure, Legend, Spot, TableData, is_plain};
use crate::worker::why::MapSoFar;
use engine::retrier_server::trap::{Closure, Region};
use engine::retrier_server::{Axis, Config, Map, Scale, State, Verdict};
use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::html;
use leptos::prelude::*;

/// Pixels high.
const HEIGHT: f64 = 520.0;

/// How far the plane reaches: past the trap's corner where that is not too far, and past the start.
fn extent(config: &Config, q0: u64, qd0: u64) -> (u64, u64) {
    let region = Region::general(config, config.most_arrivals());
    let threshold = config.latency_threshold();
    let corner = u64::try_from(region.qf_min).unwrap_or(u64::MAX).min(160);
    let enough = |least: u64, start: u64| {
        let start = start.div_ceil(20).saturating_mul(20).saturating_add(4);
        least.max(start.min(20_000)).clamp(20, 400)
    };
    let qf = enough((corner + corner / 2).max(2 * threshold.min(100)), q0);
    let qd = enough(
        (corner.saturating_mul(region.ratio.min(4)) * 3 / 2).min(320),
        qd0,
    );
    (qf, qd)
}

/// The trap, where it is proved closed.
fn trap(config: &Config) -> Option<Region> {
    let region = Region::general(config, config.most_arrivals());
    (region.closure(config) == Closure::Closed).then_some(region)
}

/// The plane.
#[component]
pub fn PhasePlane(study: Study) -> impl IntoView {
    let job = Job::new();
    let so_far = RwSignal::new(None::<MapSoFar>);
    let pointed = RwSignal::new(None::<(u64, u64)>);
    let config = study.part(|plan| plan.config);
    let present = study.part(|plan| (plan.q0, plan.qd0));
    // So far that the run's way into the trap is in it.
    let reach = Memo::new(move |_| {
        let (config, q0, qd0) = study.plan.with(|plan| (plan.config, plan.q0, plan.qd0));
        let entry = trap(&config).and_then(|region| {
            study.run.with(|run| {
                let mut states = run.round_starts().map(|point| point.state);
                states.find(|state| region.contains(state))
            })
        });
        let (qf, qd) = entry.map_or((0, 0), |state| (state.qf, state.qd));
        extent(&config, q0.max(qf), qd0.max(qd))
    });
    let scales = move |(qf, qd): (u64, u64)| {
        let scale = |axis, high| Scale { axis, low: 0, high };
        (scale(Axis::Q0, qf), scale(Axis::Qd0, qd))
    };
    let itself = NodeRef::<html::Section>::new();
    Sight::of(itself).effect(move || {
        let (x, y) = scales(reach.get());
        let map = Map {
            x,
            y,
            config: config.get(),
            q0: 0,
            qd0: 0,
            cap: CAP,
        };
        shared_map::draw(job, map, so_far);
    });
    let with_cells = move |use_it: &mut dyn FnMut(&Cells<'_>)| {
        let (x, y) = scales(reach.get());
        so_far.with(|so_far| {
            let (cells, stride) = so_far
                .as_ref()
                .map_or((&[][..], 1), |map| (&map.cells[..], map.stride.max(1)));
            use_it(&Cells {
                x,
                y,
                cells,
                stride,
            });
        });
    };
    let path = Memo::new(move |_| {
        study.run.with(|run| {
            run.round_starts()
                .map(|point| point.state)
                .collect::<Vec<State>>()
        })
    });
    let at_round = move || {
        let position = study.position();
        study.run.with(|run| run.points()[position].round as usize)
    };
    let draw = move |area: &_, palette: &_| {
        with_cells(&mut |cells| {
            let _ = draw_ground(area, palette, cells);
        });
    };
    let draw_marks = move |area: &_, palette: &_| {
        let config = config.get();
        let trap = trap(&config);
        path.with(|path| {
            with_cells(&mut |cells| {
                let overlay = Overlay {
                    config: &config,
                    path,
                    at: at_round(),
                    trap,
                };
                let _ = draw_over(area, palette, cells, &overlay);
                if let Some(cell) = pointed.get() {
                    let _ = cells.outline(area, palette, cell);
                }
            });
        });
    };
    let under = move |event: &PointerEvent| {
        let at = Spot::of(event)?;
        let (x, y) = scales(reach.get_untracked());
        cell_at((at.x, at.y), (at.width, at.height), &x, &y)
    };
    let set_start = move |(q0, qd0): (u64, u64)| {
        // What the plane reaches is in range.
        let _ = study.propose(|plan| {
            plan.q0 = q0;
            plan.qd0 = qd0;
        });
    };
    let keydown = move |event: KeyboardEvent| {
        if !is_plain(&event) {
            return;
        }
        let (q0, qd0) = present.get_untracked();
        let (most_q0, most_qd0) = reach.get_untracked();
        let by = if event.shift_key() { 10 } else { 1 };
        let next = match event.key().as_str() {
            "ArrowRight" => ((q0 + by).min(most_q0), qd0),
            "ArrowLeft" => (q0.saturating_sub(by), qd0),
            "ArrowUp" => (q0, (qd0 + by).min(most_qd0)),
            "ArrowDown" => (q0, qd0.saturating_sub(by)),
            _ => return,
        };
        event.prevent_default();
        set_start(next);
    };
    let read_out = Signal::derive(move || {
        let (qf, qd) = pointed.get().unwrap_or(present.get());
        let config = config.get();
        let next = config.server(&config.retrier(&config.start(qf, qd), config.most_arrivals()));
        let mut verdict = None;
        with_cells(&mut |cells| verdict = cells.verdict(qf, qd));
        let verdict = match verdict {
            Some(verdict) => format!("{}, {}", verdict.name(), meaning(verdict)),
            None => "not known yet".to_owned(),
        };
        format!(
            "({qf}, {qd}): {verdict}. One round at most arrivals leads to ({}, {}).",
            next.qf, next.qd
        )
    });
    // Along each row of duplicates, the first fresh backlog from which nothing brings it back.
    let no_return = Memo::new(move |_| {
        let (x, _) = scales(reach.get());
        so_far.with(|so_far| {
            let map = so_far.as_ref()?;
            let width = x.count() as usize;
            let rows = map
                .cells
                .chunks(width)
                .map(|row| row.iter().position(|cell| *cell == Some(Verdict::Doomed)));
            Some(rows.collect::<Vec<_>>())
        })
    });
    let summary = Signal::derive(move || {
        let edge = no_return
            .get()
            .and_then(|rows| rows.first().copied().flatten());
        let edge = match edge {
            Some(q0) => format!("Without duplicates the measured point of no return is qf = {q0}."),
            None => "Without duplicates no point of no return lies in this plane.".to_owned(),
        };
        let config = config.get();
        format!(
            "{edge} Good is qf + qd ≤ {}, the stability basin qf + qd ≤ {}. {}",
            config.s + config.amax,
            config.latency_threshold(),
            read_out.get()
        )
    });
    let table = Callback::new(move |()| {
        let rows = no_return
            .get()
            .unwrap_or_default()
            .into_iter()
            .enumerate()
            .step_by(10)
            .map(|(qd, q0)| {
                let q0 = q0.map_or("beyond the plane".to_owned(), |q0| q0.to_string());
                (vec![qd.to_string(), q0], false)
            })
            .collect();
        let heads = ["Duplicates, qd", "Point of no return, qf"]
            .map(str::to_owned)
            .to_vec();
        TableData {
            label: "The measured point of no return".to_owned(),
            heads,
            rows,
        }
    });
    let share = Signal::derive(move || {
        let (x, y) = scales(reach.get());
        so_far.with(|map| {
            map.as_ref()
                .map(|map| map.known as f64 / (x.count() * y.count()) as f64)
        })
    });
    view! {
        <section class="flow" node_ref=itself aria-labelledby="plane-title">
            <h2 id="plane-title">"The plane of the two queues"</h2>
            <p>
                "Every point is a start: so many fresh requests across, so many duplicates up. Its colour is its "
                "verdict; an arrow is one round at most arrivals. Drag the start, or move it with the arrow keys."
            </p>
            <JobLine job share what="Drawing the plane" />
            <Figure
                title="Where a state leads, and the way the run takes"
                file="phase-plane"
                parameters=study.part(|plan| Parameters::from(plan))
                caption="The blue line is the run from the start, a dot a round. Left of the doomed region lies the last chance to save it; its edge is the measured point of no return. Inside the marked trap that is proved for ever."
                summary=summary
                table=table
            >
                <div
                    class="layers plane"
                    role="application"
                    aria-roledescription="plane with a movable start"
                    tabindex="0"
                    aria-label="Phase plane. Arrow keys move the start, with shift by ten."
                    on:keydown=keydown
                    on:pointerdown=move |event| {
                        if event.button() == 0 && let Some(cell) = under(&event) {
                            set_start(cell);
                        }
                    }
                    on:pointermove=move |event| {
                        let cell = under(&event);
                        pointed.set(cell);
                        if event.buttons() & 1 == 1 && let Some(cell) = cell {
                            set_start(cell);
                        }
                    }
                    on:pointerleave=move |_| pointed.set(None)
                >
                    <Canvas height=HEIGHT draw=draw />
                    <Canvas over=true height=HEIGHT draw=draw_marks />
                </div>
                <p class="read-out" role="status">{read_out}</p>
                <Legend label="Verdicts" items=verdict_legend() />
            </Figure>
            <p class="note" data-point="no-return">{summary}</p>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn the_plane_reaches_past_the_traps_corner_and_the_start() {
        let (qf, qd) = extent(&Config::default(), 18, 0);
        assert!(qf >= 24 && qd >= 72);
        let (qf, qd) = extent(&Config::default(), 90, 300);
        assert!(qf >= 90 && qd >= 300);
        let large = Config::new(1 << 31, 1 << 31, 1 << 31);
        let (qf, qd) = extent(&large, 1 << 31, 1 << 31);
        assert!(qf <= 400 && qd <= 400);
    }
}
