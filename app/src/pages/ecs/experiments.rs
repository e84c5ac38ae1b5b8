//! Experiments: many runs with one question, in workers, drawn as they come in.

mod many_seeds;
mod per_request;
mod pulse_map;
mod sweep;
mod tipping;

use super::job_line::JobLine;
use super::state::{Side, State};
use crate::text::number_in;
use crate::ui::{Button, Segmented, Tabs, fresh_id};
use crate::worker::ecs::{Job, Request, Response};
use engine::ecs::{Class, Config};
use leptos::prelude::*;

/// The experiments.
#[component]
pub fn Experiments(state: State) -> impl IntoView {
    view! {
        <section class="experiments" aria-label="Experiments with many runs">
            <h2>"How far does it hold?"</h2>
            <p>
                "One run shows what can happen; these ask how often, and up to where. They run the systems as they are set "
                "above, leave the page free, and show what they find as they find it."
            </p>
            <Tabs
                label="Experiments"
                tabs=vec![
                    ("Map of pulses", ViewFn::from(move || view! { <pulse_map::PulseMapPanel state /> })),
                    ("Load up and down", ViewFn::from(move || view! { <sweep::SweepPanel state /> })),
                    ("Many seeds", ViewFn::from(move || view! { <many_seeds::ManySeedsPanel state /> })),
                    ("Smallest pulse that tips", ViewFn::from(move || view! { <tipping::TippingPanel state /> })),
                    (
                        "A clock for each request",
                        ViewFn::from(|| view! { <per_request::PerRequestPanel /> }),
                    ),
                ]
            />
        </section>
    }
}

/// What an experiment has found on one side, and the work that finds it.
struct Bench<T: 'static> {
    job: Job,
    found: RwSignal<Vec<T>>,
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
        }
    }

    /// Starts the experiment over. What was found before stays until there is something new.
    fn start(self, request: Request, take: impl Fn(Response) -> Option<T> + 'static) {
        let fresh = StoredValue::new(true);
        self.job.start(request, move |response| {
            let Some(point) = take(response) else { return };
            self.found.update(|found| {
                if fresh.try_update_value(|fresh| std::mem::replace(fresh, false)) == Some(true) {
                    found.clear();
                }
                found.push(point);
            });
        });
    }
}

/// An experiment on both sides: a button that starts it, and what each side comes to.
fn on_both_sides<T: Send + Sync + 'static>(
    state: State,
    start: &'static str,
    request: impl Fn(Config, u64) -> Result<Request, String> + Copy + Send + Sync + 'static,
    take: fn(Response) -> Option<T>,
    show: impl Fn(Side, RwSignal<Vec<T>>) -> AnyView + Copy + Send + Sync + 'static,
) -> impl IntoView {
    let benches = [Bench::<T>::new(), Bench::<T>::new()];
    let bench = move |side: Side| match side {
        Side::A => benches[0],
        Side::B => benches[1],
    };
    let error = RwSignal::new(None::<String>);
    let go = move || {
        let scenario = state.scenario.get_untracked();
        for side in Side::ALL {
            if let Some(config) = scenario.side(side) {
                match request(config, scenario.seed) {
                    Ok(request) => {
                        error.set(None);
                        bench(side).start(request, take);
                    }
                    Err(why) => error.set(Some(why)),
                }
            }
        }
    };
    let lane = move |side: Side| {
        view! {
            <section class="lane alone" aria-label=format!("System {}", side.letter())>
                <h3>"System " {side.letter()}</h3>
                <JobLine
                    job=bench(side).job
                    what=format!("Working on {}", side.letter())
                    again=move |()| go()
                />
                {show(side, bench(side).found)}
            </section>
        }
    };
    view! {
        <Button class="primary" on_press=go>{start}</Button>
        <p class="field-error" role="alert" hidden=move || error.get().is_none()>{error}</p>
        <div class="lanes" class:single=move || !state.runs(Side::B).get()>
            {lane(Side::A)}
            {move || state.runs(Side::B).get().then(|| lane(Side::B))}
        </div>
    }
}

/// Whose arrivals an experiment multiplies.
#[component]
fn WhichClass(class: RwSignal<Class>) -> impl IntoView {
    view! {
        <Segmented
            label="Whose arrivals are multiplied"
            options=vec![(Class::Long, "Long"), (Class::Short, "Short")]
            value=class
            on_change=move |to: Class| class.set(to)
        />
    }
}

/// Most numbers of a list: a map has a cell for each pair of two.
const MOST_NUMBERS: usize = 20;

/// A list of numbers as text, such as "2, 4, 8".
#[component]
fn Numbers(
    /// What the numbers are.
    label: &'static str,
    /// The numbers in force.
    value: RwSignal<Vec<f64>>,
) -> impl IntoView {
    let id = fresh_id("numbers");
    let error_id = format!("{id}-error");
    let error = RwSignal::new(None::<String>);
    let offer = move |text: String| {
        let read = text
            .split([',', ' '])
            .filter(|part| !part.is_empty())
            .map(|part| {
                number_in(part).ok_or_else(|| {
                    format!("{label} has “{part}”, but must be numbers such as 2, 4, 8")
                })
            })
            .collect::<Result<Vec<f64>, String>>();
        match read {
            Ok(numbers) if numbers.is_empty() => {
                error.set(Some(format!(
                    "{label} is empty, but must be numbers such as 2, 4, 8"
                )));
            }
            Ok(numbers) if numbers.len() > MOST_NUMBERS => {
                error.set(Some(format!(
                    "{label} has {} numbers, but must be 1 to {MOST_NUMBERS}",
                    numbers.len()
                )));
            }
            Ok(numbers) => {
                error.set(None);
                value.set(numbers);
            }
            Err(why) => error.set(Some(why)),
        }
    };
    let text = move || {
        let words = value.with(|numbers| numbers.iter().map(f64::to_string).collect::<Vec<_>>());
        words.join(", ")
    };
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

/// A number of an experiment, kept only here.
#[component]
fn Setting(
    label: &'static str,
    #[prop(optional)] unit: &'static str,
    min: f64,
    max: f64,
    slider_max: f64,
    value: RwSignal<f64>,
) -> impl IntoView {
    view! {
        <crate::ui::Number
            label=label
            unit=unit
            min=min
            max=max
            slider_max=slider_max
            value=value
            on_change=move |to: f64| {
                value.set(to);
                Ok(())
            }
        />
    }
}
