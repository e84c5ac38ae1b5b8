//! Two controllers that follow that metric, and a burst.

use super::{BothLanes, GoOn, query_of_system, rate};
use crate::pages::Page;
use crate::pages::ecs::{JobLine, Quantity, RunData, Scenario, Side, State};
use crate::pages::story::chapter::Chapter;
use crate::pages::story::predict::{Predict, Predictions};
use crate::pages::story::step::Step;
use crate::plots::timeline::figure as digits;
use crate::worker::ecs::Status;
use engine::ecs::{Sample, Summary, mean};
use leptos::prelude::*;

/// What is plotted.
const SHOWN: [Quantity; 4] = [
    Quantity::ShortAnswers,
    Quantity::Tickets,
    Quantity::Acquisitions,
    Quantity::Work,
];

/// The chapter.
pub fn chapter() -> AnyView {
    let scenario = Scenario::preset("naive-overload");
    let (from, until) = scenario.config.script[0].interval();
    let duration = scenario.config.duration_s;
    let query = query_of_system(&scenario.config);
    let state = State::new(scenario);
    let naive = state.lane(Side::A);
    let is_done = move |side| state.lane(side).job.status().get() == Status::Done;
    let truth = Memo::new(move |_| {
        is_done(Side::A)
            .then(|| naive.run.with(|run| how_it_ends(&run.summary)))
            .flatten()
    });
    let why = Signal::derive(move || {
        if !is_done(Side::A) {
            return String::new();
        }
        naive.run.with(|run| told(&run.summary))
    });
    let signs = move || is_done(Side::A).then(|| naive.run.with(|run| signs(run, from)));
    let fixed = move || {
        is_done(Side::B).then(|| {
            state.lane(Side::B).run.with(|run| {
                format!(
                    "The second system meets the same arrivals with one controller fewer. The long queries’ tickets are frozen, and the one knob left follows a signal that churn cannot fake: whether anyone waits. {}",
                    told(&run.summary),
                )
            })
        })
    };
    let open = Predictions::get().is_open(Step::Escalation);
    let figure = move || {
        view! {
            <div class="run ecs">
                <BothLanes state shown=&SHOWN />
            </div>
        }
    };
    view! {
        <Chapter
            step=Step::Escalation
            sight=state.sight
            figure=figure
        >
            <p>
                "Short queries have a queue and tickets of their own, and each queue has a controller that tries a few tickets "
                "more or fewer, and keeps what raised its own rate of acquisition. Both are sensible. They share the cores."
            </p>
            <p>
                {format!(
                    "From second {} to {} there comes a burst of long queries. Then it is over, and the load is what it was. Clients that get no answer in time try again.",
                    digits(from),
                    digits(until),
                )}
            </p>
            <Predict
                step=Step::Escalation
                ask=format!("At second {}, how many short queries are answered in time?", digits(duration))
                choices=["As many as before, or nearly", "Fewer, but at least half", "Less than half"]
                    .map(str::to_owned)
                    .to_vec()
                truth=truth
                why=why
            >
                <p>{signs}</p>
                <p>{fixed}</p>
                <GoOn page=Page::Ecs with=query.clone()>"Go on to the page of the two controllers"</GoOn>
            </Predict>
            // Once the figure is there it says this itself.
            {move || {
                (!open.get())
                    .then(|| view! { <JobLine job=naive.job what="Simulating both" again=move |()| state.simulate() /> })
            }}
        </Chapter>
    }
    .into_any()
}

/// Which of the choices is so; none before the run has an end.
fn how_it_ends(summary: &Summary) -> Option<usize> {
    let left = summary.short_goodput_after? / summary.short_goodput_before?;
    Some(match left {
        left if left >= 0.95 => 0,
        left if left >= 0.5 => 1,
        _ => 2,
    })
}

fn told(summary: &Summary) -> String {
    format!(
        "Short answers a second: {} before, {} during the burst, {} in the last 20 seconds. Long tickets reached {}.",
        rate(summary.short_goodput_before),
        rate(summary.short_goodput_during),
        rate(summary.short_goodput_after),
        summary.long_tickets_max
    )
}

/// What the controllers' metric says of the end of a run whose burst began at `from`, beside what the cores do.
fn signs(run: &RunData, from: f64) -> String {
    let mean = |from, until, of: fn(&Sample) -> f64| {
        mean(&run.samples, from, until, of).unwrap_or_default()
    };
    let end = run.config.duration_s;
    let more = mean(end - 20.0, end, |s| s.acquisitions) / mean(5.0, from, |s| s.acquisitions);
    let praise = if more > 1.0 {
        " By its own metric, the system does better than when it was well."
    } else {
        ""
    };
    format!(
        "In the last 20 seconds {} of {} cores work for clients that have long gone, and tickets are acquired {} times as often as before the burst.{praise}",
        digits(mean(end - 20.0, end, |s| s.waste)),
        run.config.cores,
        digits(more),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn what_is_left_of_the_answers_decides() {
        let ends = |before, after| {
            how_it_ends(&Summary {
                short_goodput_before: Some(before),
                short_goodput_after: Some(after),
                ..Summary::default()
            })
        };
        assert_eq!(ends(600.0, 590.0), Some(0));
        assert_eq!(ends(600.0, 400.0), Some(1));
        assert_eq!(ends(600.0, 132.0), Some(2));
        assert_eq!(how_it_ends(&Summary::default()), None);
    }
}
