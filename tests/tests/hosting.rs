//! The bundle on a static host: below any path, under its own policy, asking nobody else.

use browser_tests::{Page, Result, Screen, visit};

/// Opens the front page and waits until the program behind it runs.
async fn open_front(page: &Page) -> Result<()> {
    page.open("").await?;
    page.find("main h1").await?;
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
