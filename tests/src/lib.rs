//! Browser tests: what a reader sees, in a real Chromium.
