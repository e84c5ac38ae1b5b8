//! What surrounds every page: the header with its navigation, the page that the address names, and the notice of
//! an error nobody expected.

use crate::address::Address;
use crate::later::later;
use crate::pages::Page;
use crate::route::Route;
use crate::share::{DropZone, RefusalNotice, Share};
use crate::theme::{Theme, ThemeChoice};
use crate::ui::{Announcer, Drafts, LiveRegion, Segmented};
use leptos::ev;
use leptos::prelude::*;

/// Shows a panic on the page as well as in the console: a page that has stopped must say so.
pub fn show_panics() {
    std::panic::set_hook(Box::new(|panic| {
        console_error_panic_hook::hook(panic);
        let notice = document().get_element_by_id("failure");
        if let Some(notice) = notice {
            if let Ok(Some(details)) = notice.query_selector("pre") {
                details.set_text_content(Some(&panic.to_string()));
            }
            let _ = notice.remove_attribute("hidden");
        }
    }));
}

/// The whole site, with one of its pages.
#[component]
pub fn Shell(
    /// The page.
    page: Page,
    /// What it shows.
    view: fn() -> AnyView,
) -> impl IntoView {
    let fragment = move || location().hash().unwrap_or_default();
    let route = RwSignal::new(Route::of_fragment(&fragment()));
    let listening = window_event_listener(ev::hashchange, move |_| {
        route.set(Route::of_fragment(&fragment()));
    });
    on_cleanup(move || listening.remove());

    // Another page is another program's; until that is there, this one stays.
    let unknown = Memo::new(move |_| match route.get() {
        Route::Unknown(name) => Some(name),
        Route::Page(_) => None,
    });

    let theme = Theme::new();
    provide_context(theme);
    Announcer::provide();
    Drafts::provide();
    Address::provide();

    Effect::new(move || {
        let title = unknown.with(|unknown| match unknown {
            None => page.title(),
            Some(_) => "No such page",
        });
        document().set_title(&format!("{title} · Metastability, made explorable"));
    });

    // The address belongs to the router, so the skip link moves the focus itself.
    let skip = move |event: ev::MouseEvent| {
        event.prevent_default();
        if let Some(page) = document().get_element_by_id("page") {
            use wasm_bindgen::JsCast;
            let _ = page.unchecked_into::<web_sys::HtmlElement>().focus();
        }
    };

    view! {
        <a class="skip" href="#page" on:click=skip>"Skip to the page"</a>
        <header class="head">
            <a class="name" href=Page::ALL[0].address()>"Metastability, made explorable"</a>
            <nav aria-label="Pages">
                <ul>
                    {Page::ALL
                        .into_iter()
                        .map(|other| {
                            let current = move || {
                                (other == page && unknown.with(Option::is_none)).then_some("page")
                            };
                            view! {
                                <li>
                                    <a href=other.address() aria-current=current>
                                        {other.title()}
                                    </a>
                                </li>
                            }
                        })
                        .collect_view()}
                </ul>
            </nav>
            <Share />
            <div class="theme">
                <Segmented
                    label="Colours"
                    hide_label=true
                    options=ThemeChoice::OPTIONS.to_vec()
                    value=theme.choice
                    on_change=move |choice| theme.choose(choice)
                />
            </div>
        </header>
        <RefusalNotice />
        <main id="page" class="page" tabindex="-1">
            {move || match unknown.get() {
                None => later(view),
                Some(name) => view! { <NoSuchPage name /> }.into_any(),
            }}
        </main>
        <footer class="foot">
            <p>
                "Everything on this page is computed in your browser, by the same engine as the "
                <code>"basin"</code> " command. Nothing is sent anywhere."
            </p>
        </footer>
        <LiveRegion />
        <DropZone />
    }
}

/// What an address that names no page shows.
#[component]
fn NoSuchPage(name: String) -> impl IntoView {
    view! {
        <div class="flow">
            <h1>"There is no page named “" {name} "”"</h1>
            <p class="lead">"These are the pages:"</p>
            <ul>
                {Page::ALL
                    .into_iter()
                    .map(|page| view! { <li><a href=page.address()>{page.title()}</a></li> })
                    .collect_view()}
            </ul>
        </div>
    }
}
