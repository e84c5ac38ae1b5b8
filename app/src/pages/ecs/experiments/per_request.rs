//! The retrier and the server with a clock for each request, beside the counting model: how far that carries.

use super::settings::{
    CLOCK_AMAX, CLOCK_BUDGET, CLOCK_Q0, CLOCK_ROUNDS, CLOCK_RUNS, CLOCK_S, CLOCK_T, Settings,
};
use super::{Asked, Bench, OldLine, Setting};
use crate::pages::ecs::job_line::JobLine;
use crate::pages::ecs::state::State;
use crate::parameters::Parameters;
use crate::plots::timeline::{At, Look, Plot, Timeline, Trace, figure};
use crate::plots::{Canvas, Colour, Palette};
use crate::share::Rows;
use crate::ui::{Button, Figure, Segmented, TableData, Toggle};
use crate::worker::ecs::{Request, Response};
use engine::per_request::{Randomness, Round};
use leptos::prelude::*;
use plotters::style::Color as _;

/// Pixels high.
const HEIGHT: f64 = 260.0;

/// Rounds of work that count as having climbed, when they are queued at the end.
const CLIMBED_ROUNDS: u64 = 30;

/// One run: the counting model's, or that of a seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    counted: bool,
    rounds: Vec<Round>,
}

impl Found {
    fn end(&self) -> u64 {
        self.rounds.last().map_or(0, Round::backlog)
    }

    /// Whether it has climbed, where `s` are served in a round.
    fn climbs(&self, s: u64) -> bool {
        self.end() > CLIMBED_ROUNDS * s
    }
}

/// What would be asked with these settings.
fn asked(settings: &Settings) -> Asked {
    let plan = settings.clock_plan();
    let numbers = [
        ("S", plan.s),
        ("AMax", plan.amax),
        ("T", plan.t),
        ("Q0", plan.q0),
    ];
    let words = numbers
        .map(|(name, value)| format!("{name} = {value}"))
        .join(", ");
    let mut parameters = Parameters::new(&*words, &words.replace(" = ", ""));
    if let Some(budget) = plan.budget {
        parameters = parameters.and(&format!("budget B = {budget}"), "budget");
    }
    if plan.randomness == Randomness::None {
        parameters = parameters.and("without chance", "no-chance");
    }
    Asked {
        request: Request::PerRequest {
            plan,
            first: 1,
            runs: settings.clock_runs,
        },
        parameters,
    }
}

fn take(response: Response) -> Option<Found> {
    let (counted, rounds) = match response {
        Response::Counted(rounds) => (true, rounds),
        Response::PerRequest(rounds) => (false, rounds),
        _ => return None,
    };
    Some(Found { counted, rounds })
}

/// The second topology.
#[component]
pub fn PerRequestPanel(state: State, bench: Bench<Found>) -> impl IntoView {
    let settings = state.experiments;
    let asked = move || settings.with(asked);
    let go = move || bench.start(untrack(asked), take);
    let is_old = bench.is_old(move || Some(asked().request));
    let has_budget = Memo::new(move |_| settings.with(|settings| settings.clock_has_budget));
    let randomness = Memo::new(move |_| settings.with(|settings| settings.clock.randomness));
    let found = bench.found;
    let draw = move |area: &_, palette: &_| {
        found.with(|found| {
            let _ = timeline(found, palette).draw(area, palette);
        });
    };
    let said = Signal::derive(move || {
        let s = bench.asked.with(|asked| match asked {
            Some(Asked {
                request: Request::PerRequest { plan, .. },
                ..
            }) => plan.s,
            _ => 1,
        });
        found.with(|found| describe(found, s))
    });
    let parameters = bench.parameters(Signal::derive(move || asked().parameters));
    let table = Callback::new(move |()| {
        let heads = [
            "Model",
            "Round",
            "Fresh",
            "Duplicates",
            "Pending",
            "Retries",
        ];
        let rows = found.with(|found| {
            let runs = found.iter().zip(0_u64..);
            runs.flat_map(|(run, seed)| {
                let model = match run.counted {
                    true => "counted".to_owned(),
                    false => format!("seed {seed}"),
                };
                run.rounds.iter().map(move |round| {
                    let Round {
                        round,
                        fresh,
                        duplicates,
                        pending,
                        retries,
                    } = round;
                    let counts = [round, fresh, duplicates, pending, retries];
                    let cells = std::iter::once(model.clone())
                        .chain(counts.map(u64::to_string))
                        .collect();
                    (cells, false)
                })
            })
            .collect()
        });
        TableData {
            label: "Both models, a row a round".to_owned(),
            heads: heads.map(str::to_owned).to_vec(),
            rows,
        }
    });
    view! {
        <div class="experiment">
            <p>
                "The first page counts: it keeps two numbers, and lets retries go out by a formula. Here every request has its "
                "own clock and sends a duplicate each time T rounds pass without an answer. Without chance it recovers from "
                "the same starts, and climbs from those where the count only orbits. With chance, a small system can tip "
                "from any start, even one that the count proves safe, and a large one keeps to the bands."
            </p>
            <div class="settings">
                <Setting state of=CLOCK_S label="S, served a round" slider_max=300.0 />
                <Setting state of=CLOCK_AMAX label="AMax, arrivals a round" slider_max=300.0 />
                <Setting state of=CLOCK_T label="T, timeout" unit="rounds" slider_max=10.0 />
                <Setting state of=CLOCK_Q0 label="Q0, queued at the start" slider_max=1_000.0 />
                <Setting state of=CLOCK_ROUNDS label="Rounds" slider_max=1_000.0 />
                <Setting state of=CLOCK_RUNS label="Seeds" slider_max=50.0 />
                <Toggle
                    label="Retry budget"
                    note="At most B duplicates a round."
                    value=has_budget
                    on_change=move |on: bool| settings.update(|settings| settings.clock_has_budget = on)
                />
                <Setting state of=CLOCK_BUDGET label="B, duplicates a round" slider_max=100.0 />
                <Segmented
                    label="Chance"
                    options=vec![
                        (Randomness::Exponential, "Random arrivals and services"),
                        (Randomness::None, "None"),
                    ]
                    value=randomness
                    on_change=move |to: Randomness| settings.update(|settings| settings.clock.randomness = to)
                />
            </div>
            <Button class="primary" on_press=go>"Run both models"</Button>
            <JobLine job=bench.job what="Running both models" again=move |()| go() />
            <OldLine is_old />
            <Figure
                title="Work queued at the server, round by round"
                file="per-request"
                parameters=parameters
                summary=said
                rows=Callback::new(move |_| Rows::Written(table.run(()).csv()))
            >
                <Canvas height=HEIGHT draw=draw />
                <p class="read-out" data-per-request="both">{said}</p>
            </Figure>
        </div>
    }
}

fn timeline(found: &[Found], palette: &Palette) -> Timeline {
    let trace = |one: &Found| Trace {
        name: if one.counted { "counted" } else { "" },
        colour: if one.counted {
            palette.ink
        } else {
            palette.fresh.mix(0.6)
        },
        look: if one.counted { Look::Line } else { Look::Thin },
        values: one
            .rounds
            .iter()
            .map(|round| At {
                t: round.round as f64,
                low: 0.0,
                high: round.backlog() as f64,
            })
            .collect(),
    };
    let mut traces: Vec<_> = found.iter().filter(|one| !one.counted).map(trace).collect();
    traces.extend(found.iter().filter(|one| one.counted).map(trace));
    let rounds = found.iter().flat_map(|one| &one.rounds);
    let top = rounds.clone().map(Round::backlog).max().unwrap_or(1);
    Timeline {
        end: rounds.map(|round| round.round).max().unwrap_or(1) as f64,
        unit: "rounds",
        plots: vec![Plot {
            title: "Backlog: the thick line counted, thin ones by request".to_owned(),
            top: top.max(1) as f64 * 1.06,
            traces,
            levels: Vec::new(),
            marks: (Vec::new(), Colour::default()),
        }],
        spans: Vec::new(),
    }
}

/// What has become of it, where `s` are served in a round.
fn describe(found: &[Found], s: u64) -> String {
    let seeds: Vec<_> = found.iter().filter(|one| !one.counted).collect();
    let Some(counted) = found.iter().find(|one| one.counted) else {
        return "Neither model has been run yet.".to_owned();
    };
    let climbing = seeds.iter().filter(|one| one.climbs(s)).count();
    format!(
        "The counting model ends with {} queued{}. By request, {climbing} of {} runs climb (more than {CLIMBED_ROUNDS} rounds of work queued at the end).",
        figure(counted.end() as f64),
        if counted.climbs(s) {
            ": it climbs"
        } else {
            ": it does not climb"
        },
        seeds.len()
    )
}
