//! The guided story, as a program of its own.

use app::pages::{Page, story::Story};
use leptos::prelude::*;

app::page_program!(Page::Story, || view! { <Story /> }.into_any(), None);
