//! A switch.

use super::fresh_id;
use leptos::prelude::*;

/// Something that is on or off.
#[component]
pub fn Toggle(
    /// What it switches.
    #[prop(into)]
    label: String,
    /// One line on what that does.
    #[prop(optional, into)]
    note: MaybeProp<String>,
    /// Whether it is on.
    #[prop(into)]
    value: Signal<bool>,
    /// Called with what the reader wants.
    #[prop(into)]
    on_change: Callback<bool>,
) -> impl IntoView {
    let id = fresh_id("toggle");
    let note_id = format!("{id}-note");
    view! {
        <div class="toggle">
            <input
                type="checkbox"
                role="switch"
                id=id.clone()
                aria-describedby=note_id.clone()
                prop:checked=value
                on:change=move |event| on_change.run(event_target_checked(&event))
            />
            <label for=id>{label}</label>
            <p class="note" id=note_id>{move || note.get()}</p>
        </div>
    }
}
