//! N clients and one server.

use super::job::{Job, JobLine, Status};
use super::study::Study;
use super::{meaning, swatch};
use crate::parameters::Parameters;
use crate::plots::Canvas;
use crate::plots::queues::{Queues, Sample};
use crate::sight::Sight;
use crate::text::capitalised;
use crate::ui::{Figure, Number, TableData, Toggle};
use crate::worker::why::{Request, Response};
use engine::retrier_server::clients::{
    Clients, ClientsJudgement, ClientsPlan, ClientsProof, DEFAULT_CLIENTS_CAP, MAX_CLIENTS,
    MAX_EXPLORED_CLIENTS,
};
use engine::retrier_server::{Arrivals, Config, Service, Turn, Verdict};
use leptos::html;
use leptos::prelude::*;

/// Pixels high.
const HEIGHT: f64 = 320.0;

/// Rounds of the run.
const ROUNDS: u64 = 120;

/// What the reader sets here, beside the capacity and the timeout of the page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// How many clients.
    pub n: u64,
    /// `AMax` of each.
    pub amax: u64,
    /// The budget of each.
    pub budget: Option<u64>,
    /// Whether the server serves fresh work first.
    pub fresh_first: bool,
    /// `Q0` of each.
    pub q0: u64,
}

impl Setting {
    /// What the page opens with.
    pub const FIRST: Self = Self {
        n: 3,
        amax: 1,
        budget: Some(1),
        fresh_first: false,
        q0: 8,
    };

    /// Most arrivals, and the largest budget.
    pub const MOST: u64 = 1_000;

    /// Most requests queued for each.
    pub const MOST_Q0: u64 = 10_000;
}

/// The clients, their run, and the line that budgets are safe below.
#[component]
pub fn ClientsPanel(study: Study) -> impl IntoView {
    let job = Job::new();
    let setting = study.clients;
    let server = study.part(|plan| (plan.config.s, plan.config.t));
    let clients = Memo::new(move |_| {
        let ((s, t), set) = (server.get(), setting.get());
        let mut config = Config::new(s, set.amax, t);
        config.budget = set.budget;
        if set.fresh_first {
            config.service = Service::FreshFirst;
        }
        Clients {
            config,
            n: set.n as usize,
        }
    });
    let points = Memo::new(move |_| {
        let clients = clients.get();
        let plan = ClientsPlan {
            clients,
            q0: vec![setting.get().q0; clients.n],
            arrivals: Arrivals::Max,
            rounds: ROUNDS,
        };
        plan.play().unwrap_or_default()
    });
    let judged = RwSignal::new(None::<Result<ClientsJudgement, String>>);
    let itself = NodeRef::<html::Section>::new();
    Sight::of(itself).effect(move || {
        let clients = clients.get();
        let q0 = vec![setting.get().q0; clients.n];
        let request = Request::Clients(clients, q0, DEFAULT_CLIENTS_CAP);
        job.ask(request, move |response| {
            if let Response::Clients(judgement) = response {
                judged.set(Some(judgement));
            }
            true
        });
    });
    let number = move |symbol: &'static str,
                       label: &'static str,
                       max: u64,
                       min: u64,
                       of: fn(&Setting) -> u64,
                       set: fn(&mut Setting, u64)| {
        view! {
            <Number
                symbol=symbol
                label=label
                min=min as f64
                max=max as f64
                slider_max=(max.min(24)) as f64
                value=Signal::derive(move || of(&setting.get()) as f64)
                on_change=move |v: f64| {
                    setting.update(|setting| set(setting, v as u64));
                    Ok(())
                }
            />
        }
    };
    let line = Signal::derive(move || {
        let clients = clients.get();
        let (n, s, a) = (clients.n as u64, clients.config.s, clients.config.amax);
        match clients.config.budget {
            Some(b) => {
                let inflow = n * (a + b);
                let word = if inflow < s { "below" } else { "not below" };
                format!("N × (AMax + B) = {n} × ({a} + {b}) = {inflow}, {word} S = {s}.")
            }
            None => format!(
                "Without a budget no line protects them. N × AMax = {}.",
                n * a
            ),
        }
    });
    let said = Signal::derive(move || {
        let clients = clients.get();
        match judged.get() {
            _ if job.status.get() != Status::Idle => String::new(),
            None => String::new(),
            Some(Err(why)) => why,
            Some(Ok(judgement)) => describe(&clients, &judgement),
        }
    });
    let draw = move |area: &_, palette: &_| {
        points.with(|points| {
            let samples: Vec<Sample> = points
                .iter()
                .enumerate()
                .map(|(i, point)| Sample {
                    round: i as f64 / 2.0,
                    qf: point.qf() as f64,
                    qd: point.qd() as f64,
                })
                .collect();
            let clients = clients.get();
            let good = clients.config.s + clients.n as u64 * clients.config.amax;
            let peak = samples.iter().map(|s| s.qf + s.qd).fold(0.0, f64::max);
            let plot = Queues {
                title: "Backlog of all clients: fresh, and duplicates on top",
                samples: &samples,
                rounds: ROUNDS as f64,
                top: peak.max(good as f64) * 1.08,
                level: Some((good as f64, format!("Good: backlog ≤ {good}"))),
                part: None,
                mark: None,
            };
            let _ = plot.draw(area, palette);
        });
    };
    let summary = Signal::derive(move || {
        points.with(|points| {
            let last = points.last().map_or((0, 0), |p| (p.qf(), p.qd()));
            format!(
                "After {ROUNDS} rounds at most arrivals {} fresh requests and {} duplicates are queued. {}",
                last.0,
                last.1,
                line.get()
            )
        })
    });
    let ledgers = move || {
        points.with(|points| {
            let last = points.iter().rev().find(|p| p.turn == Turn::Retrier);
            last.map(|point| {
                point
                    .clients
                    .iter()
                    .enumerate()
                    .map(|(i, client)| {
                        let counts = [client.qf, client.qd, client.done, client.p];
                        let mut cells = vec![(i + 1).to_string()];
                        cells.extend(counts.map(|n| n.to_string()));
                        (cells, false)
                    })
                    .collect()
            })
            .unwrap_or_default()
        })
    };
    let table = Callback::new(move |()| {
        let heads = ["Client", "qf", "qd", "done", "p"]
            .map(str::to_owned)
            .to_vec();
        TableData {
            label: "Each client’s ledger at the end of the run".to_owned(),
            heads,
            rows: ledgers(),
        }
    });
    let parameters = Signal::derive(move || {
        let (Clients { config, n }, q0) = (clients.get(), setting.get().q0);
        let Config {
            s, amax, t, budget, ..
        } = config;
        let one = Parameters::new(
            format!("{n} clients, S = {s}, T = {t}, each with AMax = {amax}, Q0 = {q0}"),
            &format!("n{n}-s{s}-t{t}-amax{amax}-q{q0}"),
        );
        let one = match budget {
            Some(b) => one.and(&format!("budget B = {b}"), &format!("b{b}")),
            None => one,
        };
        match config.service {
            Service::FreshFirst => one.and("fresh first", "fresh-first"),
            Service::Proportional => one,
        }
    });
    view! {
        <section class="flow" node_ref=itself aria-labelledby="clients-title">
            <h2 id="clients-title">"N clients, one server"</h2>
            <p>
                "Each client keeps a ledger of its own, with AMax and B of its own and a threshold of its share of "
                "the capacity. Budgets protect the server only while there are few enough clients; fresh first "
                "protects it past that line."
            </p>
            <div class="settings">
                {number("N", "clients", MAX_CLIENTS as u64, 1, |s| s.n, |s, v| s.n = v)}
                {number("AMax", "most arrivals of each", Setting::MOST, 0, |s| s.amax, |s, v| s.amax = v)}
                {number("B", "budget of each", Setting::MOST, 0, |s| s.budget.unwrap_or(0), |s, v| s.budget = Some(v))}
                {number("Q0", "queued for each at the start", Setting::MOST_Q0, 0, |s| s.q0, |s, v| s.q0 = v)}
                <Toggle
                    label="Budgets"
                    value=Signal::derive(move || setting.get().budget.is_some())
                    on_change=move |on: bool| setting.update(|s| s.budget = on.then_some(s.budget.unwrap_or(1)))
                />
                <Toggle
                    label="Fresh first"
                    value=Signal::derive(move || setting.get().fresh_first)
                    on_change=move |on: bool| setting.update(|s| s.fresh_first = on)
                />
            </div>
            <Gauge clients=clients />
            <p data-point="line">{line}</p>
            <JobLine job share=Signal::stored(None) what="Judging the clients" />
            <p class="said" role="status" data-point="clients">
                {move || match judged.get() {
                    Some(Ok(judgement)) if job.status.get() == Status::Idle => {
                        let (class, letter) = swatch(judgement.verdict);
                        Some(view! { <span class=class aria-hidden="true">{letter}</span> })
                    }
                    _ => None,
                }}
                <span>{said}</span>
            </p>
            <Figure
                title="The run at most arrivals"
                file="clients"
                parameters=parameters
                caption="S and T are those of the settings; everything else is set here."
                summary=summary
                table=table
            >
                <Canvas height=HEIGHT draw=draw />
            </Figure>
        </section>
    }
}

/// The line `N * (AMax + B) < S` as a bar against the capacity.
#[component]
fn Gauge(clients: Memo<Clients>) -> impl IntoView {
    let parts = move || {
        let clients = clients.get();
        let n = clients.n as u64;
        let fresh = n * clients.config.amax;
        let retries = n * clients.config.budget.unwrap_or(0);
        let s = clients.config.s;
        let whole = (fresh + retries).max(s).max(1) as f64 * 1.15;
        let share = |part: u64| format!("{:.2}%", part as f64 / whole * 100.0);
        (share(fresh), share(retries), share(s), fresh, retries, s)
    };
    view! {
        {move || {
            let (fresh_share, retry_share, capacity, fresh, retries, s) = parts();
            let label = format!(
                "At most {fresh} fresh requests and {retries} retries come in a round, against a capacity of {s}",
            );
            view! {
                <div class="gauge" role="img" aria-label=label.clone()>
                    <div class="bar fresh" style:width=fresh_share>
                        <span>{format!("fresh {fresh}")}</span>
                    </div>
                    <div class="bar duplicate" style:width=retry_share>
                        <span>{format!("retries {retries}")}</span>
                    </div>
                    <div class="capacity" style:left=capacity>
                        <span>{format!("S = {s}")}</span>
                    </div>
                </div>
            }
        }}
    }
}

fn describe(clients: &Clients, judgement: &ClientsJudgement) -> String {
    let verdict = judgement.verdict;
    let why = match judgement.proof {
        ClientsProof::SafeBudgets => {
            "the budgets leave the server more capacity than can come in, from every state".to_owned()
        }
        ClientsProof::FreshFirst => {
            "fresh work is served first and N × AMax is below S: the fresh queues empty, no retry is due any more, and the duplicates drain, whatever N".to_owned()
        }
        ClientsProof::Explored if clients.n > MAX_EXPLORED_CLIENTS => format!(
            "only the run at most arrivals and the quiet run were followed: more than {MAX_EXPLORED_CLIENTS} clients are not explored exhaustively"
        ),
        ClientsProof::Explored => {
            let extent = match judgement.complete {
                true => "all there are".to_owned(),
                false => format!("up to a backlog of {}, not all there are", judgement.cap),
            };
            let ties = match judgement.exact {
                true => "no tie fell between clients that differ, so sorting them is exact",
                false => "where a tie fell between clients that differ, every way to break it was explored",
            };
            format!("{} states with the clients sorted, {extent}; {ties}", judgement.states)
        }
    };
    let known = match (verdict, judgement.stabilizes) {
        (Verdict::Unknown, Some(false)) => " That it can fail to drain is proved.",
        _ => "",
    };
    format!(
        "{}, {}: {why}.{known}",
        capitalised(verdict.name()),
        meaning(verdict)
    )
}
