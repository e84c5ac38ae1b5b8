//! Signs for buttons, drawn rather than written: no face has all of them.

use leptos::prelude::*;

/// A sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// Play.
    Play,
    /// Pause.
    Pause,
    /// To the start.
    Start,
    /// A larger step back.
    LargeBack,
    /// A step back.
    Back,
    /// A step forward.
    Forward,
    /// A larger step forward.
    LargeForward,
    /// Take away.
    Remove,
}

impl Icon {
    /// Its outline in a square of 16.
    const fn path(self) -> &'static str {
        match self {
            Icon::Play => "M4 2.5v11l9-5.5z",
            Icon::Pause => "M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z",
            Icon::Start => "M3 3h1.8v10H3zM13 3v10L5.5 8z",
            Icon::LargeBack => "M8 3v10L1 8zM15 3v10L8 8z",
            Icon::Back => "M11 3v10L4 8z",
            Icon::Forward => "M5 3v10l7-5z",
            Icon::LargeForward => "M8 3v10l7-5zM1 3v10l7-5z",
            Icon::Remove => {
                "M4.1 3 8 6.9 11.9 3l1.1 1.1L9.1 8l3.9 3.9-1.1 1.1L8 9.1 4.1 13 3 11.9 6.9 8 3 4.1z"
            }
        }
    }
}

/// Draws a sign, in the colour and size of the text around it. It says nothing to a screen reader: its button has a label.
#[component]
pub fn Sign(
    /// Which.
    #[prop(into)]
    icon: Signal<Icon>,
) -> impl IntoView {
    view! {
        <svg class="sign" viewBox="0 0 16 16" aria-hidden="true">
            <path d=move || icon.get().path() />
        </svg>
    }
}
