//! What figures are drawn on: a canvas in CSS pixels whatever the screen's, or SVG. Both measure text by a canvas, so that
//! a figure is laid out alike on the page and in a file, and without laying out the page.

use leptos::prelude::document;
use plotters::prelude::{SVGBackend, TextStyle};
use plotters::style::text_anchor::Pos;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use plotters_canvas::CanvasBackend;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

/// A canvas element to draw on, or SVG: one type, so that every figure's code is there once.
///
/// plotters' own canvas backend draws in device pixels and measures text by putting it into the page, which makes the
/// browser lay the page out for every label. This draws through it, scaled, and measures by the canvas.
pub struct Surface {
    target: Target,
    context: CanvasRenderingContext2d,
    size: (u32, u32),
}

enum Target {
    Canvas(CanvasBackend),
    Svg(Written),
}

/// The elements of SVG that are written so far.
pub type Written = Rc<RefCell<String>>;

/// plotters writes text into SVG smaller than it draws it, by this factor.
const SVG_TEXT: f64 = 1.24;

type Error = DrawingErrorKind<<CanvasBackend as DrawingBackend>::ErrorType>;

impl Surface {
    /// Clears `canvas`, and makes it `width` by `height` CSS pixels of `ratio` device pixels each.
    #[must_use]
    pub fn new(canvas: HtmlCanvasElement, width: f64, height: f64, ratio: f64) -> Option<Self> {
        let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
        let device = |css: f64| (css * ratio).round().max(1.0) as u32;
        // Setting a size reallocates the canvas even if it is the same, so it is cleared by hand where it can be.
        if (canvas.width(), canvas.height()) != (device(width), device(height)) {
            canvas.set_width(device(width));
            canvas.set_height(device(height));
        }
        context
            .set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0)
            .ok()?;
        context.clear_rect(0.0, 0.0, width + 1.0, height + 1.0);
        context.set_line_join("round");
        Some(Self {
            target: Target::Canvas(CanvasBackend::with_canvas_object(canvas)?),
            context,
            size: (width as u32, height as u32),
        })
    }

    /// SVG of `size` pixels, and where its elements are written.
    #[must_use]
    pub fn svg(size: (u32, u32)) -> Option<(Self, Written)> {
        let canvas: HtmlCanvasElement = document().create_element("canvas").ok()?.unchecked_into();
        let context = canvas.get_context("2d").ok()??.dyn_into().ok()?;
        let written = Written::default();
        let surface = Self {
            target: Target::Svg(written.clone()),
            context,
            size,
        };
        Some((surface, written))
    }
}

/// Writes an element. plotters' backend borrows the text that it writes for as long as it lives, and a figure's area has
/// to live on its own; so there is a backend for each element, of whose document only the inside is kept.
fn write(to: &Written, element: impl FnOnce(&mut SVGBackend<'_>)) {
    let mut document = String::new();
    element(&mut SVGBackend::with_string(&mut document, (0, 0)));
    let inside = document
        .split_once('\n')
        .and_then(|(_, rest)| rest.rsplit_once("</svg>"));
    if let Some((inside, _)) = inside {
        // Opaque is what an element is without a word on it.
        to.borrow_mut()
            .push_str(&inside.replace(" opacity=\"1\"", ""));
    }
}

impl DrawingBackend for Surface {
    type ErrorType = <CanvasBackend as DrawingBackend>::ErrorType;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn present(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Result<(), Error> {
        match &mut self.target {
            Target::Canvas(canvas) => canvas.draw_pixel(point, color),
            Target::Svg(written) => {
                write(written, |svg| drop(svg.draw_pixel(point, color)));
                Ok(())
            }
        }
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Result<(), Error> {
        match &mut self.target {
            Target::Canvas(canvas) => canvas.draw_line(from, to, style),
            Target::Svg(written) => {
                write(written, |svg| drop(svg.draw_line(from, to, style)));
                Ok(())
            }
        }
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        upper_left: BackendCoord,
        bottom_right: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Result<(), Error> {
        match &mut self.target {
            Target::Canvas(canvas) => canvas.draw_rect(upper_left, bottom_right, style, fill),
            Target::Svg(written) => {
                write(written, |svg| {
                    drop(svg.draw_rect(upper_left, bottom_right, style, fill));
                });
                Ok(())
            }
        }
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Result<(), Error> {
        match &mut self.target {
            Target::Canvas(canvas) => canvas.draw_path(path, style),
            Target::Svg(written) => {
                write(written, |svg| drop(svg.draw_path(path, style)));
                Ok(())
            }
        }
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Result<(), Error> {
        match &mut self.target {
            Target::Canvas(canvas) => canvas.draw_circle(center, radius, style, fill),
            Target::Svg(written) => {
                write(written, |svg| {
                    drop(svg.draw_circle(center, radius, style, fill))
                });
                Ok(())
            }
        }
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Result<(), Error> {
        match &mut self.target {
            Target::Canvas(canvas) => canvas.fill_polygon(path, style),
            Target::Svg(written) => {
                write(written, |svg| drop(svg.fill_polygon(path, style)));
                Ok(())
            }
        }
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        pos: BackendCoord,
    ) -> Result<(), Error> {
        match &mut self.target {
            Target::Canvas(canvas) => canvas.draw_text(text, style, pos),
            Target::Svg(written) => {
                let font = (style.family(), style.size() * SVG_TEXT, style.style());
                let anchor = style.anchor();
                let mut enlarged = TextStyle::from(font).pos(Pos::new(anchor.h_pos, anchor.v_pos));
                enlarged.color = style.color();
                write(written, |svg| drop(svg.draw_text(text, &enlarged, pos)));
                Ok(())
            }
        }
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), Error> {
        let (face, size) = (style.style(), style.size());
        let family = style.family();
        self.context
            .set_font(&format!("{} {size}px {}", face.as_str(), family.as_str()));
        let width = self
            .context
            .measure_text(text)
            .map_or(size * 0.6 * text.len() as f64, |measured| measured.width());
        Ok((width.ceil() as u32, (size * 1.2).ceil() as u32))
    }
}
