//! One test, from an empty browser to a verdict.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::{fs, thread};

use anyhow::{Context, Result, ensure};

use crate::driver::Driver;
use crate::site::Site;
use crate::{Page, Screen};

/// Runs one test in a browser of its own, with the given screen.
///
/// # Panics
///
/// When `test` fails or panics, when the console holds an error at its end, or when there is no
/// browser or bundle to test with; each says what was wrong and where the picture is.
pub fn visit(screen: Screen, test: impl AsyncFnOnce(&Page) -> Result<()>) {
    visit_in(screen, false, test);
}

/// The same as [`visit`], in a browser that keeps an account of its tasks: for [`Page::tasks`].
///
/// # Panics
///
/// As [`visit`] does.
pub fn visit_traced(screen: Screen, test: impl AsyncFnOnce(&Page) -> Result<()>) {
    visit_in(screen, true, test);
}

fn visit_in(screen: Screen, traced: bool, test: impl AsyncFnOnce(&Page) -> Result<()>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime for the test");
    let (driver, page) = runtime
        .block_on(async {
            let site = Site::get()?;
            let driver = Driver::start()?;
            let page = Page::new(driver.open(screen, traced).await?, screen, site);
            anyhow::Ok((driver, page))
        })
        .unwrap_or_else(|error| panic!("{error:#}"));

    let outcome = catch_unwind(AssertUnwindSafe(|| {
        runtime.block_on(async {
            test(&page).await?;
            let errors = page.console_errors().await?;
            ensure!(
                errors.is_empty(),
                "the console holds errors:\n{}",
                errors.join("\n")
            );
            Ok(())
        })
    }));
    let kept = match outcome {
        Ok(Ok(())) => None,
        _ => Some(runtime.block_on(keep_evidence(&page))),
    };
    let closed = runtime.block_on(page.close());
    drop(driver);

    let kept = match kept {
        Some(Ok(folder)) => format!("\nsee {}", folder.display()),
        Some(Err(error)) => format!("\nno picture: {error:#}"),
        None => String::new(),
    };
    match outcome {
        Ok(Ok(())) => closed.expect("the browser closes"),
        Ok(Err(error)) => panic!("{error:#}{kept}"),
        Err(panic) => {
            eprintln!("{kept}");
            resume_unwind(panic)
        }
    }
}

/// Saves what the page looks like and what the console says, under the test's name.
async fn keep_evidence(page: &Page) -> Result<PathBuf> {
    let thread = thread::current();
    let name = thread.name().unwrap_or("main").replace("::", "-");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../target/browser-artifacts")
        .join(name);
    fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    let folder = folder.canonicalize()?;
    page.screenshot(&folder.join("page.png")).await?;
    fs::write(folder.join("page.html"), page.html().await?)?;
    fs::write(folder.join("console.txt"), page.console().await?.join("\n"))?;
    Ok(folder)
}
