//! From the sources to a folder that any static host can serve.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use sha2::{Digest, Sha256};
use xshell::{Shell, cmd};

use crate::offline;
use crate::root;
use crate::shrink::shrink;
use crate::tools::{Shrinkers, Tools};

/// How a bundle is built.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Build {
    /// Built quickly, for tests: `target/bundle`.
    Fast,
    /// Built small, for readers: `dist`.
    Release,
}

impl Build {
    fn folder(self) -> PathBuf {
        root().join(match self {
            Build::Fast => "target/bundle",
            Build::Release => "dist",
        })
    }

    /// Builds the bundle and returns its folder.
    pub fn bundle(self, tools: &Tools) -> Result<PathBuf> {
        tools.for_building()?;
        // Builds share folders below `target`, so they take turns.
        let lock = File::create(root().join("target/bundle.lock"))?;
        lock.lock()?;

        let sh = tools.sh;
        let folder = self.folder();
        let options: &[&str] = match self {
            Build::Fast => &[],
            Build::Release => &["--release", "--cargo-profile", "wasm-release", "--minify"],
        };
        let _flags = (self == Build::Release)
            .then(|| anonymous(sh))
            .transpose()?
            .map(|flags| sh.push_env("CARGO_ENCODED_RUSTFLAGS", flags));
        cmd!(sh, "trunk build {options...} --dist {folder}")
            .run()
            .context("the page cannot be built")?;
        if self == Build::Release && tools.for_shrinking()? == Shrinkers::Found {
            for page in PAGES.into_iter().chain([SHARE]) {
                shrink(sh, &folder, page, &SMALL)?;
            }
            shrink(sh, &folder, WORKER, &["-O3"])?;
        }
        name_by_content(&folder)?;
        forbid_foreign_scripts(&folder)?;
        offline::keep(&folder)?;
        Ok(folder)
    }
}

/// The bundle that was made before in `given`, or else one that is built quickly.
///
/// # Errors
/// Names the folder that has none.
pub fn bundle_for_tests(tools: &Tools, given: Option<&Path>) -> Result<PathBuf> {
    let Some(folder) = given else {
        return Build::Fast.bundle(tools);
    };
    let folder = std::path::absolute(folder)?;
    ensure!(
        folder.join("index.html").is_file(),
        "--bundle is {}, but must be a folder with a bundle, such as `cargo xtask dist` makes",
        folder.display()
    );
    Ok(folder)
}

/// The pages, each a program of its own; the first is where an empty address leads.
pub const PAGES: [&str; 5] = ["basin", "story", "why", "ecs", "breaker"];

/// Flags without which a program tells where it was built: it names the files of libraries where it can meet an error.
fn anonymous(sh: &Shell) -> Result<String> {
    let home = |name| std::env::var_os(name).map(PathBuf::from);
    let cargo = home("CARGO_HOME").or_else(|| Some(home("HOME")?.join(".cargo")));
    let rust = PathBuf::from(cmd!(sh, "rustc --print sysroot").quiet().read()?);
    let flags = cargo
        .into_iter()
        .chain([rust])
        .map(|folder| format!("--remap-path-prefix={}=", folder.display()));
    Ok(flags.collect::<Vec<_>>().join("\u{1f}"))
}

/// What makes a program small. Code that is flattened and built up again comes out a little smaller still, and each round
/// finds what the one before has uncovered.
const SMALL: [&str; 5] = ["-Oz", "--flatten", "--rereloop", "-Oz", "-Oz"];

/// The program that pages load to share what they show.
const SHARE: &str = "share";

/// The program that all pages have work for them.
const WORKER: &str = "worker";

/// Gives all files but the page names that change with what is in them, so that a host may tell browsers to keep them
/// for good.
fn name_by_content(folder: &Path) -> Result<()> {
    let page = folder.join("index.html");
    for program in PAGES.into_iter().chain([SHARE, WORKER]) {
        let [script, wasm, loader] =
            ["{}.js", "{}_bg.wasm", "{}_loader.js"].map(|name| name.replace("{}", program));
        let mut hash = Sha256::new();
        hash.update(fs::read(folder.join(&script))?);
        hash.update(fs::read(folder.join(&wasm))?);
        let name = format!("{program}-{}", hex(&hash.finalize()[..8]));

        // The script names the WASM, and the worker's loader the script.
        replace_in(&folder.join(&script), &wasm, &wasm.replace(program, &name))?;
        if folder.join(&loader).is_file() {
            replace_in(
                &folder.join(&loader),
                &script,
                &script.replace(program, &name),
            )?;
        }
        let html = fs::read_to_string(&page)?;
        for file in [script, wasm, loader] {
            if html.contains(&format!("./{file}")) {
                name_in_page(folder, &file, &file.replace(program, &name))?;
            } else if folder.join(&file).is_file() {
                fs::rename(
                    folder.join(&file),
                    folder.join(file.replace(program, &name)),
                )?;
            }
        }
    }
    for old in files(folder)? {
        let Some((stem, extension @ ("css" | "svg"))) = old.rsplit_once('.') else {
            continue;
        };
        let hash = hex(&Sha256::digest(fs::read(folder.join(&old))?)[..8]);
        let new = format!("{stem}-{hash}.{extension}");
        name_in_page(folder, &old, &new)?;
    }
    Ok(())
}

/// Renames a file, and what the page says of it.
fn name_in_page(folder: &Path, old: &str, new: &str) -> Result<()> {
    let page = folder.join("index.html");
    replace_in(&page, &format!("./{old}"), &format!("./{new}"))?;
    fs::rename(folder.join(old), folder.join(new))?;
    Ok(())
}

/// Puts the strictest policy that the page works under into the page: its scripts are its own files and
/// the inline ones it was built with.
fn forbid_foreign_scripts(folder: &Path) -> Result<()> {
    let page = folder.join("index.html");
    let html = fs::read_to_string(&page)?;
    let mut sources = String::from("'self' 'wasm-unsafe-eval'");
    for script in inline_scripts(&html) {
        let hash = BASE64_STANDARD.encode(Sha256::digest(script));
        sources += &format!(" 'sha256-{hash}'");
    }
    let policy = format!(
        "default-src 'self'; script-src {sources}; worker-src 'self'; style-src 'self' 'unsafe-inline'; \
         img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'"
    );
    // A policy holds for what follows it, so only the encoding comes before.
    let encoding = html
        .find("<meta charset")
        .context("index.html names no encoding")?;
    let end = encoding
        + html[encoding..]
            .find('>')
            .context("index.html is cut short")?
        + 1;
    let (before, after) = html.split_at(end);
    let meta = format!(r#"<meta http-equiv="Content-Security-Policy" content="{policy}">"#);
    fs::write(page, format!("{before}{meta}{after}"))?;
    Ok(())
}

/// The texts of the scripts that stand in the page itself.
fn inline_scripts(html: &str) -> Vec<&str> {
    html.split("<script")
        .skip(1)
        .filter_map(|rest| {
            let (attributes, rest) = rest.split_once('>')?;
            let (text, _) = rest.split_once("</script>")?;
            (!attributes.contains("src=")).then_some(text)
        })
        .collect()
}

/// The files below `folder`, as addresses from there on.
pub fn files(folder: &Path) -> Result<Vec<String>> {
    fn list(root: &Path, folder: &Path, files: &mut Vec<String>) -> Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                list(root, &path, files)?;
                continue;
            }
            let names: Vec<_> = path
                .strip_prefix(root)?
                .iter()
                .map(|part| part.to_string_lossy())
                .collect();
            files.push(names.join("/"));
        }
        Ok(())
    }
    let mut files = Vec::new();
    list(folder, folder, &mut files)?;
    Ok(files)
}

fn replace_in(file: &Path, from: &str, to: &str) -> Result<()> {
    let text =
        fs::read_to_string(file).with_context(|| format!("{} is missing", file.display()))?;
    ensure!(
        text.contains(from),
        "{} does not name {from}",
        file.display()
    );
    fs::write(file, text.replace(from, to))?;
    Ok(())
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::inline_scripts;

    #[test]
    fn inline_scripts_are_those_without_a_source() {
        let html = r#"<head><script type="module">let a = 1 > 0;</script><script src="b.js"></script><script>c</script></head>"#;
        assert_eq!(inline_scripts(html), ["let a = 1 > 0;", "c"]);
    }
}
