//! A worker that breaks: the page says so, keeps what it shows, and a fresh one answers what is asked next.

use browser_tests::{Context, Host, Page, Result, Screen, bundle_folder, ensure, visit};
use std::fs;
use std::path::PathBuf;

use crate::hosting::NextVersion;
use crate::{ecs, story};

/// Has the requests whose numbers are in `breaks` arrive garbled, which the worker meets with a panic.
const GARBLE: &str = "
    window.breaks = [];
    window.requests = 0;
    window.workers = 0;
    window.Worker = class extends Worker {
        constructor(...given) {
            super(...given);
            window.workers += 1;
        }
        postMessage(...given) {
            if (window.breaks.includes(window.requests++)) super.postMessage(new Uint8Array([250, 250, 250]));
            else super.postMessage(...given);
        }
    };
";

/// What says that work broke off, and offers to do it again.
const BROKEN: &str = "main .broken[role=alert]";

/// Has the requests of these numbers, counted from now on, break the worker that gets them.
async fn arm(page: &Page, breaks: &[u32]) -> Result<()> {
    page.eval::<bool>(&format!(
        "(window.requests = 0, window.breaks = {breaks:?}, true)"
    ))
    .await
    .map(drop)
}

/// What the reader has set, field by field.
async fn settings(page: &Page) -> Result<Vec<String>> {
    page.eval(
        "[...document.querySelectorAll('main :is(input, select)')].map(field =>
            `${field.name} ${['radio', 'checkbox'].includes(field.type) ? field.checked : field.value}`)",
    )
    .await
}

/// Waits for the words that the worker broke, and has it done again. Neither the settings nor the address change by it,
/// nor what `kept` shows.
async fn break_and_try_again(page: &Page, kept: &str, answer: (&str, &str)) -> Result<()> {
    page.wait_for_text(BROKEN, "met an error, and another takes its place")
        .await?;
    page.wait_for_text(BROKEN, "what was found is kept").await?;
    page.ensure_accessible().await?;
    let shown = page.text(kept).await?;
    let (address, set) = (page.address().await?, settings(page).await?);
    let workers: u32 = page.eval("window.workers").await?;
    page.click_text(&format!("{BROKEN} button"), "Try again")
        .await?;
    page.wait_for_text(answer.0, answer.1).await?;
    page.wait_until(
        "nothing is broken any more",
        &format!("!document.querySelector({BROKEN:?})"),
    )
    .await?;
    ensure!(page.text(kept).await? == shown, "{kept} has changed");
    ensure!(page.address().await? == address, "the address has changed");
    ensure!(settings(page).await? == set, "the settings have changed");
    let fresh: u32 = page.eval("window.workers").await?;
    ensure!(fresh > workers, "no fresh worker was started");
    // The panics are in the console, as they should be.
    let told = page.expect_console_errors().await?;
    ensure!(
        told.iter().any(|line| line.contains("panicked at")),
        "nothing panicked: {told:?}"
    );
    Ok(())
}

#[test]
fn the_study_of_a_large_map_breaks_and_goes_on() {
    visit(Screen::Desktop, async |page| {
        page.run_first(GARBLE).await?;
        page.open("#/basin").await?;
        page.wait_for_text(".verdict", "at risk").await?;
        arm(page, &[0]).await?;
        page.follow("#/basin?v=1&q0=600&map=900&at=7.1").await?;
        break_and_try_again(page, ".doing .step", (".verdict", "From Q0 = 600: doomed")).await
    });
}

#[test]
fn retry_laws_break_and_are_compared() {
    visit(Screen::Phone, async |page| {
        page.run_first(GARBLE).await?;
        page.open("#/breaker").await?;
        arm(page, &[0]).await?;
        page.look_at(".laws h2").await?;
        page.look_at(".law-answer").await?;
        break_and_try_again(page, ".place", (".laws table", "Budget of 0 a round")).await
    });
}

#[test]
fn a_counterexample_breaks_and_is_found() {
    visit(Screen::Desktop, async |page| {
        page.run_first(GARBLE).await?;
        page.open("#/why?v=1&tab=counterexamples").await?;
        let found = "[data-point=counterexample]";
        page.wait_for_text(found, "12 states break").await?;
        arm(page, &[0]).await?;
        page.click_text("label", "It comes to Good and stays")
            .await?;
        break_and_try_again(page, "h1", (found, "A climb of 3 states")).await
    });
}

#[test]
fn clients_break_and_are_judged_and_no_old_verdict_is_shown_meanwhile() {
    visit(Screen::Desktop, async |page| {
        page.run_first(GARBLE).await?;
        page.open("#/why?v=1&tab=clients&clients.n=1").await?;
        page.wait_for_text("[data-point=clients]", "Recovers")
            .await?;
        arm(page, &[0]).await?;
        page.fill(".settings .number input[type=text]", "2").await?;
        page.wait_for_text(BROKEN, "broke off").await?;
        let said = page.text("[data-point=clients]").await?;
        ensure!(said.trim().is_empty(), "of other clients: {said}");
        break_and_try_again(page, "[data-point=line]", ("[data-point=clients]", ".")).await
    });
}

#[test]
fn one_of_the_workers_that_share_a_map_breaks_and_the_map_is_made_whole() {
    visit(Screen::Desktop, async |page| {
        page.run_first(GARBLE).await?;
        page.open("#/why?v=1&tab=maps&x=q0:0..20&y=b:0..8").await?;
        let progress = "[data-point=progress]";
        page.wait_for_text(progress, "189 cells known").await?;
        let cores: u32 = page
            .eval("Math.min(navigator.hardwareConcurrency, 8)")
            .await?;
        // The last of them.
        arm(page, &[cores - 1]).await?;
        page.click_text(".presets .title", "A wasteful server")
            .await?;
        break_and_try_again(
            page,
            ".presets",
            (progress, "189 cells known, 189 of them judged"),
        )
        .await
    });
}

#[test]
fn a_simulation_breaks_and_the_runs_are_kept() {
    visit(Screen::Desktop, async |page| {
        page.run_first(GARBLE).await?;
        ecs::open_and_run(page).await?;
        let before = ecs::score(page, 0).await?;
        arm(page, &[0, 1]).await?;
        page.click_text(".button", "New seed").await?;
        page.wait_until(
            "both are told",
            &format!("document.querySelectorAll({BROKEN:?}).length === 2"),
        )
        .await?;
        ensure!(ecs::score(page, 0).await? == before, "the run is gone");
        // Both are simulated anew by one press.
        page.click_text(&format!("{BROKEN} button"), "Try again")
            .await?;
        ecs::run(page).await?;
        ensure!(
            ecs::score(page, 0).await? != before,
            "the new seed was not simulated"
        );
        page.expect_console_errors().await?;
        Ok(())
    });
}

#[test]
fn an_experiment_breaks_and_is_done() {
    visit(Screen::Desktop, async |page| {
        page.run_first(GARBLE).await?;
        ecs::open_and_run(page).await?;
        page.click_text("[role=tab]", "A clock for each request")
            .await?;
        arm(page, &[0]).await?;
        page.click_text(".button", "Run both models").await?;
        break_and_try_again(page, ".score", ("[data-per-request]", "of 20 runs climb")).await
    });
}

#[test]
fn simulations_of_the_story_break_and_are_done() {
    visit(Screen::Desktop, async |page| {
        page.run_first(GARBLE).await?;
        page.open("#/story").await?;
        arm(page, &[0, 1, 2, 3, 4, 5, 6, 7]).await?;
        let chapters = [
            ("metric", "Metric"),
            ("escalation", "Escalation"),
            ("admission", "Admission"),
        ];
        for (step, question) in chapters {
            page.look_at(&format!("[data-question={question}]")).await?;
            let broken = format!("[data-step={step}] .broken[role=alert]");
            page.wait_for_text(&broken, "another takes its place")
                .await?;
        }
        arm(page, &[]).await?;
        for (step, question) in chapters {
            page.click_text(&format!("[data-step={step}] .broken button"), "Try again")
                .await?;
            page.click_text(
                &format!("[data-question={question}] .buttons button"),
                "Show me",
            )
            .await?;
            story::found_out(page, question).await?;
        }
        page.expect_console_errors().await?;
        Ok(())
    });
}

/// A copy of the bundle whose worker's script can be another.
struct OtherWorker {
    copy: NextVersion,
    script: PathBuf,
    whole: String,
}

impl OtherWorker {
    fn new(number: &str) -> Result<Self> {
        let copy = NextVersion::new(&bundle_folder()?, number)?;
        let script = fs::read_dir(copy.folder())?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .find(|file| file.to_string_lossy().ends_with("_loader.js"))
            .context("the worker has no loader")?;
        let whole = fs::read_to_string(&script)?;
        Ok(Self {
            copy,
            script,
            whole,
        })
    }

    /// Puts `text` in the script's place, or takes the script away.
    fn set(&self, text: Option<&str>) -> Result<()> {
        // It may be the bundle's own file, so it is not written into.
        fs::remove_file(&self.script)?;
        text.map_or(Ok(()), |text| Ok(fs::write(&self.script, text)?))
    }
}

/// Studies what takes a worker whose script is `text`, or is missing, which is told as `told` says; and again once the
/// script is as it should be.
fn fail_and_mend(number: &str, text: Option<&str>, told: &str) {
    visit(Screen::Desktop, async |page| {
        let worker = OtherWorker::new(number)?;
        let script = text.map(|text| format!("{text}\n{}", worker.whole));
        worker.set(script.as_deref())?;
        let host = Host::start(worker.copy.folder())?;
        page.run_first(
            "Object.defineProperty(navigator, 'serviceWorker', { value: undefined });
            window.Worker = class extends Worker {
                constructor(address, ...given) {
                    super(`${address}?${window.fresh ?? ''}`, ...given);
                }
            };",
        )
        .await?;
        page.driver().goto(host.address("#/basin")).await?;
        page.wait_for_text(".verdict", "at risk").await?;
        page.follow("#/basin?v=1&q0=600&map=900").await?;
        page.wait_for_text(BROKEN, told).await?;
        if script.is_some() {
            worker.set(Some(&worker.whole))?;
        } else {
            fs::write(&worker.script, &worker.whole)?;
        }
        // Not the one that the browser has.
        page.eval::<String>("window.fresh = 'fresh'").await?;
        page.click_text(&format!("{BROKEN} button"), "Try again")
            .await?;
        page.wait_for_text(".verdict", "From Q0 = 600: doomed")
            .await?;
        page.expect_console_errors().await?;
        Ok(())
    });
}

#[test]
fn a_worker_that_dies_without_a_word_of_its_own_is_told_too() {
    let dies = "addEventListener('message', () => { throw new RangeError('Out of memory'); });";
    fail_and_mend("00000000000000c1", Some(dies), "Out of memory");
}

#[test]
fn a_worker_whose_script_does_not_arrive_is_told_and_asked_for_again() {
    fail_and_mend("00000000000000c2", None, "could not be loaded");
}
