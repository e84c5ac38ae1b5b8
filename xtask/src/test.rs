//! All checks and tests, in the order in which they fail fastest; the runners' summaries come last.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::ValueEnum;
use xshell::{Shell, cmd};

use crate::bundle::bundle_for_tests;
use crate::root;
use crate::tools::Tools;

/// A part of the tests that can be run alone.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Formatting and clippy, warnings denied
    Lint,
    /// The tests that need no browser
    Native,
    /// The circuit breaker under every interleaving of its threads
    Loom,
    /// The tests of the same code built for WASM, run in Chromium
    Wasm,
    /// The page in Chromium, as a reader sees it
    Browser,
}

/// Runs the parts named by `only`, or all; those of the page use `bundle`, or else one that is built.
pub fn test(
    tools: &Tools,
    only: &[Part],
    bundle: Option<&Path>,
    arguments: &[String],
) -> Result<()> {
    let runs = |part| only.is_empty() || only.contains(&part);
    // What is missing is installed first: it says so early, and summaries stay together at the end.
    if runs(Part::Wasm) || runs(Part::Browser) {
        tools.for_building()?;
        tools.for_browsing()?;
    }
    let mut failed = Vec::new();
    let mut note = |part: &'static str, outcome: Result<()>| {
        if let Err(error) = outcome {
            eprintln!("\n{part}: {error:#}\n");
            failed.push(part);
        }
    };
    if runs(Part::Lint) {
        note("lint", lint(tools));
    }
    let bundle = if runs(Part::Browser) {
        Some(bundle_for_tests(tools, bundle))
    } else {
        None
    };
    if runs(Part::Native) {
        note("native", native(tools, arguments));
    }
    if runs(Part::Loom) {
        note("loom", loom(tools, arguments));
    }
    if runs(Part::Wasm) {
        note("wasm", wasm(tools, arguments));
    }
    if let Some(bundle) = bundle {
        note(
            "browser",
            bundle.and_then(|folder| browser(tools, folder, arguments)),
        );
    }
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    Ok(())
}

/// The page is checked as what it is built to, WASM; all else natively.
fn lint(tools: &Tools) -> Result<()> {
    let sh = tools.sh;
    tools.for_building()?;
    cmd!(sh, "cargo fmt --all --check").run()?;
    cmd!(
        sh,
        "cargo clippy --quiet --workspace --exclude app --exclude views --all-targets --features browser-tests/browser -- -D warnings"
    )
    .run()?;
    for rest in [
        "--package app --package views --all-targets",
        "--package app --bin worker --no-default-features",
    ] {
        let options = rest.split(' ');
        cmd!(
            sh,
            "cargo clippy --quiet --target wasm32-unknown-unknown {options...} -- -D warnings"
        )
        .run()?;
    }
    Ok(())
}

fn native(tools: &Tools, arguments: &[String]) -> Result<()> {
    let sh = tools.sh;
    Ok(cmd!(
        sh,
        "cargo test --workspace --exclude app --exclude views -- {arguments...}"
    )
    .run()?)
}

/// Built into its own folder, since the flag would have everything built anew.
fn loom(tools: &Tools, arguments: &[String]) -> Result<()> {
    let sh = tools.sh;
    let _loom = sh.push_env("RUSTFLAGS", "--cfg loom");
    let folder = root().join("target/loom");
    Ok(cmd!(
        sh,
        "cargo test --package engine --no-default-features --test breaker_loom --target-dir {folder} -- {arguments...}"
    )
    .run()?)
}

/// The engine's tests whose names start with `portable`, which run natively too, those of views, and the page's own.
fn wasm(tools: &Tools, arguments: &[String]) -> Result<()> {
    let sh = tools.sh;
    run_in_browser(sh);
    cmd!(
        sh,
        "cargo test --package engine --no-default-features --target wasm32-unknown-unknown --test portable* -- {arguments...}"
    )
    .run()?;
    for tests in ["--package views --tests", "--package app --lib"] {
        let options = tests.split(' ');
        cmd!(
            sh,
            "cargo test --target wasm32-unknown-unknown {options...} -- {arguments...}"
        )
        .run()?;
    }
    Ok(())
}

/// Has cargo run what it builds for WASM in the browser.
pub fn run_in_browser(sh: &Shell) {
    sh.set_var(
        "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER",
        "wasm-bindgen-test-runner",
    );
    sh.set_var("WASM_BINDGEN_USE_BROWSER", "1");
    sh.set_var(
        "WASM_BINDGEN_TEST_WEBDRIVER_JSON",
        root().join("tests/webdriver.json"),
    );
}

fn browser(tools: &Tools, bundle: PathBuf, arguments: &[String]) -> Result<()> {
    let sh = tools.sh;
    let _bundle = sh.push_env("BUNDLE", bundle);
    // A failed expectation is told in words; where in the runtime it was met helps nobody.
    let _backtrace = sh.push_env("RUST_BACKTRACE", "0");
    Ok(cmd!(
        sh,
        "cargo test --package browser-tests --features browser --test browser -- {arguments...}"
    )
    .run()?)
}
