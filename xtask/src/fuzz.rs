//! Every reader of text, tried on more texts than the tests try.

use anyhow::Result;
use xshell::cmd;

use crate::tools::Tools;

/// Has the readers of the engine and of its command read `inputs` texts in all.
pub fn fuzz(tools: &Tools, inputs: u64, seed: u64) -> Result<()> {
    let sh = tools.sh;
    let _inputs = sh.push_env("INPUTS", inputs.to_string());
    let _seed = sh.push_env("SEED", seed.to_string());
    // As the tests are built: the engine optimised, and every check in it kept.
    Ok(cmd!(
        sh,
        "cargo test --package engine --test decoders --bin basin -- --nocapture"
    )
    .run()?)
}
