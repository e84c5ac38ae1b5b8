//! The storm and its basin, as a program of its own.

use app::pages::{Page, basin};
use leptos::prelude::*;

app::page_program!(
    Page::Basin,
    || view! { <basin::Basin /> }.into_any(),
    Some(basin::embed)
);
