//! The page of why it fails: each view as a reader meets it.

use crate::sight::COUNT_WORK;
use browser_tests::{Key, Page, Result, Screen, ensure, visit};

/// Opens the page at one of its tabs.
async fn open(page: &Page, tab: &str) -> Result<()> {
    page.open("#/why").await?;
    page.wait_for_text("h1", "when nobody breaks a promise")
        .await?;
    page.click_text("[role=tab]", tab).await
}

#[test]
fn in_the_storm_nothing_is_violated_and_the_promises_are_vacuous() {
    visit(Screen::Desktop, async |page| {
        open(page, "Contracts").await?;
        page.wait_for_text("[data-point=conclusion]", "Nothing is violated")
            .await?;
        page.wait_for_text("tr[data-clause=retries]", "vacuous")
            .await?;
        page.wait_for_text("tr[data-clause=basin]", "vacuous")
            .await?;
        page.wait_for_text("tr[data-clause='full service']", "holds")
            .await?;
        page.wait_until_still().await?;
        let strip = page.pixels(".storm > .canvas canvas").await?;
        ensure!(strip.drawn() > 0.05, "the strip is blank");
        Ok(())
    });
}

#[test]
fn the_fixes_take_the_if_away() {
    visit(Screen::Desktop, async |page| {
        open(page, "Contracts").await?;
        page.click_text(".presets .title", "A budget").await?;
        page.wait_for_text("tr[data-clause=retries]", "No “if” any more")
            .await?;
        page.wait_for_text("tr[data-clause=retries]", "holds")
            .await?;
        page.click_text(".presets .title", "Fresh first").await?;
        page.wait_for_text("tr[data-clause=basin]", "No “if” any more")
            .await?;
        page.wait_for_text("[data-point=conclusion]", "fresh-first took its “if” away")
            .await
    });
}

#[test]
fn a_component_that_misbehaves_is_named() {
    visit(Screen::Desktop, async |page| {
        open(page, "Contracts").await?;
        page.click_text(".presets .title", "An eager retrier")
            .await?;
        page.wait_for_text(
            "[data-point=conclusion]",
            "The retrier breaks its contract, first in round 1",
        )
        .await?;
        page.look_at("#isolated-title").await?;
        page.wait_for_text("[data-component=retrier]", "alone breaks its contract")
            .await?;
        page.wait_for_text("[data-component=server]", "alone keeps its contract")
            .await?;
        page.click_text(".presets .title", "A wasteful server")
            .await?;
        page.wait_for_text(
            "[data-point=conclusion]",
            "The server breaks its contract, first in round 1",
        )
        .await?;
        page.look_at("#isolated-title").await?;
        page.wait_for_text("[data-component=server]", "alone breaks its contract")
            .await
    });
}

#[test]
fn the_shortest_counterexample_has_twelve_states_and_loads_as_a_run() {
    visit(Screen::Desktop, async |page| {
        open(page, "Counterexamples").await?;
        page.wait_for_text("[data-point=counterexample]", "12 states break")
            .await?;
        page.wait_for_text(".steps [role=status]", "State 1 of 12")
            .await?;
        page.click_text(".steps button", "Step ›").await?;
        page.wait_for_text(".steps [role=status]", "State 2 of 12")
            .await?;
        page.wait_for_text("tr[aria-current=true]", "19").await?;
        page.click_text(".steps button", "Load it as the run")
            .await?;
        page.click_text("[role=tab]", "Contracts").await?;
        page.click("[aria-label='One round forward']").await?;
        page.wait_for_text("tr[data-clause=arrivals]", "arrivals 1")
            .await
    });
}

#[test]
fn stabilization_fails_by_a_climb_from_18_and_by_a_lasso_from_8() {
    visit(Screen::Desktop, async |page| {
        open(page, "Counterexamples").await?;
        page.click_text("label", "It comes to Good and stays")
            .await?;
        page.wait_for_text("[data-point=counterexample]", "A climb of 3 states")
            .await?;
        page.fill(".controls .fields .number input[type=text]", "8")
            .await?;
        page.wait_for_text("[data-point=counterexample]", "A lasso of 3 states")
            .await?;
        page.fill(".controls .fields .number input[type=text]", "5")
            .await?;
        page.wait_for_text("[data-point=counterexample]", "that is proved")
            .await
    });
}

#[test]
fn the_start_moves_in_the_phase_plane_by_mouse_and_by_keyboard() {
    visit(Screen::Desktop, async |page| {
        open(page, "Phase plane").await?;
        page.wait_for_text(
            "[data-point=no-return]",
            "the measured point of no return is qf = 21",
        )
        .await?;
        page.wait_for_text(".said", "From 18 fresh and 0 duplicates: at risk")
            .await?;
        page.click(".plane").await?;
        page.wait_until(
            "the press has moved the start",
            "!document.querySelector('.said').innerText.includes('From 18 fresh and 0 ')",
        )
        .await?;
        page.click_text(".presets .title", "The storm").await?;
        page.eval::<()>("document.querySelector('.plane').focus()")
            .await?;
        for _ in 0..3 {
            page.press(Key::Right).await?;
        }
        page.wait_for_text(".said", "From 21 fresh and 0 duplicates: doomed")
            .await?;
        let plane = page.pixels(".plane canvas").await?;
        ensure!(plane.colours.len() > 20, "the plane is blank");
        Ok(())
    });
}

#[test]
fn the_certificate_names_the_region_and_the_step_that_enters_it() {
    visit(Screen::Desktop, async |page| {
        open(page, "Certificate").await?;
        page.wait_for_text(".certificate", "ends at or above where it was")
            .await?;
        page.wait_for_text(".certificate", "The run without arrivals")
            .await?;
        page.click_text(".presets .title", "A wasteful server")
            .await?;
        page.wait_for_text(".certificate", "The explored graph")
            .await?;
        page.wait_for_text(".certificate", "All 19 states").await
    });
}

#[test]
fn a_map_is_drawn_read_and_pressed() {
    visit(Screen::Desktop, async |page| {
        open(page, "Maps").await?;
        page.wait_for_text("[data-point=progress]", "793 cells known")
            .await?;
        page.wait_for_text(".lines", "AMax + B = S").await?;
        page.hover_at(".map", 0.5, 0.5).await?;
        page.wait_for_text(".read-out", "q0 = ").await?;
        page.click_at(".map", 0.2, 0.3).await?;
        page.wait_until(
            "the press has loaded another run",
            "!document.querySelector('.said').innerText.includes('From 18 fresh')",
        )
        .await?;
        page.click_text("button", "Zoom in").await?;
        page.wait_for_text("[data-point=progress]", "217 cells known")
            .await
    });
}

#[test]
fn a_map_whose_every_cell_is_explored_is_drawn_by_a_worker_a_core() {
    visit(Screen::Desktop, async |page| {
        page.run_first(COUNT_WORK).await?;
        page.open("#/why?v=1&tab=maps&x=q0:0..20&y=b:0..8").await?;
        page.wait_for_text("[data-point=progress]", "189 cells known")
            .await?;
        page.eval::<bool>("(window.workers = 0, true)").await?;
        page.click_text(".presets .title", "A wasteful server")
            .await?;
        page.wait_for_text(
            "[data-point=progress]",
            "189 cells known, 189 of them judged",
        )
        .await?;
        page.wait_until(
            "each core has had a worker",
            "window.workers >= Math.min(navigator.hardwareConcurrency, 8)",
        )
        .await
    });
}

#[test]
fn two_laws_are_compared_on_the_same_arrivals() {
    visit(Screen::Desktop, async |page| {
        open(page, "Compare").await?;
        page.wait_for_text(".halves", "With no fix").await?;
        page.wait_for_text(".halves", "With budget B = 0").await?;
        page.find_with_text("td", "at risk").await?;
        page.find_with_text("td", "recovers").await?;
        page.find_with_text("td", "differs").await?;
        Ok(())
    });
}

#[test]
fn a_start_that_is_not_judged_at_once_is_judged_by_the_worker() {
    visit(Screen::Desktop, async |page| {
        // Nothing short of exploration judges a law that remembers, and the deciding runs of a large start are long.
        for (address, verdict) in [
            (
                "gate=breaker:3,5&tab=compare",
                "From 18 fresh and 0 duplicates: recovers",
            ),
            (
                "b=3&q0=2000000000&tab=compare",
                "From 2000000000 fresh and 0 duplicates: unknown",
            ),
        ] {
            page.open(&format!("#/why?v=1&{address}")).await?;
            page.wait_for_text(".said", verdict).await?;
            page.wait_until(
                "both sides are judged",
                "!document.querySelector('.halves').innerText.includes('not judged yet')",
            )
            .await?;
            page.wait_until(
                "nothing is said to be under way",
                "!document.querySelector('.job label')",
            )
            .await?;
        }
        // The law that remembers is among the fixes, and can be taken away.
        page.open("#/why?v=1&gate=breaker:3,5").await?;
        page.wait_for_text(".controls", "rounds in a row with retries due that open it")
            .await?;
        page.wait_for_text(".said", "duplicates: recovers").await?;
        page.wait_until(
            "where each round leads is found out",
            "!document.querySelector('.job label')",
        )
        .await?;
        page.wait_until_still().await?;
        let run = page.pixels(".storm .layers canvas").await?;
        ensure!(
            run.count("#2f6fb0") > 500,
            "where each round leads is not drawn"
        );
        page.click_text(".controls label", "No gate").await?;
        page.wait_for_text(".said", "duplicates: at risk").await?;
        // One that the page judges itself takes the place of one that the worker is at.
        page.open("#/why?v=1&b=3&q0=2000000000").await?;
        page.fill(".controls .fields .number input[type=text]", "7")
            .await?;
        page.wait_for_text(".said", "From 7 fresh and 0 duplicates: recovers")
            .await
    });
}

#[test]
fn budgets_are_safe_below_the_line_and_fresh_first_past_it() {
    visit(Screen::Desktop, async |page| {
        open(page, "N clients").await?;
        page.wait_for_text("[data-point=line]", "3 × (1 + 1) = 6, not below S = 3")
            .await?;
        page.fill(".settings .number input[type=text]", "1").await?;
        page.wait_for_text("[data-point=line]", "1 × (1 + 1) = 2, below S = 3")
            .await?;
        page.wait_for_text("[data-point=clients]", "Recovers")
            .await?;
        page.fill(".settings .number input[type=text]", "2").await?;
        page.wait_for_text("[data-point=line]", "not below S = 3")
            .await?;
        page.click_text(".settings .toggle label", "Fresh first")
            .await?;
        page.wait_for_text("[data-point=clients]", "whatever N")
            .await
    });
}

#[test]
fn the_tla_module_can_be_taken_away() {
    visit(Screen::Desktop, async |page| {
        open(page, "TLA+").await?;
        page.wait_for_text("[aria-label='Compose.tla']", "MODULE Compose")
            .await?;
        page.wait_for_text("[aria-label='Compose.cfg']", "Q0 = 18")
            .await?;
        page.catch_files().await?;
        page.click_text(".file button", "Download").await?;
        let module = page.file(1).await?;
        ensure!(module.name == "Compose.tla", "{}", module.name);
        ensure!(module.text.contains("WF_vars(Next)"), "{}", module.text);
        Ok(())
    });
}

#[test]
fn every_view_is_accessible_and_fits_a_phone() {
    visit(Screen::Phone, async |page| {
        for tab in [
            "Contracts",
            "Counterexamples",
            "Phase plane",
            "Certificate",
            "Maps",
            "Compare",
            "N clients",
            "TLA+",
        ] {
            open(page, tab).await?;
            page.wait_until_still().await?;
            page.ensure_accessible().await?;
            let spill: i64 = page
                .eval("document.documentElement.scrollWidth - window.innerWidth")
                .await?;
            ensure!(spill <= 0, "{tab} is {spill} pixels too wide");
        }
        Ok(())
    });
}
