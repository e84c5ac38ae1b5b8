//! Following what outlives its follower.

use leptos::prelude::*;
use leptos::reactive::computed::ArcMemo;
use leptos::reactive::graph::{Subscriber, ToAnySubscriber};

/// What `of` reads, followed until the calling component ends.
///
/// What has ended stays among the subscribers of what it read until that changes. Of what seldom changes and lasts as long
/// as the page, such as its colours, there would be ever more; so this takes itself off. What follows it in turn ends with
/// the same component.
pub fn follow<T>(of: impl Fn() -> T + Send + Sync + 'static) -> Signal<T>
where
    T: PartialEq + Clone + Send + Sync + 'static,
{
    let followed = ArcMemo::new(move |_| of());
    let kept = followed.clone();
    on_cleanup(move || kept.clear_sources(&kept.to_any_subscriber()));
    Memo::from(followed).into()
}
