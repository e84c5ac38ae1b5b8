//! Why it fails, as a program of its own.

use app::pages::{Page, why};
use app::program::hold;
use leptos::prelude::*;

fn main() {
    hold(
        Page::Why,
        || view! { <why::Why /> }.into_any(),
        Some(why::embed),
    );
}
