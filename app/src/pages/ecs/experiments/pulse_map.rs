//! The stability basin of the ECS: which pulses it comes back from.

use super::{Numbers, Setting, WhichClass, on_both_sides};
use crate::pages::ecs::state::{MAX_DURATION_S, Side, State};
use crate::pages::ecs::words;
use crate::plots::timeline::figure;
use crate::share::Rows;
use crate::ui::{Legend, LegendItem, Pattern, TakeAway};
use crate::worker::Json;
use crate::worker::ecs::{Request, Response};
use engine::ecs::experiment::{Cell, PULSE_FROM_S, PulseMapSettings};
use engine::ecs::{Class, Entry};
use engine::rows;
use leptos::prelude::*;

/// Runs for each pulse that the page opens with.
const RUNS: f64 = 2.0;

/// How long each run is watched after its pulse, that the page opens with, in seconds.
const OBSERVE_S: f64 = 60.0;

/// The map of pulses.
#[component]
pub fn PulseMapPanel(state: State) -> impl IntoView {
    let defaults = PulseMapSettings::default();
    let class = RwSignal::new(Class::Long);
    let factors = RwSignal::new(defaults.factors);
    let lengths = RwSignal::new(defaults.lengths_s);
    let runs = RwSignal::new(RUNS);
    let observe = RwSignal::new(OBSERVE_S);
    let request = move |config, seed| {
        Ok(Request::PulseMap {
            config: Json(config),
            settings: PulseMapSettings {
                class: class.get_untracked(),
                factors: factors.get_untracked(),
                lengths_s: lengths.get_untracked(),
                observe_s: observe.get_untracked(),
                runs: runs.get_untracked() as u32,
                seed,
            },
        })
    };
    let take = |response| match response {
        Response::Cell(cell) => Some(cell),
        _ => None,
    };
    let press = move |cell: Cell| {
        let until_s = PULSE_FROM_S + cell.length_s;
        let class = class.get_untracked();
        let observe = observe.get_untracked();
        // A pulse of the map was in range when it was run; the page may watch it for less long.
        let _ = state.propose(|scenario| {
            scenario.config.duration_s = (until_s + observe).min(MAX_DURATION_S);
            scenario.config.script = vec![Entry::Pulse {
                class,
                factor: cell.factor,
                from_s: PULSE_FROM_S,
                until_s,
            }];
        });
        state.head.go_to(usize::MAX);
    };
    let show = move |side: Side, found: RwSignal<Vec<Cell>>| {
        view! { <Grid state side found factors lengths on_press=press /> }.into_any()
    };
    view! {
        <div class="experiment">
            <p>
                "Each cell is a pulse: how high, from left to right, and how long, from the bottom up. It says in how many "
                "runs at least nine tenths of the short answers came back. Press one to watch it above."
            </p>
            <div class="settings">
                <WhichClass class />
                <Numbers label="Heights, times the arrivals" value=factors />
                <Numbers label="Lengths in seconds" value=lengths />
                <Setting label="Runs for each pulse" min=1.0 max=100.0 slider_max=10.0 value=runs />
                <Setting label="Watched after the pulse" unit="s" min=20.0 max=900.0 slider_max=200.0 value=observe />
            </div>
            {on_both_sides(state, "Map the pulses", request, take, show)}
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
fn Grid(
    state: State,
    side: Side,
    found: RwSignal<Vec<Cell>>,
    factors: RwSignal<Vec<f64>>,
    lengths: RwSignal<Vec<f64>>,
    #[prop(into)] on_press: Callback<Cell>,
) -> impl IntoView {
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
            parameters=words::parameters(state, side)
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
                                                        on:click=move |_| on_press.run(cell.clone())
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
