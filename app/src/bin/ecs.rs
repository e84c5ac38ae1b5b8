//! The execution control system, as a program of its own.

use app::pages::{Page, ecs};
use leptos::prelude::*;

app::page_program!(
    Page::Ecs,
    || view! { <ecs::Ecs /> }.into_any(),
    Some(ecs::embed)
);
