//! Tabs.

use super::{fresh_id, is_plain};
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// A row of tabs and the panel of the one that is chosen. Arrow keys, Home and End move between them.
#[component]
pub fn Tabs(
    /// What the tabs are of.
    #[prop(into)]
    label: String,
    /// Each tab's word and the view of its panel, made when it is first shown.
    tabs: Vec<(&'static str, ViewFn)>,
    /// Which is chosen, where others are to know.
    #[prop(default = RwSignal::new(0))]
    chosen: RwSignal<usize>,
) -> impl IntoView {
    let id = fresh_id("tabs");
    let count = tabs.len();
    let (words, panels): (Vec<_>, Vec<_>) = tabs.into_iter().unzip();
    let tab_id = {
        let id = id.clone();
        move |i: usize| format!("{id}-tab-{i}")
    };
    let panel_id = format!("{id}-panel");

    let keydown = {
        let tab_id = tab_id.clone();
        move |event: KeyboardEvent| {
            if !is_plain(&event) {
                return;
            }
            let now = chosen.get_untracked();
            let next = match event.key().as_str() {
                "ArrowRight" => (now + 1) % count,
                "ArrowLeft" => (now + count - 1) % count,
                "Home" => 0,
                "End" => count - 1,
                _ => return,
            };
            event.prevent_default();
            chosen.set(next);
            if let Some(tab) = document().get_element_by_id(&tab_id(next)) {
                let _ = tab.unchecked_into::<web_sys::HtmlElement>().focus();
            }
        }
    };
    let labelled_by = {
        let tab_id = tab_id.clone();
        move || tab_id(chosen.get())
    };
    view! {
        <div class="tabs">
            <div role="tablist" aria-label=label on:keydown=keydown>
                {words
                    .into_iter()
                    .enumerate()
                    .map(|(i, word)| {
                        let selected = move || chosen.get() == i;
                        view! {
                            <button
                                type="button"
                                role="tab"
                                id=tab_id(i)
                                aria-controls=panel_id.clone()
                                aria-selected=move || selected().to_string()
                                tabindex=move || if selected() { "0" } else { "-1" }
                                on:click=move |_| chosen.set(i)
                            >
                                {word}
                            </button>
                        }
                    })
                    .collect_view()}
            </div>
            <div class="panel" role="tabpanel" id=panel_id.clone() aria-labelledby=labelled_by>
                {move || panels[chosen.get()].run()}
            </div>
        </div>
    }
}
