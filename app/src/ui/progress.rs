//! How far long work is.

use super::{Button, fresh_id};
use leptos::prelude::*;

/// A bar that fills as work is done, with a button that stops it.
#[component]
pub fn Progress(
    /// What is being done, such as "Working out the map".
    #[prop(into)]
    label: String,
    /// How much is done, 0 to 1.
    #[prop(into)]
    share: Signal<f32>,
    /// Stops the work.
    on_cancel: impl Fn() + 'static,
) -> impl IntoView {
    let id = fresh_id("progress");
    view! {
        <div class="progress">
            <label for=id.clone()>{label}</label>
            <progress id=id max="1" value=share></progress>
            <Button on_press=on_cancel>"Cancel"</Button>
        </div>
    }
}
