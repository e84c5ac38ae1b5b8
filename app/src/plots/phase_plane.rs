//! The phase plane: the two queues against each other, with the regions that decide where a run goes.

use super::panel::text;
use super::verdict_map::Cells;
use super::{Area, Drawn, Palette, Panel};
use engine::retrier_server::trap::Region;
use engine::retrier_server::{Config, State};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

/// What to draw over the verdicts.
pub struct Overlay<'a> {
    /// The laws.
    pub config: &'a Config,
    /// The run's round starts.
    pub path: &'a [State],
    /// Which of them the playhead stands at.
    pub at: usize,
    /// The region that no run leaves, where that is proved.
    pub trap: Option<Region>,
}

/// Draws the verdict of each start as ground, and its axes.
///
/// # Errors
/// What the backend reports.
pub fn draw_ground<DB: DrawingBackend>(
    area: &Area<DB>,
    palette: &Palette,
    cells: &Cells<'_>,
) -> Drawn<DB> {
    cells.draw_map(area, palette, &[])
}

/// Draws what lies over the ground: the flow, the named regions, the run and its start.
///
/// # Errors
/// What the backend reports.
pub fn draw_over<DB: DrawingBackend>(
    area: &Area<DB>,
    palette: &Palette,
    cells: &Cells<'_>,
    overlay: &Overlay<'_>,
) -> Drawn<DB> {
    let panel = cells.panel(area);
    flow(area, palette, cells, &panel, overlay.config)?;
    let Config { s, amax, .. } = *overlay.config;
    let threshold = overlay.config.latency_threshold();
    triangle(
        area,
        palette,
        cells,
        &panel,
        threshold,
        &format!("stability basin, qf + qd ≤ {threshold}"),
        true,
    )?;
    triangle(
        area,
        palette,
        cells,
        &panel,
        s + amax,
        &format!("Good, qf + qd ≤ {}", s + amax),
        false,
    )?;
    if let Some(region) = overlay.trap {
        wedge(area, palette, cells, &panel, &region)?;
    }
    path(area, palette, cells, &panel, overlay)
}

/// The line `qf + qd = most` within the plane, with its name.
fn triangle<DB: DrawingBackend>(
    area: &Area<DB>,
    palette: &Palette,
    cells: &Cells<'_>,
    panel: &Panel<'_, DB>,
    most: u64,
    name: &str,
    outer: bool,
) -> Drawn<DB> {
    let (x_low, x_high) = (cells.x.low as f64, cells.x.high as f64);
    let (y_low, y_high) = (cells.y.low as f64, cells.y.high as f64);
    let most = most as f64 + 0.5;
    let x_from = (most - y_high).max(x_low - 0.5);
    let x_to = (most - y_low).min(x_high + 0.5);
    if x_from >= x_to {
        return Ok(());
    }
    let at = |x: f64| (panel.column(x), panel.row(most - x));
    let line = [at(x_from), at(x_to)];
    area.draw(&PathElement::new(line, palette.surface.stroke_width(4)))?;
    area.draw(&PathElement::new(line, palette.ink.stroke_width(2)))?;
    // One name above its line and one below, since the two lines may all but meet.
    let beside = match outer {
        true => (line[0].0 + 8, line[0].1 - 14),
        false => (line[1].0 + 10, line[1].1 - 8),
    };
    label(area, palette, name, beside)
}

/// A name on a plate, its left end at `(x, y)`.
fn label<DB: DrawingBackend>(
    area: &Area<DB>,
    palette: &Palette,
    name: &str,
    (x, y): (i32, i32),
) -> Drawn<DB> {
    let style = text(11.5, &palette.ink, HPos::Left, VPos::Center);
    let (w, _) = area.estimate_text_size(name, &style)?;
    let (width, height) = area.dim_in_pixel();
    let x = x.min(width as i32 - w as i32 - 18).max(4);
    let y = y.clamp(12, height as i32 - 12);
    area.draw(&Rectangle::new(
        [(x - 3, y - 8), (x + w as i32 + 3, y + 8)],
        palette.surface.mix(0.88).filled(),
    ))?;
    area.draw_text(name, &style, (x, y))
}

/// The edge of the trap: `qf = qf_min` and `qd = ratio * qf`.
fn wedge<DB: DrawingBackend>(
    area: &Area<DB>,
    palette: &Palette,
    cells: &Cells<'_>,
    panel: &Panel<'_, DB>,
    region: &Region,
) -> Drawn<DB> {
    let qf_min = region.qf_min as f64 - 0.5;
    let ratio = region.ratio as f64;
    let (x_high, y_high) = (cells.x.high as f64 + 0.5, cells.y.high as f64 + 0.5);
    let x_top = (y_high / ratio).min(x_high);
    if qf_min >= x_top {
        return Ok(());
    }
    let at = |x: f64, y: f64| (panel.column(x), panel.row(y));
    let line = [
        at(qf_min, y_high),
        at(qf_min, ratio * qf_min),
        at(x_top, ratio * x_top),
    ];
    area.draw(&PathElement::new(line, palette.surface.stroke_width(4)))?;
    area.draw(&PathElement::new(line, palette.ink.stroke_width(2)))?;
    label(area, palette, "trap", (line[0].0 + 6, line[0].1 + 12))
}

/// Arrows of one round at most arrivals.
fn flow<DB: DrawingBackend>(
    area: &Area<DB>,
    palette: &Palette,
    cells: &Cells<'_>,
    panel: &Panel<'_, DB>,
    config: &Config,
) -> Drawn<DB> {
    let (width, height) = area.dim_in_pixel();
    let step = |count: u64, pixels: u32| (count * 34 / u64::from(pixels).max(1)).max(1);
    let (dx, dy) = (step(cells.x.count(), width), step(cells.y.count(), height));
    for y in (cells.y.low + dy / 2..=cells.y.high).step_by(dy as usize) {
        for x in (cells.x.low + dx / 2..=cells.x.high).step_by(dx as usize) {
            let next = config.server(&config.retrier(&config.start(x, y), config.most_arrivals()));
            let from = (panel.column(x as f64), panel.row(y as f64));
            // An arrow that leaves the plane is cut where it leaves.
            let inside = (
                (next.qf as f64).min(cells.x.high as f64 + 0.5),
                (next.qd as f64).min(cells.y.high as f64 + 0.5),
            );
            let to = (panel.column(inside.0), panel.row(inside.1));
            arrow(area, palette, from, to)?;
        }
    }
    Ok(())
}

/// An arrow from `from` in the direction of `to`, as long as the way but within bounds; a dot where nothing moves.
fn arrow<DB: DrawingBackend>(
    area: &Area<DB>,
    palette: &Palette,
    from: (i32, i32),
    to: (i32, i32),
) -> Drawn<DB> {
    let (colour, halo) = (palette.ink, palette.surface.mix(0.55));
    let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
    let length = dx.hypot(dy);
    if length < 1.0 {
        area.draw(&Circle::new(from, 3, halo.filled()))?;
        return area.draw(&Circle::new(from, 2, colour.filled()));
    }
    let drawn = length.min(22.0);
    let (ux, uy) = (dx / length, dy / length);
    let tip = (from.0 + (ux * drawn) as i32, from.1 + (uy * drawn) as i32);
    area.draw(&PathElement::new([from, tip], halo.stroke_width(4)))?;
    area.draw(&PathElement::new([from, tip], colour))?;
    let barb = |side: f64| {
        (
            tip.0 - (ux * 5.0 + side * uy * 3.0).round() as i32,
            tip.1 - (uy * 5.0 - side * ux * 3.0).round() as i32,
        )
    };
    area.draw(&Polygon::new(vec![tip, barb(1.0), barb(-1.0)], colour))
}

/// The run's round starts, joined, with its start and the playhead.
fn path<DB: DrawingBackend>(
    area: &Area<DB>,
    palette: &Palette,
    cells: &Cells<'_>,
    panel: &Panel<'_, DB>,
    overlay: &Overlay<'_>,
) -> Drawn<DB> {
    let inside = |s: &&State| s.qf <= cells.x.high && s.qd <= cells.y.high;
    let at = |s: &State| (panel.column(s.qf as f64), panel.row(s.qd as f64));
    let line: Vec<(i32, i32)> = overlay.path.iter().take_while(inside).map(at).collect();
    area.draw(&PathElement::new(
        line.clone(),
        palette.surface.stroke_width(5),
    ))?;
    area.draw(&PathElement::new(
        line.clone(),
        palette.accent.stroke_width(3),
    ))?;
    for &point in &line {
        area.draw(&Circle::new(point, 3, palette.surface.filled()))?;
        area.draw(&Circle::new(point, 2, palette.accent.filled()))?;
    }
    if let Some(&now) = line.get(overlay.at) {
        area.draw(&Circle::new(now, 7, palette.surface.filled()))?;
        area.draw(&Circle::new(now, 5, palette.accent.filled()))?;
    }
    if let Some(&start) = line.first() {
        area.draw(&Circle::new(start, 9, palette.surface.filled()))?;
        area.draw(&Circle::new(start, 7, palette.ink.filled()))?;
        label(area, palette, "start", (start.0 + 12, start.1))?;
    }
    Ok(())
}
