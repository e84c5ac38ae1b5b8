//! What the page and its worker share.

pub mod worker;
