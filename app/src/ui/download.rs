//! Files that the reader takes away: the one place where the page hands over any.

use gloo_timers::callback::Timeout;
use leptos::prelude::document;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

/// Milliseconds until what was handed over is let go: by then every browser has begun to save it.
const KEPT_FOR: u32 = 30_000;

/// Hands the reader `blob` as a file called `name`.
pub fn download(name: &str, blob: &Blob) {
    let Ok(address) = Url::create_object_url_with_blob(blob) else {
        return;
    };
    let Ok(link) = document().create_element("a") else {
        return;
    };
    let link: HtmlAnchorElement = link.unchecked_into();
    link.set_href(&address);
    link.set_download(name);
    link.click();
    Timeout::new(KEPT_FOR, move || {
        let _ = Url::revoke_object_url(&address);
    })
    .forget();
}

/// Hands the reader `text` as a file called `name`, of a media type such as `text/csv`.
pub fn download_text(name: &str, media_type: &str, text: &str) {
    if let Ok(blob) = text_blob(media_type, text) {
        download(name, &blob);
    }
}

/// `text` as a file's contents.
///
/// # Errors
/// What the browser reports.
pub fn text_blob(media_type: &str, text: &str) -> Result<Blob, JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type(&format!("{media_type};charset=utf-8"));
    let parts = js_sys::Array::of1(&text.into());
    Blob::new_with_str_sequence_and_options(&parts, &options)
}
