//! The storm and its basin, as a program of its own.

use app::pages::{Page, basin::Basin};
use app::program::hold;
use leptos::prelude::*;

fn main() {
    hold(Page::Basin, || view! { <Basin /> }.into_any());
}
