//! Being told of an element's size.

use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::ResizeObserver;

/// Calls `changed` whenever the size of `element` changes, and once at first, for as long as the component lives.
pub fn watch_size(element: &web_sys::Element, changed: impl Fn() + 'static) {
    let callback = Closure::<dyn Fn()>::new(changed);
    let Ok(observer) = ResizeObserver::new(callback.as_ref().unchecked_ref()) else {
        return;
    };
    observer.observe(element);
    let kept = StoredValue::new_local((observer, callback));
    on_cleanup(move || {
        kept.try_with_value(|(observer, _)| observer.disconnect());
    });
}
