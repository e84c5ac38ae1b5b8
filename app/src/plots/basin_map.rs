//! The basin map: where each starting backlog leads, as a strip of verdicts along Q0.

use super::panel::{short, text};
use super::pattern::{fill, label};
use super::{Area, Axis, Drawn, Palette, Panel, Ticks};
use crate::study::Band;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

/// Pixels on either side of the strip.
const SIDE: i32 = 16;
/// Pixels above it, for the present start.
const ABOVE: i32 = 30;
/// Pixels below it, for the numbers.
const BELOW: i32 = 38;

/// The map to draw.
#[derive(Clone, Copy)]
pub struct BasinMap<'a> {
    /// Its bands, from Q0 = 0 on, as far as they are known.
    pub bands: &'a [Band],
    /// Its last Q0.
    pub last: u64,
}

/// The Q0 under a pixel column of a map `width` pixels wide, if it is on the map.
#[must_use]
pub fn q0_at(column: f64, width: f64, last: u64) -> Option<u64> {
    let cells = last as f64 + 1.0;
    let cell = (column - f64::from(SIDE)) / (width - f64::from(2 * SIDE)).max(1.0) * cells;
    (cell >= 0.0 && cell < cells).then_some(cell as u64)
}

impl BasinMap<'_> {
    fn panel<'p, DB: DrawingBackend>(&self, area: &'p Area<DB>) -> (Panel<'p, DB>, i32, i32) {
        let (width, height) = area.dim_in_pixel();
        let (top, bottom) = (ABOVE, height as i32 - BELOW);
        let x = Axis {
            range: 0.0..self.last as f64 + 1.0,
            ticks: Ticks(Vec::new()),
        };
        let y = Axis {
            range: 0.0..1.0,
            ticks: Ticks(Vec::new()),
        };
        (
            Panel::new(area, (SIDE..width as i32 - SIDE, top..bottom), x, y),
            top,
            bottom,
        )
    }

    /// Draws the strip and its numbers.
    ///
    /// # Errors
    /// What the backend reports.
    pub fn draw<DB: DrawingBackend>(&self, area: &Area<DB>, palette: &Palette) -> Drawn<DB> {
        let (panel, top, bottom) = self.panel(area);
        let (width, height) = area.dim_in_pixel();
        let (width, height) = (width as i32, height as i32);
        let cell = f64::from(width - 2 * SIDE) / (self.last as f64 + 1.0);
        for band in self.bands {
            let columns = panel.column(band.first as f64)..panel.column(band.last as f64 + 1.0);
            let look = palette.verdict(band.verdict);
            if columns.is_empty() {
                continue;
            }
            fill(
                area,
                ((columns.start, top), (columns.end, bottom)),
                look.fill,
                look.pattern,
                look.ink,
            )?;
            // Cells, where there is room to tell them apart.
            if cell >= 9.0 {
                for q0 in band.first + 1..=band.last {
                    let x = panel.column(q0 as f64);
                    area.draw(&PathElement::new(
                        [(x, top), (x, bottom)],
                        palette.surface.mix(0.55),
                    ))?;
                }
            }
            let gap = PathElement::new(
                [(columns.start, top), (columns.start, bottom)],
                palette.surface.stroke_width(2),
            );
            area.draw(&gap)?;
            let whole = format!("{} · {}", look.letter, band.verdict.name());
            let (width, _) = area
                .estimate_text_size(&whole, &text(12.5, &look.ink, HPos::Center, VPos::Center))?;
            // At the band's best end, so that the mark of the present start seldom lies over it.
            let middle = columns.start + (columns.len() as i32 / 2).min(width as i32 / 2 + 12);
            let words = [whole.as_str(), look.letter];
            label(
                area,
                &words,
                (middle, (top + bottom) / 2),
                columns.len(),
                look,
            )?;
        }

        let numbers = text(11.0, &palette.muted, HPos::Center, VPos::Top);
        let ticks = Ticks::new(&(0.0..self.last as f64), (width / 70).max(3) as usize, 1.0);
        for tick in ticks.0 {
            let x = panel.column(tick + 0.5);
            area.draw(&PathElement::new(
                [(x, bottom), (x, bottom + 4)],
                palette.muted,
            ))?;
            area.draw_text(&short(tick), &numbers, (x, bottom + 6))?;
        }
        let name = text(11.0, &palette.muted, HPos::Center, VPos::Bottom);
        let words = if width < 520 {
            "Q0, requests queued at the start"
        } else {
            "Q0, requests queued when the trigger is over"
        };
        area.draw_text(words, &name, (width / 2, height - 1))
    }

    /// Draws what moves: the present start, and the cell that is pointed at.
    ///
    /// # Errors
    /// What the backend reports.
    pub fn draw_marks<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        palette: &Palette,
        present: u64,
        pointed: Option<u64>,
    ) -> Drawn<DB> {
        let (panel, top, bottom) = self.panel(area);
        let outline = |q0: u64, colour: super::Colour, wide: u32| {
            let (from, to) = (panel.column(q0 as f64), panel.column(q0 as f64 + 1.0));
            let corners = [(from - 1, top - 2), (to.max(from + 3) + 1, bottom + 2)];
            area.draw(&Rectangle::new(corners, colour.stroke_width(wide)))
        };
        if let Some(q0) = pointed.filter(|q0| *q0 <= self.last) {
            outline(q0, palette.surface, 4)?;
            outline(q0, palette.ink, 2)?;
        }
        if present > self.last {
            return Ok(());
        }
        outline(present, palette.surface, 5)?;
        outline(present, palette.ink, 3)?;
        let x = panel.column(present as f64 + 0.5);
        let triangle = vec![(x - 6, top - 11), (x + 6, top - 11), (x, top - 3)];
        area.draw(&Polygon::new(triangle, palette.ink))?;
        let width = area.dim_in_pixel().0 as i32;
        let (side, at) = match x {
            _ if x < 60 => (HPos::Left, x - 6),
            _ if x > width - 60 => (HPos::Right, x + 6),
            _ => (HPos::Center, x),
        };
        let style = text(12.5, &palette.ink, side, VPos::Bottom);
        area.draw_text(&format!("Q0 = {present}"), &style, (at, top - 13))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_column_is_of_the_start_drawn_there() {
        let width = 61.0 * 10.0 + f64::from(2 * SIDE);
        assert_eq!(q0_at(f64::from(SIDE), width, 60), Some(0));
        assert_eq!(q0_at(f64::from(SIDE) + 185.0, width, 60), Some(18));
        assert_eq!(q0_at(width - f64::from(SIDE), width, 60), None);
        assert_eq!(q0_at(0.0, width, 60), None);
    }
}
