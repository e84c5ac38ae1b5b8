//! Which page the address names.
//!
//! The page is in the fragment, as in `#/basin`, so that any static host serves it under any path. That is one
//! lookup in a short table, which is why there is no router library here.

use crate::pages::Page;

/// What an address's fragment names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    /// A page that exists.
    Page(Page),
    /// No page of that name; the name as it stands in the address.
    Unknown(String),
}

impl Route {
    /// Reads a fragment such as `#/basin`. None at all is the first page; what follows a `?` is the page's own.
    #[must_use]
    pub fn of_fragment(fragment: &str) -> Self {
        Self::named(split(fragment).0)
    }

    /// The page of this name; no name is the first page's.
    #[must_use]
    pub fn named(name: &str) -> Self {
        if name.is_empty() {
            return Route::Page(Page::ALL[0]);
        }
        Page::ALL
            .into_iter()
            .find(|page| page.name() == name)
            .map_or_else(|| Route::Unknown(name.to_owned()), Route::Page)
    }
}

/// The page's name in a fragment, and what follows its `?`.
#[must_use]
pub fn split(fragment: &str) -> (&str, &str) {
    let text = fragment.trim_start_matches('#');
    let (path, query) = text.split_once('?').unwrap_or((text, ""));
    (path.trim_matches('/'), query)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn an_empty_fragment_is_the_first_page() {
        for fragment in ["", "#", "#/"] {
            assert_eq!(Route::of_fragment(fragment), Route::Page(Page::Basin));
        }
    }

    #[test]
    fn every_page_is_found_by_its_own_address() {
        for page in Page::ALL {
            assert_eq!(Route::of_fragment(&page.address()), Route::Page(page));
        }
    }

    #[test]
    fn what_follows_a_question_mark_is_not_the_pages_name() {
        assert_eq!(Route::of_fragment("#/basin?v=1"), Route::Page(Page::Basin));
    }

    #[test]
    fn a_name_that_no_page_has_is_unknown() {
        assert_eq!(
            Route::of_fragment("#/nowhere"),
            Route::Unknown("nowhere".to_owned())
        );
    }
}
