//! The tools that the chores use: found in the right version, or installed.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use xshell::{Shell, cmd};

use crate::root;

/// The versions of what npm provides; cargo's tools are named by `Trunk.toml` and `Cargo.lock`.
const AXE_CORE: &str = "axe-core@4.14.1";
const BINARYEN: &str = "binaryen@132.0.0";
const ESBUILD: &str = "esbuild@0.28.2";

/// The version of cargo-deny, which is no dependency.
const CARGO_DENY: &str = "0.20.2";

/// A shell in the workspace's folder whose programs find the project's own tools first.
pub struct Tools<'a> {
    pub sh: &'a Shell,
    folder: PathBuf,
}

/// Whether the tools are there that make a bundle smaller still.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shrinkers {
    Found,
    Missing,
}

impl<'a> Tools<'a> {
    pub fn new(sh: &'a Shell) -> Result<Self> {
        let folder = root().join("target/tools");
        let own = [folder.join("bin"), folder.join("node_modules/.bin")];
        let path = env::var_os("PATH").unwrap_or_default();
        sh.set_var(
            "PATH",
            env::join_paths(own.into_iter().chain(env::split_paths(&path)))?,
        );
        sh.set_var("TRUNK_SKIP_VERSION_CHECK", "true");
        if env::var_os("NO_COLOR").is_some() {
            // Trunk understands no other value.
            sh.set_var("NO_COLOR", "true");
        }
        Ok(Self { sh, folder })
    }

    /// What turns the sources into a bundle: the WASM target, trunk, wasm-bindgen.
    pub fn for_building(&self) -> Result<()> {
        self.wasm_target()?;
        self.cargo_tool("trunk", &trunk_version(self.sh)?)?;
        self.cargo_tool("wasm-bindgen-cli", &wasm_bindgen_version(self.sh)?)
    }

    /// What looks through the dependencies.
    pub fn for_denying(&self) -> Result<()> {
        self.cargo_tool("cargo-deny", CARGO_DENY)
    }

    /// What makes a bundle smaller, where npm is there to bring it: wasm-opt, wasm-metadce and esbuild.
    pub fn for_shrinking(&self) -> Result<Shrinkers> {
        for (program, package) in [
            ("wasm-opt", BINARYEN),
            ("wasm-metadce", BINARYEN),
            ("esbuild", ESBUILD),
        ] {
            if self.find(program).is_some() {
                continue;
            }
            if self.find("npm").is_none() && self.install_from_debian(&["npm"]).is_err() {
                eprintln!(
                    "{program} is missing, and npm, which would bring it: the bundle works, \
                     but is larger than it need be"
                );
                return Ok(Shrinkers::Missing);
            }
            self.npm_tool(package)?;
        }
        Ok(Shrinkers::Found)
    }

    /// What opens the bundle as a reader would: Chromium, its driver, and axe-core. Says where each is
    /// in the variables that the browser tests read.
    pub fn for_browsing(&self) -> Result<()> {
        let driver = self.browser_part("CHROMEDRIVER", &["chromedriver"])?;
        let browser = self.browser_part(
            "CHROME",
            &[
                "chromium",
                "chromium-browser",
                "google-chrome",
                "google-chrome-stable",
            ],
        )?;
        self.sh.set_var("CHROMEDRIVER", driver);
        self.sh.set_var("CHROME", browser);
        self.sh.set_var("AXE", self.axe()?);
        Ok(())
    }

    fn wasm_target(&self) -> Result<()> {
        let target = "wasm32-unknown-unknown";
        let libraries = cmd!(self.sh, "rustc --print target-libdir --target {target}")
            .quiet()
            .read()?;
        if Path::new(&libraries).is_dir() {
            return Ok(());
        }
        cmd!(self.sh, "rustup target add {target}")
            .run()
            .with_context(|| format!("the Rust target {target} is missing"))
    }

    /// Has `package` of crates.io on the PATH in `version`, at the price of some minutes at first.
    fn cargo_tool(&self, package: &str, version: &str) -> Result<()> {
        let program = package.trim_end_matches("-cli");
        if self.version_of(program).as_deref() == Some(version) {
            return Ok(());
        }
        eprintln!("{program} {version} is not there yet; it takes some minutes to build");
        let folder = &self.folder;
        // wasm-bindgen-cli builds only without its lock file.
        let options: &[&str] = match package {
            "trunk" => &["--locked"],
            _ => &[],
        };
        cmd!(
            self.sh,
            "cargo install {package} --version {version} {options...} --root {folder}"
        )
        .run()
        .with_context(|| format!("{program} {version} cannot be installed"))
    }

    fn npm_tool(&self, package: &str) -> Result<()> {
        ensure!(
            self.find("npm").is_some(),
            "npm is missing, which brings {package}: install Node.js (Debian: `apt-get install npm`)"
        );
        let folder = &self.folder;
        self.sh.create_dir(folder)?;
        cmd!(
            self.sh,
            "npm install --no-audit --no-fund --loglevel=error --prefix {folder} {package}"
        )
        .run()
        .with_context(|| format!("{package} cannot be installed"))
    }

    fn axe(&self) -> Result<PathBuf> {
        let file = self.folder.join("node_modules/axe-core/axe.min.js");
        if !file.is_file() {
            if self.find("npm").is_none() {
                self.install_from_debian(&["npm"])?;
            }
            self.npm_tool(AXE_CORE)?;
        }
        Ok(file)
    }

    /// The first of `programs` that is there, unless `variable` names another.
    fn browser_part(&self, variable: &str, programs: &[&str]) -> Result<PathBuf> {
        if let Some(program) = env::var_os(variable) {
            return Ok(PathBuf::from(program));
        }
        let find = || programs.iter().find_map(|program| self.find(program));
        if let Some(program) = find() {
            return Ok(program);
        }
        self.install_from_debian(&["chromium", "chromium-driver"])?;
        find().with_context(|| format!("there is still no {}", programs[0]))
    }

    fn install_from_debian(&self, packages: &[&str]) -> Result<()> {
        let names = packages.join(" ");
        let is_root = cmd!(self.sh, "id -u")
            .quiet()
            .ignore_stderr()
            .read()
            .is_ok_and(|id| id == "0");
        if self.find("apt-get").is_none() || !is_root {
            bail!(
                "{names} missing: the browser tests need a Chromium or Chrome, its chromedriver and npm. \
                 On Debian: `sudo apt-get install {names}`. Elsewhere install them and put them on the PATH, \
                 or name them in CHROME and CHROMEDRIVER"
            );
        }
        self.sh.set_var("DEBIAN_FRONTEND", "noninteractive");
        cmd!(self.sh, "apt-get update -qq").run()?;
        cmd!(
            self.sh,
            "apt-get install -y -qq --no-install-recommends {packages...}"
        )
        .run()?;
        Ok(())
    }

    fn find(&self, program: &str) -> Option<PathBuf> {
        let path = self.sh.var_os("PATH")?;
        which::which_in(program, Some(path), root()).ok()
    }

    /// The second word of what `program --version` says.
    fn version_of(&self, program: &str) -> Option<String> {
        let program = self.find(program)?;
        let said = cmd!(self.sh, "{program} --version")
            .quiet()
            .ignore_stderr()
            .read()
            .ok()?;
        said.split_whitespace().nth(1).map(str::to_owned)
    }
}

/// The version of trunk that `Trunk.toml` asks for.
fn trunk_version(sh: &Shell) -> Result<String> {
    let settings = sh.read_file("Trunk.toml")?;
    settings
        .lines()
        .find_map(|line| line.strip_prefix("trunk-version"))
        .and_then(|rest| rest.split('"').nth(1))
        .map(|version| version.trim_start_matches('=').to_owned())
        .context("Trunk.toml has no line `trunk-version = \"…\"`")
}

/// The version of wasm-bindgen in `Cargo.lock`: its command must be of exactly that version.
fn wasm_bindgen_version(sh: &Shell) -> Result<String> {
    let id = cmd!(sh, "cargo pkgid --package wasm-bindgen")
        .quiet()
        .read()?;
    let (_, version) = id
        .rsplit_once(['@', '#'])
        .with_context(|| format!("`{id}` names no version"))?;
    Ok(version.to_owned())
}
