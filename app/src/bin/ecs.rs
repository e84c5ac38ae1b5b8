//! The execution control system, as a program of its own.

use app::pages::{Page, ecs};
use app::program::hold;
use leptos::prelude::*;

fn main() {
    hold(
        Page::Ecs,
        || view! { <ecs::Ecs /> }.into_any(),
        Some(ecs::embed),
    );
}
