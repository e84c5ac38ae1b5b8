//! The guided story: a chapter at a time, with the dashboard's own figures, and the reader predicts before each is shown.

mod chapter;
mod chapters;
mod facts;
mod predict;
mod step;
mod trials;

use crate::address::{Address, Load, Shareable};
use crate::later::later;
use crate::pages::Page;
use chapter::{Reading, go_to};
use chapters::{
    admission, breaker, budget, contracts, drain, ending, escalation, fresh_first, metric, orbits,
    quiet, shock, trap,
};
use engine::FieldError;
use engine::query::{QueryReader, QueryWriter};
use leptos::html;
use leptos::prelude::*;
use predict::Predictions;
use step::Step;

/// The chapters, in the order of [`Step::ALL`].
const CHAPTERS: [fn() -> AnyView; Step::ALL.len()] = [
    drain::chapter,
    shock::chapter,
    orbits::chapter,
    trap::chapter,
    quiet::chapter,
    budget::chapter,
    fresh_first::chapter,
    metric::chapter,
    escalation::chapter,
    admission::chapter,
    breaker::chapter,
    contracts::chapter,
    ending::chapter,
];

/// The page.
#[component]
pub fn Story() -> impl IntoView {
    let reading = Reading::new();
    provide_context(reading);
    Predictions::provide();
    Address::get().follow(Page::Story, reading);
    let intro = NodeRef::<html::Header>::new();
    reading.watch(None, intro);
    view! {
        <div class="story">
            <header class="intro" node_ref=intro>
                <h1>"How a system stays broken after its trouble is over"</h1>
                <p class="lead">
                    "A shock hits, and passes. Nothing is faulty, there is room to spare, and still the system does not come "
                    "back. This is a story about why, in thirteen short chapters. Before each turn you say what you expect; "
                    "then the system itself is run in front of you."
                </p>
                <p class="note">
                    "Every number and every verdict below is computed on this page as you read it, by the engine behind the "
                    "other pages. The models are those of three essays; where an essay and the computation differ, the "
                    "story says so."
                </p>
            </header>
            <Contents />
            // What a chapter says is worked out as it is made.
            {CHAPTERS
                .into_iter()
                .map(|chapter| {
                    later(move || {
                        reading.arrives();
                        chapter()
                    })
                })
                .collect_view()}
            {move || {
                (reading.made.get() < CHAPTERS.len())
                    .then(|| view! { <p class="note" role="status">"What follows is being worked out."</p> })
            }}
        </div>
    }
}

/// The address holds the chapter that is read, as a place: to read on makes no entry in the history.
impl Shareable for Reading {
    fn write(&self, _: &mut QueryWriter) {}

    fn write_place(&self, query: &mut QueryWriter) {
        if let Some(step) = self.step.get() {
            query.put("at", step.name());
        }
    }

    fn read(&self, query: &mut QueryReader) -> Result<Load, FieldError> {
        let step = Step::read(query)?;
        let reading = *self;
        Ok(Box::new(move || reading.go(step)))
    }
}

/// The chapters as a row that stays in sight, the one being read marked and named.
#[component]
fn Contents() -> impl IntoView {
    let reading = expect_context::<Reading>().step;
    let named = move || {
        reading.get().map_or_else(
            || format!("{} chapters", Step::ALL.len()),
            |step| step.title().to_owned(),
        )
    };
    view! {
        <nav class="contents" aria-label="Chapters">
            <ol>
                {Step::ALL
                    .into_iter()
                    .map(|step| {
                        let current = move || (reading.get() == Some(step)).then_some("step");
                        let is_past = move || reading.get().is_some_and(|now| now.number() > step.number());
                        view! {
                            <li class:past=is_past>
                                <a
                                    href=step.address()
                                    aria-current=current
                                    title=step.title()
                                    // An address that is there already would not be heard.
                                    on:click=move |event| {
                                        if location().hash().is_ok_and(|hash| hash == step.address()) {
                                            event.prevent_default();
                                            go_to(step);
                                        }
                                    }
                                >
                                    <span aria-hidden="true">{step.number()}</span>
                                    <span class="only-heard">
                                        {format!("{}. {}", step.number(), step.title())}
                                    </span>
                                </a>
                            </li>
                        }
                    })
                    .collect_view()}
            </ol>
            <p aria-hidden="true">{named}</p>
        </nav>
    }
}
