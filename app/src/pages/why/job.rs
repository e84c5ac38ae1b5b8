//! Long work in a worker.

use crate::ui::{Broken, Progress};
use crate::worker::why::{Request, Response};
use crate::worker::{Event, Worker};
use leptos::prelude::*;
use std::cell::Cell;
use std::rc::Rc;

/// How a [`Job`] stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Nothing is under way.
    Idle,
    /// It works.
    Working,
    /// It was ended before its end.
    Cancelled,
    /// It could not be done; why, in words for the reader.
    Failed(String),
}

/// At most one piece of long work at a time. Asking anew ends what is under way.
#[derive(Clone, Copy)]
pub struct Job {
    workers: StoredValue<Vec<Worker<Request>>, LocalStorage>,
    /// How it stands.
    pub status: RwSignal<Status>,
    /// Counts what was asked for, so that late answers to earlier questions are known.
    asked: StoredValue<u64>,
    /// What was asked for last, for another try.
    last: StoredValue<Option<Question>, LocalStorage>,
}

/// Requests, and who hears the answers.
type Question = (Vec<Request>, Rc<dyn Fn(usize, Response) -> bool>);

impl Job {
    /// Nothing under way.
    pub fn new() -> Self {
        Self {
            workers: StoredValue::new_local(Vec::new()),
            status: RwSignal::new(Status::Idle),
            asked: StoredValue::new(0),
            last: StoredValue::new_local(None),
        }
    }

    /// Asks for `request`. `on_answer` hears each answer, and says whether it was the last.
    pub fn ask(self, request: Request, on_answer: impl Fn(Response) -> bool + 'static) {
        self.share(
            vec![request],
            Rc::new(move |_, response| on_answer(response)),
        );
    }

    /// Asks for all of `requests` at once, each of a worker of its own. `on_answer` hears each answer and which request it
    /// is to, and says whether it was the last to that one.
    pub fn share(self, requests: Vec<Request>, on_answer: Rc<dyn Fn(usize, Response) -> bool>) {
        self.end();
        self.last
            .set_value(Some((requests.clone(), on_answer.clone())));
        self.status.set(Status::Working);
        let mine = self.asked.get_value();
        let open = Rc::new(Cell::new(requests.len()));
        let ask = |(part, request)| {
            let (open, on_answer) = (open.clone(), on_answer.clone());
            let worker = Worker::new(move |event| {
                if self.asked.try_get_value() != Some(mine) {
                    return;
                }
                match event {
                    Event::Answer(response) => {
                        if on_answer(part, response) {
                            open.set(open.get() - 1);
                        }
                        if open.get() == 0 {
                            self.status.set(Status::Idle);
                        }
                    }
                    Event::Failed(why) => self.fail(why),
                }
            });
            worker.request(&request)?;
            Ok(worker)
        };
        match requests.into_iter().enumerate().map(ask).collect() {
            Ok(workers) => self.workers.set_value(workers),
            Err(why) => self.fail(why),
        }
    }

    /// Asks for the same as before, of new workers.
    fn retry(self) {
        if let Some((requests, on_answer)) = self.last.get_value() {
            self.share(requests, on_answer);
        }
    }

    /// Ends what is under way.
    pub fn cancel(self) {
        self.end();
        self.status.set(Status::Cancelled);
    }

    /// Ends what is under way, whose answer nobody waits for any more.
    pub fn forget(self) {
        self.end();
        self.status.set(Status::Idle);
    }

    /// Ends all that is under way, since without one part the answer is not whole.
    fn fail(self, why: String) {
        self.end();
        self.status.set(Status::Failed(why));
    }

    fn end(self) {
        self.asked.update_value(|n| *n += 1);
        self.workers.set_value(Vec::new());
    }
}

/// What a job says while it works, where it failed, and how to end it.
#[component]
pub fn JobLine(
    /// The job.
    job: Job,
    /// How far it is: a share from 0 to 1, where that is known.
    #[prop(into)]
    share: Signal<Option<f64>>,
    /// What it does, such as "Drawing the map".
    what: &'static str,
) -> impl IntoView {
    view! {
        <div class="job">
            {move || match job.status.get() {
                Status::Idle => None,
                Status::Working => {
                    let share = Signal::derive(move || share.get().unwrap_or(0.0) as f32);
                    Some(view! { <Progress label=what share on_cancel=move || job.cancel() /> }.into_any())
                }
                Status::Cancelled => {
                    Some(view! { <span class="quiet">"Cancelled; what is known stays."</span> }.into_any())
                }
                Status::Failed(why) => {
                    Some(view! { <Broken why again=move || job.retry() /> }.into_any())
                }
            }}
        </div>
    }
}
