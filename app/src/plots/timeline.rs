//! Plots over time, one below the other on one axis of time, with what the script does behind them.

use super::panel::text;
use super::storm::{size, thinned};
use super::{Area, Axis, Colour, Drawn, Palette, Panel, Ticks};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use std::ops::Range;

/// Pixels left of the plots, for the numbers.
const LEFT: i32 = 46;
/// Pixels right of them.
const RIGHT: i32 = 10;
/// Pixels above each plot, for its title and the values under the playhead.
const TITLE: i32 = 32;
/// Narrower than this, the values have a line of their own below a plot's title.
const NARROW: i32 = 380;
/// Pixels of that line.
const LINE: i32 = 15;
/// Pixels above all, for the names of the spans.
const ABOVE: i32 = 16;
/// Pixels below the last plot, for the seconds.
const BELOW: i32 = 32;

/// How a trace is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// A line.
    Line,
    /// A thin line that steps back.
    Thin,
    /// Filled from `low` to `high`.
    Filled,
}

/// A value at an instant: a line goes through `high`, a filled trace from `low` to `high`. Not a number leaves a gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct At {
    /// When.
    pub t: f64,
    /// Where it is filled from.
    pub low: f64,
    /// Where the line is.
    pub high: f64,
}

/// One quantity over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// Its name in the legend; one without a name is not in it.
    pub name: &'static str,
    /// Its colour.
    pub colour: Colour,
    /// How it is drawn.
    pub look: Look,
    /// Its values in the order of time.
    pub values: Vec<At>,
}

/// One plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// What it shows, with its unit.
    pub title: String,
    /// The top of its axis; the bottom is 0.
    pub top: f64,
    /// What is drawn, the last on top.
    pub traces: Vec<Trace>,
    /// Levels to hold the data against; the title says what they are.
    pub levels: Vec<f64>,
    /// Intervals that are marked, and in which colour.
    pub marks: (Vec<Range<f64>>, Colour),
}

/// The plots and what lies behind them.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    /// The end of the axis; it starts at 0.
    pub end: f64,
    /// What it counts.
    pub unit: &'static str,
    /// The plots, from the top.
    pub plots: Vec<Plot>,
    /// What the script does: shaded, with a name.
    pub spans: Vec<(Range<f64>, String)>,
}

/// The instant of a pixel column of a timeline `width` pixels wide, in seconds.
#[must_use]
pub fn time_at(column: f64, width: f64, end: f64) -> f64 {
    let plot = (width - f64::from(LEFT + RIGHT)).max(1.0);
    ((column - f64::from(LEFT)) / plot * end).clamp(0.0, end)
}

/// The height of a timeline of so many plots, in pixels.
#[must_use]
pub fn height_of(plots: usize) -> f64 {
    f64::from(ABOVE + BELOW) + plots as f64 * 104.0
}

impl Trace {
    /// The last value at or before `t`, unless the one after it is still to come.
    fn value_at(&self, t: f64) -> Option<f64> {
        let after = self.values.partition_point(|at| at.t <= t + 1e-9);
        let at = self.values.get(after.checked_sub(1)?)?;
        if let [.., before, last] = &self.values[..]
            && t >= 2.0 * last.t - before.t
        {
            return None;
        }
        let value = at.high - at.low;
        value.is_finite().then_some(value)
    }
}

/// Pixels for the values below a title, where there is no room beside it.
const fn line_of_values(width: i32) -> i32 {
    if width < NARROW { LINE } else { 0 }
}

fn title(palette: &Palette) -> TextStyle<'_> {
    text(12.5, &palette.ink, HPos::Left, VPos::Bottom)
}

impl Timeline {
    /// Draws all that does not move.
    ///
    /// # Errors
    /// What the backend reports.
    pub fn draw<DB: DrawingBackend>(&self, area: &Area<DB>, palette: &Palette) -> Drawn<DB> {
        let panels = self.panels(area);
        let (width, height) = size(area);
        self.spans(area, &panels, palette)?;
        for (index, (plot, panel)) in self.plots.iter().zip(&panels).enumerate() {
            self.marks(area, panel, plot, index)?;
            panel.axes(palette, index + 1 == self.plots.len())?;
            for trace in &plot.traces {
                draw_trace(area, panel, trace)?;
            }
            for level in &plot.levels {
                panel.level(*level, &palette.muted)?;
            }
            let above = self.rows(index, size(area)).start - 7 - line_of_values(width);
            area.draw_text(&plot.title, &title(palette), (LEFT, above))?;
        }
        let style = text(11.0, &palette.muted, HPos::Center, VPos::Bottom);
        area.draw_text(self.unit, &style, ((LEFT + width - RIGHT) / 2, height - 1))
    }

    /// Draws what moves: the playhead at `t` seconds, a veil over what is still to come, and the values there.
    ///
    /// # Errors
    /// What the backend reports.
    pub fn draw_playhead<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        palette: &Palette,
        t: f64,
    ) -> Drawn<DB> {
        let panels = self.panels(area);
        let (width, _) = size(area);
        let Some(first) = panels.first() else {
            return Ok(());
        };
        let x = first.column(t);
        for index in 0..panels.len() {
            let rows = self.rows(index, size(area));
            if x < width - RIGHT {
                let veil = [(x, rows.start), (width - RIGHT, rows.end)];
                area.draw(&Rectangle::new(veil, palette.surface.mix(0.66).filled()))?;
            }
            // Not through the words between the plots.
            let line = [(x, rows.start - 3), (x, rows.end)];
            area.draw(&PathElement::new(line, palette.accent.stroke_width(1)))?;
        }
        for (index, (plot, panel)) in self.plots.iter().zip(&panels).enumerate() {
            let above = self.rows(index, size(area)).start - 7;
            let left = match line_of_values(width) {
                0 => LEFT + area.estimate_text_size(&plot.title, &title(palette))?.0 as i32 + 8,
                _ => LEFT,
            };
            let mut right = width - RIGHT;
            for trace in plot.traces.iter().rev() {
                let Some(value) = trace.value_at(t) else {
                    continue;
                };
                if trace.look == Look::Line {
                    let y = panel.row(value.min(plot.top));
                    area.draw(&Circle::new((x, y), 3, trace.colour.filled()))?;
                }
                if trace.name.is_empty() {
                    continue;
                }
                let style = text(11.5, &trace.colour, HPos::Right, VPos::Bottom);
                // Where the name has no room beside the title, the colour must do.
                for words in [format!("{} {}", trace.name, figure(value)), figure(value)] {
                    let taken = area.estimate_text_size(&words, &style)?.0 as i32;
                    if right - taken >= left {
                        area.draw_text(&words, &style, (right, above))?;
                        right -= taken + 10;
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    fn rows(&self, index: usize, (width, height): (i32, i32)) -> Range<i32> {
        let count = self.plots.len().max(1) as i32;
        let each = (height - ABOVE - BELOW) / count;
        let top = ABOVE + each * index as i32;
        top + TITLE + line_of_values(width)..top + each
    }

    fn panels<'p, DB: DrawingBackend>(&self, area: &'p Area<DB>) -> Vec<Panel<'p, DB>> {
        let (width, _) = size(area);
        let x = Axis::whole(0.0..self.end.max(1.0), (width / 70).max(3) as usize);
        self.plots
            .iter()
            .enumerate()
            .map(|(index, plot)| {
                let rows = self.rows(index, size(area));
                let range = 0.0..plot.top.max(1e-6);
                let ticks = Ticks::new(&range, (rows.len() / 24).max(2), 0.0);
                let y = Axis { range, ticks };
                Panel::new(area, (LEFT..width - RIGHT, rows), x.clone(), y)
            })
            .collect()
    }

    /// What the script does, behind all plots.
    fn spans<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        panels: &[Panel<'_, DB>],
        palette: &Palette,
    ) -> Drawn<DB> {
        let (width, _) = size(area);
        let Some(panel) = panels.first() else {
            return Ok(());
        };
        // Names that would meet are left to the script's own rows.
        let mut free = 0;
        for (span, name) in &self.spans {
            let columns = panel.column(span.start)..panel.column(span.end.min(self.end));
            let to = columns.end.max(columns.start + 1);
            for index in 0..panels.len() {
                let rows = self.rows(index, size(area));
                let corners = [(columns.start, rows.start), (to, rows.end)];
                area.draw(&Rectangle::new(corners, palette.accent.mix(0.10).filled()))?;
            }
            let style = text(11.0, &palette.accent, HPos::Left, VPos::Top);
            let (taken, _) = area.estimate_text_size(name, &style)?;
            let at = columns.start.min(width - RIGHT - taken as i32);
            if at >= free {
                area.draw_text(name, &style, (at, 2))?;
                free = at + taken as i32 + 8;
            }
        }
        Ok(())
    }

    /// Marked intervals: the more of a column of pixels is marked, the stronger it is.
    fn marks<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        panel: &Panel<'_, DB>,
        plot: &Plot,
        index: usize,
    ) -> Drawn<DB> {
        let (marks, colour) = &plot.marks;
        let (width, _) = size(area);
        let rows = self.rows(index, size(area));
        let mut shares = vec![0.0_f64; (width - LEFT - RIGHT).max(1) as usize];
        let column_s = self.end.max(1e-9) / shares.len() as f64;
        for mark in marks {
            let column = panel.column(mark.start) - LEFT;
            if let Some(share) = shares.get_mut(column.max(0) as usize) {
                *share += (mark.end - mark.start) / column_s;
            }
        }
        for (column, share) in shares.into_iter().enumerate() {
            if share > 0.0 {
                let x = LEFT + column as i32;
                let strength = 0.25 + 0.5 * share.min(1.0);
                let corners = [(x, rows.start), (x + 1, rows.end)];
                area.draw(&Rectangle::new(corners, colour.mix(strength).filled()))?;
            }
        }
        Ok(())
    }
}

fn draw_trace<DB: DrawingBackend>(
    area: &Area<DB>,
    panel: &Panel<'_, DB>,
    trace: &Trace,
) -> Drawn<DB> {
    let whole = |at: &&[At]| {
        at.iter()
            .all(|at| at.low.is_finite() && at.high.is_finite())
    };
    let runs = trace
        .values
        .chunk_by(|a, b| a.high.is_finite() == b.high.is_finite())
        .filter(whole);
    for run in runs {
        let line = |of: fn(&At) -> f64| {
            thinned(
                run.iter()
                    .map(move |at| (panel.column(at.t), panel.row(of(at)))),
            )
        };
        match trace.look {
            Look::Line | Look::Thin => {
                let stroke = if trace.look == Look::Line { 2 } else { 1 };
                let line = line(|at| at.high);
                if let [(x, y)] = line[..] {
                    area.draw(&Circle::new((x, y), 1, trace.colour.filled()))?;
                }
                area.draw(&PathElement::new(line, trace.colour.stroke_width(stroke)))?;
            }
            Look::Filled => {
                let mut outline = line(|at| at.high);
                outline.extend(line(|at| at.low).into_iter().rev());
                area.draw(&Polygon::new(outline, trace.colour.filled()))?;
            }
        }
    }
    Ok(())
}

/// A value as it is read off: three digits or so.
#[must_use]
pub fn figure(value: f64) -> String {
    match value.abs() {
        size if size >= 1e6 => format!("{:.1}M", value / 1e6),
        size if size >= 1e4 => format!("{:.1}k", value / 1e3),
        size if size >= 10.0 => format!("{value:.0}"),
        _ => {
            let text = format!("{value:.2}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn columns_and_seconds_are_each_others_inverse() {
        assert_eq!(time_at(f64::from(LEFT), 600.0, 200.0), 0.0);
        assert_eq!(time_at(600.0 - f64::from(RIGHT), 600.0, 200.0), 200.0);
        assert_eq!(time_at(0.0, 600.0, 200.0), 0.0);
    }

    #[wasm_bindgen_test]
    fn a_trace_has_no_value_beyond_what_is_known() {
        let at = |t: f64| At {
            t,
            low: 0.0,
            high: 10.0 * t,
        };
        let trace = Trace {
            name: "",
            colour: Colour::default(),
            look: Look::Line,
            values: vec![at(1.0), at(2.0), at(3.0)],
        };
        for (t, value) in [
            (0.5, None),
            (1.0, Some(10.0)),
            (2.9, Some(20.0)),
            (3.9, Some(30.0)),
            (4.0, None),
            (200.0, None),
        ] {
            assert_eq!(trace.value_at(t), value, "at {t}");
        }
    }

    #[wasm_bindgen_test]
    fn values_are_read_off_in_few_digits() {
        for (value, words) in [
            (0.0, "0"),
            (0.3, "0.3"),
            (4.0, "4"),
            (597.6, "598"),
            (12_345.0, "12.3k"),
            (2e6, "2.0M"),
        ] {
            assert_eq!(figure(value), words);
        }
    }
}
