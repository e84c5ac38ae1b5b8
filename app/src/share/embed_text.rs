//! The text that puts a view into a page elsewhere.

use crate::embed::{Asked, Control, View};
use crate::pages::Page;
use crate::text::capitalised;
use crate::theme::ThemeChoice;
use crate::ui::{CopyButton, Number, Segmented, Toggle, fresh_id};
use leptos::prelude::*;

/// Lowest and highest `iframe` that is offered, in CSS pixels.
const HEIGHTS: (f64, f64) = (100.0, 5_000.0);

/// What gives frames the heights that their views tell, for the page around them.
const HOST: &str = include_str!("host.html");

/// What is chosen.
#[derive(Clone, Debug, PartialEq)]
struct Choice {
    view: View,
    controls: Vec<Control>,
    theme: ThemeChoice,
    height: u32,
}

impl Choice {
    fn of(view: View) -> Self {
        Self {
            view,
            controls: view.usual_controls().to_vec(),
            theme: ThemeChoice::System,
            height: view.usual_height(),
        }
    }

    /// The `iframe`, for a dashboard at `link`.
    fn text(&self, link: &str) -> String {
        let (site, fragment) = link.split_once('#').unwrap_or((link, ""));
        let search = Asked::search(self.view, &self.controls, Some(self.theme));
        let address = escape(&format!("{site}{search}#{fragment}"));
        format!(
            r#"<iframe src="{address}" title="{}" loading="lazy" style="width: 100%; height: {}px; border: 0"></iframe>"#,
            self.view.title(),
            self.height
        )
    }
}

/// Text as the value of an attribute.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;")
}

/// Choosing a view of the present page, and the text that embeds it.
#[component]
pub fn EmbedText(
    /// The page.
    page: Page,
    /// The address of what it shows.
    #[prop(into)]
    link: Signal<String>,
) -> impl IntoView {
    let views = View::ALL
        .into_iter()
        .filter(|view| view.page() == page)
        .collect::<Vec<_>>();
    let Some(&first) = views.first() else {
        return ().into_any();
    };
    let choice = RwSignal::new(Choice::of(first));
    let view = Memo::new(move |_| choice.with(|choice| choice.view));
    let text = Memo::new(move |_| choice.with(|choice| choice.text(&link.get())));
    let id = fresh_id("embed");
    let views = (views.len() > 1).then(|| {
        let options = views.into_iter().map(|view| (view, view.title()));
        view! {
            <Segmented
                label="View"
                options=options.collect()
                value=view
                on_change=move |view: View| {
                    choice.update(|choice| *choice = Choice { theme: choice.theme, ..Choice::of(view) });
                }
            />
        }
    });
    let switches = move || {
        let offered = view.get().controls().iter();
        offered
            .map(|&control| {
                view! {
                    <Toggle
                        label=capitalised(control.words())
                        value=Signal::derive(move || choice.with(|choice| choice.controls.contains(&control)))
                        on_change=move |on: bool| switch(choice, control, on)
                    />
                }
            })
            .collect_view()
    };
    view! {
        <details class="embed-text">
            <summary><h3>"In a page of yours"</h3></summary>
            <p class="note">
                "One view alone, at the scenario that this page shows."
            </p>
            {views}
            <fieldset class="switches">
                <legend>"Controls beside it"</legend>
                {switches}
            </fieldset>
            <Segmented
                label="Colours"
                options=vec![
                    (ThemeChoice::System, "Its reader’s"),
                    (ThemeChoice::Light, "Light"),
                    (ThemeChoice::Dark, "Dark"),
                ]
                value=Signal::derive(move || choice.with(|choice| choice.theme))
                on_change=move |theme: ThemeChoice| choice.update(|choice| choice.theme = theme)
            />
            <Number
                label="Height"
                unit="pixels"
                min=HEIGHTS.0
                max=HEIGHTS.1
                slider_max=3_000.0
                value=Signal::derive(move || choice.with(|choice| f64::from(choice.height)))
                on_change=move |height: f64| {
                    choice.update(|choice| choice.height = height as u32);
                    Ok(())
                }
            />
            <label for=id.clone()>"The text to put into it"</label>
            <textarea id=id.clone() readonly rows="4" spellcheck="false" prop:value=text></textarea>
            <CopyButton label="Copy the text" text=move || text.get_untracked() />
            <p class="note" id=format!("{id}-host")>
                "A view tells the page around it how high it is. With this once before the views, each is as high as it needs to be."
            </p>
            <textarea aria-labelledby=format!("{id}-host") readonly rows="4" spellcheck="false">{HOST}</textarea>
            <CopyButton label="Copy the script" text=|| HOST.to_owned() />
        </details>
    }
    .into_any()
}

/// Takes `control` in or out. They stand in the order in which the view offers them.
fn switch(choice: RwSignal<Choice>, control: Control, on: bool) {
    choice.update(|choice| {
        let offered = choice.view.controls().iter().copied();
        choice.controls = offered
            .filter(|&one| {
                if one == control {
                    on
                } else {
                    choice.controls.contains(&one)
                }
            })
            .collect();
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn the_text_names_the_view_its_controls_and_the_scenario() {
        let choice = Choice {
            controls: vec![Control::Play, Control::S],
            theme: ThemeChoice::Dark,
            height: 700,
            ..Choice::of(View::Storm)
        };
        assert_eq!(
            choice.text("https://example.org/some/where/#/basin?v=1&q0=9"),
            "<iframe src=\"https://example.org/some/where/?embed=storm&amp;controls=play,s&amp;theme=dark#/basin?v=1&amp;q0=9\" \
             title=\"What becomes of the run\" loading=\"lazy\" style=\"width: 100%; height: 700px; border: 0\"></iframe>"
        );
    }

    #[wasm_bindgen_test]
    fn the_script_for_the_page_around_is_that_of_the_readme_and_of_the_page_it_shows() {
        for text in [
            include_str!("../../../README.md"),
            include_str!("../../../tests/pages/three-views.html"),
        ] {
            for line in HOST.lines() {
                assert!(text.contains(line.trim()), "{line}");
            }
        }
    }

    #[wasm_bindgen_test]
    fn what_is_usual_is_not_written() {
        let text = Choice::of(View::Ecs).text("https://example.org/#/ecs");
        assert!(
            text.starts_with("<iframe src=\"https://example.org/?embed=ecs#/ecs\""),
            "{text}"
        );
    }
}
