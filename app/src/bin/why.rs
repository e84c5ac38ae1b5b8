//! Why it fails, as a program of its own.

use app::pages::{Page, why::Why};
use app::program::hold;
use leptos::prelude::*;

fn main() {
    hold(Page::Why, || view! { <Why /> }.into_any());
}
