//! A word of the field with its meaning behind it.

use super::fresh_id;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// A word whose meaning opens beside it: on hover, on focus and on a press. Escape closes it.
#[component]
pub fn Term(
    /// The word as it stands in the sentence.
    #[prop(into)]
    word: String,
    /// What it means.
    #[prop(into)]
    meaning: String,
) -> impl IntoView {
    let id = fresh_id("term");
    let open = RwSignal::new(false);
    let place = RwSignal::new(String::new());
    let show = move |target: Option<web_sys::EventTarget>| {
        if let Some(element) = target.and_then(|t| t.dyn_into::<web_sys::Element>().ok()) {
            let at = element.get_bounding_client_rect();
            let width = window()
                .inner_width()
                .ok()
                .and_then(|w| w.as_f64())
                .unwrap_or(320.0);
            // No wider than the style's `max-width`, so that it stays on the page.
            let left = at.left().min(width - 352.0 - 16.0).max(16.0);
            place.set(format!("left:{left}px;top:{}px", at.bottom() + 4.0));
            open.set(true);
        }
    };
    view! {
        <button
            type="button"
            class="term"
            aria-describedby=id.clone()
            on:mouseenter=move |event| show(event.current_target())
            on:mouseleave=move |_| open.set(false)
            on:focus=move |event| show(event.current_target())
            on:blur=move |_| open.set(false)
            on:click=move |event| show(event.current_target())
            on:keydown=move |event| {
                if event.key() == "Escape" {
                    open.set(false);
                }
            }
        >
            {word}
        </button>
        <span class="meaning" role="tooltip" id=id hidden=move || !open.get() style=place>
            {meaning}
        </span>
    }
}
