//! What a reader sees, in a real Chromium; see the crate's documentation for how to write one.

mod first_page;
