//! A figure as a picture that leaves the page: with its title and parameters above it and its legend below, as SVG, and
//! from that as PNG.

use super::layers::{Explained, Placed, Sheet, Words, recorded, recording_area};
use super::panel::text;
use super::pattern::fill;
use super::{CanvasArea, Palette};
use js_sys::{Array, Function, Promise, Reflect};
use leptos::prelude::{document, window};
use plotters::style::text_anchor::{HPos, VPos};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, CanvasRenderingContext2d, Element, HtmlCanvasElement, Url};

/// Pixels around the picture.
const MARGIN: i32 = 16;
/// Pixels from line to line of the words above and below.
const LINE: i32 = 18;
/// Pixels from the title's top to that of the parameters.
const TITLE: i32 = 26;
/// Device pixels of a PNG to each pixel of the figure.
const SHARPNESS: f64 = 2.0;

/// A picture: an SVG document and its size in pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The document.
    pub svg: String,
    /// Its width and height.
    pub size: (i32, i32),
}

/// A figure without its words: pieces of SVG within a size.
struct Body<'a> {
    size: (i32, i32),
    svg: String,
    legend: &'a [Explained],
}

impl Picture {
    /// Of what a figure has drawn.
    #[must_use]
    pub fn of_sheet(sheet: &Sheet, palette: &Palette) -> Option<Self> {
        let mut body = Body {
            size: (0, 0),
            svg: String::new(),
            legend: &sheet.legend,
        };
        for Placed { at, size, drawn } in &sheet.layers {
            body.svg += &nested(*at, *size, &drawn.svg());
            body.size = (
                body.size.0.max(at.0 + size.0),
                body.size.1.max(at.1 + size.1),
            );
        }
        body.with_words(&sheet.words, palette)
    }

    /// Of a drawing that stands in the page as SVG, as it looks now.
    #[must_use]
    pub fn of_inline(drawing: &Element, words: &Words, palette: &Palette) -> Option<Self> {
        let at = drawing.get_bounding_client_rect();
        let size = (at.width().ceil() as i32, at.height().ceil() as i32);
        let body = Body {
            size,
            svg: alone(drawing, size)?,
            legend: &[],
        };
        body.with_words(words, palette)
    }

    /// The same as PNG, with [`SHARPNESS`] device pixels to a pixel.
    ///
    /// # Errors
    /// What the browser reports.
    pub async fn png(&self) -> Result<Blob, JsValue> {
        let canvas: HtmlCanvasElement = document().create_element("canvas")?.unchecked_into();
        let (width, height) = (f64::from(self.size.0), f64::from(self.size.1));
        canvas.set_width((width * SHARPNESS) as u32);
        canvas.set_height((height * SHARPNESS) as u32);
        let context: CanvasRenderingContext2d = canvas
            .get_context("2d")?
            .ok_or("the browser has no canvas")?
            .unchecked_into();
        context.scale(SHARPNESS, SHARPNESS)?;

        let source = crate::ui::text_blob("image/svg+xml", &self.svg)?;
        let address = Url::create_object_url_with_blob(&source)?;
        let drawn = draw_image(&context, &address, (width, height)).await;
        Url::revoke_object_url(&address)?;
        drawn?;
        let made = Promise::new(&mut |resolve, reject| {
            if let Err(error) = canvas.to_blob(&resolve) {
                let _ = reject.call1(&JsValue::NULL, &error);
            }
        });
        let blob = JsFuture::from(made).await?;
        blob.dyn_into()
            .map_err(|_| "the picture is too large for this browser".into())
    }
}

/// Draws the image at `address` over the canvas. Called by name, so that bindings of the image element, which nothing else
/// here needs, are not part of the page.
async fn draw_image(
    context: &CanvasRenderingContext2d,
    address: &str,
    (width, height): (f64, f64),
) -> Result<(), JsValue> {
    let image = document().create_element("img")?;
    image.set_attribute("src", address)?;
    let decode: Function = Reflect::get(&image, &"decode".into())?.dyn_into()?;
    JsFuture::from(decode.call0(&image)?.dyn_into::<Promise>()?).await?;
    let draw: Function = Reflect::get(context, &"drawImage".into())?.dyn_into()?;
    let corner = JsValue::from(0);
    let arguments = Array::of5(&image, &corner, &corner, &width.into(), &height.into());
    draw.apply(context, &arguments)?;
    Ok(())
}

impl Body<'_> {
    /// Puts the title and the parameters above, and the legend below.
    fn with_words(self, words: &Words, palette: &Palette) -> Option<Picture> {
        let Body { size, svg, legend } = self;
        let room = size.0;
        let title = text(16.0, &palette.ink, HPos::Left, VPos::Top);
        let small = text(12.5, &palette.muted, HPos::Left, VPos::Top);
        let measure = recording_area((room, 1))?.0;
        let length = |words: &str| {
            let size = measure.estimate_text_size(words, &small);
            size.map_or(0, |(width, _)| width as i32)
        };
        let titles = wrapped(&words.title, room, |words| {
            let size = measure.estimate_text_size(words, &title);
            size.map_or(0, |(width, _)| width as i32)
        });
        let lines = wrapped(&words.parameters, room, length);
        let above = TITLE * titles.len() as i32 + LINE * lines.len() as i32 + 8;
        let head = sheet((room, above), |area| {
            for (line, y) in titles.iter().zip((0..).step_by(TITLE as usize)) {
                let _ = area.draw_text(line, &title, (0, y));
            }
            let first = TITLE * titles.len() as i32;
            for (line, y) in lines.iter().zip((first..).step_by(LINE as usize)) {
                let _ = area.draw_text(line, &small, (0, y));
            }
        })?;

        let places = legend_places(legend, room, length);
        let below = places.last().map_or(0, |(_, y)| y + LINE + 8);
        let foot = sheet((room, below.max(1)), |area| {
            for (item, &(x, y)) in legend.iter().zip(&places) {
                let Some(look) = palette.named(&item.colour) else {
                    continue;
                };
                let box_ = ((x, y), (x + 18, y + 14));
                let _ = fill(area, box_, look.fill, item.pattern, look.ink);
                let _ = area.draw_text(&item.word, &small, (x + 24, y));
            }
        })?;

        let (width, height) = (room + 2 * MARGIN, above + size.1 + below + 2 * MARGIN);
        let [r, g, b] = [palette.surface.0, palette.surface.1, palette.surface.2];
        let parts = [
            format!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">"#
            ),
            format!("<title>{}</title>", escaped(&words.title)),
            format!("<desc>{}</desc>", escaped(&words.parameters)),
            format!(r#"<rect width="{width}" height="{height}" fill="rgb({r},{g},{b})"/>"#),
            nested((MARGIN, MARGIN), (room, above), &head),
            nested((MARGIN, MARGIN + above), size, &svg),
            match below {
                0 => String::new(),
                _ => nested((MARGIN, MARGIN + above + size.1 + 8), (room, below), &foot),
            },
            "</svg>\n".to_owned(),
        ];
        Some(Picture {
            svg: parts.concat(),
            size: (width, height),
        })
    }
}

/// Where the entries of a legend stand, in as many rows as they need.
fn legend_places(legend: &[Explained], room: i32, length: impl Fn(&str) -> i32) -> Vec<(i32, i32)> {
    let (mut x, mut y) = (0, 0);
    let places = legend.iter().map(|item| {
        let taken = 24 + length(&item.word);
        if x > 0 && x + taken > room {
            (x, y) = (0, y + LINE);
        }
        let place = (x, y);
        x += taken + 18;
        place
    });
    places.collect()
}

/// `words` in lines of at most `room` pixels, as far as its words allow.
fn wrapped(words: &str, room: i32, length: impl Fn(&str) -> i32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split_whitespace() {
        match lines.last_mut() {
            Some(line) if length(&format!("{line} {word}")) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The elements of a drawing.
fn sheet(size: (i32, i32), draw: impl FnOnce(&CanvasArea)) -> Option<String> {
    Some(recorded(size, draw)?.svg())
}

/// A drawing at a place of another.
fn nested((x, y): (i32, i32), (width, height): (i32, i32), inner: &str) -> String {
    format!(
        r#"<svg x="{x}" y="{y}" width="{width}" height="{height}" viewBox="0 0 {width} {height}">{inner}</svg>"#
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// What an element of SVG has from the page's style and hands on to what is in it.
const INHERITED: [&str; 16] = [
    "fill",
    "fill-opacity",
    "stroke",
    "stroke-width",
    "stroke-opacity",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-linejoin",
    "font-family",
    "font-size",
    "font-style",
    "font-weight",
    "text-anchor",
    "letter-spacing",
    "paint-order",
    "visibility",
];

/// What it has for itself alone, and what it is without any style.
const OWN: [(&str, &str); 2] = [("opacity", "1"), ("display", "inline")];

/// The markup of a drawing that looks the same without the page's style.
fn alone(drawing: &Element, (width, height): (i32, i32)) -> Option<String> {
    let copy: Element = drawing.clone_node_with_deep(true).ok()?.unchecked_into();
    let (from, to) = (
        drawing.query_selector_all("*").ok()?,
        copy.query_selector_all("*").ok()?,
    );
    style_inline(drawing, &copy, None)?;
    for i in 0..from.length() {
        let source: Element = from.get(i)?.unchecked_into();
        let target: Element = to.get(i)?.unchecked_into();
        style_inline(&source, &target, source.parent_element().as_ref())?;
    }
    for (name, value) in [("width", width), ("height", height)] {
        copy.set_attribute(name, &value.to_string()).ok()?;
    }
    // The one name of a character that HTML's markup has and XML's has not.
    Some(copy.outer_html().replace("&nbsp;", "&#160;"))
}

/// Writes into `target` what the page's style makes of `source`, where that is not as its parent has it.
fn style_inline(source: &Element, target: &Element, parent: Option<&Element>) -> Option<()> {
    let computed = |of: &Element| window().get_computed_style(of).ok().flatten();
    let own = computed(source)?;
    let above = parent.and_then(computed);
    let mut style = String::new();
    for name in INHERITED {
        let value = own.get_property_value(name).ok()?;
        let inherited = above
            .as_ref()
            .and_then(|above| above.get_property_value(name).ok());
        if inherited.as_ref() != Some(&value) || source.has_attribute(name) {
            style += &format!("{name}:{value};");
        }
    }
    for (name, without) in OWN {
        let value = own.get_property_value(name).ok()?;
        if value != without && !(name == "display" && value == "block") {
            style += &format!("{name}:{value};");
        }
    }
    target.remove_attribute("class").ok()?;
    match style.as_str() {
        "" => target.remove_attribute("style").ok(),
        style => target.set_attribute("style", style).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn words_are_broken_into_lines_that_fit() {
        let lines = wrapped("S = 3, AMax = 2, T = 2", 9, |line| line.len() as i32);
        assert_eq!(lines, ["S = 3,", "AMax = 2,", "T = 2"]);
        assert!(wrapped("", 9, |line| line.len() as i32).is_empty());
    }

    #[wasm_bindgen_test]
    fn what_is_drawn_is_written_as_text_of_the_same_size() {
        let style = text(12.0, &Palette::default().ink, HPos::Left, VPos::Top);
        let written = sheet((100, 20), |area| {
            let _ = area.draw_text("qf < S & qd", &style, (3, 4));
        })
        .expect("a canvas to measure by");
        assert!(written.starts_with("<text "), "{written}");
        assert!(written.contains("font-size=\"12\""), "{written}");
        assert!(written.contains("qf &lt; S &amp; qd"), "{written}");
    }
}
