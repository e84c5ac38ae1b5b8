//! A figure's place on the page.

use super::layers::{Draw, Layers};
use super::{Area, Palette, Surface};
use crate::sight::Sight;
use crate::size::watch_size;
use crate::theme::use_palette;
use leptos::html;
use leptos::prelude::*;
use plotters::drawing::IntoDrawingArea;
use wasm_bindgen::JsCast;
use web_sys::HtmlCanvasElement;

/// What a canvas's figure draws on.
pub type CanvasArea = Area<Surface>;

/// Width, height and device pixels per CSS pixel.
type Size = (f64, f64, f64);

/// A canvas as wide as its place and as high as asked, crisp at any pixel ratio.
///
/// It is drawn again when its size, the theme or any signal that `draw` reads changes, in sight, and at no other time.
#[component]
pub fn Canvas(
    /// Its height in CSS pixels.
    #[prop(into)]
    height: Signal<f64>,
    /// Whether it lies over the canvas before it: for what moves while the rest stands still.
    #[prop(optional)]
    over: bool,
    /// Draws the figure.
    draw: impl Fn(&CanvasArea, &Palette) + 'static,
) -> impl IntoView {
    let frame = NodeRef::<html::Div>::new();
    let canvas = NodeRef::<html::Canvas>::new();
    let draw: Draw = std::rc::Rc::new(draw);
    if let Some(layers) = use_context::<Layers>() {
        layers.add(frame, draw.clone());
    }
    let palette = use_palette();
    let size = RwSignal::new(None::<Size>);

    let measure = move || {
        let Some(frame) = frame.get_untracked() else {
            return;
        };
        let now = (
            f64::from(frame.client_width()),
            f64::from(frame.client_height()),
            window().device_pixel_ratio(),
        );
        if now.0 > 0.0 && now.1 > 0.0 && size.get_untracked() != Some(now) {
            size.set(Some(now));
        }
    };
    Effect::new(move || {
        if let Some(frame) = frame.get() {
            watch_size(&frame, measure);
        }
    });
    // The pixel ratio changes with the zoom and the screen, which is seen as a resize of the window.
    let resized = window_event_listener(leptos::ev::resize, move |_| measure());
    on_cleanup(move || resized.remove());

    Sight::of(frame).effect(move || {
        let (Some(canvas), Some((width, height, ratio))) = (canvas.get(), size.get()) else {
            return;
        };
        let palette = palette.get();
        let canvas: HtmlCanvasElement = canvas.unchecked_into();
        if let Some(surface) = Surface::new(canvas, width, height, ratio) {
            draw(&surface.into_drawing_area(), &palette);
        }
    });
    view! {
        <div
            class="canvas"
            class:over=over
            node_ref=frame
            style:height=move || format!("{}px", height.get())
            aria-hidden="true"
        >
            <canvas node_ref=canvas></canvas>
        </div>
    }
}
