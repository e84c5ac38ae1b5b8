//! Retry laws that remember: a token bucket or a breaker in front of the server.

use super::plan::PlanOf;
use crate::ui::{Number, Segmented};
use engine::retrier_server::{Breaker, Config, Gate, Law, TokenBucket};
use leptos::prelude::*;

/// A kind of gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    None,
    TokenBucket,
    Breaker,
}

impl Kind {
    fn of(gate: Gate) -> Self {
        match gate {
            Gate::None => Kind::None,
            Gate::TokenBucket(_) => Kind::TokenBucket,
            Gate::Breaker(_) => Kind::Breaker,
        }
    }

    /// The gate of this kind that is usually compared.
    fn usual(self) -> Gate {
        let usual = Law::usual(&Config::default()).into_iter();
        usual
            .filter_map(|law| match law {
                Law::Gate(gate) => Some(gate),
                Law::None | Law::Budget(_) => None,
            })
            .find(|&gate| Kind::of(gate) == self)
            .unwrap_or_default()
    }
}

/// The choice of a gate, and its two numbers.
#[component]
pub fn GateChoice(plan: PlanOf) -> impl IntoView {
    let gate = plan.part(|plan| plan.config.gate);
    let kind = Signal::derive(move || Kind::of(gate.get()));
    let set = move |gate: Gate| plan.propose(move |plan| plan.config.gate = gate);
    let bucket = move || match gate.get() {
        Gate::TokenBucket(bucket) => Some(bucket),
        _ => None,
    };
    let breaker = move || match gate.get() {
        Gate::Breaker(breaker) => Some(breaker),
        _ => None,
    };
    let tokens = move || {
        let set = move |change: fn(&mut TokenBucket, u16)| {
            move |v: f64| {
                let Some(mut next) = untrack(bucket) else {
                    return Ok(());
                };
                change(&mut next, v as u16);
                set(Gate::TokenBucket(next))
            }
        };
        view! {
            <Number symbol="K" label="tokens at first and at most" min=0.0 max=f64::from(u16::MAX) slider_max=40.0
                value=Signal::derive(move || bucket().map_or(0.0, |b| b.capacity.into()))
                on_change=set(|b, v| b.capacity = v) />
            <Number symbol="m" label="acks that earn a token back" min=1.0 max=f64::from(u16::MAX) slider_max=20.0
                value=Signal::derive(move || bucket().map_or(1.0, |b| b.acks_per_token.into()))
                on_change=set(|b, v| b.acks_per_token = v) />
        }
    };
    let rounds = move || {
        let set = move |change: fn(&mut Breaker, u16)| {
            move |v: f64| {
                let Some(mut next) = untrack(breaker) else {
                    return Ok(());
                };
                change(&mut next, v as u16);
                set(Gate::Breaker(next))
            }
        };
        view! {
            <Number symbol="F" label="rounds in a row with retries due that open it" min=1.0 max=f64::from(u16::MAX) slider_max=12.0
                value=Signal::derive(move || breaker().map_or(1.0, |b| b.max_failures.into()))
                on_change=set(|b, v| b.max_failures = v) />
            <Number symbol="D" label="stays open" unit="rounds" min=1.0 max=f64::from(u16::MAX) slider_max=20.0
                value=Signal::derive(move || breaker().map_or(1.0, |b| b.max_open_ticks.into()))
                on_change=set(|b, v| b.max_open_ticks = v) />
        }
    };
    view! {
        <Segmented
            label="A gate on retries"
            options=vec![
                (Kind::None, "No gate"),
                (Kind::TokenBucket, "Token bucket"),
                (Kind::Breaker, "Breaker"),
            ]
            value=kind
            on_change=move |kind: Kind| {
                // The usual gates are in range.
                let _ = set(kind.usual());
            }
        />
        {move || match kind.get() {
            Kind::None => ().into_any(),
            Kind::TokenBucket => tokens().into_any(),
            Kind::Breaker => rounds().into_any(),
        }}
    }
}
