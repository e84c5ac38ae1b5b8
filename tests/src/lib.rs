//! Browser tests: what a reader sees, in a real Chromium.
//!
//! `cargo xtask test --only browser` builds the bundle and runs every test of `tests/tests` against
//! it; `cargo xtask test --only browser -- basin` those whose name has `basin` in it. The bundle is
//! served over loopback, below a path of its own, as a static host would.
//!
//! A test names a [`Screen`], gets a [`Page`] and says what should be there:
//!
//! ```no_run
//! use browser_tests::{Screen, visit};
//!
//! #[test]
//! fn the_storm_is_named() {
//!     visit(Screen::Desktop, async |page| {
//!         page.open("?q0=18").await?;
//!         page.click("button[aria-label=Play]").await?;
//!         page.wait_for_text("[role=status]", "orbiting").await?;
//!         let storm = page.pixels("canvas").await?;
//!         assert!(storm.drawn() > 0.01, "the plot is blank");
//!         Ok(())
//!     });
//! }
//! ```
//!
//! [`visit`] fails the test when the body fails or panics, and also when the browser's console holds
//! an error. Whatever the reason, it saves a picture of the page and the console's lines below
//! `target/browser-artifacts`, under the test's name, and says so.
//!
//! Some variables tell where things are, which `cargo xtask` sets, and how much is tried:
//!
//! | variable | meaning |
//! |---|---|
//! | `BUNDLE` | the folder with the built page, required |
//! | `AXE` | the file `axe.min.js`, required by [`Page::axe`] |
//! | `CHROME`, `CHROMEDRIVER` | the browser and its driver, where not `chromium` and `chromedriver` |
//! | `PLAY_MINUTES` | how long the tests of `tests/tests/play.rs` play; some seconds without it |

mod driver;
mod memory;
mod page;
mod pixels;
mod screen;
mod site;
mod taken;
mod visit;

pub use anyhow::{Context, Result, bail, ensure};
pub use memory::Memory;
pub use page::{Page, Violation};
pub use pixels::Pixels;
pub use screen::{Preference, Screen};
pub use site::{Host, bundle_folder};
pub use taken::Taken;
pub use thirtyfour::Key;
pub use visit::{visit, visit_traced};
