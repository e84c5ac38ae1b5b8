//! What takes a scenario elsewhere and brings it back, as a program of its own.

use app::pages::Page;
use app::plots::Palette;
use app::plots::picture::Picture;
use app::route::Route;
use app::share::{Kind, Panel, Shown, Taken};
use app::shell::show_panics;
use app::ui::{download, download_text, ids_from};
use engine::FieldError;
use engine::scenario_file::ScenarioFile;
use js_sys::Function;
use leptos::mount::{Mounted, mount_to};
use leptos::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlElement};

/// The panel that is shown, where, and of what.
struct Shows {
    into: HtmlElement,
    shown: Shown,
    _mounted: Mounted,
}

thread_local! {
    static SHOWS: RefCell<Option<Shows>> = const { RefCell::new(None) };
}

fn main() {
    show_panics();
    // The page's program counts from 0.
    ids_from(1_000_000);
}

/// Shows the panel at the end of `into`, unless it is there, for what a page shows: `link` is its whole address, and
/// `query` the part after the page's name. A file that the reader chooses is given to `take`.
#[wasm_bindgen]
pub fn show(into: HtmlElement, page: &str, link: String, query: String, take: Function) {
    let Route::Page(page) = Route::named(page) else {
        return;
    };
    SHOWS.with_borrow_mut(|shows| {
        if let Some(Shows { shown, .. }) = shows.as_ref().filter(|shows| shows.into == into) {
            shown.link.set(link);
            shown.query.set(query);
            return;
        }
        let take = Rc::new(move |file: web_sys::File| {
            // It is the page's, which tells of what goes wrong.
            let _ = take.call1(&JsValue::NULL, &file);
        });
        let mut made = None;
        let mounted = mount_to(&into, || {
            let shown = Shown {
                page,
                link: RwSignal::new(link),
                query: RwSignal::new(query),
            };
            made = Some(shown);
            view! { <Panel shown take /> }
        });
        *shows = made.map(|shown| Shows {
            into,
            shown,
            _mounted: mounted,
        });
    });
}

/// Takes the panel away.
#[wasm_bindgen]
pub fn leave() {
    SHOWS.take();
}

/// The address that a scenario file is of.
///
/// # Errors
/// Says what is wrong with the file.
#[wasm_bindgen]
pub fn read(bytes: &[u8]) -> Result<String, JsValue> {
    fragment(bytes).map_err(|why| why.to_string().into())
}

/// Saves what is taken away, as [`Taken`] in postcard, as a file called `name`. `kind` is the place of its kind among
/// [`Kind::ALL`]; `drawing` is what stands in the page where that is taken.
///
/// # Errors
/// What the browser reports.
#[wasm_bindgen]
pub async fn save(
    taken: Vec<u8>,
    drawing: Option<Element>,
    kind: u8,
    name: String,
) -> Result<(), JsValue> {
    let kind = *Kind::ALL
        .get(usize::from(kind))
        .ok_or("this kind of file is not known")?;
    let taken = postcard::from_bytes(&taken).map_err(|error| error.to_string())?;
    let palette = Palette::of_page();
    let picture = match (taken, drawing) {
        (Taken::Rows(rows), _) => {
            download_text(&name, kind.media_type(), &rows.text(kind.format()));
            return Ok(());
        }
        (Taken::Figure(sheet), _) => Picture::of_sheet(&sheet, &palette),
        (Taken::Drawing(words), Some(drawing)) => Picture::of_inline(&drawing, &words, &palette),
        (Taken::Drawing(_), None) => None,
    };
    let picture = picture.ok_or("the browser has nothing to draw on")?;
    match kind {
        Kind::Png => download(&name, &picture.png().await?),
        _ => download_text(&name, kind.media_type(), &picture.svg),
    }
    Ok(())
}

fn fragment(bytes: &[u8]) -> Result<String, FieldError> {
    let ScenarioFile { page, query } = ScenarioFile::read(bytes)?;
    if let Some(page) = Page::ALL.into_iter().find(|known| known.name() == page) {
        return Ok(format!("{}?{query}", page.address()));
    }
    let names = Page::ALL.map(Page::name).join(", ");
    Err(FieldError::new(
        "page",
        format!("'{page}'"),
        format!("one of {names}"),
    ))
}
