//! Parameters at the ends of their ranges, and maps beyond their cap: every page answers or says in words why not, and
//! nothing breaks.

use crate::sight::COUNT_WORK;
use browser_tests::{Page, Result, Screen, ensure, visit};

const MOST: u64 = 1 << 31;

/// Goes to `address` and waits until nothing is under way.
async fn follow_to_rest(page: &Page, address: &str) -> Result<()> {
    page.follow(address).await?;
    page.wait_until_still().await?;
    page.wait_until_done().await?;
    let failure: String = page
        .eval("document.querySelector('#failure').hidden ? '' : document.querySelector('#failure').innerText")
        .await?;
    ensure!(failure.is_empty(), "{address}: {failure}");
    let broken = page.texts(".broken[role=alert]").await?;
    ensure!(broken.is_empty(), "{address}: {broken:?}");
    let refused = page.text(".refusal").await?;
    ensure!(refused.is_empty(), "{address}: {refused}");
    Ok(())
}

/// Systems at the ends of their parameters, as addresses have them.
fn ends() -> Vec<String> {
    let mut ends = Vec::new();
    for (s, amax, t) in [
        (1, 0, 1),
        (1, MOST, 1),
        (MOST, 0, MOST),
        (MOST, MOST, 1),
        (MOST, MOST, MOST),
    ] {
        for (q0, qd) in [(0, 0), (0, MOST), (MOST, MOST)] {
            ends.push(format!("s={s}&amax={amax}&t={t}&q0={q0}&qd={qd}"));
        }
    }
    for law in ["b=2147483648", "serve=fresh", "quiet=1", "b=0&serve=fresh"] {
        ends.push(format!("s=1&amax=2147483648&t=1&q0=2147483648&{law}"));
    }
    ends
}

#[test]
fn the_storm_has_a_verdict_at_every_end() {
    visit(Screen::Desktop, async |page| {
        page.open("#/basin").await?;
        page.wait_for_text(".verdict", "at risk").await?;
        for end in ends() {
            follow_to_rest(page, &format!("#/basin?v=1&{end}&map=1")).await?;
            page.wait_until(
                &format!("{end} has a verdict"),
                "/: (recovers|orbits|at risk|doomed|unknown)/.test(document.querySelector('.verdict h2').innerText)",
            )
            .await?;
        }
        // The longest map and the longest run.
        follow_to_rest(page, "#/basin?v=1&s=2147483648&rounds=5000&map=1000000").await?;
        page.wait_for_text(".verdict", "recovers").await
    });
}

#[test]
fn every_view_of_why_it_fails_answers_at_every_end() {
    visit(Screen::Desktop, async |page| {
        page.open("#/why").await?;
        page.wait_for_text("h1", "when nobody breaks a promise")
            .await?;
        // Each of these takes a while.
        for end in ends().into_iter().step_by(4) {
            for tab in [
                "contracts",
                "counterexamples",
                "plane",
                "certificate",
                "compare",
                "tla",
            ] {
                follow_to_rest(page, &format!("#/why?v=1&{end}&rounds=10&tab={tab}")).await?;
            }
        }
        for (clients, most) in [(1, 0), (100, 0), (1, 1_000), (100, 1_000)] {
            follow_to_rest(page,
                &format!("#/why?v=1&tab=clients&clients.n={clients}&clients.amax={most}&clients.q0={most}"),
            )
            .await?;
            page.wait_until(
                "the clients are judged",
                "document.querySelector('[data-point=clients]').innerText.trim()",
            )
            .await?;
        }
        for (x, y) in [
            ("q0:2147483600..2147483648", "b:0..1"),
            ("s:1..4", "t:2147483640..2147483648"),
            ("amax:2147483640..2147483648", "qd0:2147483640..2147483648"),
        ] {
            follow_to_rest(page, &format!("#/why?v=1&tab=maps&x={x}&y={y}")).await?;
            page.wait_for_text("[data-point=progress]", "cells known")
                .await?;
        }
        Ok(())
    });
}

#[test]
fn the_breaker_is_played_at_its_largest_and_smallest() {
    visit(Screen::Desktop, async |page| {
        page.open("#/breaker").await?;
        page.wait_for_text("h1", "Can two probes slip through")
            .await?;
        for (callers, failures, ticks) in [(1, 1, 0), (6, 40, 40), (6, 1, 0), (1, 40, 40)] {
            follow_to_rest(page,
                &format!("#/breaker?v=1&callers={callers}&max-failures={failures}&max-open-ticks={ticks}&do=failure:1"),
            )
            .await?;
            page.wait_for_text(".findings, main", "Hardened").await?;
        }
        Ok(())
    });
}

#[test]
fn a_map_beyond_its_cap_is_refused_before_it_starts() {
    visit(Screen::Desktop, async |page| {
        page.run_first(COUNT_WORK).await?;
        page.open("#/why?v=1&tab=maps").await?;
        let progress = "[data-point=progress]";
        page.wait_for_text(progress, "793 cells known").await?;
        page.eval::<bool>("(window.workers = 0, true)").await?;
        page.fill(".axis input[type=text]", "0..2147483648").await?;
        page.wait_for_text(
            ".axis .field-error",
            "The map would have 27917287437 cells, but may have at most 262144",
        )
        .await?;
        page.follow("#/why?v=1&tab=maps&x=q0:0..999&y=b:0..999")
            .await?;
        page.wait_for_text(".refusal", "such that the map has at most 262144 cells")
            .await?;
        page.wait_for_text(progress, "793 cells known").await?;
        let workers: u32 = page.eval("window.workers").await?;
        ensure!(workers == 0, "{workers} workers were started for it");
        // Zooming out ends where the cap is.
        for _ in 0..10 {
            page.eval::<bool>(
                "([...document.querySelectorAll('main .button')].find(button => button.innerText === 'Zoom out').click(), true)",
            )
            .await?;
        }
        page.wait_for_text(progress, "262144 cells known").await?;

        page.click("nav a[href^='#/basin']").await?;
        page.wait_for_text(".verdict", "at risk").await?;
        page.follow("#/basin?v=1&map=1000001").await?;
        page.wait_for_text(".refusal", "map is 1000001, but must be from 1 to 1000000")
            .await?;
        page.wait_for_text(".verdict", "at risk").await
    });
}
