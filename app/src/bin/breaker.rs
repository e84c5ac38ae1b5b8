//! The circuit breaker, as a program of its own.

use app::pages::{Page, breaker};
use app::program::hold;
use leptos::prelude::*;

fn main() {
    hold(
        Page::Breaker,
        || view! { <breaker::Breaker /> }.into_any(),
        Some(breaker::embed),
    );
}
