//! What the engine finds of a scenario: the verdict on its start, the map around it, and where each state of its run leads.
//!
//! The same function works on the page, where it takes no time, and in the worker, where it may.

use crate::worker::{Kind, Request};
use engine::FieldError;
use engine::retrier_server::{
    Change, Config, DEFAULT_CAP, Gate, Judgement, Law, LawOutcome, Phase, Plan, Point, State,
    Verdict, compare_laws, judge, judge_by_runs, judge_range, judge_range_by_runs, phase,
    phase_by_runs,
};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// What the reader sets on the basin page: all that the page shows follows from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scenario {
    /// The run.
    pub plan: Plan,
    /// The last Q0 of the map.
    pub map_to: u64,
}

/// Largest map that can be asked for.
pub const MAX_MAP: u64 = 1_000_000;

/// Most rounds of a run on the page, which plays and draws it in one go. The command line takes more.
pub const MOST_ROUNDS: u64 = 5_000;

/// Parts that a map is worked out in, each a step of its progress.
const PARTS: u64 = 64;

/// Parts that a run's phases are told in: each has the run drawn again.
const TELLINGS: usize = 16;

/// Something found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Finding {
    /// What is proved of the start.
    Judgement(Box<Judgement>),
    /// The next bands of the map.
    Bands(Vec<Band>),
    /// The phases of the run's next states.
    Phases(Vec<Phase>),
    /// How much is done: 0 to 1. At 1 nothing follows.
    Progress(f32),
}

impl Scenario {
    /// Checks every part.
    ///
    /// # Errors
    /// Names the first part out of range, its value and the range.
    pub fn validate(&self) -> Result<(), FieldError> {
        self.plan.validate()?;
        FieldError::check_range("rounds", self.plan.rounds, 1, MOST_ROUNDS)?;
        FieldError::check_range("map", self.map_to, 1, MAX_MAP)
    }

    /// Whether it is studied so fast that the page can do it between two frames.
    ///
    /// These bounds hold all that sliders reach, and a map takes a few dozen deciding runs.
    #[must_use]
    pub fn is_small(&self) -> bool {
        let Plan {
            config,
            q0,
            qd0,
            rounds,
            events,
            ..
        } = &self.plan;
        let change_is_small = |change| match change {
            Change::Shock(size) => size <= 500,
            Change::Budget(budget) => budget.unwrap_or(0) <= 64,
            Change::Gate(gate) => gate == Gate::None,
            _ => true,
        };
        is_quick(config, *q0, *qd0)
            && self.map_to <= 500
            && *rounds <= 500
            && events.len() <= 8
            && events.iter().all(|event| change_is_small(event.change))
    }
}

/// Whether a start is judged so fast that the page can do it between two frames: by deciding runs of some thousand rounds
/// at the most.
#[must_use]
pub fn is_quick(config: &Config, q0: u64, qd0: u64) -> bool {
    let parameters = [config.s, config.amax, config.t, config.budget.unwrap_or(0)];
    config.is_monotone()
        && parameters.into_iter().all(|parameter| parameter <= 64)
        && q0 <= 500
        && qd0 <= 500
}

/// Which retry laws to compare, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LawsQuestion {
    /// The system; the laws take the place of its budget and gate.
    pub config: Config,
    /// The laws.
    pub laws: Vec<Law>,
    /// The start whose way back is priced.
    pub q0: u64,
    /// The largest Q0 to judge.
    pub most_q0: u64,
}

impl LawsQuestion {
    /// What becomes of the system under each law.
    ///
    /// # Errors
    /// Names what is out of range.
    fn compare(&self) -> Result<Vec<LawOutcome>, String> {
        let Self {
            config,
            laws,
            q0,
            most_q0,
        } = self;
        compare_laws(config, laws, *q0, *most_q0, DEFAULT_CAP).map_err(|error| error.to_string())
    }
}

impl Request for LawsQuestion {
    const KIND: Kind = Kind::Laws;
    /// What becomes of the system under each law, or what is out of range.
    type Answer = Result<Vec<LawOutcome>, String>;

    fn answer(self, tell: &dyn Fn(Self::Answer)) {
        tell(self.compare());
    }
}

impl Request for Scenario {
    const KIND: Kind = Kind::Study;
    /// One of many; the last is a progress of 1.
    type Answer = Finding;

    fn answer(self, tell: &dyn Fn(Finding)) {
        study::<ByAnyMeans>(&self, tell);
    }
}

/// How verdicts are found. A program has the code of the ways that it uses.
pub trait Judging {
    /// Judges a start, if that can be done in this way.
    fn judge(config: &Config, start: &State) -> Option<Judgement>;
    /// The verdicts of starts with `qd` duplicates.
    fn range(config: &Config, q0: RangeInclusive<u64>, qd: u64) -> Vec<Verdict>;
    /// What a run is doing at a round start.
    fn phase(config: &Config, state: &State) -> Phase;
}

/// By the two deciding runs, which suffice for a [small](Scenario::is_small) scenario: what a page can do at once.
#[derive(Debug)]
pub struct ByRuns;

/// By deciding runs and exploration: what a worker does.
#[derive(Debug)]
pub struct ByAnyMeans;

impl Judging for ByRuns {
    fn judge(config: &Config, start: &State) -> Option<Judgement> {
        judge_by_runs(config, start)
    }

    fn range(config: &Config, q0: RangeInclusive<u64>, qd: u64) -> Vec<Verdict> {
        judge_range_by_runs(config, q0, qd)
    }

    fn phase(config: &Config, state: &State) -> Phase {
        phase_by_runs(config, state)
    }
}

impl Judging for ByAnyMeans {
    fn judge(config: &Config, start: &State) -> Option<Judgement> {
        Some(judge(config, start, DEFAULT_CAP))
    }

    fn range(config: &Config, q0: RangeInclusive<u64>, qd: u64) -> Vec<Verdict> {
        judge_range(config, q0, qd, DEFAULT_CAP)
    }

    fn phase(config: &Config, state: &State) -> Phase {
        phase(config, state, DEFAULT_CAP)
    }
}

/// Neighbouring starts of one verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Band {
    /// The first of them.
    pub first: u64,
    /// The last of them.
    pub last: u64,
    /// Where they lead.
    pub verdict: Verdict,
}

/// Appends `next` to `bands`, which end where it begins.
pub fn append(bands: &mut Vec<Band>, next: Band) {
    match bands.last_mut() {
        Some(band) if band.verdict == next.verdict => band.last = next.last,
        _ => bands.push(next),
    }
}

/// The bands of the verdicts of `first` and the starts after it.
#[must_use]
pub fn bands(first: u64, verdicts: &[Verdict]) -> Vec<Band> {
    let mut bands = Vec::new();
    for (q0, &verdict) in (first..).zip(verdicts) {
        append(
            &mut bands,
            Band {
                first: q0,
                last: q0,
                verdict,
            },
        );
    }
    bands
}

/// The phase of state `i` of a run, by `phase` for a round start.
pub fn phase_at(points: &[Point], i: usize, phase: impl FnOnce(&Config, &State) -> Phase) -> Phase {
    // A state in mid-round leads where the round's end does, which is the next state.
    let of = match points[i].state.is_round_start() {
        true => &points[i],
        false => &points[i + 1],
    };
    phase(&of.config, &of.state)
}

/// Studies `scenario`, which is in range, and tells each finding as it is made.
pub fn study<J: Judging>(scenario: &Scenario, mut tell: impl FnMut(Finding)) {
    let Scenario { plan, map_to } = scenario;
    let Ok(run) = plan.play() else { return };
    let start = plan.config.start(plan.q0, plan.qd0);
    if let Some(judgement) = J::judge(&plan.config, &start) {
        tell(Finding::Judgement(Box::new(judgement)));
    }

    // A map and a run each count for half of the work; what they really take depends on where they lead.
    let part = (map_to + 1).div_ceil(if scenario.is_small() { 1 } else { PARTS });
    let mut first = 0;
    while first <= *map_to {
        let last = (first + part - 1).min(*map_to);
        let verdicts = J::range(&plan.config, first..=last, plan.qd0);
        tell(Finding::Bands(bands(first, &verdicts)));
        tell(Finding::Progress(
            (last + 1) as f32 / (map_to + 1) as f32 / 2.0,
        ));
        first = last + 1;
    }

    let points = run.points();
    let at_a_time = points.len().div_ceil(TELLINGS).max(256);
    let mut told = 0;
    let mut phases = Vec::with_capacity(at_a_time);
    for i in 0..points.len() {
        phases.push(phase_at(points, i, J::phase));
        if phases.len() == at_a_time {
            told += at_a_time;
            tell(Finding::Phases(std::mem::take(&mut phases)));
            tell(Finding::Progress(
                0.5 + told as f32 / points.len() as f32 / 2.0,
            ));
        }
    }
    tell(Finding::Phases(phases));
    tell(Finding::Progress(1.0));
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn studied(scenario: &Scenario) -> (Vec<Band>, Vec<Phase>, f32) {
        studied_by::<ByAnyMeans>(scenario)
    }

    fn studied_by<J: Judging>(scenario: &Scenario) -> (Vec<Band>, Vec<Phase>, f32) {
        let (mut bands, mut phases, mut done) = (Vec::new(), Vec::new(), 0.0);
        study::<J>(scenario, |finding| match finding {
            Finding::Judgement(_) => {}
            Finding::Bands(next) => next.into_iter().for_each(|band| append(&mut bands, band)),
            Finding::Phases(next) => phases.extend(next),
            Finding::Progress(share) => {
                assert!(share >= done, "progress never goes back");
                done = share;
            }
        });
        (bands, phases, done)
    }

    fn edges(bands: &[Band]) -> Vec<(u64, u64, Verdict)> {
        bands.iter().map(|b| (b.first, b.last, b.verdict)).collect()
    }

    #[test]
    fn the_essays_map_has_four_bands() {
        let plan = Plan::new(Config::default(), 18, 40);
        let (bands, _, done) = studied(&Scenario { plan, map_to: 60 });
        assert_eq!(done, 1.0);
        assert_eq!(
            edges(&bands),
            [
                (0, 7, Verdict::Recovers),
                (8, 9, Verdict::Orbits),
                (10, 20, Verdict::AtRisk),
                (21, 60, Verdict::Doomed),
            ]
        );
    }

    #[test]
    fn a_small_scenario_is_found_out_alike_on_the_page_and_in_the_worker() {
        for (s, budget, q0) in [
            (3, None, 18),
            (3, Some(1), 30),
            (2, None, 9),
            (5, Some(0), 60),
        ] {
            let config = Config {
                s,
                budget,
                ..Config::default()
            };
            let plan = Plan::new(config, q0, 40);
            let scenario = Scenario { plan, map_to: 60 };
            assert!(scenario.is_small());
            let found = studied_by::<ByRuns>(&scenario);
            assert_eq!(found, studied(&scenario));
            assert!(!found.1.contains(&Phase::Unknown) && !found.0.is_empty());
            let start = scenario.plan.config.start(q0, 0);
            assert_eq!(
                ByRuns::judge(&config, &start),
                ByAnyMeans::judge(&config, &start)
            );
        }
    }

    #[test]
    fn a_large_map_worked_out_in_parts_has_the_same_bands() {
        let plan = Plan::new(Config::default(), 18, 40);
        let scenario = Scenario {
            plan,
            map_to: 5_000,
        };
        assert!(!scenario.is_small());
        let (bands, _, _) = studied(&scenario);
        assert_eq!(bands.len(), 4);
        assert_eq!(edges(&bands)[3], (21, 5_000, Verdict::Doomed));
    }

    #[test]
    fn every_state_of_a_run_gets_its_phase() {
        let plan = Plan::new(Config::default(), 18, 1_000);
        let states = plan.play().expect("a good plan").points().len();
        let (_, phases, _) = studied(&Scenario { plan, map_to: 60 });
        assert_eq!(phases.len(), states);
        assert_eq!(phases.last(), Some(&Phase::Trapped));
    }
}
