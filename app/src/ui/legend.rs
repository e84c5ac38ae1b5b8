//! What colours mean, in pattern, letter and word besides.

use crate::plots::layers::Layers;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// A pattern laid over a colour, so that it is told apart without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pattern {
    /// None.
    Plain,
    /// Dots.
    Dots,
    /// Slanting lines.
    Stripes,
    /// Lines slanting both ways.
    Crosses,
}

impl Pattern {
    const fn class(self) -> &'static str {
        match self {
            Pattern::Plain => "",
            Pattern::Dots => "dots",
            Pattern::Stripes => "stripes",
            Pattern::Crosses => "crosses",
        }
    }
}

/// One entry of a [`Legend`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegendItem {
    /// The class of its colour, such as `at-risk`.
    pub colour: &'static str,
    /// Its pattern.
    pub pattern: Pattern,
    /// Its letter; empty for none.
    pub letter: &'static str,
    /// What it means.
    pub word: &'static str,
}

/// A legend.
#[component]
pub fn Legend(
    /// What it is a legend of.
    #[prop(into)]
    label: String,
    /// Its entries.
    items: Vec<LegendItem>,
) -> impl IntoView {
    // A picture of the figure that it stands in has it too.
    if let Some(layers) = use_context::<Layers>() {
        layers.explain(items.clone());
    }
    view! {
        <ul class="legend" aria-label=label>
            {items
                .into_iter()
                .map(|item| {
                    let class = format!("swatch {} {}", item.colour, item.pattern.class());
                    view! {
                        <li>
                            <span class=class aria-hidden="true">{item.letter}</span>
                            {item.word}
                        </li>
                    }
                })
                .collect_view()}
        </ul>
    }
}
