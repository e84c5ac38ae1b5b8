//! Parts of a page that come a moment after the rest.

use leptos::prelude::*;
use std::time::Duration;

/// A part that is made in a task of its own, after the one that makes what surrounds it: between the two the browser can
/// draw, and answer the reader. Several parts come in the order in which they stand.
pub fn later(part: impl Fn() -> AnyView + Send + 'static) -> AnyView {
    let is_due = RwSignal::new(false);
    set_timeout(
        move || {
            // Nothing is left to be made for a page that is gone.
            is_due.set(true);
        },
        Duration::ZERO,
    );
    // Until then its place is marked, for who waits for the whole page.
    (move || match is_due.get() {
        true => untrack(&part),
        false => view! { <span hidden data-coming=true></span> }.into_any(),
    })
    .into_any()
}
