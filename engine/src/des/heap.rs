//! A priority queue whose entries can be taken out from the middle.

/// First by the upper half, then by the lower: two numbers in one are compared without a branch.
pub(super) type Key = u128;

/// The key that orders by `first`, then by `second`.
pub(super) fn key(first: u64, second: u64) -> Key {
    u128::from(first) << 64 | u128::from(second)
}

/// What a key orders by first, and then.
pub(super) fn parts(key: Key) -> (u64, u64) {
    ((key >> 64) as u64, key as u64)
}

const ABSENT: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: Key,
    id: u32,
}

/// The smallest key first; each `id` is in it at most once. Four children a node: fewer levels than two, and the
/// children share a cache line or two.
#[derive(Clone, Debug, Default)]
pub(super) struct IndexedHeap {
    entries: Vec<Entry>,
    positions: Vec<u32>,
}

impl IndexedHeap {
    pub fn with_capacity(capacity: usize) -> Self {
        IndexedHeap {
            entries: Vec::with_capacity(capacity),
            positions: Vec::with_capacity(capacity),
        }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn first(&self) -> Option<(Key, u32)> {
        self.entries.first().map(|entry| (entry.key, entry.id))
    }

    pub fn key(&self, id: u32) -> Option<Key> {
        let position = *self.positions.get(id as usize)?;
        (position != ABSENT).then(|| self.entries[position as usize].key)
    }

    pub fn insert(&mut self, id: u32, key: Key) {
        if id as usize >= self.positions.len() {
            self.positions.resize(id as usize + 1, ABSENT);
        }
        debug_assert_eq!(self.positions[id as usize], ABSENT);
        let entry = Entry { key, id };
        self.entries.push(entry);
        self.rise(self.entries.len() - 1, entry);
    }

    pub fn pop(&mut self) -> Option<(Key, u32)> {
        let first = self.first()?;
        self.remove(first.1);
        Some(first)
    }

    pub fn remove(&mut self, id: u32) -> bool {
        let Some(&position) = self.positions.get(id as usize) else {
            return false;
        };
        if position == ABSENT {
            return false;
        }
        self.positions[id as usize] = ABSENT;
        let position = position as usize;
        let last = self
            .entries
            .pop()
            .expect("a stored position means an entry");
        if position == self.entries.len() {
            return true;
        }
        if position > 0 && last.key < self.entries[(position - 1) / 4].key {
            self.rise(position, last);
        } else {
            self.sink(position, last);
        }
        true
    }

    fn place(&mut self, position: usize, entry: Entry) {
        self.entries[position] = entry;
        self.positions[entry.id as usize] = position as u32;
    }

    fn rise(&mut self, mut position: usize, entry: Entry) {
        while position > 0 {
            let parent = (position - 1) / 4;
            if self.entries[parent].key <= entry.key {
                break;
            }
            self.place(position, self.entries[parent]);
            position = parent;
        }
        self.place(position, entry);
    }

    fn sink(&mut self, mut position: usize, entry: Entry) {
        loop {
            let children = 4 * position + 1;
            let end = (children + 4).min(self.entries.len());
            if children >= end {
                break;
            }
            let mut least = children;
            for child in children + 1..end {
                if self.entries[child].key < self.entries[least].key {
                    least = child;
                }
            }
            if entry.key <= self.entries[least].key {
                break;
            }
            self.place(position, self.entries[least]);
            position = least;
        }
        self.place(position, entry);
    }
}
