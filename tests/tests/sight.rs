//! A view out of sight does no work.

use browser_tests::{Page, Result, Screen, ensure, visit};

/// Counts what a document does, as the browser is asked for it: each canvas's drawings, and the workers.
pub(crate) const COUNT_WORK: &str = "
    window.workers = 0;
    window.Worker = class extends Worker {
        constructor(...given) {
            super(...given);
            window.workers += 1;
        }
    };
    const { clearRect } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.clearRect = function (...given) {
        this.canvas.drawings = (this.canvas.drawings ?? 0) + 1;
        return clearRect.apply(this, given);
    };
";

const STORM: &str = ".storm canvas";

/// How often the first canvas of `css` was drawn.
async fn drawings(page: &Page, css: &str) -> Result<u32> {
    page.eval(&format!("document.querySelector('{css}').drawings ?? 0"))
        .await
}

/// Waits for so many frames.
async fn frames(page: &Page, count: u32) -> Result<()> {
    page.eval::<()>(&format!(
        "new Promise(done => {{
            let left = {count};
            const next = () => left-- ? requestAnimationFrame(next) : done();
            next();
        }})"
    ))
    .await
}

async fn position(page: &Page) -> Result<u32> {
    let value: String = page.eval("document.querySelector('.scrub').value").await?;
    Ok(value.parse()?)
}

/// Hides the document as a tab at the back is, or shows it again.
async fn hide(page: &Page, hidden: bool) -> Result<()> {
    let state = if hidden { "hidden" } else { "visible" };
    page.eval::<bool>(&format!(
        "(Object.defineProperty(document, 'visibilityState', {{ configurable: true, value: '{state}' }}),
            document.dispatchEvent(new Event('visibilitychange', {{ bubbles: true }})))"
    ))
    .await?;
    frames(page, 2).await
}

#[test]
fn a_figure_is_drawn_when_it_is_seen_and_again_only_if_it_has_changed() {
    visit(Screen::Phone, async |page| {
        page.run_first(COUNT_WORK).await?;
        page.open("#/basin").await?;
        page.wait_for_text(".verdict", "at risk").await?;
        page.look_at("h1").await?;
        frames(page, 3).await?;
        ensure!(
            drawings(page, STORM).await? == 0,
            "it is drawn out of sight"
        );

        page.look_at(STORM).await?;
        let first = drawings(page, STORM).await?;
        ensure!(first > 0, "it is not drawn in sight");

        for place in ["h1", STORM] {
            page.look_at(place).await?;
            frames(page, 3).await?;
        }
        ensure!(
            drawings(page, STORM).await? == first,
            "to scroll past draws it again"
        );

        page.look_at("h1").await?;
        let map = drawings(page, ".map canvas").await?;
        page.slide("input[type=range][name=S]", 6.0).await?;
        page.wait_for_text(".verdict", "recovers").await?;
        frames(page, 3).await?;
        ensure!(
            drawings(page, STORM).await? == first,
            "what changes out of sight draws it"
        );
        page.look_at(STORM).await?;
        ensure!(
            drawings(page, STORM).await? == first + 1,
            "it is not brought up to date"
        );
        page.look_at(".map canvas").await?;
        ensure!(drawings(page, ".map canvas").await? > map, "nor is the map");
        Ok(())
    });
}

#[test]
fn a_player_out_of_sight_stands_still_and_goes_on_when_it_is_seen() {
    visit(Screen::Desktop, async |page| {
        page.open("#/breaker").await?;
        page.click("[aria-label='Back to the start']").await?;
        page.click_text(".transport button", "Play").await?;
        page.wait_until("it plays", "document.querySelector('.scrub').value > 0")
            .await?;
        page.look_at(".laws h2").await?;
        let before = position(page).await?;
        ensure!(before < 7, "it came to its end before it was out of sight");
        // At a step and a half a second, a step would be taken meanwhile.
        frames(page, 90).await?;
        ensure!(position(page).await? == before, "it plays for nobody");
        page.look_at(".player").await?;
        page.wait_for_text(".place", "Step 7 of 7").await
    });
}

#[test]
fn a_hidden_tab_neither_plays_nor_draws() {
    visit(Screen::Desktop, async |page| {
        page.run_first(COUNT_WORK).await?;
        page.open("#/basin").await?;
        page.wait_for_text(".verdict", "at risk").await?;
        page.click("[aria-label='Back to the start']").await?;
        page.look_at(STORM).await?;
        page.click_text(".transport button", "Play").await?;
        page.wait_until("it plays", "document.querySelector('.scrub').value > 0")
            .await?;
        hide(page, true).await?;
        let still = (position(page).await?, drawings(page, STORM).await?);
        ensure!(still.0 < 80, "it came to its end before it was hidden");
        page.slide("input[type=range][name=S]", 6.0).await?;
        page.wait_for_text(".verdict", "recovers").await?;
        frames(page, 30).await?;
        ensure!(
            (position(page).await?, drawings(page, STORM).await?) == still,
            "it goes on in a hidden tab"
        );
        hide(page, false).await?;
        page.look_at(STORM).await?;
        ensure!(
            drawings(page, STORM).await? > still.1,
            "the change is not drawn"
        );
        page.wait_for_text(".doing .place", "Round 40 of 40").await
    });
}

#[test]
fn a_worker_is_sent_for_when_its_answer_is_first_seen() {
    visit(Screen::Desktop, async |page| {
        page.run_first(COUNT_WORK).await?;
        page.open("#/breaker").await?;
        page.find(".laws h2").await?;
        frames(page, 30).await?;
        ensure!(
            page.eval::<u32>("window.workers").await? == 0,
            "a worker is at it before anyone looks"
        );
        page.look_at(".laws h2").await?;
        page.wait_for_text(".laws table", "Token bucket").await?;
        ensure!(page.eval::<u32>("window.workers").await? == 1);
        Ok(())
    });
}

#[test]
fn all_figures_are_there_on_paper() {
    visit(Screen::Phone, async |page| {
        page.run_first(COUNT_WORK).await?;
        page.open("#/basin").await?;
        page.wait_for_text(".verdict", "at risk").await?;
        page.look_at("h1").await?;
        ensure!(drawings(page, STORM).await? == 0, "it is in sight already");
        page.eval::<bool>("window.dispatchEvent(new Event('beforeprint'))")
            .await?;
        ensure!(drawings(page, STORM).await? > 0, "it is blank on paper");
        Ok(())
    });
}
