//! The controls of a plan, for the pages that have one.

use crate::embed::Control;
use crate::ui::{Number, Toggle};
use engine::retrier_server::{MAX_PARAMETER, Plan, Service};
use leptos::prelude::*;

/// A change of a plan.
type Change = Box<dyn FnOnce(&mut Plan)>;

/// A page's plan: followed, and changed if the result is in range.
#[derive(Clone, Copy)]
pub struct PlanOf {
    /// The plan in force.
    plan: Signal<Plan>,
    /// The budget that the toggle switches on.
    kept_budget: RwSignal<u64>,
    propose: Callback<Change, Result<(), String>>,
}

impl PlanOf {
    /// The plan of a page that takes its changes by `propose`, which names what is out of range.
    pub fn new(
        plan: impl Into<Signal<Plan>>,
        kept_budget: RwSignal<u64>,
        propose: impl Fn(Change) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        Self {
            plan: plan.into(),
            kept_budget,
            propose: Callback::new(propose),
        }
    }

    /// One part of it, followed.
    pub fn part<T: PartialEq + Clone + Send + Sync + 'static>(
        self,
        of: impl Fn(&Plan) -> T + Send + Sync + 'static,
    ) -> Signal<T> {
        Memo::new(move |_| self.plan.with(&of)).into()
    }

    /// Changes it, if the result is in range.
    ///
    /// # Errors
    /// Names what is out of range; nothing is changed then.
    pub fn propose(self, change: impl FnOnce(&mut Plan) + 'static) -> Result<(), String> {
        self.propose.run(Box::new(change))
    }
}

/// The capacity, the most arrivals or the timeout.
pub fn law(plan: PlanOf, which: Control, note: MaybeProp<String>) -> Option<AnyView> {
    let one = match which {
        Control::S => view! {
            <Parameter plan symbol="S" label="capacity" unit="a round" min=1 slider_max=12 note
                of=|p| p.config.s set=|p, v| p.config.s = v />
        },
        Control::AMax => view! {
            <Parameter plan symbol="AMax" label="most arrivals" unit="a round" slider_max=12 note
                of=|p| p.config.amax set=|p, v| p.config.amax = v />
        },
        Control::T => view! {
            <Parameter plan symbol="T" label="timeout" unit="rounds" min=1 slider_max=8 note
                of=|p| p.config.t set=|p, v| p.config.t = v />
        },
        _ => return None,
    };
    Some(one.into_any())
}

/// One whole number of a plan.
#[component]
pub fn Parameter(
    plan: PlanOf,
    symbol: &'static str,
    label: &'static str,
    #[prop(optional)] unit: &'static str,
    #[prop(optional)] min: u64,
    #[prop(default = MAX_PARAMETER)] max: u64,
    slider_max: u64,
    #[prop(optional, into)] note: MaybeProp<String>,
    #[prop(optional, into)] disabled: Signal<bool>,
    of: fn(&Plan) -> u64,
    set: fn(&mut Plan, u64),
) -> impl IntoView {
    view! {
        <Number
            symbol=symbol
            label=label
            unit=unit
            min=min as f64
            max=max as f64
            slider_max=slider_max as f64
            note=note
            disabled=disabled
            value=plan.part(move |plan| of(plan) as f64)
            on_change=move |v: f64| plan.propose(move |plan| set(plan, v as u64))
        />
    }
}

/// The retry budget.
#[component]
pub fn Budget(
    plan: PlanOf,
    /// What it does, in a line.
    about: &'static str,
    /// What the number in force amounts to.
    #[prop(optional, into)]
    note: MaybeProp<String>,
) -> impl IntoView {
    let budget = plan.part(|plan| plan.config.budget);
    let on = Signal::derive(move || budget.get().is_some());
    view! {
        <Toggle
            label="Retry budget"
            note=about
            value=on
            on_change=move |on: bool| {
                let kept = plan.kept_budget.get_untracked();
                // A switch leaves every number as it is.
                let _ = plan.propose(move |plan| plan.config.budget = on.then_some(kept));
            }
        />
        <Number
            symbol="B"
            label="most retries"
            unit="a round"
            min=0.0
            max=MAX_PARAMETER as f64
            slider_max=12.0
            note=note
            disabled=Signal::derive(move || !on.get())
            value=Signal::derive(move || {
                budget.get().unwrap_or_else(|| plan.kept_budget.get()) as f64
            })
            on_change=move |b: f64| plan.propose(move |plan| plan.config.budget = Some(b as u64))
        />
    }
}

/// Fresh work first, and quiet.
#[component]
pub fn FreshAndQuiet(
    plan: PlanOf,
    /// What serving fresh work first does, in a line.
    about_fresh: &'static str,
) -> impl IntoView {
    let set = move |change: fn(&mut Plan, bool)| {
        move |on: bool| {
            // A switch leaves every number as it is.
            let _ = plan.propose(move |plan| change(plan, on));
        }
    };
    view! {
        <Toggle
            label="Fresh first"
            note=about_fresh
            value=plan.part(|plan| plan.config.service == Service::FreshFirst)
            on_change=set(|plan, on| {
                plan.config.service = if on { Service::FreshFirst } else { Service::Proportional };
            })
        />
        <Toggle
            label="Quiet"
            note="No new requests arrive; retries keep firing."
            value=plan.part(|plan| plan.config.quiet)
            on_change=set(|plan, on| plan.config.quiet = on)
        />
    }
}
