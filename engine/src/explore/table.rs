//! States numbered in the order in which they came, and found again by hash.

use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash};

/// The states, and which number each has.
pub(super) struct Table<S> {
    states: Vec<S>,
    index: hashbrown::HashTable<u32>,
}

impl<S: Copy + Eq + Hash> Table<S> {
    /// Bytes that a state takes, while the table doubles and with the index half empty.
    pub(super) const BYTES_A_STATE: usize = 2 * size_of::<S>() + 3 * 5;

    pub(super) fn new() -> Self {
        Self {
            states: Vec::new(),
            index: hashbrown::HashTable::new(),
        }
    }

    pub(super) fn states(&self) -> &[S] {
        &self.states
    }

    pub(super) fn into_states(self) -> Vec<S> {
        self.states
    }

    /// The number of a state that may be there.
    pub(super) fn find(&self, state: &S) -> Option<u32> {
        let states = &self.states;
        let is_it = |&i: &u32| states[i as usize] == *state;
        self.index
            .find(FxBuildHasher.hash_one(state), is_it)
            .copied()
    }

    /// The number of `state`, and whether it is new; `None` if it is and there is no room for it.
    pub(super) fn insert(&mut self, state: S, has_room: bool) -> Option<(u32, bool)> {
        let hash = FxBuildHasher.hash_one(state);
        let states = &self.states;
        if let Some(&known) = self.index.find(hash, |&i| states[i as usize] == state) {
            return Some((known, false));
        }
        if !has_room {
            return None;
        }
        let new = self.states.len() as u32;
        self.states.push(state);
        let states = &self.states;
        self.index
            .insert_unique(hash, new, |&i| FxBuildHasher.hash_one(states[i as usize]));
        Some((new, true))
    }
}
