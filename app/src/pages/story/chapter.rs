//! The frame of a chapter: its text, and beside it the figure, which is there once the reader has predicted and comes near.

use super::predict::Predictions;
use super::step::Step;
use crate::sight::Sight;
use crate::ui::focus;
use leptos::html::{self, ElementType};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// The line at which the chapter being read is told, a third down the screen.
const READING: &str = "-33% 0px -66% 0px";

/// The chapter being read, and how far the story is there. Kept in context by the page.
#[derive(Clone, Copy)]
pub struct Reading {
    /// The chapter being read.
    pub step: RwSignal<Option<Step>>,
    /// How many chapters are there, from the first on.
    pub made: RwSignal<usize>,
    /// The chapter to go to once it is there.
    to: StoredValue<Option<Step>>,
}

impl Reading {
    /// Before the first chapter is there.
    #[must_use]
    pub fn new() -> Self {
        Self {
            step: RwSignal::new(None),
            made: RwSignal::new(0),
            to: StoredValue::new(None),
        }
    }

    /// One more chapter is there.
    pub fn arrives(self) {
        self.made.update(|made| *made += 1);
        let made = self.made.get_untracked();
        if let Some(step) = self.to.get_value().filter(|step| step.number() <= made) {
            self.to.set_value(None);
            request_animation_frame(move || go_to(step));
        }
    }

    /// Goes to a chapter, or to the top, at once or as soon as it is there.
    pub fn go(self, to: Option<Step>) {
        self.step.set(to);
        self.to
            .set_value(to.filter(|step| step.number() > self.made.get_untracked()));
        if self.to.with_value(Option::is_none) {
            request_animation_frame(move || match to {
                Some(step) => go_to(step),
                None => window().scroll_to_with_x_and_y(0.0, 0.0),
            });
        }
    }

    /// A chapter, or what comes before the first, has come to where it is read. What is passed on the way to another is not.
    fn reaches(self, step: Option<Step>) {
        if self.to.with_value(Option::is_none) {
            self.step.set(step);
        }
    }

    /// Tells when `element`, a chapter or what comes before the first, is at the line where it is read.
    pub fn watch<E>(self, step: Option<Step>, element: NodeRef<E>)
    where
        E: ElementType<Output: JsCast + Clone> + 'static,
    {
        let line = Sight::within(READING);
        line.watch(element);
        Effect::new(move || {
            if line.get() {
                self.reaches(step);
            }
        });
    }
}

/// Brings a chapter to the top of the screen, and the keyboard with it.
pub fn go_to(step: Step) {
    if let Some(section) = document().get_element_by_id(&step.id()) {
        section.scroll_into_view();
        focus(&format!("#{}-title", step.id()));
    }
}

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
    expect_context::<Reading>().watch(Some(step), section);
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
