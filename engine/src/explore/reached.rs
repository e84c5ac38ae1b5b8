//! The bare set of the states that a model reaches: what a verdict needs, and no steps.
//!
//! Where the model gives out codes, the set is a bit a code; else it is a table of states. Steps are worked out again where
//! they are asked for.

use super::components::{Digraph, each_cyclic};
use super::table::Table;
use super::{Keep, Met, Model};
use std::ops::ControlFlow;

/// Most codes that are given a bit each: 32 MiB of them.
const MOST_CODES: u64 = 1 << 28;

/// Bytes a state that a search for cycles takes, its stacks included.
const SEARCH_BYTES: usize = 8;

/// The states that a model reaches.
pub struct Reached<'m, M: Model> {
    model: &'m M,
    set: Set<M::State>,
    complete: bool,
}

enum Set<S> {
    Bits(Bits),
    Table(Table<S>),
}

/// A set of codes.
struct Bits {
    words: Vec<u64>,
    count: usize,
    /// How many codes are in the set before each block of words, once it is whole.
    before: Vec<u32>,
}

/// Words of a block.
const BLOCK: usize = 8;

impl Bits {
    fn new(codes: u64) -> Self {
        Self {
            words: vec![0; codes.div_ceil(64) as usize],
            count: 0,
            before: Vec::new(),
        }
    }

    fn contains(&self, code: u64) -> bool {
        self.words[(code / 64) as usize] >> (code % 64) & 1 == 1
    }

    /// Puts a code in that is not there.
    fn insert(&mut self, code: u64) {
        self.words[(code / 64) as usize] |= 1 << (code % 64);
        self.count += 1;
    }

    fn number(&mut self) {
        let mut before = 0;
        self.before = Vec::with_capacity(self.words.len().div_ceil(BLOCK));
        for block in self.words.chunks(BLOCK) {
            self.before.push(before);
            before += block.iter().map(|word| word.count_ones()).sum::<u32>();
        }
    }

    /// How many codes in the set are below `code`.
    fn rank(&self, code: u64) -> usize {
        let word = (code / 64) as usize;
        let block = word / BLOCK;
        let whole = self.words[block * BLOCK..word].iter();
        let below = self.words[word] & !(u64::MAX << (code % 64));
        let within = whole.map(|word| word.count_ones()).sum::<u32>() + below.count_ones();
        (self.before[block] + within) as usize
    }

    fn codes(&self) -> impl Iterator<Item = u64> {
        (0..).zip(&self.words).flat_map(|(i, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(i * 64 + u64::from(bit))
            })
        })
    }
}

impl<'m, M: Model> Reached<'m, M> {
    /// An empty set, and the number of states for which `most_bytes` leave room.
    pub(super) fn within(model: &'m M, most_bytes: usize) -> (Self, usize) {
        let is_coded = |codes: &u64| {
            let bytes = codes.div_ceil(8) as usize;
            *codes <= MOST_CODES && bytes <= most_bytes / 2
        };
        let (set, room) = match model.codes().filter(is_coded) {
            Some(codes) => {
                let bytes = codes.div_ceil(8) as usize;
                let left = most_bytes - bytes - bytes / 16;
                (Set::Bits(Bits::new(codes)), left / SEARCH_BYTES)
            }
            None => {
                let bytes = Table::<M::State>::BYTES_A_STATE + SEARCH_BYTES;
                (Set::Table(Table::new()), most_bytes / bytes)
            }
        };
        let complete = false;
        (
            Self {
                model,
                set,
                complete,
            },
            room,
        )
    }

    pub(super) fn finish(mut self, complete: bool) -> Self {
        if let Set::Bits(bits) = &mut self.set {
            bits.number();
        }
        self.complete = complete;
        self
    }

    /// How many states there are.
    #[must_use]
    pub fn states(&self) -> usize {
        match &self.set {
            Set::Bits(bits) => bits.count,
            Set::Table(table) => table.states().len(),
        }
    }

    /// Whether every reachable state is here.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Whether some state satisfies `is_wanted`.
    pub fn holds(&self, is_wanted: impl Fn(&M::State) -> bool) -> bool {
        self.nodes().any(|node| is_wanted(&self.state(node)))
    }

    /// Whether a state that satisfies `is_wanted` lies on a cycle.
    pub fn has_cycle_through(&self, is_wanted: impl Fn(&M::State) -> bool) -> bool {
        each_cyclic(
            self,
            |_| true,
            |nodes| match nodes.iter().any(|&node| is_wanted(&self.state(node))) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            },
        )
        .is_break()
    }

    /// Whether some cycle lies wholly in the states that satisfy `is_in`.
    pub fn has_cycle_within(&self, is_in: impl Fn(&M::State) -> bool) -> bool {
        each_cyclic(
            self,
            |node| is_in(&self.state(node)),
            |_| ControlFlow::Break(()),
        )
        .is_break()
    }

    /// The state of a node: its code, or its number.
    fn state(&self, node: u32) -> M::State {
        match &self.set {
            Set::Bits(_) => self.model.decode(node.into()),
            Set::Table(table) => table.states()[node as usize],
        }
    }

    /// The node of a state, if it is here.
    fn node(&self, state: &M::State) -> Option<u32> {
        match &self.set {
            Set::Bits(bits) => {
                let code = self.model.admits(state).then(|| self.model.encode(state));
                code.filter(|&code| bits.contains(code))
                    .map(|code| code as u32)
            }
            Set::Table(table) => table.find(state),
        }
    }
}

impl<M: Model> Keep<M> for Reached<'_, M> {
    #[inline]
    fn reach(&mut self, model: &M, state: M::State, _from: Option<u32>, has_room: bool) -> Met {
        match &mut self.set {
            Set::Bits(bits) => {
                let code = model.encode(&state);
                if bits.contains(code) {
                    return Met::Known;
                }
                if !has_room {
                    return Met::NoRoom;
                }
                bits.insert(code);
                Met::New
            }
            Set::Table(table) => match table.insert(state, has_room) {
                Some((_, true)) => Met::New,
                Some((_, false)) => Met::Known,
                None => Met::NoRoom,
            },
        }
    }

    fn states(&self) -> usize {
        Reached::states(self)
    }
}

impl<M: Model> Digraph for Reached<'_, M> {
    fn count(&self) -> usize {
        self.states()
    }

    fn nodes(&self) -> impl Iterator<Item = u32> {
        let (codes, numbers) = match &self.set {
            Set::Bits(bits) => (Some(bits.codes()), 0),
            Set::Table(table) => (None, table.states().len() as u32),
        };
        let codes = codes.into_iter().flatten().map(|code| code as u32);
        codes.chain(0..numbers)
    }

    fn place(&self, node: u32) -> usize {
        match &self.set {
            Set::Bits(bits) => bits.rank(node.into()),
            Set::Table(_) => node as usize,
        }
    }

    fn each_successor(&self, node: u32, each: &mut impl FnMut(u32)) {
        self.model.steps(&self.state(node), &mut |_, to| {
            if let Some(to) = self.node(&to) {
                each(to);
            }
        });
    }
}
