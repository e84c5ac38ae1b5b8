//! The guided story, as a program of its own.

use app::pages::{Page, story::Story};
use app::program::hold;
use leptos::prelude::*;

fn main() {
    hold(Page::Story, || view! { <Story /> }.into_any(), None);
}
