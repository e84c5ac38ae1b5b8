//! What is in sight: a view that nobody sees does no work.
//!
//! A canvas does not draw, a player does not tick and a worker is not sent for while what they are for is outside the
//! viewport, or the page is in a hidden tab. It holds in an `iframe` too, whose viewport is its host's. What changed
//! meanwhile is taken up when the view comes back.

use leptos::html::ElementType;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{
    Element, IntersectionObserver, IntersectionObserverEntry, IntersectionObserverInit,
    VisibilityState,
};

/// How far around the viewport counts as in sight otherwise, so that a view is ready when it is scrolled to.
const MARGIN: &str = "200px";

/// How the document is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Document {
    /// In a tab at the back.
    Hidden,
    /// On the screen, as far as it is scrolled to.
    OnScreen,
    /// Wholly, on paper.
    Printed,
}

thread_local! {
    static DOCUMENT: ArcRwSignal<Document> = Document::follow();
}

impl Document {
    fn now() -> Self {
        match document().visibility_state() {
            VisibilityState::Hidden => Document::Hidden,
            _ => Document::OnScreen,
        }
    }

    /// How it is, from now on.
    fn follow() -> ArcRwSignal<Self> {
        let shown = ArcRwSignal::new(Document::now());
        for (event, becomes) in [
            // It is the document's event, which reaches the window.
            ("visibilitychange", Document::now as fn() -> Document),
            ("beforeprint", || Document::Printed),
            ("afterprint", Document::now),
        ] {
            let shown = shown.clone();
            let changed = Closure::<dyn Fn()>::new(move || shown.set(becomes()));
            let _ =
                window().add_event_listener_with_callback(event, changed.as_ref().unchecked_ref());
            // The document lives as long as the program, and so does this.
            changed.forget();
        }
        shown
    }
}

/// Whether any of some elements is in sight. None is until the browser says so.
#[derive(Clone, Copy)]
pub struct Sight {
    /// How many of them are within the viewport.
    within: RwSignal<usize>,
    in_sight: Signal<bool>,
    margin: &'static str,
}

impl Sight {
    /// Of no element yet: nothing is in sight.
    #[must_use]
    pub fn new() -> Self {
        Self::within(MARGIN)
    }

    /// The same, where the part of the page that counts is the viewport grown by `margin`, as CSS writes it, or shrunk by
    /// what is below zero.
    #[must_use]
    pub fn within(margin: &'static str) -> Self {
        let within = RwSignal::new(0);
        let document = DOCUMENT.with(Clone::clone);
        Self {
            within,
            in_sight: Memo::new(move |_| match document.get() {
                Document::Hidden => false,
                Document::OnScreen => within.get() > 0,
                Document::Printed => true,
            })
            .into(),
            margin,
        }
    }

    /// Of one element.
    #[must_use]
    pub fn of<E>(element: NodeRef<E>) -> Self
    where
        E: ElementType<Output: JsCast + Clone> + 'static,
    {
        let sight = Self::new();
        sight.watch(element);
        sight
    }

    /// Watches one more element, for as long as the calling component lives.
    pub fn watch<E>(self, element: NodeRef<E>)
    where
        E: ElementType<Output: JsCast + Clone> + 'static,
    {
        Effect::new(move || {
            if let Some(element) = element.get() {
                self.observe(element.unchecked_ref());
            }
        });
    }

    /// Whether any of its elements is in sight, followed.
    #[must_use]
    pub fn get(self) -> bool {
        self.in_sight.get()
    }

    /// Whether any of its elements is in sight, now.
    #[must_use]
    pub fn get_untracked(self) -> bool {
        self.in_sight.get_untracked()
    }

    /// An effect that works in sight only. What it follows may change out of sight: it then works once, when it is back.
    pub fn effect(self, work: impl FnMut() + 'static) {
        self.boxed_effect(Box::new(work));
    }

    fn boxed_effect(self, mut work: Box<dyn FnMut()>) {
        let missed = StoredValue::new(false);
        let back = RwSignal::new(());
        Effect::new(move || {
            back.track();
            // Not followed, or it would work again whenever it is scrolled by.
            let in_sight = self.in_sight.get_untracked();
            missed.set_value(!in_sight);
            if in_sight {
                work();
            }
        });
        Effect::new(move || {
            if self.in_sight.get() && missed.get_value() {
                back.notify();
            }
        });
    }

    /// Counts `element` while it is within the viewport, until the owner is cleaned up.
    fn observe(self, element: &Element) {
        let was_within = StoredValue::new(false);
        let set = move |is_within: bool| {
            if was_within.try_get_value() == Some(!is_within) {
                was_within.set_value(is_within);
                self.within.try_update(|within| {
                    *within = if is_within { *within + 1 } else { *within - 1 };
                });
            }
        };
        let callback = Closure::<dyn Fn(js_sys::Array)>::new(move |entries: js_sys::Array| {
            // The last tells how it is now.
            if let Some(entry) = entries.iter().last() {
                set(entry
                    .unchecked_into::<IntersectionObserverEntry>()
                    .is_intersecting());
            }
        });
        let options = IntersectionObserverInit::new();
        options.set_root_margin(self.margin);
        let observer =
            IntersectionObserver::new_with_options(callback.as_ref().unchecked_ref(), &options)
                .expect("the margin is one");
        observer.observe(element);
        let kept = StoredValue::new_local((observer, callback));
        on_cleanup(move || {
            kept.try_with_value(|(observer, _)| observer.disconnect());
            set(false);
        });
    }
}

impl Default for Sight {
    fn default() -> Self {
        Self::new()
    }
}
