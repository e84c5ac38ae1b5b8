//! The ways to take something away: a figure as a picture, and what is behind it as rows.

use super::{Announcer, Button, download, download_text};
use crate::parameters::Parameters;
use crate::plots::Palette;
use crate::plots::picture::{Layers, Picture, Words};
use crate::theme::use_palette;
use engine::rows::Format;
use leptos::prelude::*;
use leptos::svg;
use wasm_bindgen::JsCast;

/// Writes what is behind a figure.
pub type RowsOf = Callback<Format, String>;

/// What a picture is made from.
#[derive(Clone, Copy)]
pub enum Source {
    /// What the canvases of a figure draw.
    Layers(Layers),
    /// A drawing that stands in the page.
    Inline(NodeRef<svg::Svg>),
}

impl Source {
    fn picture(self, words: &Words, palette: &Palette) -> Option<Picture> {
        match self {
            Source::Layers(layers) => Picture::of_layers(layers, words, palette),
            Source::Inline(drawing) => {
                let drawing: web_sys::Element = drawing.get_untracked()?.unchecked_into();
                Picture::of_inline(&drawing, words, palette)
            }
        }
    }
}

/// A disclosure with a button for each kind of file there is.
#[component]
pub fn TakeAway(
    /// What is taken away.
    #[prop(into)]
    title: Signal<String>,
    /// What a file's name begins with, such as `storm`.
    file: &'static str,
    /// The scenario it is of.
    #[prop(into)]
    parameters: Signal<Parameters>,
    /// What a picture is made from, where there is something to see.
    #[prop(optional_no_strip)]
    source: Option<Source>,
    /// Writes the rows behind it, where there are any, as CSV.
    #[prop(optional_no_strip)]
    rows: Option<RowsOf>,
    /// Whether the rows are written as JSON too.
    #[prop(optional)]
    json: bool,
) -> impl IntoView {
    let announcer = Announcer::get();
    let palette = use_palette();
    let name = move |kind: &str| parameters.with_untracked(|p| p.file(file, kind));
    let saved = move |name: &str| announcer.say(format!("{name} is saved"));
    let picture = move |source: Source| {
        let words = Words {
            title: title.get_untracked(),
            parameters: parameters.with_untracked(|p| p.words.clone()),
        };
        let picture = source.picture(&words, &palette.get_untracked());
        if picture.is_none() {
            announcer.say("There is nothing to save yet");
        }
        picture
    };
    let save_svg = move |source: Source| {
        if let Some(picture) = picture(source) {
            download_text(&name("svg"), "image/svg+xml", &picture.svg);
            saved(&name("svg"));
        }
    };
    let save_png = move |source: Source| {
        let Some(picture) = picture(source) else {
            return;
        };
        let name = name("png");
        leptos::task::spawn_local(async move {
            match picture.png().await {
                Ok(blob) => {
                    download(&name, &blob);
                    saved(&name);
                }
                Err(_) => announcer.say("The browser could not make the picture"),
            }
        });
    };
    let save_rows = move |rows: RowsOf, format: Format| {
        let (kind, media_type) = match format {
            Format::Csv => ("csv", "text/csv"),
            // A JSON value a line is no JSON document.
            Format::Json => ("jsonl", "application/x-ndjson"),
        };
        download_text(&name(kind), media_type, &untrack(|| rows.run(format)));
        saved(&name(kind));
    };
    let button = |word: &'static str, on_press: Box<dyn Fn()>| {
        view! { <Button class="link" on_press=on_press>{word}</Button> }.into_any()
    };
    let mut buttons = Vec::new();
    if let Some(source) = source {
        buttons.push(button("PNG", Box::new(move || save_png(source))));
        buttons.push(button("SVG", Box::new(move || save_svg(source))));
    }
    if let Some(rows) = rows {
        buttons.push(button(
            "CSV",
            Box::new(move || save_rows(rows, Format::Csv)),
        ));
        if json {
            buttons.push(button(
                "JSON",
                Box::new(move || save_rows(rows, Format::Json)),
            ));
        }
    }
    let label = move || format!("Save “{}”", title.get());
    view! {
        <details class="take">
            <summary aria-label=label>"Save"</summary>
            <div role="group" aria-label=label>{buttons}</div>
        </details>
    }
    .into_any()
}
