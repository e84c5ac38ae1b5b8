//! The verdict on a start that the reader changes.

use super::job::{Job, JobLine};
use super::study::CAP;
use crate::sight::Sight;
use crate::study::{ByRuns, Judging, is_quick};
use crate::worker::why::{Request, Response};
use engine::retrier_server::{Config, State, Verdict};
use leptos::prelude::*;

/// What is judged: a round start, and the laws.
pub type Start = (Config, State);

/// A verdict that follows its start: found at once where that takes no time, else by the worker while it is in sight.
#[derive(Clone, Copy)]
pub struct Judged {
    /// The verdict, once it is known.
    pub verdict: Signal<Option<Verdict>>,
    job: Job,
}

impl Judged {
    /// Of a start, for what is in sight there.
    pub fn new(start: Signal<Start>, sight: Sight) -> Self {
        let job = Job::new();
        let at_once = Memo::new(move |_| {
            let (config, start) = start.get();
            let quick = is_quick(&config, start.qf, start.qd);
            let judgement = quick.then(|| ByRuns::judge(&config, &start)).flatten();
            judgement.map(|judgement| judgement.verdict)
        });
        let found = RwSignal::new(None::<(Start, Verdict)>);
        sight.effect(move || {
            let asked = start.get();
            if at_once.get().is_some() {
                job.forget();
                return;
            }
            let (config, start) = asked;
            job.ask(Request::Verdict(config, start, CAP), move |response| {
                if let Response::Verdict(verdict) = response {
                    found.set(Some((asked, verdict)));
                }
                true
            });
        });
        let verdict = Signal::derive(move || {
            at_once.get().or_else(|| {
                // One that was found of another start is not shown for this one.
                let now = start.get();
                let (of, verdict) = found.get()?;
                (of == now).then_some(verdict)
            })
        });
        Self { verdict, job }
    }

    /// What is said while the worker is at it.
    pub fn line(self) -> impl IntoView {
        view! { <JobLine job=self.job share=Signal::stored(None) what="Judging the start" /> }
    }
}
