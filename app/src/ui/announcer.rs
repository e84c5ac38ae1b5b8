//! The one live region, through which the page speaks to screen readers.

use leptos::prelude::*;

/// Says things aloud to those who listen. Kept in context by the shell.
#[derive(Clone, Copy)]
pub struct Announcer(RwSignal<String>);

impl Announcer {
    /// Puts an announcer in context; the shell's [`LiveRegion`] speaks for it.
    pub fn provide() {
        provide_context(Self(RwSignal::new(String::new())));
    }

    /// The announcer in context.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }

    /// Says `words`, politely: after whatever is being read.
    pub fn say(self, words: impl Into<String>) {
        let mut words = words.into();
        self.0.update(|said| {
            // The same words again would be no change, and not be read.
            if *said == words {
                words.push('\u{a0}');
            }
            *said = words;
        });
    }
}

/// The live region itself.
#[component]
pub fn LiveRegion() -> impl IntoView {
    let Announcer(words) = Announcer::get();
    view! { <div class="only-heard" role="status" aria-live="polite">{words}</div> }
}
