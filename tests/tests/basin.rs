//! The basin page, as its reader meets it.

use browser_tests::{Key, Page, Preference, Result, Screen, ensure, visit};

/// Colours of the light theme, as `style/theme.css` gives them.
const FRESH: &str = "#00736b";
const DUPLICATE: &str = "#b3246b";
const RECOVERS: &str = "#2f6fb0";
const DOOMED: &str = "#5d1a3f";

const MAP: &str = ".map";
const MAP_CANVAS: &str = ".map canvas";
const STORM: &str = ".storm";
const STORM_CANVAS: &str = ".storm canvas";
const VERDICT: &str = ".verdict";
const DOING: &str = ".doing";
const PLACE: &str = ".doing .place";

/// Opens the page in light colours, as a reader who has never been there finds it.
async fn open(page: &Page) -> Result<()> {
    page.prefer(&[Preference::Light]).await?;
    page.open("").await?;
    page.wait_for_text(VERDICT, "From Q0 = 18: at risk").await?;
    page.look_at(STORM_CANVAS).await?;
    page.wait_until(
        "the storm is drawn",
        "document.querySelector('.storm canvas')?.width > 300",
    )
    .await
}

/// Picks an experiment by its name, and stops at the end of its run.
async fn pick(page: &Page, name: &str) -> Result<()> {
    page.click_text(".presets .title", name).await?;
    to_the_end(page).await
}

/// Has the player show so many turns a second.
async fn choose_speed(page: &Page, turns: f64) -> Result<()> {
    let choice = format!(
        "(s => (s.value = '{turns}', s.dispatchEvent(new Event('change', {{ bubbles: true }}))))(document.querySelector('.speed select'))"
    );
    page.eval::<bool>(&choice).await?;
    Ok(())
}

async fn to_the_end(page: &Page) -> Result<()> {
    focus(page, ".scrub").await?;
    page.press(Key::End).await
}

async fn focus(page: &Page, css: &str) -> Result<()> {
    page.eval::<serde_json::Value>(&format!("document.querySelector({css:?}).focus()"))
        .await?;
    Ok(())
}

/// Where along the map's width the cell of `q0` is, on the map that the page opens with.
async fn share_of(page: &Page, q0: u32) -> Result<f64> {
    let width: f64 = page
        .eval("document.querySelector('.map').getBoundingClientRect().width")
        .await?;
    Ok((16.0 + (f64::from(q0) + 0.5) / 61.0 * (width - 32.0)) / width)
}

async fn value(page: &Page, name: &str) -> Result<String> {
    page.eval(&format!(
        "document.querySelector('input[type=text][name={name}]').value"
    ))
    .await
}

#[test]
fn the_storm_is_told_in_words_and_drawn() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        page.wait_for_text(VERDICT, "into the trap, which no run leaves")
            .await?;
        page.wait_for_text(DOING, "Round 40 of 40").await?;
        page.wait_for_text(DOING, "Trapped. With 731 duplicates to 88 fresh requests")
            .await?;
        let storm = page.pixels(STORM_CANVAS).await?;
        ensure!(storm.count(FRESH) > 500, "the fresh queue is not drawn");
        ensure!(storm.count(DUPLICATE) > 5_000, "the retries are not drawn");
        Ok(())
    });
}

#[test]
fn the_essays_word_is_given_where_it_differs() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        page.wait_for_text(VERDICT, "The essay calls this “doomed”")
            .await?;
        page.fill("input[type=text][name=Q0]", "7").await?;
        page.wait_for_text(VERDICT, "From Q0 = 7: recovers").await?;
        page.wait_for_text(VERDICT, "The essay puts 7 in its middle band")
            .await
    });
}

#[test]
fn inside_the_basin_nothing_is_wasted() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        pick(page, "Inside the basin").await?;
        page.wait_for_text(VERDICT, "From Q0 = 5: recovers").await?;
        page.wait_for_text(DOING, "Inside the basin.").await?;
        let storm = page.pixels(STORM_CANVAS).await?;
        ensure!(storm.count(FRESH) > 5_000, "the answers are not drawn");
        // All that is left of its colour is the line of an empty queue.
        ensure!(
            storm.count(DUPLICATE) < 4_000,
            "retries are drawn where none is sent"
        );
        Ok(())
    });
}

#[test]
fn the_middle_band_orbits() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        pick(page, "The middle band").await?;
        page.wait_for_text(VERDICT, "From Q0 = 9: orbits").await?;
        page.wait_for_text(DOING, "Orbiting. It neither drains nor explodes")
            .await
    });
}

#[test]
fn a_slider_moves_the_basin() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        let before = page.pixels(MAP_CANVAS).await?;
        page.slide("input[type=range][name=S]", 6.0).await?;
        page.wait_for_text(VERDICT, "From Q0 = 18: recovers")
            .await?;
        ensure!(
            value(page, "S").await? == "6",
            "the field does not follow its slider"
        );
        let after = page.pixels(MAP_CANVAS).await?;
        ensure!(
            after.count(RECOVERS) > before.count(RECOVERS) + 2_000,
            "the basin has not grown: {} to {}",
            before.count(RECOVERS),
            after.count(RECOVERS)
        );
        ensure!(
            after.count(DOOMED) < before.count(DOOMED),
            "no fewer starts are doomed"
        );
        Ok(())
    });
}

#[test]
fn a_refused_number_is_explained_at_its_field_and_nothing_is_lost() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        page.fill("input[type=text][name=S]", "0").await?;
        page.wait_for_text(
            ".field-error",
            "S is “0”, but must be a whole number from 1 to 2147483648",
        )
        .await?;
        page.wait_for_text(VERDICT, "From Q0 = 18: at risk").await?;
        ensure!(value(page, "S").await? == "0", "what was typed is lost");
        page.fill("input[type=text][name=S]", "4").await?;
        page.wait_until(
            "the error is gone",
            "![...document.querySelectorAll('.number .field-error')].length",
        )
        .await
    });
}

#[test]
fn fixes_empty_the_trap() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        page.fill("input[type=text][name=Q0]", "30").await?;
        page.wait_for_text(VERDICT, "From Q0 = 30: doomed").await?;

        page.click_text(".toggle label", "Retry budget").await?;
        page.wait_for_text(VERDICT, "From Q0 = 30: recovers")
            .await?;
        page.slide(".scrub", 20.0).await?;
        page.wait_for_text(DOING, "at most 2 a round can come in")
            .await?;
        ensure!(
            page.pixels(MAP_CANVAS).await?.count(DOOMED) == 0,
            "some starts are still doomed"
        );

        // The inequality AMax + B < S is strict.
        page.slide("input[type=range][name=B]", 1.0).await?;
        page.wait_until(
            "B = 1 makes no such promise",
            "document.querySelector('.verdict').innerText.includes('From Q0 = 30:') \
             && !document.querySelector('.verdict').innerText.includes('recovers')",
        )
        .await?;
        page.click_text(".toggle label", "Retry budget").await?;
        page.wait_for_text(VERDICT, "From Q0 = 30: doomed").await?;

        page.click_text(".toggle label", "Fresh first").await?;
        page.wait_for_text(VERDICT, "From Q0 = 30: recovers")
            .await?;
        page.click_text(".toggle label", "Fresh first").await?;

        page.fill("input[type=text][name=Q0]", "20").await?;
        page.wait_for_text(VERDICT, "From Q0 = 20: at risk").await?;
        page.click_text(".toggle label", "Quiet").await?;
        page.wait_for_text(VERDICT, "From Q0 = 20: recovers")
            .await?;
        page.fill("input[type=text][name=Q0]", "21").await?;
        page.wait_for_text(VERDICT, "From Q0 = 21: doomed").await
    });
}

#[test]
fn the_map_is_read_by_pointing_and_pressed_to_start_a_run() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        page.hover_at(MAP, share_of(page, 8).await?, 0.5).await?;
        page.wait_for_text(VERDICT, "From Q0 = 8: orbits").await?;
        ensure!(
            value(page, "Q0").await? == "18",
            "pointing alone changed the start"
        );
        page.click_at(MAP, share_of(page, 25).await?, 0.5).await?;
        page.wait_for_text(VERDICT, "From Q0 = 25: doomed").await?;
        ensure!(
            value(page, "Q0").await? == "25",
            "the start is not the one that was pressed"
        );
        page.wait_for_text(".transport .primary", "Pause").await?;
        // Its rounds pass quickly: a given one may be gone before it is seen.
        page.wait_until(
            "the run is past its first round",
            "parseInt(/Round (\\d+)/.exec(document.querySelector('.doing .place').textContent)?.[1]) >= 2",
        )
        .await
    });
}

#[test]
fn the_map_is_read_by_keyboard() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        focus(page, MAP).await?;
        page.press(Key::Right).await?;
        page.press(Key::Right).await?;
        page.press(Key::Right).await?;
        page.wait_until(
            "the map says what is pointed at",
            "document.querySelector('.map').ariaValueText === 'Q0 = 21: doomed'",
        )
        .await?;
        page.press(Key::Home).await?;
        page.wait_for_text(VERDICT, "From Q0 = 0: recovers").await?;
        page.press(Key::Right).await?;
        page.press(Key::Enter).await?;
        page.wait_until(
            "a run from Q0 = 1 is set",
            "document.querySelector('input[type=text][name=Q0]').value === '1'",
        )
        .await
    });
}

#[test]
fn a_run_is_played_paused_stepped_scrubbed_and_reset() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        page.click("[aria-label='Back to the start']").await?;
        page.wait_for_text(PLACE, "The start, before round 1 of 40")
            .await?;
        page.wait_for_text(DOING, "18 fresh requests are queued, none answered yet.")
            .await?;
        page.click("[aria-label='One turn forward']").await?;
        page.wait_for_text(
            DOING,
            "The retrier sends 6 retries on top of 2 new requests",
        )
        .await?;
        page.click("[aria-label='One round forward']").await?;
        page.wait_for_text(PLACE, "Round 1 of 40, the retrier moves next")
            .await?;
        page.click("[aria-label='One round forward']").await?;
        page.click("[aria-label='One turn back']").await?;
        page.wait_for_text(PLACE, "Round 2 of 40, the server moves next")
            .await?;
        page.slide(".scrub", 20.0).await?;
        page.wait_for_text(PLACE, "Round 10 of 40").await?;

        choose_speed(page, 60.0).await?;
        page.click_text(".transport .primary", "Play").await?;
        page.wait_for_text(PLACE, "Round 40 of 40").await?;
        page.wait_for_text(".transport .primary", "Play").await
    });
}

#[test]
fn the_player_is_driven_by_keyboard_and_speaks() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        focus(page, ".scrub").await?;
        page.press(Key::Home).await?;
        page.wait_for_text(PLACE, "The start").await?;
        page.press(Key::Right).await?;
        page.wait_for_text(PLACE, "Round 1 of 40, the server moves next")
            .await?;
        page.wait_until(
            "the step is announced",
            "document.querySelector('[role=status]').innerText.includes('The retrier sends 6 retries')",
        )
        .await?;
        page.press(Key::Left).await?;
        page.wait_for_text(PLACE, "The start").await?;
        choose_speed(page, 2.0).await?;
        page.press(" ").await?;
        page.wait_for_text(".transport .primary", "Pause").await?;
        page.press(" ").await?;
        page.wait_for_text(".transport .primary", "Play").await
    });
}

#[test]
fn the_playhead_moves_without_redrawing_the_plots() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        let still = page.pixels(STORM_CANVAS).await?;
        let over = page.pixels(".storm .over:last-child canvas").await?;
        page.click_at(STORM, 0.5, 0.5).await?;
        page.wait_for_text(PLACE, "Round 19 of 40").await?;
        ensure!(
            page.pixels(STORM_CANVAS).await? == still,
            "the plots were redrawn"
        );
        ensure!(
            page.pixels(".storm .over:last-child canvas").await? != over,
            "the playhead did not move"
        );
        Ok(())
    });
}

#[test]
fn three_acts_are_played_and_a_fix_is_scheduled() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        pick(page, "Three acts").await?;
        page.wait_for_text(VERDICT, "From Q0 = 2: recovers").await?;
        page.wait_for_text(
            VERDICT,
            "changes that are scheduled in mid-run are left out",
        )
        .await?;
        page.wait_until(
            "the storm outlives its shock",
            "/Lost|Trapped/.test(document.querySelector('.doing').innerText)",
        )
        .await?;
        page.click_text("button", "Add a shock or a fix").await?;
        page.eval::<serde_json::Value>(
            "(s => (s.value = '1', s.dispatchEvent(new Event('change', { bubbles: true }))))(document.querySelectorAll('.change select')[1])",
        )
        .await?;
        page.wait_for_text(DOING, "Draining.").await?;
        page.wait_for_text(DOING, "at most 2 a round can come in")
            .await?;
        page.fill(".change:last-of-type input", "99").await?;
        page.wait_until(
            "a round after the end is refused by name",
            "[...document.querySelectorAll('.change .field-error')].some(e => e.innerText.includes('event round is 99, but must be from 1 to 60'))",
        )
        .await
    });
}

#[test]
fn arrivals_are_chosen_and_a_list_is_checked() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        page.click_text(".segmented label", "None").await?;
        page.wait_for_text(DOING, "Inside the basin.").await?;
        page.wait_for_text(VERDICT, "From Q0 = 18: at risk").await?;
        page.click_text(".segmented label", "Random").await?;
        page.fill("input[type=text][name=Seed]", "7").await?;
        page.click_text(".segmented label", "List").await?;
        page.fill(".list textarea", "0,1,9").await?;
        page.wait_for_text(
            ".list .field-error",
            "arrivals[2] is 9, but must be from 0 to 2",
        )
        .await?;
        page.fill(".list textarea", "0,1,2").await?;
        page.wait_for_text(PLACE, "Round 3 of 3").await
    });
}

#[test]
fn the_proof_is_shown_and_copied() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        page.wait_for_text(
            ".claims",
            "With 2 arrivals in every round, it climbs without bound.",
        )
        .await?;
        page.wait_for_text(
            ".claims",
            "At round 17 it is inside, with qf = 42 and qd = 133",
        )
        .await?;
        page.eval::<serde_json::Value>(
            "navigator.clipboard.writeText = text => (window.copied = text, Promise.resolve())",
        )
        .await?;
        page.click_text(".proof button", "Copy the proof").await?;
        page.wait_until(
            "the proof is copied",
            "window.copied?.startsWith('S = 3, AMax = 2, T = 2; start qf = p = 18, qd = 0.\\nVerdict: at risk.')",
        )
        .await?;
        page.wait_for_text(".proof button", "Copied").await
    });
}

#[test]
fn a_figures_numbers_are_had_as_a_table() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        page.click_text(
            ".stage > .figure button, .now + .figure button",
            "Show as a table",
        )
        .await?;
        page.wait_for_text("table", "at risk").await?;
        let rows = page.texts("tbody tr").await?;
        ensure!(
            rows.len() == 4,
            "the map has four bands, the table {rows:?}"
        );
        Ok(())
    });
}

#[test]
fn large_work_shows_progress_leaves_the_page_free_and_can_be_cancelled() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        // Under a law with a memory every start is explored by itself, on a long map.
        page.click_text(".segmented label", "Token bucket").await?;
        page.fill("input[name='Length of the map'][type=text]", "1000000")
            .await?;
        page.find("progress").await?;
        // The page answers while the worker works.
        page.click("[aria-label='Back to the start']").await?;
        page.wait_for_text(PLACE, "The start").await?;
        page.click_text(".progress button", "Cancel").await?;
        page.wait_for_text(".progress", "Stopped before all was worked out.")
            .await?;
        pick(page, "The storm").await?;
        page.fill("input[name='Length of the map'][type=text]", "60")
            .await?;
        page.wait_for_text(VERDICT, "From Q0 = 18: at risk").await
    });
}

#[test]
fn a_large_map_is_worked_out_in_the_worker() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        page.fill("input[name='Length of the map'][type=text]", "2000")
            .await?;
        page.wait_until("the work is done", "!document.querySelector('.progress')")
            .await?;
        page.click_text(".stage > .figure button", "Show as a table")
            .await?;
        page.wait_for_text("table", "2,000").await?;
        page.wait_for_text(VERDICT, "From Q0 = 18: at risk").await
    });
}

#[test]
fn verdicts_are_told_apart_without_colour() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        let letters = page.texts(".legend .swatch").await?;
        ensure!(
            letters == ["R", "O", "A", "D"],
            "the legend's letters are {letters:?}"
        );
        let patterns: Vec<String> = page
            .eval("[...document.querySelectorAll('.legend .swatch')].map(s => getComputedStyle(s).backgroundImage)")
            .await?;
        for (i, pattern) in patterns.iter().enumerate() {
            ensure!(
                !patterns[i + 1..].contains(pattern),
                "two verdicts share a pattern: {pattern}"
            );
        }
        Ok(())
    });
}

#[test]
fn canvases_are_crisp_and_follow_the_window() {
    visit(Screen::Phone, async |page| {
        open(page).await?;
        let crisp = "[...document.querySelectorAll('.storm canvas')].every(c => \
            Math.abs(c.width - c.clientWidth * devicePixelRatio) <= 1 && \
            Math.abs(c.height - c.clientHeight * devicePixelRatio) <= 1)";
        page.wait_until("every canvas has a pixel a device pixel", crisp)
            .await?;
        let before: u32 = page
            .eval("document.querySelector('.storm canvas').width")
            .await?;
        page.resize(700, 812).await?;
        page.wait_until(
            "the canvas grows with the window",
            &format!("document.querySelector('.storm canvas').width > {before} + 300"),
        )
        .await?;
        page.look_at(STORM_CANVAS).await?;
        page.wait_until("it is crisp still", crisp).await
    });
}

#[test]
fn it_fits_the_smallest_phone() {
    visit(Screen::SmallPhone, async |page| {
        open(page).await?;
        let (wide, room): (f64, f64) = page
            .eval("[document.documentElement.scrollWidth, innerWidth]")
            .await?;
        ensure!(
            wide <= room,
            "the page is {wide} wide on a screen of {room}"
        );
        page.click("[aria-label='Back to the start']").await?;
        page.click("[aria-label='One round forward']").await?;
        page.wait_for_text(PLACE, "Round 1 of 40").await
    });
}

#[test]
fn the_theme_is_the_readers_and_is_kept() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        let light = page.pixels(STORM_CANVAS).await?;
        page.click_text(".theme label", "Dark").await?;
        page.wait_until(
            "the page is dark",
            "document.documentElement.dataset.theme === 'dark'",
        )
        .await?;
        let dark = page.pixels(STORM_CANVAS).await?;
        ensure!(
            dark.count("#45cfbd") > 500 && light.count("#45cfbd") == 0,
            "the plots kept their colours"
        );
        page.open("").await?;
        page.wait_until(
            "the choice is kept",
            "document.documentElement.dataset.theme === 'dark'",
        )
        .await?;
        page.find(STORM_CANVAS).await?;
        Ok(())
    });
}

#[test]
fn in_mid_round_it_is_the_rounds_end_that_is_judged() {
    visit(Screen::Desktop, async |page| {
        page.open("#/basin?v=1&q0=5&rounds=20&at=0.1").await?;
        page.wait_for_text(".doing", "Round 1 of 20, the server moves next")
            .await?;
        page.wait_for_text(
            ".doing",
            "Once the server has moved: The backlog is 4, within the 5 that count as healthy.",
        )
        .await?;
        page.wait_for_text(
            ".proof",
            "Every round ends healthy, and after round 2 it is so in mid-round too.",
        )
        .await
    });
}

#[test]
fn the_introduction_says_what_the_numbers_make_true() {
    visit(Screen::Desktop, async |page| {
        page.open("").await?;
        page.wait_for_text(
            ".lead",
            "can serve 3 requests a round, and at most 2 arrive, so a backlog should drain.",
        )
        .await?;
        page.open("#/basin?v=1&s=1&amax=5&t=1").await?;
        page.wait_for_text(
            ".lead",
            "can serve 1 request a round, and at most 5 arrive, which can take all of that.",
        )
        .await?;
        page.wait_for_text(".lead", "waited on for 1 round,").await
    });
}

#[test]
fn a_theme_that_cannot_be_kept_lasts_from_page_to_page() {
    visit(Screen::Desktop, async |page| {
        page.run_first(
            "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError') } })",
        )
        .await?;
        page.open("").await?;
        page.click_text(".theme label", "Dark").await?;
        page.click("nav a[href^='#/breaker']").await?;
        page.wait_for_text("#page h1", "Can two probes").await?;
        page.wait_until(
            "the next page is dark, and says so",
            "document.documentElement.dataset.theme === 'dark'
                && document.querySelector('.theme input:checked').labels[0].innerText.trim() === 'Dark'",
        )
        .await?;
        Ok(())
    });
}

#[test]
fn nothing_moves_for_those_who_do_not_want_it() {
    visit(Screen::Desktop, async |page| {
        page.prefer(&[Preference::ReducedMotion]).await?;
        page.open("").await?;
        page.wait_for_text(VERDICT, "From Q0 = 18").await?;
        page.click_text(".presets .title", "Three acts").await?;
        page.wait_for_text(PLACE, "Round 60 of 60").await?;
        page.wait_for_text(".transport .primary", "Play").await
    });
}

#[test]
fn the_basin_page_is_accessible_light_dark_and_in_forced_colours() {
    visit(Screen::Desktop, async |page| {
        for preference in [
            Preference::Light,
            Preference::Dark,
            Preference::ForcedColours,
        ] {
            page.prefer(&[preference]).await?;
            page.open("").await?;
            page.wait_for_text(VERDICT, "From Q0 = 18").await?;
            page.ensure_accessible().await?;
        }
        Ok(())
    });
}
