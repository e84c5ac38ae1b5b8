//! What an exploration kept: states in breadth-first order, shortest paths, cycles.

use super::components::{Digraph, each_cyclic};
use super::table::Table;
use super::{Keep, Met, Model};
use std::collections::VecDeque;
use std::hash::Hash;
use std::ops::ControlFlow;

/// The states reached, in breadth-first order, and the steps between them.
pub struct Graph<S> {
    states: Vec<S>,
    /// Who first reached each state; an initial state names itself.
    parents: Vec<u32>,
    /// Targets of the steps of the states expanded so far, one state's after another's.
    targets: Vec<u32>,
    /// Where each expanded state's targets begin, and at last where they end.
    offsets: Vec<u32>,
    complete: bool,
}

/// A run that repeats itself: a stem of states, then a cycle that returns to its own first state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso<S> {
    /// The states from an initial one on. The last one steps back to `states[cycle_start]`, which is not repeated.
    pub states: Vec<S>,
    /// Where the cycle begins.
    pub cycle_start: usize,
}

/// A finite run with its actions: a state, then each step and the state it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trail<S, A> {
    /// The state that it starts from.
    pub first: S,
    /// The steps, in order: what was done, and the state that it led to.
    pub steps: Vec<(A, S)>,
}

impl<S: Copy, A> Trail<S, A> {
    /// States on the trail, the first one counted.
    #[must_use]
    pub fn length(&self) -> usize {
        self.steps.len() + 1
    }

    /// The state that it ends in.
    #[must_use]
    pub fn last(&self) -> S {
        self.steps.last().map_or(self.first, |&(_, state)| state)
    }
}

/// A [`Graph`] as it grows.
pub struct Recording<S> {
    table: Table<S>,
    parents: Vec<u32>,
    targets: Vec<u32>,
    offsets: Vec<u32>,
}

impl<S: Copy + Eq + Hash> Recording<S> {
    pub(super) fn new() -> Self {
        Self {
            table: Table::new(),
            parents: Vec::new(),
            targets: Vec::new(),
            offsets: vec![0],
        }
    }

    pub(super) fn states(&self) -> &[S] {
        self.table.states()
    }

    pub(super) fn into_graph(mut self, complete: bool) -> Graph<S> {
        let states = self.table.into_states();
        let targets = self.targets.len() as u32;
        self.offsets.resize(states.len() + 1, targets);
        Graph {
            states,
            parents: self.parents,
            targets: self.targets,
            offsets: self.offsets,
            complete,
        }
    }
}

impl<M: Model> Keep<M> for Recording<M::State> {
    fn reach(&mut self, _: &M, state: M::State, from: Option<u32>, has_room: bool) -> Met {
        let Some((number, is_new)) = self.table.insert(state, has_room) else {
            return Met::NoRoom;
        };
        if is_new {
            self.parents.push(from.unwrap_or(number));
        }
        if from.is_some() {
            self.targets.push(number);
        }
        match is_new {
            true => Met::New,
            false => Met::Known,
        }
    }

    fn expanded(&mut self) {
        self.offsets.push(self.targets.len() as u32);
    }

    fn states(&self) -> usize {
        self.table.states().len()
    }
}

impl<S: Copy + Eq> Graph<S> {
    /// The states in breadth-first order.
    #[must_use]
    pub fn states(&self) -> &[S] {
        &self.states
    }

    /// Whether every reachable state is here.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The numbers of the states that state `from` steps to, as often as there are steps.
    #[must_use]
    pub fn successors(&self, from: usize) -> &[u32] {
        &self.targets[self.offsets[from] as usize..self.offsets[from + 1] as usize]
    }

    /// Steps between states that are here.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.targets.len()
    }

    /// The first state, in breadth-first order, that satisfies `is_wanted`: none is nearer to an initial state.
    pub fn find(&self, mut is_wanted: impl FnMut(&S) -> bool) -> Option<usize> {
        self.states.iter().position(&mut is_wanted)
    }

    /// A shortest path of state numbers from an initial state to state `to`, both included.
    #[must_use]
    pub fn path_to(&self, to: usize) -> Vec<usize> {
        let mut path = vec![to];
        let mut at = to;
        while self.parents[at] as usize != at {
            at = self.parents[at] as usize;
            path.push(at);
        }
        path.reverse();
        path
    }

    /// The steps of `model`, whose graph this is, from state `from` to states that are here: the action, and the number of
    /// the state it leads to. In the order of [`Graph::successors`].
    #[must_use]
    pub fn actions_from<M: Model<State = S>>(
        &self,
        model: &M,
        from: usize,
    ) -> Vec<(M::Action, usize)> {
        let mut targets = self
            .successors(from)
            .iter()
            .map(|&to| to as usize)
            .peekable();
        let mut steps = Vec::with_capacity(targets.len());
        model.steps(&self.states[from], &mut |action, state| {
            // A step to a state that is not here left no target.
            if let Some(to) = targets.next_if(|&to| self.states[to] == state) {
                steps.push((action, to));
            }
        });
        steps
    }

    /// A shortest run of `model`, whose graph this is, from an initial state to state `to`.
    #[must_use]
    pub fn trail_to<M: Model<State = S>>(&self, model: &M, to: usize) -> Trail<S, M::Action> {
        let path = self.path_to(to);
        let step = |pair: &[usize]| {
            let steps = self.actions_from(model, pair[0]);
            let taken = steps.into_iter().find(|&(_, to)| to == pair[1]);
            let (action, to) = taken.expect("a path follows steps");
            (action, self.states[to])
        };
        Trail {
            first: self.states[path[0]],
            steps: path.windows(2).map(step).collect(),
        }
    }

    /// The same states with only the steps of `model`, whose graph this is, that satisfy `is_kept`.
    #[must_use]
    pub fn keeping_steps<M: Model<State = S>>(
        &self,
        model: &M,
        is_kept: impl Fn(&M::Action) -> bool,
    ) -> Self {
        let mut targets = Vec::new();
        let mut offsets = vec![0];
        for from in 0..self.states.len() {
            let steps = self.actions_from(model, from).into_iter();
            targets.extend(
                steps
                    .filter(|(action, _)| is_kept(action))
                    .map(|(_, to)| to as u32),
            );
            offsets.push(targets.len() as u32);
        }
        Self {
            states: self.states.clone(),
            parents: self.parents.clone(),
            targets,
            offsets,
            complete: self.complete,
        }
    }

    /// Steps from the initial states to each state.
    #[must_use]
    pub fn depths(&self) -> Vec<u32> {
        let mut depths: Vec<u32> = Vec::with_capacity(self.states.len());
        for (i, &parent) in self.parents.iter().enumerate() {
            // A parent is reached before its children.
            depths.push(match parent as usize == i {
                true => 0,
                false => depths[parent as usize] + 1,
            });
        }
        depths
    }

    /// Steps from the initial states to the farthest state.
    #[must_use]
    pub fn depth(&self) -> usize {
        // Breadth-first order: the last state is one of the farthest.
        match self.states.len() {
            0 => 0,
            states => self.path_to(states - 1).len() - 1,
        }
    }

    /// The states whose number passes `is_in`, grouped into strongly connected components: `components[i]` is the
    /// component of state `i`, or `None` if it is left out or lies on no cycle of the states let in.
    pub fn cyclic_components(&self, is_in: impl Fn(usize) -> bool) -> Vec<Option<u32>> {
        let mut components = vec![None; self.states.len()];
        let mut found = 0;
        let _ = each_cyclic(
            self,
            |node| is_in(node as usize),
            |nodes| {
                for &node in nodes {
                    components[node as usize] = Some(found);
                }
                found += 1;
                ControlFlow::Continue(())
            },
        );
        components
    }

    /// Whether some cycle lies wholly in the states that satisfy `is_in`.
    pub fn has_cycle_within(&self, is_in: impl Fn(&S) -> bool) -> bool {
        self.cyclic_components(|i| is_in(&self.states[i]))
            .iter()
            .any(Option::is_some)
    }

    /// A lasso whose cycle holds a state that satisfies `is_wanted`: the nearest such state, and a shortest cycle through it.
    pub fn lasso_through(&self, is_wanted: impl Fn(&S) -> bool) -> Option<Lasso<S>> {
        let components = self.cyclic_components(|_| true);
        let knot = (0..self.states.len())
            .find(|&i| components[i].is_some() && is_wanted(&self.states[i]))?;
        let mut path = self.path_to(knot);
        let cycle_start = path.len() - 1;
        path.extend(self.shortest_cycle(knot, |i| components[i] == components[knot])?);
        Some(Lasso {
            states: path.into_iter().map(|i| self.states[i]).collect(),
            cycle_start,
        })
    }

    /// A shortest cycle through `knot` over the states let in, without `knot` itself.
    fn shortest_cycle(&self, knot: usize, is_in: impl Fn(usize) -> bool) -> Option<Vec<usize>> {
        let mut came_from = std::collections::HashMap::new();
        let mut queue = VecDeque::from([knot]);
        while let Some(at) = queue.pop_front() {
            for &to in self.successors(at) {
                let to = to as usize;
                if to == knot {
                    let mut cycle = Vec::new();
                    let mut back = at;
                    while back != knot {
                        cycle.push(back);
                        back = came_from[&back];
                    }
                    cycle.reverse();
                    return Some(cycle);
                }
                if is_in(to) && !came_from.contains_key(&to) {
                    came_from.insert(to, at);
                    queue.push_back(to);
                }
            }
        }
        None
    }
}

impl<S> Digraph for Graph<S> {
    fn count(&self) -> usize {
        self.states.len()
    }

    fn nodes(&self) -> impl Iterator<Item = u32> {
        0..self.states.len() as u32
    }

    fn place(&self, node: u32) -> usize {
        node as usize
    }

    fn each_successor(&self, node: u32, each: &mut impl FnMut(u32)) {
        let ends = &self.offsets[node as usize..][..2];
        for &to in &self.targets[ends[0] as usize..ends[1] as usize] {
            each(to);
        }
    }
}
