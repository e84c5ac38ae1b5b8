//! What a figure is made of, and what of it a picture needs.

use super::recording::Recording;
use super::surface::Recorded;
use super::{CanvasArea, Palette, Surface};
use crate::ui::{LegendItem, Pattern, fresh_id};
use leptos::html;
use leptos::prelude::*;
use plotters::drawing::IntoDrawingArea;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// Draws a figure, or one layer of it.
pub type Draw = Rc<dyn Fn(&CanvasArea, &Palette)>;

/// One canvas of a figure.
#[derive(Clone)]
struct Layer {
    id: String,
    frame: NodeRef<html::Div>,
    draw: Draw,
}

/// What a figure is made of: its canvases in the order in which they lie on each other, and its legend. Kept in context
/// by the figure's frame; what is inside adds itself.
#[derive(Clone, Copy)]
pub struct Layers(StoredValue<(Vec<Layer>, Vec<LegendItem>), LocalStorage>);

impl Default for Layers {
    fn default() -> Self {
        Self(StoredValue::new_local(Default::default()))
    }
}

impl Layers {
    /// Adds a canvas for as long as the component that calls it lives.
    pub fn add(self, frame: NodeRef<html::Div>, draw: Draw) {
        let id = fresh_id("layer");
        let layer = Layer {
            id: id.clone(),
            frame,
            draw,
        };
        self.0.update_value(|(layers, _)| layers.push(layer));
        on_cleanup(move || {
            self.0
                .try_update_value(|(layers, _)| layers.retain(|layer| layer.id != id));
        });
    }

    /// Says what the colours mean.
    pub fn explain(self, items: Vec<LegendItem>) {
        self.0.update_value(|(_, legend)| *legend = items);
    }

    /// All that is drawn as it is now; `None` while nothing of it is on the page.
    #[must_use]
    pub fn sheet(self, words: Words, palette: &Palette) -> Option<Sheet> {
        let (layers, legend) = self.0.get_value();
        let seen: Vec<_> = layers
            .iter()
            .filter_map(|layer| {
                let frame = layer.frame.get_untracked()?;
                let size = (frame.client_width(), frame.client_height());
                let at = frame.get_bounding_client_rect();
                (size.0 > 0 && size.1 > 0).then(|| (layer, at.left(), at.top(), size))
            })
            .collect();
        let left = seen.iter().map(|seen| seen.1).reduce(f64::min)?;
        let top = seen.iter().map(|seen| seen.2).reduce(f64::min)?;
        let place = |(layer, x, y, size): &(&Layer, f64, f64, (i32, i32))| {
            let drawn = recorded(*size, |area| untrack(|| (layer.draw)(area, palette)))?;
            Some(Placed {
                at: ((x - left).round() as i32, (y - top).round() as i32),
                size: *size,
                drawn,
            })
        };
        Some(Sheet {
            layers: seen.iter().map(place).collect::<Option<_>>()?,
            legend: legend.iter().map(Explained::from).collect(),
            words,
        })
    }
}

/// The words of a picture.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Words {
    /// What it shows.
    pub title: String,
    /// Of which scenario.
    pub parameters: String,
}

/// What a figure shows, with nothing left that is the page's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sheet {
    /// Its layers, from the lowest.
    pub layers: Vec<Placed>,
    /// What its colours mean.
    pub legend: Vec<Explained>,
    /// Its words.
    pub words: Words,
}

/// A layer in its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Placed {
    /// Its corner, in pixels from that of the figure.
    pub at: (i32, i32),
    /// Its width and height, in pixels.
    pub size: (i32, i32),
    /// What is drawn on it.
    pub drawn: Recording,
}

/// What a colour means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explained {
    /// Its name in the style.
    pub colour: String,
    /// What is laid over it.
    pub pattern: Pattern,
    /// What it means.
    pub word: String,
}

impl From<&LegendItem> for Explained {
    fn from(item: &LegendItem) -> Self {
        Self {
            colour: item.colour.to_owned(),
            pattern: item.pattern,
            word: item.word.to_owned(),
        }
    }
}

/// An area whose marks are recorded, and where they are.
pub(super) fn recording_area((width, height): (i32, i32)) -> Option<(CanvasArea, Recorded)> {
    let (surface, recorded) = Surface::recording((width as u32, height as u32))?;
    Some((surface.into_drawing_area(), recorded))
}

/// What `draw` draws.
pub(super) fn recorded(size: (i32, i32), draw: impl FnOnce(&CanvasArea)) -> Option<Recording> {
    let (area, recorded) = recording_area(size)?;
    draw(&area);
    Some(recorded.take())
}
