//! Work that broke off.

use super::Button;
use leptos::prelude::*;

/// Says that work broke off and why, and offers to do it again. What it had found stays where it is.
#[component]
pub fn Broken(
    /// What happened, in a sentence.
    why: String,
    /// Does it again.
    again: impl Fn() + 'static,
) -> impl IntoView {
    view! {
        <div class="progress broken" role="alert">
            <p class="field-error">"This broke off, and what was found is kept. " {why}</p>
            <Button on_press=again>"Try again"</Button>
        </div>
    }
}
