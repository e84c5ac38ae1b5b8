//! The panel that shares what the page shows: a part of the program that is loaded once it is asked for.

use super::EmbedText;
use crate::pages::Page;
use crate::ui::{Announcer, Button, CopyButton, Drafts, LiveRegion, download_text, fresh_id};
use engine::scenario_file::ScenarioFile;
use leptos::ev;
use leptos::prelude::*;
use std::rc::Rc;

/// Takes a file that the reader has chosen.
pub type Take = Rc<dyn Fn(web_sys::File)>;

/// What a page shows, to be shared.
#[derive(Clone, Copy)]
pub struct Shown {
    /// The page.
    pub page: Page,
    /// The whole address of what it shows.
    pub link: RwSignal<String>,
    /// The part of that after the page's name.
    pub query: RwSignal<String>,
}

/// Ways to share it.
#[component]
pub fn Panel(
    /// What is shared.
    shown: Shown,
    /// Opens a file.
    take: Take,
) -> impl IntoView {
    let Shown { page, link, query } = shown;
    Announcer::provide();
    Drafts::provide();
    view! {
        <LinkPart link />
        <EmbedText page link />
        <FilePart page query take />
        // The page around the dialog is not heard while it is open.
        <LiveRegion />
    }
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
fn FilePart(page: Page, query: RwSignal<String>, take: Take) -> impl IntoView {
    let announcer = Announcer::get();
    let save = move || {
        let file = ScenarioFile {
            page: page.name().to_owned(),
            query: query.get_untracked(),
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
            take(file);
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
