//! What a reader sees, in a real Chromium; see the crate's documentation for how to write a test.

mod anywhere;
mod basin;
mod breaker;
mod corners;
mod ecs;
mod embed;
mod fields;
mod first_page;
mod hosting;
mod opening;
mod play;
mod share;
mod sight;
mod story;
mod tabs;
mod take_away;
mod why;
mod workers;
