//! Taking a scenario elsewhere and bringing it back: its address, and its file.

use crate::address::Address;
use crate::embed::EmbedText;
use crate::pages::Page;
use crate::ui::{Announcer, Button, CopyButton, Icon, LiveRegion, Sign, download_text, fresh_id};
use engine::FieldError;
use engine::scenario_file::{ScenarioFile, check_size};
use leptos::prelude::*;
use leptos::{ev, html};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;

/// The button that opens the panel, and the panel.
#[component]
pub fn Share() -> impl IntoView {
    let address = Address::get();
    let panel = NodeRef::<html::Dialog>::new();
    // What the page showed when the panel was opened.
    let link = RwSignal::new(String::new());
    let opened = Memo::new(move |_| link.with(|link| !link.is_empty()));
    let open = move || {
        link.set(address.link());
        if let Some(panel) = panel.get_untracked() {
            let _ = panel.show_modal();
        }
    };
    let close = move || {
        if let Some(panel) = panel.get_untracked() {
            panel.close();
        }
    };
    // The panel fills its dialog, so what is pressed of the dialog itself is the ground around it.
    let pressed = move |event: ev::MouseEvent| {
        if event.target() == event.current_target() {
            close();
        }
    };
    let title_id = fresh_id("share");
    view! {
        <div class="share">
            <Button on_press=open>"Share"</Button>
            <dialog class="share-panel" node_ref=panel aria-labelledby=title_id.clone() on:click=pressed>
                <div class="flow">
                    <header>
                        <h2 id=title_id.clone()>"Share what this page shows"</h2>
                        <Button label="Close" on_press=close>
                            <Sign icon=Icon::Remove />
                        </Button>
                    </header>
                    <LinkPart link />
                    {move || opened.get().then(|| view! { <EmbedText link /> })}
                    <FilePart close=close />
                    // The page around the dialog is not heard while it is open.
                    <LiveRegion />
                </div>
            </dialog>
        </div>
    }
    .into_any()
}

/// The address, to be copied.
#[component]
fn LinkPart(link: RwSignal<String>) -> impl IntoView {
    let id = fresh_id("link");
    let select = |event: ev::FocusEvent| {
        event_target::<web_sys::HtmlTextAreaElement>(&event).select();
    };
    view! {
        <section>
            <h3 id=id.clone()>"Its address"</h3>
            <p class="note">
                "Whoever opens it sees the same scenario at the same place of its run."
            </p>
            <textarea aria-labelledby=id.clone() readonly rows="3" prop:value=link on:focus=select></textarea>
            <CopyButton label="Copy the address" text=move || link.get_untracked() />
        </section>
    }
    .into_any()
}

/// The scenario as a file, to be saved and opened.
#[component]
fn FilePart(close: impl Fn() + Copy + 'static) -> impl IntoView {
    let address = Address::get();
    let announcer = Announcer::get();
    let save = move || {
        let (Some(page), Some(query)) = (address.page(), address.query()) else {
            return;
        };
        let file = ScenarioFile {
            page: page.name().to_owned(),
            query,
        };
        // What a page writes can be read.
        if let Ok(text) = file.write() {
            let name = format!("metastability-{}.json", page.name());
            download_text(&name, "application/json", &text);
            announcer.say("Saved");
        }
    };
    let chosen = move |event: ev::Event| {
        let input = event_target::<web_sys::HtmlInputElement>(&event);
        if let Some(file) = input.files().and_then(|files| files.get(0)) {
            close();
            open_file(address, announcer, file);
        }
        // The same file can be chosen again.
        input.set_value("");
    };
    view! {
        <section>
            <h3>"As a file"</h3>
            <p class="note">
                "A small text file that can be read and changed. To open one, choose it here or drop it anywhere on the page."
            </p>
            <div class="buttons">
                <Button on_press=save>"Save as a file"</Button>
                <label class="button">
                    "Open a file"
                    <input
                        type="file"
                        class="only-heard"
                        accept=".json,application/json"
                        on:change=chosen
                    />
                </label>
            </div>
        </section>
    }
    .into_any()
}

/// Lets files be dropped anywhere on the page, and says so while one is held over it.
#[component]
pub fn DropZone() -> impl IntoView {
    let address = Address::get();
    let announcer = Announcer::get();
    let held = RwSignal::new(false);
    let files = |event: &ev::DragEvent| {
        let data = event.data_transfer()?;
        data.types().includes(&"Files".into(), 0).then_some(data)
    };
    let over = move |event: ev::DragEvent| {
        if files(&event).is_some() {
            // Otherwise the browser opens it in place of the page.
            event.prevent_default();
            held.set(true);
        }
    };
    let left = move |event: ev::DragEvent| {
        // It goes from element to element; from the last one it goes nowhere.
        if event.related_target().is_none() {
            held.set(false);
        }
    };
    let dropped = move |event: ev::DragEvent| {
        let Some(data) = files(&event) else { return };
        event.prevent_default();
        held.set(false);
        let Some(files) = data.files() else { return };
        match files.get(0) {
            Some(file) if files.length() == 1 => open_file(address, announcer, file),
            _ => {
                let why = FieldError::new("the number of files", files.length(), "1");
                address.refuse("What was dropped", &why, "");
            }
        }
    };
    let listening = [
        window_event_listener(ev::dragenter, over),
        window_event_listener(ev::dragover, over),
        window_event_listener(ev::dragleave, left),
        window_event_listener(ev::drop, dropped),
    ];
    on_cleanup(move || listening.into_iter().for_each(|handle| handle.remove()));
    view! {
        <div class="drop-hint" hidden=move || !held.get()>
            <p>"Drop a scenario file to open it"</p>
        </div>
    }
    .into_any()
}

/// What could not be opened, until the reader has seen it.
#[component]
pub fn RefusalNotice() -> impl IntoView {
    let address = Address::get();
    let refused = address.refused();
    view! {
        <div class="refusal" role="alert">
            {move || {
                refused
                    .get()
                    .map(|words| {
                        view! {
                            <p>{words}</p>
                            <Button on_press=move || address.dismiss()>"Dismiss"</Button>
                        }
                    })
            }}
        </div>
    }
    .into_any()
}

/// Reads a file and shows its scenario, or says why not.
fn open_file(address: Address, announcer: Announcer, file: web_sys::File) {
    leptos::task::spawn_local(async move {
        let what = format!("The file “{}”", file.name());
        match read(&file).await {
            Ok((page, query)) => {
                address.go(&what, page, &query);
                if address.refused().with_untracked(Option::is_none) {
                    announcer.say(format!("{what} is open"));
                }
            }
            Err(why) => address.refuse(&what, &why, crate::address::KEPT),
        }
    });
}

async fn read(file: &web_sys::File) -> Result<(Page, String), FieldError> {
    check_size(file.size())?;
    let bytes = JsFuture::from(file.array_buffer()).await.map_err(|_| {
        FieldError::new("the file", "not readable", "one that this browser may read")
    })?;
    let bytes = js_sys::Uint8Array::new(bytes.unchecked_ref()).to_vec();
    let ScenarioFile { page, query } = ScenarioFile::read(&bytes)?;
    let known = Page::ALL.into_iter().find(|known| known.name() == page);
    match known {
        Some(page) => Ok((page, query)),
        None => {
            let names = Page::ALL.map(Page::name).join(", ");
            Err(FieldError::new(
                "page",
                format!("'{page}'"),
                format!("one of {names}"),
            ))
        }
    }
}
