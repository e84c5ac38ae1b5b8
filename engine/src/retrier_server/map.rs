//! Maps of verdicts over two parameters, drawn from coarse to fine.
//!
//! A [`MapJob`] is advanced in slices, so that a worker can report what it has, and can be shared between workers.
//!
//! **Between equal verdicts lies no other.** Under a monotone law, verdicts only worsen along `Q0`, `qd0` and `B`, and only
//! improve along `S` and `T`; so along any of these what lies between two equal ones is known without being judged, and
//! edges are found by bisection. Of any two axes one at least is of these. Why: by monotonicity (`models.md`, section 1)
//! it is enough that one round from one state ends no lower in either queue, and that no more states are `Good`.
//! More at the start is plain. A larger budget lets out no fewer retries. A larger `T` lets out no more, since both
//! `floor(late / T)` and what is late of `p - done` fall. A larger `S` lets out no more either, for the threshold `S*T`
//! rises; each unit of capacity served adds at most one to the fresh share `floor(n*qf / (qf + qd))`, and takes nothing
//! from it, so that neither `qf - f` nor `qd - (n - f)` ends higher; and more states are `Good`. Then the run at most
//! arrivals and the quiet run both stand at or below what they were, round by round: what recovered recovers, and what
//! was bounded is. More `AMax` brings more work, but also calls more states `Good`, so nothing is claimed along it.

use super::config::{Config, MAX_PARAMETER};
use super::verdict::{Verdict, verdict};
use crate::FieldError;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Most cells of a map.
pub const MAX_MAP_CELLS: u64 = 512 * 512;

/// A parameter that a map varies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Axis {
    /// `Q0`: fresh requests queued at the start.
    Q0,
    /// Duplicates queued at the start.
    Qd0,
    /// `S`: capacity.
    S,
    /// `AMax`: most arrivals.
    AMax,
    /// `T`: timeout.
    T,
    /// `B`: budget.
    B,
}

impl Axis {
    /// Every axis.
    pub const ALL: [Axis; 6] = [Axis::Q0, Axis::Qd0, Axis::S, Axis::AMax, Axis::T, Axis::B];

    /// Its name in options and output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Axis::Q0 => "q0",
            Axis::Qd0 => "qd0",
            Axis::S => "s",
            Axis::AMax => "amax",
            Axis::T => "t",
            Axis::B => "b",
        }
    }

    /// What a reader knows it by, with its unit.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Axis::Q0 => "Q0, fresh requests at the start",
            Axis::Qd0 => "qd0, duplicates at the start",
            Axis::S => "S, capacity (requests a round)",
            Axis::AMax => "AMax, most arrivals (requests a round)",
            Axis::T => "T, timeout (rounds)",
            Axis::B => "B, retry budget (requests a round)",
        }
    }

    /// The least value it may take.
    #[must_use]
    pub const fn least(self) -> u64 {
        match self {
            Axis::S | Axis::T => 1,
            Axis::Q0 | Axis::Qd0 | Axis::AMax | Axis::B => 0,
        }
    }

    /// Whether verdicts only worsen, or only improve, along it, under a monotone law.
    #[must_use]
    pub const fn is_monotone(self) -> bool {
        !matches!(self, Axis::AMax)
    }
}

impl FromStr for Axis {
    type Err = FieldError;

    fn from_str(text: &str) -> Result<Self, FieldError> {
        let name = text.trim().to_ascii_lowercase();
        Axis::ALL
            .into_iter()
            .find(|axis| axis.name() == name)
            .ok_or_else(|| FieldError::new("axis", format!("'{text}'"), "q0, qd0, s, amax, t or b"))
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An axis and the values it takes, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Scale {
    /// The parameter.
    pub axis: Axis,
    /// Its first value.
    pub low: u64,
    /// Its last value.
    pub high: u64,
}

impl Scale {
    /// How many values it takes.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.high - self.low + 1
    }

    /// Checks its range.
    ///
    /// # Errors
    /// Names the axis, the value and the range.
    pub fn validate(&self) -> Result<(), FieldError> {
        let name = self.axis.name();
        FieldError::check_range(name, self.low, self.axis.least(), MAX_PARAMETER)?;
        FieldError::check_range(name, self.high, self.low, MAX_PARAMETER)
    }
}

impl FromStr for Scale {
    type Err = FieldError;

    /// Reads `AXIS:LOW..HIGH`, such as `q0:0..60`.
    fn from_str(text: &str) -> Result<Self, FieldError> {
        let wrong = || {
            FieldError::new(
                "axis",
                format!("'{text}'"),
                format!("AXIS:LOW..HIGH, such as q0:0..60, with values up to {MAX_PARAMETER}"),
            )
        };
        let (axis, span) = text.split_once(':').ok_or_else(wrong)?;
        let (low, high) = span.split_once("..").ok_or_else(wrong)?;
        let scale = Scale {
            axis: axis.parse()?,
            low: low.trim().parse().map_err(|_| wrong())?,
            high: high.trim().parse().map_err(|_| wrong())?,
        };
        scale.validate()?;
        Ok(scale)
    }
}

/// A map: two axes, and what stays the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Map {
    /// Across.
    pub x: Scale,
    /// Upwards.
    pub y: Scale,
    /// Parameters and laws, but for the axes.
    pub config: Config,
    /// `Q0`, unless it is an axis.
    pub q0: u64,
    /// Duplicates at the start, unless they are an axis.
    pub qd0: u64,
    /// Largest backlog explored where a law is not monotone.
    pub cap: u64,
}

/// A cell of a map: what a run from there is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Parameters and laws.
    pub config: Config,
    /// Fresh requests at the start.
    pub q0: u64,
    /// Duplicates at the start.
    pub qd0: u64,
}

impl Map {
    /// Checks the axes and what stays the same.
    ///
    /// # Errors
    /// Names the first part out of range, its value and the range.
    pub fn validate(&self) -> Result<(), FieldError> {
        self.config.validate()?;
        FieldError::check_range("q0", self.q0, 0, MAX_PARAMETER)?;
        FieldError::check_range("qd0", self.qd0, 0, MAX_PARAMETER)?;
        self.x.validate()?;
        self.y.validate()?;
        if self.x.axis == self.y.axis {
            return Err(FieldError::new(
                "y",
                self.y.axis,
                format!("another axis than x, which is {}", self.x.axis),
            ));
        }
        let cells = u128::from(self.x.count()) * u128::from(self.y.count());
        if cells > u128::from(MAX_MAP_CELLS) {
            return Err(FieldError::new(
                "y",
                format!("a map of {cells} cells"),
                format!("such that the map has at most {MAX_MAP_CELLS} cells"),
            ));
        }
        Ok(())
    }

    /// What a run from the values `x` and `y` of the axes is made of.
    #[must_use]
    pub fn cell(&self, x: u64, y: u64) -> Cell {
        let mut cell = Cell {
            config: self.config,
            q0: self.q0,
            qd0: self.qd0,
        };
        for (axis, value) in [(self.x.axis, x), (self.y.axis, y)] {
            match axis {
                Axis::Q0 => cell.q0 = value,
                Axis::Qd0 => cell.qd0 = value,
                Axis::S => cell.config.s = value,
                Axis::AMax => cell.config.amax = value,
                Axis::T => cell.config.t = value,
                Axis::B => cell.config.budget = Some(value),
            }
        }
        cell
    }

    /// The verdict at the values `x` and `y` of the axes.
    #[must_use]
    pub fn verdict(&self, x: u64, y: u64) -> Verdict {
        let Cell { config, q0, qd0 } = self.cell(x, y);
        verdict(&config, &config.start(q0, qd0), self.cap)
    }

    /// The boundaries that are known beforehand and cross the map.
    #[must_use]
    pub fn boundaries(&self) -> Vec<Boundary> {
        Line::ALL
            .into_iter()
            .filter(|line| line.applies(self))
            .filter_map(|line| {
                let points = self.trace(line);
                (!points.is_empty()).then(|| Boundary {
                    name: line.name().into(),
                    meaning: line.meaning().into(),
                    points,
                })
            })
            .collect()
    }

    /// Where `line` crosses the map.
    fn trace(&self, line: Line) -> Vec<(f64, f64)> {
        let span = |scale: &Scale| (scale.low as f64, scale.high as f64);
        let ((x_low, x_high), (y_low, y_high)) = (span(&self.x), span(&self.y));
        let at = |x: f64, y: f64| line.distance(self, x, y);
        // Along a line that does not depend on `y`, and so is upright, look for x.
        if at(x_low, y_low) == at(x_low, y_high) && at(x_high, y_low) == at(x_high, y_high) {
            return match root(x_low, x_high, |x| at(x, y_low)) {
                Some(x) => vec![(x, y_low), (x, y_high)],
                None => Vec::new(),
            };
        }
        const SAMPLES: u32 = 400;
        (0..=SAMPLES)
            .filter_map(|i| {
                let x = x_low + (x_high - x_low) * f64::from(i) / f64::from(SAMPLES);
                root(y_low, y_high, |y| at(x, y)).map(|y| (x, y))
            })
            .collect()
    }
}

/// A boundary that is known without judging a cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Boundary {
    /// Its equation.
    pub name: String,
    /// What it parts.
    pub meaning: String,
    /// Its points in the values of the axes, from left to right.
    pub points: Vec<(f64, f64)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Line {
    Budget,
    Demand,
    Basin,
}

impl Line {
    const ALL: [Line; 3] = [Line::Budget, Line::Demand, Line::Basin];

    const fn name(self) -> &'static str {
        match self {
            Line::Budget => "AMax + B = S",
            Line::Demand => "AMax = S",
            Line::Basin => "Q0 + qd0 = S × T",
        }
    }

    const fn meaning(self) -> &'static str {
        match self {
            Line::Budget => "where AMax + B is below S, every start recovers",
            Line::Demand => "where AMax is S or more, arrivals alone fill the server",
            Line::Basin => {
                "up to here, with AMax below S, no retry is ever due: the stability basin"
            }
        }
    }

    fn applies(self, map: &Map) -> bool {
        let varies = |axes: &[Axis]| axes.contains(&map.x.axis) || axes.contains(&map.y.axis);
        if !map.config.fault.is_none() {
            return false;
        }
        match self {
            Line::Budget => {
                let has_budget = map.config.budget.is_some() || varies(&[Axis::B]);
                has_budget && varies(&[Axis::AMax, Axis::B, Axis::S])
            }
            Line::Demand => !map.config.quiet && varies(&[Axis::AMax, Axis::S]),
            Line::Basin => varies(&[Axis::Q0, Axis::Qd0, Axis::S, Axis::T]),
        }
    }

    /// Negative on one side of the line, positive on the other.
    fn distance(self, map: &Map, x: f64, y: f64) -> f64 {
        let value = |axis: Axis, fixed: u64| {
            if map.x.axis == axis {
                x
            } else if map.y.axis == axis {
                y
            } else {
                fixed as f64
            }
        };
        let s = value(Axis::S, map.config.s);
        let amax = match map.config.quiet {
            true => 0.0,
            false => value(Axis::AMax, map.config.amax),
        };
        match self {
            Line::Budget => amax + value(Axis::B, map.config.budget.unwrap_or(0)) - s,
            Line::Demand => amax - s,
            Line::Basin => {
                value(Axis::Q0, map.q0) + value(Axis::Qd0, map.qd0)
                    - s * value(Axis::T, map.config.t)
            }
        }
    }
}

/// A zero of a function that is monotone from `low` to `high`.
fn root(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> Option<f64> {
    let rises = f(high) > f(low);
    if f(low) * f(high) > 0.0 {
        return None;
    }
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if (f(middle) < 0.0) == rises {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(f64::midpoint(low, high))
}

/// A map under way, or one worker's share of it.
#[derive(Clone, Debug)]
pub struct MapJob {
    map: Map,
    width: usize,
    height: usize,
    /// Row by row from the least `y`, `None` until known.
    cells: Vec<Option<Verdict>>,
    known: usize,
    judged: usize,
    stride: usize,
    /// The next line at this stride, in units of the stride.
    line: usize,
    /// Whether lines run along `y`.
    upright: bool,
    /// Whether, along a line, nothing else lies between two equal verdicts.
    bisects: bool,
    share: Share,
}

/// Which lines of a map are drawn, where several share the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Share {
    /// Which share, from 0.
    pub part: usize,
    /// Of how many.
    pub parts: usize,
}

impl Share {
    /// All of it.
    pub const ALL: Share = Share { part: 0, parts: 1 };

    /// Whether a line is in this share. Those that come at one stride are dealt out in turn.
    const fn holds(self, line: usize) -> bool {
        // At each stride the new lines are its odd multiples.
        let turn = match line {
            0 => 0,
            line => (line >> line.trailing_zeros()) / 2,
        };
        turn % self.parts == self.part
    }
}

impl MapJob {
    /// Starts a map.
    ///
    /// # Errors
    /// Names the first part of the map that is out of range.
    pub fn new(map: Map) -> Result<Self, FieldError> {
        Self::share(map, Share::ALL)
    }

    /// Starts one share of a map. All shares together know every cell.
    ///
    /// # Errors
    /// Names the first part of the map that is out of range.
    pub fn share(map: Map, share: Share) -> Result<Self, FieldError> {
        map.validate()?;
        let (width, height) = (map.x.count() as usize, map.y.count() as usize);
        let [x_bisects, y_bisects] =
            [map.x, map.y].map(|scale| map.config.is_monotone() && scale.axis.is_monotone());
        Ok(Self {
            map,
            width,
            height,
            cells: vec![None; width * height],
            known: 0,
            judged: 0,
            stride: width.max(height).div_ceil(8).next_power_of_two(),
            line: 0,
            // A long line costs hardly more than a short one.
            upright: y_bisects && !(x_bisects && width >= height),
            bisects: x_bisects || y_bisects,
            share,
        })
    }

    /// Judges cells until at least `judgements` more have been judged, or all are known. True once they are.
    ///
    /// Cells come from coarse to fine: first a few spread over the map, then ever more between them.
    pub fn advance(&mut self, judgements: usize) -> bool {
        let enough = self.judged + judgements;
        while self.judged < enough && self.stride > 0 {
            let (lines, along) = match self.upright {
                true => (self.width, self.height),
                false => (self.height, self.width),
            };
            let line = self.line * self.stride;
            if line >= lines {
                self.stride /= 2;
                self.line = 0;
                continue;
            }
            if self.share.holds(line) {
                match self.bisects {
                    true => self.bisect(line, along),
                    false => (0..along).step_by(self.stride).for_each(|i| {
                        self.verdict(line, i);
                    }),
                }
            }
            self.line += 1;
        }
        self.stride == 0
    }

    /// Finds every cell of a line, from its ends and from where the line before it has its edges.
    fn bisect(&mut self, line: usize, along: usize) {
        if self.cells[self.index(line, 0)].is_some() {
            return;
        }
        let last = along - 1;
        let mut probed = vec![0, last];
        let before = line.checked_sub(self.stride);
        if let Some(before) = before.filter(|&before| self.share.holds(before)) {
            for i in 0..last {
                let ends = [i, i + 1].map(|i| self.cells[self.index(before, i)]);
                if ends[0] != ends[1] {
                    self.probe(line, last, i, ends, &mut probed);
                }
            }
        }
        probed.sort_unstable();
        let mut spans: Vec<_> = probed.windows(2).map(|pair| (pair[0], pair[1])).collect();
        while let Some((low, high)) = spans.pop() {
            let (at_low, at_high) = (self.verdict(line, low), self.verdict(line, high));
            if at_low == at_high && at_low != Verdict::Unknown {
                // An unknown end says nothing of what lies between.
                for i in low + 1..high {
                    self.learn(line, i, at_low);
                }
            } else if high > low + 1 {
                let middle = usize::midpoint(low, high);
                spans.push((low, middle));
                spans.push((middle, high));
            }
        }
    }

    /// Looks at an edge of the line before, from `i` to the next cell and from one verdict of `ends` to the other, and if
    /// the edge is not there, in ever larger steps to the side to which it has moved.
    fn probe(
        &mut self,
        line: usize,
        last: usize,
        i: usize,
        ends: [Option<Verdict>; 2],
        probed: &mut Vec<usize>,
    ) {
        probed.extend([i, i + 1]);
        let at = self.verdict(line, i);
        if at != self.verdict(line, i + 1) {
            return;
        }
        let mut step = 1;
        loop {
            let next = match Some(at) {
                at if at == ends[0] => i + 1 + step,
                at if at == ends[1] && step <= i => i - step,
                _ => return,
            };
            if next >= last {
                return;
            }
            probed.push(next);
            if self.verdict(line, next) != at {
                return;
            }
            step *= 2;
        }
    }

    fn index(&self, line: usize, i: usize) -> usize {
        match self.upright {
            true => i * self.width + line,
            false => line * self.width + i,
        }
    }

    fn verdict(&mut self, line: usize, i: usize) -> Verdict {
        let index = self.index(line, i);
        if let Some(known) = self.cells[index] {
            return known;
        }
        let x = self.map.x.low + (index % self.width) as u64;
        let y = self.map.y.low + (index / self.width) as u64;
        let verdict = self.map.verdict(x, y);
        self.judged += 1;
        self.learn(line, i, verdict);
        verdict
    }

    fn learn(&mut self, line: usize, i: usize, verdict: Verdict) {
        let index = self.index(line, i);
        if self.cells[index].is_none() {
            self.cells[index] = Some(verdict);
            self.known += 1;
        }
    }

    /// The map.
    #[must_use]
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// Cells across.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Cells upwards.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// The cells, row by row from the least `y`; `None` where not known yet.
    #[must_use]
    pub fn cells(&self) -> &[Option<Verdict>] {
        &self.cells
    }

    /// The distance between the lines and cells looked at now, 0 at the end: between them, cells are not known yet.
    #[must_use]
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Cells known so far.
    #[must_use]
    pub fn known(&self) -> usize {
        self.known
    }

    /// Cells judged so far; the others among the known ones follow from them.
    #[must_use]
    pub fn judged(&self) -> usize {
        self.judged
    }
}
