//! One plot: two axes, a grid that stays in the background, and lines to hold the data against.

use super::{Area, Colour, Drawn, Palette};
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ops::Range;

/// The face of every label.
pub const FONT: &str = "system-ui, sans-serif";

/// A label's style, held at the given side.
#[must_use]
pub fn text(size: f64, colour: &Colour, h: HPos, v: VPos) -> TextStyle<'static> {
    // By its family rather than as a text, for which plotters brings the small letters of all the world.
    let mut style = TextStyle::from((FontFamily::Name(FONT), size)).pos(Pos::new(h, v));
    style.color = colour.to_backend_color();
    style
}

/// The ticks of an axis: round numbers within a range.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticks(pub Vec<f64>);

impl Ticks {
    /// At most about `most` ticks in `range`, at multiples of 1, 2 or 5 times a power of ten; never closer than `least`.
    #[must_use]
    pub fn new(range: &Range<f64>, most: usize, least: f64) -> Self {
        let span = (range.end - range.start).max(f64::MIN_POSITIVE);
        let rough = (span / most.max(1) as f64).max(least);
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|digit| digit * power)
            .find(|step| *step >= rough * 0.999)
            .unwrap_or(10.0 * power);
        let first = (range.start / step - 1e-9).ceil() as i64;
        let last = (range.end / step + 1e-9).floor() as i64;
        Self((first..=last).map(|i| i as f64 * step).collect())
    }
}

/// One axis: its range and its ticks.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// From where to where.
    pub range: Range<f64>,
    /// Where it is marked.
    pub ticks: Ticks,
}

impl Axis {
    /// An axis over `range` with at most about `most` ticks at whole numbers.
    #[must_use]
    pub fn whole(range: Range<f64>, most: usize) -> Self {
        let ticks = Ticks::new(&range, most, 1.0);
        Self { range, ticks }
    }
}

/// A plot within a figure: a rectangle of pixels with two axes.
pub struct Panel<'a, DB: DrawingBackend> {
    /// The figure.
    area: &'a Area<DB>,
    /// The same, in the units of the axes.
    pub plot: DrawingArea<DB, Cartesian2d<RangedCoordf64, RangedCoordf64>>,
    x_pixels: Range<i32>,
    y_pixels: Range<i32>,
    x: Axis,
    y: Axis,
}

impl<'a, DB: DrawingBackend> Panel<'a, DB> {
    /// A plot of `x` by `y` in the given columns and rows of pixels of `area`.
    pub fn new(
        area: &'a Area<DB>,
        (x_pixels, y_pixels): (Range<i32>, Range<i32>),
        x: Axis,
        y: Axis,
    ) -> Self {
        let plot = area.clone().apply_coord_spec(Cartesian2d::new(
            x.range.clone(),
            y.range.clone(),
            (x_pixels.clone(), y_pixels.end..y_pixels.start),
        ));
        Self {
            area,
            plot,
            x_pixels,
            y_pixels,
            x,
            y,
        }
    }

    /// The pixel column of `x`.
    #[must_use]
    pub fn column(&self, x: f64) -> i32 {
        scale(x, &self.x.range, &self.x_pixels)
    }

    /// The pixel row of `y`.
    #[must_use]
    pub fn row(&self, y: f64) -> i32 {
        let from_top = self.y.range.start + self.y.range.end - y;
        scale(from_top, &self.y.range, &self.y_pixels)
    }

    /// Its rows of pixels.
    #[must_use]
    pub fn rows(&self) -> Range<i32> {
        self.y_pixels.clone()
    }

    /// Draws the grid and the numbers beside it, those of `x` only if asked.
    ///
    /// # Errors
    /// What the backend reports.
    pub fn axes(&self, palette: &Palette, x_numbers: bool) -> Drawn<DB> {
        let (left, right) = (self.x_pixels.start, self.x_pixels.end);
        let bottom = self.y_pixels.end;
        let beside = text(11.0, &palette.muted, HPos::Right, VPos::Center);
        for &tick in &self.y.ticks.0 {
            let y = self.row(tick);
            let colour = if tick == 0.0 {
                palette.muted
            } else {
                palette.line
            };
            self.area
                .draw(&PathElement::new([(left, y), (right, y)], colour))?;
            self.area.draw_text(&short(tick), &beside, (left - 6, y))?;
        }
        let below = text(11.0, &palette.muted, HPos::Center, VPos::Top);
        for &tick in &self.x.ticks.0 {
            let x = self.column(tick);
            self.area.draw(&PathElement::new(
                [(x, bottom), (x, bottom + 4)],
                palette.muted,
            ))?;
            if x_numbers {
                self.area.draw_text(&short(tick), &below, (x, bottom + 6))?;
            }
        }
        Ok(())
    }

    /// Draws a dashed level across the plot, if it is within the axis.
    ///
    /// # Errors
    /// What the backend reports.
    pub fn level(&self, at: f64, colour: &Colour) -> Drawn<DB> {
        if !(self.y.range.start..=self.y.range.end).contains(&at) {
            return Ok(());
        }
        let y = self.row(at);
        self.dashes(self.x_pixels.clone(), y, colour)
    }

    /// Writes the plot's title above it, and what its dashed level is, if it has one, at the right.
    ///
    /// # Errors
    /// What the backend reports.
    pub fn title(&self, words: &str, level: Option<&str>, palette: &Palette) -> Drawn<DB> {
        let y = self.y_pixels.start - 7;
        let style = text(12.5, &palette.ink, HPos::Left, VPos::Bottom);
        self.area
            .draw_text(words, &style, (self.x_pixels.start, y))?;
        let Some(level) = level else { return Ok(()) };
        let style = text(11.5, &palette.muted, HPos::Right, VPos::Bottom);
        let (width, _) = self.area.estimate_text_size(level, &style)?;
        self.area.draw_text(level, &style, (self.x_pixels.end, y))?;
        let left = self.x_pixels.end - width as i32 - 28;
        self.dashes(left..left + 22, y - 6, &palette.ink)
    }

    fn dashes(&self, columns: Range<i32>, y: i32, colour: &Colour) -> Drawn<DB> {
        for x in columns.clone().step_by(8) {
            let dash = [(x, y), ((x + 4).min(columns.end), y)];
            self.area.draw(&PathElement::new(dash, colour))?;
        }
        Ok(())
    }
}

fn scale(value: f64, from: &Range<f64>, to: &Range<i32>) -> i32 {
    let span = (from.end - from.start).max(f64::MIN_POSITIVE);
    let share = (value - from.start) / span;
    to.start + (share * f64::from(to.end - to.start)).round() as i32
}

/// A number in few letters: 1200 is 1.2k.
#[must_use]
pub fn short(number: f64) -> String {
    let size = number.abs();
    let (number, unit) = match size {
        _ if size >= 1e12 => (number / 1e12, "T"),
        _ if size >= 1e9 => (number / 1e9, "G"),
        _ if size >= 1e6 => (number / 1e6, "M"),
        _ if size >= 1e4 => (number / 1e3, "k"),
        _ => (number, ""),
    };
    // Ticks are round, so three places hide nothing but the noise of division.
    format!("{}{unit}", (number * 1e3).round() / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn ticks_are_round_and_within_the_range() {
        assert_eq!(
            Ticks::new(&(0.0..60.0), 6, 1.0).0,
            [0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0]
        );
        assert_eq!(Ticks::new(&(0.0..3.0), 6, 1.0).0, [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(Ticks::new(&(0.0..117.0), 4, 1.0).0, [0.0, 50.0, 100.0]);
        assert_eq!(Ticks::new(&(0.0..1.0), 4, 0.0).0, [0.0, 0.5, 1.0]);
    }

    #[test]
    fn ticks_of_an_empty_or_huge_range_are_few() {
        assert!(Ticks::new(&(0.0..0.0), 5, 1.0).0.len() <= 2);
        assert!(Ticks::new(&(0.0..9e15), 5, 1.0).0.len() <= 7);
    }

    #[test]
    fn numbers_are_written_short() {
        for (number, words) in [
            (0.0, "0"),
            (950.0, "950"),
            (12_000.0, "12k"),
            (2.5e6, "2.5M"),
        ] {
            assert_eq!(short(number), words);
        }
    }
}
