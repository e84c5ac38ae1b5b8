//! Counterexamples: a shortest run that breaks a property, or a proof that there is none.
//!
//! Stabilization is broken by a run that is not `Good` for ever again: a *lasso*, whose cycle holds a state that is not
//! `Good`, or a *climb*, whose last state, a round start, is at or above an earlier round start in both queues, with a
//! state that is not `Good` from the one to the other. Under a monotone law the arrivals between the two, repeated, keep
//! the run at or above what it was then, state by state, and `Good` is closed downwards (`models.md`, section 1). Where
//! the graph is infinite there may be climbs and no lasso. The one with fewer states is given, a lasso before a climb.

use super::config::{Config, MAX_BACKLOG};
use super::decide::{Drain, End, deciding_run};
use super::explored::{Compact, Composition, MAX_CAP};
use super::run::{Arrivals, MAX_RUN_ROUNDS, Plan};
use super::state::State;
use super::trap::{Closure, Region};
use super::verdict::judge;
use crate::FieldError;
use crate::explore::{Explorer, Graph, Model, explore};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;

/// Most states that a search for a shortest run keeps. Where it is not enough, a run may be given that is not proved
/// to be a shortest one.
const MOST_STATES: usize = 400_000;

/// A backlog that a search bounded by its length need not cut at, and that the explorer's states can hold.
const BEYOND: u64 = 1 << 30;

/// Most steps looked at by a search for a shortest lasso, and by one for a shortest climb.
const MOST_STEPS: usize = 20_000_000;

/// Most rounds of the run at most arrivals in which a climb is looked for.
const MOST_CLIMB_ROUNDS: usize = 8_192;

/// A property of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Property {
    /// `qf + qd <= K` in every state.
    Bounded(u64),
    /// No round start lies in the general trap region.
    NotTrapped,
    /// `<>[]Good` on fair runs.
    Stabilization,
}

impl FromStr for Property {
    type Err = FieldError;

    /// Reads `bounded:K`, `not-trapped` or `stabilization`.
    fn from_str(text: &str) -> Result<Self, FieldError> {
        match text.trim() {
            "not-trapped" => Ok(Property::NotTrapped),
            "stabilization" => Ok(Property::Stabilization),
            other => other
                .strip_prefix("bounded:")
                .and_then(|k| k.parse().ok())
                .filter(|&k| k <= MAX_CAP)
                .map(Property::Bounded)
                .ok_or_else(|| {
                    FieldError::new(
                        "property",
                        format!("'{text}'"),
                        format!(
                            "bounded:K with K from 0 to {MAX_CAP}, not-trapped or stabilization"
                        ),
                    )
                }),
        }
    }
}

impl fmt::Display for Property {
    /// Writes what [`FromStr`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Property::Bounded(k) => write!(f, "bounded:{k}"),
            Property::NotTrapped => f.write_str("not-trapped"),
            Property::Stabilization => f.write_str("stabilization"),
        }
    }
}

/// How a run breaks a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Its last state does.
    Finite,
    /// It repeats itself: the cycle is the states from `cycle_start` on, and then back to that one.
    Lasso {
        /// Where the cycle begins, from 0.
        cycle_start: usize,
    },
    /// Its last state is at or above the state `dominates`, both round starts.
    Climb {
        /// The earlier round start, from 0; it, or a state after it, is not `Good`.
        dominates: usize,
    },
}

impl Kind {
    /// Its name in the headless output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Finite => "finite",
            Kind::Lasso { .. } => "lasso",
            Kind::Climb { .. } => "climb",
        }
    }

    /// The state from which the run goes on after its last one.
    #[must_use]
    pub const fn returns_to(self) -> Option<usize> {
        match self {
            Kind::Finite => None,
            Kind::Lasso { cycle_start: at } | Kind::Climb { dominates: at } => Some(at),
        }
    }
}

/// A run that breaks a property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counterexample {
    /// How it breaks it.
    pub kind: Kind,
    /// Its states, the initial one first.
    pub states: Vec<State>,
    /// Whether it is proved that no run with fewer states breaks the property.
    pub shortest: bool,
}

/// What a search for a counterexample came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Search {
    /// A run that breaks the property.
    Found(Counterexample),
    /// None was found.
    NotFound {
        /// Whether it is proved that there is none.
        complete: bool,
    },
}

impl Search {
    /// The run, if one was found.
    #[must_use]
    pub fn found(&self) -> Option<&Counterexample> {
        match self {
            Search::Found(counterexample) => Some(counterexample),
            Search::NotFound { .. } => None,
        }
    }
}

impl Counterexample {
    /// The arrivals of its first `rounds` rounds. A lasso and a climb repeat themselves; what follows a finite one is at
    /// most arrivals.
    #[must_use]
    pub fn arrivals(&self, config: &Config, rounds: u64) -> Vec<u64> {
        let next = |at: usize| match at + 1 < self.states.len() {
            true => Some(at + 1),
            // From the last state of a climb the arrivals go on as they did from the one it dominates.
            false => self.kind.returns_to(),
        };
        let mut arrivals = Vec::with_capacity(rounds as usize);
        let mut at = Some(0);
        while (arrivals.len() as u64) < rounds {
            let Some(from) = at else {
                arrivals.push(config.most_arrivals());
                continue;
            };
            if let (Kind::Climb { dominates }, true) = (self.kind, from + 1 == self.states.len()) {
                at = Some(dominates);
                continue;
            }
            let to = next(from);
            if let Some(to) = to
                && self.states[from].is_round_start()
            {
                arrivals.push(self.states[to].qf - self.states[from].qf);
            }
            at = to;
        }
        arrivals
    }

    /// Rounds that its states span, a begun one counted.
    #[must_use]
    pub fn rounds(&self) -> u64 {
        self.states.len() as u64 / 2
    }

    /// The run of `rounds` rounds that plays it.
    #[must_use]
    pub fn plan(&self, config: &Config, rounds: u64) -> Plan {
        let rounds = rounds.clamp(self.rounds().min(MAX_RUN_ROUNDS), MAX_RUN_ROUNDS);
        Plan {
            arrivals: Arrivals::List(self.arrivals(config, rounds)),
            qd0: self.states[0].qd,
            ..Plan::new(*config, self.states[0].qf, rounds)
        }
    }
}

/// Looks for a shortest run from the round start `start` that breaks `property`. Where the law is not monotone, every
/// arrival choice is explored up to a backlog of `cap`.
#[must_use]
pub fn counterexample(config: &Config, start: &State, property: Property, cap: u64) -> Search {
    let composition = Composition {
        config: *config,
        start: *start,
        cap: cap.min(MAX_CAP),
    };
    match property {
        Property::Bounded(k) if config.is_monotone() => bounded(&composition, k),
        Property::Bounded(k) => reach(&composition, k, None, |s| s.backlog() > k),
        Property::NotTrapped => not_trapped(&composition),
        Property::Stabilization if config.is_monotone() => stabilization(&composition),
        Property::Stabilization => lasso(&composition),
    }
}

fn finite(states: Vec<State>, shortest: bool) -> Search {
    Search::Found(Counterexample {
        kind: Kind::Finite,
        states,
        shortest,
    })
}

/// The run at most arrivals is at or above every run, step by step, so none passes the bound before it. Of those that
/// pass it as soon, one with fewer arrivals is given where it can be found.
fn bounded(composition: &Composition, k: u64) -> Search {
    let Composition { config, start, .. } = composition;
    let arrivals = config.most_arrivals();
    let run = deciding_run(config, start, arrivals);
    let mut states = vec![*start];
    loop {
        let last = states[states.len() - 1];
        if last.backlog() > k {
            return match reach(composition, k, Some(states.clone()), |s| s.backlog() > k) {
                Search::Found(fewer) if fewer.states.len() == states.len() => {
                    finite(fewer.states, true)
                }
                _ => finite(states, true),
            };
        }
        let rounds = (states.len() as u64 - 1) / 2;
        if last.is_round_start()
            && (has_peaked(config, &run.end, rounds, k) || rounds == MAX_RUN_ROUNDS)
        {
            return Search::NotFound {
                complete: has_peaked(config, &run.end, rounds, k),
            };
        }
        states.push(step(config, &last, arrivals));
    }
}

/// Whether, `rounds` rounds into a run with this end that has kept to a backlog of `k`, it keeps to it for ever.
fn has_peaked(config: &Config, end: &End, rounds: u64, k: u64) -> bool {
    match end {
        End::Cycle { round, .. } => rounds >= *round,
        // Round starts only go down from here, and a round adds no more than the budget and the arrivals.
        End::Drains { reason, at, round } => {
            let retries = match reason {
                Drain::BudgetBelowCapacity => config.budget.unwrap_or(0),
                Drain::InsideThreshold | Drain::NothingArrives => 0,
                Drain::FreshFirst => return false,
            };
            rounds >= *round && at.backlog().max(config.s) + config.most_arrivals() + retries <= k
        }
        // Arrivals are what is served, and no retry is due.
        End::Saturated {
            grows: Some(false),
            at,
            round,
        } => rounds >= *round && at.backlog() + config.most_arrivals() <= k,
        End::Saturated { .. }
        | End::Climb { .. }
        | End::Trap { .. }
        | End::Overflows { .. }
        | End::Unsettled => false,
    }
}

fn step(config: &Config, state: &State, arrivals: u64) -> State {
    match state.is_round_start() {
        true => config.retrier(state, arrivals),
        false => config.server(state),
    }
}

/// Whether one round has more choices of arrivals than a search can keep.
fn too_many_choices(config: &Config) -> bool {
    config.most_arrivals() >= MOST_STATES as u64
}

/// States to expand at a time, so that a search soon notices that it is full.
fn slice(config: &Config) -> usize {
    (MOST_STATES as u64 / (config.most_arrivals() + 1)).clamp(1, 1_024) as usize
}

/// A composition whose runs end where they reach a bad state.
struct Until<'c, F> {
    composition: &'c Composition,
    cap: u64,
    is_bad: F,
}

impl<F: Fn(&State) -> bool> Model for Until<'_, F> {
    type State = Compact;
    type Action = u64;

    fn initial(&self, each: &mut impl FnMut(Compact)) {
        self.composition.initial(each);
    }

    fn steps(&self, state: &Compact, each: &mut impl FnMut(u64, Compact)) {
        if !(self.is_bad)(&state.expand(&self.composition.config)) {
            self.composition.steps(state, each);
        }
    }

    fn admits(&self, state: &Compact) -> bool {
        state.expand(&self.composition.config).backlog() <= self.cap
    }
}

/// A shortest run to a bad state, over every arrival choice and within a backlog of `cap`, where `known` is one whose
/// length is not known to be the least.
fn reach(
    composition: &Composition,
    cap: u64,
    known: Option<Vec<State>>,
    is_bad: impl Fn(&State) -> bool,
) -> Search {
    let config = &composition.config;
    if is_bad(&composition.start) {
        return finite(vec![composition.start], true);
    }
    // A bad state may lie beyond the cap, one step from a state within.
    let beyond = Composition {
        cap: BEYOND,
        ..*composition
    };
    let model = Until {
        composition: &beyond,
        cap: BEYOND,
        is_bad: |state: &State| state.backlog() > cap || is_bad(state),
    };
    let mut explorer = Explorer::new(&model, MOST_STATES);
    let mut seen = 0;
    // A start or a choice of arrivals too large to be listed is not explored.
    let mut is_cut = explorer.states() == 0 || too_many_choices(config);
    loop {
        let is_done = is_cut && seen == 0 || explorer.advance(slice(config));
        let reached = explorer.reached();
        for (i, state) in reached.iter().enumerate().skip(seen) {
            let state = state.expand(config);
            if is_bad(&state) {
                let graph = explorer.into_graph();
                let path = graph.path_to(i).into_iter();
                let states = path.map(|i| graph.states()[i].expand(config)).collect();
                return finite(states, !is_cut);
            }
            is_cut |= state.backlog() > cap;
        }
        seen = reached.len();
        if is_done || seen >= MOST_STATES {
            let complete = explorer.into_graph().is_complete() && !is_cut;
            return match known {
                Some(states) => finite(states, false),
                None => Search::NotFound { complete },
            };
        }
    }
}

fn not_trapped(composition: &Composition) -> Search {
    let Composition { config, start, cap } = composition;
    let region = Region::general(config, config.most_arrivals());
    let is_closed = region.closure(config) == Closure::Closed;
    if is_closed && !region.contains(start) {
        let judgement = judge(config, start, *cap);
        if judgement.trap_reachable == Some(false) {
            return Search::NotFound { complete: true };
        }
        // The run at most arrivals may enter the region later than another, which lags behind in `qf`.
        let most = deciding_run(config, start, config.most_arrivals());
        if let Some((round, at)) = most
            .trap_entry
            .filter(|(round, _)| *round <= MAX_RUN_ROUNDS)
        {
            let mut states = vec![*start];
            for _ in 0..2 * round {
                let last = states[states.len() - 1];
                states.push(step(config, &last, config.most_arrivals()));
            }
            // No state of a shorter run is above the peak of this one, which dominates it.
            let peak = states.iter().map(State::backlog).max();
            let cap = peak.unwrap_or(0).max(at.backlog());
            return reach(composition, cap, Some(states), |s| region.contains(s));
        }
    }
    reach(composition, *cap, None, |s| region.contains(s))
}

/// The search for a lasso or a climb under a monotone law.
fn stabilization(composition: &Composition) -> Search {
    let Composition { config, start, cap } = composition;
    match judge(config, start, *cap).stabilizes {
        Some(true) => return Search::NotFound { complete: true },
        Some(false) => {}
        None => return Search::NotFound { complete: false },
    }
    let Some(mut best) = climb_at_most_arrivals(config, start) else {
        return Search::NotFound { complete: false };
    };

    // A shorter one lies within as many steps.
    let beyond = Composition {
        cap: BEYOND,
        ..*composition
    };
    // Its states are below those of the run at most arrivals.
    if too_many_choices(config) || best.states.iter().any(|s| s.backlog() > BEYOND) {
        return Search::Found(best);
    }
    let mut explorer = Explorer::new(&beyond, MOST_STATES);
    let first_level = 0..explorer.states();
    let mut levels = vec![first_level];
    // As many as its states and one: a lasso of as many closes with one step more.
    let depth = best.states.len() + 1;
    while levels.len() < depth && explorer.states() < MOST_STATES {
        let level = levels[levels.len() - 1].clone();
        let mut left = level.len();
        while left > 0 && explorer.states() < MOST_STATES {
            let slice = slice(config).min(left);
            explorer.advance(slice);
            left -= slice;
        }
        levels.push(level.end..explorer.states());
    }
    let saw_all = levels.len() == depth && explorer.states() < MOST_STATES && !explorer.is_full();
    let graph = explorer.into_graph();
    let expand = |i: usize| graph.states()[i].expand(config);

    let mut steps = 0;
    'search: for (depth, level) in levels.iter().enumerate().step_by(2) {
        for i in level.clone() {
            let from = expand(i);
            let mut is_bad = !config.is_good(&from);
            let mut at = from;
            let mut rest = Vec::new();
            while depth + 1 + rest.len() + 2 < best.states.len() {
                steps += 2;
                if steps > MOST_STEPS {
                    break 'search;
                }
                let mid = config.retrier(&at, config.most_arrivals());
                at = config.server(&mid);
                rest.extend([mid, at]);
                is_bad |= !config.is_good(&mid) || !config.is_good(&at);
                if is_bad && is_at_or_above(&at, &from) {
                    let mut states: Vec<_> = graph.path_to(i).into_iter().map(expand).collect();
                    states.append(&mut rest);
                    best = Counterexample {
                        kind: Kind::Climb { dominates: depth },
                        states,
                        shortest: true,
                    };
                    break;
                }
            }
        }
    }
    // Of the two kinds, the lasso is the plainer: it is preferred to a climb of as many states.
    let (found, saw_all_lassos) = shortest_lasso(&graph, config, best.states.len() + 1);
    let mut best = found.unwrap_or(best);
    best.shortest = saw_all && saw_all_lassos && steps <= MOST_STEPS;
    Search::Found(best)
}

/// Whether a round start is at or above another in both queues, and so in all that follows on the same arrivals.
fn is_at_or_above(later: &State, earlier: &State) -> bool {
    later.qf >= earlier.qf && later.qd >= earlier.qd
}

/// The first climb of the run at most arrivals.
fn climb_at_most_arrivals(config: &Config, start: &State) -> Option<Counterexample> {
    let mut states = vec![*start];
    let mut last_bad = (!config.is_good(start)).then_some(0);
    for round in 1..=MOST_CLIMB_ROUNDS {
        let last = states[states.len() - 1];
        if last.backlog() > MAX_BACKLOG / 2 {
            return None;
        }
        let mid = config.retrier(&last, config.most_arrivals());
        let at = config.server(&mid);
        for state in [mid, at] {
            if !config.is_good(&state) {
                last_bad = Some(states.len());
            }
            states.push(state);
        }
        let Some(last_bad) = last_bad else {
            continue;
        };
        // The last state alone does not lie from an earlier one to itself.
        let starts = 0..=(last_bad / 2).min(round - 1);
        let earlier = starts
            .into_iter()
            .find(|&r| is_at_or_above(&at, &states[2 * r]));
        if let Some(earlier) = earlier {
            return Some(Counterexample {
                kind: Kind::Climb {
                    dominates: 2 * earlier,
                },
                states,
                shortest: false,
            });
        }
    }
    None
}

/// The search for a lasso under any law, within the cap.
fn lasso(composition: &Composition) -> Search {
    let config = &composition.config;
    let graph = explore(composition, MOST_STATES);
    let is_bad = |state: &Compact| !config.is_good(&state.expand(config));
    let Some(known) = graph.lasso_through(is_bad) else {
        return Search::NotFound {
            complete: graph.is_complete(),
        };
    };
    let expand = |state: &Compact| state.expand(config);
    let known = Counterexample {
        kind: Kind::Lasso {
            cycle_start: known.cycle_start,
        },
        states: known.states.iter().map(expand).collect(),
        shortest: false,
    };
    let (found, saw_all) = shortest_lasso(&graph, config, known.states.len());
    let mut best = found.unwrap_or(known);
    // A shorter one might have lain beyond the cap.
    let depth_of_cut = match graph.is_complete() {
        true => usize::MAX,
        false => shallowest_cut(composition, &graph),
    };
    best.shortest = saw_all && best.states.len() <= depth_of_cut;
    Search::Found(best)
}

/// Steps from the start to the nearest state beyond the cap.
fn shallowest_cut(composition: &Composition, graph: &Graph<Compact>) -> usize {
    let mut nearest = usize::MAX;
    for i in 0..graph.states().len() {
        let mut is_cut = false;
        composition.steps(&graph.states()[i], &mut |_, to| {
            is_cut |= !composition.admits(&to);
        });
        if is_cut {
            nearest = graph.path_to(i).len();
            break;
        }
    }
    nearest
}

/// A shortest lasso of fewer than `limit` states whose cycle holds a state that is not `Good`, and whether the search
/// went to its end.
///
/// From each state in turn, nearest first, the shortest way back to itself through a bad state is sought; the limit
/// shrinks with each find, so most of these searches are short.
fn shortest_lasso(
    graph: &Graph<Compact>,
    config: &Config,
    mut limit: usize,
) -> (Option<Counterexample>, bool) {
    let is_bad: Vec<bool> = graph
        .states()
        .iter()
        .map(|state| !config.is_good(&state.expand(config)))
        .collect();
    let components = graph.cyclic_components(|_| true);
    let depths = graph.depths();
    let mut best = None;
    let mut steps = 0;
    for entry in 0..graph.states().len() {
        let depth = depths[entry] as usize;
        if depth + 2 >= limit {
            break;
        }
        if components[entry].is_none() {
            continue;
        }
        // A state and whether the way to it has met a bad one; the way itself by its last step.
        let mut came_from = std::collections::HashMap::new();
        let first = (entry, is_bad[entry]);
        let mut queue = VecDeque::from([(first, 0)]);
        'search: while let Some((at, length)) = queue.pop_front() {
            if depth + length + 1 >= limit {
                break;
            }
            for &to in graph.successors(at.0) {
                steps += 1;
                let to = to as usize;
                let next = (to, at.1 || is_bad[to]);
                if to == entry && next.1 {
                    let mut cycle = vec![];
                    let mut back = at;
                    while back != first {
                        cycle.push(back.0);
                        back = came_from[&back];
                    }
                    cycle.reverse();
                    limit = depth + length + 1;
                    best = Some((entry, cycle));
                    break 'search;
                }
                if components[to] == components[entry]
                    && next != first
                    && !came_from.contains_key(&next)
                {
                    came_from.insert(next, at);
                    queue.push_back((next, length + 1));
                }
            }
            if steps > MOST_STEPS {
                break 'search;
            }
        }
        if steps > MOST_STEPS {
            break;
        }
    }
    let found = best.map(|(entry, cycle)| {
        let mut path = graph.path_to(entry);
        let cycle_start = path.len() - 1;
        path.extend(cycle);
        Counterexample {
            kind: Kind::Lasso { cycle_start },
            states: path
                .into_iter()
                .map(|i| graph.states()[i].expand(config))
                .collect(),
            shortest: true,
        }
    });
    (found, steps <= MOST_STEPS)
}
