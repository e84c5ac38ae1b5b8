//! Verdicts: where a start leads, and what proves it.

use super::config::Config;
use super::decide::{DecidingRun, End, deciding_run, quick_end};
use super::explored::{Exploration, explore_from};
use super::state::State;
use super::trap::{Closure, Region};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Where a start leads, over all arrival choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Stabilization holds: every run ends in `Good` for ever.
    Recovers,
    /// Stabilization fails, but no run grows without bound: the system neither drains nor explodes.
    Orbits,
    /// The trap, or an unbounded climb, is reachable; some continuation still recovers.
    AtRisk,
    /// No continuation recovers.
    Doomed,
    /// None of these was proved within the bounds.
    Unknown,
}

impl Verdict {
    /// Every verdict, from best to worst, then unknown.
    pub const ALL: [Verdict; 5] = [
        Verdict::Recovers,
        Verdict::Orbits,
        Verdict::AtRisk,
        Verdict::Doomed,
        Verdict::Unknown,
    ];

    /// What it is called on the page and in words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Recovers => "recovers",
            Verdict::Orbits => "orbits",
            Verdict::AtRisk => "at risk",
            Verdict::Doomed => "doomed",
            Verdict::Unknown => "unknown",
        }
    }

    /// The verdict that four findings amount to.
    ///
    /// `unbounded` is whether the trap or a proved climb is reachable.
    #[must_use]
    pub(super) fn from_findings(
        stabilizes: Option<bool>,
        can_recover: Option<bool>,
        unbounded: Option<bool>,
    ) -> Self {
        match (stabilizes, can_recover, unbounded) {
            (Some(true), _, _) => Verdict::Recovers,
            (_, Some(false), _) => Verdict::Doomed,
            (Some(false), Some(true), Some(true)) => Verdict::AtRisk,
            (Some(false), Some(true), Some(false)) => Verdict::Orbits,
            _ => Verdict::Unknown,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A verdict with its findings and its proof. A finding is `None` where it was not proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// Whether `<>[]Good` holds on every run.
    pub stabilizes: Option<bool>,
    /// Whether a run can enter the trap region. `Some(false)` also where the law keeps that region from being closed:
    /// being in it then proves nothing, so it is no trap.
    pub trap_reachable: Option<bool>,
    /// Whether the run without arrivals ends in `Good` for ever.
    pub quiet_recovers: Option<bool>,
    /// Whether some run ends in `Good` for ever.
    pub can_recover: Option<bool>,
    /// What proves it.
    pub proof: Proof,
}

/// What proves a [`Judgement`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::large_enum_variant,
    reason = "judgements are few and short-lived, and stay `Copy`"
)]
pub enum Proof {
    /// The two runs between which every run lies. Exact, without a cap.
    DecidingRuns {
        /// The run at most arrivals, which dominates every run.
        most: DecidingRun,
        /// The run without arrivals, which every run dominates.
        quiet: DecidingRun,
    },
    /// Every arrival choice, explored up to a cap on the backlog.
    Explored(Exploration),
}

/// Judges the round start `start`: by the two deciding runs where the law is monotone, else by exploring every
/// arrival choice up to a backlog of `cap`.
#[must_use]
pub fn judge(config: &Config, start: &State, cap: u64) -> Judgement {
    judge_by_runs(config, start).unwrap_or_else(|| explore_from(config, start, cap).judgement())
}

/// Judges the round start `start` by the two deciding runs alone: `None` where the law is not monotone.
#[must_use]
pub fn judge_by_runs(config: &Config, start: &State) -> Option<Judgement> {
    if !config.is_monotone() {
        return None;
    }
    let most = deciding_run(config, start, config.most_arrivals());
    let quiet = deciding_run(config, start, 0);
    let stabilizes = most.end.recovers();
    let can_recover = quiet.end.recovers();
    Some(Judgement {
        verdict: Verdict::from_findings(stabilizes, can_recover, unbounded(&most.end)),
        stabilizes,
        trap_reachable: trap_reachable(config, &most),
        quiet_recovers: can_recover,
        can_recover,
        proof: Proof::DecidingRuns { most, quiet },
    })
}

/// The verdict of [`judge`], by the shortest way to it.
#[must_use]
pub fn verdict(config: &Config, start: &State, cap: u64) -> Verdict {
    verdict_by_runs(config, start)
        .unwrap_or_else(|| explore_from(config, start, cap).judgement().verdict)
}

/// The verdict of [`judge_by_runs`], by the shortest way to it.
fn verdict_by_runs(config: &Config, start: &State) -> Option<Verdict> {
    if !config.is_monotone() {
        return None;
    }
    let most = quick_end(config, start, config.most_arrivals());
    let stabilizes = most.recovers();
    if stabilizes == Some(true) {
        // The run without arrivals is below one that recovers.
        return Some(Verdict::Recovers);
    }
    let can_recover = quick_end(config, start, 0).recovers();
    Some(Verdict::from_findings(
        stabilizes,
        can_recover,
        unbounded(&most),
    ))
}

fn unbounded(most: &End) -> Option<bool> {
    match *most {
        End::Unsettled | End::Saturated { grows: None, .. } => None,
        end => Some(end.is_unbounded()),
    }
}

/// The trap is entered by some run only if the dominating run grows without bound, since from inside it every run does.
fn trap_reachable(config: &Config, most: &DecidingRun) -> Option<bool> {
    if most.trap_entry.is_some() {
        return Some(true);
    }
    let region = Region::general(config, config.most_arrivals());
    match region.closure(config) {
        Closure::Closed => unbounded(&most.end).filter(|unbounded| !unbounded),
        Closure::Open { .. } | Closure::Unproved => Some(false),
    }
}

/// The verdicts of the starts `q0` with `qd` duplicates queued, best first: along Q0 they only worsen under a monotone
/// law, so edges are found by bisection.
#[must_use]
pub fn judge_range(
    config: &Config,
    q0: std::ops::RangeInclusive<u64>,
    qd: u64,
    cap: u64,
) -> Vec<Verdict> {
    range_of(config, q0, |q0| verdict(config, &config.start(q0, qd), cap))
}

/// The same by the deciding runs alone: all unknown where the law is not monotone.
#[must_use]
pub fn judge_range_by_runs(
    config: &Config,
    q0: std::ops::RangeInclusive<u64>,
    qd: u64,
) -> Vec<Verdict> {
    range_of(config, q0, |q0| {
        verdict_by_runs(config, &config.start(q0, qd)).unwrap_or(Verdict::Unknown)
    })
}

fn range_of(
    config: &Config,
    q0: std::ops::RangeInclusive<u64>,
    verdict: impl Fn(u64) -> Verdict,
) -> Vec<Verdict> {
    if q0.is_empty() {
        return Vec::new();
    }
    let (first, last) = (*q0.start(), *q0.end());
    if !config.is_monotone() {
        return q0.map(verdict).collect();
    }
    let mut verdicts = vec![Verdict::Unknown; (last - first) as usize + 1];
    let mut spans = vec![(first, verdict(first), last, verdict(last))];
    while let Some((low, at_low, high, at_high)) = spans.pop() {
        // An unknown end says nothing of what lies between.
        if at_low == at_high && at_low != Verdict::Unknown {
            verdicts[(low - first) as usize..=(high - first) as usize].fill(at_low);
        } else if high - low <= 1 {
            verdicts[(low - first) as usize] = at_low;
            verdicts[(high - first) as usize] = at_high;
        } else {
            let middle = low + (high - low) / 2;
            let at_middle = verdict(middle);
            spans.push((low, at_low, middle, at_middle));
            spans.push((middle, at_middle, high, at_high));
        }
    }
    verdicts
}

/// What a run is doing at a round start, proved by judging that state as a start of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// `Good`, and it stays so whatever arrives.
    Healthy,
    /// Not `Good` yet, but every continuation recovers.
    Draining,
    /// It can neither be sure to drain nor explode.
    Orbiting,
    /// It can grow without bound; cutting arrivals would still save it.
    Climbing,
    /// Nothing that arrivals do brings it back, though it is not yet in the trap region.
    Lost,
    /// Inside the trap, which no run leaves.
    Trapped,
    /// Not proved within the bounds.
    Unknown,
}

/// The [`Phase`] of the round start `state`.
#[must_use]
pub fn phase(config: &Config, state: &State, cap: u64) -> Phase {
    phase_of(config, state, || verdict(config, state, cap))
}

/// The same by the deciding runs alone: unknown where the law is not monotone, unless it is [`Phase::Trapped`].
#[must_use]
pub fn phase_by_runs(config: &Config, state: &State) -> Phase {
    phase_of(config, state, || {
        verdict_by_runs(config, state).unwrap_or(Verdict::Unknown)
    })
}

fn phase_of(config: &Config, state: &State, verdict: impl FnOnce() -> Verdict) -> Phase {
    let region = Region::general(config, config.most_arrivals());
    if region.contains(state) && region.closure(config) == Closure::Closed {
        return Phase::Trapped;
    }
    match verdict() {
        Verdict::Recovers if config.is_good(state) => Phase::Healthy,
        Verdict::Recovers => Phase::Draining,
        Verdict::Orbits => Phase::Orbiting,
        Verdict::AtRisk => Phase::Climbing,
        Verdict::Doomed => Phase::Lost,
        Verdict::Unknown => Phase::Unknown,
    }
}
