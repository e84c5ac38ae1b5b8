//! The topology as a live diagram: who sends what where, what waits, and what the cores work on.

use super::state::{Side, State};
use super::words::{self, around, parameters, rate};
use crate::plots::timeline::figure;
use crate::ui::{Source, TakeAway};
use engine::ecs::{QueueSnapshot, Snapshot};
use leptos::prelude::*;

/// Tickets that are drawn one by one; more are a bar.
const DRAWN_TICKETS: u32 = 160;

/// Tickets in a row.
const ROW: u32 = 20;

/// What the diagram shows at an instant. Flows are tasks a second.
#[derive(Clone, Debug, Default, PartialEq)]
struct Picture {
    short_arrivals: f64,
    long_arrivals: f64,
    backing_off: u32,
    attempts: f64,
    retries: f64,
    timeouts: f64,
    rejected: f64,
    admitted: f64,
    entered: f64,
    answered: f64,
    finished: f64,
    shed_at_entry: f64,
    shed_midway: f64,
    demoted: f64,
    short_again: f64,
    long_again: f64,
    short_acquired: f64,
    long_acquired: f64,
    short: QueueSnapshot,
    long: QueueSnapshot,
    cores: f64,
    speed: f64,
    down: bool,
    running: u32,
    blocked: u32,
    useful: f64,
    waste: f64,
    demotion_ms: f64,
    distress: bool,
}

impl Picture {
    fn of(now: &Snapshot, then: &Snapshot) -> Self {
        let count = |of: fn(&Snapshot) -> u64| rate(now, then, |s| of(s) as f64);
        let along = |from: &str, to: &str| rate(now, then, |s| s.tasks_along(from, to) as f64);
        let work = rate(now, then, |s| s.totals.cpu_work);
        let waste = rate(now, then, |s| s.totals.waste);
        let demoted = count(|s| s.totals.short.demotions + s.totals.long.demotions);
        Self {
            short_arrivals: count(|s| s.totals.short.requests),
            long_arrivals: count(|s| s.totals.long.requests),
            backing_off: now.backing_off,
            attempts: along("clients", "admission"),
            retries: count(|s| s.totals.short.retries + s.totals.long.retries),
            timeouts: count(|s| s.totals.short.timeouts + s.totals.long.timeouts),
            rejected: along("admission", "clients"),
            admitted: now.admitted_fraction,
            entered: along("admission", "entry"),
            answered: count(|s| s.totals.short.answered + s.totals.long.answered),
            finished: count(|s| s.totals.short.finished + s.totals.long.finished),
            shed_at_entry: along("entry", "shed"),
            shed_midway: along("release", "shed"),
            demoted,
            short_again: along("release", "short queue"),
            long_again: (along("release", "long queue") - demoted).max(0.0),
            short_acquired: count(|s| s.totals.short_acquisitions),
            long_acquired: count(|s| s.totals.long_acquisitions),
            short: now.short.clone(),
            long: now.long.clone(),
            cores: now.cores,
            speed: now.speed,
            down: now.down,
            running: now.running,
            blocked: now.blocked,
            useful: (work - waste).max(0.0),
            waste,
            demotion_ms: now.demotion_ms,
            distress: now.distress,
        }
    }

    /// The same in words.
    fn words(&self) -> String {
        let queue = |name: &str, queue: &QueueSnapshot, acquired: f64| {
            format!(
                "{name}: {} of {} places taken, {} of {} tickets in use, {} acquired a second.",
                queue.waiting,
                queue.bound,
                queue.in_use,
                queue.tickets,
                figure(acquired)
            )
        };
        format!(
            "Clients send {} attempts a second, {} of them retries; {} requests wait to be tried again. Admission lets {}% in and rejects {} a second. {} {} {} a second are demoted, {} shed. {} tasks share {} cores: {} cores' worth of useful work, {} wasted. {} answers a second come in time, {} attempts time out.",
            figure(self.attempts),
            figure(self.retries),
            self.backing_off,
            figure(self.admitted * 100.0),
            figure(self.rejected),
            queue("Short queue", &self.short, self.short_acquired),
            queue("Long queue", &self.long, self.long_acquired),
            figure(self.demoted),
            figure(self.shed_at_entry + self.shed_midway),
            self.running,
            figure(self.cores),
            figure(self.useful),
            figure(self.waste),
            figure(self.answered),
            figure(self.timeouts),
        )
    }
}

/// How thick the arrow of a flow is, in the diagram's units: a step for every tenfold.
fn thickness(a_second: f64) -> f64 {
    if a_second < 0.05 {
        0.75
    } else {
        (1.5 + 1.4 * (a_second + 1.0).log10()).min(7.0)
    }
}

/// How full a queue is, 0 to 1.
fn fullness(queue: &QueueSnapshot) -> f64 {
    (f64::from(queue.waiting) / f64::from(queue.bound.max(1))).min(1.0)
}

/// The squares of tickets: those in use, or those that are free, as one path from (`x`, `y`) on.
fn squares(x: f64, y: f64, from: u32, to: u32) -> String {
    use std::fmt::Write;
    let mut path = String::new();
    for i in from..to {
        let (column, row) = (i % ROW, i / ROW);
        let (left, top) = (x + f64::from(column) * 7.0, y + f64::from(row) * 7.0);
        let _ = write!(path, "M{left} {top}h5v5h-5z");
    }
    path
}

/// The diagram of one side.
#[component]
pub fn Diagram(state: State, side: Side) -> impl IntoView {
    let run = state.lane(side).run;
    let picture = Memo::new(move |_| {
        let position = state.head.position.get();
        run.with(|run| {
            around(run, position)
                .map_or_else(Picture::default, |(now, then)| Picture::of(now, then))
        })
    });
    let playing = state.head.playing;
    let words = move || picture.with(Picture::words);

    // An arrow along `path` whose thickness is a flow, with its rate beside it.
    let arrow = move |path: &'static str, class: &'static str, of: fn(&Picture) -> f64| {
        let flow = move || picture.with(of);
        view! {
            <path class=format!("wire {class}") d=path stroke-width=move || thickness(flow()) />
            <path
                class=format!("flow {class}")
                class:still=move || flow() < 0.05
                d=path
                stroke-width=move || (thickness(flow()) * 0.45).max(1.0)
                style:animation-duration=move || {
                    format!("{:.2}s", (3.0 / (1.0 + (flow() + 1.0).log10())).max(0.5))
                }
            />
        }
    };
    let label = move |x: f64,
                      y: f64,
                      anchor: &'static str,
                      class: &'static str,
                      of: fn(&Picture) -> String| {
        view! {
            <text x=x y=y text-anchor=anchor class=class>
                {move || picture.with(of)}
            </text>
        }
    };
    let queue = move |x: f64,
                      class: &'static str,
                      name: &'static str,
                      of: fn(&Picture) -> &QueueSnapshot| {
        let share = move || picture.with(|p| fullness(of(p)));
        let in_words = move || {
            picture.with(|p| {
                let queue = of(p);
                format!("{} wait, room for {}", queue.waiting, queue.bound)
            })
        };
        let tickets = move || {
            picture.with(|p| {
                let queue = of(p);
                format!("tickets: {} of {} in use", queue.in_use, queue.tickets)
            })
        };
        let some = move |from: fn(&QueueSnapshot) -> u32, to: fn(&QueueSnapshot) -> u32| {
            picture.with(|p| {
                let queue = of(p);
                if queue.tickets > DRAWN_TICKETS {
                    return String::new();
                }
                squares(x + 2.0, 246.0, from(queue), to(queue))
            })
        };
        let bar = move || {
            picture.with(|p| {
                let queue = of(p);
                if queue.tickets > DRAWN_TICKETS {
                    144.0 * f64::from(queue.in_use) / f64::from(queue.tickets)
                } else {
                    0.0
                }
            })
        };
        view! {
            <text class="name" x=x y="150">{name}</text>
            <rect class="box" x=x y="156" width="148" height="20" rx="3" />
            <rect class=format!("fill {class}") x=x y="156" height="20" rx="3" width=move || 148.0 * share() />
            <text class="value" x=x y="190">{in_words}</text>
            <text class="value" x=x y="240">{tickets}</text>
            <path class=format!("tickets {class}") d=move || some(|_| 0, |q| q.in_use.min(q.tickets)) />
            <path class=format!("tickets free {class}") d=move || some(|q| q.in_use.min(q.tickets), |q| q.tickets) />
            <rect class=format!("fill {class}") x=x + 2.0 y="248" height="10" width=bar />
        }
    };
    let work = move |from: fn(&Picture) -> f64, of: fn(&Picture) -> f64| {
        let scale = move |p: &Picture, value: f64| {
            if p.cores > 0.0 {
                250.0 * (value / p.cores).clamp(0.0, 1.0)
            } else {
                0.0
            }
        };
        (
            move || picture.with(|p| 20.0 + scale(p, from(p))),
            move || picture.with(|p| scale(p, of(p))),
        )
    };
    let (useful_x, useful_width) = work(|_| 0.0, |p| p.useful);
    let (waste_x, waste_width) = work(|p| p.useful, |p| p.waste);

    let drawing = NodeRef::new();
    view! {
        <div class="schematic-frame">
            <svg
                node_ref=drawing
                class="topology"
                class:playing=playing
                viewBox="-4 0 380 424"
                role="img"
                aria-label=format!("The system of {} at the playhead", side.letter())
            >
                <title>{words}</title>
                // Wires first, boxes over their ends.
                {arrow("M60 44V84", "attempts", |p| p.attempts)}
                {arrow("M150 84V44", "failed", |p| p.rejected)}
                {arrow("M60 112V156", "attempts", |p| p.entered)}
                {arrow("M140 156V128H250V44", "failed", |p| p.shed_at_entry)}
                {arrow("M60 195V230", "attempts", |p| p.short_acquired)}
                {arrow("M270 195V230", "long", |p| p.long_acquired)}
                {arrow("M60 304V346", "attempts", |p| p.short_acquired)}
                {arrow("M270 304V346", "long", |p| p.long_acquired)}
                {arrow("M182 346V166H194", "long", |p| p.demoted)}
                {arrow("M10 346C-2 300 -2 200 12 170", "attempts", |p| p.short_again)}
                {arrow("M340 346C352 300 352 200 340 170", "long", |p| p.long_again)}
                {arrow("M170 346V128H250V44", "failed", |p| p.shed_midway)}
                {arrow("M360 346V44", "answered", |p| p.answered)}

                <rect class="box" x="4" y="4" width="364" height="42" rx="5" />
                <text class="name" x="12" y="20">"Clients"</text>
                {label(12.0, 37.0, "start", "value", |p| {
                    format!("{} short, {} long a second", figure(p.short_arrivals), figure(p.long_arrivals))
                })}
                {label(360.0, 20.0, "end", "value failed", |p| format!("{} wait to retry", p.backing_off))}
                {label(360.0, 37.0, "end", "value answered", |p| format!("{} answers/s", figure(p.answered)))}
                {label(66.0, 60.0, "start", "value", |p| format!("{}/s", figure(p.attempts)))}
                {label(66.0, 74.0, "start", "value failed", |p| format!("{} retries", figure(p.retries)))}
                {label(156.0, 68.0, "start", "value failed", |p| format!("{} rejected", figure(p.rejected)))}

                <rect class="box" x="4" y="84" width="190" height="28" rx="5" />
                <rect class="fill gate" x="4" y="84" height="28" rx="5" width=move || 190.0 * picture.with(|p| p.admitted) />
                {label(12.0, 102.0, "start", "name", |p| {
                    format!("Admission: {}% let in", figure(p.admitted * 100.0))
                })}
                {label(256.0, 68.0, "start", "value failed", |p| {
                    format!("{} shed", figure(p.shed_at_entry + p.shed_midway))
                })}
                {label(350.0, 102.0, "end", "value failed", |p| format!("{}/s time out", figure(p.timeouts)))}
                {label(350.0, 118.0, "end", "value", |p| {
                    (if p.distress { "distress bit up" } else { "" }).to_owned()
                })}

                {queue(12.0, "short", "Short queue", |p| &p.short)}
                {queue(194.0, "long", "Long queue", |p| &p.long)}
                {label(66.0, 212.0, "start", "value", |p| format!("{}/s", figure(p.short_acquired)))}
                {label(276.0, 212.0, "start", "value", |p| format!("{}/s", figure(p.long_acquired)))}
                {label(160.0, 320.0, "end", "value long", |p| format!("{} demoted/s", figure(p.demoted)))}
                {label(160.0, 336.0, "end", "value long", |p| format!("past {} ms", figure(p.demotion_ms)))}

                <rect class="box" x="4" y="346" width="364" height="74" rx="5" />
                {label(12.0, 363.0, "start", "name", |p| {
                    let cores = figure(p.cores);
                    if p.down {
                        "The server is down".to_owned()
                    } else if (p.speed - 1.0).abs() > 1e-9 {
                        format!("{} tasks share {cores} cores at {}% speed", p.running, figure(100.0 * p.speed))
                    } else {
                        format!("{} tasks share {cores} cores", p.running)
                    }
                })}
                {label(360.0, 363.0, "end", "value", |p| {
                    if p.blocked > 0 { format!("{} blocked", p.blocked) } else { String::new() }
                })}
                <rect class="box" x="20" y="372" width="250" height="18" rx="3" />
                <rect class="fill useful" x=useful_x y="372" height="18" width=useful_width />
                <rect class="fill waste" x=waste_x y="372" height="18" width=waste_width />
                {label(20.0, 408.0, "start", "value answered", |p| format!("{} cores useful", figure(p.useful)))}
                {label(270.0, 408.0, "end", "value failed", |p| format!("{} wasted", figure(p.waste)))}
            </svg>
            <p class="only-heard">{words}</p>
            <TakeAway
                title=format!("{}: the system at the playhead", side.letter())
                file="system"
                parameters=parameters(state, side)
                source=Some(Source::Inline(drawing))
            />
        </div>
    }
}

/// What the policy and the admission control of a side are called.
#[must_use]
pub fn side_name(state: State, side: Side) -> Signal<String> {
    state.part(move |scenario| {
        format!(
            "{} policy, {}",
            words::policy(scenario.policy(side)),
            words::admission(scenario.admission(side))
        )
    })
}
