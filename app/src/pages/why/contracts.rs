//! The contract ledger: the run, the standing of every promise under it, and the promises in words.

use super::phases::Phases;
use super::study::Study;
use crate::parameters::Parameters;
use crate::plots::Canvas;
use crate::plots::ledger_strip::{self, by_round};
use crate::plots::storm::{Scales, Storm, round_at};
use crate::share::Rows;
use crate::ui::{Figure, Legend, LegendItem, Pattern, Player, Scrub, Spot, TableData};
use engine::retrier_server::{Clause, Component, Config, Phase, Run, Side, Standing, Step, values};
use leptos::prelude::*;
use std::sync::Arc;

/// Pixels high.
const RUN_HEIGHT: f64 = 420.0;

/// The player of the run.
#[component]
pub fn RunPlayer(study: Study) -> impl IntoView {
    let place = Signal::derive(move || {
        let position = study.position();
        study.run.with(|run| {
            let point = &run.points()[position];
            format!(
                "Round {} of {}, {}",
                point.round,
                run.rounds(),
                step_words(&point.step)
            )
        })
    });
    let large = move |(position, on): (usize, bool)| {
        study.run.with_untracked(|run| {
            let round = run.points()[position.min(run.points().len() - 1)].round;
            run.index_of_round(if on {
                round + 1
            } else {
                round.saturating_sub(1)
            })
        })
    };
    view! {
        <Player
            head=study.head
            place=place
            small_step="turn"
            large_step="round"
            large=large
            speeds=vec![(1.0, "slow"), (4.0, "normal"), (16.0, "fast")]
        />
    }
}

/// The ledger of the run.
#[component]
pub fn Contracts(study: Study) -> impl IntoView {
    let point_of_it = point_of_it(study);
    let phases = Phases::of(study);
    view! {
        <section class="flow" aria-labelledby="ledger-title">
            <h2 id="ledger-title">"The ledger of promises"</h2>
            <p class="lead-in" data-point="conclusion">{point_of_it}</p>
            {phases.line()}
            <LedgerFigure study phases=phases.known />
            <Promises study />
        </section>
    }
}

/// What the ledger of the present run shows, in words.
fn point_of_it(study: Study) -> Signal<String> {
    Signal::derive(move || {
        let plan = study.plan.get();
        conclusion(&plan.config, &study.ledger.get(), &study.run.get())
    })
}

/// The player, the run and the standing of every promise under it.
#[component]
pub fn LedgerFigure(
    study: Study,
    /// Where each state of the run leads, as far as known.
    phases: Memo<Arc<Vec<Phase>>>,
) -> impl IntoView {
    let head = study.head;
    let rounds = Memo::new(move |_| {
        let run = study.run.get();
        Arc::new(by_round(&run, &study.ledger.get()))
    });
    let at_round = move || {
        let position = study.position();
        study.run.with(|run| {
            let point = &run.points()[position];
            match point.step {
                Step::Retrier { .. } => point.round as f64 - 0.5,
                _ => point.round as f64,
            }
        })
    };
    let scales = Memo::new(move |_| study.run.with(|run| Scales::of(run)));
    let draw_run = move |area: &_, palette: &_| {
        let run = study.run.get();
        study.plan.with(|plan| {
            let storm = Storm {
                plan,
                run: &run,
                scales: scales.get(),
                phases: &phases.get(),
            };
            let _ = storm.draw(area, palette);
            let _ = storm.draw_phases(area, palette);
        });
    };
    let draw_playhead = move |area: &_, palette: &_| {
        let run = study.run.get();
        study.plan.with(|plan| {
            let storm = Storm {
                plan,
                run: &run,
                scales: scales.get(),
                phases: &phases.get(),
            };
            let _ = storm.draw_playhead(area, palette, study.position());
        });
    };
    let draw_strip = move |area: &_, palette: &_| {
        let _ = ledger_strip::draw(area, palette, &rounds.get(), at_round());
    };
    let scrub = move |spot: Spot| {
        let run = study.run.get_untracked();
        let round = round_at(spot.x, spot.width, run.rounds()).max(0.0).ceil();
        head.go_to(run.index_of_round(round as u64));
    };
    let point_of_it = point_of_it(study);
    let table = Callback::new(move |()| {
        let heads = std::iter::once("Round".to_owned())
            .chain(Clause::ALL.iter().map(|c| c.name().to_owned()))
            .collect();
        let now = at_round().ceil() as usize;
        let rows = rounds
            .get()
            .iter()
            .enumerate()
            .map(|(i, round)| {
                let cells = std::iter::once((i + 1).to_string()).chain(
                    round
                        .iter()
                        .map(|s| s.map_or("–".to_owned(), |s| s.name().to_owned())),
                );
                (cells.collect(), i + 1 == now)
            })
            .collect();
        TableData {
            label: "Standing of every clause, a row a round".to_owned(),
            heads,
            rows,
        }
    });
    let rows = Callback::new(move |_| Rows::Contracts(study.plan.get()));
    view! {
        <RunPlayer study />
        <Figure
            title="The run, and how every promise stands under it"
            file="contracts"
            parameters=study.part(|plan| Parameters::from(plan))
            rows=rows
            caption="Press or drag to move through the run. A row is a promise; a cell is a round."
            summary=point_of_it
            table=table
        >
            <Scrub class="storm" on_scrub=scrub>
                <div class="layers">
                    <Canvas height=RUN_HEIGHT draw=draw_run />
                    <Canvas over=true height=RUN_HEIGHT draw=draw_playhead />
                </div>
                <Canvas height=ledger_strip::HEIGHT draw=draw_strip />
            </Scrub>
            <Legend
                label="How a promise stands"
                items=vec![
                    LegendItem { colour: "recovers", pattern: Pattern::Plain, letter: "H", word: "holds: it is kept" },
                    LegendItem { colour: "unknown", pattern: Pattern::Stripes, letter: "–", word: "vacuous: its “if” is false, so it promises nothing" },
                    LegendItem { colour: "doomed", pattern: Pattern::Crosses, letter: "V", word: "violated: it is broken" },
                ]
            />
        </Figure>
    }
}

/// What a step was, in a few words.
fn step_words(step: &Step) -> String {
    match step {
        Step::Start => "the start".to_owned(),
        Step::Shock => "a shock".to_owned(),
        Step::Retrier { arrivals, flux } => {
            format!("the retrier has moved: {arrivals} arrived, {flux} retried")
        }
        Step::Server { fresh, duplicates } => {
            format!("the server has moved: {fresh} answered, {duplicates} duplicates served")
        }
    }
}

/// What the ledger of this run shows, in words.
pub fn conclusion(config: &Config, ledger: &engine::retrier_server::Ledger, run: &Run) -> String {
    if let Some(first) = ledger.violations().next() {
        let count = ledger.violations().count();
        let round = run.points()[first.point].round;
        let who = first.clause.owed_by();
        let what = first.clause.statement(config);
        let now = values(run, first.point, first.clause).unwrap_or_default();
        return format!(
            "The {} breaks its contract, first in round {round}: “{what}” ({now}). Promises broken in this run: {count}.",
            who.name(),
        );
    }
    let vacuous = |clause: Clause| {
        let at = Clause::ALL.iter().position(|c| *c == clause).unwrap_or(0);
        ledger
            .steps()
            .iter()
            .filter(|step| step[at] == Some(Standing::Vacuous))
            .count()
    };
    let (retries, basin) = (vacuous(Clause::Retries), vacuous(Clause::Basin));
    let mut words = "Nothing is violated in this run: no component is at fault. ".to_owned();
    words += &match (retries, basin) {
        (0, 0) => "Every promise is in force in every round.".to_owned(),
        (0, basin) => format!(
            "The retrier’s promise is in force in every round{}; the server’s was empty in {basin} of {} rounds.",
            if config.budget.is_some() {
                ", since the budget took its “if” away"
            } else {
                ""
            },
            run.rounds(),
        ),
        (retries, 0) => format!(
            "The server’s promise is in force in every round{}; the retrier’s was empty in {retries} of {} rounds.",
            match config.service {
                engine::retrier_server::Service::FreshFirst =>
                    ", since fresh-first took its “if” away",
                engine::retrier_server::Service::Proportional => "",
            },
            run.rounds(),
        ),
        (retries, basin) => format!(
            "The promises that would help are empty: the retrier’s “no retries while qf ≤ {0}” in {retries} of {1} rounds, the server’s “a backlog within {0} stays so” in {basin}. Their “if” is false, so keeping them asks nothing.",
            config.latency_threshold(),
            run.rounds(),
        ),
    };
    words
}

/// The promises in words, with their present values.
#[component]
fn Promises(study: Study) -> impl IntoView {
    // The round that the playhead is in: its retrier's step and its server's step.
    let steps = Memo::new(move |_| {
        let position = study.position();
        study.run.with(|run| {
            let round = run.points()[position].round.max(1).min(run.rounds());
            let end = run.index_of_round(round);
            (round, end.saturating_sub(1), end)
        })
    });
    let rows = move || {
        let (_, retrier, server) = steps.get();
        let run = study.run.get();
        let ledger = study.ledger.get();
        Clause::ALL
            .into_iter()
            .enumerate()
            .map(|(i, clause)| {
                let index = if ledger.steps()[retrier][i].is_some() { retrier } else { server };
                let config = run.points()[index].config;
                let standing = ledger.steps()[index][i];
                let (class, word) = match standing {
                    Some(Standing::Holds) => ("swatch recovers", "holds"),
                    Some(Standing::Vacuous) => ("swatch unknown stripes", "vacuous"),
                    Some(Standing::Violated) => ("swatch doomed crosses", "violated"),
                    None => ("swatch unknown", "not in question"),
                };
                let side = match clause.side() {
                    Side::Rely => "relied on",
                    Side::Guarantee => "guaranteed",
                };
                let fault = (standing == Some(Standing::Violated))
                    .then(|| format!(" by the {}", clause.owed_by().name()));
                view! {
                    <tr data-clause=clause.name() data-standing=word>
                        <th scope="row" class="words">
                            {clause.name()}
                            <span class="side">{side}</span>
                        </th>
                        <td class="words">
                            {clause.statement(&config)}
                            {match clause.condition(&config) {
                                Some(condition) => {
                                    view! { <span class="condition">{format!(" If {condition}.")}</span> }
                                        .into_any()
                                }
                                None if clause.side() == Side::Guarantee && had_condition(clause) => {
                                    view! { <span class="freed">" No “if” any more."</span> }.into_any()
                                }
                                None => ().into_any(),
                            }}
                        </td>
                        <td class="words">
                            <span class="standing">
                                <span class=class aria-hidden="true"></span>
                                {word} {fault}
                            </span>
                        </td>
                        <td class="words">{values(&run, index, clause)}</td>
                    </tr>
                }
            })
            .collect::<Vec<_>>()
    };
    let part = move |component: Component, from: usize, to: usize| {
        move || {
            let rows = rows().into_iter().skip(from).take(to - from).collect_view();
            let title = match component {
                Component::Retrier => "The retrier’s contract",
                _ => "The server’s contract",
            };
            view! {
                <h3>{title} {move || format!(" in round {}", steps.get().0)}</h3>
                <div class="table-scroll" role="region" aria-label=title tabindex="0">
                    <table class="promises">
                        <thead>
                            <tr>
                                <th scope="col" class="words">"Clause"</th>
                                <th scope="col" class="words">"In words"</th>
                                <th scope="col" class="words">"Stands"</th>
                                <th scope="col" class="words">"Present values"</th>
                            </tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                </div>
            }
        }
    };
    view! {
        {part(Component::Retrier, 0, 5)}
        {part(Component::Server, 5, Clause::ALL.len())}
    }
}

/// Whether the clause has an "if" without a fix.
fn had_condition(clause: Clause) -> bool {
    clause.condition(&Config::default()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::retrier_server::Plan;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn nothing_is_violated_in_the_storm() {
        let run = Plan::new(Config::default(), 18, 40).play().expect("a plan");
        let ledger = engine::retrier_server::Ledger::of(&run);
        let said = conclusion(&Config::default(), &ledger, &run);
        assert!(said.starts_with("Nothing is violated"), "{said}");
    }
}
