//! The parts that pages are made of. Each names its props, is reached by keyboard, and says what it is to a screen
//! reader; their looks are in `style/ui.css`.

mod announcer;
mod broken;
mod button;
mod download;
mod drafts;
mod figure;
mod icon;
mod legend;
mod number;
mod player;
mod presets;
mod progress;
mod rows;
mod scrub;
mod segmented;
mod tabs;
mod take_away;
mod term;
mod toggle;

pub use announcer::{Announcer, LiveRegion};
pub use broken::Broken;
pub use button::{Button, CopyButton};
pub use download::{download, download_text, text_blob};
pub use drafts::Drafts;
pub use figure::{Figure, Table, TableData};
pub use icon::{Icon, Sign};
pub use legend::{Legend, LegendItem, Pattern};
pub use number::{MAX_SEED, Number};
pub use player::{Player, Playhead};
pub use presets::{PresetItem, Presets};
pub use progress::Progress;
pub use rows::Rows;
pub use scrub::{Scrub, Spot};
pub use segmented::Segmented;
pub use tabs::Tabs;
pub use take_away::{RowsOf, Source, TakeAway};
pub use term::Term;
pub use toggle::Toggle;

use std::sync::atomic::{AtomicU32, Ordering};

/// Moves the focus to the first element of `css`: where it was may be gone.
pub fn focus(css: &str) {
    use wasm_bindgen::JsCast;
    if let Ok(Some(element)) = leptos::prelude::document().query_selector(css) {
        let _ = element.unchecked_into::<web_sys::HtmlElement>().focus();
    }
}

/// Whether a key is pressed by itself: with control, alt or the like it is the browser's.
pub fn is_plain(event: &leptos::ev::KeyboardEvent) -> bool {
    !(event.ctrl_key() || event.alt_key() || event.meta_key())
}

/// The number of the next id.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// A fresh id, to tie a label or a description to what it is of.
pub(crate) fn fresh_id(kind: &str) -> String {
    format!("{kind}-{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Counts ids from here, where another program is on the page too.
pub fn ids_from(first: u32) {
    NEXT.store(first, Ordering::Relaxed);
}
