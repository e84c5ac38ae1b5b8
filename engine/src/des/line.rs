//! A queue in front of a number of permits.

use std::collections::VecDeque;

use super::graph::TaskId;
use super::level::Level;
use super::time::Time;

/// First come, first served, to a number of permits: c servers, or the tickets of an execution control system.
#[derive(Clone, Debug)]
pub struct Line {
    permits: u32,
    in_use: u32,
    bound: u32,
    waiting: VecDeque<TaskId>,
    acquisitions: u64,
    waits: u64,
    level: Level,
}

impl Line {
    /// A line with `permits` and room for `bound` waiting tasks.
    pub fn new(permits: u32, bound: u32) -> Self {
        Line {
            permits,
            in_use: 0,
            bound,
            waiting: VecDeque::with_capacity((bound as usize).saturating_add(256).min(1 << 14)),
            acquisitions: 0,
            waits: 0,
            level: Level::default(),
        }
    }

    /// How many permits there are. Fewer than are in use means that some will not be handed on.
    pub fn permits(&self) -> u32 {
        self.permits
    }

    /// How many permits tasks hold.
    pub fn in_use(&self) -> u32 {
        self.in_use
    }

    /// How many waiting tasks the line has room for.
    pub fn bound(&self) -> u32 {
        self.bound
    }

    /// How many tasks wait.
    pub fn waiting(&self) -> u32 {
        self.waiting.len() as u32
    }

    /// Whether a task that comes now finds no room. It is for the logic before the line to ask; the line itself takes
    /// whatever is sent to it, so that a task that has been admitted can come back to it.
    pub fn is_full(&self) -> bool {
        self.waiting() >= self.bound && self.in_use >= self.permits
    }

    /// How many times a permit has been acquired.
    pub fn acquisitions(&self) -> u64 {
        self.acquisitions
    }

    /// How many times a task that came had to wait.
    pub fn waits(&self) -> u64 {
        self.waits
    }

    /// The waiting tasks summed over time up to `now`, in task-seconds: differences of it over an interval give the
    /// mean number waiting.
    pub fn wait_area(&self, now: Time) -> f64 {
        self.level.area(now)
    }

    /// Changes the room for waiting tasks. Those that wait already stay.
    pub fn set_bound(&mut self, bound: u32) {
        self.bound = bound;
    }

    pub(super) fn set_permits(&mut self, permits: u32) {
        self.permits = permits;
    }

    /// Returns whether the task has a permit at once.
    pub(super) fn join(&mut self, now: Time, task: TaskId) -> bool {
        if self.in_use < self.permits && self.waiting.is_empty() {
            self.in_use += 1;
            self.acquisitions += 1;
            return true;
        }
        self.waits += 1;
        self.waiting.push_back(task);
        self.account(now);
        false
    }

    pub(super) fn release(&mut self) {
        debug_assert!(self.in_use > 0);
        self.in_use -= 1;
    }

    pub(super) fn grant(&mut self, now: Time) -> Option<TaskId> {
        if self.in_use >= self.permits || self.waiting.is_empty() {
            return None;
        }
        self.in_use += 1;
        self.acquisitions += 1;
        self.withdraw_first(now)
    }

    pub(super) fn withdraw_first(&mut self, now: Time) -> Option<TaskId> {
        let task = self.waiting.pop_front();
        self.account(now);
        task
    }

    fn account(&mut self, now: Time) {
        self.level.set(now, self.waiting.len() as u64);
    }
}
