//! A shortest run that breaks a property, step by step.

use super::job::{Job, JobLine, Status};
use super::study::{CAP, Study};
use crate::parameters::Parameters;
use crate::plots::Canvas;
use crate::plots::queues::{Queues, Sample};
use crate::share::Rows;
use crate::sight::Sight;
use crate::ui::{Announcer, Button, Figure, Number, Segmented, Table};
use crate::worker::why::{Request, Response};
use engine::retrier_server::{Config, Kind, MAX_CAP, Property, Search, State, Turn};
use leptos::html;
use leptos::prelude::*;

/// Pixels high.
const HEIGHT: f64 = 300.0;

/// Rounds that a loaded run plays at least.
const LOADED_ROUNDS: u64 = 40;

/// A kind of property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The backlog stays at most some bound.
    Bounded,
    /// No state is in the trap.
    NotTrapped,
    /// Every run comes to Good and stays.
    Stabilization,
}

impl Choice {
    /// The property of this kind, with `bound` where it has one.
    pub fn property(self, bound: u64) -> Property {
        match self {
            Choice::Bounded => Property::Bounded(bound),
            Choice::NotTrapped => Property::NotTrapped,
            Choice::Stabilization => Property::Stabilization,
        }
    }
}

/// What is asked: the laws, a start, and the property that a run from it is to break.
pub type Question = (Config, State, Property);

/// What was found, and for what question.
type Answer = (Question, Search);

/// The property, the run that breaks it, and a way through it.
#[component]
pub fn CounterexamplePanel(study: Study) -> impl IntoView {
    let job = Job::new();
    let (choice, bound) = (study.choice, study.bound);
    let answer = RwSignal::new(None::<Answer>);
    let announcer = Announcer::get();

    let itself = NodeRef::<html::Section>::new();
    Sight::of(itself).effect(move || {
        let question = study.question.get();
        let (config, start, property) = question;
        let request = Request::Counterexample(config, start, property, CAP);
        job.ask(request, move |response| {
            if let Response::Counterexample(search) = response {
                answer.set(Some((question, search)));
            }
            true
        });
    });

    let said = Signal::derive(move || {
        answer.with(|answer| {
            answer
                .as_ref()
                .map_or(String::new(), |((config, _, property), search)| {
                    describe(config, *property, search)
                })
        })
    });
    let found = move || {
        answer.with(|answer| match answer {
            Some(((config, ..), Search::Found(run))) => Some((*config, run.clone())),
            _ => None,
        })
    };
    let length = Signal::derive(move || {
        answer.with(|a| match a {
            Some((_, Search::Found(run))) => run.states.len(),
            _ => 0,
        })
    });
    let at = Memo::new(move |_| study.step().min(length.get().saturating_sub(1)));
    let load = move || {
        if let Some((config, run)) = found() {
            study.load(run.plan(&config, LOADED_ROUNDS));
            announcer.say("The counterexample is now the run of this page, under Contracts and in the phase plane");
        }
    };
    let draw = move |area: &_, palette: &_| {
        answer.with(|answer| {
            if let Some(((config, _, property), Search::Found(run))) = answer {
                let samples: Vec<Sample> = run.states.iter().enumerate().map(sample).collect();
                let backlog = run.states.iter().map(State::backlog).max().unwrap_or(0);
                let level = match property {
                    Property::Bounded(k) => (*k as f64, format!("the bound, K = {k}")),
                    _ => {
                        let good = config.s + config.amax;
                        (good as f64, format!("Good: backlog ≤ {good}"))
                    }
                };
                let last = (run.states.len() - 1) as f64 / 2.0;
                let part = match run.kind {
                    Kind::Finite => None,
                    Kind::Lasso { cycle_start } => Some((cycle_start as f64 / 2.0, last, "cycle")),
                    Kind::Climb { dominates } => {
                        Some((dominates as f64 / 2.0, last, "repeats, at or above"))
                    }
                };
                let plot = Queues {
                    title: "Backlog: fresh, and duplicates on top",
                    samples: &samples,
                    rounds: last.max(1.0),
                    top: backlog.max(level.0 as u64) as f64 * 1.1,
                    level: Some(level),
                    part,
                    mark: Some(at.get()),
                };
                let _ = plot.draw(area, palette);
            }
        });
    };
    let rows = move || {
        answer.with(|answer| match answer {
            Some(((config, ..), Search::Found(run))) => run
                .states
                .iter()
                .enumerate()
                .map(|(i, state)| {
                    let note = match run.kind {
                        Kind::Lasso { cycle_start } if i == cycle_start => "the cycle begins",
                        Kind::Climb { dominates } if i == dominates => "dominated by the last",
                        _ if i + 1 == run.states.len() => "breaks it",
                        _ if config.is_good(state) => "Good",
                        _ => "",
                    };
                    let turn = match state.turn {
                        Turn::Retrier => "retrier",
                        Turn::Server => "server",
                    };
                    let mut cells = vec![i.to_string(), turn.to_owned()];
                    cells.extend([state.qf, state.qd, state.done, state.p].map(|n| n.to_string()));
                    cells.push(note.to_owned());
                    (cells, i == at.get())
                })
                .collect(),
            _ => Vec::new(),
        })
    };
    let parameters = Signal::derive(move || {
        let of = study.plan.with(|plan| Parameters::from(plan));
        answer.with(|answer| match answer {
            Some(((_, _, property), _)) => {
                let property = property.to_string();
                of.and(&format!("breaks {property}"), &property)
            }
            None => of,
        })
    });
    // As the run that it loads as, no longer than it is.
    let run_rows = Callback::new(move |_| match found() {
        Some((config, run)) => Rows::Run(run.plan(&config, 0)),
        None => Rows::Written(String::new()),
    });
    let place = move || {
        let (at, length) = (at.get(), length.get());
        format!("State {} of {length}", at + 1)
    };
    view! {
        <section class="flow" node_ref=itself aria-labelledby="counter-title">
            <h2 id="counter-title">"The shortest run that breaks it"</h2>
            <div class="row">
                <Segmented
                    label="Property"
                    options=vec![
                        (Choice::Bounded, "The backlog stays at most K"),
                        (Choice::NotTrapped, "It is never trapped"),
                        (Choice::Stabilization, "It comes to Good and stays"),
                    ]
                    value=choice
                    on_change=move |chosen| choice.set(chosen)
                />
                <Show when=move || choice.get() == Choice::Bounded>
                    <Number
                        symbol="K"
                        label="the bound"
                        min=0.0
                        max=MAX_CAP as f64
                        slider_max=200.0
                        value=Signal::derive(move || bound.get() as f64)
                        on_change=move |k: f64| {
                            bound.set(k as u64);
                            Ok(())
                        }
                    />
                </Show>
            </div>
            <JobLine job share=Signal::stored(None) what="Looking for a run" />
            <p class="lead-in" role="status" data-point="counterexample">
                {move || (job.status.get() == Status::Idle).then(|| said.get())}
            </p>
            <Show when=move || { length.get() > 0 }>
                <Figure
                    title="The run"
                    file="counterexample"
                    parameters=parameters
                    rows=run_rows
                    caption="The upper edge is the backlog. Step through it, or load it as the run of this page."
                    summary=said
                >
                    <Canvas height=HEIGHT draw=draw />
                    <div class="steps" role="group" aria-label="Steps of the counterexample">
                        <Button
                            on_press=move || study.set_step(at.get_untracked().saturating_sub(1))
                            disabled=Signal::derive(move || at.get() == 0)
                        >
                            "‹ Step back"
                        </Button>
                        <Button
                            class="primary"
                            on_press=move || study.set_step(at.get_untracked() + 1)
                            disabled=Signal::derive(move || at.get() + 1 >= length.get())
                        >
                            "Step ›"
                        </Button>
                        <span role="status">{place}</span>
                        <Button on_press=load>"Load it as the run"</Button>
                    </div>
                    {move || {
                        let heads = ["#", "Moves next", "qf", "qd", "done", "p", ""]
                            .map(str::to_owned)
                            .to_vec();
                        view! { <Table label="The counterexample, state by state" heads rows=rows() /> }
                    }}
                </Figure>
            </Show>
        </section>
    }
}

fn sample((i, state): (usize, &State)) -> Sample {
    Sample {
        round: i as f64 / 2.0,
        qf: state.qf as f64,
        qd: state.qd as f64,
    }
}

fn describe(config: &Config, property: Property, search: &Search) -> String {
    let what = match property {
        Property::Bounded(k) => format!("a backlog of at most {k}"),
        Property::NotTrapped => "staying out of the trap region".to_owned(),
        Property::Stabilization => "stabilization".to_owned(),
    };
    let run = match search {
        Search::NotFound { complete: true } => {
            return format!("No run from this start breaks {what}; that is proved.");
        }
        Search::NotFound { complete: false } => {
            return format!(
                "No run that breaks {what} was found, and none is excluded: the search covers every arrival choice up to a backlog of {CAP}."
            );
        }
        Search::Found(run) => run,
    };
    let length = run.states.len();
    let least = match run.shortest {
        true => "No run does it in fewer states.",
        false => "Whether a shorter one exists was not proved within the bounds.",
    };
    let how = match run.kind {
        Kind::Finite => format!("{length} states break {what}, the start counted."),
        Kind::Lasso { cycle_start } => format!(
            "A lasso of {length} states breaks {what}: from state {cycle_start} on, the run returns to that state for ever, and not every state on the way is Good (a backlog of at most {}).",
            config.s + config.amax
        ),
        Kind::Climb { dominates } => {
            let (earlier, last) = (&run.states[dominates], &run.states[length - 1]);
            format!(
                "A climb of {length} states breaks {what}: it comes from ({}, {}) to ({}, {}), at or above it in both queues. More work never helps, so the same arrivals again lead at or above every point on that way once more, for ever, and not every one is Good.",
                earlier.qf, earlier.qd, last.qf, last.qd
            )
        }
    };
    format!("{how} {least}")
}

/// The run of a counterexample is what its table and its plan agree on.
#[cfg(test)]
mod tests {
    use super::*;
    use engine::retrier_server::counterexample;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn what_is_said_names_kind_length_and_proof() {
        let config = Config::default();
        let say = |q0, property| {
            let search = counterexample(&config, &config.start(q0, 0), property, CAP);
            describe(&config, property, &search)
        };
        assert!(say(18, Property::Bounded(50)).starts_with("12 states break"));
        assert!(say(8, Property::Stabilization).starts_with("A lasso of 3"));
        assert!(say(18, Property::Stabilization).starts_with("A climb of 3"));
        assert!(say(5, Property::NotTrapped).ends_with("that is proved."));
    }

    #[wasm_bindgen_test]
    fn a_loaded_run_is_in_range() {
        let config = Config::default();
        let start = config.start(18, 0);
        let search = counterexample(&config, &start, Property::Bounded(50), CAP);
        let run = search.found().expect("the storm passes 50");
        assert_eq!(run.plan(&config, LOADED_ROUNDS).validate(), Ok(()));
    }
}
