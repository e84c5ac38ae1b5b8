//! A view alone in its frame, and its height told to the host.

use super::{Asked, Control, View};
use crate::address::Address;
use crate::pages::Page;
use crate::route::Route;
use crate::share::RefusalNotice;
use crate::sight::Sight;
use crate::size::watch_size;
use crate::theme::Theme;
use crate::ui::{Announcer, Drafts, LiveRegion};
use engine::FieldError;
use leptos::prelude::*;
use leptos::{ev, html};
use wasm_bindgen::prelude::*;

/// What tells the host an embedded view's height.
const HEIGHT: &str = "metastability:height";

/// Makes one of a page's views with these controls.
pub type Embed = fn(View, &[Control]) -> AnyView;

/// All that an embedding page shows of `page`: the view that is asked for, what was not understood, and the way to the
/// whole dashboard.
#[component]
pub fn EmbedFrame(
    /// What the address asks for.
    asked: Asked,
    /// The page that the address names.
    page: Page,
    /// Makes a view of that page, if any of it can stand alone.
    embed: Option<Embed>,
) -> impl IntoView {
    let Asked {
        view,
        controls,
        theme,
        mut refused,
    } = asked;
    provide_context(theme.map_or_else(Theme::new, Theme::showing));
    Announcer::provide();
    Drafts::provide();
    Address::provide();

    let itself = NodeRef::<html::Main>::new();
    Effect::new(move || {
        if let Some(element) = itself.get() {
            let measured = element.clone();
            watch_size(&element, move || {
                tell_host(measured.get_bounding_client_rect().height());
            });
        }
    });
    let title = view.map_or("Nothing to show", View::title);
    document().set_title(&format!("{title} · Metastability, made explorable"));

    if let Some(view) = view.filter(|view| view.page() != page) {
        refused.push(FieldError::new(
            "embed",
            format!("“{}”, a view of {}", view.name(), view.page().address()),
            format!("a view of {}, which the address names", page.address()),
        ));
    }
    let route = || Route::of_fragment(&location().hash().unwrap_or_default());
    let named = RwSignal::new(route());
    let listening = window_event_listener(ev::hashchange, move |_| named.set(route()));
    on_cleanup(move || listening.remove());
    let misread = move || {
        let unknown = match named.get() {
            Route::Unknown(name) => Some(FieldError::new(
                "the page",
                format!("“{name}”"),
                format!("one of {}", Page::ALL.map(Page::name).join(", ")),
            )),
            Route::Page(_) => None,
        };
        refused
            .iter()
            .chain(&unknown)
            .map(|error| view! { <p class="field-error">{error.to_string()}</p> })
            .collect_view()
    };
    let shown = view
        .filter(|view| view.page() == page)
        .zip(embed)
        .map(|(view, embed)| embed(view, &controls));
    view! {
        <main id="page" class="embed" tabindex="-1" node_ref=itself>
            <div class="misread" role="alert">{misread}</div>
            <RefusalNotice />
            {shown}
            <Credit />
            <LiveRegion />
        </main>
    }
    .into_any()
}

/// A view with its controls: the player before it, the others after. All of it is in `sights`.
pub fn alone(
    class: &'static str,
    sights: &[Sight],
    view: AnyView,
    controls: &[Control],
    control: impl Fn(Control) -> Option<AnyView>,
) -> AnyView {
    let itself = NodeRef::<html::Div>::new();
    for sight in sights {
        sight.watch(itself);
    }
    let make = |&one: &Control| {
        view! { <div class="control" data-control=one.name()>{control(one)}</div> }
    };
    let (player, others): (Vec<_>, Vec<_>) =
        controls.iter().partition(|&&one| one == Control::Play);
    let player = player.into_iter().map(make).collect_view();
    let others = (!others.is_empty()).then(|| {
        let others = others.into_iter().map(make).collect_view();
        view! { <section class="beside" aria-label="Settings">{others}</section> }
    });
    view! { <div class=format!("{class} embedded") node_ref=itself>{player} {view} {others}</div> }
        .into_any()
}

/// The way to the whole dashboard, at the same scenario.
#[component]
fn Credit() -> impl IntoView {
    let address = Address::get();
    view! {
        <p class="credit">
            "A view of "
            <a href=move || address.link() target="_blank" rel="noopener">"Metastability, made explorable"</a>
            ", computed in your browser. The link opens all of it, as it is set here."
        </p>
    }
}

/// Tells the page around this one, if there is one, how high it is.
fn tell_host(height: f64) {
    let Ok(Some(host)) = window().parent() else {
        return;
    };
    if host == window() {
        return;
    }
    let message = js_sys::Object::new();
    for (name, value) in [
        ("type", JsValue::from(HEIGHT)),
        ("height", JsValue::from(height.ceil())),
    ] {
        let _ = js_sys::Reflect::set(&message, &name.into(), &value);
    }
    // Its height is no secret, and the host may be anyone's.
    let _ = host.post_message(&message, "*");
}
