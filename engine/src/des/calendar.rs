//! What is going to happen, in order.

use super::heap::{IndexedHeap, key, parts};
use super::lanes::Lanes;
use super::time::Time;

/// A lane of the calendar: there are 3, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane(pub u8);

/// A place in the calendar that can be cancelled. Cancelling one that has rung or was cancelled does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Appointment {
    slot: u32,
    generation: u32,
}

#[derive(Clone, Debug)]
struct Slot<E> {
    generation: u32,
    event: E,
}

/// Events in the order of their time; those of the same instant in the order in which they were scheduled.
#[derive(Clone, Debug)]
pub struct Calendar<E> {
    heap: IndexedHeap,
    lanes: Lanes,
    slots: Vec<Slot<E>>,
    free: Vec<u32>,
    sequence: u64,
}

impl<E: Copy> Calendar<E> {
    /// An empty calendar that holds `capacity` events before it allocates again.
    pub fn with_capacity(capacity: usize) -> Self {
        Calendar {
            heap: IndexedHeap::with_capacity(capacity),
            lanes: Lanes::with_capacity(capacity),
            slots: Vec::with_capacity(capacity),
            free: Vec::with_capacity(capacity),
            sequence: 0,
        }
    }

    /// How many events are to come.
    pub fn len(&self) -> usize {
        self.heap.len() + self.lanes.len()
    }

    /// Whether nothing is to come.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The next number in the order of scheduling. Whatever competes with the calendar for being next takes one too.
    pub fn next_sequence(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }

    /// Enters `event` at the instant `at`.
    pub fn schedule(&mut self, at: Time, event: E) -> Appointment {
        let sequence = self.next_sequence();
        let appointment = self.book(event);
        self.heap.insert(appointment.slot, key(at.0, sequence));
        appointment
    }

    /// Enters `event` at the instant `at`: the same as [`Calendar::schedule`], at a lower price where the events of a lane
    /// are entered in the order in which they come, as timers of one fixed span are.
    ///
    /// # Panics
    /// When there is no such lane.
    pub fn line_up(&mut self, lane: Lane, at: Time, event: E) -> Appointment {
        let sequence = self.next_sequence();
        let appointment = self.book(event);
        let key = key(at.0, sequence);
        if !self.lanes.push(lane.0 as usize, appointment.slot, key) {
            self.heap.insert(appointment.slot, key);
        }
        appointment
    }

    /// Finds room for an event.
    fn book(&mut self, event: E) -> Appointment {
        let slot = match self.free.pop() {
            Some(slot) => {
                self.slots[slot as usize].event = event;
                slot
            }
            None => {
                self.slots.push(Slot {
                    generation: 0,
                    event,
                });
                self.slots.len() as u32 - 1
            }
        };
        Appointment {
            slot,
            generation: self.slots[slot as usize].generation,
        }
    }

    /// Strikes an event; returns when it would have come, or nothing when it has already passed.
    pub fn cancel(&mut self, appointment: Appointment) -> Option<Time> {
        if self.slots[appointment.slot as usize].generation != appointment.generation {
            return None;
        }
        let slot = appointment.slot;
        let key = match self.lanes.key(slot) {
            Some(key) => {
                self.lanes.remove(slot);
                key
            }
            None => {
                let key = self.heap.key(slot)?;
                self.heap.remove(slot);
                key
            }
        };
        self.release(slot);
        Some(Time(parts(key).0))
    }

    /// When the next event comes, and its number in the order of scheduling.
    pub fn next(&self) -> Option<(Time, u64)> {
        if self.is_empty() {
            return None;
        }
        let (first, _) = self.lanes.first();
        let first = self.heap.first().map_or(first, |(key, _)| key.min(first));
        let (at, sequence) = parts(first);
        Some((Time(at), sequence))
    }

    /// Takes out the next event.
    pub fn pop(&mut self) -> Option<(Time, E)> {
        let (in_lane, lane) = self.lanes.first();
        let (key, slot) = match self.heap.first() {
            Some((key, _)) if key < in_lane => self.heap.pop()?,
            None if self.lanes.len() == 0 => return None,
            _ => (in_lane, self.lanes.pop(lane)),
        };
        let event = self.slots[slot as usize].event;
        self.release(slot);
        Some((Time(parts(key).0), event))
    }

    fn release(&mut self, slot: u32) {
        let generation = &mut self.slots[slot as usize].generation;
        *generation = generation.wrapping_add(1);
        self.free.push(slot);
    }
}
