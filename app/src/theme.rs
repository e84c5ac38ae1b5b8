//! Light or dark, as the reader's system says or as they choose here, and the palette that figures draw with.

use crate::plots::Palette;
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;

/// Where a choice is kept between visits.
const KEPT_AS: &str = "theme";

/// The root's attribute that styles follow.
const ATTRIBUTE: &str = "data-theme";

/// Which colours the reader wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ThemeChoice {
    /// As the system says.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl ThemeChoice {
    /// Every choice with its word.
    pub const OPTIONS: [(ThemeChoice, &'static str); 3] = [
        (ThemeChoice::System, "Auto"),
        (ThemeChoice::Light, "Light"),
        (ThemeChoice::Dark, "Dark"),
    ];

    /// The value of the root's [`ATTRIBUTE`], and of what is kept.
    const fn attribute(self) -> Option<&'static str> {
        match self {
            ThemeChoice::System => None,
            ThemeChoice::Light => Some("light"),
            ThemeChoice::Dark => Some("dark"),
        }
    }

    /// The choice of the last visit; where nothing can be kept, that of the program before on this page.
    fn kept() -> Self {
        let kept = match storage() {
            Some(storage) => storage.get_item(KEPT_AS).ok().flatten(),
            None => root().and_then(|root| root.get_attribute(ATTRIBUTE)),
        };
        match kept.as_deref() {
            Some("light") => ThemeChoice::Light,
            Some("dark") => ThemeChoice::Dark,
            _ => ThemeChoice::System,
        }
    }
}

/// The theme in force. Kept in context by the shell.
#[derive(Clone, Copy)]
pub struct Theme {
    /// The reader's choice.
    pub choice: Signal<ThemeChoice>,
    set_choice: WriteSignal<ThemeChoice>,
    /// The colours that figures draw with.
    pub palette: Signal<Palette>,
    set_palette: WriteSignal<Palette>,
}

impl Theme {
    /// Takes up the choice of the last visit, and follows the system's changes and what is chosen in other tabs.
    #[must_use]
    pub fn new() -> Self {
        let theme = Self::showing(ThemeChoice::kept());
        let listening = window_event_listener(ev::storage, move |_| {
            let kept = ThemeChoice::kept();
            if theme.choice.get_untracked() != kept {
                theme.show(kept);
            }
        });
        on_cleanup(move || listening.remove());
        theme
    }

    /// Begins with a choice that is not the reader's to keep.
    #[must_use]
    pub fn showing(first: ThemeChoice) -> Self {
        let (choice, set_choice) = signal(ThemeChoice::System);
        let (palette, set_palette) = signal(Palette::default());
        let theme = Self {
            choice: choice.into(),
            set_choice,
            palette: palette.into(),
            set_palette,
        };
        theme.show(first);
        for query in ["(prefers-color-scheme: dark)", "(forced-colors: active)"] {
            if let Ok(Some(media)) = window().match_media(query) {
                let changed = Closure::<dyn Fn()>::new(move || theme.read_palette());
                media.set_onchange(Some(changed.as_ref().unchecked_ref()));
                let kept = StoredValue::new_local((media, changed));
                on_cleanup(move || {
                    kept.try_with_value(|(media, _)| media.set_onchange(None));
                });
            }
        }
        theme
    }

    /// Makes the page light, dark or as the system is, and keeps the choice for the next visit.
    pub fn choose(self, choice: ThemeChoice) {
        // Without storage the choice lasts as long as the tab shows this page.
        if let Some(storage) = storage() {
            let _ = match choice.attribute() {
                Some(value) => storage.set_item(KEPT_AS, value),
                None => storage.remove_item(KEPT_AS),
            };
        }
        self.show(choice);
    }

    fn show(self, choice: ThemeChoice) {
        if let Some(root) = root() {
            let _ = match choice.attribute() {
                Some(value) => root.set_attribute(ATTRIBUTE, value),
                None => root.remove_attribute(ATTRIBUTE),
            };
        }
        self.set_choice.set(choice);
        self.read_palette();
    }

    fn read_palette(self) {
        self.set_palette.set(Palette::of_page());
    }
}

impl Default for Theme {
    fn default() -> Self {
        Self::new()
    }
}

/// The palette in force, for a figure to track. It ends with the calling component, and so do those who follow it: the
/// theme itself, which lasts as long as the page, would keep them.
#[must_use]
pub fn use_palette() -> Signal<Palette> {
    let palette = expect_context::<Theme>().palette;
    Memo::new(move |_| palette.get()).into()
}

/// Whether the reader asked for less motion.
#[must_use]
pub fn prefers_reduced_motion() -> bool {
    window()
        .match_media("(prefers-reduced-motion: reduce)")
        .ok()
        .flatten()
        .is_some_and(|media| media.matches())
}

fn root() -> Option<web_sys::Element> {
    document().document_element()
}

fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok().flatten()
}
