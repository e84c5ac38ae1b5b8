//! The colours that figures draw with, read from the page's style.

use crate::text::number_in;
use crate::ui::Pattern;
use engine::retrier_server::Verdict;
use leptos::prelude::{document, window};
use plotters::style::RGBAColor;
use wasm_bindgen::JsCast;

/// A colour.
pub type Colour = RGBAColor;

/// The colours of the theme in force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Palette {
    /// Behind everything.
    pub surface: Colour,
    /// Text and the strongest lines.
    pub ink: Colour,
    /// Text and lines that step back.
    pub muted: Colour,
    /// Grids and frames.
    pub line: Colour,
    /// What the reader acts on, such as the playhead.
    pub accent: Colour,
    /// Fresh work.
    pub fresh: Colour,
    /// Duplicate work.
    pub duplicate: Colour,
    /// Long tasks.
    pub long: Colour,
    verdicts: [VerdictColours; 5],
}

/// How a verdict looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VerdictColours {
    /// Its colour.
    pub fill: Colour,
    /// What reads on that.
    pub ink: Colour,
    /// What is laid over it.
    pub pattern: Pattern,
    /// Its letter.
    pub letter: &'static str,
    /// The name of its colour in the style.
    pub class: &'static str,
}

const fn black() -> Colour {
    RGBAColor(0, 0, 0, 1.0)
}

/// How each verdict looks besides its colours: its name in the style, its pattern and its letter.
const VERDICTS: [(&str, Pattern, &str); 5] = [
    ("recovers", Pattern::Plain, "R"),
    ("orbits", Pattern::Dots, "O"),
    ("at-risk", Pattern::Stripes, "A"),
    ("doomed", Pattern::Crosses, "D"),
    ("unknown", Pattern::Plain, "?"),
];

impl Default for Palette {
    /// Black on white, for where there is no page.
    fn default() -> Self {
        Self::from_names(|name| match name {
            "surface" => RGBAColor(255, 255, 255, 1.0),
            _ => black(),
        })
    }
}

impl Palette {
    /// The palette of the page's style as it is now.
    #[must_use]
    pub fn of_page() -> Self {
        let Some(body) = document().body() else {
            return Self::default();
        };
        // The browser resolves a colour however it is written once it is the colour of an element.
        let probe = document()
            .create_element("span")
            .expect("a span can be made");
        let probe: web_sys::HtmlElement = probe.unchecked_into();
        probe.set_hidden(true);
        let _ = body.append_child(&probe);
        let computed = window().get_computed_style(&probe).ok().flatten();
        let palette = Self::from_names(|name| {
            let _ = probe
                .style()
                .set_property("color", &format!("var(--{name})"));
            computed
                .as_ref()
                .and_then(|style| style.get_property_value("color").ok())
                .and_then(|text| parse_rgb(&text))
                .unwrap_or_else(black)
        });
        probe.remove();
        palette
    }

    /// Of the colours that `colour` gives for their names in the style.
    pub(super) fn from_names(mut colour: impl FnMut(&str) -> Colour) -> Self {
        Self {
            surface: colour("surface"),
            ink: colour("ink"),
            muted: colour("muted"),
            line: colour("line"),
            accent: colour("accent"),
            fresh: colour("fresh"),
            duplicate: colour("duplicate"),
            long: colour("long"),
            verdicts: VERDICTS.map(|(class, pattern, letter)| VerdictColours {
                fill: colour(class),
                ink: colour(&format!("on-{class}")),
                pattern,
                letter,
                class,
            }),
        }
    }

    /// How `verdict` looks.
    #[must_use]
    pub fn verdict(&self, verdict: Verdict) -> VerdictColours {
        self.verdicts[verdict as usize]
    }

    /// How the colour of that name in the style looks, if it is a verdict's.
    #[must_use]
    pub fn named(&self, class: &str) -> Option<VerdictColours> {
        self.verdicts.into_iter().find(|look| look.class == class)
    }
}

/// Reads a computed colour, `rgb(1, 2, 3)` or `rgba(1, 2, 3, 0.5)`.
fn parse_rgb(text: &str) -> Option<Colour> {
    let inside = text.split_once('(')?.1.trim_end_matches(')');
    let mut numbers = inside.split(',').map(str::trim);
    let mut channel = || numbers.next()?.parse().ok();
    let (r, g, b) = (channel()?, channel()?, channel()?);
    let alpha = numbers.next().map_or(Some(1.0), number_in)?;
    Some(RGBAColor(r, g, b, alpha))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn computed_colours_are_read() {
        assert_eq!(
            parse_rgb("rgb(27, 31, 35)"),
            Some(RGBAColor(27, 31, 35, 1.0))
        );
        assert_eq!(
            parse_rgb("rgba(1, 2, 3, 0.5)"),
            Some(RGBAColor(1, 2, 3, 0.5))
        );
        assert_eq!(parse_rgb("none"), None);
    }

    #[test]
    fn every_verdict_has_a_letter_of_its_own() {
        let palette = Palette::default();
        for (i, a) in Verdict::ALL.into_iter().enumerate() {
            for b in &Verdict::ALL[i + 1..] {
                assert_ne!(palette.verdict(a).letter, palette.verdict(*b).letter);
            }
        }
    }
}
