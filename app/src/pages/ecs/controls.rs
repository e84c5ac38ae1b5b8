//! What the reader can set, but for the script.

use super::now::Now;
use super::script::ScriptEditor;
use super::state::{MAX_DURATION_S, MIN_DURATION_S, Rival, Scenario, Side, State};
use super::words;
use crate::embed::Control;
use crate::ui::{Button, MAX_SEED, Number, PresetItem, Presets, Segmented, Toggle};
use engine::ecs::admission::{AdmissionSettings, DistressKnobs, PaceSettings};
use engine::ecs::policy::{FixedSettings, NaiveSettings, PolicySettings, ProbeSettings};
use engine::ecs::{Class, presets};
use leptos::prelude::*;

/// Presets, seed, policies, admission controls, and the system's parameters.
#[component]
pub fn Controls(state: State) -> impl IntoView {
    view! {
        <aside class="controls" aria-label="Settings">
            <details open=true>
                <summary><h2>"Experiments"</h2></summary>
                <Cases state />
            </details>
            <details open=true>
                <summary><h2>"Policies and admission"</h2></summary>
                <div class="fields">
                    <Seed state />
                    <Policies state />
                </div>
            </details>
            <details>
                <summary><h2>"The server"</h2></summary>
                <div class="fields">
                    <Field state label="Cores" min=1.0 max=1_024.0 slider_max=32.0
                        of=|s| s.config.cores.into() set=|s, v| s.config.cores = v as u32 />
                    <Field state label="Ticket window" unit="ms" min=0.1 max=10_000.0 slider_max=100.0 step=0.1
                        of=|s| s.config.ticket_window_ms set=|s, v| s.config.ticket_window_ms = v />
                    <Field state label="Demotion threshold at the start" unit="ms" min=0.0 max=1_000_000.0 slider_max=500.0 step=0.5
                        of=|s| s.config.demotion_ms set=|s, v| s.config.demotion_ms = v />
                    <Field state label="Short tickets at the start" min=1.0 max=10_000.0 slider_max=128.0
                        of=|s| s.config.short_queue.tickets.into() set=|s, v| s.config.short_queue.tickets = v as u32 />
                    <Field state label="Long tickets at the start" min=1.0 max=10_000.0 slider_max=128.0
                        of=|s| s.config.long_queue.tickets.into() set=|s, v| s.config.long_queue.tickets = v as u32 />
                    <Field state label="Room in the short queue" unit="tasks" min=0.0 max=1_000_000.0 slider_max=5_000.0
                        of=|s| s.config.short_queue.bound.into() set=|s, v| s.config.short_queue.bound = v as u32 />
                    <Field state label="Room in the long queue" unit="tasks" min=0.0 max=1_000_000.0 slider_max=5_000.0
                        of=|s| s.config.long_queue.bound.into() set=|s, v| s.config.long_queue.bound = v as u32 />
                    <Field state label="Length of the run" unit="s" min=MIN_DURATION_S max=MAX_DURATION_S slider_max=400.0
                        of=|s| s.config.duration_s set=|s, v| s.config.duration_s = v />
                </div>
            </details>
            <details>
                <summary><h2>"Short requests"</h2></summary>
                <ClassFields state class=Class::Short />
            </details>
            <details>
                <summary><h2>"Long requests"</h2></summary>
                <ClassFields state class=Class::Long />
            </details>
        </aside>
    }
}

/// One control of the page, if it has it.
pub fn control(state: State, control: Control) -> Option<AnyView> {
    let one = match control {
        Control::Presets => view! { <Cases state /> }.into_any(),
        Control::Play => view! { <Now state /> }.into_any(),
        Control::Seed => view! { <Seed state /> }.into_any(),
        Control::Policies => view! { <Policies state /> }.into_any(),
        Control::Script => view! { <ScriptEditor state /> }.into_any(),
        _ => return None,
    };
    Some(one)
}

/// The engine's presets.
#[component]
fn Cases(state: State) -> impl IntoView {
    let all = presets::all();
    let names: Vec<&'static str> = all.iter().map(|preset| preset.name).collect();
    let items = all.iter().map(|preset| PresetItem {
        name: title(preset.name),
        blurb: preset.about,
    });
    let items = items.collect::<Vec<_>>();
    let scenarios: Vec<Scenario> = names.iter().map(|name| Scenario::preset(name)).collect();
    let current = state.part(move |scenario| {
        scenarios
            .iter()
            .position(|preset| preset.config == scenario.config && preset.rival == scenario.rival)
    });
    let pick = move |index: usize| {
        let preset = Scenario::preset(names[index]);
        // Presets make sense, as their test shows; the seed stays.
        let _ = state.propose(|scenario| {
            scenario.config = preset.config;
            scenario.rival = preset.rival;
        });
        state.head.go_to(usize::MAX);
    };
    view! { <Presets label="Experiments" items=items current=current on_pick=pick /> }
}

/// The policy and the admission control of A, and those of B if there is one.
#[component]
fn Policies(state: State) -> impl IntoView {
    let compares = state.runs(Side::B);
    let compare = move |on: bool| {
        let _ = state.propose(|scenario| {
            scenario.rival = on.then(|| Rival {
                policy: match scenario.config.policy {
                    PolicySettings::Fixed(_) => PolicySettings::Naive(NaiveSettings::default()),
                    _ => PolicySettings::Fixed(FixedSettings::default()),
                },
                admission: scenario.config.admission.clone(),
            });
        });
    };
    view! {
        <SideControls state side=Side::A />
        <Toggle
            label="Compare with B"
            note="A second system meets the same arrivals: same seed, same script."
            value=compares
            on_change=compare
        />
        {move || compares.get().then(|| view! { <SideControls state side=Side::B /> })}
    }
}

/// What a preset is called on the page.
fn title(name: &'static str) -> &'static str {
    match name {
        "naive-overload" => "Two controllers fail together",
        "fixed-overload" => "One controller, one honest signal",
        "ac-off" => "A long pulse, nobody in front",
        "ac-latency" => "Admission by latency",
        "ac-distress" => "Admission by distress bit",
        "ac-sluggish" => "Admission by latency, sluggish",
        "ac-distress-sluggish" => "Distress bit, sluggish",
        "churn-2" => "Churn: two tickets",
        "churn-10" => "Churn: ten tickets",
        other => other,
    }
}

/// One number of the scenario.
#[component]
fn Field(
    state: State,
    label: &'static str,
    #[prop(optional)] unit: &'static str,
    min: f64,
    max: f64,
    slider_max: f64,
    #[prop(default = 1.0)] step: f64,
    of: impl Fn(&Scenario) -> f64 + Send + Sync + 'static,
    set: impl Fn(&mut Scenario, f64) + Send + Sync + 'static,
) -> impl IntoView {
    view! {
        <Number
            label=label
            unit=unit
            min=min
            max=max
            slider_max=slider_max
            step=step
            value=state.part(of)
            on_change=move |v: f64| state.propose(|scenario| set(scenario, v))
        />
    }
}

#[component]
fn Seed(state: State) -> impl IntoView {
    let new = move || {
        let seed = (js_sys::Math::random() * 9_999.0) as u64 + 1;
        // Any seed makes sense.
        let _ = state.propose(|scenario| scenario.seed = seed);
    };
    view! {
        <Field state label="Seed" min=0.0 max=MAX_SEED as f64 slider_max=100.0
            of=|s| s.seed as f64 set=|s, v| s.seed = v as u64 />
        <Button on_press=new>"New seed"</Button>
    }
}

#[component]
fn ClassFields(state: State, class: Class) -> impl IntoView {
    let (rates, means, timeouts) = match class {
        Class::Short => (2_000.0, 50.0, 5.0),
        Class::Long => (10.0, 10_000.0, 120.0),
    };
    view! {
        <div class="fields">
            <Field state label="Arrivals" unit="a second" min=0.0 max=100_000.0 slider_max=rates step=0.1
                of=move |s| s.config.class(class).rate set=move |s, v| s.config.class_mut(class).rate = v />
            <Field state label="Mean cost" unit="ms of CPU" min=0.01 max=10_000_000.0 slider_max=means step=0.01
                of=move |s| s.config.class(class).mean_ms set=move |s, v| s.config.class_mut(class).mean_ms = v />
            <Field state label="Share of its time blocked" min=0.0 max=0.99 slider_max=0.99 step=0.01
                of=move |s| s.config.class(class).blocking_share
                set=move |s, v| s.config.class_mut(class).blocking_share = v />
            <Field state label="Timeout" unit="s" min=0.001 max=100_000.0 slider_max=timeouts step=0.001
                of=move |s| s.config.class(class).timeout_s set=move |s, v| s.config.class_mut(class).timeout_s = v />
            <Field state label="Attempts, the first included" min=1.0 max=100.0 slider_max=10.0
                of=move |s| s.config.class(class).attempts.into()
                set=move |s, v| s.config.class_mut(class).attempts = v as u32 />
            <Field state label="Backoff before the second attempt" unit="ms" min=0.0 max=1_000_000.0 slider_max=1_000.0
                of=move |s| s.config.class(class).backoff_ms set=move |s, v| s.config.class_mut(class).backoff_ms = v />
            <Field state label="Jitter, a share of the backoff" min=0.0 max=1.0 slider_max=1.0 step=0.05
                of=move |s| s.config.class(class).jitter set=move |s, v| s.config.class_mut(class).jitter = v />
        </div>
    }
}

/// A kind of policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PolicyKind {
    Static,
    Naive,
    Fixed,
}

impl PolicyKind {
    fn of(policy: &PolicySettings) -> Self {
        match policy {
            PolicySettings::Static => PolicyKind::Static,
            PolicySettings::Naive(_) => PolicyKind::Naive,
            PolicySettings::Fixed(_) => PolicyKind::Fixed,
        }
    }

    fn settings(self) -> PolicySettings {
        match self {
            PolicyKind::Static => PolicySettings::Static,
            PolicyKind::Naive => PolicySettings::Naive(NaiveSettings::default()),
            PolicyKind::Fixed => PolicySettings::Fixed(FixedSettings::default()),
        }
    }
}

/// A kind of admission control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AdmissionKind {
    Off,
    Latency,
    Sluggish,
    Distress,
    DistressSluggish,
}

impl AdmissionKind {
    fn of(admission: &AdmissionSettings) -> Self {
        match admission {
            AdmissionSettings::Off => AdmissionKind::Off,
            AdmissionSettings::Latency(settings) if settings.pace.looks > 1 => {
                AdmissionKind::Sluggish
            }
            AdmissionSettings::Latency(_) => AdmissionKind::Latency,
            AdmissionSettings::Distress(settings) if settings.pace.looks > 1 => {
                AdmissionKind::DistressSluggish
            }
            AdmissionSettings::Distress(_) => AdmissionKind::Distress,
        }
    }

    fn settings(self) -> AdmissionSettings {
        match self {
            AdmissionKind::Off => AdmissionSettings::Off,
            AdmissionKind::Latency => AdmissionSettings::latency(),
            AdmissionKind::Sluggish => AdmissionSettings::sluggish(),
            AdmissionKind::Distress => AdmissionSettings::distress(),
            AdmissionKind::DistressSluggish => AdmissionSettings::distress_sluggish(),
        }
    }
}

/// The policy and the admission control of one side.
#[component]
fn SideControls(state: State, side: Side) -> impl IntoView {
    let policy = state.part(move |s| PolicyKind::of(s.policy(side)));
    let admission = state.part(move |s| AdmissionKind::of(s.admission(side)));
    let about = state.part(move |s| words::policy_about(s.policy(side)));
    let letter = side.letter();
    view! {
        <fieldset class="side">
            <legend>"System " {letter}</legend>
            <Segmented
                label=format!("Policy of {letter}")
                options=vec![
                    (PolicyKind::Static, "Static"),
                    (PolicyKind::Naive, "Naive"),
                    (PolicyKind::Fixed, "Fixed"),
                ]
                value=policy
                on_change=move |kind: PolicyKind| {
                    let _ = state.propose(|s| *s.policy_mut(side) = kind.settings());
                }
            />
            <p class="note">{about}</p>
            <Segmented
                label=format!("Admission control of {letter}")
                options=vec![
                    (AdmissionKind::Off, "Off"),
                    (AdmissionKind::Latency, "Latency"),
                    (AdmissionKind::Sluggish, "Sluggish"),
                    (AdmissionKind::Distress, "Distress"),
                    (AdmissionKind::DistressSluggish, "Distress + sluggish"),
                ]
                value=admission
                on_change=move |kind: AdmissionKind| {
                    let _ = state.propose(|s| *s.admission_mut(side) = kind.settings());
                }
            />
            <details class="fine">
                <summary>"Knobs of " {letter}</summary>
                <div class="fields">
                    {move || match policy.get() {
                        PolicyKind::Static => {
                            view! { <p class="note">"The static policy has none."</p> }.into_any()
                        }
                        PolicyKind::Naive => view! { <NaiveFields state side /> }.into_any(),
                        PolicyKind::Fixed => view! { <FixedFields state side /> }.into_any(),
                    }}
                    {move || match admission.get() {
                        AdmissionKind::Off => ().into_any(),
                        AdmissionKind::Latency | AdmissionKind::Sluggish => {
                            view! { <LatencyFields state side /> }.into_any()
                        }
                        AdmissionKind::Distress | AdmissionKind::DistressSluggish => {
                            view! { <DistressFields state side /> }.into_any()
                        }
                    }}
                </div>
            </details>
        </fieldset>
    }
}

/// One number of the naive policy.
fn naive(side: Side, of: fn(&NaiveSettings) -> f64) -> impl Fn(&Scenario) -> f64 {
    move |scenario| match scenario.policy(side) {
        PolicySettings::Naive(settings) => of(settings),
        _ => 0.0,
    }
}

fn set_naive(side: Side, set: fn(&mut NaiveSettings, f64)) -> impl Fn(&mut Scenario, f64) {
    move |scenario, value| {
        if let PolicySettings::Naive(settings) = scenario.policy_mut(side) {
            set(settings, value);
        }
    }
}

fn fixed(side: Side, of: fn(&FixedSettings) -> f64) -> impl Fn(&Scenario) -> f64 {
    move |scenario| match scenario.policy(side) {
        PolicySettings::Fixed(settings) => of(settings),
        _ => 0.0,
    }
}

fn set_fixed(side: Side, set: fn(&mut FixedSettings, f64)) -> impl Fn(&mut Scenario, f64) {
    move |scenario, value| {
        if let PolicySettings::Fixed(settings) = scenario.policy_mut(side) {
            set(settings, value);
        }
    }
}

/// How one queue probes, whichever policy has it do so.
fn probe(scenario: &Scenario, side: Side, class: Class) -> Option<&ProbeSettings> {
    match (scenario.policy(side), class) {
        (PolicySettings::Naive(settings), Class::Short) => Some(&settings.short),
        (PolicySettings::Naive(settings), Class::Long) => Some(&settings.long),
        (PolicySettings::Fixed(settings), Class::Short) => Some(&settings.short),
        _ => None,
    }
}

fn probe_mut(scenario: &mut Scenario, side: Side, class: Class) -> Option<&mut ProbeSettings> {
    match (scenario.policy_mut(side), class) {
        (PolicySettings::Naive(settings), Class::Short) => Some(&mut settings.short),
        (PolicySettings::Naive(settings), Class::Long) => Some(&mut settings.long),
        (PolicySettings::Fixed(settings), Class::Short) => Some(&mut settings.short),
        _ => None,
    }
}

#[component]
fn ProbeFields(state: State, side: Side, class: Class) -> impl IntoView {
    let (least, most, step) = match class {
        Class::Short => (
            "Fewest short tickets",
            "Most short tickets",
            "Step of short tickets",
        ),
        Class::Long => (
            "Fewest long tickets",
            "Most long tickets",
            "Step of long tickets",
        ),
    };
    let of = move |of: fn(&ProbeSettings) -> f64| {
        move |s: &Scenario| probe(s, side, class).map_or(0.0, of)
    };
    let set = move |set: fn(&mut ProbeSettings, f64)| {
        move |s: &mut Scenario, value: f64| {
            if let Some(probe) = probe_mut(s, side, class) {
                set(probe, value);
            }
        }
    };
    view! {
        <Field state label=least min=1.0 max=10_000.0 slider_max=128.0
            of=of(|p| p.least.into()) set=set(|p, v| p.least = v as u32) />
        <Field state label=most min=1.0 max=10_000.0 slider_max=256.0
            of=of(|p| p.most.into()) set=set(|p, v| p.most = v as u32) />
        <Field state label=step unit="of the count" min=0.0 max=1.0 slider_max=1.0 step=0.01
            of=of(|p| p.step) set=set(|p, v| p.step = v) />
    }
}

#[component]
fn NaiveFields(state: State, side: Side) -> impl IntoView {
    view! {
        <Field state label="Time between probes" unit="ms" min=1.0 max=100_000.0 slider_max=1_000.0
            of=naive(side, |n| n.interval_ms) set=set_naive(side, |n, v| n.interval_ms = v) />
        <ProbeFields state side class=Class::Short />
        <ProbeFields state side class=Class::Long />
    }
}

#[component]
fn FixedFields(state: State, side: Side) -> impl IntoView {
    view! {
        <Field state label="Time between probes" unit="ms" min=1.0 max=100_000.0 slider_max=1_000.0
            of=fixed(side, |f| f.interval_ms) set=set_fixed(side, |f, v| f.interval_ms = v) />
        <ProbeFields state side class=Class::Short />
        <Field state label="Lowest demotion threshold" unit="ms" min=0.001 max=1_000_000.0 slider_max=500.0 step=0.001
            of=fixed(side, |f| f.demotion_least_ms) set=set_fixed(side, |f, v| f.demotion_least_ms = v) />
        <Field state label="Highest demotion threshold" unit="ms" min=0.001 max=1_000_000.0 slider_max=1_000.0 step=0.001
            of=fixed(side, |f| f.demotion_most_ms) set=set_fixed(side, |f, v| f.demotion_most_ms = v) />
        <Field state label="Step of the threshold" unit="of it" min=0.0 max=1.0 slider_max=1.0 step=0.01
            of=fixed(side, |f| f.demotion_step) set=set_fixed(side, |f, v| f.demotion_step = v) />
        <Field state label="Raise only after so many looks without a wait" min=1.0 max=10_000.0 slider_max=50.0
            of=fixed(side, |f| f.empty_looks.into()) set=set_fixed(side, |f, v| f.empty_looks = v as u32) />
    }
}

fn pace(scenario: &Scenario, side: Side) -> Option<&PaceSettings> {
    match scenario.admission(side) {
        AdmissionSettings::Off => None,
        AdmissionSettings::Latency(settings) => Some(&settings.pace),
        AdmissionSettings::Distress(settings) => Some(&settings.pace),
    }
}

fn pace_mut(scenario: &mut Scenario, side: Side) -> Option<&mut PaceSettings> {
    match scenario.admission_mut(side) {
        AdmissionSettings::Off => None,
        AdmissionSettings::Latency(settings) => Some(&mut settings.pace),
        AdmissionSettings::Distress(settings) => Some(&mut settings.pace),
    }
}

#[component]
fn PaceFields(state: State, side: Side) -> impl IntoView {
    let of = move |of: fn(&PaceSettings) -> f64| move |s: &Scenario| pace(s, side).map_or(0.0, of);
    let set = move |set: fn(&mut PaceSettings, f64)| {
        move |s: &mut Scenario, value: f64| {
            if let Some(pace) = pace_mut(s, side) {
                set(pace, value);
            }
        }
    };
    let held = state.part(move |s| pace(s, side).is_some_and(|pace| pace.held));
    view! {
        <Field state label="Time between looks" unit="ms" min=1.0 max=100_000.0 slider_max=1_000.0
            of=of(|p| p.interval_ms) set=set(|p, v| p.interval_ms = v) />
        <Field state label="Looks to a move" min=1.0 max=10_000.0 slider_max=50.0
            of=of(|p| p.looks.into()) set=set(|p, v| p.looks = v as u32) />
        <Field state label="Admitted fraction is cut to" unit="of it" min=0.0 max=1.0 slider_max=1.0 step=0.01
            of=of(|p| p.cut) set=set(|p, v| p.cut = v) />
        <Field state label="Admitted fraction is raised by" min=0.0 max=1.0 slider_max=1.0 step=0.01
            of=of(|p| p.raise) set=set(|p, v| p.raise = v) />
        <Toggle
            label="Cut only when the signal held"
            note="The signal must be up at every look of a window, not over the window as a whole."
            value=held
            on_change=move |on: bool| {
                let _ = state.propose(|s| {
                    if let Some(pace) = pace_mut(s, side) {
                        pace.held = on;
                    }
                });
            }
        />
    }
}

#[component]
fn LatencyFields(state: State, side: Side) -> impl IntoView {
    view! {
        <Field state label="Short latency limit" unit="ms" min=0.001 max=1_000_000.0 slider_max=500.0 step=0.001
            of=move |s| match s.admission(side) {
                AdmissionSettings::Latency(settings) => settings.limit_ms,
                _ => 0.0,
            }
            set=move |s, v| {
                if let AdmissionSettings::Latency(settings) = s.admission_mut(side) {
                    settings.limit_ms = v;
                }
            }
        />
        <PaceFields state side />
    }
}

#[component]
fn DistressFields(state: State, side: Side) -> impl IntoView {
    let knobs = state.part(move |s| match s.admission(side) {
        AdmissionSettings::Distress(settings) => settings.knobs,
        _ => DistressKnobs::Either,
    });
    view! {
        <Segmented
            label="“My knobs are exhausted” means"
            options=vec![
                (DistressKnobs::Demotion, "Threshold"),
                (DistressKnobs::Tickets, "Tickets"),
                (DistressKnobs::Either, "Either"),
                (DistressKnobs::Both, "Both"),
            ]
            value=knobs
            on_change=move |to: DistressKnobs| {
                let _ = state.propose(|s| {
                    if let AdmissionSettings::Distress(settings) = s.admission_mut(side) {
                        settings.knobs = to;
                    }
                });
            }
        />
        <p class="note">"The bit is up while short tasks wait and " {move || words::knobs(knobs.get())} "."</p>
        <PaceFields state side />
    }
}
