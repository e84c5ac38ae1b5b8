//! What the reader holds in hand, and what they prefer.

use serde_json::{Value, json};

/// The reader's screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Screen {
    /// 1280 by 900 pixels, a mouse.
    Desktop,
    /// 375 by 812 pixels at twice the density, touch.
    Phone,
    /// 320 by 640 pixels at twice the density, touch: the smallest there is.
    SmallPhone,
}

impl Screen {
    /// Width and height, in CSS pixels.
    pub fn size(self) -> (u32, u32) {
        match self {
            Screen::Desktop => (1280, 900),
            Screen::Phone => (375, 812),
            Screen::SmallPhone => (320, 640),
        }
    }

    /// Whether it is touched rather than pointed at.
    pub fn is_touched(self) -> bool {
        self != Screen::Desktop
    }

    /// The browser's own description of the screen, as `mobileEmulation` takes it.
    pub(crate) fn device_metrics(self) -> Value {
        let (width, height) = self.size();
        let touched = self.is_touched();
        json!({
            "width": width,
            "height": height,
            "pixelRatio": if touched { 2.0 } else { 1.0 },
            "touch": touched,
            "mobile": touched,
        })
    }
}

/// What the reader asked their system for, as CSS media queries tell it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preference {
    /// `prefers-color-scheme: light`, whatever the machine prefers.
    Light,
    /// `prefers-color-scheme: dark`.
    Dark,
    /// `prefers-reduced-motion: reduce`.
    ReducedMotion,
    /// `forced-colors: active`.
    ForcedColours,
}

impl Preference {
    pub(crate) fn media_feature(self) -> Value {
        let (name, value) = match self {
            Preference::Light => ("prefers-color-scheme", "light"),
            Preference::Dark => ("prefers-color-scheme", "dark"),
            Preference::ReducedMotion => ("prefers-reduced-motion", "reduce"),
            Preference::ForcedColours => ("forced-colors", "active"),
        };
        json!({ "name": name, "value": value })
    }
}
