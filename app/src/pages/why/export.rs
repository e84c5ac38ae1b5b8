//! The composed system as TLA+, to be taken elsewhere.

use super::study::Study;
use crate::ui::{Button, CopyButton, download_text};
use engine::retrier_server::tla::{TlaExport, export};
use leptos::prelude::*;

/// The module and its configuration.
#[component]
pub fn Export(study: Study) -> impl IntoView {
    let start = study.start();
    let exported = Memo::new(move |_| {
        let (config, start) = start.get();
        export(&config, &start).map_err(|error| error.to_string())
    });
    view! {
        <section class="flow" aria-labelledby="export-title">
            <h2 id="export-title">"Take it to TLC or Apalache"</h2>
            <p>
                "The composed system for this configuration, as a TLA+ module with standard modules only. "
                <code>"Compose.cfg"</code>
                " checks PAcct, a backlog of at most 50, and stabilization. What outgrows this browser, a model "
                "checker on many machines can take over."
            </p>
            {move || match exported.get() {
                Err(why) => view! { <p class="field-error" role="alert">{why}</p> }.into_any(),
                Ok(TlaExport { module, config }) => {
                    view! {
                        <File name="Compose.tla" text=module />
                        <File name="Compose.cfg" text=config />
                        <p class="note">
                            "Run it with " <code>"java -cp tla2tools.jar tlc2.TLC Compose.tla"</code> " or "
                            <code>"apalache-mc check --config=Compose.cfg --length=12 Compose.tla"</code> "."
                        </p>
                    }
                        .into_any()
                }
            }}
        </section>
    }
}

/// A file: its text, and ways to take it away.
#[component]
fn File(name: &'static str, text: String) -> impl IntoView {
    let taken = text.clone();
    let copied = text.clone();
    view! {
        <div class="file">
            <div class="row">
                <h3>{name}</h3>
                <Button on_press=move || download_text(name, "text/plain", &taken)>"Download"</Button>
                <CopyButton label="Copy" text=move || copied.clone() />
            </div>
            <pre tabindex="0" aria-label=name><code>{text}</code></pre>
        </div>
    }
}
