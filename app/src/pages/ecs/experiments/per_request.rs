//! The retrier and the server with a clock for each request, beside the counting model: how far that carries.

use super::{Bench, Setting};
use crate::pages::ecs::job_line::JobLine;
use crate::parameters::Parameters;
use crate::plots::timeline::{At, Look, Plot, Timeline, Trace, figure};
use crate::plots::{Canvas, Colour, Palette};
use crate::share::Rows;
use crate::ui::{Button, Figure, Segmented, TableData, Toggle};
use crate::worker::ecs::{Request, Response};
use engine::per_request::{Plan, Randomness, Round};
use leptos::prelude::*;
use plotters::style::Color as _;

/// Pixels high.
const HEIGHT: f64 = 260.0;

/// Rounds of work that count as having climbed, when they are queued at the end.
const CLIMBED_ROUNDS: u64 = 30;

/// One run: the counting model's, or that of a seed.
#[derive(Clone, Debug, PartialEq)]
struct Found {
    counted: bool,
    s: u64,
    rounds: Vec<Round>,
}

impl Found {
    fn end(&self) -> u64 {
        self.rounds.last().map_or(0, Round::backlog)
    }

    fn climbs(&self) -> bool {
        self.end() > CLIMBED_ROUNDS * self.s
    }
}

/// The second topology.
#[component]
pub fn PerRequestPanel() -> impl IntoView {
    let s = RwSignal::new(3.0);
    let amax = RwSignal::new(2.0);
    let t = RwSignal::new(2.0);
    let q0 = RwSignal::new(5.0);
    let rounds = RwSignal::new(200.0);
    let runs = RwSignal::new(20.0);
    let budget = RwSignal::new(0.0);
    let budget_on = RwSignal::new(false);
    let randomness = RwSignal::new(Randomness::Exponential);
    let bench = Bench::<Found>::new();
    let go = move || {
        let plan = Plan {
            budget: budget_on
                .get_untracked()
                .then(|| budget.get_untracked() as u64),
            randomness: randomness.get_untracked(),
            ..Plan::new(
                s.get_untracked() as u64,
                amax.get_untracked() as u64,
                t.get_untracked() as u64,
                q0.get_untracked() as u64,
                rounds.get_untracked() as u64,
            )
        };
        let s = plan.s;
        let request = Request::PerRequest {
            plan,
            first: 1,
            runs: runs.get_untracked() as u64,
        };
        bench.start(request, move |response| {
            let (counted, rounds) = match response {
                Response::Counted(rounds) => (true, rounds),
                Response::PerRequest(rounds) => (false, rounds),
                _ => return None,
            };
            Some(Found { counted, s, rounds })
        });
    };
    let found = bench.found;
    let draw = move |area: &_, palette: &_| {
        found.with(|found| {
            let _ = timeline(found, palette).draw(area, palette);
        });
    };
    let said = Signal::derive(move || found.with(|found| describe(found)));
    let parameters = Signal::derive(move || {
        let numbers = [("S", s), ("AMax", amax), ("T", t), ("Q0", q0)];
        let one = |(name, value): (&str, RwSignal<f64>)| format!("{name} = {}", value.get());
        let words = numbers.map(one).join(", ");
        let set = Parameters::new(&*words, &words.replace(" = ", ""));
        let set = match budget_on.get() {
            true => set.and(&format!("budget B = {}", budget.get()), "budget"),
            false => set,
        };
        match randomness.get() {
            Randomness::Exponential => set,
            Randomness::None => set.and("without chance", "no-chance"),
        }
    });
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
                "the same starts; with chance, a small system can tip from any start, and a large one keeps to the bands."
            </p>
            <div class="settings">
                <Setting label="S, served a round" min=1.0 max=1_000.0 slider_max=300.0 value=s />
                <Setting label="AMax, arrivals a round" min=0.0 max=1_000.0 slider_max=300.0 value=amax />
                <Setting label="T, timeout" unit="rounds" min=1.0 max=1_000.0 slider_max=10.0 value=t />
                <Setting label="Q0, queued at the start" min=0.0 max=10_000.0 slider_max=1_000.0 value=q0 />
                <Setting label="Rounds" min=1.0 max=10_000.0 slider_max=1_000.0 value=rounds />
                <Setting label="Seeds" min=1.0 max=200.0 slider_max=50.0 value=runs />
                <Toggle
                    label="Retry budget"
                    note="At most B duplicates a round."
                    value=budget_on
                    on_change=move |on: bool| budget_on.set(on)
                />
                <Setting label="B, duplicates a round" min=0.0 max=1_000.0 slider_max=100.0 value=budget />
                <Segmented
                    label="Chance"
                    options=vec![
                        (Randomness::Exponential, "Random arrivals and services"),
                        (Randomness::None, "None"),
                    ]
                    value=randomness
                    on_change=move |to: Randomness| randomness.set(to)
                />
            </div>
            <Button class="primary" on_press=go>"Run both models"</Button>
            <JobLine job=bench.job what="Running both models" again=move |()| go() />
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
            title: "Backlog: black counted, green by request".to_owned(),
            top: top.max(1) as f64 * 1.06,
            traces,
            levels: Vec::new(),
            marks: (Vec::new(), Colour::default()),
        }],
        spans: Vec::new(),
    }
}

fn describe(found: &[Found]) -> String {
    let seeds: Vec<_> = found.iter().filter(|one| !one.counted).collect();
    let Some(counted) = found.iter().find(|one| one.counted) else {
        return "Neither model has been run yet.".to_owned();
    };
    let climbing = seeds.iter().filter(|one| one.climbs()).count();
    format!(
        "The counting model ends with {} queued{}. By request, {climbing} of {} runs climb (more than {CLIMBED_ROUNDS} rounds of work queued at the end).",
        figure(counted.end() as f64),
        if counted.climbs() {
            ": it climbs"
        } else {
            ": it does not climb"
        },
        seeds.len()
    )
}
