//! Where the reader plays: stories, bounds, both designs side by side, and a button for each step that one of them can take.

use super::diagram::Diagram;
use super::state::{MOST_ON_PAGE, State, Story};
use super::words;
use crate::embed::Control;
use crate::parameters::Parameters;
use crate::share::Rows;
use crate::text::capitalised;
use crate::ui::{Button, Number, Player, PresetItem, Presets, Table, TakeAway};
use engine::breaker::{Action, Caller, Config, Invariant, MAX_CALLERS, Refusal, Variant};
use leptos::prelude::*;

/// The runs to watch.
#[component]
pub fn Stories(state: State) -> impl IntoView {
    let items = Story::ALL.map(|story| {
        let (title, blurb) = words::story(story);
        PresetItem { name: title, blurb }
    });
    let current = Signal::derive(move || {
        let shown = state.story.get();
        Story::ALL.iter().position(|&story| Some(story) == shown)
    });
    let pick = move |i: usize| {
        state.show(Story::ALL[i]);
        if crate::theme::prefers_reduced_motion() {
            state.head.go_to(usize::MAX);
        } else {
            state.head.play();
        }
    };
    let missing = move || {
        let bounds = state.bounds();
        (bounds.callers == 1).then_some(
            "One caller alone cannot probe twice at once: with these bounds both designs are safe.",
        )
    };
    view! {
        <details open=true>
            <summary><h2>"Runs to watch"</h2></summary>
            <Presets label="Runs to watch" items=items.to_vec() current=current on_pick=pick />
            <p class="note" role="status">{missing}</p>
        </details>
    }
}

/// The bounds of the model.
#[component]
pub fn Bounds(state: State) -> impl IntoView {
    let part = move |of: fn(&Config) -> u16| Signal::derive(move || f64::from(of(&state.bounds())));
    let most = f64::from(MOST_ON_PAGE);
    view! {
        <details open=true>
            <summary><h2>"Bounds"</h2></summary>
            <div class="fields">
                <Number
                    label="Callers"
                    unit="at once"
                    min=1.0
                    max=f64::from(MAX_CALLERS)
                    value=part(|c| c.callers.into())
                    on_change=move |v: f64| state.set_bounds(|c| c.callers = v as u8)
                />
                <Number
                    label="Failures in a row that open it"
                    min=1.0
                    max=most
                    slider_max=8.0
                    value=part(|c| c.max_failures)
                    on_change=move |v: f64| state.set_bounds(|c| c.max_failures = v as u16)
                />
                <Number
                    label="Ticks before its timer can elapse"
                    unit="ticks"
                    min=0.0
                    max=most
                    slider_max=8.0
                    value=part(|c| c.max_open_ticks)
                    on_change=move |v: f64| state.set_bounds(|c| c.max_open_ticks = v as u16)
                />
            </div>
        </details>
    }
}

/// Both designs where the reader is, and the player.
#[component]
pub fn Lanes(state: State) -> impl IntoView {
    view! {
        <Pair state />
        <SchedulePlayer state />
    }
}

/// Both designs where the reader is.
#[component]
pub fn Pair(state: State) -> impl IntoView {
    view! {
        <div class="pair">
            {Variant::ALL.into_iter().map(|variant| view! { <Lane state variant /> }).collect_view()}
        </div>
    }
}

/// The player.
#[component]
fn SchedulePlayer(state: State) -> impl IntoView {
    let place = Signal::derive(move || {
        format!(
            "Step {} of {}",
            state.head.position.get(),
            state.schedule.with(|s| s.len())
        )
    });
    // What it comes to is told once it has come to it.
    let ending = Memo::new(move |_| {
        let is_over = state.head.position.get() == state.head.last.get();
        state.story.get().filter(|_| is_over).map(words::ending)
    });
    view! {
        <div class="play">
            <p class="place" aria-live="off">{place}</p>
            <Player
                head=state.head
                place=place
                small_step="step"
                large_step="phase"
                large=Callback::new(move |(position, on)| next_phase(state, position, on))
                speeds=vec![(0.75, "0.75 steps a second"), (1.5, "1.5 steps a second"), (4.0, "4 steps a second")]
            />
            // Below, so that the player stays where it is.
            <p class="ending" role="status" hidden=move || ending.get().is_none()>{ending}</p>
        </div>
    }
}

/// One control of the page, if it has it.
pub fn control(state: State, control: Control) -> Option<AnyView> {
    let one = match control {
        Control::Presets => view! { <Stories state /> }.into_any(),
        Control::Play => view! { <SchedulePlayer state /> }.into_any(),
        Control::Bounds => view! { <Bounds state /> }.into_any(),
        Control::Steps => view! { <Actions state /> }.into_any(),
        Control::Log => view! { <Log state /> }.into_any(),
        _ => return None,
    };
    Some(one)
}

/// The next position at which a design is in another phase than at `position`, or the one before.
fn next_phase(state: State, position: usize, on: bool) -> usize {
    let lanes = untrack(|| Variant::ALL.map(|variant| state.lane(variant)));
    let phases = |at: usize| {
        lanes
            .each_ref()
            .map(|lane| lane[at.min(lane.len() - 1)].state.phase)
    };
    let last = lanes[0].len() - 1;
    let differs = |at: &usize| phases(*at) != phases(position);
    if on {
        (position..=last).find(differs).unwrap_or(last)
    } else {
        (0..position).rev().find(differs).unwrap_or(0)
    }
}

/// One design where the reader is.
#[component]
fn Lane(state: State, variant: Variant) -> impl IntoView {
    let now = Memo::new(move |_| state.now(variant));
    let said = move || capitalised(&words::moment(&state.config(variant), &now.get()));
    let outcome = move || {
        let now = now.get();
        let config = state.config(variant);
        let is_broken = Invariant::ALL.iter().any(|i| !i.holds(&config, &now.state));
        match now.refusal {
            _ if is_broken => "broken",
            Some(Refusal::ProbeInFlight) => "refused safe",
            Some(_) => "refused",
            None => "",
        }
    };
    let rule = match variant {
        Variant::Naive => "starts a probe if half-open",
        Variant::Hardened => "starts a probe if half-open and none is in flight",
    };
    let variables = move || {
        let s = now.get().state;
        let active: Vec<_> = s.caller_active.iter().map(|c| c.to_string()).collect();
        [
            ("state", s.phase.name().to_owned()),
            ("failureCount", s.failure_count.to_string()),
            ("openTicks", s.open_ticks.to_string()),
            ("probeInflight", s.probe_inflight.to_string()),
            ("probesAccepted", s.probes_accepted.to_string()),
            ("callerActive", format!("{{{}}}", active.join(", "))),
        ]
        .into_iter()
        .map(|(name, value)| view! { <div><dt>{name}</dt><dd>{value}</dd></div> })
        .collect_view()
    };
    let invariants = Invariant::ALL
        .into_iter()
        .map(|invariant| {
            let holds = move || invariant.holds(&state.config(variant), &now.get().state);
            view! {
                <li class:broken=move || !holds()>
                    <span class="mark">{move || if holds() { "holds" } else { "broken" }}</span>
                    <span class="name">{invariant.name()}</span>
                    <span class="says">{invariant.statement()}</span>
                </li>
            }
        })
        .collect_view();
    view! {
        <section class="card design" aria-label=format!("The {} design", variant.name()) data-variant=variant.name()>
            <h2>{words::design(variant)}</h2>
            <p class="rule">{rule}</p>
            <Diagram state variant />
            <p class=move || format!("outcome {}", outcome())>{said}</p>
            <dl class="variables">{variables}</dl>
            <ul class="invariants" aria-label="Invariants now">{invariants}</ul>
        </section>
    }
}

/// A button for each step that one of the designs can take now.
#[component]
pub fn Actions(state: State) -> impl IntoView {
    let at_start = Signal::derive(move || state.head.position.get() == 0);
    let nothing = Signal::derive(move || state.schedule.with(|s| s.is_empty()));
    let rows = move || {
        let actors = state.bounds().callers().map(Some).chain([None]);
        actors
            .map(|actor| view! { <Actor state actor /> })
            .collect_view()
    };
    view! {
        <section class="card acts" aria-labelledby="acts-title">
            <div class="title">
                <h2 id="acts-title">"Take a step yourself"</h2>
                <div class="tools">
                    <Button on_press=move || state.undo() disabled=at_start>"Undo"</Button>
                    <Button on_press=move || state.restart() disabled=nothing>"Restart"</Button>
                </div>
            </div>
            <p class="note">
                "Every step that a design can take now. Both are asked; one that cannot take it refuses and stays as it is."
            </p>
            {rows}
        </section>
    }
}

/// The steps of one caller, or of the clock.
#[component]
fn Actor(state: State, actor: Option<Caller>) -> impl IntoView {
    let name = actor.map_or("The clock".to_owned(), |caller| format!("Caller {caller}"));
    // Actors come and go with the bounds.
    let enabled = Memo::new(move |_| {
        let actions = state.bounds().actions().filter(|a| a.caller() == actor);
        actions
            .map(|action| (action, state.takers(action)))
            .filter(|(_, takers)| takers.contains(&true))
            .collect::<Vec<_>>()
    });
    let buttons = move || {
        let enabled = enabled.get();
        if enabled.is_empty() {
            return view! { <p class="note">"No step now."</p> }.into_any();
        }
        enabled
            .into_iter()
            .map(|(action, takers)| view! { <Act state action takers /> })
            .collect_view()
            .into_any()
    };
    view! {
        <div class="actor" role="group" aria-label=name.clone()>
            <span class="who" aria-hidden="true">{name.clone()}</span>
            <div class="steps">{buttons}</div>
        </div>
    }
}

#[component]
fn Act(state: State, action: Action, takers: [bool; 2]) -> impl IntoView {
    let only = match takers {
        [true, false] => Some("naive only"),
        [false, true] => Some("hardened only"),
        _ => None,
    };
    view! {
        <Button class="act" on_press=move || state.step(action)>
            <span>{words::button(action)}</span>
            <code>{action.to_string()}</code>
            {only.map(|only| view! { <em>{only}</em> })}
        </Button>
    }
}

/// The schedule so far, with what each design made of it.
#[component]
pub fn Log(state: State) -> impl IntoView {
    let table = move || {
        let lanes = Variant::ALL.map(|variant| state.lane(variant));
        let position = state.head.position.get();
        let rows = (0..lanes[0].len()).map(|i| {
            let step = lanes[0][i]
                .action
                .map_or("start".to_owned(), |a| a.to_string());
            let of = |lane: usize| {
                let moment = lanes[lane][i];
                let config = state.config(Variant::ALL[lane]);
                match moment.refusal {
                    Some(refusal) => format!("refused: {refusal}"),
                    None => words::state(&config, &moment.state),
                }
            };
            (vec![i.to_string(), step, of(0), of(1)], i == position)
        });
        let heads = ["Step", "Action", "Naive", "Hardened"].map(str::to_owned);
        view! { <Table label="The schedule, step by step" heads=heads.to_vec() rows=rows.collect() /> }
    };
    // As `basin breaker play` prints it.
    let rows =
        Callback::new(move |_| Rows::Schedule(state.bounds(), state.schedule.get().to_vec()));
    view! {
        <section class="card log" aria-labelledby="log-title">
            <div class="title">
                <h2 id="log-title">"The schedule, step by step"</h2>
                <TakeAway
                    title="The schedule, step by step"
                    file="schedule"
                    parameters=Signal::derive(move || Parameters::from(&state.bounds()))
                    rows=Some(rows)
                    json=true
                />
            </div>
            {table}
        </section>
    }
}
