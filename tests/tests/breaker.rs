//! The circuit breaker's page.

use anyhow::{Result, ensure};
use browser_tests::{Page, Screen, visit};

async fn open(page: &Page) -> Result<()> {
    page.open("#/breaker").await?;
    page.wait_for_text("h1", "Can two probes slip through")
        .await
}

async fn said(page: &Page, variant: &str) -> Result<String> {
    page.text(&format!("[data-variant={variant}] .outcome"))
        .await
}

#[test]
fn the_double_probe_happens_in_one_design_and_is_refused_in_the_other() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        let naive = said(page, "naive").await?;
        ensure!(
            naive.contains("Caller 2 started a probe") && naive.contains("NoDoubleProbe"),
            "{naive}"
        );
        let hardened = said(page, "hardened").await?;
        ensure!(
            hardened.contains("Refused HalfOpenProbeStart(2): a probe is in flight"),
            "{hardened}"
        );
        let broken = page
            .texts("[data-variant=naive] .invariants .broken .name")
            .await?;
        ensure!(
            broken == ["NoDoubleProbe", "ProbeAcceptedIsBounded"],
            "{broken:?}"
        );
        let broken = page
            .texts("[data-variant=hardened] .invariants .broken")
            .await?;
        ensure!(broken.is_empty(), "{broken:?}");
        Ok(())
    });
}

#[test]
fn the_counterexample_is_played_step_by_step() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        page.click("[aria-label='Back to the start']").await?;
        page.wait_for_text(".place", "Step 0 of 7").await?;
        page.click("[aria-label='One phase forward']").await?;
        page.wait_for_text("[data-variant=naive] .outcome", "the breaker opened")
            .await?;
        page.wait_for_text(".place", "Step 2 of 7").await?;
        for _ in 0..5 {
            page.click("[aria-label='One step forward']").await?;
        }
        page.wait_for_text(".place", "Step 7 of 7").await?;
        page.wait_for_text(".ending", "Two callers are inside at once")
            .await?;
        page.wait_for_text(".log [aria-current=true]", "refused: a probe is in flight")
            .await
    });
}

#[test]
fn steps_are_taken_by_hand_undone_and_begun_again() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        page.click_text(".acts button", "Restart").await?;
        page.wait_for_text("[data-variant=hardened] .variables", "Closed")
            .await?;
        page.click_text(".act code", "ClosedCallFailure(2)").await?;
        page.wait_for_text(
            "[data-variant=hardened] .outcome",
            "Caller 2 made a call that failed",
        )
        .await?;
        page.click_text(".act code", "ClosedCallFailureTripBreaker(1)")
            .await?;
        for step in [
            "OpenTick",
            "OpenTick",
            "OpenTimerElapses",
            "HalfOpenProbeStart(1)",
        ] {
            page.click_text(".act code", step).await?;
        }
        page.wait_for_text("[data-variant=naive] .variables", "{1}")
            .await?;
        // What one design alone can do is marked so.
        page.wait_for_text(".act:has(em)", "naive only").await?;
        page.click_text(".act code", "HalfOpenProbeStart(2)")
            .await?;
        page.wait_for_text("[data-variant=hardened] .outcome", "a probe is in flight")
            .await?;
        page.click_text(".acts button", "Undo").await?;
        page.wait_for_text(".place", "Step 6 of 6").await?;
        page.click_text(".act code", "HalfOpenProbeRejected(2)")
            .await?;
        page.wait_for_text("[data-variant=naive] .outcome", "was rejected")
            .await
    });
}

#[test]
fn bounds_are_checked_and_change_what_is_proved() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        page.wait_for_text(".sizes", "the naive design has 9 reachable states")
            .await?;
        page.wait_for_text(".sizes", "the hardened one 8").await?;
        let callers = "aside .number input[type=text]";
        page.fill(callers, "7").await?;
        page.wait_for_text(".field-error", "from 1 to 6").await?;
        page.wait_for_text(".sizes", "the naive design has 9 reachable states")
            .await?;
        page.fill(callers, "6").await?;
        page.wait_for_text(".sizes", "the naive design has 69 reachable states")
            .await?;
        page.fill(callers, "1").await?;
        page.wait_for_text("aside [role=status]", "both designs are safe")
            .await?;
        let violated = page
            .texts(".proved [aria-label=Invariants] td.broken")
            .await?;
        ensure!(violated.is_empty(), "{violated:?}");
        Ok(())
    });
}

#[test]
fn liveness_is_told_with_its_fairness() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        let rows = page
            .texts("[aria-label='Liveness under weak fairness'] tbody tr")
            .await?;
        ensure!(rows.len() == 4, "{rows:?}");
        ensure!(rows[0].contains("EveryCallCompletes"), "{}", rows[0]);
        ensure!(
            rows[0].contains("another probe's end releases the caller"),
            "{}",
            rows[0]
        );
        let hardened = page
            .texts("[aria-label='Liveness under weak fairness'] td:nth-child(3) .mark")
            .await?;
        ensure!(
            hardened == ["holds", "holds", "holds", "violated"],
            "{hardened:?}"
        );
        page.click_text(".presets .title", "A breaker that never closes")
            .await?;
        page.wait_for_text(
            "[data-variant=hardened] .outcome",
            "the breaker opened again",
        )
        .await
    });
}

#[test]
fn laws_are_compared_in_the_worker() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        page.look_at(".laws h2").await?;
        page.wait_for_text(".laws table", "Breaker: 3 failures open it for 5 rounds")
            .await?;
        let rows = page.texts(".laws tbody tr").await?;
        ensure!(rows[0].contains("Q0 = 0 to 7; then orbits"), "{}", rows[0]);
        ensure!(rows[0].contains("doomed"), "{}", rows[0]);
        ensure!(
            rows[3].contains("35 rounds to healthy, 22 retries sent, 157 held back"),
            "{}",
            rows[3]
        );
        ensure!(rows[3].contains("140 rounds to healthy"), "{}", rows[3]);
        Ok(())
    });
}

#[test]
fn a_breaker_is_a_fix_of_the_storm() {
    visit(Screen::Desktop, async |page| {
        page.open("#/basin").await?;
        page.wait_for_text(".verdict", "at risk").await?;
        page.click_text(".controls .segmented label", "Breaker")
            .await?;
        page.wait_for_text(".verdict", "recovers").await
    });
}

#[test]
fn the_breakers_page_is_accessible() {
    for screen in [Screen::Desktop, Screen::Phone] {
        visit(screen, async |page| {
            open(page).await?;
            page.look_at(".laws h2").await?;
            page.wait_for_text(".laws table", "Breaker").await?;
            page.ensure_accessible().await
        });
    }
}
