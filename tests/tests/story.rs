//! The guided story, as its reader meets it.

use browser_tests::{Key, Page, Preference, Result, Screen, ensure, visit};

/// Colours of the light theme, as `style/theme.css` gives them.
const DUPLICATE: &str = "#b3246b";
const DOOMED: &str = "#5d1a3f";

/// Every question, in reading order.
const QUESTIONS: [&str; 11] = [
    "Shock",
    "Orbits",
    "Trap",
    "Quiet",
    "Budget",
    "FreshFirst",
    "Metric",
    "Escalation",
    "Admission",
    "Breaker",
    "Contracts",
];

/// The choice that a start at risk fulfils.
const AT_RISK: &str =
    "It may be trapped: full load can drive it where no run returns; a lull in time saves it";
const RECOVERS: &str = "It recovers: whatever arrives, the queue drains and stays drained";
const ORBITS: &str = "It orbits: under full load it neither drains nor explodes";

async fn open(page: &Page) -> Result<()> {
    page.prefer(&[Preference::Light]).await?;
    page.open("#/story").await?;
    page.wait_for_text("h1", "How a system stays broken after its trouble is over")
        .await
}

fn outcome(question: &str) -> String {
    format!("[data-question={question}] .outcome")
}

/// Predicts, and has the truth shown.
async fn predict(page: &Page, question: &str, choice: &str) -> Result<()> {
    page.click_text(&format!("[data-question={question}] .words"), choice)
        .await?;
    page.click(&format!("[data-question={question}] button[type=submit]"))
        .await?;
    found_out(page, question).await
}

/// Has the truth shown without a prediction.
async fn show(page: &Page, question: &str) -> Result<()> {
    page.click_text(
        &format!("[data-question={question}] .buttons button"),
        "Show me",
    )
    .await?;
    found_out(page, question).await
}

/// Waits until the engine has found out. The long simulation may take its time on a busy machine.
pub(crate) async fn found_out(page: &Page, question: &str) -> Result<()> {
    let found = format!(
        "document.querySelector('[data-question={question}] .outcome:not([data-outcome=pending])')"
    );
    if page
        .wait_until("the engine has found out", &found)
        .await
        .is_err()
    {
        page.wait_until("the engine has found out", &found).await?;
    }
    Ok(())
}

async fn show_all(page: &Page) -> Result<()> {
    for question in QUESTIONS {
        show(page, question).await?;
    }
    Ok(())
}

/// How the outcome is told: `right`, `wrong` or `shown`.
async fn told(page: &Page, question: &str) -> Result<String> {
    page.eval(&format!(
        "document.querySelector({:?}).dataset.outcome",
        outcome(question)
    ))
    .await
}

/// Scrolls to a canvas, which is drawn in sight only, and sees that something is on it.
async fn drawn(page: &Page, canvas: &str) -> Result<()> {
    page.find(canvas).await?;
    page.eval::<serde_json::Value>(&format!(
        "document.querySelector({canvas:?}).scrollIntoView({{ block: 'center' }})"
    ))
    .await?;
    page.wait_until(
        "the figure is drawn",
        &format!("document.querySelector({canvas:?})?.width > 200"),
    )
    .await?;
    let pixels = page.pixels(canvas).await?;
    ensure!(pixels.drawn() > 0.01, "`{canvas}` is blank");
    Ok(())
}

#[test]
fn a_right_prediction_is_said_to_be_right_and_the_run_is_shown() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        page.wait_for_text("[data-step=shock] .cover", "once you have predicted")
            .await?;
        predict(page, "Shock", AT_RISK).await?;
        ensure!(told(page, "Shock").await? == "right");
        page.wait_for_text(&outcome("Shock"), "You foresaw it.")
            .await?;
        page.wait_for_text(&outcome("Shock"), "it is in the trap by round")
            .await?;
        page.wait_for_text(
            "[data-question=Shock] .choice.so .mark",
            "your prediction, and so it is",
        )
        .await?;
        page.wait_for_text("[data-step=shock] .verdict-now", "At risk")
            .await?;
        drawn(page, "[data-step=shock] .storm canvas").await
    });
}

#[test]
fn a_wrong_prediction_is_said_to_be_wrong_and_why() {
    visit(Screen::Phone, async |page| {
        open(page).await?;
        predict(page, "Orbits", RECOVERS).await?;
        ensure!(told(page, "Orbits").await? == "wrong");
        page.wait_for_text(&outcome("Orbits"), "It comes otherwise.")
            .await?;
        page.wait_for_text(&outcome("Orbits"), ORBITS).await?;
        page.wait_for_text("[data-step=orbits] .text", "3 against a capacity of 3")
            .await?;
        drawn(page, "[data-step=orbits] .storm canvas").await
    });
}

#[test]
fn the_keyboard_alone_predicts() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        page.find("[data-question=Shock] input").await?;
        page.eval::<serde_json::Value>(
            "document.querySelector('[data-question=Shock] input').focus()",
        )
        .await?;
        // Nothing chosen yet: said, and nothing given away.
        page.press(Key::Enter).await?;
        page.wait_for_text(
            "[data-question=Shock] .field-error",
            "Choose what you expect first",
        )
        .await?;
        page.press(" ").await?;
        page.press(Key::Down).await?;
        page.press(Key::Down).await?;
        page.press(Key::Tab).await?;
        page.press(Key::Enter).await?;
        page.wait_for_text(&outcome("Shock"), "You foresaw it.")
            .await?;
        page.wait_until(
            "the focus is on the outcome",
            "document.activeElement.querySelector(':scope > .outcome')",
        )
        .await
    });
}

#[test]
fn the_tally_counts_and_predictions_last_beyond_a_look_at_another_page() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        let tally = ".tally [role=status]";
        page.wait_for_text(
            tally,
            "You have not predicted anything yet. 11 are still to come.",
        )
        .await?;
        predict(page, "Shock", AT_RISK).await?;
        predict(page, "Orbits", RECOVERS).await?;
        show(page, "Trap").await?;
        page.wait_for_text(
            tally,
            "You foresaw 1 of 2. 1 was shown to you, and 8 are still to come.",
        )
        .await?;
        page.click("nav[aria-label=Pages] a[href='#/breaker']")
            .await?;
        page.wait_for_text("h1", "Can two probes slip through")
            .await?;
        page.click("nav[aria-label=Pages] a[href='#/story']")
            .await?;
        page.wait_for_text(
            tally,
            "You foresaw 1 of 2. 1 was shown to you, and 8 are still to come.",
        )
        .await?;
        page.wait_for_text(&outcome("Orbits"), "It comes otherwise.")
            .await?;
        page.click_text(".tally button", "Forget my predictions and begin again")
            .await?;
        page.wait_for_text(
            tally,
            "You have not predicted anything yet. 11 are still to come.",
        )
        .await?;
        let left = page.texts("[data-question] .outcome").await?;
        ensure!(left.is_empty(), "{left:?}");
        let chosen = page.texts(".choice.chosen").await?;
        ensure!(chosen.is_empty(), "{chosen:?}");
        Ok(())
    });
}

#[test]
fn where_the_essay_and_the_computation_differ_is_said() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        show(page, "Orbits").await?;
        page.wait_for_text(
            "[data-step=orbits] .differs",
            "The essay puts 7 in its middle band of 7 to 9. Under its own rules 7 recovers",
        )
        .await?;
        page.wait_for_text("[data-step=orbits] .differs", "All of the 21 states")
            .await?;
        show(page, "Trap").await?;
        page.wait_for_text(&outcome("Trap"), AT_RISK).await?;
        page.wait_for_text("[data-step=trap] .differs", "The essay calls this “doomed”")
            .await
    });
}

#[test]
fn the_runs_are_live() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        show(page, "Shock").await?;
        let canvas = "[data-step=shock] .storm canvas";
        drawn(page, canvas).await?;
        let storm = page.pixels(canvas).await?.count(DUPLICATE);
        page.slide("[data-step=shock] .moved input[type=range]", 5.0)
            .await?;
        page.wait_for_text("[data-step=shock] .verdict-now", "Recovers")
            .await?;
        page.wait_for_text("[data-step=shock] .doing", "Inside the basin")
            .await?;
        let calm = page.pixels(canvas).await?.count(DUPLICATE);
        ensure!(
            storm > calm + 1_000,
            "{storm} pixels of duplicates, then {calm}"
        );
        // The map starts a run where it is pressed.
        show(page, "Trap").await?;
        drawn(page, "[data-step=trap] .map canvas").await?;
        let map = page.pixels("[data-step=trap] .map canvas").await?;
        ensure!(map.count(DOOMED) > 500, "the map has no doomed starts");
        page.click_at("[data-step=trap] .map", 0.9, 0.4).await?;
        page.wait_for_text("[data-step=trap] .verdict", "doomed")
            .await
    });
}

#[test]
fn silence_a_budget_and_fresh_work_first_do_what_is_computed() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        predict(page, "Quiet", "Only 20").await?;
        ensure!(told(page, "Quiet").await? == "right");
        predict(page, "Budget", ORBITS).await?;
        ensure!(told(page, "Budget").await? == "right");
        let budgets = page
            .texts("[aria-label='Budgets compared'] tbody tr")
            .await?;
        ensure!(
            budgets[0].contains("2 < 3") && budgets[0].contains("recovers"),
            "{budgets:?}"
        );
        ensure!(
            budgets[1].contains("3 = 3") && budgets[1].contains("orbits"),
            "{budgets:?}"
        );
        page.slide("[data-step=budget] .moved input[type=range]", 0.0)
            .await?;
        page.wait_for_text("[data-step=budget] .verdict-now", "Recovers")
            .await?;
        predict(page, "FreshFirst", "It takes more than four times as long").await?;
        ensure!(told(page, "FreshFirst").await? == "right");
        page.wait_for_text(&outcome("FreshFirst"), "289 rounds, against 66")
            .await?;
        page.wait_for_text(
            "[data-step=fresh-first] .text",
            "healthy in 66 rounds (the essay says about 70)",
        )
        .await
    });
}

#[test]
fn the_metric_rises_while_the_work_does_not() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        predict(page, "Metric", "It stays the same, to within 2%").await?;
        ensure!(told(page, "Metric").await? == "right");
        page.wait_for_text(&outcome("Metric"), "Acquisitions are 5 times as many")
            .await?;
        drawn(page, "[data-step=metric] .series canvas").await?;
        page.slide("[data-step=metric] .moved input[type=range]", 20.0)
            .await?;
        page.wait_for_text(
            "[data-step=metric] .figure > .only-heard",
            "Most long tickets 20.",
        )
        .await
    });
}

#[test]
fn two_controllers_do_not_come_back_and_admission_control_is_compared() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        predict(page, "Escalation", "Less than half").await?;
        ensure!(told(page, "Escalation").await? == "right");
        page.wait_for_text("[data-step=escalation] .text", "By its own metric")
            .await?;
        drawn(page, "[data-step=escalation] .series canvas").await?;
        predict(page, "Admission", "More than without the guard").await?;
        ensure!(told(page, "Admission").await? == "wrong");
        page.wait_until(
            "all five are compared",
            "document.querySelectorAll('[aria-label=\"Admission controls compared\"] tbody tr').length === 5",
        )
        .await?;
        drawn(page, "[data-step=admission] .series canvas").await?;
        page.click_text("[data-step=admission] .segmented label", "Distress bit")
            .await?;
        page.wait_for_text("[data-step=admission] .lane-head h2", "distress bit")
            .await
    });
}

#[test]
fn the_double_probe_and_the_ledger_are_shown() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        predict(page, "Breaker", "In the naive design only").await?;
        ensure!(told(page, "Breaker").await? == "right");
        page.wait_for_text(
            "[data-step=breaker] [data-variant=hardened] .outcome",
            "a probe is in flight",
        )
        .await?;
        predict(page, "Contracts", "Both").await?;
        ensure!(told(page, "Contracts").await? == "wrong");
        page.wait_for_text(&outcome("Contracts"), "no component is at fault")
            .await?;
        drawn(
            page,
            "[data-step=contracts] .storm > canvas, [data-step=contracts] .storm > .canvas canvas",
        )
        .await
    });
}

#[test]
fn a_chapter_has_an_address_of_its_own() {
    visit(Screen::Desktop, async |page| {
        page.open("#/story?v=1&at=trap").await?;
        page.wait_for_text(".contents [aria-current=step]", "4")
            .await?;
        page.wait_until(
            "the chapter is at the top, under the row of chapters",
            "(top => top > -5 && top < 300)(document.querySelector('#story-trap h2').getBoundingClientRect().top)",
        )
        .await?;
        page.click(".contents a[title=Silence]").await?;
        page.wait_for_text(".contents [aria-current=step]", "5")
            .await?;
        ensure!(page.address().await?.ends_with("#/story?v=1&at=quiet"));
        // Reading on takes the address along, and Back leaves the story where it was entered.
        page.eval::<serde_json::Value>("document.querySelector('#story-budget').scrollIntoView()")
            .await?;
        page.wait_for_text(".contents [aria-current=step]", "6")
            .await?;
        page.wait_until("the address follows", "location.hash.endsWith('at=budget')")
            .await?;
        page.open("#/story?at=epilogue").await?;
        page.wait_for_text(".refusal", "at is 'epilogue'").await
    });
}

#[test]
fn a_chapter_leads_to_its_page_with_the_scenario() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        show(page, "Shock").await?;
        page.click("[data-step=shock] .go-on a").await?;
        page.wait_for_text(".verdict", "From Q0 = 12: at risk")
            .await?;
        page.open("#/story").await?;
        show(page, "Admission").await?;
        page.click("[data-step=admission] .go-on a").await?;
        page.wait_for_text(".lane-head h2", "latency signal")
            .await?;
        // Back again, in the chapter that was left, with what was shown.
        page.driver().back().await?;
        page.wait_for_text(".contents [aria-current=step]", "10")
            .await?;
        found_out(page, "Admission").await
    });
}

#[test]
fn the_first_page_invites_to_the_story() {
    visit(Screen::Phone, async |page| {
        page.open("").await?;
        page.click_text(".invitation a", "Read it as a story")
            .await?;
        page.wait_for_text("h1", "How a system stays broken").await
    });
}

#[test]
fn all_of_it_is_accessible_in_light_and_dark() {
    visit(Screen::Desktop, async |page| {
        open(page).await?;
        show_all(page).await?;
        page.ensure_accessible().await?;
        page.prefer(&[Preference::Dark]).await?;
        page.ensure_accessible().await
    });
}

#[test]
fn the_smallest_phone_shows_all_of_it_without_scrolling_sideways() {
    visit(Screen::SmallPhone, async |page| {
        open(page).await?;
        show_all(page).await?;
        let (inner, scroll): (f64, f64) = page
            .eval("[innerWidth, document.documentElement.scrollWidth]")
            .await?;
        ensure!(
            scroll <= inner,
            "{scroll} pixels wide on a screen of {inner}"
        );
        let small: Vec<String> = page
            .eval(
                "[...document.querySelectorAll('.story .contents a, .story .choice, .story .go-on a, .story .buttons button')]
                    .filter(element => element.checkVisibility())
                    .filter(element => { const box = element.getBoundingClientRect(); return box.width < 24 || box.height < 24 })
                    .map(element => element.outerHTML)",
            )
            .await?;
        ensure!(small.is_empty(), "too small to touch: {small:?}");
        page.ensure_accessible().await
    });
}
