//! What is going to happen, in order.

use super::heap::IndexedHeap;
use super::time::Time;

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
    slots: Vec<Slot<E>>,
    free: Vec<u32>,
    sequence: u64,
}

impl<E: Copy> Calendar<E> {
    /// An empty calendar that holds `capacity` events before it allocates again.
    pub fn with_capacity(capacity: usize) -> Self {
        Calendar {
            heap: IndexedHeap::with_capacity(capacity),
            slots: Vec::with_capacity(capacity),
            free: Vec::with_capacity(capacity),
            sequence: 0,
        }
    }

    /// How many events are to come.
    pub fn len(&self) -> usize {
        self.heap.len()
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
        self.heap.insert(slot, (at.0, sequence));
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
        let (at, _) = self.heap.key(appointment.slot)?;
        self.heap.remove(appointment.slot);
        self.release(appointment.slot);
        Some(Time(at))
    }

    /// When the next event comes, and its number in the order of scheduling.
    pub fn next(&self) -> Option<(Time, u64)> {
        self.heap
            .first()
            .map(|((at, sequence), _)| (Time(at), sequence))
    }

    /// Takes out the next event.
    pub fn pop(&mut self) -> Option<(Time, E)> {
        let ((at, _), slot) = self.heap.pop()?;
        let event = self.slots[slot as usize].event;
        self.release(slot);
        Some((Time(at), event))
    }

    fn release(&mut self, slot: u32) {
        let generation = &mut self.slots[slot as usize].generation;
        *generation = generation.wrapping_add(1);
        self.free.push(slot);
    }
}
