//! The typed channel between the page and its worker.
//!
//! Long work runs in a web worker, so that the page never waits. The page sends a [`Request`], the
//! worker tells any number of answers. Both travel as [postcard](https://postcard.jamesmunns.com)
//! bytes, in a buffer that is handed over rather than copied.
//!
//! The page keeps a [`Worker`]. Dropping it ends the worker at once, whatever it is doing: that is
//! how long work is cancelled. One that panics, or that could not be loaded, is ended and says so once
//! through [`Event::Failed`]; the page keeps what it has, and the next request is a fresh one's.
//!
//! The worker's own binary, `src/bin/worker.rs`, calls [`serve`].

pub mod ecs;
mod json;
pub mod why;

pub use json::Json;

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Uint8Array};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, ErrorEvent, MessageEvent, WorkerOptions, WorkerType};

/// Something that the page asks of the worker.
///
/// Each page asks requests of its own type, so that its program holds the code of no other page's.
pub trait Request: Serialize + DeserializeOwned + 'static {
    /// What tells the worker of which type a request is.
    const KIND: Kind;

    /// What is answered, any number of times.
    type Answer: Serialize + DeserializeOwned + 'static;

    /// Works the answers out, and tells each as it is found. The worker alone calls it.
    fn answer(self, tell: &dyn Fn(Self::Answer));
}

/// The types of requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// [`Scenario`](crate::study::Scenario): all that the engine finds of a scenario.
    Study,
    /// [`LawsQuestion`](crate::study::LawsQuestion): retry laws compared.
    Laws,
    /// [`ecs::Request`]: the execution control system, simulated.
    Ecs,
    /// [`why::Request`]: maps, counterexamples, N clients.
    Why,
}

/// What the page hears of its worker.
#[derive(Debug, Clone, PartialEq)]
pub enum Event<A> {
    /// An answer.
    Answer(A),
    /// The worker broke and answers nothing that was asked before; the text says why, in words for the reader.
    Failed(String),
}

/// What travels from the worker: its answers, and what it says of itself.
#[derive(Serialize, Deserialize)]
enum Message<A> {
    /// It listens now. Whatever arrives before is lost, so the page holds its requests back till then.
    Ready,
    Answer(A),
    Panicked(String),
}

/// The page's end of a worker that answers requests of type `R`. It is started when it is asked something, and anew when
/// it is asked after it broke. Dropping it ends the worker.
pub struct Worker<R: Request> {
    on_event: Rc<dyn Fn(Event<R::Answer>)>,
    running: Rc<RefCell<Option<Running>>>,
}

/// A worker of the browser. Dropping it ends it.
struct Running {
    js: web_sys::Worker,
    /// Requests made before the worker listened; `None` once it does.
    waiting: Rc<RefCell<Option<Vec<Uint8Array>>>>,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(ErrorEvent)>,
}

impl<R: Request> Worker<R> {
    /// A worker that is not started yet; `on_event` hears what comes of what is asked of it.
    pub fn new(on_event: impl Fn(Event<R::Answer>) + 'static) -> Self {
        Self {
            on_event: Rc::new(on_event),
            running: Rc::default(),
        }
    }

    /// Sends a request. Requests are answered in the order they were sent, and never before this returns.
    ///
    /// # Errors
    ///
    /// When the browser refuses to start a worker, in words for the reader.
    pub fn request(&self, request: &R) -> Result<(), String> {
        let mut running = self.running.borrow_mut();
        if running.is_none() {
            *running = Some(self.start()?);
        }
        if let Some(running) = &*running {
            running.send(encode(&(R::KIND, request)));
        }
        Ok(())
    }

    fn start(&self) -> Result<Running, String> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let js = web_sys::Worker::new_with_options(&script_address(), &options)
            .map_err(|error| format!("The browser did not start a worker: {error:?}."))?;

        let waiting = Rc::new(RefCell::new(Some(Vec::new())));
        let on_event = self.on_event.clone();
        // A panic is told twice, by the worker itself and then by the browser: the first has the better words, and after
        // it nobody listens any more.
        let fail = {
            let (on_event, running) = (on_event.clone(), Rc::downgrade(&self.running));
            move |why: String| {
                let on_event = on_event.clone();
                drop(running.upgrade().and_then(|running| running.take()));
                on_event(Event::Failed(why));
            }
        };
        let broke = |why: &str| {
            format!("The worker that computes it met an error, and another takes its place: {why}")
        };

        let on_message = Closure::new({
            let (js, waiting, fail) = (js.clone(), waiting.clone(), fail.clone());
            move |event: MessageEvent| match decode(&event.data()) {
                Ok(Message::Ready) => {
                    for bytes in waiting.take().into_iter().flatten() {
                        post(&bytes, |data, moved| {
                            js.post_message_with_transfer(data, moved)
                        });
                    }
                }
                Ok(Message::Answer(answer)) => on_event(Event::Answer(answer)),
                Ok(Message::Panicked(why)) => fail(broke(&why)),
                Err(why) => fail(broke(&format!("its answer could not be read, {why}"))),
            }
        });
        js.set_onmessage(Some(on_message.as_ref().unchecked_ref()));

        let on_error = Closure::new(move |event: ErrorEvent| {
            // The page reports it; without this the browser would log it as an uncaught error too.
            event.prevent_default();
            // A script that could not be fetched makes a plain event, which has no message.
            let message = js_sys::Reflect::get(&event, &"message".into())
                .ok()
                .and_then(|message| message.as_string());
            fail(message.map_or_else(
                || "The script of the worker that computes it could not be loaded.".to_owned(),
                |why| broke(&why),
            ));
        });
        js.set_onerror(Some(on_error.as_ref().unchecked_ref()));

        Ok(Running {
            js,
            waiting,
            _on_message: on_message,
            _on_error: on_error,
        })
    }
}

impl Running {
    fn send(&self, bytes: Uint8Array) {
        match self.waiting.borrow_mut().as_mut() {
            Some(waiting) => waiting.push(bytes),
            None => post(&bytes, |data, moved| {
                self.js.post_message_with_transfer(data, moved)
            }),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.js.set_onmessage(None);
        self.js.set_onerror(None);
        self.js.terminate();
    }
}

/// The worker's end: hands each request, its kind first, to `handle`, which has it answered by [`answer`].
///
/// Called once, by the worker's binary.
pub fn serve(handle: impl Fn(Kind, &[u8]) + 'static) {
    std::panic::set_hook(Box::new(|panic| {
        console_error_panic_hook::hook(panic);
        send(&Message::<()>::Panicked(panic.to_string()));
    }));
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let bytes = bytes_of(&event.data()).expect(BUILT_TOGETHER);
        let (kind, request) = postcard::take_from_bytes(&bytes).expect(BUILT_TOGETHER);
        handle(kind, request);
    });
    scope().set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    // The worker listens for as long as it lives.
    on_message.forget();
    send(&Message::<()>::Ready);
}

/// Answers a request of type `R` that [`serve`] handed over.
pub fn answer<R: Request>(request: &[u8]) {
    let request: R = postcard::from_bytes(request).expect(BUILT_TOGETHER);
    request.answer(&|answer| send(&Message::Answer(answer)));
}

/// Why what one end writes the other can read.
const BUILT_TOGETHER: &str = "the page and its worker are built together";

/// Where the worker's script is, as the page's own markup says: builds give it another name each time.
fn script_address() -> String {
    web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.query_selector("meta[name=worker]").ok().flatten())
        .and_then(|meta| meta.get_attribute("content"))
        .expect("index.html names the worker's script")
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

fn send<A: Serialize>(message: &Message<A>) {
    post(&encode(message), |data, moved| {
        scope().post_message_with_transfer(data, moved)
    });
}

/// Posts `bytes` through one end's `post_message`, handing its buffer over.
fn post(bytes: &Uint8Array, post_message: impl FnOnce(&JsValue, &JsValue) -> Result<(), JsValue>) {
    post_message(bytes, &Array::of1(&bytes.buffer())).expect("a fresh buffer can be handed over");
}

fn encode(message: &impl Serialize) -> Uint8Array {
    let bytes = postcard::to_allocvec(message).expect("messages hold plain data of known length");
    Uint8Array::from(bytes.as_slice())
}

fn decode<T: DeserializeOwned>(data: &JsValue) -> Result<T, String> {
    postcard::from_bytes(&bytes_of(data)?).map_err(|error| error.to_string())
}

fn bytes_of(data: &JsValue) -> Result<Vec<u8>, String> {
    let bytes = data.dyn_ref::<Uint8Array>().ok_or("it is not bytes")?;
    Ok(bytes.to_vec())
}
