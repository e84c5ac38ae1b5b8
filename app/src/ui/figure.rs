//! The frame of a figure, and tables.

use super::{Button, fresh_id};
use leptos::prelude::*;

/// A figure: its title, its canvas, its caption, what it shows in words, and its numbers as a table on request.
#[component]
pub fn Figure(
    /// Its title: what it shows, as a sentence or a question where that helps.
    #[prop(into)]
    title: Signal<String>,
    /// How to read it.
    #[prop(optional, into)]
    caption: MaybeProp<String>,
    /// What it shows now, in words, for those who do not see it.
    #[prop(into)]
    summary: Signal<String>,
    /// Its numbers, made when they are asked for.
    #[prop(optional, into)]
    table: Option<ViewFn>,
    /// The canvas, with whatever else belongs inside the frame.
    children: Children,
) -> impl IntoView {
    let id = fresh_id("figure");
    let (title_id, summary_id) = (format!("{id}-title"), format!("{id}-summary"));
    let as_table = RwSignal::new(false);
    let shown = table.clone();
    view! {
        <figure class="figure" aria-labelledby=title_id.clone() aria-describedby=summary_id.clone()>
            <div class="title">
                <h3 id=title_id.clone()>{title}</h3>
                {table
                    .is_some()
                    .then(|| {
                        view! {
                            <Button class="link" on_press=move || as_table.update(|shown| *shown = !*shown)>
                                {move || if as_table.get() { "Hide the table" } else { "Show as a table" }}
                            </Button>
                        }
                    })}
            </div>
            <p class="only-heard" id=summary_id.clone()>{summary}</p>
            {children()}
            {move || caption.get().map(|words| view! { <figcaption>{words}</figcaption> })}
            {move || as_table.get().then(|| shown.as_ref().map(ViewFn::run))}
        </figure>
    }
}

/// A table that scrolls within itself.
#[component]
pub fn Table(
    /// What it holds, for those who do not see it.
    #[prop(into)]
    label: String,
    /// The heads of its columns.
    heads: Vec<String>,
    /// Its rows; the one that is current is marked.
    rows: Vec<(Vec<String>, bool)>,
) -> impl IntoView {
    view! {
        <div class="table-scroll" role="region" aria-label=label tabindex="0">
            <table>
                <thead>
                    <tr>
                        {heads
                            .into_iter()
                            .map(|head| view! { <th scope="col">{head}</th> })
                            .collect_view()}
                    </tr>
                </thead>
                <tbody>
                    {rows
                        .into_iter()
                        .map(|(cells, current)| {
                            view! {
                                <tr aria-current=current.then_some("true")>
                                    {cells
                                        .into_iter()
                                        .map(|cell| view! { <td>{cell}</td> })
                                        .collect_view()}
                                </tr>
                            }
                        })
                        .collect_view()}
                </tbody>
            </table>
        </div>
    }
}
