//! Filling a rectangle with a colour and a pattern, and writing on it.

use super::palette::VerdictColours;
use super::panel::text;
use super::{Area, Colour, Drawn};
use crate::ui::Pattern;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

/// Pixels between the lines or dots of a pattern.
const SPACING: i32 = 7;

/// Fills `from..to` (pixels, the first corner above and left of the other) with `colour`, and lays `pattern` over it in
/// `over`.
///
/// # Errors
/// What the backend reports.
pub fn fill<DB: DrawingBackend>(
    area: &Area<DB>,
    (from, to): ((i32, i32), (i32, i32)),
    colour: Colour,
    pattern: Pattern,
    over: Colour,
) -> Drawn<DB> {
    area.draw(&Rectangle::new([from, to], colour.filled()))?;
    let over = over.mix(0.24);
    match pattern {
        Pattern::Plain => Ok(()),
        Pattern::Dots => dots(area, from, to, over),
        Pattern::Stripes => stripes(area, from, to, over, 1),
        Pattern::Crosses => {
            stripes(area, from, to, over, 1)?;
            stripes(area, from, to, over, -1)
        }
    }
}

/// Writes the first of `words` that fits into `room` pixels, on a plate of the verdict's colour so that its pattern does
/// not run through it.
///
/// # Errors
/// What the backend reports.
pub fn label<DB: DrawingBackend>(
    area: &Area<DB>,
    words: &[&str],
    (x, y): (i32, i32),
    room: usize,
    look: VerdictColours,
) -> Drawn<DB> {
    let style = text(12.5, &look.ink, HPos::Center, VPos::Center);
    for word in words {
        let (width, height) = area.estimate_text_size(word, &style)?;
        if width as usize + 4 > room {
            continue;
        }
        let half = (width as i32 / 2 + 3, height as i32 / 2 + 1);
        let plate = [(x - half.0, y - half.1), (x + half.0, y + half.1)];
        area.draw(&Rectangle::new(plate, look.fill.filled()))?;
        return area.draw_text(word, &style, (x, y));
    }
    Ok(())
}

fn dots<DB: DrawingBackend>(
    area: &Area<DB>,
    from: (i32, i32),
    to: (i32, i32),
    over: Colour,
) -> Drawn<DB> {
    // On one grid for the whole figure, so that cells side by side join.
    let first = |at: i32| at + (SPACING - at.rem_euclid(SPACING));
    for y in (first(from.1)..to.1 - 1).step_by(SPACING as usize) {
        for x in (first(from.0)..to.0 - 1).step_by(SPACING as usize) {
            area.draw(&Rectangle::new([(x, y), (x + 2, y + 2)], over.filled()))?;
        }
    }
    Ok(())
}

/// Lines along `x + slope * y = k * SPACING`, cut to the rectangle.
fn stripes<DB: DrawingBackend>(
    area: &Area<DB>,
    (x0, y0): (i32, i32),
    (x1, y1): (i32, i32),
    over: Colour,
    slope: i32,
) -> Drawn<DB> {
    let corners = [
        x0 + slope * y0,
        x0 + slope * y1,
        x1 + slope * y0,
        x1 + slope * y1,
    ];
    let low = corners.into_iter().min().unwrap_or(0);
    let high = corners.into_iter().max().unwrap_or(0);
    let first = low + (SPACING - low.rem_euclid(SPACING));
    for k in (first..high).step_by(SPACING as usize) {
        // Where the line meets the top and the bottom, moved along it to the sides where those are outside.
        let at = |y: i32| {
            let x = (k - slope * y).clamp(x0, x1);
            (x, slope * (k - x))
        };
        let (a, b) = (at(y0), at(y1));
        if a != b {
            area.draw(&PathElement::new([a, b], over))?;
        }
    }
    Ok(())
}
