//! Pointing into a figure.

use leptos::ev::{MouseEvent, PointerEvent};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// Where a pointer is within the element that hears it, and that element's size, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
    /// The element's width.
    pub width: f64,
    /// The element's height.
    pub height: f64,
}

impl Spot {
    /// Where `event` is in the element that hears it; none once it is over.
    #[must_use]
    pub fn of(event: &MouseEvent) -> Option<Self> {
        let target = event.current_target()?.unchecked_into::<web_sys::Element>();
        let at = target.get_bounding_client_rect();
        Some(Self {
            x: f64::from(event.client_x()) - at.left(),
            y: f64::from(event.client_y()) - at.top(),
            width: at.width(),
            height: at.height(),
        })
    }
}

/// The layers of a figure over time, pressed and dragged to move through it.
#[component]
pub fn Scrub(
    /// What its style calls it.
    class: &'static str,
    /// Hears where it is pressed, and where the press is dragged to.
    #[prop(into)]
    on_scrub: Callback<Spot>,
    /// The layers.
    children: Children,
) -> impl IntoView {
    let scrub = move |event: &PointerEvent| {
        if let Some(spot) = Spot::of(event) {
            on_scrub.run(spot);
        }
    };
    view! {
        <div
            class=format!("layers {class}")
            on:pointerdown=move |event| {
                if event.button() == 0 {
                    scrub(&event);
                }
            }
            on:pointermove=move |event| {
                if event.buttons() & 1 == 1 {
                    scrub(&event);
                }
            }
        >
            {children()}
        </div>
    }
}
