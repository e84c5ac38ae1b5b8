//! What a page holds in memory.

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::json;

use crate::Page;

/// The size of each program's memory that is loaded, added up. A program's script is a module, which is loaded once:
/// to import it again hands out the one that runs, and to initialise that one its exports.
const WASM_BYTES: &str = "(async () => {
    const loaded = performance.getEntriesByType('resource').map(entry => entry.name);
    const absolute = address => new URL(address, document.baseURI).href;
    let bytes = 0;
    for (const program of document.querySelectorAll('meta[name=program]')) {
        if (!loaded.includes(absolute(program.dataset.wasm))) continue;
        const module = await import(absolute(program.content));
        bytes += (await module.default()).memory.buffer.byteLength;
    }
    return bytes;
})()";

/// What a page holds, once all that nothing refers to any more was let go.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Memory {
    /// Bytes of its programs' memories, which never shrink.
    pub wasm: u64,
    /// Bytes of its scripts' objects.
    pub heap: u64,
    /// Nodes, those that are not in the document with them.
    pub nodes: u64,
    /// Listeners to events.
    pub listeners: u64,
}

#[derive(Deserialize)]
struct Metrics {
    metrics: Vec<Metric>,
}

#[derive(Deserialize)]
struct Metric {
    name: String,
    value: f64,
}

impl Page {
    /// What the page holds in memory now.
    pub async fn memory(&self) -> Result<Memory> {
        let wasm = self.eval(WASM_BYTES).await?;
        self.ask_devtools("Performance.enable", json!({})).await?;
        // What a first collection lets go of may hold more.
        for _ in 0..2 {
            self.ask_devtools("HeapProfiler.collectGarbage", json!({}))
                .await?;
        }
        let told = self
            .ask_devtools("Performance.getMetrics", json!({}))
            .await?;
        let Metrics { metrics } = serde_json::from_value(told)?;
        let metric = |name: &str| {
            let found = metrics.iter().find(|metric| metric.name == name);
            found
                .map(|metric| metric.value as u64)
                .with_context(|| format!("the browser does not tell {name}"))
        };
        Ok(Memory {
            wasm,
            heap: metric("JSHeapUsedSize")?,
            nodes: metric("Nodes")?,
            listeners: metric("JSEventListeners")?,
        })
    }
}
