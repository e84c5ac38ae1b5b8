//! How much a reader downloads.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Result, ensure};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::bundle::{PAGES, files};
use crate::offline;

/// Prints every file of the bundle with its size and what a first visit to each page loads, and fails when one to the
/// first page, the dashboard, loads more than `limit` kB.
pub fn report(folder: &Path, limit: Option<f64>) -> Result<()> {
    let mut rows = rows(folder)?;
    rows.sort_by_key(|row| std::cmp::Reverse(row.zipped));

    println!("\n{:>10} {:>10}  file", "bytes", "gzip -9");
    for Row {
        name, raw, zipped, ..
    } in &rows
    {
        println!("{raw:>10} {zipped:>10}  {name}");
    }
    println!("\n{:>10} {:>10}  a first visit to", "bytes", "gzip -9");
    for page in PAGES {
        let total = |size: fn(&Row) -> usize| -> usize {
            let loaded = rows.iter().filter(|row| row.is_loaded_by(page));
            loaded.map(size).sum()
        };
        let (raw, zipped) = (total(|row| row.raw), total(|row| row.zipped));
        println!("{raw:>10} {zipped:>10}  #/{page}");
        let loaded = zipped as f64 / 1000.0;
        if let Some(limit) = limit.filter(|_| page == PAGES[0]) {
            ensure!(
                loaded <= limit,
                "a first visit to #/{page} loads {loaded:.1} kB, more than the {limit} kB it may"
            );
        }
    }
    println!(
        "\nThe service worker then keeps the other files too, in the background, for when there is no network.\n\
         {} works below any path of a static host",
        folder.display()
    );
    Ok(())
}

/// What a first visit to the first page loads, in bytes after gzip -9.
pub fn first_visit(folder: &Path) -> Result<usize> {
    let rows = rows(folder)?;
    let loaded = rows.iter().filter(|row| row.is_loaded_by(PAGES[0]));
    Ok(loaded.map(|row| row.zipped).sum())
}

struct Row {
    name: String,
    /// Whether it holds styles that the first page does without.
    later: bool,
    raw: usize,
    zipped: usize,
}

impl Row {
    /// Whether a visit to `page` loads this file: the page, its styles, what keeps it, and its own program.
    fn is_loaded_by(&self, page: &str) -> bool {
        let own = self
            .name
            .strip_prefix(page)
            .is_some_and(|rest| rest.starts_with('-'));
        match self.name.rsplit_once('.') {
            Some((_, "html")) => true,
            Some((_, "css")) => !self.later || page != PAGES[0],
            Some((_, "js" | "wasm")) => own || self.name == offline::NAME,
            _ => false,
        }
    }
}

/// Every file of the bundle with its size.
fn rows(folder: &Path) -> Result<Vec<Row>> {
    let html = fs::read_to_string(folder.join("index.html"))?;
    let is_later = |name: &str| {
        html.split('<')
            .any(|tag| tag.contains(name) && tag.contains("data-later"))
    };
    let rows = files(folder)?.into_iter().map(|name| {
        let bytes = fs::read(folder.join(&name))?;
        Ok(Row {
            later: is_later(&name),
            name,
            raw: bytes.len(),
            zipped: gzip(&bytes)?.len(),
        })
    });
    rows.collect()
}

fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

#[cfg(test)]
mod tests {
    use super::Row;

    #[test]
    fn a_visit_loads_the_styles_and_its_own_program() {
        let row = |name: &str| Row {
            name: name.to_owned(),
            later: name == "ecs-1.css",
            raw: 0,
            zipped: 0,
        };
        let is_loaded = |name: &str| row(name).is_loaded_by("basin");
        for name in [
            "index.html",
            "sw.js",
            "ui-1.css",
            "basin-1.js",
            "basin-1_bg.wasm",
        ] {
            assert!(is_loaded(name), "{name}");
        }
        for name in [
            "ecs-1.css",
            "ecs-1.js",
            "ecs-1_bg.wasm",
            "worker-1.js",
            "icon-1.svg",
        ] {
            assert!(!is_loaded(name), "{name}");
        }
        assert!(row("ecs-1.css").is_loaded_by("ecs"));
    }
}
