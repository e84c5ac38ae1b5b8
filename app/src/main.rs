//! The dashboard, in the browser.

use app::worker::{Event, Request, Response, Worker};
use leptos::prelude::*;

#[component]
fn App() -> impl IntoView {
    let (count, set_count) = signal(0);
    let (echo, set_echo) = signal(String::from("waiting for the worker"));
    let worker = StoredValue::new_local(
        Worker::spawn(move |event| match event {
            Event::Response(Response::Echo(text)) => set_echo.set(text),
            Event::Failed(why) => set_echo.set(why),
        })
        .inspect_err(|why| set_echo.set(why.clone()))
        .ok(),
    );
    Effect::new(move || {
        let request = Request::Echo(format!("the worker says {}", count.get()));
        worker.with_value(|worker| {
            if let Some(worker) = worker {
                worker.request(&request);
            }
        });
    });
    view! {
        <h1>"Metastability, made explorable"</h1>
        <button on:click=move |_| set_count.update(|n| *n += 1)>"Counted " {count}</button>
        <p>{echo}</p>
    }
}

fn main() {
    console_error_panic_hook::set_once();
    mount_to_body(App);
}
