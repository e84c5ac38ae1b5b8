//! Two configurations side by side, on the same arrivals and the same axes.

use super::judged::{Judged, Start};
use super::study::Study;
use super::{NOT_JUDGED, meaning, swatch};
use crate::parameters::Parameters;
use crate::plots::Canvas;
use crate::plots::queues::{Queues, Sample};
use crate::share::Rows;
use crate::sight::Sight;
use crate::ui::{Figure, Segmented, Table};
use engine::retrier_server::{Arrivals, Config, Ledger, Plan, Run, Service, Step, Verdict};
use leptos::html;
use leptos::prelude::*;
use std::sync::Arc;

/// Pixels high.
const HEIGHT: f64 = 280.0;

/// A fix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fix {
    /// None.
    None,
    /// A retry budget.
    Budget,
    /// Fresh work before duplicates.
    FreshFirst,
    /// A budget and fresh work first.
    Both,
}

impl Fix {
    /// Every fix and its word.
    pub const ALL: [(Fix, &'static str); 4] = [
        (Fix::None, "None"),
        (Fix::Budget, "Budget"),
        (Fix::FreshFirst, "Fresh first"),
        (Fix::Both, "Both"),
    ];

    fn name(self, budget: u64) -> String {
        match self {
            Fix::None => "no fix".to_owned(),
            Fix::Budget => format!("budget B = {budget}"),
            Fix::FreshFirst => "fresh first".to_owned(),
            Fix::Both => format!("budget B = {budget} and fresh first"),
        }
    }

    fn apply(self, mut config: Config, budget: u64) -> Config {
        config.budget = matches!(self, Fix::Budget | Fix::Both).then_some(budget);
        config.service = match self {
            Fix::FreshFirst | Fix::Both => Service::FreshFirst,
            Fix::None | Fix::Budget => Service::Proportional,
        };
        config
    }
}

/// One side: its run.
#[derive(Clone, PartialEq)]
struct Half {
    name: String,
    plan: Plan,
    run: Arc<Run>,
    config: Config,
}

impl Half {
    fn new(plan: &Plan, fix: Fix, budget: u64, arrivals: &Arrivals) -> Self {
        let config = fix.apply(plan.config, budget);
        let plan = Plan {
            config,
            arrivals: arrivals.clone(),
            events: Vec::new(),
            ..plan.clone()
        };
        Self {
            name: fix.name(budget),
            run: Arc::new(plan.play().expect("a plan in range, with another law")),
            plan,
            config,
        }
    }

    fn start(&self) -> Start {
        let Self { plan, config, .. } = self;
        (*config, config.start(plan.q0, plan.qd0))
    }

    fn samples(&self) -> Vec<Sample> {
        let points = self.run.points().iter().enumerate();
        points
            .map(|(i, point)| Sample {
                round: i as f64 / 2.0,
                qf: point.state.qf as f64,
                qd: point.state.qd as f64,
            })
            .collect()
    }

    fn peak(&self) -> u64 {
        let backlogs = self.run.points().iter().map(|p| p.state.backlog());
        backlogs.max().unwrap_or(0)
    }

    fn served(&self) -> (u64, u64) {
        self.run
            .points()
            .iter()
            .fold((0, 0), |(fresh, waste), point| match point.step {
                Step::Server {
                    fresh: f,
                    duplicates: d,
                } => (fresh + f, waste + d),
                _ => (fresh, waste),
            })
    }

    /// The first round from which every state of the run is `Good`.
    fn good_from(&self) -> Option<u64> {
        let points = self.run.points();
        let last_bad = points.iter().rposition(|p| !self.config.is_good(&p.state));
        match last_bad {
            None => Some(0),
            Some(i) if i + 1 < points.len() => Some(points[i + 1].round),
            Some(_) => None,
        }
    }
}

/// What arrives in both, as a list, so that both meet the very same.
fn arrivals_of(run: &Run) -> Arrivals {
    let steps = run.points().iter().filter_map(|p| match p.step {
        Step::Retrier { arrivals, .. } => Some(arrivals),
        _ => None,
    });
    Arrivals::List(steps.collect())
}

/// A row of the table of what differs: its name, the two values, and whether they do.
fn row_of(name: &str, [left, right]: [String; 2]) -> (Vec<String>, bool) {
    let differ = if left == right { "the same" } else { "differs" };
    let cells = vec![name.to_owned(), left, right, differ.to_owned()];
    (cells, false)
}

/// The two runs and their differences.
#[component]
pub fn Compare(study: Study) -> impl IntoView {
    let (left, right) = study.fixes;
    let halves = Memo::new(move |_| {
        let plan = study.plan.get();
        let arrivals = study.run.with(|run| arrivals_of(run));
        let plan = Plan {
            rounds: match &arrivals {
                Arrivals::List(list) => list.len() as u64,
                _ => plan.rounds,
            },
            ..plan
        };
        let budget = study.kept_budget.get();
        let half = |fix| Half::new(&plan, fix, budget, &arrivals);
        (half(left.get()), half(right.get()))
    });
    let itself = NodeRef::<html::Section>::new();
    let sight = Sight::of(itself);
    let judged = |of: fn(&(Half, Half)) -> &Half| {
        let start = Memo::new(move |_| halves.with(|halves| of(halves).start()));
        Judged::new(start.into(), sight)
    };
    let judged = (judged(|h| &h.0), judged(|h| &h.1));
    let top = move || halves.with(|(a, b)| a.peak().max(b.peak()).max(6)) as f64 * 1.08;
    let draw = move |of: fn(&(Half, Half)) -> &Half| {
        move |area: &_, palette: &_| {
            halves.with(|halves| {
                let half = of(halves);
                let good = half.config.s + half.config.amax;
                let samples = half.samples();
                let plot = Queues {
                    title: "Backlog: fresh, and duplicates on top",
                    samples: &samples,
                    rounds: halves.0.run.rounds().max(1) as f64,
                    top: top(),
                    level: Some((good as f64, format!("Good: backlog ≤ {good}"))),
                    part: None,
                    mark: None,
                };
                let _ = plot.draw(area, palette);
            });
        }
    };
    let side = move |of: fn(&(Half, Half)) -> &Half, judged: Judged| {
        let title = Signal::derive(move || halves.with(|h| format!("With {}", of(h).name)));
        let said = Signal::derive(move || {
            halves.with(|h| {
                let half = of(h);
                let last = half.run.points().last().map_or(0, |p| p.state.backlog());
                let verdict = match judged.verdict.get() {
                    Some(verdict) => format!("{}, {}", verdict.name(), meaning(verdict)),
                    None => NOT_JUDGED.to_owned(),
                };
                format!(
                    "Backlog at most {}, {last} at the end. Verdict: {verdict}.",
                    half.peak()
                )
            })
        });
        let parameters = Signal::derive(move || {
            let name = halves.with(|h| of(h).name.clone());
            let plan = study.plan.with(|plan| Plan {
                config: Config {
                    budget: None,
                    service: Service::Proportional,
                    ..plan.config
                },
                ..plan.clone()
            });
            Parameters::from(&plan).and(&name, &name)
        });
        let rows = Callback::new(move |_| Rows::Run(halves.with(|h| of(h).plan.clone())));
        view! {
            <Figure title=title file="compare" parameters=parameters rows=rows summary=said>
                <Canvas height=HEIGHT draw=draw(of) />
                <p class="said">
                    {move || {
                        let (class, letter) = swatch(judged.verdict.get().unwrap_or(Verdict::Unknown));
                        view! { <span class=class aria-hidden="true">{letter}</span> }
                    }}
                    <span>{said}</span>
                </p>
                {judged.line()}
            </Figure>
        }
    };
    let differences = move || {
        halves.with(|(a, b)| {
            let row = |name: &str, of: &dyn Fn(&Half) -> String| row_of(name, [of(a), of(b)]);
            let violations = |h: &Half| Ledger::of(&h.run).violations().count().to_string();
            let name = |judged: Judged| {
                let verdict = judged.verdict.get();
                verdict.map_or(NOT_JUDGED, Verdict::name).to_owned()
            };
            vec![
                row_of("Verdict on the start", [name(judged.0), name(judged.1)]),
                row("Retry budget", &|h| {
                    h.config.budget.map_or("none".to_owned(), |b| b.to_string())
                }),
                row("Server’s split", &|h| match h.config.service {
                    Service::Proportional => "proportional".to_owned(),
                    Service::FreshFirst => "fresh first".to_owned(),
                }),
                row("Largest backlog", &|h| h.peak().to_string()),
                row("Backlog at the end", &|h| {
                    let last = h.run.points().last();
                    last.map_or(0, |p| p.state.backlog()).to_string()
                }),
                row("Good from round", &|h| {
                    h.good_from()
                        .map_or("not in this run".to_owned(), |r| r.to_string())
                }),
                row("Requests answered", &|h| h.served().0.to_string()),
                row("Work wasted on duplicates", &|h| h.served().1.to_string()),
                row("Promises broken", &violations),
            ]
        })
    };
    view! {
        <section class="flow" node_ref=itself aria-labelledby="compare-title">
            <h2 id="compare-title">"Two laws, the same arrivals"</h2>
            <p>
                "Both sides start from the same state and meet the same arrivals, round by round; only the fix "
                "differs. The budget is the B that is set among the fixes."
            </p>
            <div class="row">
                <Segmented label="Left" options=Fix::ALL.to_vec() value=left on_change=move |fix| left.set(fix) />
                <Segmented label="Right" options=Fix::ALL.to_vec() value=right on_change=move |fix| right.set(fix) />
            </div>
            <div class="halves">{side(|h| &h.0, judged.0)} {side(|h| &h.1, judged.1)}</div>
            <h3>"What differs"</h3>
            {move || {
                let (left, right) = halves.with(|(a, b)| (a.name.clone(), b.name.clone()));
                let heads = vec![String::new(), left, right, String::new()];
                view! { <Table label="What differs between the two" heads rows=differences() /> }
            }}
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::{ByRuns, Judging};
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn both_sides_meet_the_same_arrivals() {
        let plan = Plan {
            arrivals: Arrivals::Random(7),
            ..Plan::new(Config::default(), 18, 30)
        };
        let arrivals = arrivals_of(&plan.play().expect("a plan"));
        let (a, b) = (
            Half::new(&plan, Fix::None, 0, &arrivals),
            Half::new(&plan, Fix::FreshFirst, 0, &arrivals),
        );
        assert_eq!(arrivals_of(&a.run), arrivals);
        assert_eq!(arrivals_of(&b.run), arrivals);
        let verdict = |half: &Half| {
            let (config, start) = half.start();
            ByRuns::judge(&config, &start).map(|judgement| judgement.verdict)
        };
        assert_eq!(verdict(&a), Some(Verdict::AtRisk));
        assert_eq!(verdict(&b), Some(Verdict::Recovers));
    }
}
