//! The breaker and the token bucket as retry laws, beside none and a budget.

use crate::sight::Sight;
use crate::study::LawsQuestion;
use crate::ui::{Broken, Number, Table};
use crate::worker::{Event, Worker};
use engine::retrier_server::{Breaker, Config, Gate, Law, LawOutcome, Rescue, TokenBucket};
use gloo_timers::callback::Timeout;
use leptos::html;
use leptos::prelude::*;

/// The largest Q0 that is judged.
const MOST_Q0: u64 = 60;

/// Milliseconds without a change after which the worker begins.
const SETTLED: u32 = 150;

/// What the reader sets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The start.
    pub q0: u64,
    /// The budget.
    pub budget: u64,
    /// The token bucket.
    pub bucket: TokenBucket,
    /// The breaker.
    pub breaker: Breaker,
}

impl Settings {
    /// The largest start.
    pub const MOST_Q0: u64 = 200;

    /// The largest budget.
    pub const MOST_BUDGET: u64 = 1_000;

    /// Most tokens of the bucket, and most acks that earn one.
    pub const MOST_TOKENS: u16 = 200;

    /// Most failures that open the breaker.
    pub const MOST_FAILURES: u16 = 20;

    /// Most rounds that it is open.
    pub const MOST_OPEN: u16 = 40;

    /// The laws that are usually compared, in the document's system.
    pub fn first() -> Self {
        let mut settings = Self {
            q0: 18,
            budget: 0,
            bucket: TokenBucket {
                capacity: 0,
                acks_per_token: 1,
            },
            breaker: Breaker {
                max_failures: 1,
                max_open_ticks: 1,
            },
        };
        for law in Law::usual(&Config::default()) {
            match law {
                Law::Budget(b) => settings.budget = b,
                Law::Gate(Gate::TokenBucket(bucket)) => settings.bucket = bucket,
                Law::Gate(Gate::Breaker(breaker)) => settings.breaker = breaker,
                Law::None | Law::Gate(Gate::None) => {}
            }
        }
        settings
    }

    fn question(self) -> LawsQuestion {
        LawsQuestion {
            config: Config::default(),
            laws: vec![
                Law::None,
                Law::Budget(self.budget),
                Law::Gate(Gate::TokenBucket(self.bucket)),
                Law::Gate(Gate::Breaker(self.breaker)),
            ],
            q0: self.q0,
            most_q0: MOST_Q0,
        }
    }
}

/// How far the comparison is.
#[derive(Clone, Debug, PartialEq)]
enum Answer {
    Pending,
    Known(Vec<LawOutcome>),
    /// Out of range; the engine's words.
    Refused(String),
    /// The worker broke; the text says why.
    Failed(String),
}

/// The comparison.
#[component]
pub fn Laws(
    /// What the reader sets.
    settings: RwSignal<Settings>,
) -> impl IntoView {
    let answer = RwSignal::new(Answer::Pending);
    let worker = StoredValue::new_local(None::<Worker<LawsQuestion>>);
    let wait = StoredValue::new_local(None::<Timeout>);
    let itself = NodeRef::<html::Section>::new();
    let again = RwSignal::new(());
    Sight::of(itself).effect(move || {
        again.track();
        let question = settings.get().question();
        answer.set(Answer::Pending);
        // What an earlier worker is at is no longer wanted.
        worker.set_value(None);
        wait.set_value(Some(Timeout::new(SETTLED, move || {
            let asked = Worker::new(move |event| {
                answer.set(match event {
                    Event::Answer(Ok(outcomes)) => Answer::Known(outcomes),
                    Event::Answer(Err(why)) => Answer::Refused(why),
                    Event::Failed(why) => Answer::Failed(why),
                });
            });
            match asked.request(&question) {
                Ok(()) => worker.set_value(Some(asked)),
                Err(why) => answer.set(Answer::Failed(why)),
            }
        })));
    });
    let set = move |change: fn(&mut Settings, f64)| {
        move |v: f64| {
            settings.update(|s| change(s, v));
            Ok(())
        }
    };
    let part = move |of: fn(&Settings) -> f64| Signal::derive(move || settings.with(of));
    let tokens = f64::from(Settings::MOST_TOKENS);
    view! {
        <section class="laws flow" node_ref=itself aria-labelledby="laws-title">
            <h2 id="laws-title">"The breaker as a retry law"</h2>
            <p>
                "A storm of retries is a failing call too. Put a breaker, a token bucket or a budget between the retrier and the "
                "server of "
                <a href="#/basin">"the storm"</a>
                " (S = 3, AMax = 2, T = 2), and every arrival choice is explored again: how far does each keep the system "
                "recovering, does it empty the trap, and what does that cost in retries held back?"
            </p>
            <div class="law-fields">
                <Number symbol="Q0" label="start" min=0.0 max=Settings::MOST_Q0 as f64 slider_max=60.0
                    value=part(|s| s.q0 as f64) on_change=set(|s, v| s.q0 = v as u64) />
                <Number symbol="B" label="budget: retries a round" min=0.0 max=Settings::MOST_BUDGET as f64 slider_max=6.0
                    value=part(|s| s.budget as f64) on_change=set(|s, v| s.budget = v as u64) />
                <Number symbol="K" label="bucket: tokens" min=0.0 max=tokens slider_max=30.0
                    value=part(|s| s.bucket.capacity.into()) on_change=set(|s, v| s.bucket.capacity = v as u16) />
                <Number symbol="m" label="bucket: acks a token" min=1.0 max=tokens slider_max=20.0
                    value=part(|s| s.bucket.acks_per_token.into()) on_change=set(|s, v| s.bucket.acks_per_token = v as u16) />
                <Number symbol="F" label="breaker: failures that open it" min=1.0 max=f64::from(Settings::MOST_FAILURES)
                    value=part(|s| s.breaker.max_failures.into()) on_change=set(|s, v| s.breaker.max_failures = v as u16) />
                <Number symbol="D" label="breaker: rounds open" unit="rounds" min=1.0 max=f64::from(Settings::MOST_OPEN)
                    value=part(|s| s.breaker.max_open_ticks.into()) on_change=set(|s, v| s.breaker.max_open_ticks = v as u16) />
            </div>
            <div class="law-answer" aria-live="polite">
                {move || match answer.get() {
                    Answer::Pending => view! { <p class="note">"Exploring…"</p> }.into_any(),
                    Answer::Refused(why) => {
                        view! { <p class="field-error" role="alert">{why}</p> }.into_any()
                    }
                    Answer::Failed(why) => {
                        view! { <Broken why again=move || again.notify() /> }.into_any()
                    }
                    Answer::Known(outcomes) => view! { <Outcomes outcomes /> }.into_any(),
                }}
            </div>
            <p class="note">
                "A retry held back counts one for each round in which it is due and not sent. Rounds and prices are those of the "
                "run at most arrivals; verdicts are over all arrivals. The trap’s corner is the round start inside the trap with the "
                "least of both queues. To see a law at work, switch it on among the fixes of "
                <a href="#/basin">"the storm"</a>
                "."
            </p>
        </section>
    }
}

#[component]
fn Outcomes(outcomes: Vec<LawOutcome>) -> impl IntoView {
    let Some(first) = outcomes.first() else {
        return ().into_any();
    };
    let corner = first.from_trap.start;
    let heads = vec![
        "Law".to_owned(),
        "Recovers from".to_owned(),
        format!("From Q0 = {}", first.from_start.start.qf),
        format!("From the trap’s corner ({}, {})", corner.qf, corner.qd),
    ];
    let rows = outcomes.iter().map(|outcome| {
        let cells = vec![
            law(outcome.law),
            reach(outcome),
            rescue(&outcome.from_start),
            rescue(&outcome.from_trap),
        ];
        (cells, false)
    });
    view! { <Table label="Retry laws compared" heads=heads rows=rows.collect() /> }.into_any()
}

fn law(law: Law) -> String {
    match law {
        Law::None | Law::Gate(Gate::None) => "None: every retry that is due goes out".into(),
        Law::Budget(b) => format!("Budget of {b} a round"),
        Law::Gate(Gate::TokenBucket(bucket)) => format!(
            "Token bucket of {}, one back every {} acks",
            bucket.capacity, bucket.acks_per_token
        ),
        Law::Gate(Gate::Breaker(breaker)) => format!(
            "Breaker: {} failures open it for {} rounds",
            breaker.max_failures, breaker.max_open_ticks
        ),
    }
}

fn reach(outcome: &LawOutcome) -> String {
    match (outcome.recovers_to, outcome.then) {
        (Some(to), Some(then)) => format!("Q0 = 0 to {to}; then {then}"),
        (Some(to), None) => format!("every Q0 up to {to}, all that were tried"),
        (None, Some(then)) => format!("no Q0: {then} from 0 on"),
        (None, None) => "none were tried".into(),
    }
}

fn rescue(rescue: &Rescue) -> String {
    match rescue.price {
        Some(price) => format!(
            "{}: {} rounds to healthy, {} retries sent, {} held back, at most {} in a round",
            rescue.verdict, price.rounds, price.sent, price.held_back, price.most_held_back
        ),
        None => format!(
            "{}: the run at most arrivals never gets healthy",
            rescue.verdict
        ),
    }
}
