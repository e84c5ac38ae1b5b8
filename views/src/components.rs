//! Components of Leptos, for views of one type.

use crate as leptos;
use crate::children::{Children, ChildrenFn};
use crate::view::IntoView;
use leptos::prelude::{Memo, Owner, component, on_cleanup, provide_context};

/// Gives `value` to all components within.
#[component]
pub fn Provider<T: Send + Sync + 'static>(
    /// What is given.
    value: T,
    /// To whom.
    children: Children,
) -> impl IntoView {
    let owner = Owner::new();
    let inside = owner.with(|| {
        provide_context(value);
        children()
    });
    on_cleanup(move || drop(owner));
    inside
}

/// Shows something while a condition holds.
#[component]
pub fn Show(
    /// The condition, followed.
    when: impl Fn() -> bool + Send + Sync + 'static,
    /// What is shown while it holds.
    children: ChildrenFn,
) -> impl IntoView {
    let holds = Memo::new(move |_| when());
    move || holds.get().then(|| children())
}
