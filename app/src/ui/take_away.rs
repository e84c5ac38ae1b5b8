//! The ways to take something away: a figure as a picture, and what is behind it as rows. The page says what; the program
//! that shares makes the file.

use super::{Announcer, Button};
use crate::parameters::Parameters;
use crate::plots::Palette;
use crate::plots::layers::{Layers, Words};
use crate::share::{Kind, Rows, Sharing, Taken};
use crate::theme::use_palette;
use engine::rows::Format;
use leptos::prelude::*;
use leptos::svg;
use wasm_bindgen::JsCast;

/// Gives what is behind a figure.
pub type RowsOf = Callback<Format, Rows>;

/// What a picture is made from.
#[derive(Clone, Copy)]
pub enum Source {
    /// What the canvases of a figure draw.
    Layers(Layers),
    /// A drawing that stands in the page.
    Inline(NodeRef<svg::Svg>),
}

impl Source {
    /// What is taken away, with the drawing that stands in the page.
    fn taken(self, words: Words, palette: &Palette) -> Option<(Taken, Option<web_sys::Element>)> {
        match self {
            Source::Layers(layers) => Some((Taken::Figure(layers.sheet(words, palette)?), None)),
            Source::Inline(drawing) => {
                let drawing = drawing.get_untracked()?.unchecked_into();
                Some((Taken::Drawing(words), Some(drawing)))
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
    /// Gives the rows behind it, where there are any.
    #[prop(optional_no_strip)]
    rows: Option<RowsOf>,
    /// Whether the rows are offered as JSON too.
    #[prop(optional)]
    json: bool,
) -> impl IntoView {
    let announcer = Announcer::get();
    let palette = use_palette();
    let save = move |kind: Kind| {
        let name = parameters.with_untracked(|p| p.file(file, kind.extension()));
        let taken = match kind {
            Kind::Png | Kind::Svg => source.and_then(|source| {
                let words = Words {
                    title: title.get_untracked(),
                    parameters: parameters.with_untracked(|p| p.words.clone()),
                };
                source.taken(words, &palette.get_untracked())
            }),
            Kind::Csv | Kind::Json => {
                rows.map(|rows| (Taken::Rows(untrack(|| rows.run(kind.format()))), None))
            }
        };
        let Some((taken, drawing)) = taken else {
            announcer.say("There is nothing to save yet");
            return;
        };
        leptos::task::spawn_local(async move {
            announcer.say(match Sharing::load().await {
                None => "The part of the explorer that saves did not arrive".to_owned(),
                Some(sharing) => match sharing.save(&taken, drawing, kind, &name).await {
                    Ok(()) => format!("{name} is saved"),
                    Err(_) => "The browser could not make the file".to_owned(),
                },
            });
        });
    };
    let offers = Kind::ALL.into_iter().filter(|kind| match kind {
        Kind::Png | Kind::Svg => source.is_some(),
        Kind::Csv => rows.is_some(),
        Kind::Json => rows.is_some() && json,
    });
    let buttons = offers
        .map(|kind| view! { <Button class="link" on_press=move || save(kind)>{kind.word()}</Button> })
        .collect_view();
    let label = move || format!("Save “{}”", title.get());
    view! {
        <details class="take">
            <summary aria-label=label>"Save"</summary>
            <div role="group" aria-label=label>{buttons}</div>
        </details>
    }
    .into_any()
}
