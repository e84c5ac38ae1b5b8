//! A page that opens stays free for its reader: no task of its thread is long, and long work is the worker's.

use browser_tests::{Screen, ensure, visit, visit_traced};

/// The pages, and the most of the processor's time that one task of each may take as it opens, in milliseconds. The bundle
/// that tests are run with is not made to be fast: what readers get is held to 50 by `cargo xtask bench`.
const PAGES: [(&str, f64); 5] = [
    ("#/basin", 300.0),
    ("#/story", 110.0),
    ("#/why", 150.0),
    ("#/ecs", 200.0),
    ("#/breaker", 150.0),
];

/// A worker that takes what is asked of it and never answers.
const SILENT_WORKERS: &str = "
    window.Worker = class extends EventTarget {
        constructor() {
            super();
            setTimeout(() => this.onmessage?.(new MessageEvent('message', { data: new Uint8Array([0]) })));
        }
        postMessage() {}
        terminate() {}
    };
";

/// How many chapters came in each piece of work.
const COUNT_CHAPTERS: &str = "
    window.pieces = [];
    new MutationObserver(records => {
        const chapters = records
            .flatMap(record => [...record.addedNodes])
            .filter(node => node instanceof Element)
            .map(node => node.matches('.chapter') ? 1 : node.querySelectorAll('.chapter').length)
            .reduce((sum, more) => sum + more, 0);
        if (chapters) window.pieces.push(chapters);
    }).observe(document, { childList: true, subtree: true });
";

#[test]
fn no_page_is_long_at_one_task_as_it_opens() {
    for (address, most) in PAGES {
        visit_traced(Screen::Desktop, async |page| {
            page.open(address).await?;
            page.find("#page h1").await?;
            page.wait_until_still().await?;
            let tasks = page.tasks().await?;
            ensure!(tasks.len() > 10, "{address}: {} tasks", tasks.len());
            ensure!(tasks[0] < most, "{address}: {:.0} ms", tasks[0]);
            Ok(())
        });
    }
}

#[test]
fn each_chapter_of_the_story_is_made_in_a_task_of_its_own() {
    visit(Screen::Desktop, async |page| {
        page.run_first(COUNT_CHAPTERS).await?;
        page.open("#/story").await?;
        page.wait_until(
            "every chapter is there",
            "document.querySelectorAll('.chapter').length === 13
                && !document.querySelector('.story > [role=status]')",
        )
        .await?;
        let pieces: Vec<u32> = page.eval("window.pieces").await?;
        ensure!(pieces == [1; 13], "{pieces:?}");
        Ok(())
    });
}

#[test]
fn a_chapter_that_is_opened_is_gone_to_once_it_is_there() {
    visit(Screen::Desktop, async |page| {
        page.open("#/story?v=1&at=contracts").await?;
        page.wait_until(
            "the chapter is at the top, and the keyboard there",
            "document.activeElement.id === 'story-contracts-title'
                && Math.abs(document.querySelector('#story-contracts').getBoundingClientRect().top) < 300",
        )
        .await?;
        ensure!(page.address().await?.ends_with("at=contracts"));
        Ok(())
    });
}

#[test]
fn proofs_and_checks_are_the_workers_and_nothing_is_told_before_it_answers() {
    visit(Screen::Desktop, async |page| {
        page.run_first(SILENT_WORKERS).await?;
        for (address, title, waits, figures) in [
            (
                "#/why",
                "#isolated-title",
                "Exploring each component alone",
                "[data-component]",
            ),
            (
                "#/why?v=1&s=7&amax=6&q0=40&gate=breaker:3,5&tab=certificate",
                "#certificate-title",
                "Writing the proof out",
                ".claims, .certificate table",
            ),
            (
                "#/why?v=1&s=7&amax=6&q0=40&gate=breaker:3,5",
                "#ledger-title",
                "Finding where each round leads",
                ".said .swatch:not(.unknown)",
            ),
            (
                "#/why?v=1&s=7&amax=6&q0=40&gate=breaker:3,5&tab=compare",
                "#compare-title",
                "Judging the start",
                ".said .swatch:not(.unknown)",
            ),
        ] {
            page.open(address).await?;
            page.look_at(title).await?;
            page.wait_for_text(".panel .job label", waits).await?;
            let told: u32 = page
                .eval(&format!("document.querySelectorAll('{figures}').length"))
                .await?;
            ensure!(told == 0, "{told} of {figures} are shown");
        }
        Ok(())
    });
}
