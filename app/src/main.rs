//! The dashboard, in the browser.

use leptos::prelude::*;

#[component]
fn App() -> impl IntoView {
    let (count, set_count) = signal(0);
    view! {
        <h1>"Metastability, made explorable"</h1>
        <button on:click=move |_| set_count.update(|n| *n += 1)>
            "Counted " {count}
        </button>
    }
}

fn main() {
    console_error_panic_hook::set_once();
    mount_to_body(App);
}
