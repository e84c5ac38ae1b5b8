//! What a figure has drawn, kept as data, so that what makes a picture of it can be another program.

use plotters::prelude::{SVGBackend, TextStyle};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, FontStyle,
};
use serde::{Deserialize, Serialize};

/// plotters writes text into SVG smaller than it draws it, by this factor.
const SVG_TEXT: f64 = 1.24;

/// A colour: red, green, blue, and how opaque it is from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Ink((u8, u8, u8), f64);

/// How a line or an area is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Style {
    ink: Ink,
    width: u32,
}

/// How a text is set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Setting {
    ink: Ink,
    family: String,
    size: f64,
    /// Where its place is: 0 is its left, 1 its right, 2 its middle.
    across: u8,
    /// 0 is its top, 1 its middle, 2 its bottom.
    down: u8,
}

/// One thing that is drawn, in pixels from the upper left.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Mark {
    Pixel(BackendCoord, Style),
    Line(BackendCoord, BackendCoord, Style),
    /// Its corners, and whether it is filled.
    Rect(BackendCoord, BackendCoord, Style, bool),
    Path(Vec<BackendCoord>, Style),
    /// Its middle, its radius, and whether it is filled.
    Circle(BackendCoord, u32, Style, bool),
    Polygon(Vec<BackendCoord>, Style),
    Text(String, Setting, BackendCoord),
}

/// Marks in the order in which they were drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Recording(pub(super) Vec<Mark>);

impl Ink {
    fn of(colour: BackendColor) -> Self {
        Self(colour.rgb, colour.alpha)
    }

    fn colour(self) -> BackendColor {
        BackendColor {
            rgb: self.0,
            alpha: self.1,
        }
    }
}

impl Style {
    pub(super) fn of(style: &impl BackendStyle) -> Self {
        Self {
            ink: Ink::of(style.color()),
            width: style.stroke_width(),
        }
    }

    pub(super) fn dot(colour: BackendColor) -> Self {
        Self {
            ink: Ink::of(colour),
            width: 1,
        }
    }
}

impl BackendStyle for Style {
    fn color(&self) -> BackendColor {
        self.ink.colour()
    }

    fn stroke_width(&self) -> u32 {
        self.width
    }
}

impl Setting {
    pub(super) fn of(style: &impl BackendTextStyle) -> Self {
        let anchor = style.anchor();
        Self {
            ink: Ink::of(style.color()),
            family: style.family().as_str().to_owned(),
            size: style.size(),
            across: match anchor.h_pos {
                HPos::Left => 0,
                HPos::Right => 1,
                HPos::Center => 2,
            },
            down: match anchor.v_pos {
                VPos::Top => 0,
                VPos::Center => 1,
                VPos::Bottom => 2,
            },
        }
    }

    fn style(&self) -> TextStyle<'_> {
        let across = [HPos::Left, HPos::Right, HPos::Center][usize::from(self.across.min(2))];
        let down = [VPos::Top, VPos::Center, VPos::Bottom][usize::from(self.down.min(2))];
        let font = (
            self.family.as_str(),
            self.size * SVG_TEXT,
            FontStyle::Normal,
        );
        let mut style = TextStyle::from(font).pos(Pos::new(across, down));
        style.color = self.ink.colour();
        style
    }
}

impl Recording {
    /// The elements of an SVG drawing.
    #[must_use]
    pub fn svg(&self) -> String {
        let mut written = String::new();
        let backend = SVGBackend::with_string(&mut written, (0, 0));
        self.draw(backend);
        let inside = written
            .split_once('\n')
            .and_then(|(_, rest)| rest.rsplit_once("</svg>"))
            .map_or("", |(inside, _)| inside);
        // Opaque is what an element is without a word on it.
        inside.replace(" opacity=\"1\"", "")
    }

    fn draw(&self, mut to: impl DrawingBackend) {
        for mark in &self.0 {
            // Writing a text cannot fail.
            let _ = match mark {
                Mark::Pixel(at, style) => to.draw_pixel(*at, style.color()),
                Mark::Line(from, until, style) => to.draw_line(*from, *until, style),
                Mark::Rect(from, until, style, fill) => to.draw_rect(*from, *until, style, *fill),
                Mark::Path(path, style) => to.draw_path(path.iter().copied(), style),
                Mark::Circle(middle, radius, style, fill) => {
                    to.draw_circle(*middle, *radius, style, *fill)
                }
                Mark::Polygon(path, style) => to.fill_polygon(path.iter().copied(), style),
                Mark::Text(text, setting, at) => to.draw_text(text, &setting.style(), *at),
            };
        }
        let _ = to.present();
    }
}
