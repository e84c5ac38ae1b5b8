//! Two tabs do not disturb each other.

use crate::hosting::{NextVersion, open_at, version, wait_until_kept};
use browser_tests::{Context, Host, Page, Result, Screen, bundle_folder, ensure, visit};
use std::fs;

/// What a tab shows: its address, all that is set on it, and its words.
async fn shown(page: &Page) -> Result<(String, Vec<String>, String)> {
    // Groups of choices are named anew whenever a page is made.
    let set = page
        .eval(
            "[...document.querySelectorAll('main :is(input, select)')]
                .map(field => `${field.type === 'radio' ? '' : field.name} ${field.value} ${field.checked}`)",
        )
        .await?;
    Ok((page.address().await?, set, page.text("main").await?))
}

/// Plays the run from its start.
async fn start_playing(page: &Page) -> Result<()> {
    page.click("[aria-label='Back to the start']").await?;
    page.click_text(".transport .button", "Play").await
}

async fn wait_for_the_end(page: &Page) -> Result<()> {
    page.wait_until(
        "it has played to its end",
        "(scrub => scrub.value === scrub.max)(document.querySelector('.scrub'))",
    )
    .await
}

#[test]
fn what_is_set_and_played_in_one_leaves_the_other_as_it_is() {
    visit(Screen::Desktop, async |page| {
        let driver = page.driver();
        let one = driver.window().await?;
        page.open("#/basin?v=1&q0=18&rounds=20&at=7.1").await?;
        page.wait_for_text(".verdict", "From Q0 = 18: at risk")
            .await?;
        page.wait_until_still().await?;
        let first = shown(page).await?;

        // A window of its own, so that both are seen and neither stands still.
        let other = driver.new_window().await?;
        driver.switch_to_window(other.clone()).await?;
        page.open("#/basin?v=1&q0=5&s=4&rounds=12").await?;
        page.wait_for_text(".verdict", "From Q0 = 5: recovers")
            .await?;
        page.slide("input[type=range][name=S]", 6.0).await?;
        start_playing(page).await?;
        wait_for_the_end(page).await?;
        page.wait_until_still().await?;
        let second = shown(page).await?;
        ensure!(second.0.contains("s=6"), "{}", second.0);

        driver.switch_to_window(one.clone()).await?;
        let now = shown(page).await?;
        ensure!(now == first, "the first tab was {first:?} and is {now:?}");
        // Both at once, one of them with another page's program.
        start_playing(page).await?;
        driver.switch_to_window(other.clone()).await?;
        page.click("nav a[href^='#/ecs']").await?;
        page.wait_for_text("h1", "Why do two sensible controllers")
            .await?;
        driver.switch_to_window(one.clone()).await?;
        wait_for_the_end(page).await?;
        page.wait_for_text(".verdict", "From Q0 = 18: at risk")
            .await?;
        let address = page.address().await?;
        ensure!(address.contains("q0=18"), "{address}");

        driver.switch_to_window(other).await?;
        driver.back().await?;
        page.wait_for_text(".verdict", "From Q0 = 5: recovers")
            .await?;
        page.wait_until_still().await?;
        let now = shown(page).await?;
        ensure!(
            now == second,
            "the second tab was {second:?} and is {now:?}"
        );
        // The first one's history is its own, too.
        driver.close_window().await?;
        driver.switch_to_window(one).await?;
        page.wait_for_text(".verdict", "From Q0 = 18: at risk")
            .await
    });
}

#[test]
fn the_colours_chosen_in_one_are_the_others_and_change_nothing_else_there() {
    visit(Screen::Desktop, async |page| {
        let driver = page.driver();
        let one = driver.window().await?;
        page.open("#/basin?v=1&q0=9").await?;
        page.wait_for_text(".verdict", "orbits").await?;
        page.wait_until_still().await?;
        let first = shown(page).await?;
        let light = page.pixels(".storm canvas").await?;

        let other = driver.new_window().await?;
        driver.switch_to_window(other).await?;
        page.open("#/breaker").await?;
        page.click_text(".theme label", "Dark").await?;
        page.wait_until(
            "it is dark",
            "document.documentElement.dataset.theme === 'dark'",
        )
        .await?;

        driver.switch_to_window(one).await?;
        page.wait_until(
            "this one is dark too, and says so",
            "document.documentElement.dataset.theme === 'dark'
                && document.querySelector('.theme input:checked').labels[0].innerText.trim() === 'Dark'",
        )
        .await?;
        page.wait_until_still().await?;
        ensure!(shown(page).await? == first, "more than colours has changed");
        let dark = page.pixels(".storm canvas").await?;
        ensure!(dark.colours != light.colours, "its figures are not");
        Ok(())
    });
}

#[test]
fn a_tab_of_the_old_version_stays_whole_beside_one_of_the_new() {
    visit(Screen::Desktop, async |page| {
        let bundle = bundle_folder()?;
        let served = NextVersion::new(&bundle, "00000000000000dd")?;
        let folder = served.folder();
        let host = Host::start(folder)?;
        let driver = page.driver();
        let old = driver.window().await?;
        open_at(page, &host.address("#/basin?v=1&q0=9")).await?;
        page.wait_for_text(".verdict", "orbits").await?;
        wait_until_kept(page, "00000000000000dd").await?;

        // The host gets a version with another program of two controllers, and loses the old one's.
        let html = fs::read_to_string(folder.join("index.html"))?;
        let (_, named) = html
            .split_once("data-page=\"ecs\"")
            .and_then(|(_, program)| program.split_once("./ecs-"))
            .context("it names the program")?;
        let (old_name, new_name) = (format!("ecs-{}", &named[..16]), "ecs-00000000000000ee");
        for entry in fs::read_dir(folder)? {
            let from = entry?.path();
            let name = from.file_name().unwrap_or_default().to_string_lossy();
            let to = folder.join(name.replace(&old_name, new_name));
            if name.ends_with(".html") || name.ends_with(".js") {
                let text = fs::read_to_string(&from)?
                    .replace(&old_name, new_name)
                    .replace("00000000000000dd", "00000000000000ee");
                // Not into the bundle's own file.
                fs::remove_file(&from)?;
                fs::write(to, text)?;
            } else if to != from {
                fs::rename(&from, to)?;
            }
        }
        ensure!(version(folder) == "00000000000000ee", "it is the old one");

        let new = driver.new_window().await?;
        driver.switch_to_window(new.clone()).await?;
        open_at(page, &host.address("#/ecs")).await?;
        page.wait_until(
            "the new version's program has simulated",
            &format!(
                "document.querySelector('.outcome strong')
                    && document.querySelector('meta[data-page=ecs]').content.includes('{new_name}')"
            ),
        )
        .await?;
        page.wait_until(
            "the new version waits for the old one's tab",
            "navigator.serviceWorker.ready.then(kept => kept.waiting?.state === 'installed')",
        )
        .await?;

        driver.switch_to_window(old).await?;
        page.wait_for_text(".verdict", "orbits").await?;
        page.click("nav a[href^='#/ecs']").await?;
        page.wait_until(
            "the old version's program has simulated",
            &format!(
                "document.querySelector('.outcome strong')
                    && document.querySelector('meta[data-page=ecs]').content.includes('{old_name}')"
            ),
        )
        .await
    });
}
