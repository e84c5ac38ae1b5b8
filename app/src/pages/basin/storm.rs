//! The storm on the page: pressed and dragged to move the playhead.

use super::state::State;
use super::words::grouped;
use crate::parameters::Parameters;
use crate::plots::Canvas;
use crate::plots::storm::{Scales, Storm, round_at};
use crate::share::Rows;
use crate::ui::{Figure, Scrub, Spot, TableData, Term};
use engine::retrier_server::{Phase, Point, Run, Step, Turn};
use leptos::prelude::*;

/// Pixels high.
const HEIGHT: f64 = 560.0;

/// Rows of the table on either side of the playhead.
const TABLE_REACH: usize = 40;

/// The point of the round start after `position`, or before it.
#[must_use]
pub fn round_step(run: &Run, position: usize, on: bool) -> usize {
    let round = run.points()[position].round;
    let start = run.index_of_round(round);
    match (on, position > start) {
        (true, _) if position < start => start,
        (true, _) => run.index_of_round(round + 1),
        (false, true) => start,
        (false, false) => run.index_of_round(round.saturating_sub(1)),
    }
}

/// The four plots.
#[component]
pub fn StormFigure(
    state: State,
    /// Pixels high.
    #[prop(default = HEIGHT)]
    height: f64,
) -> impl IntoView {
    let head = state.head;
    let scales = Memo::new(move |_| state.run.with(|run| Scales::of(run)));
    let with_run = move |phases: &[Phase], use_it: &dyn Fn(Storm<'_>)| {
        let run = state.run.get();
        state.scenario.with(|scenario| {
            use_it(Storm {
                plan: &scenario.plan,
                run: &run,
                scales: scales.get(),
                phases,
            });
        });
    };
    // Phases come in while the worker finds them; only their own layer is drawn again then.
    let draw = move |area: &_, palette: &_| {
        with_run(&[], &|storm| {
            let _ = storm.draw(area, palette);
        });
    };
    let draw_phases = move |area: &_, palette: &_| {
        with_run(&state.phases.get(), &|storm| {
            let _ = storm.draw_phases(area, palette);
        });
    };
    let draw_playhead = move |area: &_, palette: &_| {
        let position = head.position.get();
        with_run(&[], &|storm| {
            let index = position.min(storm.run.points().len() - 1);
            let _ = storm.draw_playhead(area, palette, index);
        });
    };

    let scrub = move |spot: Spot| {
        let run = state.run.get_untracked();
        let round = round_at(spot.x, spot.width, run.rounds());
        let turns = (round * 2.0).round().max(0.0);
        // Half a round is the turn between two round starts.
        let index = run.index_of_round((turns / 2.0) as u64);
        head.go_to(index + (turns as usize % 2));
    };

    let summary = Signal::derive(move || {
        let run = state.run.get();
        let phases = state.phases.get();
        describe(&run, &phases)
    });
    let table = Callback::new(move |()| {
        let run = state.run.get();
        let position = head.position.get().min(run.points().len() - 1);
        let from = position.saturating_sub(TABLE_REACH);
        let to = (position + TABLE_REACH).min(run.points().len() - 1);
        let rows = (from..=to)
            .map(|i| (row(&run.points()[i]), i == position))
            .collect();
        let heads = ["Round", "Moves next", "qf", "qd", "done", "p", "Flux"]
            .map(str::to_owned)
            .to_vec();
        TableData {
            label: "The run around the playhead, a row a state".to_owned(),
            heads,
            rows,
        }
    });
    let rows = Callback::new(move |_| Rows::Run(state.scenario.with(|s| s.plan.clone())));
    view! {
        <Figure
            title="What becomes of the run"
            file="storm"
            parameters=state.part(|scenario| Parameters::from(&scenario.plan))
            rows=rows
            caption="Press or drag to move through the run. Each round the retrier puts new requests and retries in, then the server takes up to S out, so the lines go up and down. The row at the bottom says where the system is bound from each round on."
            summary=summary
            table=table
        >
            <Scrub class="storm" on_scrub=scrub>
                <Canvas height=height draw=draw />
                <Canvas over=true height=height draw=draw_phases />
                <Canvas over=true height=height draw=draw_playhead />
            </Scrub>
            <Glossary />
        </Figure>
    }
}

/// The words of the plots, each with its meaning.
const WORDS: [(&str, &str); 7] = [
    (
        "fresh request",
        "A request that a client sent for the first time and that nobody has answered yet. Serving it is useful work.",
    ),
    (
        "duplicate",
        "A copy of a request that is already waiting. Serving it answers nobody, yet takes the same capacity.",
    ),
    (
        "done",
        "Fresh requests answered in a round, which the retrier reads in the next.",
    ),
    (
        "flux",
        "Retries that the retrier sends in a round: what has waited longer than the timeout, spread over the timeout.",
    ),
    (
        "ledger",
        "The retrier’s count p of requests sent and not known to be answered. It is the fresh queue plus the answers on their way, and all that the retrier sees of the server.",
    ),
    (
        "healthy",
        "A backlog, fresh and duplicate together, of at most S + AMax: what a round can bring on top of what a round clears.",
    ),
    (
        "trap",
        "So many duplicates to each fresh request that the fresh share of a round’s work rounds down to nothing. From there no run returns.",
    ),
];

#[component]
fn Glossary() -> impl IntoView {
    view! {
        <p class="glossary note">
            "Words: "
            {WORDS
                .into_iter()
                .enumerate()
                .map(|(i, (word, meaning))| {
                    view! {
                        {(i > 0).then_some(", ")}
                        <Term word=word meaning=meaning />
                    }
                })
                .collect_view()}
        </p>
    }
}

fn row(point: &Point) -> Vec<String> {
    let state = &point.state;
    let next = match state.turn {
        Turn::Retrier => "retrier",
        Turn::Server => "server",
    };
    let flux = match point.step {
        Step::Retrier { flux, .. } => grouped(flux),
        _ => "–".to_owned(),
    };
    let mut cells = vec![grouped(point.round), next.to_owned()];
    cells.extend([state.qf, state.qd, state.done, state.p].map(grouped));
    cells.push(flux);
    cells
}

/// The run in words: where its queues begin, peak and end, and the phases it goes through.
fn describe(run: &Run, phases: &[Phase]) -> String {
    let points = run.points();
    let (first, last) = (&points[0].state, &points[points.len() - 1].state);
    let peak = |of: fn(&Point) -> u64| points.iter().map(of).max().unwrap_or(0);
    let mut words = format!(
        "{} rounds. Fresh requests waiting: {} at the start, {} at most, {} at the end. Duplicates waiting: {}, at most {}, {} at the end. Most retries in a round: {}.",
        grouped(run.rounds()),
        grouped(first.qf),
        grouped(peak(|p| p.state.qf)),
        grouped(last.qf),
        grouped(first.qd),
        grouped(peak(|p| p.state.qd)),
        grouped(last.qd),
        grouped(peak(Point::flux)),
    );
    let mut before = None;
    for (point, phase) in points.iter().zip(phases) {
        if before != Some(phase) {
            let word = crate::plots::storm::phase_look(*phase).1;
            words += &format!(" From round {}: {word}.", point.round);
        }
        before = Some(phase);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::retrier_server::{Config, Plan};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_round_step_goes_from_round_start_to_round_start() {
        let run = Plan::new(Config::default(), 18, 5)
            .play()
            .expect("a good plan");
        assert_eq!(round_step(&run, 0, true), 2);
        assert_eq!(round_step(&run, 1, true), 2);
        assert_eq!(round_step(&run, 2, false), 0);
        assert_eq!(round_step(&run, 3, false), 2);
        assert_eq!(round_step(&run, 10, true), 10);
        assert_eq!(round_step(&run, 0, false), 0);
    }
}
