//! Pictures of the page.

use std::path::{Path, absolute};

use anyhow::Result;
use xshell::cmd;

use crate::bundle::Build;
use crate::tools::Tools;

pub fn take(tools: &Tools, build: Build, folder: &Path, routes: &[String]) -> Result<()> {
    let folder = absolute(folder)?;
    tools.for_browsing()?;
    let sh = tools.sh;
    let _bundle = sh.push_env("BUNDLE", build.bundle(tools)?);
    cmd!(
        sh,
        "cargo run --quiet --package browser-tests --bin screenshots -- {folder} {routes...}"
    )
    .run()?;
    Ok(())
}
