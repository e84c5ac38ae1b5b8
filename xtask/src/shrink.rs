//! Makes a built program smaller: less code, and short names for what passes between it and its script.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use regex::{Captures, Regex};
use serde::Deserialize;
use xshell::{Shell, cmd};

/// What wasm-opt says of the names it has changed.
#[derive(Deserialize)]
struct Renamed {
    /// Of each function that the script gives: its module, its name, and the new name.
    imports: Vec<(String, String, String)>,
    /// Of all that the script may use: the name, and the new one.
    exports: Vec<(String, String)>,
}

/// The one module that is left when wasm-opt has shortened the names of modules too.
const MODULE: &str = "a";

/// Shrinks the program called `name` in `folder`, as far as `passes` of wasm-opt do.
pub fn shrink(sh: &Shell, folder: &Path, name: &str, passes: &[&str]) -> Result<()> {
    let wasm = folder.join(format!("{name}_bg.wasm"));
    let script = folder.join(format!("{name}.js"));

    // Functions with like names are of like code, and compress best side by side.
    let renamed = cmd!(
        sh,
        "wasm-opt {passes...} --reorder-functions-by-name --minify-imports-and-exports-and-modules {wasm} --output {wasm}"
    )
    .quiet()
    .read()?;
    let renamed = serde_json::from_str(&renamed)
        .context("this wasm-opt tells in another form what it has renamed")?;

    let text = fs::read_to_string(&script)?;
    fs::write(&script, rename(&text, &renamed))?;
    cmd!(
        sh,
        "esbuild --log-level=warning --minify --allow-overwrite {script} --outfile={script}"
    )
    .quiet()
    .run()?;
    Ok(())
}

/// The script with the new names. An import is a key of an object which is itself the value of its module's name, and
/// is called like nothing else; an export is a property of `wasm`.
fn rename(script: &str, renamed: &Renamed) -> String {
    let mut script = script.to_owned();
    let mut new = HashMap::new();
    for (module, import, short) in &renamed.imports {
        script = script.replace(&format!("\"{module}\":"), &format!("\"{MODULE}\":"));
        new.insert(import.clone(), short.clone());
    }
    for (export, short) in &renamed.exports {
        new.insert(format!("wasm.{export}"), format!("wasm.{short}"));
    }
    let name = Regex::new(r"(?-u)(\bwasm\.)?[\w$]+").expect("a good pattern");
    name.replace_all(&script, |found: &Captures| {
        let found = &found[0];
        new.get(found).map_or(found, String::as_str).to_owned()
    })
    .into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_calls_things_by_their_new_names() {
        let script = r#"export function start() { wasm.start(); }
const import0 = { __wbg_now_1: function(arg0) { return wasm.malloc(now); } };
return { "./basin_bg.js": import0 };"#;
        let renamed = Renamed {
            imports: vec![("./basin_bg.js".into(), "__wbg_now_1".into(), "b".into())],
            exports: vec![("start".into(), "c".into()), ("malloc".into(), "d".into())],
        };
        assert_eq!(
            rename(script, &renamed),
            r#"export function start() { wasm.c(); }
const import0 = { b: function(arg0) { return wasm.d(now); } };
return { "a": import0 };"#
        );
    }
}
