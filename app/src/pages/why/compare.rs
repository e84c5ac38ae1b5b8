//! Two configurations side by side, on the same arrivals and the same axes.

use super::study::{Study, judge_here};
use super::{meaning, swatch};
use crate::parameters::Parameters;
use crate::plots::Canvas;
use crate::plots::queues::{Queues, Sample};
use crate::share::Rows;
use crate::ui::{Figure, Segmented, Table};
use engine::retrier_server::{Arrivals, Config, Ledger, Plan, Run, Service, Step, Verdict};
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

/// One side: its run and what is known of it.
#[derive(Clone, PartialEq)]
struct Half {
    name: String,
    verdict: Verdict,
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
        let start = config.start(plan.q0, plan.qd0);
        Self {
            name: fix.name(budget),
            verdict: judge_here(&config, &start).verdict,
            run: Arc::new(plan.play().expect("a plan in range, with another law")),
            plan,
            config,
        }
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
    let side = move |of: fn(&(Half, Half)) -> &Half| {
        let title = Signal::derive(move || halves.with(|h| format!("With {}", of(h).name)));
        let said = Signal::derive(move || {
            halves.with(|h| {
                let half = of(h);
                let last = half.run.points().last().map_or(0, |p| p.state.backlog());
                format!(
                    "Backlog at most {}, {last} at the end. Verdict: {}, {}.",
                    half.peak(),
                    half.verdict.name(),
                    meaning(half.verdict)
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
                        let (class, letter) = halves.with(|h| swatch(of(h).verdict));
                        view! { <span class=class aria-hidden="true">{letter}</span> }
                    }}
                    <span>{said}</span>
                </p>
            </Figure>
        }
    };
    let differences = move || {
        halves.with(|(a, b)| {
            let number = |of: &dyn Fn(&Half) -> String| vec![of(a), of(b)];
            let row = |name: &str, of: &dyn Fn(&Half) -> String| {
                let mut cells = vec![name.to_owned()];
                let values = number(of);
                let differ = values[0] != values[1];
                cells.extend(values);
                cells.push(if differ { "differs" } else { "the same" }.to_owned());
                (cells, false)
            };
            let violations = |h: &Half| Ledger::of(&h.run).violations().count().to_string();
            vec![
                row("Verdict on the start", &|h| h.verdict.name().to_owned()),
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
        <section class="flow" aria-labelledby="compare-title">
            <h2 id="compare-title">"Two laws, the same arrivals"</h2>
            <p>
                "Both sides start from the same state and meet the same arrivals, round by round; only the fix "
                "differs. The budget is the B that is set among the fixes."
            </p>
            <div class="row">
                <Segmented label="Left" options=Fix::ALL.to_vec() value=left on_change=move |fix| left.set(fix) />
                <Segmented label="Right" options=Fix::ALL.to_vec() value=right on_change=move |fix| right.set(fix) />
            </div>
            <div class="halves">{side(|h| &h.0)} {side(|h| &h.1)}</div>
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
        assert_eq!(a.verdict, Verdict::AtRisk);
        assert_eq!(b.verdict, Verdict::Recovers);
    }
}
