//! The explorer: every state that a model can reach, breadth first.
//!
//! It knows nothing of any model. A model is one small type that implements [`Model`]. What an [`Explorer`] keeps is its
//! caller's choice: a [`Graph`], with shortest paths, steps and cycles, or [`Reached`], the bare set of states, which
//! answers all that a verdict asks in a fraction of the memory.

mod components;
mod graph;
mod reached;
mod table;

pub use graph::{Graph, Lasso, Recording, Trail};
pub use reached::Reached;

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

    /// How many codes [`Model::encode`] gives out; `None` where the model gives out none. [`Reached`] then keeps a bit a
    /// code instead of the states themselves, if there are not too many codes.
    fn codes(&self) -> Option<u64> {
        None
    }

    /// The code of an admitted state: below [`Model::codes`], and another one for each state.
    fn encode(&self, _state: &Self::State) -> u64 {
        unimplemented!("the model has no codes")
    }

    /// The state of a code that [`Model::encode`] gave out.
    fn decode(&self, _code: u64) -> Self::State {
        unimplemented!("the model has no codes")
    }
}

/// What an exploration keeps of what it reaches.
pub trait Keep<M: Model> {
    /// Takes in an admitted state, to which a step from state number `from` leads unless it is an initial one. It is left
    /// out if it is new and there is no room for it.
    fn reach(&mut self, model: &M, state: M::State, from: Option<u32>, has_room: bool) -> Met;

    /// Hears that every step from the next state, in the order in which they were taken in, has been reached.
    fn expanded(&mut self) {}

    /// States taken in.
    fn states(&self) -> usize;
}

/// What a state was to those that keep it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Met {
    /// It is taken in.
    New,
    /// It was there.
    Known,
    /// It is left out.
    NoRoom,
}

/// Steps that an exploration takes for each state it has room for, on average, before it gives up: what bounds its memory
/// so bounds its time, however many choices a state has.
const MOST_STEPS_A_STATE: usize = 16;

/// An exploration under way: advanced in slices, so that a page stays free and a reader can stop it.
pub struct Explorer<'m, M: Model, K = Recording<<M as Model>::State>> {
    model: &'m M,
    kept: K,
    frontier: VecDeque<M::State>,
    expanded: u32,
    most_states: usize,
    steps: usize,
    /// Whether a state was not admitted.
    is_cut: bool,
    /// Whether there was no room for a state, or no time for a step.
    is_full: bool,
}

impl<'m, M: Model> Explorer<'m, M> {
    /// Starts an exploration that keeps at most `most_states` states, and the steps between them.
    #[must_use]
    pub fn new(model: &'m M, most_states: usize) -> Self {
        Self::keeping(Recording::new(), model, most_states)
    }

    /// The states reached so far, in breadth-first order.
    #[must_use]
    pub fn reached(&self) -> &[M::State] {
        self.kept.states()
    }

    /// Ends the exploration. What was not expanded makes the graph incomplete.
    #[must_use]
    pub fn into_graph(self) -> Graph<M::State> {
        let complete = self.is_complete();
        self.kept.into_graph(complete)
    }
}

impl<'m, M: Model, K: Keep<M>> Explorer<'m, M, K> {
    fn keeping(kept: K, model: &'m M, most_states: usize) -> Self {
        let mut explorer = Self {
            model,
            kept,
            frontier: VecDeque::new(),
            expanded: 0,
            // Numbers are 32 bits wide.
            most_states: most_states.min(u32::MAX as usize - 1),
            steps: 0,
            is_cut: false,
            is_full: false,
        };
        model.initial(&mut |state| explorer.reach(state, None));
        explorer
    }

    /// Expands up to `states` more states. True once nothing is left that it could expand.
    pub fn advance(&mut self, states: usize) -> bool {
        let model = self.model;
        let most_steps = self.most_states.saturating_mul(MOST_STEPS_A_STATE);
        for _ in 0..states {
            if self.steps > most_steps && !self.frontier.is_empty() {
                self.is_full = true;
                self.frontier.clear();
            }
            let Some(state) = self.frontier.pop_front() else {
                break;
            };
            let from = Some(self.expanded);
            model.steps(&state, &mut |_, to| {
                self.steps += 1;
                self.reach(to, from);
            });
            self.kept.expanded();
            self.expanded += 1;
        }
        self.frontier.is_empty()
    }

    /// States reached so far.
    #[must_use]
    pub fn states(&self) -> usize {
        self.kept.states()
    }

    /// Whether something was left out because there was no room for a state or no time for a step.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    fn is_complete(&self) -> bool {
        self.frontier.is_empty() && !self.is_cut && !self.is_full
    }

    fn reach(&mut self, state: M::State, from: Option<u32>) {
        if !self.model.admits(&state) {
            self.is_cut = true;
            return;
        }
        let has_room = self.kept.states() < self.most_states;
        match self.kept.reach(self.model, state, from, has_room) {
            Met::New => self.frontier.push_back(state),
            Met::Known => {}
            Met::NoRoom => self.is_full = true,
        }
    }
}

/// Explores `model` to the end, keeping at most `most_states` states, and the steps between them.
#[must_use]
pub fn explore<M: Model>(model: &M, most_states: usize) -> Graph<M::State> {
    let mut explorer = Explorer::new(model, most_states);
    explorer.advance(usize::MAX);
    explorer.into_graph()
}

/// Explores `model` to the end, keeping what states there are and no more, in at most `most_bytes` of memory.
#[must_use]
pub fn survey<M: Model>(model: &M, most_bytes: usize) -> Reached<'_, M> {
    let (reached, most_states) = Reached::within(model, most_bytes);
    let mut explorer = Explorer::keeping(reached, model, most_states);
    explorer.advance(usize::MAX);
    let complete = explorer.is_complete();
    explorer.kept.finish(complete)
}
