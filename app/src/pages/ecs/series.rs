//! The runs over time.

use super::state::{RunData, Side, State};
use super::words;
use crate::plots::timeline::{At, Look, Plot, Timeline, Trace, figure, height_of, time_at};
use crate::plots::{Canvas, Colour, Palette};
use crate::share::Rows;
use crate::ui::{Figure, Scrub, Spot, TableData};
use engine::ecs::admission::AdmissionSettings;
use engine::ecs::experiment::CAME_BACK;
use engine::ecs::policy::PolicySettings;
use engine::ecs::{Config, Probe, Sample, SummaryRow};
use engine::rows::{self, Format};
use leptos::prelude::*;
use plotters::style::Color as _;

/// The largest values of both runs, so that both are drawn on the same axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tops {
    short_goodput: f64,
    long_goodput: f64,
    tickets: f64,
    demotion_ms: f64,
    waiting: f64,
    acquisitions: f64,
    cores: f64,
    turned_away: f64,
    latency_ms: f64,
    /// Whether anybody stands in front, or could.
    admission: bool,
}

impl Tops {
    fn of(runs: &[&RunData]) -> Self {
        let most = |of: fn(&Sample) -> f64| {
            let samples = runs.iter().flat_map(|run| &run.samples);
            samples
                .map(of)
                .filter(|v| v.is_finite())
                .fold(0.0, f64::max)
                * 1.08
        };
        Self {
            short_goodput: most(|s| s.short_goodput.max(s.short_arrivals)),
            long_goodput: most(|s| s.long_goodput),
            tickets: most(|s| f64::from(s.short_tickets.max(s.long_tickets))).max(8.0),
            demotion_ms: most(|s| s.demotion_ms),
            waiting: most(|s| {
                s.short_tasks_waiting
                    .max(s.short_wait_set + s.long_wait_set)
            })
            .max(1.0),
            acquisitions: most(|s| s.acquisitions),
            cores: most(|s| s.cpu_work),
            turned_away: most(|s| s.rejected + s.shed),
            latency_ms: most(|s| {
                s.short_latency_true_ms
                    .unwrap_or(0.0)
                    .max(s.short_latency_measured_ms.unwrap_or(0.0))
            }),
            admission: runs.iter().any(|run| {
                run.config.admission != AdmissionSettings::Off
                    || run
                        .samples
                        .iter()
                        .any(|sample| sample.admitted_fraction < 1.0)
            }),
        }
    }
}

fn trace(
    name: &'static str,
    colour: Colour,
    look: Look,
    samples: &[Sample],
    of: impl Fn(&Sample) -> (f64, f64),
) -> Trace {
    let values = samples.iter().map(|sample| {
        let (low, high) = of(sample);
        At {
            t: sample.t,
            low,
            high,
        }
    });
    Trace {
        name,
        colour,
        look,
        values: values.collect(),
    }
}

fn line(
    name: &'static str,
    colour: Colour,
    samples: &[Sample],
    of: impl Fn(&Sample) -> f64,
) -> Trace {
    trace(name, colour, Look::Line, samples, |s| (0.0, of(s)))
}

/// What the script does, for a timeline.
pub fn spans(config: &Config) -> Vec<(std::ops::Range<f64>, String)> {
    let script = config.script.iter();
    script
        .map(|entry| {
            let (from, until) = entry.interval();
            (from..until, words::entry(entry))
        })
        .collect()
}

fn plot(title: &str, top: f64, traces: Vec<Trace>) -> Plot {
    Plot {
        title: title.to_owned(),
        top,
        traces,
        levels: Vec::new(),
        marks: (Vec::new(), Colour::default()),
    }
}

/// What is plotted over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Short requests arriving and answered, a second.
    ShortAnswers,
    /// Long requests answered, a second.
    LongAnswers,
    /// Tickets of both queues.
    Tickets,
    /// Tasks waiting in both queues.
    Waiting,
    /// Ticket acquisitions a second.
    Acquisitions,
    /// CPU work, useful and wasted.
    Work,
    /// The demotion threshold.
    Demotion,
    /// Short latency, measured and true.
    Latency,
    /// Attempts turned away, a second.
    TurnedAway,
    /// The share of attempts that admission control lets in; plotted only where there is such a control.
    Admitted,
}

impl Quantity {
    /// Every quantity, in the order of the page.
    pub const ALL: [Quantity; 10] = [
        Quantity::ShortAnswers,
        Quantity::LongAnswers,
        Quantity::Tickets,
        Quantity::Waiting,
        Quantity::Acquisitions,
        Quantity::Work,
        Quantity::Demotion,
        Quantity::Latency,
        Quantity::TurnedAway,
        Quantity::Admitted,
    ];

    fn is_plotted(self, tops: &Tops) -> bool {
        self != Quantity::Admitted || tops.admission
    }

    fn plot(self, run: &RunData, tops: &Tops, palette: &Palette) -> Plot {
        let samples = &run.samples;
        let (short, long, waste) = (palette.fresh, palette.long, palette.duplicate);
        let latency = |of: fn(&Sample) -> Option<f64>| move |s: &Sample| of(s).unwrap_or(f64::NAN);
        match self {
            Quantity::ShortAnswers => plot(
                "Short answers/s",
                tops.short_goodput,
                vec![
                    trace("arriving", palette.muted, Look::Thin, samples, |s| {
                        (0.0, s.short_arrivals)
                    }),
                    line("answered", short, samples, |s| s.short_goodput),
                ],
            ),
            Quantity::LongAnswers => plot(
                "Long answers/s",
                tops.long_goodput,
                vec![line("answered", long, samples, |s| s.long_goodput)],
            ),
            Quantity::Tickets => {
                let tickets = plot(
                    "Tickets",
                    tops.tickets,
                    vec![
                        line("long", long, samples, |s| f64::from(s.long_tickets)),
                        line("short", short, samples, |s| f64::from(s.short_tickets)),
                    ],
                );
                match &run.config.policy {
                    PolicySettings::Naive(naive) => Plot {
                        title: format!("Tickets, long at most {}", naive.long.most),
                        levels: vec![f64::from(naive.long.most)],
                        ..tickets
                    },
                    _ => tickets,
                }
            }
            Quantity::Waiting => plot(
                "Waiting in the queues",
                tops.waiting,
                vec![
                    line("long", long, samples, |s| s.long_wait_set),
                    line("short", short, samples, |s| s.short_wait_set),
                ],
            ),
            Quantity::Acquisitions => plot(
                "Ticket acquisitions/s",
                tops.acquisitions,
                vec![line("acquired", palette.ink, samples, |s| s.acquisitions)],
            ),
            Quantity::Work => plot(
                "CPU work, in cores",
                tops.cores,
                vec![
                    trace("wasted", waste, Look::Filled, samples, |s| {
                        (s.cpu_work - s.waste, s.cpu_work)
                    }),
                    trace("useful", short, Look::Filled, samples, |s| {
                        (0.0, s.cpu_work - s.waste)
                    }),
                ],
            ),
            Quantity::Demotion => plot(
                "Demotion threshold, ms",
                tops.demotion_ms,
                vec![line("threshold", palette.ink, samples, |s| s.demotion_ms)],
            ),
            Quantity::Latency => plot(
                "Short latency p95, ms",
                tops.latency_ms,
                vec![
                    line(
                        "measured",
                        palette.accent,
                        samples,
                        latency(|s| s.short_latency_measured_ms),
                    ),
                    line("true", waste, samples, latency(|s| s.short_latency_true_ms)),
                ],
            ),
            Quantity::TurnedAway => plot(
                "Turned away/s",
                tops.turned_away,
                vec![
                    line("shed", long, samples, |s| s.shed),
                    line("rejected", waste, samples, |s| s.rejected),
                ],
            ),
            Quantity::Admitted => plot(
                "Admitted, % of attempts",
                105.0,
                vec![line("admitted", palette.accent, samples, |s| {
                    100.0 * s.admitted_fraction
                })],
            ),
        }
    }
}

/// The time series of one run.
fn series(run: &RunData, tops: &Tops, palette: &Palette, shown: &[Quantity]) -> Timeline {
    let shown = shown.iter().filter(|quantity| quantity.is_plotted(tops));
    Timeline {
        end: run.config.duration_s,
        unit: "seconds",
        plots: shown
            .map(|quantity| quantity.plot(run, tops, palette))
            .collect(),
        spans: spans(&run.config),
    }
}

/// The two potential functions of one run, from the looks of its policy.
fn potentials(run: &RunData, palette: &Palette, tops: (f64, f64)) -> Timeline {
    let line = |name, colour, look, of: fn(&Probe) -> f64| Trace {
        name,
        colour,
        look,
        values: run
            .probes
            .iter()
            .map(|probe| At {
                t: probe.t,
                low: 0.0,
                high: of(probe),
            })
            .collect(),
    };
    let marks = |of: fn(&Probe) -> bool| {
        let pairs = run.probes.windows(2).filter(|pair| of(&pair[1]));
        pairs.map(|pair| pair[0].t..pair[1].t).collect::<Vec<_>>()
    };
    let everywhere = trace("waiting", palette.fresh, Look::Line, &run.samples, |s| {
        (0.0, s.short_tasks_waiting)
    });
    Timeline {
        end: run.config.duration_s,
        unit: "seconds",
        plots: vec![
            plot("Valid: short tasks waiting", tops.0, vec![everywhere]),
            Plot {
                marks: (marks(|p| p.long_raised_short), palette.long.mix(0.6)),
                ..plot(
                    "Seen: in the short queue",
                    tops.0,
                    vec![line("waiting", palette.fresh, Look::Line, |p| {
                        p.short_wait_set
                    })],
                )
            },
            Plot {
                marks: (marks(|p| p.short_raised_long), palette.fresh.mix(0.6)),
                ..plot(
                    "Seen: in the long queue",
                    tops.0,
                    vec![line("waiting", palette.long, Look::Line, |p| {
                        p.long_wait_set
                    })],
                )
            },
            plot(
                "Invalid: acquisitions/s",
                tops.1,
                vec![
                    line("long", palette.long, Look::Line, |p| p.long_acquisitions),
                    line("short", palette.fresh, Look::Line, |p| p.short_acquisitions),
                ],
            ),
        ],
        spans: spans(&run.config),
    }
}

/// Draws a timeline of one side, with its playhead, to be pressed and dragged.
#[component]
fn TimelineCanvas(
    state: State,
    side: Side,
    /// How many plots it has.
    #[prop(into)]
    plots: Signal<usize>,
    /// Makes the timeline of this side.
    timeline: impl Fn(&Palette) -> Timeline + Clone + Send + 'static,
) -> impl IntoView {
    let height = Signal::derive(move || height_of(plots.get()));
    let moving = timeline.clone();
    let draw = move |area: &_, palette: &_| {
        let _ = timeline(palette).draw(area, palette);
    };
    let draw_playhead = move |area: &_, palette: &_| {
        let _ = moving(palette).draw_playhead(area, palette, state.now());
    };
    let scrub = move |spot: Spot| {
        let end = state
            .lane(side)
            .run
            .with_untracked(|run| run.config.duration_s);
        state.go_to(time_at(spot.x, spot.width, end));
    };
    view! {
        <Scrub class="series" on_scrub=scrub>
            <Canvas height=height draw=draw />
            <Canvas over=true height=height draw=draw_playhead />
        </Scrub>
    }
}

/// Both runs, or the one.
fn both<T>(state: State, with: impl FnOnce(&[&RunData]) -> T) -> T {
    state.lane(Side::A).run.with(|a| {
        state.lane(Side::B).run.with(|b| {
            if b.frames.is_empty() {
                with(&[a])
            } else {
                with(&[a, b])
            }
        })
    })
}

/// The axes of the time series, the same for both sides.
fn tops(state: State) -> Memo<Tops> {
    Memo::new(move |_| both(state, Tops::of))
}

/// The time series of one side.
#[component]
pub fn Series(
    state: State,
    side: Side,
    /// What is plotted.
    #[prop(default = &Quantity::ALL)]
    shown: &'static [Quantity],
    /// Its title, where the side's letter does not tell enough.
    #[prop(optional, into)]
    title: Option<String>,
) -> impl IntoView {
    let run = state.lane(side).run;
    let tops = tops(state);
    let plots = Signal::derive(move || {
        let tops = tops.get();
        shown.iter().filter(|q| q.is_plotted(&tops)).count()
    });
    let timeline =
        move |palette: &Palette| run.with(|run| series(run, &tops.get(), palette, shown));
    let summary = Signal::derive(move || run.with(describe));
    let table = Callback::new(move |()| table(state, side));
    let caption = Signal::derive(move || {
        let axes = match state.runs(Side::B).get() {
            true => " Both systems have the same axes.",
            false => "",
        };
        format!(
            "Press or drag to move through the run. Shaded: what happens to the system. Figures are those of the sample that ends at the line; the diagram shows the instant.{axes}"
        )
    });
    view! {
        <Figure
            title=title.unwrap_or_else(|| format!("{}: over time", side.letter()))
            file="series"
            parameters=words::parameters(state, side)
            rows=Callback::new(move |format| Rows::Written(run.with(|run| run_rows(run, format))))
            caption=caption
            summary=summary
            table=table
        >
            <TimelineCanvas state side plots timeline />
        </Figure>
    }
}

/// The potential functions of one side.
#[component]
pub fn Potentials(state: State, side: Side) -> impl IntoView {
    let run = state.lane(side).run;
    let tops = Memo::new(move |_| {
        both(state, |runs| {
            let most = |of: fn(&Probe) -> f64| {
                let probes = runs.iter().flat_map(|run| &run.probes);
                probes.map(of).fold(1.0, f64::max) * 1.08
            };
            (
                most(|p| p.short_wait_set.max(p.long_wait_set)).max(Tops::of(runs).waiting),
                most(|p| p.short_acquisitions.max(p.long_acquisitions)),
            )
        })
    });
    let timeline = move |palette: &Palette| run.with(|run| potentials(run, palette, tops.get()));
    let counted = Signal::derive(move || {
        run.with(|run| {
            let count = |of: fn(&Probe) -> bool| run.probes.iter().filter(|p| of(p)).count();
            let suffering = run.samples.iter().filter(|s| {
                s.t > 5.0 && s.short_goodput < CAME_BACK * s.short_arrivals
            });
            let (seconds, unseen) = suffering.fold((0, 0), |(seconds, unseen), sample| {
                (seconds + 1, unseen + u32::from(sample.short_wait_set < 1.0))
            });
            let suffered = if seconds == 0 {
                "Short requests never suffered.".to_owned()
            } else {
                format!(
                    "Short requests suffered in {seconds} samples; in {unseen} of them fewer than one task waited in the short queue, since those that suffer are demoted and wait in the long one."
                )
            };
            format!(
                "In {} of {} intervals more long tickets went with more waiting in the short queue; in {}, more short tickets with more in the long queue. {suffered}",
                count(|p| p.long_raised_short),
                run.probes.len(),
                count(|p| p.short_raised_long),
            )
        })
    });
    view! {
        <Figure
            title=format!("{}: the two potential functions", side.letter())
            file="potentials"
            parameters=words::parameters(state, side)
            rows=Callback::new(move |format| Rows::Written(run.with(|run| rows::text(format, &run.probes))))
            summary=counted
        >
            <TimelineCanvas state side plots=4_usize timeline />
            <p class="read-out" data-potentials=side.letter()>{counted}</p>
        </Figure>
    }
}

/// A run as `basin ecs run` prints it.
fn run_rows(run: &RunData, format: Format) -> String {
    let mut text = rows::text(format, &run.samples);
    if format == Format::Json {
        let summary = SummaryRow {
            summary: &run.summary,
        };
        text += &rows::text(format, [summary]);
    }
    text
}

/// A run in words: what short and long goodput did, and what the controllers came to.
fn describe(run: &RunData) -> String {
    let summary = &run.summary;
    let rate = |goodput: Option<f64>| goodput.map_or_else(|| "–".to_owned(), figure);
    let most = |of: fn(&Sample) -> f64| run.samples.iter().map(of).fold(0.0, f64::max);
    let least_admitted = run
        .samples
        .iter()
        .map(|s| s.admitted_fraction)
        .fold(1.0, f64::min);
    format!(
        "Short answers a second before the script {}, during it {}, in the last 20 seconds {}. Long: {}, {}, {}. Most long tickets {}. Most acquisitions a second {}. Most CPU work wasted: {} cores. Least admitted: {}%.",
        rate(summary.short_goodput_before),
        rate(summary.short_goodput_during),
        rate(summary.short_goodput_after),
        rate(summary.long_goodput_before),
        rate(summary.long_goodput_during),
        rate(summary.long_goodput_after),
        summary.long_tickets_max,
        figure(most(|s| s.acquisitions)),
        figure(most(|s| s.waste)),
        figure(100.0 * least_admitted),
    )
}

/// The samples around the playhead.
fn table(state: State, side: Side) -> TableData {
    const REACH: usize = 30;
    let t = state.now();
    let rows = state.lane(side).run.with(|run| {
        let at = run.samples.partition_point(|sample| sample.t < t);
        let from = at.saturating_sub(REACH);
        let to = (at + REACH).min(run.samples.len());
        (from..to)
            .map(|i| (row(&run.samples[i]), i == at))
            .collect::<Vec<_>>()
    });
    let heads = [
        "Second",
        "Short answers/s",
        "Long answers/s",
        "In the short queue",
        "In the long queue",
        "Short tasks waiting",
        "Short tickets",
        "Long tickets",
        "Demotion, ms",
        "Acquisitions/s",
        "CPU work, cores",
        "Waste, cores",
        "Admitted",
        "Shed/s",
        "Rejected/s",
        "Timeouts/s",
        "Retries/s",
        "Measured p95, ms",
        "True p95, ms",
    ]
    .map(str::to_owned)
    .to_vec();
    TableData {
        label: format!("Samples of {} around the playhead", side.letter()),
        heads,
        rows,
    }
}

fn row(sample: &Sample) -> Vec<String> {
    let latency = |ms: Option<f64>| ms.map_or_else(|| "–".to_owned(), figure);
    vec![
        figure(sample.t),
        figure(sample.short_goodput),
        figure(sample.long_goodput),
        sample.short_waiting.to_string(),
        sample.long_waiting.to_string(),
        figure(sample.short_tasks_waiting),
        sample.short_tickets.to_string(),
        sample.long_tickets.to_string(),
        figure(sample.demotion_ms),
        figure(sample.acquisitions),
        figure(sample.cpu_work),
        figure(sample.waste),
        format!("{}%", figure(100.0 * sample.admitted_fraction)),
        figure(sample.shed),
        figure(sample.rejected),
        figure(sample.timeouts),
        figure(sample.retries),
        latency(sample.short_latency_measured_ms),
        latency(sample.short_latency_true_ms),
    ]
}
