//! The two queues of a run on one axis of rounds, small: for counterexamples, comparisons and clients.

use super::panel::text;
use super::{Area, Axis, Drawn, Palette, Panel};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

const LEFT: i32 = 46;
const RIGHT: i32 = 14;
const ABOVE: i32 = 26;
const BELOW: i32 = 34;

/// One state: where on the axis of rounds, and the two queues.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Its round; mid-round states are half a round before.
    pub round: f64,
    /// Fresh requests queued.
    pub qf: f64,
    /// Duplicates queued.
    pub qd: f64,
}

/// The plot.
#[derive(Clone, Debug)]
pub struct Queues<'a> {
    /// What it is titled.
    pub title: &'a str,
    /// The run.
    pub samples: &'a [Sample],
    /// The last round of the axis.
    pub rounds: f64,
    /// The top of the axis.
    pub top: f64,
    /// A level to hold the backlog against, and its name.
    pub level: Option<(f64, String)>,
    /// A part of the run to set off, such as a cycle, and its name.
    pub part: Option<(f64, f64, &'static str)>,
    /// A state to mark.
    pub mark: Option<usize>,
}

impl Queues<'_> {
    /// Draws it: fresh below, duplicates stacked on top, so that the upper edge is the backlog.
    ///
    /// # Errors
    /// What the backend reports.
    pub fn draw<DB: DrawingBackend>(&self, area: &Area<DB>, palette: &Palette) -> Drawn<DB> {
        let (width, height) = area.dim_in_pixel();
        let (width, height) = (width as i32, height as i32);
        let rows = ABOVE..(height - BELOW).max(ABOVE + 10);
        let x = Axis::whole(0.0..self.rounds.max(1.0), (width / 90).max(3) as usize);
        let y = Axis::whole(0.0..self.top.max(1.0), (rows.len() / 30).max(2));
        let panel = Panel::new(area, (LEFT..width - RIGHT, rows.clone()), x, y);
        if let Some((from, to, name)) = self.part {
            let (from, to) = (panel.column(from), panel.column(to));
            area.draw(&Rectangle::new(
                [(from, rows.start), (to, rows.end)],
                palette.accent.mix(0.1).filled(),
            ))?;
            let style = text(11.0, &palette.accent, HPos::Center, VPos::Top);
            area.draw_text(name, &style, ((from + to) / 2, rows.start + 2))?;
        }
        panel.axes(palette, true)?;
        let point = |sample: &Sample, value: f64| {
            (
                panel.column(sample.round),
                panel.row(value.min(self.top * 1.5)),
            )
        };
        let line = |of: &dyn Fn(&Sample) -> f64| -> Vec<(i32, i32)> {
            self.samples.iter().map(|s| point(s, of(s))).collect()
        };
        let fresh = line(&|s| s.qf);
        let all = line(&|s| s.qf + s.qd);
        let floor: Vec<(i32, i32)> = line(&|_| 0.0);
        let between = |upper: &[(i32, i32)], lower: &[(i32, i32)]| {
            let mut around = upper.to_vec();
            around.extend(lower.iter().rev());
            around
        };
        if self.samples.len() > 1 {
            let under = between(&all, &fresh);
            area.draw(&Polygon::new(under, palette.duplicate.mix(0.22)))?;
            area.draw(&Polygon::new(
                between(&fresh, &floor),
                palette.fresh.mix(0.22),
            ))?;
            area.draw(&PathElement::new(
                all.clone(),
                palette.duplicate.stroke_width(2),
            ))?;
            area.draw(&PathElement::new(
                fresh.clone(),
                palette.fresh.stroke_width(2),
            ))?;
        }
        if let Some((at, _)) = &self.level {
            panel.level(*at, &palette.ink)?;
        }
        if let Some(i) = self.mark.filter(|i| *i < self.samples.len()) {
            let x = fresh[i].0;
            area.draw(&PathElement::new(
                [(x, rows.start), (x, rows.end)],
                palette.accent.stroke_width(1),
            ))?;
            for (at, colour) in [(all[i], palette.duplicate), (fresh[i], palette.fresh)] {
                area.draw(&Circle::new(at, 5, palette.surface.filled()))?;
                area.draw(&Circle::new(at, 4, colour.filled()))?;
            }
        }
        let level = self.level.as_ref().map(|(_, name)| name.as_str());
        let title = match width < 520 {
            true => "Backlog",
            false => self.title,
        };
        panel.title(title, level, palette)?;
        let style = text(11.0, &palette.muted, HPos::Center, VPos::Bottom);
        area.draw_text("rounds", &style, ((LEFT + width - RIGHT) / 2, height - 1))
    }
}
