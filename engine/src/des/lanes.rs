//! Queues of entries that mostly come in the order of their keys already.

use super::heap::Key;

/// How many there are: for the windows of tickets, and the timeouts of two classes of clients.
pub(super) const LANES: usize = 3;

/// The key of the first in an empty lane: after all others.
const NEVER: Key = Key::MAX;

/// No entry.
const NONE: u32 = u32::MAX;

/// An entry between its neighbours in its lane.
#[derive(Clone, Copy, Debug)]
struct Link {
    key: Key,
    lane: u8,
    before: u32,
    after: u32,
}

/// A link that is in no lane.
const OUTSIDE: Link = Link {
    key: NEVER,
    lane: u8::MAX,
    before: NONE,
    after: NONE,
};

/// Lists threaded through one table; each `id` is in one of them at most once. Where an entry's key is not below that of
/// the last in its lane there is nothing to sort: it goes in, and out from anywhere, at a fixed price.
#[derive(Clone, Debug)]
pub(super) struct Lanes {
    links: Vec<Link>,
    keys: [Key; LANES],
    first: [u32; LANES],
    last: [u32; LANES],
    len: usize,
}

impl Lanes {
    pub fn with_capacity(capacity: usize) -> Self {
        Lanes {
            links: Vec::with_capacity(capacity),
            keys: [NEVER; LANES],
            first: [NONE; LANES],
            last: [NONE; LANES],
            len: 0,
        }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// The least key, or the greatest there is when all lanes are empty, and its lane.
    pub fn first(&self) -> (Key, usize) {
        let mut least = (NEVER, 0);
        for (lane, &key) in self.keys.iter().enumerate() {
            if key < least.0 {
                least = (key, lane);
            }
        }
        least
    }

    pub fn key(&self, id: u32) -> Option<Key> {
        let link = self.links.get(id as usize)?;
        (link.lane != OUTSIDE.lane).then_some(link.key)
    }

    /// Puts an entry at the end of a lane, unless it would come before the last one there; returns whether it did.
    pub fn push(&mut self, lane: usize, id: u32, key: Key) -> bool {
        let last = self.last[lane];
        if last == NONE {
            self.first[lane] = id;
            self.keys[lane] = key;
        } else {
            let last = &mut self.links[last as usize];
            if last.key > key {
                return false;
            }
            last.after = id;
        }
        if id as usize >= self.links.len() {
            self.links.resize(id as usize + 1, OUTSIDE);
        }
        self.links[id as usize] = Link {
            key,
            lane: lane as u8,
            before: last,
            after: NONE,
        };
        self.last[lane] = id;
        self.len += 1;
        true
    }

    /// Takes the first out of a lane that is not empty.
    pub fn pop(&mut self, lane: usize) -> u32 {
        let id = self.first[lane];
        self.remove(id);
        id
    }

    /// Takes an entry out, if it is in a lane.
    pub fn remove(&mut self, id: u32) {
        let Some(link) = self.links.get_mut(id as usize) else {
            return;
        };
        let Link {
            lane,
            before,
            after,
            ..
        } = std::mem::replace(link, OUTSIDE);
        let lane = lane as usize;
        if lane == OUTSIDE.lane as usize {
            return;
        }
        self.len -= 1;
        match self.links.get_mut(after as usize) {
            Some(next) => next.before = before,
            None => self.last[lane] = before,
        }
        match self.links.get_mut(before as usize) {
            Some(previous) => previous.after = after,
            None => {
                self.first[lane] = after;
                self.keys[lane] = self
                    .links
                    .get(after as usize)
                    .map_or(NEVER, |next| next.key);
            }
        }
    }
}
