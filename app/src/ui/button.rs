//! Buttons.

use super::Announcer;
use leptos::prelude::*;

/// A button.
#[component]
pub fn Button(
    /// What is done when it is pressed.
    on_press: impl Fn() + 'static,
    /// Extra classes: `primary` for the page's main action, `link` for one that reads as text.
    #[prop(optional, into)]
    class: String,
    /// What it is called, where its content is a sign rather than words.
    #[prop(optional, into)]
    label: MaybeProp<String>,
    /// Whether it cannot be pressed now.
    #[prop(optional, into)]
    disabled: Signal<bool>,
    /// What it shows.
    children: Children,
) -> impl IntoView {
    view! {
        <button
            type="button"
            class=format!("button {class}")
            aria-label=move || label.get()
            title=move || label.get()
            // It keeps the focus, so that who has pressed it goes on from there.
            aria-disabled=move || disabled.get().then_some("true")
            on:click=move |_| {
                if !disabled.get_untracked() {
                    on_press();
                }
            }
        >
            {children()}
        </button>
    }
}

/// A button that copies text, and says whether it could.
#[component]
pub fn CopyButton(
    /// The text, made when it is asked for.
    text: impl Fn() -> String + 'static,
    /// What it is called, such as "Copy the proof".
    label: &'static str,
) -> impl IntoView {
    let said = RwSignal::new(label);
    let announcer = Announcer::get();
    let copy = move || {
        let clipboard = window().navigator().clipboard();
        // There is none on a page that came over an insecure connection.
        let copying = (!clipboard.is_undefined()).then(|| clipboard.write_text(&text()));
        leptos::task::spawn_local(async move {
            let is_copied = match copying {
                Some(copying) => wasm_bindgen_futures::JsFuture::from(copying).await.is_ok(),
                None => false,
            };
            let outcome = if is_copied {
                "Copied"
            } else {
                "The browser did not allow copying"
            };
            said.set(outcome);
            announcer.say(outcome);
            gloo_timers::future::TimeoutFuture::new(2_000).await;
            said.set(label);
        });
    };
    view! { <Button on_press=copy>{said}</Button> }
}
