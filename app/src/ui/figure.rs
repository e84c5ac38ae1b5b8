//! The frame of a figure, and tables.

use super::{Button, RowsOf, Source, TakeAway, fresh_id};
use crate::parameters::Parameters;
use crate::plots::layers::Layers;
use crate::share::Rows;
use engine::rows::{self, Format};
use leptos::context::Provider;
use leptos::prelude::*;

/// A figure: its title, its canvas, its caption, what it shows in words, its numbers as a table on request, and ways to
/// take it away.
#[component]
pub fn Figure(
    /// Its title: what it shows, as a sentence or a question where that helps.
    #[prop(into)]
    title: Signal<String>,
    /// What the files that are taken away begin with, such as `storm`.
    file: &'static str,
    /// The scenario that it is of.
    #[prop(into)]
    parameters: Signal<Parameters>,
    /// How to read it.
    #[prop(optional, into)]
    caption: MaybeProp<String>,
    /// What it shows now, in words, for those who do not see it.
    #[prop(into)]
    summary: Signal<String>,
    /// Its numbers, made when they are asked for.
    #[prop(optional)]
    table: Option<Callback<(), TableData>>,
    /// Gives the rows that are taken away, where they are others than the table's.
    #[prop(optional)]
    rows: Option<RowsOf>,
    /// The canvas, with whatever else belongs inside the frame.
    children: Children,
) -> impl IntoView {
    let id = fresh_id("figure");
    let (title_id, summary_id) = (format!("{id}-title"), format!("{id}-summary"));
    let as_table = RwSignal::new(false);
    let layers = Layers::default();
    let json = rows.is_some();
    let rows = rows.or_else(|| {
        table.map(|table| Callback::new(move |_: Format| Rows::Written(table.run(()).csv())))
    });
    view! {
        <figure class="figure" aria-labelledby=title_id.clone() aria-describedby=summary_id.clone()>
            <div class="title">
                <h3 id=title_id.clone()>{title}</h3>
                <div class="tools">
                    {table
                        .is_some()
                        .then(|| {
                            view! {
                                <Button class="link" on_press=move || as_table.update(|shown| *shown = !*shown)>
                                    {move || if as_table.get() { "Hide the table" } else { "Show as a table" }}
                                </Button>
                            }
                        })}
                    <TakeAway title file parameters source=Some(Source::Layers(layers)) rows=rows json=json />
                </div>
            </div>
            <p class="only-heard" id=summary_id.clone()>{summary}</p>
            <Provider value=layers>{children()}</Provider>
            {move || caption.get().map(|words| view! { <figcaption>{words}</figcaption> })}
            {move || {
                as_table
                    .get()
                    .then(|| {
                        table
                            .map(|table| {
                                let TableData { label, heads, rows } = table.run(());
                                view! { <Table label heads rows /> }
                            })
                    })
            }}
        </figure>
    }
    .into_any()
}

/// A table's contents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableData {
    /// What it holds, for those who do not see it.
    pub label: String,
    /// The heads of its columns.
    pub heads: Vec<String>,
    /// Its rows; the one that is current is marked.
    pub rows: Vec<(Vec<String>, bool)>,
}

impl TableData {
    /// The table as CSV, with numbers and gaps as programs read them.
    #[must_use]
    pub fn csv(&self) -> String {
        let plain = |cell: &String| match cell.as_str() {
            "–" => String::new(),
            number if number.bytes().all(|b| b.is_ascii_digit() || b == b',') => {
                number.replace(',', "")
            }
            words => words.to_owned(),
        };
        let rows: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|(cells, _)| cells.iter().map(plain).collect())
            .collect();
        rows::table(std::iter::once(&self.heads).chain(&rows).map(Vec::as_slice))
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
        <div class="table-scroll fitted" role="region" aria-label=label tabindex="0">
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

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn a_table_is_taken_away_with_plain_numbers() {
        let table = TableData {
            label: String::new(),
            heads: ["Verdict", "to"].map(str::to_owned).to_vec(),
            rows: vec![
                (["at risk", "1,200"].map(str::to_owned).to_vec(), true),
                (["doomed", "–"].map(str::to_owned).to_vec(), false),
            ],
        };
        assert_eq!(table.csv(), "Verdict,to\nat risk,1200\ndoomed,\n");
    }
}
