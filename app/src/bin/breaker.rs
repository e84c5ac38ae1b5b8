//! The circuit breaker, as a program of its own.

use app::pages::{Page, breaker};
use leptos::prelude::*;

app::page_program!(
    Page::Breaker,
    || view! { <breaker::Breaker /> }.into_any(),
    Some(breaker::embed)
);
