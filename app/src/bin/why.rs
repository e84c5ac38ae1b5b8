//! Why it fails, as a program of its own.

use app::pages::{Page, why};
use leptos::prelude::*;

app::page_program!(
    Page::Why,
    || view! { <why::Why /> }.into_any(),
    Some(why::embed)
);
