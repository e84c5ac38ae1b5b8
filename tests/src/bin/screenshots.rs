//! `screenshots FOLDER [ROUTE]…`: pictures of the page on a desktop and a phone, light and dark.
//!
//! `cargo xtask screenshots` runs it.

use std::path::PathBuf;
use std::{env, fs};

use browser_tests::{Preference, Screen, visit};

fn main() {
    let mut arguments = env::args().skip(1);
    let folder = PathBuf::from(arguments.next().expect("a folder for the pictures"));
    fs::create_dir_all(&folder).expect("the folder can be made");
    let mut routes: Vec<String> = arguments.collect();
    if routes.is_empty() {
        routes.push(String::new());
    }
    for (screen, device) in [(Screen::Desktop, "desktop"), (Screen::Phone, "phone")] {
        visit(screen, async |page| {
            for route in &routes {
                for (scheme, name) in [(Preference::Light, "light"), (Preference::Dark, "dark")] {
                    page.prefer(&[scheme]).await?;
                    page.open(route).await?;
                    page.wait_until_still().await?;
                    let file = folder.join(format!("{}-{device}-{name}.png", slug(route)));
                    page.screenshot_whole(&file).await?;
                    println!("{}", file.display());
                }
            }
            Ok(())
        });
    }
}

/// A file name for a route.
fn slug(route: &str) -> String {
    let slug: String = route
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    match slug.trim_matches('-') {
        "" => "front".to_owned(),
        slug => slug.to_owned(),
    }
}
