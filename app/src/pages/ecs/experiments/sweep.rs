//! Load swept up and down again: does the way back retrace the way there?

use super::settings::{SWEEP_CLASS, SWEEP_LASTS, SWEEP_LOADS};
use super::{Bench, Benches, Experiment, List, Setting, WhichClass};
use crate::pages::ecs::state::{Side, State};
use crate::pages::ecs::words;
use crate::plots::curves::{Curve, Curves};
use crate::plots::timeline::figure;
use crate::plots::{Canvas, Palette};
use crate::ui::{Figure, TableData};
use crate::worker::Json;
use crate::worker::ecs::{Request, Response};
use engine::ecs::experiment::{Direction, SweepPoint, SweepSettings, hysteresis};
use leptos::prelude::*;

/// Pixels high.
const HEIGHT: f64 = 260.0;

const SWEEP: Experiment<SweepPoint> = Experiment {
    start: "Sweep the load",
    request: |config, seed, settings| Request::Sweep {
        config: Json(config),
        settings: SweepSettings {
            seed,
            ..settings.sweep.clone()
        },
    },
    words: |settings| {
        let SweepSettings { class, dwell_s, .. } = settings.sweep;
        let class = words::class(class);
        (
            format!("{class} arrivals up and down, {dwell_s} s a load"),
            format!("{class}-{dwell_s}s"),
        )
    },
    take: |response| match response {
        Response::SweepPoint(point) => Some(point),
        _ => None,
    },
    show: |state, side, bench| view! { <SweepFigure state side bench /> }.into_any(),
};

/// The sweep.
#[component]
pub fn SweepPanel(state: State, benches: Benches<SweepPoint>) -> impl IntoView {
    view! {
        <div class="experiment">
            <p>
                "One run through all loads, up and then down. Where the way down lies below the way up, the same load has two "
                "outcomes, and history decides which: that is hysteresis."
            </p>
            <div class="settings">
                <WhichClass state of=SWEEP_CLASS />
                <List state of=SWEEP_LOADS label="Loads, times the arrivals, rising" />
                <Setting state of=SWEEP_LASTS label="Each load lasts" unit="s" slider_max=120.0 />
            </div>
            {SWEEP.view(state, benches)}
        </div>
    }
}

fn curves(found: &[SweepPoint], palette: &Palette) -> Curves {
    let of = |direction: Direction| {
        let mut points: Vec<_> = found
            .iter()
            .filter(|point| point.direction == direction)
            .map(|point| (point.factor, point.short_goodput))
            .collect();
        // The way down begins at the top.
        if direction == Direction::Down
            && !points.is_empty()
            && let Some(top) = found.iter().rfind(|p| p.direction == Direction::Up)
        {
            points.insert(0, (top.factor, top.short_goodput));
        }
        points
    };
    let most = |of: fn(&SweepPoint) -> f64| found.iter().map(of).fold(1.0, f64::max) * 1.06;
    Curves {
        x_title: "arrivals, times those set",
        y_title: "Short answers/s",
        top: (most(|p| p.factor), most(|p| p.short_goodput)),
        curves: vec![
            Curve {
                name: "load rising",
                colour: palette.fresh,
                dashed: false,
                points: of(Direction::Up),
            },
            Curve {
                name: "load falling",
                colour: palette.duplicate,
                dashed: true,
                points: of(Direction::Down),
            },
        ],
    }
}

/// The loop of one side.
#[component]
fn SweepFigure(state: State, side: Side, bench: Bench<SweepPoint>) -> impl IntoView {
    let found = bench.found;
    let draw = move |area: &_, palette: &_| {
        found.with(|found| {
            let _ = curves(found, palette).draw(area, palette);
        });
    };
    let said = Signal::derive(move || {
        found.with(|found| {
            if !found.iter().any(|point| point.direction == Direction::Down) {
                return "The way down has not been run yet.".to_owned();
            }
            let gap = hysteresis(found);
            let verdict = if gap > 30.0 {
                "it does not retrace itself"
            } else {
                "it retraces itself"
            };
            format!(
                "On the way down there are {} {} short answers a second at the same load, on average over the loads met both ways: {verdict}.",
                figure(gap.abs()),
                if gap < 0.0 { "more" } else { "fewer" }
            )
        })
    });
    let summary =
        Signal::derive(move || found.with(|found| curves(found, &Palette::default()).words()));
    let table = Callback::new(move |()| {
        let rows = found.with(|found| {
            found
                .iter()
                .map(|point| {
                    let way = match point.direction {
                        Direction::Up => "up",
                        Direction::Down => "down",
                    };
                    let mut cells = vec![way.to_owned()];
                    cells.extend(
                        [
                            point.factor,
                            point.offered_cores,
                            point.short_goodput,
                            point.long_goodput,
                            point.long_tickets,
                            point.waste,
                        ]
                        .map(figure),
                    );
                    (cells, false)
                })
                .collect()
        });
        let heads = [
            "Way",
            "Load, times",
            "Offered, cores",
            "Short answers/s",
            "Long answers/s",
            "Long tickets",
            "Waste, cores",
        ]
        .map(str::to_owned)
        .to_vec();
        TableData {
            label: format!("Loads of {}", side.letter()),
            heads,
            rows,
        }
    });
    view! {
        <Figure
            title=format!("{}: up and down", side.letter())
            file="sweep"
            parameters=bench.parameters(words::parameters(state, side))
            summary=summary
            table=table
        >
            <Canvas height=HEIGHT draw=draw />
            <p class="read-out" data-sweep=side.letter()>{said}</p>
        </Figure>
    }
}
