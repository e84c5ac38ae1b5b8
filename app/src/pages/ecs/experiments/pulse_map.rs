//! The stability basin of the ECS: which pulses it comes back from.

use super::settings::{MAP_CLASS, MAP_HEIGHTS, MAP_LENGTHS, MAP_RUNS, MAP_WATCHED};
use super::{Asked, Bench, Benches, Experiment, List, Setting, WhichClass};
use crate::pages::ecs::state::{MAX_DURATION_S, Side, State};
use crate::pages::ecs::words;
use crate::plots::timeline::figure;
use crate::share::Rows;
use crate::ui::{Legend, LegendItem, Pattern, TakeAway};
use crate::worker::Json;
use crate::worker::ecs::{Request, Response};
use engine::ecs::Entry;
use engine::ecs::experiment::{Cell, PULSE_FROM_S, PulseMapSettings};
use engine::rows;
use leptos::prelude::*;

const MAP: Experiment<Cell> = Experiment {
    start: "Map the pulses",
    request: |config, seed, settings| Request::PulseMap {
        config: Json(config),
        settings: PulseMapSettings {
            seed,
            ..settings.map.clone()
        },
    },
    words: |settings| {
        let PulseMapSettings {
            class,
            runs,
            observe_s,
            ..
        } = settings.map;
        let class = words::class(class);
        (
            format!("pulses of {class} arrivals, {runs} runs each, watched for {observe_s} s"),
            format!("{class}-{runs}-runs"),
        )
    },
    take: |response| match response {
        Response::Cell(cell) => Some(cell),
        _ => None,
    },
    show: |state, side, bench| view! { <Grid state side bench /> }.into_any(),
};

/// Plays the pulse of a cell as it was run for the map.
fn watch(state: State, cell: &Cell, settings: &PulseMapSettings) {
    let until_s = PULSE_FROM_S + cell.length_s;
    // A pulse of the map was in range when it was run; the page may watch it for less long.
    let _ = state.propose(|scenario| {
        scenario.config.duration_s = (until_s + settings.observe_s).min(MAX_DURATION_S);
        scenario.config.script = vec![Entry::Pulse {
            class: settings.class,
            factor: cell.factor,
            from_s: PULSE_FROM_S,
            until_s,
        }];
    });
    state.head.go_to(usize::MAX);
}

/// The map of pulses.
#[component]
pub fn PulseMapPanel(state: State, benches: Benches<Cell>) -> impl IntoView {
    view! {
        <div class="experiment">
            <p>
                "Each cell is a pulse: how high, from left to right, and how long, from the bottom up. It says in how many "
                "runs at least nine tenths of the short answers came back. Press one to watch it above."
            </p>
            <div class="settings">
                <WhichClass state of=MAP_CLASS />
                <List state of=MAP_HEIGHTS label="Heights, times the arrivals" />
                <List state of=MAP_LENGTHS label="Lengths in seconds" />
                <Setting state of=MAP_RUNS label="Runs for each pulse" slider_max=10.0 />
                <Setting state of=MAP_WATCHED label="Watched after the pulse" unit="s" slider_max=200.0 />
            </div>
            {MAP.view(state, benches)}
            <Legend
                label="Cells"
                items=vec![
                    item("recovers", Pattern::Plain, "all runs come back"),
                    item("at-risk", Pattern::Stripes, "some do"),
                    item("doomed", Pattern::Crosses, "none does"),
                    item("unknown", Pattern::Plain, "not run yet"),
                ]
            />
        </div>
    }
}

const fn item(colour: &'static str, pattern: Pattern, word: &'static str) -> LegendItem {
    LegendItem {
        colour,
        pattern,
        letter: "",
        word,
    }
}

/// The class of a cell's colour.
fn look(came_back: u32, runs: u32) -> &'static str {
    match came_back {
        0 => "swatch doomed crosses",
        all if all == runs => "swatch recovers",
        _ => "swatch at-risk stripes",
    }
}

/// The cells of one side.
#[component]
fn Grid(state: State, side: Side, bench: Bench<Cell>) -> impl IntoView {
    let found = bench.found;
    let factors = Memo::new(move |_| {
        state
            .experiments
            .with(|settings| settings.map.factors.clone())
    });
    let lengths = Memo::new(move |_| {
        state
            .experiments
            .with(|settings| settings.map.lengths_s.clone())
    });
    let press = Callback::new(move |cell: Cell| {
        let asked = bench.asked.get_untracked();
        if let Some(Asked {
            request: Request::PulseMap { settings, .. },
            ..
        }) = asked
        {
            watch(state, &cell, &settings);
        }
    });
    // Of an earlier map only the pulses that this one has too.
    let shown = Memo::new(move |_| {
        let (factors, lengths) = (factors.get(), lengths.get());
        let mut cells = found.get();
        cells.retain(|cell| factors.contains(&cell.factor) && lengths.contains(&cell.length_s));
        cells
    });
    let cell = move |factor: f64, length: f64| {
        shown.with(|shown| {
            shown
                .iter()
                .find(|cell| cell.factor == factor && cell.length_s == length)
                .cloned()
        })
    };
    let summary = move || {
        shown.with(|found| {
            if found.is_empty() {
                return "No pulse has been run yet.".to_owned();
            }
            let count = |of: fn(&Cell) -> bool| found.iter().filter(|cell| of(cell)).count();
            let back = count(|cell| cell.came_back == cell.remaining.runs);
            let lost = count(|cell| cell.came_back == 0);
            format!(
                "Of {} pulses, {back} always come back, {lost} never do, {} sometimes.",
                found.len(),
                found.len() - back - lost
            )
        })
    };
    // As `basin ecs map` prints them.
    let rows =
        Callback::new(move |format| Rows::Written(shown.with(|shown| rows::text(format, shown))));
    view! {
        <p class="read-out" data-map=side.letter()>{summary}</p>
        <TakeAway
            title=format!("{}: map of pulses", side.letter())
            file="pulse-map"
            parameters=bench.parameters(words::parameters(state, side))
            rows=Some(rows)
            json=true
        />
        <div class="table-scroll">
            <table class="pulse-map" aria-label=format!("Map of pulses of {}", side.letter())>
                <tbody>
                    {move || {
                        let mut lengths = lengths.get();
                        lengths.reverse();
                        lengths
                            .into_iter()
                            .map(|length| {
                                let cells = factors
                                    .get()
                                    .into_iter()
                                    .map(|factor| {
                                        let at = Memo::new(move |_| cell(factor, length));
                                        view! { <td>{move || match at.get() {
                                            None => {
                                                view! { <span class="swatch unknown"><span class="only-heard">"not run yet"</span></span> }
                                                    .into_any()
                                            }
                                            Some(cell) => {
                                                let runs = cell.remaining.runs;
                                                let says = format!(
                                                    "{} for {length} seconds: {} of {runs} come back, {}% of the short answers remain, long tickets up to {}",
                                                    words::times(factor),
                                                    cell.came_back,
                                                    figure(100.0 * cell.remaining.mean),
                                                    cell.long_tickets_max
                                                );
                                                let class = look(cell.came_back, runs);
                                                let words = format!("{}/{runs}", cell.came_back);
                                                view! {
                                                    <button
                                                        type="button"
                                                        class=class
                                                        aria-label=says.clone()
                                                        title=says
                                                        on:click=move |_| press.run(cell.clone())
                                                    >
                                                        <span>{words}</span>
                                                    </button>
                                                }
                                                    .into_any()
                                            }
                                        }}</td> }
                                    })
                                    .collect_view();
                                view! { <tr><th scope="row">{format!("{length} s")}</th>{cells}</tr> }
                            })
                            .collect_view()
                    }}
                </tbody>
                <tfoot>
                    <tr>
                        <td></td>
                        {move || {
                            factors
                                .get()
                                .into_iter()
                                .map(|factor| view! { <th scope="col">{words::times(factor)}</th> })
                                .collect_view()
                        }}
                    </tr>
                </tfoot>
            </table>
        </div>
    }
}
