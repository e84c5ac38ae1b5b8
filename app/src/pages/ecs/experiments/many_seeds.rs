//! The same system with many seeds: what holds on average, and how surely.

use super::settings::{SEEDS, Settings};
use super::{Asked, Bench, Benches, Experiment, Setting};
use crate::pages::ecs::state::{Side, State};
use crate::pages::ecs::words;
use crate::plots::timeline::{At, Look, Plot, Timeline, Trace, figure};
use crate::plots::{Canvas, Colour, Palette};
use crate::ui::{Figure, TableData};
use crate::worker::Json;
use crate::worker::ecs::{Request, Response, SeedRun};
use engine::ecs::experiment::{CAME_BACK, Estimate};
use engine::ecs::{Config, Summary};
use leptos::prelude::*;
use plotters::style::Color as _;

/// Pixels high.
const HEIGHT: f64 = 230.0;

const MANY_SEEDS: Experiment<SeedRun> = Experiment {
    start: "Run the seeds",
    request: |config, seed, settings| Request::Seeds {
        config: Json(config),
        first: seed,
        runs: settings.seeds,
    },
    words: |&Settings { seeds, .. }| {
        (
            format!("and the seeds after it, {seeds} in all"),
            format!("n{seeds}"),
        )
    },
    take: |response| match response {
        Response::Seed(run) => Some(run),
        _ => None,
    },
    show: |state, side, bench| view! { <SeedsFigure state side bench /> }.into_any(),
};

/// The seeds.
#[component]
pub fn ManySeedsPanel(state: State, benches: Benches<SeedRun>) -> impl IntoView {
    view! {
        <div class="experiment">
            <p>
                "The script above with one seed after another. The line is the mean over the seeds, the band its 95% "
                "confidence interval, the thin lines the least and the most."
            </p>
            <div class="settings">
                <Setting state of=SEEDS label="Seeds" slider_max=30.0 />
            </div>
            {MANY_SEEDS.view(state, benches)}
        </div>
    }
}

fn timeline(found: &[SeedRun], config: &Config, palette: &Palette) -> Timeline {
    let samples = found
        .iter()
        .map(|run| run.short_goodput.len())
        .min()
        .unwrap_or(0);
    let at = |index: usize| found.iter().map(move |run| run.short_goodput[index]);
    let trace = |name, colour: Colour, look, of: &dyn Fn(usize) -> Option<(f64, f64)>| Trace {
        name,
        colour,
        look,
        values: (0..samples)
            .filter_map(|index| {
                let (low, high) = of(index)?;
                let t = (index + 1) as f64 * config.sample_s;
                Some(At { t, low, high })
            })
            .collect(),
    };
    let estimate = |index: usize| Estimate::of(&at(index).collect::<Vec<_>>());
    let most = (0..samples).flat_map(at).fold(1.0, f64::max);
    let fresh = palette.fresh;
    Timeline {
        end: config.duration_s,
        unit: "seconds",
        plots: vec![Plot {
            title: "Short answers/s".to_owned(),
            top: most * 1.06,
            traces: vec![
                trace("", fresh.mix(0.3), Look::Filled, &|i| {
                    estimate(i).map(|e| (e.low.max(0.0), e.high))
                }),
                trace("least", palette.muted, Look::Thin, &|i| {
                    at(i).reduce(f64::min).map(|v| (0.0, v))
                }),
                trace("most", palette.muted, Look::Thin, &|i| {
                    at(i).reduce(f64::max).map(|v| (0.0, v))
                }),
                trace("mean", fresh, Look::Line, &|i| {
                    estimate(i).map(|e| (0.0, e.mean))
                }),
            ],
            levels: Vec::new(),
            marks: (Vec::new(), Colour::default()),
        }],
        spans: super::super::series::spans(config),
    }
}

/// The seeds of one side.
#[component]
fn SeedsFigure(state: State, side: Side, bench: Bench<SeedRun>) -> impl IntoView {
    let found = bench.found;
    // The system that was run; before it is, the one that would be.
    let now = state.part(move |scenario| scenario.side(side).unwrap_or_default());
    let config = Signal::derive(move || match bench.asked.get() {
        Some(Asked {
            request: Request::Seeds { config, .. },
            ..
        }) => config.0,
        _ => now.get(),
    });
    let draw = move |area: &_, palette: &_| {
        found.with(|found| {
            config.with(|config| {
                let _ = timeline(found, config, palette).draw(area, palette);
            });
        });
    };
    let said = Signal::derive(move || found.with(|found| describe(found)));
    let table = Callback::new(move |()| {
        let rows = found.with(|found| {
            found
                .iter()
                .map(|run| {
                    let summary = &run.summary.0;
                    let rate = |v: Option<f64>| v.map_or_else(|| "–".to_owned(), figure);
                    let cells = vec![
                        run.seed.to_string(),
                        rate(summary.short_goodput_before),
                        rate(summary.short_goodput_during),
                        rate(summary.short_goodput_after),
                        rate(summary.long_goodput_after),
                        summary.long_tickets_max.to_string(),
                    ];
                    (cells, false)
                })
                .collect()
        });
        let heads = [
            "Seed",
            "Before",
            "During",
            "Last 20 s",
            "Long, last 20 s",
            "Most long tickets",
        ]
        .map(str::to_owned)
        .to_vec();
        TableData {
            label: format!("Seeds of {}", side.letter()),
            heads,
            rows,
        }
    });
    view! {
        <Figure
            title=format!("{}: over many seeds", side.letter())
            file="seeds"
            parameters=bench.parameters(words::parameters(state, side))
            summary=said
            table=table
        >
            <Canvas height=HEIGHT draw=draw />
            <p class="read-out" data-seeds=side.letter()>{said}</p>
        </Figure>
    }
}

fn describe(found: &[SeedRun]) -> String {
    if found.is_empty() {
        return "No seed has been run yet.".to_owned();
    }
    let mean = |of: fn(&Summary) -> Option<f64>| {
        let values = found.iter().filter_map(|run| of(&run.summary.0));
        Estimate::of(&values.collect::<Vec<_>>()).map_or_else(
            || "–".to_owned(),
            |e| format!("{} ± {}", figure(e.mean), figure(e.half_width())),
        )
    };
    let back = found
        .iter()
        .filter(|run| run.summary.0.short_remaining() >= CAME_BACK)
        .count();
    format!(
        "{back} of {} seeds come back. Short answers a second: before {}, during {}, last 20 s {}. Long: before {}, during {}, last 20 s {}.",
        found.len(),
        mean(|s| s.short_goodput_before),
        mean(|s| s.short_goodput_during),
        mean(|s| s.short_goodput_after),
        mean(|s| s.long_goodput_before),
        mean(|s| s.long_goodput_during),
        mean(|s| s.long_goodput_after),
    )
}
