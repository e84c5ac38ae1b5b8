//! The worker: the engine's long work, off the page's thread.

use app::study::{LawsQuestion, Scenario};
use app::worker::{Kind, answer, ecs, serve, why};

fn main() {
    serve(|kind, request| match kind {
        Kind::Study => answer::<Scenario>(request),
        Kind::Laws => answer::<LawsQuestion>(request),
        Kind::Ecs => answer::<ecs::Request>(request),
        Kind::Why => answer::<why::Request>(request),
    });
}
