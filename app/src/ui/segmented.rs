//! One of a few.

use super::fresh_id;
use leptos::prelude::*;

/// A choice of one among a few words, all in sight.
#[component]
pub fn Segmented<T>(
    /// What is being chosen.
    #[prop(into)]
    label: String,
    /// Whether the label is only heard, where the words speak for themselves.
    #[prop(optional)]
    hide_label: bool,
    /// The choices and their words.
    options: Vec<(T, &'static str)>,
    /// What is chosen now.
    #[prop(into)]
    value: Signal<T>,
    /// Called with the reader's choice.
    #[prop(into)]
    on_change: Callback<T>,
) -> impl IntoView
where
    T: Copy + PartialEq + Send + Sync + 'static,
{
    let name = fresh_id("choice");
    view! {
        <fieldset class="segmented">
            <legend class:only-heard=hide_label>{label}</legend>
            <div class="options">
                {options
                    .into_iter()
                    .map(|(option, word)| {
                        view! {
                            <label>
                                <input
                                    type="radio"
                                    name=name.clone()
                                    prop:checked=move || value.get() == option
                                    on:change=move |_| on_change.run(option)
                                />
                                {word}
                            </label>
                        }
                    })
                    .collect_view()}
            </div>
        </fieldset>
    }
}
