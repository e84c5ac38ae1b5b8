//! The engine's speed.

use anyhow::Result;
use xshell::cmd;

use crate::tools::Tools;

pub fn bench(tools: &Tools, arguments: &[String]) -> Result<()> {
    cmd!(tools.sh, "cargo bench --package engine -- {arguments...}").run()?;
    Ok(())
}
