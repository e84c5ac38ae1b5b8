//! The storm: a run's two queues, what the server's work was worth, and the retries, on one axis of rounds.

use super::panel::text;
use super::pattern::{fill, label};
use super::{Area, Axis, Colour, Drawn, Palette, Panel};
use engine::retrier_server::{Change, Phase, Plan, Run, Service, Step, Verdict};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};
use std::ops::Range;

/// Pixels left of the plots, for the numbers.
pub(super) const LEFT: i32 = 46;
/// Pixels right of them.
pub(super) const RIGHT: i32 = 14;
/// Pixels above each plot, for its title.
const TITLE: i32 = 32;
/// Pixels below the last plot, for the rounds.
const BELOW: i32 = 34;
/// Pixels of the row of phases.
const PHASES: i32 = 22;

/// The run to draw and what is known of it.
#[derive(Clone, Copy)]
pub struct Storm<'a> {
    /// What was planned.
    pub plan: &'a Plan,
    /// What came of it.
    pub run: &'a Run,
    /// How far its axes reach.
    pub scales: Scales,
    /// The phase of each of its states, as far as they are known.
    pub phases: &'a [Phase],
}

/// The largest value on each plot, found once a run rather than once a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scales {
    fresh: u64,
    duplicates: u64,
    served: u64,
    flux: u64,
}

impl Scales {
    /// Of `run`, with room for the levels drawn beside it.
    #[must_use]
    pub fn of(run: &Run) -> Self {
        let start = &run.points()[0].config;
        let least = Self {
            fresh: start.latency_threshold() + 2,
            duplicates: 6,
            served: start.s + 1,
            flux: 4,
        };
        run.points().iter().fold(least, |scales, point| Self {
            fresh: scales.fresh.max(point.state.qf),
            duplicates: scales.duplicates.max(point.state.qd),
            flux: scales.flux.max(point.flux()),
            ..scales
        })
    }

    fn top(&self, plot: Plot) -> f64 {
        let most = match plot {
            Plot::Fresh => self.fresh,
            Plot::Duplicates => self.duplicates,
            Plot::Served => self.served,
            Plot::Flux => self.flux,
        };
        // Room above it for the number at the playhead.
        most as f64 * 1.18
    }
}

/// What each plot shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plot {
    Fresh,
    Duplicates,
    Served,
    Flux,
}

const PLOTS: [Plot; 4] = [Plot::Fresh, Plot::Duplicates, Plot::Served, Plot::Flux];

impl Plot {
    /// Its share of the height, in tenths.
    const fn share(self) -> i32 {
        match self {
            Plot::Fresh | Plot::Duplicates => 3,
            Plot::Served | Plot::Flux => 2,
        }
    }

    const fn title(self, narrow: bool) -> &'static str {
        match (self, narrow) {
            (Plot::Fresh, false) => "Fresh requests waiting, qf",
            (Plot::Fresh, true) => "Fresh waiting, qf",
            (Plot::Duplicates, false) => "Duplicates waiting, qd",
            (Plot::Duplicates, true) => "Duplicates waiting, qd",
            (Plot::Served, false) => {
                "Served each round: answers (done), and work wasted on duplicates"
            }
            (Plot::Served, true) => "Served: answers (done), waste",
            (Plot::Flux, false) => "Retries sent each round, flux",
            (Plot::Flux, true) => "Retries sent, flux",
        }
    }
}

/// How the verdict that a phase comes from looks, and the phase's word.
#[must_use]
pub fn phase_look(phase: Phase) -> (Verdict, &'static str) {
    match phase {
        Phase::Healthy => (Verdict::Recovers, "healthy"),
        Phase::Draining => (Verdict::Recovers, "draining"),
        Phase::Orbiting => (Verdict::Orbits, "orbiting"),
        Phase::Climbing => (Verdict::AtRisk, "at risk"),
        Phase::Lost => (Verdict::Doomed, "lost"),
        Phase::Trapped => (Verdict::Doomed, "trapped"),
        Phase::Unknown => (Verdict::Unknown, "unknown"),
    }
}

/// The round of a pixel column of a storm `width` pixels wide with `rounds` rounds, as a fraction.
#[must_use]
pub fn round_at(column: f64, width: f64, rounds: u64) -> f64 {
    let plot = (width - f64::from(LEFT + RIGHT)).max(1.0);
    (column - f64::from(LEFT)) / plot * rounds.max(1) as f64
}

/// Where a point is on the axis of rounds: a round's end at its number, its middle half a round before.
fn x_of(run: &Run, index: usize) -> f64 {
    let point = &run.points()[index];
    match point.step {
        Step::Retrier { .. } => point.round as f64 - 0.5,
        _ => point.round as f64,
    }
}

impl Storm<'_> {
    /// Draws the four plots.
    ///
    /// # Errors
    /// What the backend reports.
    pub fn draw<DB: DrawingBackend>(&self, area: &Area<DB>, palette: &Palette) -> Drawn<DB> {
        let (width, _) = area.dim_in_pixel();
        let narrow = width < 520;
        let panels = self.panels(area);
        for (plot, panel) in PLOTS.into_iter().zip(&panels) {
            panel.axes(palette, false)?;
            match plot {
                Plot::Fresh => self.queue(area, panel, palette.fresh, |p| p.qf)?,
                Plot::Duplicates => self.queue(area, panel, palette.duplicate, |p| p.qd)?,
                Plot::Served => self.served(area, panel, palette)?,
                Plot::Flux => self.flux(area, panel, palette)?,
            }
            let level = self.level(plot, narrow);
            if let Some((at, _)) = level {
                panel.level(at as f64, &palette.ink)?;
            }
            panel.title(
                plot.title(narrow),
                level.as_ref().map(|(_, name)| name.as_str()),
                palette,
            )?;
        }
        Ok(())
    }

    /// Draws what is found out later than the run itself: where each round leads, and with it the changes and the way
    /// into the trap.
    ///
    /// # Errors
    /// What the backend reports.
    pub fn draw_phases<DB: DrawingBackend>(&self, area: &Area<DB>, palette: &Palette) -> Drawn<DB> {
        self.phases(area, palette)?;
        self.events(area, palette)
    }

    /// Draws what moves: the playhead at point `index`, and a veil over what is still to come.
    ///
    /// # Errors
    /// What the backend reports.
    pub fn draw_playhead<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        palette: &Palette,
        index: usize,
    ) -> Drawn<DB> {
        let panels = self.panels(area);
        let (width, height) = size(area);
        let x = panels[0].column(x_of(self.run, index));
        let bottom = height - BELOW;
        let phases = height - BELOW - PHASES..bottom;
        let rows = panels.iter().map(Panel::rows).chain([phases]);
        for rows in rows {
            let veiled = [(x, rows.start - 2), (width - RIGHT + 4, rows.end)];
            area.draw(&Rectangle::new(veiled, palette.surface.mix(0.78).filled()))?;
            // Not through the words between the plots.
            let line = [(x, rows.start - 4), (x, rows.end)];
            area.draw(&PathElement::new(line, palette.accent.stroke_width(1)))?;
        }

        let point = &self.run.points()[index];
        let last_served = self.run.points()[..=index]
            .iter()
            .rev()
            .find_map(|p| match p.step {
                Step::Server { fresh, .. } => Some(fresh),
                _ => None,
            });
        let last_flux = self.run.points()[..=index]
            .iter()
            .rev()
            .find_map(|p| match p.step {
                Step::Retrier { flux, .. } => Some(flux),
                _ => None,
            });
        for (plot, panel) in PLOTS.into_iter().zip(&panels) {
            let (value, colour) = match plot {
                Plot::Fresh => (Some(point.state.qf), palette.fresh),
                Plot::Duplicates => (Some(point.state.qd), palette.duplicate),
                Plot::Served => (last_served, palette.fresh),
                Plot::Flux => (last_flux, palette.duplicate),
            };
            let Some(value) = value else { continue };
            let y = panel.row(value as f64);
            area.draw(&Circle::new((x, y), 4, palette.surface.filled()))?;
            area.draw(&Circle::new((x, y), 3, colour.filled()))?;
            let (side, gap) = if x > width * 3 / 4 {
                (HPos::Right, -8)
            } else {
                (HPos::Left, 8)
            };
            let style = text(12.0, &colour, side, VPos::Bottom);
            area.draw_text(&value.to_string(), &style, (x + gap, y - 2))?;
        }
        Ok(())
    }

    fn panels<'p, DB: DrawingBackend>(&self, area: &'p Area<DB>) -> Vec<Panel<'p, DB>> {
        let (width, height) = size(area);
        let shares: i32 = PLOTS.iter().map(|plot| plot.share()).sum();
        let titles = TITLE * (PLOTS.len() as i32 + 1);
        let room = (height - BELOW - PHASES - titles).max(shares);
        let x = self.rounds_axis(width);
        let mut top = 0;
        PLOTS
            .into_iter()
            .map(|plot| {
                let rows = top + TITLE..top + TITLE + room * plot.share() / shares;
                top = rows.end;
                let y = Axis::whole(0.0..self.scales.top(plot), (rows.len() / 24).max(3));
                Panel::new(area, (LEFT..width - RIGHT, rows), x.clone(), y)
            })
            .collect()
    }

    fn queue<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        panel: &Panel<'_, DB>,
        colour: Colour,
        of: impl Fn(&engine::retrier_server::State) -> u64,
    ) -> Drawn<DB> {
        let line = thinned(self.run.points().iter().enumerate().map(|(i, point)| {
            (
                panel.column(x_of(self.run, i)),
                panel.row(of(&point.state) as f64),
            )
        }));
        if let (Some(first), Some(last)) = (line.first(), line.last()) {
            let floor = panel.row(0.0);
            let mut under = line.clone();
            under.extend([(last.0, floor), (first.0, floor)]);
            area.draw(&Polygon::new(under, colour.mix(0.14)))?;
        }
        area.draw(&PathElement::new(line, colour.stroke_width(2)))
    }

    /// Bars of what was served: answers below, waste on top.
    fn served<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        panel: &Panel<'_, DB>,
        palette: &Palette,
    ) -> Drawn<DB> {
        let served = self
            .run
            .points()
            .iter()
            .filter_map(|point| match point.step {
                Step::Server { fresh, duplicates } => {
                    Some((point.round, fresh, fresh + duplicates))
                }
                _ => None,
            });
        for (columns, (fresh, all)) in self.bars(panel, served.map(|(r, f, a)| (r, (f, a)))) {
            bar(
                area,
                panel,
                &columns,
                fresh..all,
                palette.duplicate.mix(0.45),
            )?;
            bar(area, panel, &columns, 0..fresh, palette.fresh)?;
        }
        Ok(())
    }

    fn flux<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        panel: &Panel<'_, DB>,
        palette: &Palette,
    ) -> Drawn<DB> {
        let sent = self
            .run
            .points()
            .iter()
            .filter_map(|point| match point.step {
                Step::Retrier { flux, .. } => Some((point.round, (flux, flux))),
                _ => None,
            });
        for (columns, (flux, _)) in self.bars(panel, sent) {
            bar(area, panel, &columns, 0..flux, palette.duplicate)?;
        }
        Ok(())
    }

    /// One bar a round, or where rounds are closer than bars can be, the largest of each column of pixels.
    fn bars<DB: DrawingBackend>(
        &self,
        panel: &Panel<'_, DB>,
        values: impl Iterator<Item = (u64, (u64, u64))>,
    ) -> Vec<(Range<i32>, (u64, u64))> {
        let mut bars: Vec<(Range<i32>, (u64, u64))> = Vec::new();
        for (round, value) in values {
            let (from, to) = (panel.column(round as f64 - 1.0), panel.column(round as f64));
            let columns = if to - from > 3 {
                from + 1..to
            } else {
                from..to.max(from + 1)
            };
            match bars.last_mut() {
                Some((last, kept)) if *last == columns => {
                    if value.1 > kept.1 {
                        *kept = value;
                    }
                }
                _ => bars.push((columns, value)),
            }
        }
        bars
    }

    /// The level that a plot's data is held against, and its name.
    fn level(&self, plot: Plot, narrow: bool) -> Option<(u64, String)> {
        let config = &self.plan.config;
        let (at, name) = match (plot, narrow) {
            (Plot::Fresh, false) => (config.latency_threshold(), "retries begin above S × T ="),
            (Plot::Fresh, true) => (config.latency_threshold(), "S × T ="),
            (Plot::Duplicates, _) => return None,
            (Plot::Served, false) => (config.s, "capacity S ="),
            (Plot::Served, true) => (config.s, "S ="),
            (Plot::Flux, false) => (
                config.s.saturating_sub(config.most_arrivals()),
                "what the server can spare, S − AMax =",
            ),
            (Plot::Flux, true) => (
                config.s.saturating_sub(config.most_arrivals()),
                "S − AMax =",
            ),
        };
        Some((at, format!("{name} {at}")))
    }

    /// The row of phases, under the plots: where the state at each round start leads, up to the next.
    fn phases<DB: DrawingBackend>(&self, area: &Area<DB>, palette: &Palette) -> Drawn<DB> {
        let (width, height) = size(area);
        let (top, bottom) = (height - BELOW - PHASES, height - BELOW);
        let y = Axis {
            range: 0.0..1.0,
            ticks: super::Ticks(Vec::new()),
        };
        let panel = Panel::new(
            area,
            (LEFT..width - RIGHT, top..bottom),
            self.rounds_axis(width),
            y,
        );
        let phase_of = |round: u64| self.phases.get(self.run.index_of_round(round)).copied();
        let mut from = 0;
        while let Some(phase) = phase_of(from).filter(|_| from < self.run.rounds()) {
            let mut to = from + 1;
            while to < self.run.rounds() && phase_of(to) == Some(phase) {
                to += 1;
            }
            let columns = panel.column(from as f64)..panel.column(to as f64);
            from = to;
            if columns.is_empty() {
                continue;
            }
            let (verdict, word) = phase_look(phase);
            let look = palette.verdict(verdict);
            fill(
                area,
                ((columns.start, top), (columns.end, bottom)),
                look.fill,
                look.pattern,
                look.ink,
            )?;
            area.draw(&PathElement::new(
                [(columns.start, top), (columns.start, bottom)],
                palette.surface,
            ))?;
            let middle = columns.start + columns.len() as i32 / 2;
            label(
                area,
                &[word, look.letter],
                (middle, (top + bottom) / 2),
                columns.len(),
                look,
            )?;
        }
        panel.axes(palette, true)?;
        panel.title("Where each round leads", None, palette)?;
        let style = text(11.0, &palette.muted, HPos::Center, VPos::Bottom);
        area.draw_text("rounds", &style, ((LEFT + width - RIGHT) / 2, height - 1))
    }

    fn rounds_axis(&self, width: i32) -> Axis {
        Axis::whole(
            0.0..self.run.rounds().max(1) as f64,
            (width / 90).max(3) as usize,
        )
    }

    /// A line at each scheduled change and at the way into the trap, with its name.
    fn events<DB: DrawingBackend>(&self, area: &Area<DB>, palette: &Palette) -> Drawn<DB> {
        let panels = self.panels(area);
        let (width, height) = size(area);
        let changes = self
            .plan
            .events
            .iter()
            .filter(|event| event.round <= self.run.rounds())
            .map(|event| (event.round - 1, change_name(event.change)));
        // A state in mid-round has the phase of the round's end.
        let trapped = self
            .phases
            .iter()
            .position(|phase| *phase == Phase::Trapped)
            .filter(|index| *index > 0)
            .map(|index| (self.run.points()[index].round, "into the trap".to_owned()));
        let mut marks: Vec<(u64, String)> = Vec::new();
        for mark in changes.chain(trapped) {
            marks.insert(marks.partition_point(|before| *before <= mark), mark);
        }
        let mut before = (0, 0);
        for (round, name) in marks {
            let x = panels[0].column(round as f64);
            for y in (TITLE - 4..height - BELOW).step_by(6) {
                area.draw(&PathElement::new([(x, y), (x, y + 3)], palette.ink))?;
            }
            let (side, gap) = if x > width * 2 / 3 {
                (HPos::Right, -5)
            } else {
                (HPos::Left, 5)
            };
            // One below the other where they would meet.
            let row = if x - before.0 < 110 && before.0 > 0 {
                before.1 + 14
            } else {
                0
            };
            before = (x, row);
            let style = text(11.5, &palette.ink, side, VPos::Top);
            area.draw_text(&name, &style, (x + gap, TITLE + 2 + row))?;
        }
        Ok(())
    }
}

/// A scheduled change in two or three words.
#[must_use]
pub fn change_name(change: Change) -> String {
    match change {
        Change::Shock(size) => format!("shock +{size}"),
        Change::Budget(Some(b)) => format!("budget B = {b}"),
        Change::Budget(None) => "budget off".to_owned(),
        Change::Service(Service::FreshFirst) => "fresh first".to_owned(),
        Change::Service(Service::Proportional) => "fresh first off".to_owned(),
        Change::Quiet(true) => "quiet".to_owned(),
        Change::Quiet(false) => "quiet off".to_owned(),
        Change::Gate(_) => "retry law".to_owned(),
    }
}

pub(super) fn size<DB: DrawingBackend>(area: &Area<DB>) -> (i32, i32) {
    let (width, height) = area.dim_in_pixel();
    (width as i32, height as i32)
}

fn bar<DB: DrawingBackend>(
    area: &Area<DB>,
    panel: &Panel<'_, DB>,
    columns: &Range<i32>,
    from_to: Range<u64>,
    colour: Colour,
) -> Drawn<DB> {
    if from_to.is_empty() {
        return Ok(());
    }
    let corners = [
        (columns.start, panel.row(from_to.end as f64)),
        (columns.end, panel.row(from_to.start as f64)),
    ];
    area.draw(&Rectangle::new(corners, colour.filled()))
}

/// A line with at most four points to a column of pixels, which looks the same: the first, lowest, highest and last.
pub(super) fn thinned(points: impl Iterator<Item = (i32, i32)>) -> Vec<(i32, i32)> {
    let mut line: Vec<(i32, i32)> = Vec::new();
    let mut column: Option<(i32, [i32; 4])> = None;
    let mut close = |(x, [first, low, high, last]): (i32, [i32; 4])| {
        for y in [first, low, high, last] {
            if line.last() != Some(&(x, y)) {
                line.push((x, y));
            }
        }
    };
    for (x, y) in points {
        column = match column {
            Some((at, [first, low, high, _])) if at == x => {
                Some((x, [first, low.min(y), high.max(y), y]))
            }
            full => {
                if let Some(full) = full {
                    close(full);
                }
                Some((x, [y; 4]))
            }
        };
    }
    if let Some(full) = column {
        close(full);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_thinned_line_keeps_each_columns_extremes() {
        let points = [(0, 5), (0, 1), (0, 9), (0, 4), (1, 4), (2, 7)];
        assert_eq!(
            thinned(points.into_iter()),
            [(0, 5), (0, 1), (0, 9), (0, 4), (1, 4), (2, 7)]
        );
        let many = (0..10_000).map(|i| (i / 1_000, i % 1_000));
        assert!(thinned(many).len() <= 40);
    }

    #[test]
    fn columns_and_rounds_are_each_others_inverse() {
        assert_eq!(round_at(f64::from(LEFT), 600.0, 60), 0.0);
        assert_eq!(round_at(600.0 - f64::from(RIGHT), 600.0, 60), 60.0);
    }
}
