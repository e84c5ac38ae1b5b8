//! The frame of a chapter: its text, and beside it the figure, which is there once the reader has predicted and comes near.

use super::predict::Predictions;
use super::step::Step;
use crate::sight::Sight;
use leptos::html;
use leptos::prelude::*;

/// The line at which the chapter being read is told, a third down the screen.
const READING: &str = "-33% 0px -66% 0px";

/// The chapter being read. Kept in context by the page.
#[derive(Clone, Copy)]
pub struct Reading(pub RwSignal<Option<Step>>);

/// A chapter.
#[component]
pub fn Chapter(
    step: Step,
    /// Whether its figure needs the whole width, below the text.
    #[prop(optional)]
    wide: bool,
    /// What is to watch it, for work that is worth starting only when it comes into sight.
    #[prop(default = Sight::new())]
    sight: Sight,
    /// The figure.
    #[prop(into, optional)]
    figure: Option<ViewFn>,
    /// The text.
    children: Children,
) -> impl IntoView {
    // The figure may be seen once what the chapter asks is answered.
    let open = Predictions::get().is_open(step);
    let section = NodeRef::<html::Section>::new();
    sight.watch(section);
    let line = Sight::within(READING);
    line.watch(section);
    let reading = expect_context::<Reading>().0;
    Effect::new(move || {
        if line.get() {
            reading.set(Some(step));
        }
    });
    let title_id = format!("{}-title", step.id());
    let named_by = title_id.clone();
    let is_plain = figure.is_none();
    // Once made, a figure stays; out of sight it does no work.
    let is_there =
        Memo::new(move |was: Option<&bool>| open.get() && (was == Some(&true) || sight.get()));
    view! {
        <section
            class="chapter"
            class:wide=wide
            class:plain=is_plain
            id=step.id()
            aria-labelledby=named_by
            data-step=step.name()
            node_ref=section
        >
            <div class="text">
                <h2 id=title_id tabindex="-1">
                    <span class="ordinal">{format!("{}. ", step.number())}</span>
                    {step.title()}
                </h2>
                {children()}
            </div>
            {figure
                .map(|figure| {
                    view! {
                        <div class="scene">
                            {move || {
                                if is_there.get() {
                                    view! { <div class="shown">{figure.run()}</div> }.into_any()
                                } else {
                                    view! { <Cover open /> }.into_any()
                                }
                            }}
                        </div>
                    }
                })}
        </section>
    }
}

/// What stands where the figure will be.
#[component]
fn Cover(open: Signal<bool>) -> impl IntoView {
    view! {
        <div class="cover">
            <span aria-hidden="true">"?"</span>
            <p>
                {move || {
                    if open.get() { "The figure is on its way." } else { "What happens is shown here once you have predicted it." }
                }}
            </p>
        </div>
    }
}
