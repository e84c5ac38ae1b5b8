//! The dashboard, in the browser.

use app::shell::Shell;
use leptos::prelude::*;

fn main() {
    app::shell::show_panics();
    if let Some(boot) = document().get_element_by_id("boot") {
        boot.remove();
    }
    mount_to_body(Shell);
}
