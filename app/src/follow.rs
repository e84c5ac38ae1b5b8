//! Following what outlives its follower.

use leptos::prelude::*;

/// What `of` reads, followed until the calling component ends.
pub fn follow<T>(of: impl Fn() -> T + 'static) -> Signal<T>
where
    T: PartialEq + Clone + 'static,
{
    Memo::new(move |_| of()).into()
}
