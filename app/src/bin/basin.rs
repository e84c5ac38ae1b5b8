//! The storm and its basin, as a program of its own.

use app::pages::{Page, basin};
use app::program::hold;
use leptos::prelude::*;

fn main() {
    hold(
        Page::Basin,
        || view! { <basin::Basin /> }.into_any(),
        Some(basin::embed),
    );
}
