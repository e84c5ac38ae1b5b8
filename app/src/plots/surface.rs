//! What figures are drawn on: a canvas in CSS pixels whatever the screen's, or a recording. Both measure text by a canvas,
//! so that a figure is laid out alike on the page and in a file, and without laying out the page.

use super::recording::{Mark, Recording, Setting, Style};
use leptos::prelude::document;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use plotters_canvas::CanvasBackend;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

/// A canvas element to draw on, or a recording: one type, so that every figure's code is there once.
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
    Recording(Recorded),
}

/// What is recorded so far.
pub type Recorded = Rc<RefCell<Recording>>;

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

    /// A recording of `size` pixels, and where its marks are.
    #[must_use]
    pub fn recording(size: (u32, u32)) -> Option<(Self, Recorded)> {
        let canvas: HtmlCanvasElement = document().create_element("canvas").ok()?.unchecked_into();
        let context = canvas.get_context("2d").ok()??.dyn_into().ok()?;
        let recorded = Recorded::default();
        let surface = Self {
            target: Target::Recording(recorded.clone()),
            context,
            size,
        };
        Some((surface, recorded))
    }
}

fn record(to: &Recorded, mark: Mark) -> Result<(), Error> {
    to.borrow_mut().0.push(mark);
    Ok(())
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
            Target::Recording(to) => record(to, Mark::Pixel(point, Style::dot(color))),
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
            Target::Recording(all) => record(all, Mark::Line(from, to, Style::of(style))),
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
            Target::Recording(to) => {
                let mark = Mark::Rect(upper_left, bottom_right, Style::of(style), fill);
                record(to, mark)
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
            Target::Recording(to) => {
                record(to, Mark::Path(path.into_iter().collect(), Style::of(style)))
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
            Target::Recording(to) => {
                record(to, Mark::Circle(center, radius, Style::of(style), fill))
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
            Target::Recording(to) => {
                let path = path.into_iter().collect();
                record(to, Mark::Polygon(path, Style::of(style)))
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
            Target::Recording(to) => {
                record(to, Mark::Text(text.to_owned(), Setting::of(style), pos))
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
