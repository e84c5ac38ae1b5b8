//! The circuit breaker, as a program of its own.

use app::pages::{Page, breaker::Breaker};
use app::program::hold;
use leptos::prelude::*;

fn main() {
    hold(Page::Breaker, || view! { <Breaker /> }.into_any());
}
