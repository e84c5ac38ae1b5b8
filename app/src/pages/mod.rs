//! The pages, one file each.

pub mod basin;
pub mod breaker;
pub mod ecs;
mod gate;
mod place;
mod plan;
pub mod story;
pub mod why;

/// A page that exists. To add one: a variant, its name and title, a program in `src/bin`,
/// and its two lines in `index.html`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Page {
    /// The retrier and server: the storm and its basin.
    Basin,
    /// The guided story.
    Story,
    /// The execution control system.
    Ecs,
    /// Why it fails: contracts, counterexamples, the phase plane and maps.
    Why,
    /// The circuit breaker.
    Breaker,
}

impl Page {
    /// Every page, in the order of the navigation; the first is where an empty address leads.
    pub const ALL: [Page; 5] = [
        Page::Basin,
        Page::Story,
        Page::Why,
        Page::Ecs,
        Page::Breaker,
    ];

    /// Its name in the address.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Page::Basin => "basin",
            Page::Story => "story",
            Page::Why => "why",
            Page::Ecs => "ecs",
            Page::Breaker => "breaker",
        }
    }

    /// What it is called in the navigation.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Page::Basin => "Storm and basin",
            Page::Story => "Story",
            Page::Why => "Why it fails",
            Page::Ecs => "Two controllers",
            Page::Breaker => "Circuit breaker",
        }
    }

    /// Its address within the site.
    #[must_use]
    pub fn address(self) -> String {
        format!("#/{}", self.name())
    }
}
