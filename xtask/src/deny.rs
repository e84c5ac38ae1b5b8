//! What the project depends on: under which licences, from where, and whether anything is known against it.

use anyhow::{Result, bail};
use xshell::cmd;

use crate::tools::Tools;

/// Checks what `deny.toml` says. Advisories need their database, which is fetched; where it cannot be had that is said,
/// and the rest is checked all the same.
pub fn deny(tools: &Tools) -> Result<()> {
    tools.for_denying()?;
    let sh = tools.sh;
    cmd!(sh, "cargo deny check bans licenses sources").run()?;
    match cmd!(sh, "cargo deny fetch db").run() {
        Err(_) => {
            println!("advisories were not checked: their database cannot be had here");
            Ok(())
        }
        Ok(()) => match cmd!(sh, "cargo deny check advisories").run() {
            Ok(()) => Ok(()),
            Err(_) => bail!("an advisory is out against a dependency"),
        },
    }
}
