//! The picture that stands in the page until its program is there.

use std::fs;

use anyhow::{Context, Result};
use xshell::cmd;

use crate::root;
use crate::test::run_in_browser;
use crate::tools::Tools;

/// Writes what the test that draws the picture says it should be.
pub fn draw(tools: &Tools) -> Result<()> {
    tools.for_building()?;
    tools.for_browsing()?;
    let sh = tools.sh;
    run_in_browser(sh);
    let output = cmd!(
        sh,
        "cargo test --package app --lib --target wasm32-unknown-unknown -- first_picture"
    )
    .ignore_status()
    .output()?;
    if output.status.success() {
        println!("style/storm.svg is what the code draws");
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stdout);
    let start = said.find("<svg");
    let end = said.find("</svg>").map(|end| end + "</svg>".len());
    let (Some(start), Some(end)) = (start, end) else {
        return Err(anyhow::anyhow!(
            "{said}\n{}",
            String::from_utf8_lossy(&output.stderr)
        ))
        .context("the picture cannot be drawn");
    };
    // What a test says is indented.
    let lines: Vec<_> = said[start..end].lines().map(str::trim).collect();
    fs::write(root().join("style/storm.svg"), lines.join("\n") + "\n")?;
    println!("style/storm.svg is drawn anew");
    Ok(())
}
