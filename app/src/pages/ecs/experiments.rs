//! Experiments: many runs with one question, in workers, drawn as they come in.

mod many_seeds;
mod per_request;
mod pulse_map;
mod settings;
mod sweep;
mod tipping;

pub use settings::Settings;

use super::job_line::JobLine;
use super::state::{Side, State};
use super::words;
use crate::parameters::Parameters;
use crate::ui::{Button, Number, Segmented, Tabs, fresh_id};
use crate::worker::ecs::{Job, Request, Response};
use engine::ecs::{Class, Config};
use leptos::prelude::*;
use settings::{Amount, Numbers, WhoseArrivals, numbers_in};

/// The experiments, in the order of their tabs, as an address names them.
pub const EXPERIMENTS: [&str; 5] = ["map", "sweep", "seeds", "tipping", "clock"];

/// The experiments.
#[component]
pub fn Experiments(state: State) -> impl IntoView {
    // What they find stays while another is open.
    let (map, sweep, seeds, tipping, clock) = (
        Benches::new(),
        Benches::new(),
        Benches::new(),
        Benches::new(),
        Bench::new(),
    );
    view! {
        <section class="experiments" aria-label="Experiments with many runs">
            <h2>"How far does it hold?"</h2>
            <p>
                "One run shows what can happen; these ask how often, and up to where. They run the systems as they are set "
                "above, leave the page free, and show what they find as they find it."
            </p>
            <Tabs
                label="Experiments"
                chosen=state.experiment
                tabs=vec![
                    ("Map of pulses", ViewFn::from(move || view! { <pulse_map::PulseMapPanel state benches=map /> })),
                    ("Load up and down", ViewFn::from(move || view! { <sweep::SweepPanel state benches=sweep /> })),
                    ("Many seeds", ViewFn::from(move || view! { <many_seeds::ManySeedsPanel state benches=seeds /> })),
                    (
                        "Smallest pulse that tips",
                        ViewFn::from(move || view! { <tipping::TippingPanel state benches=tipping /> }),
                    ),
                    (
                        "A clock for each request",
                        ViewFn::from(move || view! { <per_request::PerRequestPanel state bench=clock /> }),
                    ),
                ]
            />
        </section>
    }
}

/// What an experiment is asked, and that in a line.
#[derive(Clone, PartialEq)]
struct Asked {
    request: Request,
    parameters: Parameters,
}

/// What an experiment has found on one side, and the work that finds it.
struct Bench<T: 'static> {
    job: Job,
    found: RwSignal<Vec<T>>,
    /// What was asked when that was found.
    asked: RwSignal<Option<Asked>>,
}

impl<T> Clone for Bench<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Bench<T> {}

impl<T: Send + Sync + 'static> Bench<T> {
    fn new() -> Self {
        Self {
            job: Job::new(),
            found: RwSignal::new(Vec::new()),
            asked: RwSignal::new(None),
        }
    }

    /// Starts the experiment over. What was found before stays until there is something new.
    fn start(self, asked: Asked, take: fn(Response) -> Option<T>) {
        let request = asked.request.clone();
        let asked = StoredValue::new(Some(asked));
        self.job.start(request, move |response| {
            let Some(point) = take(response) else { return };
            let fresh = asked.try_update_value(Option::take).flatten();
            if fresh.is_some() {
                self.asked.set(fresh);
                self.found.update(Vec::clear);
            }
            self.found.update(|found| found.push(point));
        });
    }

    /// Whether what is shown was found with other settings than `now`.
    fn is_old(self, now: impl Fn() -> Option<Request> + Send + Sync + 'static) -> Memo<bool> {
        Memo::new(move |_| {
            self.asked.with(|asked| {
                let asked = asked.as_ref().map(|asked| &asked.request);
                asked.is_some_and(|asked| now().as_ref() != Some(asked))
            })
        })
    }

    /// What it was found with, or what it would be.
    fn parameters(self, else_of: Signal<Parameters>) -> Signal<Parameters> {
        Signal::derive(move || {
            let asked = self.asked.get();
            asked.map_or_else(|| else_of.get(), |asked| asked.parameters)
        })
    }
}

/// Those of both sides.
struct Benches<T: 'static>([Bench<T>; 2]);

impl<T> Clone for Benches<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Benches<T> {}

impl<T: Send + Sync + 'static> Benches<T> {
    fn new() -> Self {
        Self([Bench::new(), Bench::new()])
    }

    fn of(self, side: Side) -> Bench<T> {
        match side {
            Side::A => self.0[0],
            Side::B => self.0[1],
        }
    }
}

/// An experiment with each system.
struct Experiment<T: 'static> {
    /// The word on the button that starts it.
    start: &'static str,
    /// What is asked of a system, from a seed on.
    request: fn(Config, u64, &Settings) -> Request,
    /// That in words, and as a part of a file's name.
    words: fn(&Settings) -> (String, String),
    /// What is found.
    take: fn(Response) -> Option<T>,
    /// Shows what is found on one side.
    show: fn(State, Side, Bench<T>) -> AnyView,
}

impl<T: Send + Sync + 'static> Experiment<T> {
    /// What would be asked now of a side, if it runs. Followed.
    fn asks(&self, state: State, side: Side) -> Option<Asked> {
        let (config, seed) = state
            .scenario
            .with(|scenario| (scenario.side(side), scenario.seed));
        let config = config?;
        state.experiments.with(|settings| {
            let (words, slug) = (self.words)(settings);
            Some(Asked {
                parameters: words::parameters_of(&config, seed).and(&words, &slug),
                request: (self.request)(config, seed, settings),
            })
        })
    }

    /// A button that starts it, and what each side comes to.
    fn view(&'static self, state: State, benches: Benches<T>) -> AnyView {
        let go = move || {
            for side in Side::ALL {
                if let Some(asked) = untrack(|| self.asks(state, side)) {
                    benches.of(side).start(asked, self.take);
                }
            }
        };
        let lane = move |side: Side| {
            let bench = benches.of(side);
            let is_old = bench.is_old(move || Some(self.asks(state, side)?.request));
            view! {
                <section class="lane alone" aria-label=format!("System {}", side.letter())>
                    <h3>"System " {side.letter()}</h3>
                    <JobLine job=bench.job what=format!("Working on {}", side.letter()) again=move |()| go() />
                    <OldLine is_old />
                    {(self.show)(state, side, bench)}
                </section>
            }
        };
        view! {
            <Button class="primary" on_press=go>{self.start}</Button>
            <div class="lanes" class:single=move || !state.runs(Side::B).get()>
                {lane(Side::A)}
                {move || state.runs(Side::B).get().then(|| lane(Side::B))}
            </div>
        }
        .into_any()
    }
}

/// Says that what is shown is of other settings.
#[component]
fn OldLine(is_old: Memo<bool>) -> impl IntoView {
    view! {
        <p class="note" role="status" hidden=move || !is_old.get()>
            "This was found with other settings than those above; start it again to see what these come to."
        </p>
    }
}

/// Whose arrivals an experiment multiplies.
#[component]
fn WhichClass(state: State, of: WhoseArrivals) -> impl IntoView {
    let WhoseArrivals { get, set, .. } = of;
    let class = Memo::new(move |_| state.experiments.with(get));
    view! {
        <Segmented
            label="Whose arrivals are multiplied"
            options=vec![(Class::Long, "Long"), (Class::Short, "Short")]
            value=class
            on_change=move |to: Class| state.experiments.update(|settings| set(settings, to))
        />
    }
}

/// A list of numbers as text, such as "2, 4, 8".
#[component]
fn List(
    state: State,
    of: Numbers,
    /// What the numbers are.
    label: &'static str,
) -> impl IntoView {
    let id = fresh_id("numbers");
    let error_id = format!("{id}-error");
    let error = RwSignal::new(None::<String>);
    let offer = move |text: String| match numbers_in(label, &text) {
        Ok(numbers) => {
            error.set(None);
            state
                .experiments
                .update(|settings| *(of.get_mut)(settings) = numbers);
        }
        Err(why) => error.set(Some(why.to_string())),
    };
    let text = Memo::new(move |_| {
        let words = state.experiments.with(|settings| {
            let numbers = (of.get)(settings).iter();
            numbers.map(f64::to_string).collect::<Vec<_>>()
        });
        words.join(", ")
    });
    view! {
        <div class="numbers">
            <label for=id.clone()>{label}</label>
            <input
                type="text"
                id=id
                autocomplete="off"
                aria-describedby=error_id.clone()
                aria-invalid=move || error.with(Option::is_some).then_some("true")
                prop:value=text
                on:change=move |event| offer(event_target_value(&event))
            />
            <p class="field-error" id=error_id role="alert" hidden=move || error.with(Option::is_none)>
                {error}
            </p>
        </div>
    }
}

/// A number of an experiment.
#[component]
fn Setting(
    state: State,
    of: Amount,
    label: &'static str,
    #[prop(optional)] unit: &'static str,
    slider_max: f64,
) -> impl IntoView {
    let Amount {
        min, max, get, set, ..
    } = of;
    let value = Memo::new(move |_| state.experiments.with(get));
    view! {
        <Number
            label=label
            unit=unit
            min=f64::from(min)
            max=f64::from(max)
            slider_max=slider_max
            value=value
            on_change=move |to: f64| {
                state.experiments.update(|settings| set(settings, to));
                Ok(())
            }
        />
    }
}
