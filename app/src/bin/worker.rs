//! The worker: the engine's long work, off the page's thread.

use app::worker::{self, Request, Response};

fn main() {
    worker::serve(|request, respond| match request {
        Request::Echo(text) => respond(Response::Echo(text)),
    });
}
