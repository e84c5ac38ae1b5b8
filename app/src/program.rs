//! Each page is a program of its own, so that a reader loads the one they look at.
//!
//! The script in `index.html` loads the program of the page that the address names, and another one when the address
//! comes to name another page: then it calls `stop` of the one and `start` of the other. A program that was loaded
//! stays, so that going back to it takes no time.

use crate::embed::{Asked, Embed, EmbedFrame};
use crate::pages::Page;
use crate::shell::Shell;
use leptos::mount::{Mounted, mount_to};
use leptos::prelude::*;
use std::cell::RefCell;

/// Makes a page the whole of a program: what is at the start of each, and what the script calls.
///
/// It is given the page, its view, and what makes one of its views alone, if any does.
#[macro_export]
macro_rules! page_program {
    ($page:expr, $view:expr, $embed:expr) => {
        fn main() {
            $crate::shell::show_panics();
        }

        /// Shows the page, if it is not shown.
        #[::wasm_bindgen::prelude::wasm_bindgen]
        pub fn start() {
            $crate::program::start($page, $view, $embed);
        }

        /// Takes the page away. What was set on it is in the address.
        #[::wasm_bindgen::prelude::wasm_bindgen]
        pub fn stop() {
            $crate::program::stop();
        }
    };
}

thread_local! {
    /// What is mounted. Dropping it takes it off the page.
    static MOUNTED: RefCell<Option<Mounted>> = const { RefCell::new(None) };
}

/// Shows `page`, if nothing is shown: all of it, or the view alone that `embed` makes.
pub fn start(page: Page, view: fn() -> AnyView, embed: Option<Embed>) {
    if let Some(boot) = document().get_element_by_id("boot") {
        boot.remove();
    }
    MOUNTED.with_borrow_mut(|mounted| {
        mounted.get_or_insert_with(|| {
            let asked = Asked::of_search(&location().search().unwrap_or_default());
            mount_to(&body(), move || match asked {
                Some(asked) => view! { <EmbedFrame asked page embed /> }.into_any(),
                None => view! { <Shell page view /> }.into_any(),
            })
        });
    });
}

/// Takes away what is shown.
pub fn stop() {
    MOUNTED.take();
}

fn body() -> web_sys::HtmlElement {
    document().body().expect("the page has a body")
}
