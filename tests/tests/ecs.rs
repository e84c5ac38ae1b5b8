use std::time::Duration;

use browser_tests::{Key, Page, Preference, Result, Screen, ensure, visit};

/// Opens the page; the systems it opens with are the naive policy beside the fixed one.
async fn open(page: &Page) -> Result<()> {
    page.open("#/ecs").await?;
    page.wait_for_text("h1", "Why do two sensible controllers fail together")
        .await
}

/// Opens the page and waits until both runs are over.
pub(crate) async fn open_and_run(page: &Page) -> Result<()> {
    open(page).await?;
    run(page).await
}

/// Waits until both runs are over.
pub(crate) async fn run(page: &Page) -> Result<()> {
    // A change is simulated once it has settled.
    tokio::time::sleep(Duration::from_millis(400)).await;
    for _ in 0..5 {
        let over = page
            .wait_until(
                "all runs are over",
                "document.querySelectorAll('.outcome strong').length === document.querySelectorAll('.outcome').length
                    && document.querySelectorAll('.work progress').length === 0",
            )
            .await;
        if over.is_ok() {
            return over;
        }
    }
    page.wait_until(
        "all runs are over",
        "document.querySelectorAll('.work progress').length === 0",
    )
    .await
}

/// The three figures of a side: short answers a second before, during and after.
pub(crate) async fn score(page: &Page, side: usize) -> Result<Vec<f64>> {
    let texts: Vec<String> = page
        .eval(&format!(
            "[...[...document.querySelectorAll('.score')][{side}].querySelectorAll('dd')].map(dd => dd.innerText)"
        ))
        .await?;
    Ok(texts
        .iter()
        .map(|text| text.parse().unwrap_or(f64::NAN))
        .collect())
}

/// Opens every group of settings.
async fn open_settings(page: &Page) -> Result<()> {
    page.wait_until(
        "the groups are open",
        "(() => { const groups = [...document.querySelectorAll('.controls details')];
            groups.forEach(group => { group.open = true; });
            return groups.length; })()",
    )
    .await
}

/// Writes into a field of the page by its label.
async fn set(page: &Page, label: &str, text: &str) -> Result<()> {
    page.wait_until(
        "the field is there",
        &format!(
            "(() => {{ const label = [...document.querySelectorAll('.ecs label')]
                .find(label => label.innerText.trim() === {label:?});
                if (!label) return false;
                const field = document.getElementById(label.htmlFor);
                field.value = {text:?};
                field.dispatchEvent(new Event('change', {{ bubbles: true }}));
                return true; }})()"
        ),
    )
    .await
}

#[test]
fn it_opens_with_the_question_and_both_answers_side_by_side() {
    visit(Screen::Desktop, async |page| {
        open_and_run(page).await?;
        let outcomes = page.texts(".outcome strong").await?;
        ensure!(
            outcomes.len() == 2
                && outcomes[0].starts_with("Short requests stay broken")
                && outcomes[1].starts_with("Short requests come back"),
            "{outcomes:?}"
        );
        let (naive, fixed) = (score(page, 0).await?, score(page, 1).await?);
        ensure!(naive[2] < 0.5 * naive[0], "naive: {naive:?}");
        ensure!(
            fixed[1] > 0.95 * fixed[0] && fixed[2] > 0.95 * fixed[0],
            "fixed: {fixed:?}"
        );
        // What the fix does not protect is said beside it.
        page.wait_for_text(
            "[data-long=B]",
            "Long answers in time, a second: before 0.28,",
        )
        .await?;
        // Same seed, same arrivals: before the burst, both answer them all.
        ensure!((naive[0] - fixed[0]).abs() < 10.0, "{naive:?} {fixed:?}");
        page.wait_for_text(".why", "Long tickets 128 of 128: at their cap")
            .await
    });
}

#[test]
fn the_series_are_drawn_and_the_playhead_moves_over_them() {
    visit(Screen::Desktop, async |page| {
        open_and_run(page).await?;
        for side in ["A", "B"] {
            let canvas = format!("section[aria-label='System {side}'] .canvas:not(.over) canvas");
            let drawn = page.pixels(&canvas).await?.drawn();
            ensure!(drawn > 0.03, "{canvas} is blank: {drawn}");
        }
        let moving = "section[aria-label='System A'] .canvas.over canvas";
        let before = page.pixels(moving).await?;
        page.click("button[aria-label='Back to the start']").await?;
        page.wait_for_text(".now .place", "Second 0").await?;
        let after = page.pixels(moving).await?;
        ensure!(before != after, "the playhead stands still");
        // Pressing a series goes to that second.
        page.click_at("section[aria-label='System A'] .series", 0.5, 0.1)
            .await?;
        page.wait_until(
            "the playhead is in the middle",
            "(() => { const second = /Second (\\d+)/.exec(document.querySelector('.now .place').innerText);
                return second && Number(second[1]) > 70 && Number(second[1]) < 120; })()",
        )
        .await
    });
}

#[test]
fn the_diagram_tells_what_waits_and_what_is_wasted() {
    visit(Screen::Desktop, async |page| {
        open_and_run(page).await?;
        let diagram =
            "document.querySelector(\"section[aria-label='System A'] svg.topology\").textContent";
        let naive: String = page.eval(diagram).await?;
        for words in [
            "Long queue",
            "2000 wait, room for 2000",
            "tickets: 128 of 128 in use",
            "tasks share 4 cores",
            "wasted",
        ] {
            ensure!(
                naive.contains(words),
                "the diagram does not say {words}: {naive}"
            );
        }
        // At the start nothing is wasted, and few tickets are out.
        page.click("button[aria-label='Back to the start']").await?;
        page.wait_for_text(
            "section[aria-label='System A'] .doing",
            "Short requests are healthy",
        )
        .await?;
        page.wait_until(
            "nothing is wasted",
            &format!("{diagram}.includes('0 wasted')"),
        )
        .await
    });
}

#[test]
fn playing_moves_the_seconds_and_pausing_stops_them() {
    visit(Screen::Desktop, async |page| {
        open_and_run(page).await?;
        page.click_text(".transport .button", "Play").await?;
        page.wait_until(
            "it plays",
            "(() => { const second = /Second (\\d+)/.exec(document.querySelector('.now .place').innerText);
                return second && Number(second[1]) > 2 && Number(second[1]) < 190; })()",
        )
        .await?;
        page.wait_until(
            "marks move along the wires",
            "[...document.querySelectorAll('svg.topology .flow')].some(flow =>
                getComputedStyle(flow).animationPlayState === 'running')",
        )
        .await?;
        page.click_text(".transport .button", "Pause").await?;
        let place = page.text(".now .place").await?;
        tokio::time::sleep(Duration::from_millis(400)).await;
        ensure!(page.text(".now .place").await? == place, "it went on");
        Ok(())
    });
}

#[test]
fn who_wants_less_motion_gets_none() {
    visit(Screen::Desktop, async |page| {
        page.prefer(&[Preference::ReducedMotion]).await?;
        open_and_run(page).await?;
        page.click_text(".transport .button", "Play").await?;
        page.wait_until(
            "no mark moves",
            "[...document.querySelectorAll('svg.topology .flow')].every(flow =>
                getComputedStyle(flow).animationName === 'none')",
        )
        .await
    });
}

#[test]
fn a_pulse_is_dragged_on_the_timeline() {
    visit(Screen::Desktop, async |page| {
        open_and_run(page).await?;
        page.wait_for_text(
            "[data-script=summary]",
            "long arrivals × 30 from 30 to 45 s",
        )
        .await?;
        let driver = page.driver();
        let handle = page.find(".track .handle.end").await?;
        handle.scroll_into_view().await?;
        driver
            .action_chain()
            .click_and_hold_element(&handle)
            .move_by_offset(80, 0)
            .release()
            .perform()
            .await?;
        page.wait_until(
            "the pulse ends later",
            "(() => { const until = /30 to ([\\d.]+) s/.exec(document.querySelector('[data-script=summary]').innerText);
                return until && Number(until[1]) > 55; })()",
        )
        .await?;
        // By keyboard: the start, a second at a time.
        page.eval::<serde_json::Value>("document.querySelector('.track .handle.start').focus()")
            .await?;
        page.press(Key::Left).await?;
        page.press(Key::Left).await?;
        page.wait_for_text("[data-script=summary]", "from 28 to")
            .await?;
        run(page).await
    });
}

#[test]
fn entries_are_added_and_removed_and_a_slowdown_slows_the_cores() {
    visit(Screen::Desktop, async |page| {
        open_and_run(page).await?;
        page.click_text(".add .button", "+ Slowdown").await?;
        page.wait_for_text("[data-script=summary]", "cores at 50% speed from")
            .await?;
        page.click("button[aria-label='Remove entry 1']").await?;
        page.wait_until(
            "the pulse is gone",
            "!document.querySelector('[data-script=summary]').innerText.includes('long arrivals')",
        )
        .await?;
        page.click("button[aria-label='Remove entry 1']").await?;
        page.wait_for_text("[data-script=summary]", "Nothing happens to the system")
            .await?;
        run(page).await?;
        page.wait_for_text(
            "section[aria-label='System A'] .doing",
            "Short requests are healthy",
        )
        .await
    });
}

#[test]
fn nonsense_in_the_script_is_named_at_the_field_and_the_last_good_run_stays() {
    visit(Screen::Desktop, async |page| {
        open_and_run(page).await?;
        let before = score(page, 0).await?;
        page.fill(".entry-row input[data-field=until_s]", "20")
            .await?;
        page.wait_for_text(
            ".entry-row .field-error",
            "script[0].until_s is 20, but must be after script[0].from_s = 30",
        )
        .await?;
        page.find(".entry-row input[data-field=until_s][aria-invalid=true]")
            .await?;
        ensure!(score(page, 0).await? == before, "the run changed");
        page.fill(".entry-row input[data-field=until_s]", "45")
            .await?;
        page.wait_until(
            "the error is gone",
            "document.querySelector('.entry-row .field-error').hidden",
        )
        .await?;
        // A script that overlaps itself.
        page.click_text(".add .button", "+ Long pulse").await?;
        let second = "[aria-label='Entry 2 of the script']";
        page.fill(&format!("{second} input[data-field=from_s]"), "40")
            .await?;
        page.wait_for_text(&format!("{second} .field-error"), "clear of script[0]")
            .await?;
        page.fill(&format!("{second} input[data-field=factor]"), "many")
            .await?;
        page.wait_for_text(
            &format!("{second} .field-error"),
            "script[1].factor is “many”, but must be a number",
        )
        .await
    });
}

#[test]
fn nonsense_in_the_settings_is_named_at_the_field() {
    visit(Screen::Desktop, async |page| {
        open_and_run(page).await?;
        let before = score(page, 0).await?;
        open_settings(page).await?;
        let error = "[...document.querySelectorAll('.controls .field-error')].map(e => e.innerText).join('|')";
        set(page, "Cores", "0").await?;
        page.wait_until(
            "zero cores are refused",
            &format!("{error}.includes('Cores is “0”, but must be a whole number from 1 to 1024')"),
        )
        .await?;
        set(page, "Cores", "4").await?;
        set(page, "Timeout", "-1").await?;
        page.wait_until(
            "negative times are refused",
            &format!("{error}.includes('Timeout is “-1”')"),
        )
        .await?;
        set(page, "Lowest demotion threshold", "900").await?;
        page.wait_until(
            "thresholds out of order are refused",
            &format!("{error}.includes('policy.demotion_most_ms is 500, but must be at least policy.demotion_least_ms = 900')"),
        )
        .await?;
        ensure!(score(page, 0).await? == before, "the run changed");
        Ok(())
    });
}

#[test]
fn presets_policies_admission_and_seeds_change_the_run() {
    visit(Screen::Desktop, async |page| {
        open_and_run(page).await?;
        page.click_text(".presets .title", "Churn: ten tickets")
            .await?;
        page.wait_until(
            "one system alone",
            "document.querySelectorAll('.lane-head').length === 1",
        )
        .await?;
        run(page).await?;
        page.wait_for_text(".doing", "1000 tickets are acquired a second")
            .await?;
        page.click_text(".presets .title", "Churn: two tickets")
            .await?;
        run(page).await?;
        page.wait_for_text(".doing", "200 tickets are acquired a second")
            .await?;
        page.click_text(".presets .title", "Admission by latency")
            .await?;
        run(page).await?;
        page.wait_for_text(".lane-head h2", "Fixed policy, latency signal")
            .await?;
        let (behind, alone) = (score(page, 0).await?, score(page, 1).await?);
        ensure!(behind[1] < 0.9 * alone[1], "{behind:?} {alone:?}");
        page.click_text("fieldset.side label", "Naive").await?;
        page.wait_for_text(".lane-head h2", "Naive policy, latency signal")
            .await?;
        let seed = "document.querySelector('.number input').value";
        let before: String = page.eval(seed).await?;
        page.click_text(".button", "New seed").await?;
        page.wait_until("another seed", &format!("{seed} !== '{before}'"))
            .await
    });
}

#[test]
fn the_potential_functions_are_drawn_with_what_one_controller_did_to_the_other() {
    visit(Screen::Desktop, async |page| {
        open_and_run(page).await?;
        page.wait_for_text("[data-potentials=B]", "In 0 of 2000 intervals")
            .await?;
        let naive = page.text("[data-potentials=A]").await?;
        ensure!(
            naive.contains("of 2000 intervals") && !naive.starts_with("In 0 "),
            "{naive}"
        );
        let drawn = page
            .pixels("section[aria-label='Potential functions of A'] .canvas:not(.over) canvas")
            .await?
            .drawn();
        ensure!(drawn > 0.02, "{drawn}");
        Ok(())
    });
}

#[test]
fn a_map_of_pulses_fills_in_and_a_cell_is_pressed_to_watch_it() {
    visit(Screen::Desktop, async |page| {
        open_and_run(page).await?;
        set(page, "Heights, times the arrivals", "2, 30").await?;
        set(page, "Lengths in seconds", "15").await?;
        set(page, "Runs for each pulse", "1").await?;
        page.click_text(".button", "Map the pulses").await?;
        page.wait_for_text("[data-map=B]", "Of 2 pulses, 2 always come back")
            .await?;
        page.wait_for_text(
            "[data-map=A]",
            "Of 2 pulses, 1 always come back, 1 never do",
        )
        .await?;
        page.click("table[aria-label='Map of pulses of A'] button.recovers")
            .await?;
        page.wait_for_text("[data-script=summary]", "long arrivals × 2 from 20 to 35 s")
            .await
    });
}

#[test]
fn what_an_experiment_found_stays_and_is_told_from_what_is_set_now() {
    const OLD: &str = "[...document.querySelectorAll('.experiment .lane .note')]
        .filter(note => note.checkVisibility() && note.innerText.includes('found with other settings')).length";
    visit(Screen::Desktop, async |page| {
        open_and_run(page).await?;
        set(page, "Heights, times the arrivals", "2").await?;
        set(page, "Lengths in seconds", "5").await?;
        set(page, "Runs for each pulse", "1").await?;
        page.click_text(".button", "Map the pulses").await?;
        for map in ["[data-map=A]", "[data-map=B]"] {
            page.wait_for_text(map, "Of 1 pulses, 1 always come back")
                .await?;
        }
        page.click_text("[role=tab]", "Many seeds").await?;
        page.wait_for_text("[data-seeds=A]", "No seed has been run yet")
            .await?;
        page.click_text("[role=tab]", "Map of pulses").await?;
        page.wait_for_text("[data-map=A]", "Of 1 pulses, 1 always come back")
            .await?;
        page.wait_until("nothing is old", &format!("{OLD} === 0"))
            .await?;
        set(page, "Watched after the pulse", "40").await?;
        page.wait_until("both sides are", &format!("{OLD} === 2"))
            .await?;
        set(page, "Watched after the pulse", "60").await?;
        page.wait_until("neither is any more", &format!("{OLD} === 0"))
            .await?;
        set(page, "Seed", "2").await?;
        page.wait_until("they are of another seed", &format!("{OLD} === 2"))
            .await
    });
}

#[test]
fn a_map_can_be_cancelled_and_keeps_what_it_found() {
    visit(Screen::Desktop, async |page| {
        open_and_run(page).await?;
        page.click_text(".button", "Map the pulses").await?;
        page.wait_until(
            "a cell is found",
            "document.querySelectorAll('.pulse-map button').length > 0",
        )
        .await?;
        page.click_text(".experiment .progress .button", "Cancel")
            .await?;
        page.wait_until(
            "it says so",
            "[...document.querySelectorAll('.experiment .lane .note')].some(note => note.innerText.startsWith('Cancelled'))
                && document.querySelectorAll('.pulse-map button').length > 0",
        )
        .await
    });
}

#[test]
fn a_sweep_does_not_retrace_itself_under_the_naive_policy() {
    visit(Screen::Desktop, async |page| {
        open_and_run(page).await?;
        page.click_text("[role=tab]", "Load up and down").await?;
        set(page, "Loads, times the arrivals, rising", "1, 8, 20").await?;
        page.click_text(".button", "Sweep the load").await?;
        page.wait_for_text("[data-sweep=A]", "it does not retrace itself")
            .await?;
        page.wait_for_text("[data-sweep=B]", "it retraces itself")
            .await?;
        let drawn = page.pixels(".experiment .canvas canvas").await?.drawn();
        ensure!(drawn > 0.01, "{drawn}");
        // Loads out of order are named.
        set(page, "Loads, times the arrivals, rising", "8, 1").await?;
        page.click_text(".button", "Sweep the load").await?;
        page.wait_until(
            "the order is asked for",
            "[...document.querySelectorAll('.experiment .field-error')].some(e =>
                e.innerText.includes('factors[1] is 1, but must be above factors[0] = 8'))",
        )
        .await
    });
}

#[test]
fn many_seeds_give_means_with_intervals() {
    visit(Screen::Desktop, async |page| {
        open_and_run(page).await?;
        page.click_text("[role=tab]", "Many seeds").await?;
        set(page, "Seeds", "3").await?;
        page.click_text(".button", "Run the seeds").await?;
        page.wait_for_text("[data-seeds=B]", "3 of 3 seeds come back")
            .await?;
        page.wait_for_text("[data-seeds=A]", "0 of 3 seeds come back")
            .await?;
        ensure!(page.text("[data-seeds=A]").await?.contains('±'));
        Ok(())
    });
}

#[test]
fn the_smallest_pulse_that_tips_is_found() {
    visit(Screen::Desktop, async |page| {
        open_and_run(page).await?;
        page.click_text(".presets .title", "One controller, one honest signal")
            .await?;
        page.wait_until(
            "one system alone",
            "document.querySelectorAll('.lane-head').length === 1",
        )
        .await?;
        run(page).await?;
        page.click_text("[role=tab]", "Smallest pulse that tips")
            .await?;
        set(page, "Highest pulse to try", "16").await?;
        set(page, "Runs for each height", "1").await?;
        page.click_text(".button", "Search").await?;
        page.wait_for_text("[data-tipping=A]", "Even × 16 does not tip it")
            .await
    });
}

#[test]
fn a_clock_for_each_request_tips_where_the_count_recovers() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        page.click_text("[role=tab]", "A clock for each request")
            .await?;
        page.click_text(".button", "Run both models").await?;
        page.wait_until(
            "all seeds have run",
            "/ of 20 runs climb/.test(document.querySelector('[data-per-request]').innerText)",
        )
        .await?;
        page.wait_for_text("[data-per-request]", "it does not climb")
            .await?;
        let said = page.text("[data-per-request]").await?;
        ensure!(!said.contains("By request, 0 of 20"), "{said}");
        // Without chance it recovers like the count.
        page.click_text(".experiment .segmented label", "None")
            .await?;
        page.click_text(".button", "Run both models").await?;
        page.wait_for_text("[data-per-request]", "By request, 0 of 20 runs climb")
            .await
    });
}

#[test]
fn the_page_goes_on_painting_while_millions_of_events_are_simulated() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        page.wait_until(
            "frames are counted while it simulates",
            "(() => { window.frames_while_simulating = 0;
                const frame = () => {
                    if (document.querySelector('.work progress')) window.frames_while_simulating += 1;
                    requestAnimationFrame(frame); };
                requestAnimationFrame(frame);
                return true; })()",
        )
        .await?;
        page.click_text(".button", "New seed").await?;
        run(page).await?;
        page.wait_until(
            "more than a million events were simulated",
            "/[\\d.]+M events/.test(document.querySelector('.work').innerText)",
        )
        .await?;
        page.wait_until(
            "it painted meanwhile",
            "window.frames_while_simulating >= 5",
        )
        .await
    });
}

#[test]
fn it_is_accessible_and_fits_each_screen() {
    for screen in [Screen::Desktop, Screen::Phone, Screen::SmallPhone] {
        visit(screen, async |page| {
            open_and_run(page).await?;
            let wide: bool = page
                .eval("document.documentElement.scrollWidth > document.documentElement.clientWidth")
                .await?;
            ensure!(!wide, "it scrolls sideways");
            page.ensure_accessible().await
        });
    }
}

#[test]
fn it_is_accessible_in_the_dark() {
    visit(Screen::Desktop, async |page| {
        page.prefer(&[Preference::Dark]).await?;
        open_and_run(page).await?;
        page.ensure_accessible().await
    });
}
