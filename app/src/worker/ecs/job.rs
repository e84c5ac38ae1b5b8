//! One simulation or experiment at a time.

use super::{Request, Response};
use crate::worker::{Event, Worker};
use leptos::prelude::*;
use std::rc::Rc;

/// How a piece of work stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Status {
    /// Nothing was asked yet.
    #[default]
    Idle,
    /// At work; how much is done, 0 to 1.
    Working(f64),
    /// Done.
    Done,
    /// Cancelled; what it found is kept.
    Cancelled,
    /// What was asked makes no sense; the engine's words.
    Refused(String),
    /// The worker broke; the text says why. What it found is kept.
    Failed(String),
}

impl Status {
    /// Whether it is at work.
    #[must_use]
    pub fn is_working(&self) -> bool {
        matches!(self, Status::Working(_))
    }
}

type Hear = Rc<dyn Fn(Response)>;

/// A place for one simulation or experiment, in a worker. To start another ends the one before. A worker that has done
/// its work is kept for the next.
#[derive(Clone, Copy)]
pub struct Job {
    worker: StoredValue<Option<Worker<Request>>, LocalStorage>,
    hear: StoredValue<Option<Hear>, LocalStorage>,
    status: RwSignal<Status>,
}

impl Job {
    /// A place where nothing is at work. It ends with its owner, and so does its work.
    #[must_use]
    pub fn new() -> Self {
        Self {
            worker: StoredValue::new_local(None),
            hear: StoredValue::new_local(None),
            status: RwSignal::new(Status::Idle),
        }
    }

    /// How it stands.
    #[must_use]
    pub fn status(self) -> Signal<Status> {
        self.status.into()
    }

    /// Asks for `request`. `hear` hears every finding; progress and the end are the job's own.
    pub fn start(self, request: Request, hear: impl Fn(Response) + 'static) {
        if self.status.with_untracked(Status::is_working) {
            self.worker.set_value(None);
        }
        self.hear.set_value(Some(Rc::new(hear)));
        self.status.set(Status::Working(0.0));
        let asked = self.worker.try_update_value(|worker| {
            worker
                .get_or_insert_with(|| Worker::new(move |event| self.on_event(event)))
                .request(&request)
        });
        if let Some(Err(why)) = asked {
            self.status.set(Status::Failed(why));
        }
    }

    /// Ends the work where it is.
    pub fn cancel(self) {
        if self.status.with_untracked(Status::is_working) {
            self.worker.set_value(None);
            self.status.set(Status::Cancelled);
        }
    }

    fn on_event(self, event: Event<Response>) {
        match event {
            Event::Answer(response) => match response {
                Response::Progress(share) => {
                    self.status.set(Status::Working(share));
                }
                Response::Done => {
                    self.status.set(Status::Done);
                }
                Response::Refused(why) => {
                    self.status.set(Status::Refused(why));
                }
                found => {
                    // Not held while it is called: it may start the next piece of work.
                    if let Some(hear) = self.hear.try_get_value().flatten() {
                        hear(found);
                    }
                }
            },
            Event::Failed(why) => {
                self.status.set(Status::Failed(why));
            }
        }
    }
}

impl Default for Job {
    fn default() -> Self {
        Self::new()
    }
}
