//! The explorer: every state that a model can reach, breadth first, with shortest paths and cycles.
//!
//! It knows nothing of any model. A model is one small type that implements [`Model`].

use rustc_hash::FxBuildHasher;
use std::collections::VecDeque;
use std::hash::Hash;

/// A transition system with finitely many steps from each state.
pub trait Model {
    /// A state; small, since every reachable one is kept.
    type State: Copy + Eq + Hash;
    /// What names a step, such as the arrivals of a round or an action with its caller.
    type Action: Copy;

    /// Calls `each` with every initial state.
    fn initial(&self, each: &mut impl FnMut(Self::State));

    /// Calls `each` with every step from `state`: its action and the state it leads to. Two steps may lead to one state.
    fn steps(&self, state: &Self::State, each: &mut impl FnMut(Self::Action, Self::State));

    /// Whether `state` is explored. One that is not is neither counted nor expanded, and the exploration is not complete.
    fn admits(&self, _state: &Self::State) -> bool {
        true
    }
}

/// An exploration under way: advanced in slices, so that a page stays free and a reader can stop it.
pub struct Explorer<'m, M: Model> {
    model: &'m M,
    graph: Graph<M::State>,
    index: hashbrown::HashTable<u32>,
    next: usize,
    most_states: usize,
}

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

impl<'m, M: Model> Explorer<'m, M> {
    /// Starts an exploration that keeps at most `most_states` states.
    #[must_use]
    pub fn new(model: &'m M, most_states: usize) -> Self {
        let mut explorer = Self {
            model,
            graph: Graph {
                states: Vec::new(),
                parents: Vec::new(),
                targets: Vec::new(),
                offsets: vec![0],
                complete: true,
            },
            index: hashbrown::HashTable::new(),
            next: 0,
            // Indices are 32 bits wide.
            most_states: most_states.min(u32::MAX as usize - 1),
        };
        model.initial(&mut |state| {
            explorer.reach(state, None);
        });
        explorer
    }

    /// Expands up to `states` more states. True once all are expanded.
    pub fn advance(&mut self, states: usize) -> bool {
        let end = self.next.saturating_add(states);
        while self.next < end && self.next < self.graph.states.len() {
            let from = self.next;
            let state = self.graph.states[from];
            let model = self.model;
            model.steps(&state, &mut |_, to| {
                if let Some(target) = self.reach(to, Some(from as u32)) {
                    self.graph.targets.push(target);
                }
            });
            self.graph.offsets.push(self.graph.targets.len() as u32);
            self.next += 1;
        }
        self.next == self.graph.states.len()
    }

    /// States reached so far.
    #[must_use]
    pub fn states(&self) -> usize {
        self.graph.states.len()
    }

    /// The states reached so far, in breadth-first order.
    #[must_use]
    pub fn reached(&self) -> &[M::State] {
        &self.graph.states
    }

    /// Ends the exploration. What was not expanded makes the graph incomplete.
    #[must_use]
    pub fn into_graph(mut self) -> Graph<M::State> {
        self.graph.complete &= self.next == self.graph.states.len();
        let targets = self.graph.targets.len() as u32;
        self.graph
            .offsets
            .resize(self.graph.states.len() + 1, targets);
        self.graph
    }

    /// The number of `state`, new or known; `None` if it is not admitted or there is no room for it.
    fn reach(&mut self, state: M::State, parent: Option<u32>) -> Option<u32> {
        use std::hash::BuildHasher;
        let hash = FxBuildHasher.hash_one(state);
        let states = &self.graph.states;
        if let Some(&known) = self.index.find(hash, |&i| states[i as usize] == state) {
            return Some(known);
        }
        if !self.model.admits(&state) || states.len() >= self.most_states {
            self.graph.complete = false;
            return None;
        }
        let new = states.len() as u32;
        self.graph.states.push(state);
        self.graph.parents.push(parent.unwrap_or(new));
        let states = &self.graph.states;
        self.index
            .insert_unique(hash, new, |&i| FxBuildHasher.hash_one(states[i as usize]));
        Some(new)
    }
}

/// Explores `model` to the end, keeping at most `most_states` states.
#[must_use]
pub fn explore<M: Model>(model: &M, most_states: usize) -> Graph<M::State> {
    let mut explorer = Explorer::new(model, most_states);
    explorer.advance(usize::MAX);
    explorer.into_graph()
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
        Tarjan::new(self, is_in).run()
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

/// Tarjan's strongly connected components, with its own stack: graphs here are deep.
struct Tarjan<'g, S, F> {
    graph: &'g Graph<S>,
    is_in: F,
    /// Order of discovery from 1; 0 is undiscovered.
    order: Vec<u32>,
    low: Vec<u32>,
    components: Vec<Option<u32>>,
    open: Vec<u32>,
    is_open: Vec<bool>,
    discovered: u32,
    found: u32,
}

impl<'g, S: Copy + Eq, F: Fn(usize) -> bool> Tarjan<'g, S, F> {
    fn new(graph: &'g Graph<S>, is_in: F) -> Self {
        let states = graph.states.len();
        Self {
            graph,
            is_in,
            order: vec![0; states],
            low: vec![0; states],
            components: vec![None; states],
            open: Vec::new(),
            is_open: vec![false; states],
            discovered: 0,
            found: 0,
        }
    }

    fn run(mut self) -> Vec<Option<u32>> {
        for root in 0..self.graph.states.len() {
            if self.order[root] == 0 && (self.is_in)(root) {
                self.visit_from(root);
            }
        }
        self.components
    }

    fn discover(&mut self, state: usize) {
        self.discovered += 1;
        self.order[state] = self.discovered;
        self.low[state] = self.discovered;
        self.open.push(state as u32);
        self.is_open[state] = true;
    }

    fn visit_from(&mut self, root: usize) {
        let graph = self.graph;
        self.discover(root);
        // Each entry: a state and how many of its successors have been looked at.
        let mut stack = vec![(root, 0)];
        while let Some((at, looked_at)) = stack.last_mut() {
            let at = *at;
            if let Some(&to) = graph.successors(at).get(*looked_at) {
                *looked_at += 1;
                let to = to as usize;
                if !(self.is_in)(to) {
                    continue;
                }
                if self.order[to] == 0 {
                    self.discover(to);
                    stack.push((to, 0));
                } else if self.is_open[to] {
                    self.low[at] = self.low[at].min(self.order[to]);
                }
                continue;
            }
            stack.pop();
            if let Some(&(parent, _)) = stack.last() {
                self.low[parent] = self.low[parent].min(self.low[at]);
            }
            if self.low[at] == self.order[at] {
                self.close(at);
            }
        }
    }

    /// Takes the component of `root` off the open states, and names it if it holds a cycle.
    fn close(&mut self, root: usize) {
        let start = self
            .open
            .iter()
            .rposition(|&state| state as usize == root)
            .expect("a component's root is open");
        let is_cyclic =
            self.open.len() - start > 1 || self.graph.successors(root).contains(&(root as u32));
        for &state in &self.open[start..] {
            self.is_open[state as usize] = false;
            if is_cyclic {
                self.components[state as usize] = Some(self.found);
            }
        }
        self.open.truncate(start);
        self.found += 1;
    }
}
