//! Cores shared equally by all who run on them.

use super::graph::{TASKS, TaskId};
use super::heap::{IndexedHeap, key, parts};
use super::time::Time;

/// Processor sharing: with n tasks on C cores each progresses at `speed * min(1, C/n)`.
///
/// All tasks progress alike, so one *virtual time*, the work done so far for each of them, serves them all: a task that
/// enters with work w ends when virtual time has grown by w. The next to end is the smallest of these tags, and a task
/// that enters or leaves changes nothing for the others but the rate.
#[derive(Clone, Debug)]
pub struct Shared {
    cores: f64,
    speed: f64,
    rate: f64,
    virtual_time: f64,
    updated: Time,
    tags: IndexedHeap,
    marked: Vec<bool>,
    marked_running: u32,
    work: f64,
    marked_work: f64,
    due: (Time, u64),
    /// Whether something has changed since `rate` and `due` were worked out.
    is_stale: bool,
}

impl Shared {
    /// Idle cores at full speed.
    pub fn new(cores: f64) -> Self {
        Shared {
            cores,
            speed: 1.0,
            rate: 1.0,
            virtual_time: 0.0,
            updated: Time::ZERO,
            tags: IndexedHeap::with_capacity(TASKS),
            marked: Vec::with_capacity(TASKS),
            marked_running: 0,
            work: 0.0,
            marked_work: 0.0,
            due: (Time::NEVER, 0),
            is_stale: false,
        }
    }

    /// How many tasks run.
    pub fn running(&self) -> u32 {
        self.tags.len() as u32
    }

    /// The cores.
    pub fn cores(&self) -> f64 {
        self.cores
    }

    /// The speed of each core, 1 being healthy.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// The work done up to `now`, in core-seconds.
    pub fn work(&self, now: Time) -> f64 {
        (self.work + f64::from(self.running()) * self.progress(now)) / 1e9
    }

    /// The work done up to `now` for tasks while they were marked, in core-seconds.
    pub fn marked_work(&self, now: Time) -> f64 {
        (self.marked_work + f64::from(self.marked_running) * self.progress(now)) / 1e9
    }

    pub(super) fn due(&self) -> (Time, u64) {
        self.due
    }

    pub(super) fn set_capacity(&mut self, now: Time, cores: f64, speed: f64, sequence: u64) {
        self.elapse(now);
        self.cores = cores;
        self.speed = speed;
        self.changed(sequence);
    }

    pub(super) fn enter(
        &mut self,
        now: Time,
        task: TaskId,
        work: f64,
        marked: bool,
        sequence: u64,
    ) {
        self.elapse(now);
        // Positive floats keep their order as bit patterns.
        let tag = (self.virtual_time + work.max(0.0)).to_bits();
        self.tags.insert(task.0, key(tag, sequence));
        if task.0 as usize >= self.marked.len() {
            self.marked.resize(task.0 as usize + 1, false);
        }
        self.marked[task.0 as usize] = marked;
        self.marked_running += u32::from(marked);
        self.changed(sequence);
    }

    /// Takes a task off before its end and returns the work it has left, or nothing when it does not run here.
    pub(super) fn withdraw(&mut self, now: Time, task: TaskId, sequence: u64) -> Option<f64> {
        let (tag, _) = parts(self.tags.key(task.0)?);
        self.elapse(now);
        let left = (f64::from_bits(tag) - self.virtual_time).max(0.0);
        self.tags.remove(task.0);
        self.gone(task, sequence);
        Some(left)
    }

    /// Takes off the task that is due.
    pub(super) fn complete(&mut self, now: Time, sequence: u64) -> Option<TaskId> {
        self.elapse(now);
        let (_, id) = self.tags.pop()?;
        self.gone(TaskId(id), sequence);
        Some(TaskId(id))
    }

    pub(super) fn mark(&mut self, now: Time, task: TaskId) {
        if self.tags.key(task.0).is_none() || self.marked[task.0 as usize] {
            return;
        }
        self.elapse(now);
        self.marked[task.0 as usize] = true;
        self.marked_running += 1;
    }

    fn gone(&mut self, task: TaskId, sequence: u64) {
        self.marked_running -= u32::from(self.marked[task.0 as usize]);
        if self.tags.len() == 0 {
            // A fresh start whenever the cores fall idle keeps virtual time small, and so exact.
            self.virtual_time = 0.0;
        }
        self.changed(sequence);
    }

    /// Those who run, or their pace, have changed. Several changes in one instant count as the last of them.
    fn changed(&mut self, sequence: u64) {
        self.due.1 = sequence;
        self.is_stale = true;
    }

    fn progress(&self, now: Time) -> f64 {
        if self.tags.len() == 0 {
            0.0
        } else {
            (now - self.updated).0 as f64 * self.rate
        }
    }

    fn elapse(&mut self, now: Time) {
        if now == self.updated {
            return;
        }
        debug_assert!(!self.is_stale);
        let progress = self.progress(now);
        self.virtual_time += progress;
        self.work += f64::from(self.running()) * progress;
        self.marked_work += f64::from(self.marked_running) * progress;
        self.updated = now;
    }

    /// Works out the pace, and when the next task is done, if anything has changed: once all that an event brings about
    /// has come about, before time goes on.
    pub(super) fn reschedule(&mut self) {
        if !self.is_stale {
            return;
        }
        self.is_stale = false;
        let running = f64::from(self.running());
        self.rate = if running > self.cores {
            self.speed * self.cores / running
        } else {
            self.speed
        };
        self.due.0 = match self.tags.first() {
            Some((first, _)) if self.rate > 0.0 => {
                let left = (f64::from_bits(parts(first).0) - self.virtual_time).max(0.0);
                self.updated + Time::covering(left / self.rate)
            }
            _ => Time::NEVER,
        };
    }
}
