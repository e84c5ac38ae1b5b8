//! Ticket acquisitions: a metric that rises while the work done does not.

use super::{GoOn, preset, query_of_system};
use crate::pages::Page;
use crate::pages::ecs::{JobLine, Quantity, Scenario, Series, Side, State};
use crate::pages::story::chapter::Chapter;
use crate::pages::story::predict::Predict;
use crate::pages::story::step::Step;
use crate::pages::story::trials::{SEED, Trials};
use crate::plots::timeline::figure as digits;
use crate::sight::Sight;
use crate::ui::Number;
use engine::ecs::{Config, Entry, Setting, Summary};
use leptos::html;
use leptos::prelude::*;

/// When the tickets change in the run shown, in seconds.
const CHANGE_S: f64 = 30.0;

/// The most tickets that can be tried in the run shown.
const MOST_TICKETS: f64 = 40.0;

/// What is plotted.
const SHOWN: [Quantity; 3] = [Quantity::Tickets, Quantity::Acquisitions, Quantity::Work];

/// The system with few tickets, and with many.
fn pair() -> [Config; 2] {
    ["churn-2", "churn-10"].map(preset)
}

/// The run shown: few tickets, and from [`CHANGE_S`] on `tickets`.
fn changing(tickets: u32) -> Config {
    let [mut config, _] = pair();
    config.script.push(Entry::Set {
        at_s: CHANGE_S,
        setting: Setting::LongTickets(tickets),
    });
    config
}

/// The chapter.
pub fn chapter() -> AnyView {
    let sight = Sight::new();
    let trials = Trials::new(pair().to_vec(), sight);
    let [few, many] = pair().map(|config| config.long_queue.tickets);
    let window = preset("churn-2").ticket_window_ms;
    let truth = Memo::new(move |_| trials.all().map(|found| what_work_does(&found)));
    let why = Signal::derive(move || trials.all().map_or_else(String::new, |found| why(&found)));
    let figure = move || {
        let state = State::new(Scenario {
            config: changing(many),
            seed: SEED,
            rival: None,
        });
        let run = NodeRef::<html::Div>::new();
        state.sight.watch(run);
        let tickets = state.part(|scenario| {
            let set = scenario.config.script.iter().find_map(|entry| match entry {
                Entry::Set {
                    setting: Setting::LongTickets(tickets),
                    ..
                } => Some(*tickets),
                _ => None,
            });
            f64::from(set.unwrap_or_default())
        });
        view! {
            <div class="run" node_ref=run>
                <div class="moved">
                    <Number
                        label=format!("Tickets from second {} on", digits(CHANGE_S))
                        min=1.0
                        max=MOST_TICKETS
                        value=tickets
                        on_change=move |n: f64| state.propose(|s| s.config = changing(n as u32))
                    />
                </div>
                <JobLine job=state.lane(Side::A).job what="Simulating" again=move |()| state.simulate() />
                <Series
                    state
                    side=Side::A
                    shown=&SHOWN
                    title=format!("{few} tickets, then more, on one saturated core")
                />
            </div>
        }
    };
    view! {
        <Chapter
            step=Step::Metric
            sight
            figure=figure
        >
            <p>
                "The same trouble in a larger machine. A database lets in long queries by tickets: each is a permit to run for "
                {format!("{} ms of wall-clock time. ", digits(window))}
                "At its end the query hands the ticket back and queues for another. How often tickets are acquired is easy to "
                "count, and seems to tell how much gets done."
            </p>
            <p>
                {format!(
                    "Take one core, with more long queries than it can ever finish. Give it {few} tickets, and then {many}. Tickets change hands more often, so the metric goes up.",
                )}
            </p>
            <Predict
                step=Step::Metric
                ask="And the work that the core does?".to_owned()
                choices=[
                    "It rises about as much as the metric",
                    "It rises, but by less",
                    "It stays the same, to within 2%",
                    "It falls",
                ]
                    .map(str::to_owned)
                    .to_vec()
                truth=truth
                why=why
            >
                <p>
                    "A ticket bounds wall-clock time, not work. With more tickets than cores, each holder of one gets less of the "
                    "core in its window, and comes back for another the sooner. The metric counts churn. Set the tickets, and "
                    "watch the one line move while the other stays."
                </p>
                <GoOn page=Page::Ecs with=query_of_system(&changing(many))>"Go on to the page of the two controllers"</GoOn>
            </Predict>
            <JobLine job=trials.job what="Simulating both" again=move |()| trials.next() />
        </Chapter>
    }
    .into_any()
}

/// How much more often tickets are acquired with many of them, and how much more work is done.
fn ratios(found: &[Summary]) -> (f64, f64) {
    let acquisitions = |of: &Summary| of.totals.long_acquisitions as f64;
    (
        acquisitions(&found[1]) / acquisitions(&found[0]),
        found[1].totals.cpu_work / found[0].totals.cpu_work,
    )
}

/// Which of the choices is so.
fn what_work_does(found: &[Summary]) -> usize {
    match ratios(found) {
        (acquisitions, work) if work > 1.02 && work >= 0.8 * acquisitions => 0,
        (_, work) if work > 1.02 => 1,
        (_, work) if work >= 0.98 => 2,
        _ => 3,
    }
}

fn why(found: &[Summary]) -> String {
    let (acquisitions, _) = ratios(found);
    let [few, many] = pair().map(|config| config.long_queue.tickets);
    format!(
        "Acquisitions are {} times as many. In the same time the core does {} s of work with {few} tickets and {} s with {many}.",
        digits(acquisitions),
        digits(found[0].totals.cpu_work),
        digits(found[1].totals.cpu_work)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::story::trials::simulated;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn five_times_the_acquisitions_do_no_more_work() {
        let found = pair().map(|config| simulated(&config));
        let (acquisitions, work) = ratios(&found);
        assert!((4.9..5.1).contains(&acquisitions), "{acquisitions}");
        assert!((0.98..1.02).contains(&work), "{work}");
        assert_eq!(what_work_does(&found), 2);
    }

    #[test]
    fn any_tickets_that_can_be_set_make_sense() {
        for tickets in [1, MOST_TICKETS as u32] {
            assert_eq!(changing(tickets).validate(), Ok(()));
        }
    }
}
