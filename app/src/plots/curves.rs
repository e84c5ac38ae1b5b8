//! Curves of one quantity against another.

use super::panel::text;
use super::storm::size;
use super::timeline::figure;
use super::{Area, Axis, Colour, Drawn, Palette, Panel, Ticks};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

/// Pixels around the plot: left, right, above, below.
const ROOM: (i32, i32, i32, i32) = (46, 14, 26, 36);

/// One curve, its points in the order in which they were found.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Its name.
    pub name: &'static str,
    /// Its colour.
    pub colour: Colour,
    /// Whether it is dashed.
    pub dashed: bool,
    /// Its points.
    pub points: Vec<(f64, f64)>,
}

/// Curves on the same axes, which start at 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    /// What is drawn from left to right.
    pub x_title: &'static str,
    /// What is drawn from the bottom up.
    pub y_title: &'static str,
    /// The ends of the axes.
    pub top: (f64, f64),
    /// The curves.
    pub curves: Vec<Curve>,
}

impl Curves {
    /// Draws the curves.
    ///
    /// # Errors
    /// What the backend reports.
    pub fn draw<DB: DrawingBackend>(&self, area: &Area<DB>, palette: &Palette) -> Drawn<DB> {
        let (width, height) = size(area);
        let (left, right, above, below) = ROOM;
        let axis = |top: f64, pixels: i32, each: i32| {
            let range = 0.0..top.max(1e-6);
            let ticks = Ticks::new(&range, (pixels / each).max(2) as usize, 0.0);
            Axis { range, ticks }
        };
        let panel = Panel::new(
            area,
            (left..width - right, above..height - below),
            axis(self.top.0, width, 70),
            axis(self.top.1, height, 40),
        );
        panel.axes(palette, true)?;
        panel.title(self.y_title, None, palette)?;
        let style = text(11.0, &palette.muted, HPos::Center, VPos::Bottom);
        area.draw_text(self.x_title, &style, ((left + width) / 2, height - 1))?;
        let mut name_at = width - right;
        for curve in self.curves.iter().rev() {
            let points: Vec<_> = curve
                .points
                .iter()
                .map(|(x, y)| (panel.column(*x), panel.row(*y)))
                .collect();
            for pair in points.windows(2) {
                segment(area, pair[0], pair[1], curve)?;
            }
            for point in &points {
                area.draw(&Circle::new(*point, 4, palette.surface.filled()))?;
                area.draw(&Circle::new(*point, 3, curve.colour.filled()))?;
            }
            let sign = if curve.dashed { "- - " } else { "— " };
            let words = format!("{sign}{}", curve.name);
            let style = text(12.0, &curve.colour, HPos::Right, VPos::Bottom);
            area.draw_text(&words, &style, (name_at, above - 7))?;
            name_at -= area.estimate_text_size(&words, &style)?.0 as i32 + 14;
        }
        Ok(())
    }

    /// The curves in words.
    #[must_use]
    pub fn words(&self) -> String {
        let curve = |curve: &Curve| {
            let points = curve
                .points
                .iter()
                .map(|(x, y)| format!("{} at {}", figure(*y), figure(*x)))
                .collect::<Vec<_>>();
            format!("{}: {}", curve.name, points.join(", "))
        };
        let curves = self.curves.iter().map(curve).collect::<Vec<_>>();
        format!(
            "{} by {}. {}.",
            self.y_title,
            self.x_title,
            curves.join(". ")
        )
    }
}

fn segment<DB: DrawingBackend>(
    area: &Area<DB>,
    (x0, y0): (i32, i32),
    (x1, y1): (i32, i32),
    curve: &Curve,
) -> Drawn<DB> {
    let stroke = curve.colour.stroke_width(2);
    if !curve.dashed {
        return area.draw(&PathElement::new([(x0, y0), (x1, y1)], stroke));
    }
    let (dx, dy) = (f64::from(x1 - x0), f64::from(y1 - y0));
    let dashes = (dx.hypot(dy) / 9.0).ceil().max(1.0);
    let at = |share: f64| {
        (
            x0 + (dx * share).round() as i32,
            y0 + (dy * share).round() as i32,
        )
    };
    for i in 0..dashes as i32 {
        let from = f64::from(i) / dashes;
        let dash = [at(from), at(from + 0.6 / dashes)];
        area.draw(&PathElement::new(dash, stroke))?;
    }
    Ok(())
}
