//! The pages, one file each.

pub mod basin;

/// A page that exists. To add one: a variant, its name and title, and its view in the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Page {
    /// The retrier and server: the storm and its basin.
    Basin,
}

impl Page {
    /// Every page, in the order of the navigation; the first is where an empty address leads.
    pub const ALL: [Page; 1] = [Page::Basin];

    /// Its name in the address.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Page::Basin => "basin",
        }
    }

    /// What it is called in the navigation.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Page::Basin => "The storm and its basin",
        }
    }

    /// Its address within the site.
    #[must_use]
    pub fn address(self) -> String {
        format!("#/{}", self.name())
    }
}
