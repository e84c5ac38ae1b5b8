//! Putting a view on the page.

use crate::view::{IntoView, State};
use any_spawner::Executor;
use leptos::prelude::Owner;
use web_sys::HtmlElement;

/// What is on the page until it is dropped.
#[must_use = "dropping it takes it off the page"]
pub struct Mounted {
    shown: State,
    _owner: Owner,
}

/// Puts a view at the end of `parent`.
pub fn mount_to<V: IntoView>(parent: &HtmlElement, view: impl FnOnce() -> V) -> Mounted {
    // It fails if that was done before, which is as well.
    let _ = Executor::init_wasm_bindgen();
    let owner = Owner::new();
    let shown = owner.with(|| {
        let shown = view().into_view().build();
        shown.mount(parent, None);
        shown
    });
    Mounted {
        shown,
        _owner: owner,
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        self.shown.unmount();
    }
}
