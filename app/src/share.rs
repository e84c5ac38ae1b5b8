//! Taking a scenario elsewhere and bringing it back: its address, and its file.
//!
//! What that takes is a program of its own, `share`, which is loaded when it is first asked for: few visits need it. The
//! page has the button, the dialog that the panel goes into, and what becomes of a file.

mod embed_text;
mod panel;
mod taken;

pub use embed_text::EmbedText;
pub use panel::{Panel, Shown, Take};
pub use taken::{Kind, Rows, Taken};

use crate::address::Address;
use crate::route::{self, Route};
use crate::ui::{Announcer, Button, Icon, Sign, fresh_id};
use engine::FieldError;
use engine::scenario_file::check_size;
use leptos::prelude::*;
use leptos::{ev, html};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Element, File};

#[wasm_bindgen]
extern "C" {
    /// Gives the program that shares; defined by the script in `index.html`.
    #[wasm_bindgen(catch)]
    async fn sharing() -> Result<JsValue, JsValue>;

    /// The program that shares.
    #[derive(Clone)]
    pub type Sharing;

    /// Shows the panel at the end of `into`; `take` is given a file that the reader has chosen.
    #[wasm_bindgen(method)]
    fn show(this: &Sharing, into: &Element, page: &str, link: &str, query: &str, take: &JsValue);

    /// Takes the panel away.
    #[wasm_bindgen(method)]
    fn leave(this: &Sharing);

    /// The address that a scenario file is of, or why it has none.
    #[wasm_bindgen(method, catch)]
    fn read(this: &Sharing, bytes: &[u8]) -> Result<String, JsValue>;

    /// Saves what is taken away as a file.
    #[wasm_bindgen(method, js_name = save, catch)]
    async fn save_as(
        this: &Sharing,
        taken: &[u8],
        drawing: Option<Element>,
        kind: u8,
        name: &str,
    ) -> Result<JsValue, JsValue>;
}

impl Sharing {
    /// The program, once it is there; `None` if it did not arrive.
    pub async fn load() -> Option<Self> {
        sharing().await.ok().map(JsCast::unchecked_into)
    }

    /// Saves `taken` as a file called `name`; `drawing` is what stands in the page where that is taken.
    ///
    /// # Errors
    /// What the browser reports.
    pub async fn save(
        &self,
        taken: &Taken,
        drawing: Option<Element>,
        kind: Kind,
        name: &str,
    ) -> Result<(), JsValue> {
        let bytes = postcard::to_allocvec(taken).expect("it is plain data");
        self.save_as(&bytes, drawing, kind as u8, name).await?;
        Ok(())
    }
}

/// How far the program that shares has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Program {
    NotAskedFor,
    Loading,
    There,
    Missing,
}

/// The button that opens the panel, and the panel.
#[component]
pub fn Share() -> impl IntoView {
    let address = Address::get();
    let announcer = Announcer::get();
    let panel = NodeRef::<html::Dialog>::new();
    let inside = NodeRef::<html::Div>::new();
    let program = RwSignal::new(Program::NotAskedFor);
    let close = move || {
        if let Some(panel) = panel.get_untracked() {
            panel.close();
        }
    };
    let take = Closure::<dyn FnMut(File)>::new(move |file| {
        close();
        open_file(address, announcer, file);
    });
    let take = StoredValue::new_local(take);
    let loaded = StoredValue::new_local(None::<Sharing>);
    on_cleanup(move || {
        if let Some(sharing) = loaded.try_get_value().flatten() {
            sharing.leave();
        }
    });
    let fill = move || {
        if program.get_untracked() != Program::There {
            program.set(Program::Loading);
        }
        leptos::task::spawn_local(async move {
            let sharing = Sharing::load().await;
            if program.try_get_untracked().is_none() {
                // The page has gone meanwhile.
                return;
            }
            let parts = (sharing, inside.get_untracked(), address.page());
            program.set(match parts {
                (Some(sharing), Some(inside), Some(page)) => {
                    let query = address.query().unwrap_or_default();
                    take.with_value(|take| {
                        let take = take.as_ref();
                        let link = untrack(|| address.link());
                        sharing.show(&inside, page.name(), &link, &query, take);
                    });
                    loaded.set_value(Some(sharing));
                    Program::There
                }
                _ => Program::Missing,
            });
        });
    };
    let open = move || {
        if let Some(panel) = panel.get_untracked() {
            let _ = panel.show_modal();
        }
        fill();
    };
    // What it offers is of the address that was there.
    let listening = window_event_listener(ev::hashchange, move |_| close());
    on_cleanup(move || listening.remove());
    // The panel fills its dialog, so what is pressed of the dialog itself is the ground around it.
    let pressed = move |event: ev::MouseEvent| {
        if event.target() == event.current_target() {
            close();
        }
    };
    let title_id = fresh_id("share");
    view! {
        <div class="share">
            <Button on_press=open disabled=Signal::derive(move || !address.has_page())>"Share"</Button>
            <dialog class="share-panel" node_ref=panel aria-labelledby=title_id.clone() on:click=pressed>
                <div class="flow" node_ref=inside>
                    <header>
                        <h2 id=title_id.clone()>"Share what this page shows"</h2>
                        <Button label="Close" on_press=close>
                            <Sign icon=Icon::Remove />
                        </Button>
                    </header>
                    {move || match program.get() {
                        Program::NotAskedFor | Program::There => ().into_any(),
                        Program::Loading => view! { <p class="quiet" role="status">"Loading"</p> }.into_any(),
                        Program::Missing => {
                            view! {
                                <div class="progress broken" role="alert">
                                    <p class="field-error">"The part of the explorer that shares did not arrive."</p>
                                    <Button on_press=fill>"Try again"</Button>
                                </div>
                            }
                                .into_any()
                        }
                    }}
                </div>
            </dialog>
        </div>
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
fn open_file(address: Address, announcer: Announcer, file: File) {
    leptos::task::spawn_local(async move {
        let what = format!("The file “{}”", file.name());
        match read(&file).await {
            Ok(fragment) => {
                if let Route::Page(page) = Route::of_fragment(&fragment) {
                    address.go(&what, page, route::split(&fragment).1);
                }
                if address.refused().try_get_untracked() == Some(None) {
                    announcer.say(format!("{what} is open"));
                }
            }
            Err(why) => address.refuse(&what, &why, crate::address::KEPT),
        }
    });
}

async fn read(file: &File) -> Result<String, String> {
    check_size(file.size()).map_err(|why| why.to_string())?;
    let bytes = JsFuture::from(file.array_buffer()).await.map_err(|_| {
        FieldError::new("the file", "not readable", "one that this browser may read").to_string()
    })?;
    let bytes = js_sys::Uint8Array::new(&bytes).to_vec();
    let sharing = Sharing::load()
        .await
        .ok_or("the part of the explorer that reads files did not arrive")?;
    sharing
        .read(&bytes)
        .map_err(|why| why.as_string().unwrap_or_default())
}
