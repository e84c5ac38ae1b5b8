//! What proves the verdict: words and figures, to be copied.

use super::job::{Job, JobLine};
use super::study::{CAP, Study};
use crate::sight::Sight;
use crate::ui::{CopyButton, Table};
use crate::worker::why::{MOST_SHOWN, Proved, Request, Response};
use engine::retrier_server::{Evidence, GraphCertificate, RunCertificate, State, Turn};
use leptos::html;
use leptos::prelude::*;

/// The certificate, made in a worker while it is in sight: under a gate it lists a whole graph.
#[component]
pub fn CertificatePanel(study: Study) -> impl IntoView {
    let job = Job::new();
    let proved = RwSignal::new(None::<Proved>);
    let start = study.start();
    let itself = NodeRef::<html::Section>::new();
    Sight::of(itself).effect(move || {
        let (config, start) = start.get();
        // What proves the verdict on another start is not shown for this one.
        proved.set(None);
        job.ask(Request::Certificate(config, start, CAP), move |response| {
            if let Response::Certificate(found) = response {
                proved.set(Some(found));
            }
            true
        });
    });
    let copied = move |of: fn(&Proved) -> String| {
        move || proved.with_untracked(|proved| proved.as_ref().map(of).unwrap_or_default())
    };
    view! {
        <section class="flow certificate" node_ref=itself aria-labelledby="certificate-title">
            <h2 id="certificate-title">"What proves the verdict"</h2>
            <p class="lead-in">
                "Nothing here is guessed: each verdict rests on the ends of its deciding runs, or on the complete "
                "graph. The figures are enough to check it by hand."
            </p>
            <JobLine job share=Signal::stored(None) what="Writing the proof out" />
            {move || proved.with(|proved| proved.as_ref().map(|proved| {
                let proof = &proved.shown.0;
                view! {
                    <div class="row">
                        <CopyButton label="Copy the statement" text=copied(|proved| proved.shown.0.text()) />
                        <CopyButton label="Copy the figures" text=copied(|proved| proved.figures.clone()) />
                    </div>
                    <ol class="claims">
                        {proof
                            .statements
                            .iter()
                            .map(|statement| view! { <li>{statement.clone()}</li> })
                            .collect_view()}
                    </ol>
                    {proof.runs.iter().map(run).collect_view()}
                    {proof.graph.as_ref().map(graph)}
                }
            }))}
        </section>
    }
}

fn state_cells(state: &State) -> Vec<String> {
    let turn = match state.turn {
        Turn::Retrier => "retrier",
        Turn::Server => "server",
    };
    let counts = [state.qf, state.qd, state.done, state.p].map(|n| n.to_string());
    std::iter::once(turn.to_owned()).chain(counts).collect()
}

fn heads(first: &str) -> Vec<String> {
    [first, "Moves next", "qf", "qd", "done", "p"]
        .map(str::to_owned)
        .to_vec()
}

fn run(run: &RunCertificate) -> impl IntoView + use<> {
    let title = match run.arrivals {
        0 => "The run without arrivals".to_owned(),
        a => format!("The run at most arrivals, {a} a round"),
    };
    let (what, first, rows) = rows_of(&run.evidence);
    let trap = run.trap.as_ref().map(rows_of);
    let table = |(what, first, rows): (&'static str, &'static str, Vec<Row>)| {
        (!rows.is_empty()).then(|| view! { <Table label=what heads=heads(first) rows /> })
    };
    view! {
        <h3>{title}</h3>
        <p>{run.statement.clone()}</p>
        {table((what, first, rows))}
        {trap.and_then(table)}
    }
}

/// A row of a table, and whether it is the one that matters.
type Row = (Vec<String>, bool);

/// What evidence shows, what its rows are of, and the rows.
fn rows_of(evidence: &Evidence) -> (&'static str, &'static str, Vec<Row>) {
    let row = |first: String, state: &State, current: bool| {
        let mut cells = vec![first];
        cells.extend(state_cells(state));
        (cells, current)
    };
    match evidence {
        Evidence::GoodCycle { cycle, ranking, .. } => {
            let mut rows: Vec<_> = ranking
                .iter()
                .map(|r| row(format!("{} to go", r.rounds_to_good), &r.state, false))
                .collect();
            rows.truncate(MOST_SHOWN);
            let cycle = cycle.iter().map(|s| row("cycle".to_owned(), s, true));
            rows.extend(cycle.take(MOST_SHOWN));
            (
                "Ranking: rounds to Good, then the cycle",
                "Rounds to Good",
                rows,
            )
        }
        Evidence::OtherCycle {
            cycle, not_good, ..
        } => {
            let rows = cycle.iter().enumerate().take(MOST_SHOWN).map(|(i, s)| {
                let bad = not_good.contains(&i);
                row(if bad { "not Good" } else { "Good" }.to_owned(), s, bad)
            });
            ("The cycle", "State", rows.collect())
        }
        Evidence::ClosedRegion {
            round,
            before,
            after,
            ..
        } => {
            let mut rows = Vec::new();
            if let Some(before) = before {
                rows.push(row(format!("round {}, outside", round - 1), before, false));
            }
            rows.push(row(format!("round {round}, inside"), after, true));
            ("The step that enters the region", "Round start", rows)
        }
        Evidence::Dominance {
            from_round,
            from,
            to_round,
            to,
        } => {
            let rows = vec![
                row(format!("round {from_round}"), from, false),
                row(format!("round {to_round}"), to, true),
            ];
            (
                "The two round starts, the later dominating",
                "Round start",
                rows,
            )
        }
        Evidence::Drains { round, at }
        | Evidence::Saturated { round, at }
        | Evidence::Overflow { round, at, .. } => (
            "Where the argument begins",
            "Round start",
            vec![row(format!("round {round}"), at, true)],
        ),
        Evidence::Unsettled { .. } => ("Nothing", "Round start", Vec::new()),
    }
}

fn graph(graph: &GraphCertificate) -> impl IntoView + use<> {
    let rows = graph
        .states
        .iter()
        .zip(&graph.steps)
        .enumerate()
        .take(MOST_SHOWN)
        .map(|(i, (state, steps))| {
            let mut cells = vec![i.to_string()];
            cells.extend(state_cells(state));
            let to: Vec<String> = steps.iter().map(u32::to_string).collect();
            cells.push(to.join(", "));
            (cells, false)
        })
        .collect();
    let mut heads = heads("State");
    heads.push("Steps to".to_owned());
    let extent = match (graph.complete, graph.count > MOST_SHOWN) {
        (true, false) => format!("All {} states.", graph.count),
        (true, true) => format!(
            "The first {MOST_SHOWN} of {} states; “Copy the figures” has all of them.",
            graph.count
        ),
        (false, _) => format!(
            "{} states up to a backlog of {}: not all there are.",
            graph.count, graph.cap
        ),
    };
    view! {
        <h3>"The explored graph"</h3>
        <p>{extent}</p>
        <Table label="The explored graph" heads rows />
    }
}
