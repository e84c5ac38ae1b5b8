//! What is typed, chosen and pressed: it is what is in force, whatever is loaded or taken away meanwhile.

use browser_tests::{Key, Page, Result, Screen, ensure, visit};
use serde_json::json;

/// Checks that the page has not stopped after `what`.
async fn ensure_it_goes_on(page: &Page, what: &str) -> Result<()> {
    let stopped: bool = page
        .eval("!document.querySelector('#failure').hidden")
        .await?;
    ensure!(!stopped, "the page has stopped after {what}");
    Ok(())
}

/// Goes to `address` as a link does, types into the field of `css`, and goes back with the focus still in it.
async fn type_and_go_back(page: &Page, address: &str, css: &str) -> Result<()> {
    page.follow(address).await?;
    page.look_at(css).await?;
    page.click(css).await?;
    page.press("7").await?;
    page.driver().back().await?;
    page.wait_until(
        "the field is gone",
        &format!("!document.querySelector({})", json!(css)),
    )
    .await?;
    ensure_it_goes_on(page, address).await
}

#[test]
fn a_field_that_goes_as_it_is_typed_in_stops_nothing() {
    visit(Screen::Desktop, async |page| {
        page.open("#/basin").await?;
        page.wait_for_text(".verdict", "From Q0 = 18").await?;
        for (address, css) in [
            ("#/basin?v=1&do=10:shock:20", ".change input"),
            (
                "#/basin?v=1&arrivals=random:4",
                "input[type=text][name=Seed]",
            ),
            ("#/basin?v=1&gate=breaker:3,5", "input[type=text][name=F]"),
        ] {
            type_and_go_back(page, address, css).await?;
        }
        page.open("#/why?v=1").await?;
        page.wait_for_text(".said", "From 18 fresh").await?;
        type_and_go_back(page, "#/why?v=1&tab=maps", ".axis input").await?;
        let address = page.address().await?;
        ensure!(
            !address.contains("x="),
            "what was half typed is in {address}"
        );
        page.open("#/ecs?v=1&do=none").await?;
        page.wait_for_text("[data-script=summary]", "Nothing happens")
            .await?;
        type_and_go_back(page, "#/ecs", ".entry-row input").await?;
        // Words that are explained hear that the focus has left them, too.
        page.open("#/basin").await?;
        page.click_text(".lead .term", "duplicates").await?;
        page.follow("#/nowhere").await?;
        page.wait_for_text("#page h1", "There is no page named")
            .await?;
        ensure_it_goes_on(page, "a word that is explained").await
    });
}

#[test]
fn what_ends_after_its_page_has_gone_stops_nothing() {
    visit(Screen::Desktop, async |page| {
        page.open("#/basin").await?;
        page.wait_for_text(".verdict", "From Q0 = 18").await?;
        for kind in ["PNG", "CSV"] {
            page.eval::<bool>(&format!(
                "(() => {{
                    const buttons = [...document.querySelectorAll('.storm-figure .take button, .take button')];
                    buttons.findLast(button => button.textContent.includes('{kind}')).click();
                    location.hash = '#/breaker';
                    return true;
                }})()"
            ))
            .await?;
            page.wait_for_text("#page h1", "Can two probes").await?;
            page.wait_until_still().await?;
            ensure_it_goes_on(page, kind).await?;
            page.follow("#/basin").await?;
            page.wait_for_text(".verdict", "From Q0 = 18").await?;
        }
        Ok(())
    });
}

/// The value of the first element of `css`, and whether it is said to be wrong.
async fn field(page: &Page, css: &str) -> Result<(String, bool)> {
    page.eval(&format!(
        "(field => [field.value, field.ariaInvalid === 'true'])(document.querySelector({}))",
        json!(css)
    ))
    .await
}

async fn ensure_field(page: &Page, css: &str, value: &str, is_wrong: bool) -> Result<()> {
    page.wait_until(
        &format!("`{css}` shows {value}"),
        &format!(
            "document.querySelector({})?.value === '{value}'",
            json!(css)
        ),
    )
    .await?;
    let shown = field(page, css).await?;
    ensure!(shown == (value.to_owned(), is_wrong), "{css}: {shown:?}");
    Ok(())
}

const S: &str = "input[type=text][name=S]";

#[test]
fn what_was_refused_is_past_when_something_else_is_loaded() {
    visit(Screen::Desktop, async |page| {
        page.open("#/basin").await?;
        page.wait_for_text(".verdict", "From Q0 = 18").await?;
        page.fill(S, "abc").await?;
        ensure_field(page, S, "abc", true).await?;
        // The capacity in force is the same.
        page.click_text(".presets .title", "Inside the basin")
            .await?;
        ensure_field(page, S, "3", false).await?;
        page.fill(S, "abc").await?;
        page.follow("#/basin?v=1&q0=9").await?;
        ensure_field(page, S, "3", false).await?;
        // Other words for the number in force, and a comma that sets no thousands apart.
        page.fill(S, "0003").await?;
        ensure_field(page, S, "3", false).await?;
        page.fill(S, "1,8").await?;
        ensure_field(page, S, "1,8", true).await?;
        // An error goes with its row, and a row that takes its number has its own text.
        page.follow("#/basin?v=1&do=10:shock:20;20:budget:1")
            .await?;
        let round = ".change input";
        ensure_field(page, round, "10", false).await?;
        page.fill(round, "abc").await?;
        page.wait_for_text(".change .field-error", "must be a whole number")
            .await?;
        page.click("[aria-label='Remove change 1']").await?;
        let focused: String = page.eval("document.activeElement.innerText").await?;
        ensure!(
            focused == "Add a shock or a fix",
            "the focus is at {focused}"
        );
        ensure_field(page, round, "20", false).await?;
        page.wait_until(
            "no error is told",
            "document.querySelector('.change .field-error').hidden",
        )
        .await?;
        page.open("#/ecs").await?;
        let until = "[data-field=until_s]";
        page.fill(until, "20").await?;
        page.wait_for_text(".entry-row .field-error", "The last good run")
            .await?;
        page.click_text(".presets .title", "Two controllers fail together")
            .await?;
        ensure_field(page, until, "45", false).await?;
        page.wait_for_text(
            "[data-script=summary]",
            "long arrivals × 30 from 30 to 45 s",
        )
        .await
    });
}

#[test]
fn a_place_that_is_refused_leaves_the_slider_where_it_is_in_force() {
    visit(Screen::Desktop, async |page| {
        page.open("#/ecs?v=1&preset=naive-overload").await?;
        page.click_text(".controls summary", "Knobs of A").await?;
        let (least, most) = ("Fewest short tickets", "Most short tickets");
        page.fill(&format!("input[type=text][name='{most}']"), "20")
            .await?;
        page.slide(&format!("input[type=range][name='{least}']"), 60.0)
            .await?;
        let text = format!("input[type=text][name='{least}']");
        page.wait_until(
            "it is refused",
            &format!("document.querySelector(\"{text}\").ariaInvalid === 'true'"),
        )
        .await?;
        let slider = field(page, &format!("input[type=range][name='{least}']")).await?;
        ensure!(slider.0 != "60", "the slider stays at {slider:?}");
        Ok(())
    });
}

#[test]
fn a_choice_follows_the_history() {
    visit(Screen::Desktop, async |page| {
        page.open("#/why?v=1&tab=maps").await?;
        let across = ".axis select";
        ensure_field(page, across, "q0", false).await?;
        page.eval::<bool>(
            "(select => {
                select.value = 's';
                return select.dispatchEvent(new Event('change', { bubbles: true }));
            })(document.querySelector('.axis select'))",
        )
        .await?;
        page.wait_until("it is in the address", "location.hash.includes('x=s:')")
            .await?;
        page.driver().back().await?;
        ensure_field(page, across, "q0", false).await?;
        page.driver().forward().await?;
        ensure_field(page, across, "s", false).await
    });
}

#[test]
fn a_button_that_can_do_no_more_keeps_the_focus() {
    visit(Screen::Desktop, async |page| {
        page.open("#/basin").await?;
        page.wait_for_text(".verdict", "From Q0 = 18").await?;
        page.click("[aria-label='Back to the start']").await?;
        page.wait_for_text(".place", "The start").await?;
        let focused: String = page.eval("document.activeElement.ariaLabel").await?;
        ensure!(focused == "Back to the start", "the focus is at {focused}");
        // Pressed again it does nothing, and the player still hears keys.
        page.press(Key::Enter).await?;
        page.press(Key::Right).await?;
        page.wait_for_text(".place", "Round 1 of").await
    });
}

#[test]
fn keys_and_buttons_of_the_browser_are_left_to_it() {
    visit(Screen::Desktop, async |page| {
        page.open("#/why?v=1&tab=plane").await?;
        page.click_text("[role=tab]", "Phase plane").await?;
        for key in [Key::Left, Key::Home] {
            page.driver()
                .action_chain()
                .key_down(Key::Alt)
                .key_down(Key::Control)
                .send_keys(key)
                .key_up(Key::Control)
                .key_up(Key::Alt)
                .perform()
                .await?;
        }
        page.wait_for_text("[role=tab][aria-selected=true]", "Phase plane")
            .await?;
        page.open("#/basin").await?;
        page.wait_for_text(".place", "Round 40 of 40").await?;
        let storm = page.find(".storm").await?;
        storm.scroll_into_view().await?;
        page.driver()
            .action_chain()
            .context_click_element(&storm)
            .perform()
            .await?;
        page.press(Key::Escape).await?;
        page.wait_for_text(".place", "Round 40 of 40").await
    });
}

#[test]
fn a_page_that_there_is_not_has_nothing_to_share() {
    visit(Screen::Desktop, async |page| {
        page.open("#/basin?v=1&q0=9").await?;
        page.wait_for_text(".verdict", "From Q0 = 9").await?;
        page.click_text(".share .button", "Share").await?;
        page.wait_for_text("dialog section h3", "Its address")
            .await?;
        page.follow("#/nowhere").await?;
        page.wait_until(
            "the panel is closed, since what it offered is past",
            "!document.querySelector('.share-panel').open",
        )
        .await?;
        page.wait_until(
            "there is nothing to share",
            "document.querySelector('.share > .button').ariaDisabled === 'true'",
        )
        .await
    });
}
