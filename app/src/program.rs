//! Each page is a program of its own, so that a reader loads the one they look at.
//!
//! The script in `index.html` loads the program of the page that the address names, and another one when the address
//! comes to name another page: then it calls [`stop`] of the one and [`start`] of the other. A program that was loaded
//! stays, so that going back to it takes no time.

use crate::embed::{Asked, Embed, EmbedFrame};
use crate::pages::Page;
use crate::shell::{Shell, show_panics};
use leptos::mount::mount_to;
use leptos::prelude::*;
use std::any::Any;
use std::cell::{Cell, RefCell};
use wasm_bindgen::prelude::*;

/// A page, its view, and what makes one of its views alone.
#[derive(Clone, Copy)]
struct Content {
    page: Page,
    view: fn() -> AnyView,
    embed: Option<Embed>,
}

thread_local! {
    /// What this program shows; set once, at the start.
    static CONTENT: Cell<Option<Content>> = const { Cell::new(None) };
    /// What is mounted. Dropping it takes it off the page.
    static MOUNTED: RefCell<Option<Box<dyn Any>>> = const { RefCell::new(None) };
}

/// Makes `page` what this program shows once it is started: all of it, or the view alone that `embed` makes.
pub fn hold(page: Page, view: fn() -> AnyView, embed: Option<Embed>) {
    show_panics();
    CONTENT.set(Some(Content { page, view, embed }));
}

/// Shows the program's page, if it is not shown.
#[wasm_bindgen]
pub fn start() {
    let Some(Content { page, view, embed }) = CONTENT.get() else {
        return;
    };
    if let Some(boot) = document().get_element_by_id("boot") {
        boot.remove();
    }
    MOUNTED.with_borrow_mut(|mounted| {
        mounted.get_or_insert_with(|| {
            let asked = Asked::of_search(&location().search().unwrap_or_default());
            Box::new(mount_to(&body(), move || match asked {
                Some(asked) => view! { <EmbedFrame asked page embed /> }.into_any(),
                None => view! { <Shell page view /> }.into_any(),
            }))
        });
    });
}

/// Takes the program's page away. What was set on it is in the address.
#[wasm_bindgen]
pub fn stop() {
    MOUNTED.take();
}

fn body() -> web_sys::HtmlElement {
    document().body().expect("the page has a body")
}
