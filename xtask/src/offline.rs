//! What lets the bundle be opened without a network: its version in the page, and a service worker that keeps it.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use crate::bundle::{files, hex};

/// The service worker, without the list of what it keeps.
const SCRIPT: &str = include_str!("../../app/sw.js");

/// Its file beside the page: the one file but the page that is not named by its content.
pub const NAME: &str = "sw.js";

/// Names the version of the finished bundle in `folder`, and puts the service worker into it. The page registers one only
/// where it is told a version, so a page that is served while it is edited has none.
pub fn keep(folder: &Path) -> Result<()> {
    let mut files = files(folder)?;
    files.retain(|file| file != NAME);
    files.sort();
    let mut hash = Sha256::new();
    for file in &files {
        hash.update(file);
        hash.update(fs::read(folder.join(file))?);
    }
    let version = hex(&hash.finalize()[..8]);
    files.retain(|file| file != "index.html");
    fs::write(folder.join(NAME), script(&version, &files))?;

    let page = folder.join("index.html");
    let html = fs::read_to_string(&page)?;
    let (before, after) = html
        .split_once("</head>")
        .context("index.html has no head")?;
    let meta = format!(r#"<meta name="version" content="{version}">"#);
    fs::write(page, format!("{before}{meta}</head>{after}"))?;
    Ok(())
}

fn script(version: &str, files: &[String]) -> String {
    let files: Vec<_> = files
        .iter()
        .map(|file| format!("\"./{file}\",\n"))
        .collect();
    format!(
        "const VERSION = \"{version}\";\nconst FILES = [\n{}];\n{SCRIPT}",
        files.concat()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_that_of_all_that_is_in_the_bundle() {
        let folder = std::env::temp_dir().join(format!("bundle-{}", std::process::id()));
        fs::create_dir_all(folder.join("deep")).unwrap();
        let bundle = |style: &str| {
            fs::write(folder.join("index.html"), "<head></head>").unwrap();
            fs::write(folder.join("deep/a-1.css"), style).unwrap();
            keep(&folder).unwrap();
            fs::read_to_string(folder.join(NAME)).unwrap()
        };
        let first = bundle("p {}");
        assert!(first.contains("\"./deep/a-1.css\","), "{first}");
        assert!(!first.contains("\"./index.html\""), "{first}");
        assert_eq!(first, bundle("p {}"), "the same bundle is the same version");
        assert_ne!(first, bundle("h1 {}"));
        let page = fs::read_to_string(folder.join("index.html")).unwrap();
        let version = page.split("content=\"").nth(1).unwrap();
        let version = version.split('"').next().unwrap();
        assert_eq!(version.len(), 16);
        fs::remove_dir_all(folder).unwrap();
    }
}
