//! The contract ledger as a strip: a row a clause, a cell a round, on the same axis of rounds as the run above it.

use super::panel::text;
use super::pattern::fill;
use super::storm::{LEFT, RIGHT};
use super::{Area, Axis, Colour, Drawn, Palette, Panel, Ticks};
use crate::ui::Pattern;
use engine::retrier_server::{Clause, Component, Ledger, Run, Side, Standing, Verdict};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

/// Pixels of a row: its words, and its cells below them.
const ROW: i32 = 32;
const WORDS: i32 = 15;
/// Pixels below the rows.
const BELOW: i32 = 34;

/// Pixels high.
pub const HEIGHT: f64 = (ROW * Clause::ALL.len() as i32 + BELOW) as f64;

/// The worst standing of each clause in each round, round 1 first.
#[must_use]
pub fn by_round(run: &Run, ledger: &Ledger) -> Vec<[Option<Standing>; Clause::ALL.len()]> {
    let mut rounds = vec![[None; Clause::ALL.len()]; run.rounds() as usize];
    for (point, step) in run.points().iter().zip(ledger.steps()) {
        let Some(round) = (point.round as usize)
            .checked_sub(1)
            .and_then(|i| rounds.get_mut(i))
        else {
            continue;
        };
        for (known, standing) in round.iter_mut().zip(step) {
            *known = worse(*known, *standing);
        }
    }
    rounds
}

fn worse(a: Option<Standing>, b: Option<Standing>) -> Option<Standing> {
    let rank = |s: Option<Standing>| match s {
        None => 0,
        Some(Standing::Holds) => 1,
        Some(Standing::Vacuous) => 2,
        Some(Standing::Violated) => 3,
    };
    if rank(b) > rank(a) { b } else { a }
}

/// How a standing looks: its colour, what reads on it, its pattern and its letter.
#[must_use]
pub fn look(standing: Standing, palette: &Palette) -> (Colour, Colour, Pattern, &'static str) {
    let of = |verdict| {
        let look = palette.verdict(verdict);
        (look.fill, look.ink)
    };
    let (fill, ink) = match standing {
        Standing::Holds => of(Verdict::Recovers),
        Standing::Vacuous => of(Verdict::Unknown),
        Standing::Violated => of(Verdict::Doomed),
    };
    match standing {
        Standing::Holds => (fill, ink, Pattern::Plain, "H"),
        Standing::Vacuous => (fill, ink, Pattern::Stripes, "–"),
        Standing::Violated => (fill, ink, Pattern::Crosses, "V"),
    }
}

/// Draws the strip, with the playhead at `position` on the axis of rounds.
///
/// # Errors
/// What the backend reports.
pub fn draw<DB: DrawingBackend>(
    area: &Area<DB>,
    palette: &Palette,
    rounds: &[[Option<Standing>; Clause::ALL.len()]],
    position: f64,
) -> Drawn<DB> {
    let (width, height) = area.dim_in_pixel();
    let (width, height) = (width as i32, height as i32);
    let last = rounds.len().max(1) as f64;
    let panel = Panel::new(
        area,
        (LEFT..width - RIGHT, 0..height - BELOW),
        Axis::whole(0.0..last, (width / 90).max(3) as usize),
        Axis {
            range: 0.0..1.0,
            ticks: Ticks(Vec::new()),
        },
    );
    for (row, clause) in Clause::ALL.into_iter().enumerate() {
        let top = row as i32 * ROW;
        let side = match clause.side() {
            Side::Rely => "relies on",
            Side::Guarantee => "guarantees",
        };
        let owner = match clause.owner() {
            Component::Retrier => "Retrier",
            _ => "Server",
        };
        let words = text(11.5, &palette.ink, HPos::Left, VPos::Bottom);
        area.draw_text(
            &format!("{owner} {side}: {clause}"),
            &words,
            (LEFT, top + WORDS),
        )?;
        let (from_row, to_row) = (top + WORDS + 1, top + ROW - 4);
        let mut from = 0;
        while from < rounds.len() {
            let standing = rounds[from][row];
            let same = rounds[from..]
                .iter()
                .take_while(|round| round[row] == standing)
                .count();
            let to = from + same;
            if let Some(standing) = standing {
                let columns = panel.column(from as f64)..panel.column(to as f64);
                let (colour, ink, pattern, letter) = look(standing, palette);
                fill(
                    area,
                    (
                        (columns.start, from_row),
                        (columns.end.max(columns.start + 1), to_row),
                    ),
                    colour,
                    pattern,
                    ink,
                )?;
                let word = if columns.len() > 60 {
                    standing.name()
                } else if columns.len() > 12 {
                    letter
                } else {
                    ""
                };
                if !word.is_empty() {
                    let style = text(10.5, &ink, HPos::Center, VPos::Center);
                    let middle = ((columns.start + columns.end) / 2, (from_row + to_row) / 2);
                    let (w, _) = area.estimate_text_size(word, &style)?;
                    let half = w as i32 / 2 + 4;
                    area.draw(&Rectangle::new(
                        [(middle.0 - half, from_row), (middle.0 + half, to_row)],
                        colour.filled(),
                    ))?;
                    area.draw_text(word, &style, middle)?;
                }
            }
            from = to;
        }
    }
    panel.axes(palette, true)?;
    let x = panel.column(position);
    area.draw(&PathElement::new(
        [(x, 0), (x, height - BELOW)],
        palette.accent.stroke_width(2),
    ))?;
    let style = text(11.0, &palette.muted, HPos::Center, VPos::Bottom);
    area.draw_text("rounds", &style, ((LEFT + width - RIGHT) / 2, height - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::retrier_server::{Config, Plan};
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn a_round_shows_the_worst_of_its_steps() {
        let run = Plan::new(Config::default(), 18, 3).play().expect("a plan");
        let rounds = by_round(&run, &Ledger::of(&run));
        assert_eq!(rounds.len(), 3);
        let at = |clause| Clause::ALL.iter().position(|c| *c == clause).unwrap_or(0);
        assert_eq!(rounds[0][at(Clause::Basin)], Some(Standing::Vacuous));
        assert_eq!(rounds[0][at(Clause::Service)], Some(Standing::Holds));
        assert!(rounds.iter().flatten().all(Option::is_some));
    }
}
