//! What is typed and refused, and when that is past.

use leptos::prelude::*;

/// Tells when something else has been loaded, a ready-made setting or an address: what was typed before and refused is
/// past then, even where the value in force stays the same. Kept in context by the shell.
#[derive(Clone, Copy)]
pub struct Drafts(RwSignal<()>);

impl Drafts {
    /// Puts it in context.
    pub fn provide() {
        provide_context(Self(RwSignal::new(())));
    }

    /// The one in context.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }

    /// Something else has been loaded.
    pub fn discard(self) {
        self.0.notify();
    }

    /// Follows when something else is loaded.
    pub fn track(self) {
        self.0.track();
    }
}
