//! How much a reader downloads.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Result, ensure};
use flate2::Compression;
use flate2::write::GzEncoder;

/// What a first visit loads; pictures and whatever else is there come later, if at all.
const LOADED_AT_FIRST: [&str; 4] = ["wasm", "js", "css", "html"];

/// Prints every file of the bundle with its size, and fails when a first visit loads more than `limit` kB.
pub fn report(folder: &Path, limit: Option<f64>) -> Result<()> {
    let mut rows = Vec::new();
    list(folder, folder, &mut rows)?;
    rows.sort_by_key(|row| std::cmp::Reverse(row.zipped));

    println!("\n{:>10} {:>10}  file", "bytes", "gzip -9");
    for Row {
        name,
        raw,
        zipped,
        loaded,
    } in &rows
    {
        let note = if *loaded {
            ""
        } else {
            "  (not at a first visit)"
        };
        println!("{raw:>10} {zipped:>10}  {name}{note}");
    }
    let total =
        |size: fn(&Row) -> usize| -> usize { rows.iter().filter(|row| row.loaded).map(size).sum() };
    let (raw, zipped) = (total(|row| row.raw), total(|row| row.zipped));
    println!("{raw:>10} {zipped:>10}  a first visit to the dashboard\n");

    if let Some(limit) = limit {
        let loaded = zipped as f64 / 1000.0;
        ensure!(
            loaded <= limit,
            "a first visit loads {loaded:.1} kB, more than the {limit} kB it may"
        );
    }
    println!("{} works below any path of a static host", folder.display());
    Ok(())
}

struct Row {
    name: String,
    raw: usize,
    zipped: usize,
    loaded: bool,
}

fn list(root: &Path, folder: &Path, rows: &mut Vec<Row>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(root, &path, rows)?;
            continue;
        }
        let bytes = fs::read(&path)?;
        let extension = path.extension().unwrap_or_default();
        rows.push(Row {
            name: path.strip_prefix(root)?.display().to_string(),
            raw: bytes.len(),
            zipped: gzip(&bytes)?.len(),
            loaded: LOADED_AT_FIRST.iter().any(|loaded| extension == *loaded),
        });
    }
    Ok(())
}

fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}
