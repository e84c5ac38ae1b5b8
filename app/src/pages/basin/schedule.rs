//! Changes in mid-run: the shock that triggers, and the fixes that may or may not help after it.

use super::state::State;
use crate::ui::{Button, Icon, Rows, Sign, focus, fresh_id};
use engine::retrier_server::{Breaker, Change, Event, Gate, MAX_EVENTS, Service, TokenBucket};
use leptos::prelude::*;

/// What the reader can schedule, in the order of the list.
const KINDS: [(&str, Change); 10] = [
    ("Shock: requests at once", Change::Shock(20)),
    ("Budget on, B", Change::Budget(Some(0))),
    ("Budget off", Change::Budget(None)),
    ("Fresh first on", Change::Service(Service::FreshFirst)),
    ("Fresh first off", Change::Service(Service::Proportional)),
    ("Quiet on", Change::Quiet(true)),
    ("Quiet off", Change::Quiet(false)),
    (
        "Token bucket on, 10 tokens",
        Change::Gate(Gate::TokenBucket(TokenBucket {
            capacity: 10,
            acks_per_token: 10,
        })),
    ),
    (
        "Breaker on, 3 failures",
        Change::Gate(Gate::Breaker(Breaker {
            max_failures: 3,
            max_open_ticks: 5,
        })),
    ),
    ("Gate off", Change::Gate(Gate::None)),
];

/// The kind of a change: what it is whatever its number.
fn kind(change: Change) -> usize {
    match change {
        Change::Shock(_) => 0,
        Change::Budget(Some(_)) => 1,
        Change::Budget(None) => 2,
        Change::Service(Service::FreshFirst) => 3,
        Change::Service(Service::Proportional) => 4,
        Change::Quiet(true) => 5,
        Change::Quiet(false) => 6,
        Change::Gate(Gate::TokenBucket(_)) => 7,
        Change::Gate(Gate::Breaker(_)) => 8,
        Change::Gate(Gate::None) => 9,
    }
}

/// The number of a change that has one.
fn amount(change: Change) -> Option<u64> {
    match change {
        Change::Shock(n) | Change::Budget(Some(n)) => Some(n),
        _ => None,
    }
}

fn with_amount(change: Change, n: u64) -> Change {
    match change {
        Change::Shock(_) => Change::Shock(n),
        Change::Budget(Some(_)) => Change::Budget(Some(n)),
        other => other,
    }
}

/// The schedule, a row a change.
#[component]
pub fn Schedule(state: State) -> impl IntoView {
    let rows = state.part(|s| s.plan.events.len());
    let renumbered = RwSignal::new(());
    let is_full = Signal::derive(move || rows.get() >= MAX_EVENTS);
    let add = move || {
        let _ = state.propose(|s| {
            let round = (s.plan.rounds / 3).max(1);
            s.plan.events.push(Event {
                round,
                change: KINDS[0].1,
            });
        });
    };
    view! {
        <fieldset class="schedule">
            <legend>"Changes in mid-run"</legend>
            <Rows
                count=rows
                row=move |index| view! { <Row state index renumbered /> }.into_any()
                renumbered=renumbered
            />
            <Button on_press=add disabled=is_full>"Add a shock or a fix"</Button>
            <p class="note" hidden=move || !is_full.get()>{format!("There can be {MAX_EVENTS} changes.")}</p>
        </fieldset>
    }
}

/// One change: its round, what changes, and by how much.
#[component]
fn Row(state: State, index: usize, renumbered: RwSignal<()>) -> impl IntoView {
    let event = Memo::new(move |_| state.scenario.with(|s| s.plan.events.get(index).copied()));
    let error_id = fresh_id("change-error");
    let error = RwSignal::new(None::<String>);
    let set = move |change: &dyn Fn(&mut Event)| {
        let answer = state.propose(|s| {
            if let Some(event) = s.plan.events.get_mut(index) {
                change(event);
            }
        });
        error.set(answer.err());
    };
    let whole = move |text: String, field: &str, then: &dyn Fn(&mut Event, u64)| match text
        .trim()
        .parse::<u64>(
    ) {
        Ok(n) => set(&|event| then(event, n)),
        Err(_) => error.set(Some(format!(
            "{field} is “{text}”, but must be a whole number"
        ))),
    };
    let number = index + 1;
    let has_amount = move || event.get().and_then(|e| amount(e.change)).is_some();
    view! {
        <div class="change" role="group" aria-label=format!("Change {number}") aria-describedby=error_id.clone()>
            <label>
                <span>"Round"</span>
                <input
                    type="text"
                    inputmode="numeric"
                    prop:value=move || event.get().map(|e| e.round.to_string())
                    on:change=move |ev| whole(event_target_value(&ev), "the round", &|e, n| e.round = n)
                />
            </label>
            <label class="what">
                <span>"What"</span>
                <select
                    prop:value=move || event.get().map(|e| kind(e.change).to_string())
                    on:change=move |ev| {
                        if let Some((_, change)) = event_target_value(&ev)
                            .parse::<usize>()
                            .ok()
                            .and_then(|i| KINDS.get(i))
                        {
                            set(&|e| e.change = *change);
                        }
                    }
                >
                    {KINDS
                        .iter()
                        .enumerate()
                        .map(|(i, (name, _))| {
                            view! { <option value=i.to_string()>{*name}</option> }
                        })
                        .collect_view()}
                </select>
            </label>
            <label hidden=move || !has_amount()>
                <span>"How many"</span>
                <input
                    type="text"
                    inputmode="numeric"
                    prop:value=move || event.get().and_then(|e| amount(e.change)).map(|n| n.to_string())
                    on:change=move |ev| whole(event_target_value(&ev), "how many", &|e, n| e.change = with_amount(e.change, n))
                />
            </label>
            <Button
                label=format!("Remove change {number}")
                on_press=move || {
                    let _ = state.propose(|s| {
                        if index < s.plan.events.len() {
                            s.plan.events.remove(index);
                        }
                    });
                    renumbered.notify();
                    focus(".schedule > .button");
                }
            >
                <Sign icon=Icon::Remove />
            </Button>
            <p class="field-error" id=error_id.clone() role="alert" hidden=move || error.with(Option::is_none)>
                {error}
            </p>
        </div>
    }
}
