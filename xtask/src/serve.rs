//! The page on this machine, rebuilt as files change.

use anyhow::Result;
use xshell::cmd;

use crate::tools::Tools;

pub fn serve(tools: &Tools, arguments: &[String]) -> Result<()> {
    tools.for_building()?;
    // `dist` is what goes to a host; a build that is being edited stays out of it.
    cmd!(tools.sh, "trunk serve --dist target/serve {arguments...}").run()?;
    Ok(())
}
