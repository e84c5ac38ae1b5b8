//! Figures, drawn with plotters.
//!
//! A figure is a function from its data and a [`Palette`] to any drawing area, so that a canvas and a file are drawn
//! by the same code. [`Canvas`] puts one on the page.

pub mod basin_map;
mod canvas;
pub mod curves;
#[cfg(all(test, target_arch = "wasm32"))]
mod first_picture;
pub mod layers;
pub mod ledger_strip;
mod palette;
mod panel;
mod pattern;
pub mod phase_plane;
pub mod picture;
pub mod queues;
mod recording;
pub mod storm;
mod surface;
pub mod timeline;
pub mod verdict_map;

pub use canvas::{Canvas, CanvasArea};
pub use palette::{Colour, Palette, VerdictColours};
pub use panel::{Axis, FONT, Panel, Ticks, text};
pub use pattern::{fill, label};
pub use surface::Surface;

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::prelude::DrawingBackend;

/// What a figure draws on: an area in pixels of any backend.
pub type Area<DB> = DrawingArea<DB, Shift>;

/// What drawing on `DB` comes to.
pub type Drawn<DB, T = ()> = Result<T, DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;
