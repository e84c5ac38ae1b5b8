//! The execution control system, as a program of its own.

use app::pages::{Page, ecs::Ecs};
use app::program::hold;
use leptos::prelude::*;

fn main() {
    hold(Page::Ecs, || view! { <Ecs /> }.into_any());
}
