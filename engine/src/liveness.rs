//! What must happen in the end: leads-to properties under weak fairness, and the lasso where they fail.
//!
//! A run may stop anywhere, which counts as staying in its state for ever, unless some fairness forbids it. Weak
//! fairness of a set of actions: it is not enabled for ever without one of its actions being taken. A leads-to property
//! then fails exactly when, past a state that asks for its goal, a strongly connected part of the graph without goal
//! steps gives each fair set what it is owed: a state in which it is not enabled, or one of its steps.

use crate::explore::{Graph, Model, Trail};
use std::collections::VecDeque;

/// A set of actions that is not enabled for ever without one of them being taken.
pub type FairSet<'a, A> = &'a dyn Fn(&A) -> bool;

/// "Whenever `asks` holds, a step that satisfies `goal` follows": `[](asks => <>goal)`.
pub struct LeadsTo<Asks, Goal> {
    /// The states that ask for the goal.
    pub asks: Asks,
    /// The steps that are the goal.
    pub goal: Goal,
}

/// A run that never reaches its goal: a stem, then a cycle repeated for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveLasso<S, A> {
    /// From an initial state to the first state of the cycle.
    pub stem: Trail<S, A>,
    /// The cycle's steps; the last one leads back to the stem's last state. Empty: the run stops there.
    pub cycle: Vec<(A, S)>,
}

/// How many entries to a cycle are compared, so that the lasso shown is a short one.
const MOST_ENTRIES: usize = 64;

/// Looks in `graph`, that of `model`, for a run that is fair to each set of `fair` and breaks `property`; a short one, if
/// not always the shortest.
///
/// `None` proves the property if the graph is complete.
#[must_use]
pub fn find_violation<M: Model>(
    model: &M,
    graph: &Graph<M::State>,
    property: &LeadsTo<impl Fn(&M::State) -> bool, impl Fn(&M::Action) -> bool>,
    fair: &[FairSet<M::Action>],
) -> Option<LiveLasso<M::State, M::Action>> {
    let search = Search::new(model, graph, &property.goal, fair);
    let waiting = Waiting::spread(&search, &property.asks);
    let entries = waiting.order.iter().copied();
    let entries = entries.filter(|&state| search.is_fair_home(state));
    let lassos = entries.take(MOST_ENTRIES).map(|entry| {
        let (asked, wait) = waiting.path_to(entry);
        (asked, wait, search.fair_cycle(entry))
    });
    let (asked, wait, cycle) = lassos.min_by_key(|(asked, wait, cycle)| {
        graph.path_to(*asked).len() + wait.len() + cycle.len()
    })?;
    let mut stem = graph.trail_to(model, asked);
    stem.steps.extend(search.name_states(wait));
    Some(LiveLasso {
        stem,
        cycle: search.name_states(cycle),
    })
}

/// The graph without its goal steps, cut into strongly connected parts.
struct Search<'a, M: Model> {
    graph: &'a Graph<M::State>,
    /// The steps that are not goals, by state.
    steps: Vec<Vec<(M::Action, usize)>>,
    /// The part that each state belongs to; a state on no cycle is alone in its own.
    part: Vec<usize>,
    /// The states of each part.
    members: Vec<Vec<usize>>,
    /// For each fair set, whether one of its actions is enabled, by state. Goal steps count.
    enabled: Vec<Vec<bool>>,
    fair: &'a [FairSet<'a, M::Action>],
}

impl<'a, M: Model> Search<'a, M> {
    fn new(
        model: &M,
        graph: &'a Graph<M::State>,
        goal: &impl Fn(&M::Action) -> bool,
        fair: &'a [FairSet<'a, M::Action>],
    ) -> Self {
        let states = graph.states().len();
        let mut enabled = vec![vec![false; states]; fair.len()];
        let mut steps = Vec::with_capacity(states);
        for from in 0..states {
            let mut all = graph.actions_from(model, from);
            for (set, enabled) in fair.iter().zip(&mut enabled) {
                enabled[from] = all.iter().any(|(action, _)| set(action));
            }
            all.retain(|(action, _)| !goal(action));
            steps.push(all);
        }
        let named = graph
            .keeping_steps(model, |action| !goal(action))
            .cyclic_components(|_| true);
        let mut members = vec![Vec::new(); states];
        // Parts on a cycle are numbered below `states`; one state alone takes a number above.
        let mut part = vec![0; states];
        for (state, component) in named.into_iter().enumerate() {
            part[state] = match component {
                Some(component) => component as usize,
                None => members.len(),
            };
            if part[state] == members.len() {
                members.push(Vec::new());
            }
            members[part[state]].push(state);
        }
        Self {
            graph,
            steps,
            part,
            members,
            enabled,
            fair,
        }
    }

    /// Whether a run can stay in the part of `state` for ever and be fair to every set.
    fn is_fair_home(&self, state: usize) -> bool {
        let members = &self.members[self.part[state]];
        (0..self.fair.len()).all(|set| members.iter().any(|&at| self.pays_in(set, at).is_some()))
    }

    /// How staying in the part of `at` gives the fair set its due at `at`: it is not enabled there, or one of its steps is taken.
    fn pays_in(&self, set: usize, at: usize) -> Option<Due<M::Action>> {
        if !self.enabled[set][at] {
            return Some(Due::Disabled);
        }
        let steps = self.steps[at].iter();
        steps
            .copied()
            .find(|&(action, to)| self.fair[set](&action) && self.part[to] == self.part[at])
            .map(|(action, to)| Due::Taken(action, to))
    }

    /// A cycle through `knot` within its part that gives every fair set its due, each by the nearest way.
    fn fair_cycle(&self, knot: usize) -> Vec<(M::Action, usize)> {
        let mut cycle: Vec<(M::Action, usize)> = Vec::new();
        let mut at = knot;
        for set in 0..self.fair.len() {
            let seen = std::iter::once(knot).chain(cycle.iter().map(|&(_, to)| to));
            let is_paid = seen.into_iter().any(|state| !self.enabled[set][state])
                || cycle.iter().any(|(action, _)| self.fair[set](action));
            if is_paid {
                continue;
            }
            cycle.extend(self.shortest_within(at, |state| self.pays_in(set, state).is_some()));
            at = cycle.last().map_or(knot, |&(_, to)| to);
            if let Some(Due::Taken(action, to)) = self.pays_in(set, at) {
                cycle.push((action, to));
                at = to;
            }
        }
        if at != knot {
            cycle.extend(self.shortest_within(at, |state| state == knot));
        }
        cycle
    }

    /// A shortest path from `from` to a wanted state, inside the part of `from`. There is one.
    fn shortest_within(
        &self,
        from: usize,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Vec<(M::Action, usize)> {
        let mut came_from = std::collections::HashMap::new();
        let mut queue = VecDeque::from([from]);
        while let Some(at) = queue.pop_front() {
            if is_wanted(at) {
                let mut path = Vec::new();
                let mut back = at;
                while back != from {
                    let (before, action) = came_from[&back];
                    path.push((action, back));
                    back = before;
                }
                path.reverse();
                return path;
            }
            for &(action, to) in &self.steps[at] {
                if self.part[to] == self.part[from] && to != from && !came_from.contains_key(&to) {
                    came_from.insert(to, (at, action));
                    queue.push_back(to);
                }
            }
        }
        unreachable!("the part is strongly connected and holds a wanted state")
    }

    fn name_states(&self, steps: Vec<(M::Action, usize)>) -> Vec<(M::Action, M::State)> {
        let states = self.graph.states();
        steps
            .into_iter()
            .map(|(action, to)| (action, states[to]))
            .collect()
    }
}

/// How a fair set gets its due.
enum Due<A> {
    Disabled,
    Taken(A, usize),
}

/// The states in which the goal is still owed, nearest to an initial state first.
struct Waiting<A> {
    order: Vec<usize>,
    /// How each was reached since the goal was asked for; `None` where it was asked.
    came_from: Vec<Option<(usize, A)>>,
}

impl<A: Copy> Waiting<A> {
    fn spread<M: Model<Action = A>>(
        search: &Search<'_, M>,
        asks: &impl Fn(&M::State) -> bool,
    ) -> Self {
        let graph = search.graph;
        let states = graph.states().len();
        let mut is_waiting = vec![false; states];
        let mut waiting = Self {
            order: Vec::new(),
            came_from: vec![None; states],
        };
        let mut askers: Vec<_> = (0..states)
            .filter(|&state| asks(&graph.states()[state]))
            .map(|state| (graph.path_to(state).len(), state))
            .collect();
        askers.sort_unstable();
        let mut askers = askers.into_iter().peekable();
        let mut frontier = Vec::new();
        let mut length = 1;
        while askers.peek().is_some() || !frontier.is_empty() {
            while let Some((_, state)) = askers.next_if(|&(at, _)| at <= length) {
                if !std::mem::replace(&mut is_waiting[state], true) {
                    frontier.push(state);
                }
            }
            let mut next = Vec::new();
            for &from in &frontier {
                for &(action, to) in &search.steps[from] {
                    if !std::mem::replace(&mut is_waiting[to], true) {
                        waiting.came_from[to] = Some((from, action));
                        next.push(to);
                    }
                }
            }
            waiting.order.append(&mut frontier);
            frontier = next;
            length += 1;
        }
        waiting
    }

    /// The state where the goal was asked for, and the steps from there to `to`.
    fn path_to(&self, to: usize) -> (usize, Vec<(A, usize)>) {
        let mut steps = Vec::new();
        let mut at = to;
        while let Some((before, action)) = self.came_from[at] {
            steps.push((action, at));
            at = before;
        }
        steps.reverse();
        (at, steps)
    }
}
