//! Ready-made settings.

use super::Drafts;
use leptos::prelude::*;

/// A ready-made setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PresetItem {
    /// Its name.
    pub name: &'static str,
    /// One line on what it shows.
    pub blurb: &'static str,
}

/// A list of ready-made settings, one pressed if it is what the page now shows.
#[component]
pub fn Presets(
    /// What the list is called.
    #[prop(into)]
    label: String,
    /// The settings.
    items: Vec<PresetItem>,
    /// Which of them the page now shows.
    #[prop(into)]
    current: Signal<Option<usize>>,
    /// Called with the one that was picked.
    #[prop(into)]
    on_pick: Callback<usize>,
) -> impl IntoView {
    let drafts = Drafts::get();
    let pick = move |i: usize| {
        on_pick.run(i);
        drafts.discard();
    };
    view! {
        <ul class="presets" aria-label=label>
            {items
                .into_iter()
                .enumerate()
                .map(|(i, item)| {
                    let pressed = move || (current.get() == Some(i)).to_string();
                    view! {
                        <li>
                            <button type="button" aria-pressed=pressed on:click=move |_| pick(i)>
                                <span class="title">{item.name}</span>
                                <span class="blurb">{item.blurb}</span>
                            </button>
                        </li>
                    }
                })
                .collect_view()}
        </ul>
    }
}
