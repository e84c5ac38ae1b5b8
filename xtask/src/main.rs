//! The project's chores, each a command of `cargo xtask`; all of them install what they miss.
//!
//! Nothing is installed globally except what only the system can give, a browser: tools that are not on
//! the PATH in the right version go to `target/tools`.

mod bench;
mod bundle;
mod deny;
mod fuzz;
mod offline;
mod picture;
mod screenshots;
mod serve;
mod shrink;
mod size;
mod test;
mod tools;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use xshell::Shell;

use crate::bundle::Build;
use crate::test::Part;
use crate::tools::Tools;

/// The project's chores. Whatever a chore needs and does not find, it installs or names.
#[derive(Parser)]
#[command(bin_name = "cargo xtask", max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Serve the page on this machine and rebuild it as files change
    Serve {
        /// Passed on to `trunk serve`, such as `--port 9000` or `--open`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        trunk: Vec<String>,
    },
    /// Run all checks and tests: formatting, clippy, native, WASM, and the page in a real Chromium
    Test {
        /// Run only this part; may be given several times
        #[arg(long, value_enum)]
        only: Vec<Part>,
        /// Test the bundle in this folder, such as `dist`, and build none
        #[arg(long, value_name = "FOLDER")]
        bundle: Option<PathBuf>,
        /// Passed on to the tests: a part of their names, or options such as `--nocapture`
        #[arg(last = true)]
        tests: Vec<String>,
    },
    /// Build the bundle for a static host into `dist/` and print its size
    Dist {
        /// Fail when a first visit loads more than this, in kB (1000 bytes) after gzip -9
        #[arg(long, value_name = "KB")]
        max_gzip_kb: Option<f64>,
    },
    /// Measure the engine and the page, natively and in Chromium, and print a table of what is to be reached
    Bench {
        /// Take only these measurements; may be given several times
        #[arg(long, value_enum)]
        only: Vec<bench::Part>,
        /// Passed on to the native benchmarks: a part of their names, or options such as `--quick`
        #[arg(last = true)]
        benchmarks: Vec<String>,
    },
    /// Have every reader of text (addresses, files, the command line) read spoilt texts; none may panic
    Fuzz {
        /// How many texts
        #[arg(long, default_value_t = 10_000_000)]
        inputs: u64,
        /// Which texts: the same ones for the same number
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Check the licences, sources and advisories of all dependencies
    Deny,
    /// Take pictures of the page on a desktop and a phone, light and dark
    Screenshots {
        /// The folder for the pictures
        folder: PathBuf,
        /// Addresses below the front page, such as `?q0=18` [default: the front page]
        routes: Vec<String>,
        /// Picture the bundle in this folder, such as `dist`, and build none
        #[arg(long, value_name = "FOLDER")]
        bundle: Option<PathBuf>,
    },
    /// Draw the picture that stands in the page until its program is there, `style/storm.svg`
    Picture,
    /// Install what the other chores need, and do nothing else
    Setup,
}

fn main() -> ExitCode {
    match run(Arguments::parse().chore) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(chore: Chore) -> Result<()> {
    let sh = Shell::new()?;
    sh.change_dir(root());
    let tools = Tools::new(&sh)?;
    match chore {
        Chore::Serve { trunk } => serve::serve(&tools, &trunk),
        Chore::Test {
            only,
            bundle,
            tests,
        } => test::test(&tools, &only, bundle.as_deref(), &tests),
        Chore::Dist { max_gzip_kb } => {
            let folder = Build::Release.bundle(&tools)?;
            size::report(&folder, max_gzip_kb)
        }
        Chore::Bench { only, benchmarks } => bench::bench(&tools, &only, &benchmarks),
        Chore::Fuzz { inputs, seed } => fuzz::fuzz(&tools, inputs, seed),
        Chore::Deny => deny::deny(&tools),
        Chore::Screenshots {
            folder,
            routes,
            bundle,
        } => screenshots::take(&tools, bundle.as_deref(), &folder, &routes),
        Chore::Picture => picture::draw(&tools),
        Chore::Setup => {
            tools.for_building()?;
            tools.for_browsing()?;
            Ok(())
        }
    }
}

/// The workspace's folder.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask is a folder of the workspace")
}
