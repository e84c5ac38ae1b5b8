//! Scenarios taken elsewhere and brought back: addresses, the history, files.

use browser_tests::{Context, Key, Page, Preference, Result, Screen, ensure, visit};
use serde_json::{Value, json};

const SCREENS: [Screen; 2] = [Screen::Desktop, Screen::Phone];
const VERDICT: &str = ".verdict";
const PLACE: &str = ".doing .place";
const REFUSAL: &str = ".refusal";
const PANEL: &str = "dialog[open]";

/// Opens an address where nothing moves by itself.
async fn open(page: &Page, address: &str) -> Result<()> {
    page.prefer(&[Preference::ReducedMotion]).await?;
    page.open(address).await?;
    page.find("#page h1").await?;
    Ok(())
}

/// Waits until what follows the page's name in the address is `expected`.
async fn wait_for_address(page: &Page, expected: &str) -> Result<()> {
    let waited = page
        .wait_until(
            &format!("the address is {expected}"),
            &format!("location.hash === {}", json!(expected)),
        )
        .await;
    if waited.is_err() {
        let now: String = page.eval("location.hash").await?;
        return waited.with_context(|| format!("it is {now}"));
    }
    Ok(())
}

/// Waits for the time in which a change still counts as part of the one before.
async fn settle(page: &Page) -> Result<()> {
    let now: f64 = page.eval("performance.now()").await?;
    page.wait_until(
        "what is set has settled",
        &format!("performance.now() > {now} + 550"),
    )
    .await
}

async fn go(page: &Page, steps: i32) -> Result<()> {
    page.eval::<Value>(&format!("(history.go({steps}), null)"))
        .await?;
    Ok(())
}

async fn number(page: &Page, name: &str) -> Result<String> {
    page.eval(&format!(
        "document.querySelector('input[type=text][name=\"{name}\"]').value"
    ))
    .await
}

async fn wait_for_number(page: &Page, name: &str, value: &str) -> Result<()> {
    page.wait_until(
        &format!("{name} is {value}"),
        &format!(
            "document.querySelector('input[type=text][name=\"{name}\"]')?.value === '{value}'"
        ),
    )
    .await
}

/// Lets a file of this name and text be dropped on the page.
async fn drop_file(page: &Page, name: &str, text: &str) -> Result<()> {
    page.eval::<Value>(&format!(
        "(() => {{
            const data = new DataTransfer();
            data.items.add(new File([{}], {}, {{ type: 'application/json' }}));
            const place = document.querySelector('h1');
            for (const kind of ['dragenter', 'dragover', 'drop']) {{
                place.dispatchEvent(new DragEvent(kind, {{ bubbles: true, cancelable: true, dataTransfer: data }}));
            }}
        }})()",
        json!(text),
        json!(name)
    ))
    .await?;
    Ok(())
}

#[test]
fn the_address_follows_a_slider_and_opens_the_same_scenario_elsewhere() {
    for screen in SCREENS {
        visit(screen, async |page| {
            open(page, "").await?;
            page.wait_for_text(VERDICT, "From Q0 = 18").await?;
            page.slide("input[type=range][name=S]", 6.0).await?;
            wait_for_address(page, "#/basin?v=1&s=6&amax=2&t=2&q0=18&rounds=40").await?;
            page.slide(".scrub", 25.0).await?;
            wait_for_address(page, "#/basin?v=1&s=6&amax=2&t=2&q0=18&rounds=40&at=12.1").await
        });
        visit(screen, async |page| {
            open(page, "#/basin?v=1&s=6&amax=2&t=2&q0=18&rounds=40&at=12.1").await?;
            page.wait_for_text(VERDICT, "From Q0 = 18: recovers")
                .await?;
            page.wait_for_text(PLACE, "Round 13 of 40").await?;
            let at: String = page.eval("document.querySelector('.scrub').value").await?;
            ensure!(at == "25", "{at}");
            Ok(())
        });
    }
}

#[test]
fn what_the_page_opens_with_has_a_plain_address() {
    visit(Screen::Desktop, async |page| {
        open(page, "#/basin").await?;
        page.slide("input[type=range][name=S]", 4.0).await?;
        wait_for_address(page, "#/basin?v=1&s=4&amax=2&t=2&q0=18&rounds=40").await?;
        page.slide("input[type=range][name=S]", 3.0).await?;
        wait_for_address(page, "#/basin").await
    });
}

#[test]
fn back_and_forward_step_through_scenarios_and_across_pages() {
    for screen in SCREENS {
        visit(screen, async |page| {
            open(page, "#/basin").await?;
            wait_for_number(page, "Q0", "18").await?;
            page.slide("input[type=range][name=Q0]", 5.0).await?;
            wait_for_address(page, "#/basin?v=1&s=3&amax=2&t=2&q0=5&rounds=40").await?;
            settle(page).await?;
            // A slider that is dragged is one step, however many values it passes.
            let before: u32 = page.eval("history.length").await?;
            page.eval::<Value>(
                "(async () => {
                    const slider = document.querySelector('input[type=range][name=Q0]');
                    for (let q0 = 20; q0 <= 30; q0++) {
                        slider.value = q0;
                        slider.dispatchEvent(new Event('input', { bubbles: true }));
                        await new Promise(done => setTimeout(done, 20));
                    }
                })()",
            )
            .await?;
            wait_for_address(page, "#/basin?v=1&s=3&amax=2&t=2&q0=30&rounds=40").await?;
            let after: u32 = page.eval("history.length").await?;
            ensure!(
                after == before + 1,
                "{} entries for one drag",
                after - before
            );

            page.click("nav a[href='#/breaker']").await?;
            page.wait_for_text("h1", "Can two probes").await?;
            go(page, -1).await?;
            wait_for_number(page, "Q0", "30").await?;
            go(page, -1).await?;
            wait_for_number(page, "Q0", "5").await?;
            page.wait_for_text(VERDICT, "From Q0 = 5: recovers").await?;
            go(page, -1).await?;
            wait_for_number(page, "Q0", "18").await?;
            go(page, 1).await?;
            wait_for_number(page, "Q0", "5").await?;
            // Having gone back changes nothing by itself.
            settle(page).await?;
            wait_for_address(page, "#/basin?v=1&s=3&amax=2&t=2&q0=5&rounds=40").await?;
            go(page, 2).await?;
            page.wait_for_text("h1", "Can two probes").await
        });
    }
}

#[test]
fn a_link_within_the_page_is_opened_without_loading_it_anew() {
    visit(Screen::Desktop, async |page| {
        open(page, "#/basin").await?;
        page.eval::<Value>("(window.stays = true, null)").await?;
        page.follow("#/basin?q0=5&at=3").await?;
        page.wait_for_text(VERDICT, "From Q0 = 5").await?;
        page.wait_for_text(PLACE, "Round 3 of 40").await?;
        ensure!(
            page.eval::<bool>("window.stays === true").await?,
            "the page was loaded anew"
        );
        // What is opened stays as it was written.
        settle(page).await?;
        wait_for_address(page, "#/basin?q0=5&at=3").await
    });
}

#[test]
fn moving_through_a_run_makes_no_entries() {
    visit(Screen::Desktop, async |page| {
        open(page, "#/basin").await?;
        page.find(".scrub").await?;
        let before: u32 = page.eval("history.length").await?;
        for position in [10.0, 20.0, 30.0] {
            page.slide(".scrub", position).await?;
            settle(page).await?;
        }
        wait_for_address(page, "#/basin?v=1&s=3&amax=2&t=2&q0=18&rounds=40&at=15").await?;
        let after: u32 = page.eval("history.length").await?;
        ensure!(after == before, "{} entries", after - before);
        Ok(())
    });
}

#[test]
fn a_run_that_is_played_asks_little_of_the_history() {
    visit(Screen::Desktop, async |page| {
        page.open("#/basin?v=1&s=3&amax=2&t=2&q0=18&rounds=40&at=0")
            .await?;
        page.eval::<Value>(
            "(() => {
                window.calls = [];
                for (const kind of ['pushState', 'replaceState']) {
                    const call = history[kind];
                    history[kind] = function (...given) {
                        window.calls.push(performance.now());
                        return call.apply(this, given);
                    };
                }
            })()",
        )
        .await?;
        page.click_text(".player .button", "Play").await?;
        wait_for_address(page, "#/basin").await?;
        let calls: Vec<f64> = page.eval("window.calls").await?;
        let closest = calls
            .windows(2)
            .map(|two| two[1] - two[0])
            .fold(f64::INFINITY, f64::min);
        ensure!(calls.len() > 2, "the address does not follow: {calls:?}");
        // Safari takes a hundred in 30 s.
        ensure!(closest > 300.0, "two calls within {closest} ms");
        Ok(())
    });
}

#[test]
fn the_contracts_page_keeps_its_views_in_the_address() {
    let address = "#/why?v=1&s=3&amax=2&t=2&q0=20&rounds=40&tab=compare&left=fresh-first&right=both&compare.b=2&at=7.1";
    for screen in SCREENS {
        visit(screen, async |page| {
            open(page, address).await?;
            page.wait_for_text("[role=tab][aria-selected=true]", "Compare")
                .await?;
            page.wait_for_text("#compare-title", "Two laws").await?;
            page.find_with_text("th", "budget B = 2 and fresh first")
                .await?;
            page.click_text("[role=tab]", "Contracts").await?;
            page.wait_until(
                "the run is in round 8",
                "document.querySelector('.scrub')?.getAttribute('aria-valuetext').startsWith('Round 8 of 40')",
            )
            .await?;
            wait_for_address(page, &address.replace("&tab=compare", "")).await
        });
    }
}

#[test]
fn a_step_of_a_counterexample_has_an_address() {
    let address = "#/why?v=1&s=3&amax=2&t=2&q0=18&rounds=40&tab=counterexamples&step=3";
    for screen in SCREENS {
        visit(screen, async |page| {
            open(page, address).await?;
            page.wait_for_text(".steps [role=status]", "State 4 of 12")
                .await?;
            page.click_text(".steps button", "Step ›").await?;
            wait_for_address(page, &address.replace("step=3", "step=4")).await?;
            // Another question is answered from its start.
            page.click_text("label", "It comes to Good and stays")
                .await?;
            page.wait_for_text(".steps [role=status]", "State 1 of 3")
                .await?;
            wait_for_address(page, &address.replace("&step=3", "&property=stabilization")).await
        });
    }
}

#[test]
fn the_page_of_two_controllers_keeps_its_systems_in_the_address() {
    for screen in SCREENS {
        visit(screen, async |page| {
            let address =
                "#/ecs?v=1&preset=churn-2&cores=2&seed=7&b.policy=naive,long.most:64&at=12.5";
            open(page, address).await?;
            page.wait_until(
                "the run is at 12.5 s, a position a quarter of a second",
                "document.querySelector('.scrub')?.value === '50'",
            )
            .await?;
            wait_for_number(page, "Seed", "7").await?;
            page.find(".lane[aria-label='System B']").await?;
            settle(page).await?;
            wait_for_address(page, address).await?;
            page.fill("input[type=text][name=Seed]", "8").await?;
            wait_for_address(page, &address.replace("seed=7", "seed=8")).await
        });
    }
}

#[test]
fn what_an_experiment_is_set_to_is_in_the_address() {
    let address = "#/ecs?v=1&preset=naive-overload&experiment=sweep&sweep.class=short&sweep.loads=1,8,20&map.runs=5&sweep.lasts=10";
    for screen in SCREENS {
        visit(screen, async |page| {
            open(page, address).await?;
            page.look_at(".experiments").await?;
            page.wait_for_text(
                ".experiments [role=tab][aria-selected=true]",
                "Load up and down",
            )
            .await?;
            page.wait_until(
                "the loads are those",
                "document.querySelector('.experiment .numbers input').value === '1, 8, 20'",
            )
            .await?;
            wait_for_number(page, "Each load lasts", "10").await?;
            page.fill("input[type=text][name='Each load lasts']", "30")
                .await?;
            wait_for_address(page, &address.replace("&sweep.lasts=10", "")).await?;
            settle(page).await?;
            page.click_text("[role=tab]", "Map of pulses").await?;
            wait_for_number(page, "Runs for each pulse", "5").await?;
            let of_map = address.replace("&experiment=sweep", "");
            wait_for_address(page, &of_map.replace("&sweep.lasts=10", "")).await?;
            page.driver().back().await?;
            wait_for_address(page, &address.replace("&sweep.lasts=10", "")).await
        });
    }
}

#[test]
fn the_breakers_page_keeps_what_was_done_in_the_address() {
    for screen in SCREENS {
        visit(screen, async |page| {
            open(
                page,
                "#/breaker?v=1&callers=3&do=failure:3;trip:1;tick&at=2",
            )
            .await?;
            page.wait_for_text(".place", "Step 2 of 3").await?;
            page.wait_for_text(".act code", "OpenShortCircuit(1)")
                .await?;
            page.click_text(".act code", "OpenTick").await?;
            page.click_text(".act code", "OpenTick").await?;
            wait_for_address(
                page,
                "#/breaker?v=1&callers=3&do=failure:3;trip:1;tick;tick",
            )
            .await?;
            page.click_text(".presets .title", "A breaker that never closes")
                .await?;
            wait_for_address(page, "#/breaker?v=1&callers=3&story=never-closes").await
        });
    }
}

/// What is wrong with an address, and what is said of it; those of the basin page first.
const BAD: [(&str, &str); 12] = [
    ("#/basin?s=0", "s is 0, but must be from 1 to 2147483648"),
    (
        "#/basin?q0=many",
        "q0 is 'many', but must be a whole number",
    ),
    ("#/basin?v=2&q0=5", "v is 2, but must be 1"),
    (
        "#/basin?colour=red",
        "colour is 'red', but must be left out",
    ),
    (
        "#/basin?q0=1&q0=2",
        "q0 is '2', but must be given only once",
    ),
    (
        "#/basin?rounds=9000",
        "rounds is 9000, but must be from 1 to 5000",
    ),
    (
        "#/basin?at=99",
        "at is '99', but must be a round from 0 to 40",
    ),
    ("#/basin?%E0%A4%A=&&==", "but must be left out"),
    (
        "#/why?tab=nothing",
        "tab is 'nothing', but must be one of contracts",
    ),
    (
        "#/ecs?preset=calm",
        "preset is 'calm', but must be one of naive-overload",
    ),
    (
        "#/ecs?duration_s=99999",
        "duration_s is 99999, but must be from 1 to 10000",
    ),
    (
        "#/breaker?do=explode",
        "do is 'explode', but must be actions such as",
    ),
];

#[test]
fn a_bad_address_opens_the_page_and_says_what_was_wrong() {
    visit(Screen::Phone, async |page| {
        for (i, (address, words)) in BAD.into_iter().enumerate() {
            // Each time as if nothing had been open.
            open(page, &format!("?{i}{address}")).await?;
            page.wait_for_text(REFUSAL, words).await?;
            page.wait_for_text(REFUSAL, "The page shows what it opens with.")
                .await?;
            page.find(".controls .number").await?;
        }
        page.ensure_accessible().await?;
        page.click_text(".refusal .button", "Dismiss").await?;
        page.wait_until(
            "the notice is gone",
            "!document.querySelector('.refusal').innerText",
        )
        .await
    });
}

#[test]
fn a_bad_address_leaves_a_page_that_is_open_as_it_is() {
    visit(Screen::Desktop, async |page| {
        open(page, "#/basin?q0=5").await?;
        page.wait_for_text(VERDICT, "From Q0 = 5").await?;
        for (address, words) in &BAD[..8] {
            page.follow(address).await?;
            page.wait_for_text(REFUSAL, words).await?;
            page.wait_for_text(REFUSAL, "still shows what it showed before")
                .await?;
            ensure!(
                number(page, "Q0").await? == "5",
                "{address} changed the page"
            );
        }
        // A good one is opened again, and the notice goes.
        page.follow("#/basin?q0=6").await?;
        page.wait_for_text(VERDICT, "From Q0 = 6").await?;
        page.wait_until(
            "the notice is gone",
            "!document.querySelector('.refusal').innerText",
        )
        .await
    });
}

#[test]
fn a_page_that_there_is_not_is_named() {
    visit(Screen::Desktop, async |page| {
        open(page, "#/nowhere?v=1&s=3").await?;
        page.wait_for_text("h1", "There is no page named “nowhere”")
            .await
    });
}

#[test]
fn the_address_is_copied_from_the_panel() {
    for screen in SCREENS {
        visit(screen, async |page| {
            open(page, "#/basin?q0=5").await?;
            page.wait_for_text(VERDICT, "From Q0 = 5").await?;
            page.eval::<Value>(
                "(navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }, null)",
            )
            .await?;
            page.click_text(".share .button", "Share").await?;
            page.find(PANEL).await?;
            page.find("dialog textarea").await?;
            page.ensure_accessible().await?;
            page.click_text("dialog .button", "Copy the address")
                .await?;
            // Said within the dialog, since the page around it is not heard.
            page.wait_for_text("dialog [role=status]", "Copied").await?;
            let copied: String = page.eval("window.copied").await?;
            ensure!(
                copied.ends_with("/#/basin?v=1&s=3&amax=2&t=2&q0=5&rounds=40"),
                "{copied}"
            );
            let shown: String = page
                .eval("document.querySelector('dialog textarea').value")
                .await?;
            ensure!(shown == copied, "{shown}");
            let (wide, shown): (f64, f64) = page
                .eval("[document.documentElement.scrollWidth, innerWidth]")
                .await?;
            ensure!(wide <= shown, "the page is {wide} wide");
            page.press(Key::Escape).await?;
            page.wait_until(
                "the panel is closed",
                "!document.querySelector('dialog[open]')",
            )
            .await?;
            let focused: String = page.eval("document.activeElement.innerText").await?;
            ensure!(focused == "Share", "the focus is on {focused}");
            Ok(())
        });
    }
}

#[test]
fn a_scenario_is_saved_as_a_file_and_opened_again() {
    for screen in SCREENS {
        visit(screen, async |page| {
            open(page, "#/basin?q0=5&do=10:shock:25&at=12.1").await?;
            page.wait_for_text(VERDICT, "From Q0 = 5").await?;
            page.catch_files().await?;
            page.click_text(".share .button", "Share").await?;
            page.click_text("dialog .button", "Save as a file").await?;
            let file = page.file(1).await?;
            ensure!(file.name == "metastability-basin.json", "{}", file.name);
            let text: Value = serde_json::from_str(&file.text)?;
            ensure!(
                text == json!({
                    "metastability": 1,
                    "page": "basin",
                    "scenario": {
                        "s": 3, "amax": 2, "t": 2, "q0": 5, "rounds": 40, "do": "10:shock:25", "at": 12.1,
                    },
                }),
                "{text}"
            );
            page.press(Key::Escape).await?;

            page.slide("input[type=range][name=Q0]", 30.0).await?;
            page.wait_for_text(VERDICT, "From Q0 = 30").await?;
            settle(page).await?;
            drop_file(page, &file.name, &file.text).await?;
            page.wait_for_text(VERDICT, "From Q0 = 5").await?;
            page.wait_for_text(PLACE, "Round 13 of 40").await?;
            wait_for_address(
                page,
                "#/basin?v=1&s=3&amax=2&t=2&q0=5&rounds=40&do=10:shock:25&at=12.1",
            )
            .await?;
            // It is an entry of its own.
            go(page, -1).await?;
            page.wait_for_text(VERDICT, "From Q0 = 30").await
        });
    }
}

#[test]
fn a_file_of_another_page_is_opened_there_and_can_be_chosen() {
    visit(Screen::Desktop, async |page| {
        open(page, "#/breaker").await?;
        page.click_text(".share .button", "Share").await?;
        page.find("dialog input[type=file]").await?;
        let text = json!({ "metastability": 1, "page": "basin", "scenario": { "q0": 9 } });
        page.eval::<Value>(&format!(
            "(() => {{
                const data = new DataTransfer();
                data.items.add(new File([{}], 'nine.json'));
                const input = document.querySelector('dialog input[type=file]');
                input.files = data.files;
                input.dispatchEvent(new Event('change', {{ bubbles: true }}));
            }})()",
            json!(text.to_string())
        ))
        .await?;
        page.wait_for_text("h1", "Why does a healthy system")
            .await?;
        page.wait_for_text(VERDICT, "From Q0 = 9: orbits").await
    });
}

#[test]
fn a_bad_file_is_refused_in_words_and_nothing_is_lost() {
    visit(Screen::Phone, async |page| {
        open(page, "#/basin?q0=5").await?;
        page.wait_for_text(VERDICT, "From Q0 = 5").await?;
        let large = " ".repeat(65_537);
        for (text, words) in [
            ("hello", "the file is not JSON"),
            ("[1, 2]", "the file is JSON of another kind"),
            (
                r#"{"metastability": 2, "page": "basin", "scenario": {}}"#,
                "metastability is 2, but must be 1",
            ),
            (
                r#"{"metastability": 1, "page": "lake", "scenario": {}}"#,
                "page is 'lake', but must be one of basin, story, why, ecs, breaker",
            ),
            (
                r#"{"metastability": 1, "page": "basin", "scenario": {"s": 0}}"#,
                "s is 0, but must be from 1 to 2147483648",
            ),
            (
                &large,
                "the file is 65537 bytes long, but must be at most 65536",
            ),
        ] {
            drop_file(page, "odd.json", text).await?;
            page.wait_for_text(REFUSAL, words).await?;
            page.wait_for_text(REFUSAL, "The file “odd.json” cannot be opened")
                .await?;
            ensure!(
                number(page, "Q0").await? == "5",
                "{words}: the page changed"
            );
            wait_for_address(page, "#/basin?q0=5").await?;
        }
        Ok(())
    });
}

#[test]
fn copying_that_the_browser_forbids_is_said() {
    visit(Screen::Desktop, async |page| {
        open(page, "#/basin").await?;
        // As on a page that came over an insecure connection.
        page.eval::<Value>(
            "(Object.defineProperty(navigator, 'clipboard', { value: undefined }), null)",
        )
        .await?;
        page.click_text(".share .button", "Share").await?;
        page.click_text("dialog .button", "Copy the address")
            .await?;
        page.wait_for_text("dialog [role=status]", "The browser did not allow copying")
            .await
    });
}

#[test]
fn what_shares_is_loaded_when_it_is_asked_for_and_asked_for_again_where_it_does_not_arrive() {
    visit(Screen::Desktop, async |page| {
        open(page, "#/basin").await?;
        let loaded = "performance.getEntriesByType('resource').some(entry => /\\/share[^/]*$/.test(entry.name))";
        ensure!(
            !page.eval::<bool>(loaded).await?,
            "it is loaded with the page"
        );
        page.block(&["*share*"]).await?;
        page.click_text(".share .button", "Share").await?;
        page.wait_for_text("dialog .field-error", "did not arrive")
            .await?;
        page.ensure_accessible().await?;
        page.block(&[]).await?;
        page.click_text("dialog .button", "Try again").await?;
        page.wait_for_text("dialog section h3", "Its address")
            .await?;
        ensure!(
            page.eval::<bool>(loaded).await?,
            "the test looks for another file"
        );
        page.expect_console_errors().await?;
        Ok(())
    });
}

#[test]
fn saving_says_so_where_what_saves_does_not_arrive() {
    visit(Screen::Desktop, async |page| {
        open(page, "#/basin").await?;
        page.block(&["*share*"]).await?;
        page.click(".figure .take summary").await?;
        page.click_text(".take[open] .button", "CSV").await?;
        page.wait_until(
            "it is said",
            "[...document.querySelectorAll('[role=status]')].some(said => said.innerText.includes('saves did not arrive'))",
        )
        .await?;
        page.expect_console_errors().await?;
        Ok(())
    });
}

#[test]
fn a_page_in_a_frame_leaves_the_history_to_the_page_around_it() {
    visit(Screen::Desktop, async |page| {
        open(page, "#/breaker").await?;
        page.eval::<Value>(
            "(() => {
                const frame = document.createElement('iframe');
                frame.src = './?framed#/basin';
                frame.style = 'width: 60rem; height: 40rem';
                document.querySelector('h1').before(frame);
            })()",
        )
        .await?;
        let slider = "document.querySelector('iframe').contentDocument?.querySelector('input[type=range][name=S]')";
        page.wait_until("the frame has its page", &format!("!!{slider}"))
            .await?;
        let before: u32 = page.eval("history.length").await?;
        page.eval::<Value>(&format!(
            "(() => {{ const slider = {slider}; slider.value = 5; slider.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()"
        ))
        .await?;
        page.wait_until(
            "the frame's address follows",
            "document.querySelector('iframe').contentWindow.location.hash.includes('s=5')",
        )
        .await?;
        let after: u32 = page.eval("history.length").await?;
        ensure!(after == before, "{} entries", after - before);
        Ok(())
    });
}

#[test]
fn a_file_held_over_the_page_is_told_where_it_can_go() {
    visit(Screen::Desktop, async |page| {
        open(page, "#/basin").await?;
        let hold = |kind: &str| {
            format!(
                "(() => {{
                    const data = new DataTransfer();
                    data.items.add(new File(['x'], 'x.json'));
                    document.body.dispatchEvent(new DragEvent('{kind}', {{ bubbles: true, cancelable: true, dataTransfer: data }}));
                }})()"
            )
        };
        page.eval::<Value>(&hold("dragover")).await?;
        page.wait_for_text(".drop-hint", "Drop a scenario file to open it")
            .await?;
        page.eval::<Value>(&hold("dragleave")).await?;
        page.wait_until(
            "the hint is gone",
            "document.querySelector('.drop-hint').hidden",
        )
        .await
    });
}
