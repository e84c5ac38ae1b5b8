//! The worker: the engine's long work, off the page's thread.

use app::study::study;
use app::worker::{self, Request, Response, ecs, why};

fn main() {
    worker::serve(|request, respond| match request {
        Request::Study(scenario) => study(&scenario, |finding| respond(Response::Finding(finding))),
        Request::Laws(question) => respond(Response::Laws(question.answer())),
        Request::Ecs(request) => ecs::answer(*request, &|response| {
            respond(Response::Ecs(Box::new(response)))
        }),
        Request::Why(request) => why::answer(request, &|response| respond(Response::Why(response))),
    });
}
