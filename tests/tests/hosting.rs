//! The bundle on a static host: below any path, under its own policy, asking nobody else.

use browser_tests::{Host, Page, Result, Screen, bundle_folder, ensure, visit};
use std::fs;
use std::path::{Path, PathBuf};

/// Opens the front page and waits until the program behind it runs.
async fn open_front(page: &Page) -> Result<()> {
    page.open("").await?;
    page.find("#page h1").await?;
    page.wait_until("the program runs", "!document.querySelector('#boot')")
        .await
}

#[test]
fn all_it_loads_is_below_its_own_path() {
    visit(Screen::Desktop, async |page| {
        open_front(page).await?;
        let loaded: Vec<String> = page
            .eval("performance.getEntriesByType('resource').map(entry => entry.name)")
            .await?;
        let home: String = page.eval("new URL('.', location.href).href").await?;
        assert!(
            loaded.iter().any(|file| file.ends_with(".wasm")),
            "{loaded:?}"
        );
        for file in loaded {
            assert!(file.starts_with(&home), "{file} is not below {home}");
        }
        Ok(())
    });
}

#[test]
fn the_styles_of_other_pages_arrive_with_the_first_of_them() {
    visit(Screen::Desktop, async |page| {
        let of_others = "performance.getEntriesByType('resource')
            .filter(({ name }) => /\\/(ecs|why|breaker|story)[^/]*\\.css$/.test(name)).length";
        open_front(page).await?;
        let early: usize = page.eval(of_others).await?;
        ensure!(early == 0, "the first page loads {early} of them");
        page.click("nav a[href^='#/ecs']").await?;
        page.find("main .lanes").await?;
        let late: usize = page.eval(of_others).await?;
        ensure!(late == 4, "then {late} are there");
        // The page is shown once it can be drawn as it is meant to be.
        let shown: String = page
            .eval("getComputedStyle(document.querySelector('main .lanes')).display")
            .await?;
        ensure!(shown == "grid", "the lanes are shown as {shown}");
        Ok(())
    });
}

#[test]
fn it_is_compiled_while_it_arrives() {
    visit(Screen::Desktop, async |page| {
        open_front(page).await?;
        // Otherwise the loader says in the console that it has to wait for the last byte.
        let console = page.console().await?;
        assert!(
            !console
                .iter()
                .any(|line| line.contains("instantiateStreaming")),
            "{console:?}"
        );
        Ok(())
    });
}

#[test]
fn the_page_names_a_worker_that_is_there_and_named_by_its_content() {
    visit(Screen::Desktop, async |page| {
        open_front(page).await?;
        let address: String = page
            .eval("document.querySelector('meta[name=worker]').content")
            .await?;
        let name = address
            .strip_prefix("./worker-")
            .expect("it is a relative address");
        let hash = name.strip_suffix("_loader.js").expect("it is the loader");
        assert!(
            hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{address}"
        );
        let status: u16 = page
            .eval(&format!("fetch('{address}').then(answer => answer.status)"))
            .await?;
        assert_eq!(status, 200);
        Ok(())
    });
}

#[test]
fn its_policy_refuses_scripts_it_was_not_built_with() {
    visit(Screen::Desktop, async |page| {
        open_front(page).await?;
        // The driver's own script may evaluate whatever it likes; what it leaves behind may not.
        let evaluated: String = page
            .eval(
                "new Promise(done => setTimeout(() => {
                    try {
                        done(String(new Function('return 1')()));
                    } catch (error) {
                        done(error.name);
                    }
                }))",
            )
            .await?;
        assert_eq!(evaluated, "EvalError");
        let ran: bool = page
            .eval(
                "(() => {
                    const script = document.createElement('script');
                    script.textContent = 'window.foreign = true';
                    document.head.append(script);
                    return window.foreign === true;
                })()",
            )
            .await?;
        assert!(!ran, "an inline script that was not there before ran");
        let errors = page.expect_console_errors().await?;
        assert!(
            errors
                .iter()
                .all(|line| line.contains("Content Security Policy"))
                && !errors.is_empty(),
            "{errors:?}"
        );
        Ok(())
    });
}

/// Every page's address and the words that say it is there.
const PAGES: [(&str, &str); 5] = [
    ("#/basin", "Why does a healthy system"),
    ("#/story", "How a system stays broken"),
    ("#/why", "when nobody breaks a promise"),
    ("#/ecs", "Why do two sensible controllers"),
    ("#/breaker", "Can two probes slip through"),
];

/// Opens `address` of a host.
pub(crate) async fn open_at(page: &Page, address: &str) -> Result<()> {
    Ok(page.driver().goto(address).await?)
}

/// The version that the page shown says it is.
const SHOWN_VERSION: &str = "document.querySelector('meta[name=version]').content";

/// The version that the page in `folder` says it is.
pub(crate) fn version(folder: &Path) -> String {
    let page = fs::read_to_string(folder.join("index.html")).expect("a page");
    let after = page
        .split("name=\"version\" content=\"")
        .nth(1)
        .expect("a version");
    after[..16].to_owned()
}

/// Waits until the version in `folder` is kept, and no other of this page.
pub(crate) async fn wait_until_kept(page: &Page, version: &str) -> Result<()> {
    page.wait_until(
        "this version is kept, and it alone",
        &format!(
            "caches.keys().then(async names => {{
                const [only, ...others] = await navigator.serviceWorker.getRegistrations();
                return names.length === 1 && names[0].endsWith('{version}')
                    && only?.active?.state === 'activated' && !others.length
            }})"
        ),
    )
    .await
}

#[test]
fn after_the_first_visit_every_page_opens_without_a_network() {
    visit(Screen::Desktop, async |page| {
        let folder = bundle_folder()?;
        let mut host = Host::start(&folder)?;
        open_at(page, &host.address("")).await?;
        wait_until_kept(page, &version(&folder)).await?;
        host.stop();
        for (address, words) in PAGES {
            // From nowhere, so that it is loaded and not only shown.
            open_at(page, "about:blank").await?;
            open_at(page, &host.address(address)).await?;
            page.wait_for_text("#page h1", words).await?;
        }
        // So is what shares.
        page.click_text(".share .button", "Share").await?;
        page.wait_for_text("dialog section h3", "Its address")
            .await?;
        // The worker that simulates is kept, too.
        open_at(page, "about:blank").await?;
        open_at(page, &host.address("#/ecs")).await?;
        page.wait_until(
            "the simulation has an outcome",
            "document.querySelector('.outcome strong')",
        )
        .await?;
        page.expect_console_errors().await?;
        Ok(())
    });
}

/// A second version of the bundle in a folder of its own: the same files with another version's name.
pub(crate) struct NextVersion(PathBuf);

impl NextVersion {
    pub(crate) fn new(of: &Path, number: &str) -> Result<Self> {
        let folder =
            std::env::temp_dir().join(format!("next-version-{number}-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let old = version(of);
        for entry in fs::read_dir(of)? {
            let entry = entry?;
            let (from, to) = (entry.path(), folder.join(entry.file_name()));
            match entry.file_name().to_str() {
                Some("index.html" | "sw.js") => {
                    fs::write(to, fs::read_to_string(from)?.replace(&old, number))?;
                }
                _ => {
                    fs::hard_link(&from, &to).or_else(|_| fs::copy(&from, &to).map(drop))?;
                }
            }
        }
        Ok(Self(folder))
    }

    /// Where it is.
    pub(crate) fn folder(&self) -> &Path {
        &self.0
    }
}

impl Drop for NextVersion {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_new_version_takes_over_whole_once_nobody_looks_at_the_old_one() {
    visit(Screen::Desktop, async |page| {
        let bundle = bundle_folder()?;
        // What is served is whatever this folder holds now.
        let served = NextVersion::new(&bundle, "00000000000000aa")?;
        let mut host = Host::start(served.folder())?;
        open_at(page, &host.address("")).await?;
        wait_until_kept(page, "00000000000000aa").await?;
        for file in ["index.html", "sw.js"] {
            let text = fs::read_to_string(served.folder().join(file))?;
            fs::write(
                served.folder().join(file),
                text.replace("00000000000000aa", "00000000000000bb"),
            )?;
        }
        open_at(page, &host.address("")).await?;
        page.wait_until(
            "the new version is there, and waits for the old one's tab",
            "navigator.serviceWorker.ready.then(kept => kept.waiting?.state === 'installed')",
        )
        .await?;
        let shown: String = page.eval(SHOWN_VERSION).await?;
        ensure!(shown == "00000000000000bb", "the page shown is {shown}");
        // It takes over when nobody looks at the old one, which a quick look elsewhere need not be.
        open_at(page, &host.elsewhere()).await?;
        wait_until_kept(page, "00000000000000bb").await?;
        host.stop();
        open_at(page, &host.address("")).await?;
        page.wait_for_text("#page h1", "Why does a healthy system")
            .await?;
        let shown: String = page.eval(SHOWN_VERSION).await?;
        ensure!(shown == "00000000000000bb", "the page kept is {shown}");
        page.expect_console_errors().await?;
        Ok(())
    });
}

#[test]
fn without_webassembly_the_page_says_so_in_words() {
    visit(Screen::Phone, async |page| {
        page.run_first("delete globalThis.WebAssembly").await?;
        page.open("").await?;
        page.wait_for_text(
            "#unloaded",
            "by a program in WebAssembly, and this browser does not run it",
        )
        .await?;
        ensure!(
            !page.text("body").await?.contains("is loading"),
            "it still says that it is loading"
        );
        page.wait_for_text("#boot", "Why does a healthy system stay broken")
            .await?;
        page.ensure_accessible().await?;
        page.expect_console_errors().await?;
        Ok(())
    });
}

#[test]
fn a_program_that_does_not_arrive_is_told_in_words_and_asked_for_again() {
    visit(Screen::Desktop, async |page| {
        page.block(&["*.wasm"]).await?;
        page.open("").await?;
        page.wait_for_text("#unloaded", "Its program did not arrive")
            .await?;
        page.block(&[]).await?;
        page.click_text("#unloaded a", "Load the page again")
            .await?;
        page.wait_for_text("#page h1", "Why does a healthy system")
            .await?;
        page.wait_until("it is loaded", "document.querySelector('#unloaded').hidden")
            .await?;
        page.block(&["*.wasm"]).await?;
        page.click("nav a[href^='#/breaker']").await?;
        page.wait_for_text("#unloaded", "Its program did not arrive")
            .await?;
        page.expect_console_errors().await?;
        Ok(())
    });
}

#[test]
fn until_the_program_is_there_the_page_is_readable_and_has_the_storm() {
    for screen in [Screen::Desktop, Screen::SmallPhone] {
        visit(screen, async |page| {
            page.block(&["*.wasm"]).await?;
            page.open("").await?;
            page.wait_for_text("#boot .lead", "Why does a healthy system stay broken")
                .await?;
            page.wait_for_text("#unloaded", "did not arrive").await?;
            let marks: usize = page
                .eval("document.querySelectorAll('#boot svg :is(polyline, polygon, rect)').length")
                .await?;
            ensure!(marks > 50, "the picture has {marks} marks");
            // The colours of the theme in force, as on the page.
            let same: bool = page
                .eval(
                    "(() => {
                        const fresh = document.createElement('span');
                        fresh.style.color = 'var(--fresh)';
                        document.body.append(fresh);
                        const wanted = getComputedStyle(fresh).color;
                        fresh.remove();
                        return [...document.querySelectorAll('#boot svg polyline')]
                            .some(line => getComputedStyle(line).stroke === wanted);
                    })()",
                )
                .await?;
            ensure!(same, "the picture has colours of its own");
            let wide: i64 = page
                .eval("document.documentElement.scrollWidth - window.innerWidth")
                .await?;
            ensure!(wide <= 0, "the page is {wide} pixels too wide");
            page.ensure_accessible().await?;
            page.expect_console_errors().await?;
            Ok(())
        });
    }
}

#[test]
fn without_javascript_the_page_says_what_it_needs() {
    visit(Screen::Desktop, async |page| {
        page.without_scripts().await?;
        page.open("").await?;
        page.wait_for_text("#boot noscript", "needs JavaScript and WebAssembly")
            .await?;
        let loading = page.find("#loading").await?;
        ensure!(!loading.is_displayed().await?, "it says that it is loading");
        Ok(())
    });
}
