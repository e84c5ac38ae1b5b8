//! Verdicts over two parameters, as cells of colour and pattern.

use super::panel::text;
use super::pattern::fill;
use super::{Area, Axis, Drawn, Palette, Panel, Ticks};
use engine::retrier_server::{Boundary, Scale, Verdict};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

/// Pixels left of the cells, for the numbers.
const LEFT: i32 = 56;
/// Pixels right of them.
const RIGHT: i32 = 14;
/// Pixels above them.
const ABOVE: i32 = 26;
/// Pixels below them.
const BELOW: i32 = 42;

/// The cells known so far, row by row from the least `y`.
#[derive(Clone, Copy)]
pub struct Cells<'a> {
    /// Across.
    pub x: Scale,
    /// Upwards.
    pub y: Scale,
    /// The cells.
    pub cells: &'a [Option<Verdict>],
    /// The distance between those that were looked at.
    pub stride: usize,
}

impl Cells<'_> {
    /// The verdict at these values, if they are on the map and it is known.
    pub fn verdict(&self, x: u64, y: u64) -> Option<Verdict> {
        let place = |scale: Scale, value: u64| {
            let is_on = (scale.low..=scale.high).contains(&value);
            is_on.then(|| (value - scale.low) as usize)
        };
        let (column, row) = (place(self.x, x)?, place(self.y, y)?);
        let index = row * self.x.count() as usize + column;
        self.cells.get(index).copied().flatten()
    }

    /// The verdict to show: of the cell itself, or of the one looked at nearest before it.
    fn shown(&self, x: usize, y: usize) -> Option<Verdict> {
        let width = self.x.count() as usize;
        let at = |x: usize, y: usize| self.cells.get(y * width + x).copied().flatten();
        [self.stride, 2 * self.stride]
            .into_iter()
            .fold(at(x, y), |known, stride| {
                known.or_else(|| at(x - x % stride, y - y % stride))
            })
    }

    /// The largest rectangles of one verdict, found row by row: `(x, y, width, height)` in cells.
    fn rectangles(&self) -> Vec<(usize, usize, usize, usize, Option<Verdict>)> {
        let (width, height) = (self.x.count() as usize, self.y.count() as usize);
        let mut done = Vec::new();
        let mut open: Vec<(usize, usize, usize, usize, Option<Verdict>)> = Vec::new();
        for y in 0..height {
            let mut runs = Vec::new();
            let mut x = 0;
            while x < width {
                let verdict = self.shown(x, y);
                let same = (x..width).take_while(|&i| self.shown(i, y) == verdict);
                let count = same.count();
                runs.push((x, count, verdict));
                x += count;
            }
            let mut next = Vec::with_capacity(runs.len());
            for (x, count, verdict) in runs {
                let above = open
                    .iter()
                    .position(|r| r.0 == x && r.2 == count && r.4 == verdict);
                next.push(match above {
                    Some(i) => {
                        let mut r = open.swap_remove(i);
                        r.3 += 1;
                        r
                    }
                    None => (x, y, count, 1, verdict),
                });
            }
            done.append(&mut open);
            open = next;
        }
        done.append(&mut open);
        done
    }

    /// The plot's panel: its axes run through the middles of the outermost cells.
    pub fn panel<'p, DB: DrawingBackend>(&self, area: &'p Area<DB>) -> Panel<'p, DB> {
        let (width, height) = area.dim_in_pixel();
        let (width, height) = (width as i32, height as i32);
        let axis = |scale: &Scale, most: usize| {
            let range = scale.low as f64 - 0.5..scale.high as f64 + 0.5;
            let ticks = Ticks::new(&range, most, 1.0);
            Axis { range, ticks }
        };
        Panel::new(
            area,
            (LEFT..width - RIGHT, ABOVE..height - BELOW),
            axis(&self.x, (width / 80).max(3) as usize),
            axis(&self.y, (height / 40).max(3) as usize),
        )
    }

    /// Draws the cells.
    ///
    /// # Errors
    /// What the backend reports.
    pub fn draw<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        panel: &Panel<'_, DB>,
        palette: &Palette,
    ) -> Drawn<DB> {
        for (x, y, across, up, verdict) in self.rectangles() {
            let value = |scale: &Scale, i: usize| scale.low as f64 + i as f64 - 0.5;
            let columns = (
                panel.column(value(&self.x, x)),
                panel.column(value(&self.x, x + across)),
            );
            let rows = (
                panel.row(value(&self.y, y + up)),
                panel.row(value(&self.y, y)),
            );
            let corners = ((columns.0, rows.0), (columns.1, rows.1));
            match verdict {
                Some(verdict) => {
                    let look = palette.verdict(verdict);
                    fill(area, corners, look.fill, look.pattern, look.ink)?;
                    let (w, h) = (columns.1 - columns.0, rows.1 - rows.0);
                    if w > 26 && h > 20 {
                        let middle = ((columns.0 + columns.1) / 2, (rows.0 + rows.1) / 2);
                        area.draw(&Rectangle::new(
                            [(middle.0 - 8, middle.1 - 8), (middle.0 + 8, middle.1 + 8)],
                            look.fill.filled(),
                        ))?;
                        let style = text(13.0, &look.ink, HPos::Center, VPos::Center);
                        area.draw_text(look.letter, &style, middle)?;
                    }
                }
                None => area.draw(&Rectangle::new(
                    [corners.0, corners.1],
                    palette.line.mix(0.4).filled(),
                ))?,
            }
        }
        Ok(())
    }

    /// The whole map: cells, axes and their names, and known boundaries.
    ///
    /// # Errors
    /// What the backend reports.
    pub fn draw_map<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        palette: &Palette,
        boundaries: &[Boundary],
    ) -> Drawn<DB> {
        let panel = self.panel(area);
        let (width, height) = area.dim_in_pixel();
        let (width, height) = (width as i32, height as i32);
        self.draw(area, &panel, palette)?;
        panel.axes(palette, true)?;
        for boundary in boundaries {
            let line: Vec<(i32, i32)> = boundary
                .points
                .iter()
                .map(|&(x, y)| (panel.column(x), panel.row(y)))
                .collect();
            area.draw(&PathElement::new(
                line.clone(),
                palette.surface.stroke_width(5),
            ))?;
            area.draw(&PathElement::new(line.clone(), palette.ink.stroke_width(2)))?;
            if let Some(&(x, y)) = line.get(line.len() * 3 / 4) {
                let style = text(12.0, &palette.ink, HPos::Center, VPos::Center);
                let (w, _) = area.estimate_text_size(&boundary.name, &style)?;
                let half = w as i32 / 2 + 5;
                let x = x.clamp(LEFT + half, (width - RIGHT - half).max(LEFT + half));
                let y = y.clamp(ABOVE + 11, height - BELOW - 11);
                area.draw(&Rectangle::new(
                    [(x - half, y - 10), (x + half, y + 10)],
                    palette.surface.filled(),
                ))?;
                area.draw_text(&boundary.name, &style, (x, y))?;
            }
        }
        let name = text(12.0, &palette.ink, HPos::Left, VPos::Top);
        area.draw_text(self.y.axis.label(), &name, (4, 4))?;
        let name = text(12.0, &palette.ink, HPos::Center, VPos::Bottom);
        area.draw_text(
            self.x.axis.label(),
            &name,
            ((LEFT + width - RIGHT) / 2, height - 2),
        )
    }

    /// Draws an outline around the cell at the values `(x, y)`.
    ///
    /// # Errors
    /// What the backend reports.
    pub fn outline<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        palette: &Palette,
        (x, y): (u64, u64),
    ) -> Drawn<DB> {
        let panel = self.panel(area);
        let (x, y) = (x as f64, y as f64);
        let corners = [
            (panel.column(x - 0.5) - 1, panel.row(y + 0.5) - 1),
            (
                (panel.column(x + 0.5) + 1).max(panel.column(x - 0.5) + 4),
                (panel.row(y - 0.5) + 1).max(panel.row(y + 0.5) + 4),
            ),
        ];
        area.draw(&Rectangle::new(corners, palette.surface.stroke_width(5)))?;
        area.draw(&Rectangle::new(corners, palette.ink.stroke_width(2)))
    }
}

/// The values under a pixel of a map `width` by `height` pixels large, if it is on a cell.
#[must_use]
pub fn cell_at(
    (column, row): (f64, f64),
    (width, height): (f64, f64),
    x: &Scale,
    y: &Scale,
) -> Option<(u64, u64)> {
    let share = |at: f64, before: i32, after: i32, length: f64| {
        (at - f64::from(before)) / (length - f64::from(before + after)).max(1.0)
    };
    let across = share(column, LEFT, RIGHT, width);
    let up = 1.0 - share(row, ABOVE, BELOW, height);
    let value = |share: f64, scale: &Scale| {
        (0.0..1.0)
            .contains(&share)
            .then(|| scale.low + (share * scale.count() as f64) as u64)
    };
    Some((value(across, x)?, value(up, y)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn scale(text: &str) -> Scale {
        text.parse().expect("a scale")
    }

    #[wasm_bindgen_test]
    fn a_pixel_is_of_the_cell_drawn_there() {
        let (x, y) = (scale("q0:0..9"), scale("b:0..4"));
        let size = (
            100.0 + f64::from(LEFT + RIGHT),
            50.0 + f64::from(ABOVE + BELOW),
        );
        let at = |column: f64, row: f64| {
            let pixel = (column + f64::from(LEFT), row + f64::from(ABOVE));
            cell_at(pixel, size, &x, &y)
        };
        assert_eq!(at(0.0, 49.0), Some((0, 0)));
        assert_eq!(at(95.0, 1.0), Some((9, 4)));
        assert_eq!(at(100.5, 10.0), None);
        assert_eq!(at(10.0, -1.0), None);
    }

    #[wasm_bindgen_test]
    fn a_verdict_is_read_by_the_values_of_its_cell() {
        let cells = [Some(Verdict::Recovers), None, Some(Verdict::Doomed)];
        let map = Cells {
            x: scale("q0:5..6"),
            y: scale("b:1..2"),
            cells: &cells,
            stride: 1,
        };
        assert_eq!(map.verdict(5, 1), Some(Verdict::Recovers));
        assert_eq!(map.verdict(6, 1), None, "it is not known");
        assert_eq!(map.verdict(5, 2), Some(Verdict::Doomed));
        for (x, y) in [(6, 2), (7, 1), (4, 2), (5, 0), (5, 3)] {
            assert_eq!(map.verdict(x, y), None, "({x}, {y}) is not on the map");
        }
    }

    #[wasm_bindgen_test]
    fn rectangles_cover_every_cell_once() {
        use Verdict::{Orbits, Recovers};
        let cells = [Recovers, Recovers, Orbits, Recovers, Recovers, Orbits].map(Some);
        let map = Cells {
            x: scale("q0:0..2"),
            y: scale("b:0..1"),
            cells: &cells,
            stride: 1,
        };
        let rectangles = map.rectangles();
        assert_eq!(rectangles.len(), 2);
        assert_eq!(rectangles.iter().map(|r| r.2 * r.3).sum::<usize>(), 6);
    }
}
