//! Pictures of the page.

use std::path::{Path, absolute};

use anyhow::Result;
use xshell::cmd;

use crate::bundle::bundle_for_tests;
use crate::tools::Tools;

pub fn take(tools: &Tools, bundle: Option<&Path>, folder: &Path, routes: &[String]) -> Result<()> {
    let folder = absolute(folder)?;
    tools.for_browsing()?;
    let sh = tools.sh;
    let _bundle = sh.push_env("BUNDLE", bundle_for_tests(tools, bundle)?);
    cmd!(
        sh,
        "cargo run --quiet --package browser-tests --bin screenshots -- {folder} {routes...}"
    )
    .run()?;
    Ok(())
}
