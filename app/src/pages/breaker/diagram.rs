//! The state machine of one design, with the state that it is in lit.

use super::state::State;
use super::words;
use crate::parameters::Parameters;
use crate::ui::{Source, TakeAway};
use engine::breaker::{Action, Phase, Variant};
use leptos::prelude::*;

/// Where each phase's box is: left, top, width, height.
const fn place(phase: Phase) -> (f64, f64, f64, f64) {
    match phase {
        Phase::Closed => (6.0, 30.0, 132.0, 78.0),
        Phase::Open => (262.0, 30.0, 132.0, 78.0),
        Phase::HalfOpen => (110.0, 196.0, 180.0, 88.0),
    }
}

/// The arrows between phases: their path, where their words are, and the words.
const ARROWS: [(Arrow, &str, (f64, f64), &str); 4] = [
    (
        Arrow::Trips,
        "M138 66H256",
        (200.0, 56.0),
        "too many failures",
    ),
    (
        Arrow::Elapses,
        "M300 108L252 191",
        (266.0, 152.0),
        "timer elapses",
    ),
    (
        Arrow::ProbeFails,
        "M290 240C360 232 374 170 354 114",
        (306.0, 264.0),
        "probe fails",
    ),
    (
        Arrow::ProbeSucceeds,
        "M132 196L92 114",
        (6.0, 160.0),
        "probe succeeds",
    ),
];

#[derive(Clone, Copy, PartialEq)]
enum Arrow {
    Trips,
    Elapses,
    ProbeFails,
    ProbeSucceeds,
}

impl Arrow {
    fn of(action: Action) -> Option<Self> {
        match action {
            Action::ClosedCallFailureTripBreaker(_) => Some(Arrow::Trips),
            Action::OpenTimerElapses => Some(Arrow::Elapses),
            Action::HalfOpenProbeFailure(_) => Some(Arrow::ProbeFails),
            Action::HalfOpenProbeSuccess(_) => Some(Arrow::ProbeSucceeds),
            _ => None,
        }
    }
}

/// The diagram of one design where the reader is.
#[component]
pub fn Diagram(state: State, variant: Variant) -> impl IntoView {
    let now = Memo::new(move |_| state.now(variant));
    let phase = move || now.get().state.phase;
    let config = move || state.config(variant);
    let summary = move || {
        format!(
            "{} design. {}",
            words::design(variant),
            words::state(&config(), &now.get().state)
        )
    };
    let taken = move || {
        let now = now.get();
        now.action
            .filter(|_| now.refusal.is_none())
            .and_then(Arrow::of)
    };
    let marker = format!("tip-{}", variant.name());
    let arrows = ARROWS.map(|(arrow, path, (x, y), words)| {
        let is_taken = move || taken() == Some(arrow);
        let anchor = match arrow {
            Arrow::Trips => "middle",
            Arrow::Elapses => "end",
            Arrow::ProbeFails | Arrow::ProbeSucceeds => "start",
        };
        view! {
            <g class="arrow" class:taken=is_taken>
                <path d=path marker-end=format!("url(#{marker})") />
                <text x=x y=y text-anchor=anchor>{words}</text>
            </g>
        }
    });
    let boxes = [Phase::Closed, Phase::Open, Phase::HalfOpen].map(|of| {
        let (x, y, width, height) = place(of);
        let lit = move || phase() == of;
        view! {
            <g class="phase" class:lit=lit>
                <rect x=x y=y width=width height=height rx="8" />
                <text class="title" x=x + width / 2.0 y=y + 25.0 text-anchor="middle">
                    {of.name()}
                </text>
            </g>
        }
    });
    let detail =
        move |of: Phase, text: fn(&engine::breaker::Config, &engine::breaker::State) -> String| {
            let (x, y, width, _) = place(of);
            view! {
                <text class="detail" class:lit=move || phase() == of x=x + width / 2.0 y=y + 48.0 text-anchor="middle">
                    {move || {
                        let now = now.get().state;
                        if now.phase == of { text(&config(), &now) } else { String::new() }
                    }}
                </text>
            }
        };
    let bar =
        move |of: Phase, share: fn(&engine::breaker::Config, &engine::breaker::State) -> f64| {
            let (x, y, width, _) = place(of);
            let filled = move || {
                let now = now.get().state;
                if now.phase == of {
                    share(&config(), &now) * (width - 32.0)
                } else {
                    0.0
                }
            };
            view! {
                <g class="bar" class:lit=move || phase() == of>
                    <rect class="all" x=x + 16.0 y=y + 58.0 width=width - 32.0 height="7" rx="3" />
                    <rect class="part" x=x + 16.0 y=y + 58.0 width=filled height="7" rx="3" />
                </g>
            }
        };
    let callers = move || {
        // Made anew with the bounds: what follows this ends with it, and is not left among the followers of what stays.
        let now = Memo::new(move |_| now.get());
        let phase = move || now.get().state.phase;
        let callers = config().callers;
        let (x, y, width, _) = place(Phase::HalfOpen);
        let gap = 27.0;
        let first = x + width / 2.0 - gap * f64::from(callers - 1) / 2.0;
        config()
            .callers()
            .map(|caller| {
                let inside = move || now.get().state.caller_active.contains(caller);
                let at = first + gap * f64::from(caller.0 - 1);
                view! {
                    <g class="caller" class:inside=inside class:lit=move || phase() == Phase::HalfOpen>
                        <circle cx=at cy=y + 66.0 r="11" />
                        <text x=at y=y + 70.5 text-anchor="middle">{caller.0}</text>
                    </g>
                }
            })
            .collect_view()
    };
    let drawing = NodeRef::new();
    let parameters = Signal::derive(move || {
        let step = state.head.position.get();
        Parameters::from(&config()).and(&format!("after step {step}"), &format!("step{step}"))
    });
    view! {
        <svg node_ref=drawing class="machine" viewBox="0 22 400 268" role="img" aria-label=summary>
            <defs>
                <marker id=marker.clone() viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
                    <path d="M0 0L8 4L0 8z" />
                </marker>
            </defs>
            {arrows.into_iter().collect_view()}
            {boxes.into_iter().collect_view()}
            {detail(Phase::Closed, |c, s| format!("{} of {} failures", s.failure_count, c.max_failures))}
            {bar(Phase::Closed, |c, s| f64::from(s.failure_count) / f64::from(c.max_failures))}
            {detail(Phase::Open, |c, s| format!("{} of {} ticks", s.open_ticks, c.max_open_ticks))}
            {bar(Phase::Open, |c, s| f64::from(s.open_ticks) / f64::from(c.max_open_ticks.max(1)))}
            {detail(Phase::HalfOpen, |_, s| match s.caller_active.len() {
                0 => "nobody inside".into(),
                1 => "one caller inside".into(),
                n => format!("{n} callers inside at once"),
            })}
            {callers}
        </svg>
        <TakeAway
            title=format!("The {} design", variant.name())
            file=variant.name()
            parameters=parameters
            source=Some(Source::Inline(drawing))
        />
    }
}
