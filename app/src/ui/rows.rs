//! As many rows as there are.

use super::Drafts;
use leptos::prelude::*;

/// A row for each number below `count`. A row stays as it is, with what was typed into it, while others come and go after
/// it; all are made anew when something else is loaded.
#[component]
pub fn Rows(
    /// How many there are.
    #[prop(into)]
    count: Signal<usize>,
    /// Makes the row of a number.
    #[prop(into)]
    row: Callback<usize, AnyView>,
    /// Tells that rows have other numbers now, so that all are made anew.
    #[prop(optional, into)]
    renumbered: Signal<()>,
) -> impl IntoView {
    let drafts = Drafts::get();
    move || {
        drafts.track();
        renumbered.track();
        untrack(|| from(0, count, row))
    }
}

/// The row of number `i`, if it is there, with those after it.
fn from(i: usize, count: Signal<usize>, row: Callback<usize, AnyView>) -> AnyView {
    let is_there = Memo::new(move |_| i < count.get());
    (move || {
        is_there
            .get()
            .then(|| (row.run(i), from(i + 1, count, row)))
    })
    .into_any()
}
