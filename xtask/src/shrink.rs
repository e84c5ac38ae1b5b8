//! Makes a built program smaller: less code, and short names for what passes between it and its script.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use regex::{Captures, Regex};
use serde::Deserialize;
use serde_json::json;
use wasm_encoder::{NameMap, NameSection, Section};
use wasmparser::{Parser, Payload, TypeRef};
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

    leave_out_what_nothing_calls(sh, folder, name)?;
    cmd!(sh, "wasm-opt {passes...} {wasm} --output {wasm}").run()?;
    name_by_place(&wasm)?;
    let renamed = cmd!(
        sh,
        "wasm-opt --reorder-functions-by-name --strip-debug --minify-imports-and-exports-and-modules {wasm} --output {wasm}"
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

/// Leaves only what the script's functions lead to. A library may export classes for programs to hand out; of ours none
/// does, but they and all behind them would stay.
fn leave_out_what_nothing_calls(sh: &Shell, folder: &Path, name: &str) -> Result<()> {
    let wasm = folder.join(format!("{name}_bg.wasm"));
    let script = folder.join(format!("{name}.js"));
    let text = fs::read_to_string(&script)?;
    let called = sh.create_temp_dir()?;
    let entry = called.path().join("entry.js");
    let whole = called.path().join("whole.js");
    fs::write(&whole, without_effects(&text))?;
    fs::write(
        &entry,
        format!("export {{ {} }} from \"./whole.js\";\n", functions(&text)),
    )?;
    cmd!(
        sh,
        "esbuild --log-level=warning --bundle --format=esm --allow-overwrite {entry} --outfile={script}"
    )
    .quiet()
    .run()?;

    let text = fs::read_to_string(&script)?;
    let graph = called.path().join("graph.json");
    fs::write(&graph, serde_json::to_string(&reached(&text))?)?;
    cmd!(
        sh,
        "wasm-metadce {wasm} --graph-file {graph} --output {wasm}"
    )
    .quiet()
    .ignore_stdout()
    .run()?;
    Ok(())
}

/// The script with nothing in it that would keep a class which is not used.
fn without_effects(script: &str) -> String {
    let extended = Regex::new(r"(?m)^if \(Symbol\.dispose\) .*$").expect("a good pattern");
    extended.replace_all(script, "").replace(
        "new FinalizationRegistry",
        "/* @__PURE__ */ new FinalizationRegistry",
    )
}

/// The functions that the script exports, with the one that loads the program.
fn functions(script: &str) -> String {
    let exported =
        Regex::new(r"(?m-u)^export (?:async )?function ([\w$]+)").expect("a good pattern");
    let names = exported
        .captures_iter(script)
        .map(|found| format!(", {}", &found[1]));
    format!("default{}", names.collect::<String>())
}

/// What of the program the script reaches, as wasm-metadce reads it.
fn reached(script: &str) -> serde_json::Value {
    let used = Regex::new(r"(?-u)\bwasm\.([\w$]+)").expect("a good pattern");
    let names: BTreeSet<_> = used
        .captures_iter(script)
        .map(|found| found[1].to_owned())
        .collect();
    let mut graph = vec![json!({ "name": "script", "root": true, "reaches": names })];
    graph.extend(
        names
            .iter()
            .map(|name| json!({ "name": name, "export": name })),
    );
    graph.into()
}

/// Names the functions by the places that they are to have: those of like code side by side, where they compress best.
fn name_by_place(wasm: &Path) -> Result<()> {
    let mut module = fs::read(wasm)?;
    let mut imported = 0;
    let mut bodies = Vec::new();
    for part in Parser::new(0).parse_all(&module) {
        match part? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes()),
            _ => {}
        }
    }
    let mut places = vec![0; bodies.len()];
    for (place, function) in order(&bodies).into_iter().enumerate() {
        places[function] = place;
    }
    let mut names = NameMap::new();
    for (function, place) in (imported..).zip(places) {
        names.append(function, &format!("{place:06}"));
    }
    let mut section = NameSection::new();
    section.functions(&names);
    section.append_to(&mut module);
    fs::write(wasm, module)?;
    Ok(())
}

/// Numbers that stand for a body: two bodies share the more of them, the more pieces of four bytes they share.
const SKETCH: usize = 64;

/// The functions in an order in which each is followed by the one most like it of those that are left.
fn order(bodies: &[&[u8]]) -> Vec<usize> {
    let sketches: Vec<_> = bodies.iter().map(|body| sketch(body)).collect();
    let length = |i: usize| (bodies[i].len() as f64).ln();
    let mut left: BTreeSet<usize> = (0..bodies.len()).collect();
    let mut next = (0..bodies.len()).max_by_key(|&i| bodies[i].len());
    let mut order = Vec::with_capacity(bodies.len());
    while let Some(last) = next {
        order.push(last);
        left.remove(&last);
        let likeness = |i: usize| {
            let pairs = std::iter::zip(&sketches[i], &sketches[last]);
            let shared = pairs.filter(|(a, b)| a == b).count() as f64;
            shared - 4.0 * (length(i) - length(last)).abs()
        };
        next = left
            .iter()
            .copied()
            .max_by(|&a, &b| likeness(a).total_cmp(&likeness(b)));
    }
    order
}

/// For each of as many hashes, the least of those of the body's pieces.
fn sketch(body: &[u8]) -> [u64; SKETCH] {
    let mut least = [u64::MAX; SKETCH];
    for piece in body.windows(4.min(body.len())) {
        let mut hash = piece
            .iter()
            .fold(0_u64, |hash, byte| hash << 8 | u64::from(*byte));
        for least in &mut least {
            // A step of SplitMix64.
            hash = hash.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            *least = (*least).min(mixed ^ mixed >> 27);
        }
    }
    least
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

    #[test]
    fn a_class_that_nothing_uses_leaves_nothing_behind() {
        let script = "export class Sink {\n    free() {}\n}\n\
                      if (Symbol.dispose) Sink.prototype[Symbol.dispose] = Sink.prototype.free;\n\
                      const kept = new FinalizationRegistry(free);\n\
                      export async function save() {}\n\
                      export function leave() { wasm.leave(wasm.memory); }\n\
                      export { initSync, __wbg_init as default };\n";
        let tidy = without_effects(script);
        assert!(!tidy.contains("Symbol.dispose"), "{tidy}");
        assert!(
            tidy.contains("= /* @__PURE__ */ new FinalizationRegistry"),
            "{tidy}"
        );
        assert_eq!(functions(script), "default, save, leave");
        assert_eq!(reached(script)[0]["reaches"], json!(["leave", "memory"]));
    }

    #[test]
    fn functions_of_like_code_stand_side_by_side() {
        let [draws, counts] = [7_u8, 90].map(|step| {
            (0..200_u8)
                .map(|i| i.wrapping_mul(step))
                .collect::<Vec<_>>()
        });
        let (mut draws_too, mut counts_too) = (draws.clone(), counts.clone());
        draws_too[150] = 1;
        counts_too[20] = 1;
        let bodies = [&draws, &counts, &draws_too, &counts_too].map(Vec::as_slice);
        let order = order(&bodies);
        let place = |function: usize| order.iter().position(|&i| i == function).unwrap();
        assert_eq!(place(0).abs_diff(place(2)), 1, "{order:?}");
        assert_eq!(place(1).abs_diff(place(3)), 1, "{order:?}");
    }
}
