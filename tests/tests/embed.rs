//! A view alone, in a frame of a page elsewhere.

use crate::sight::COUNT_WORK;
use browser_tests::{Page, Preference, Result, Screen, ensure, visit};

/// An ordinary page that embeds three views, with the host script of the README.
const HOST: &str = "three-views.html";
const FRAMES: [&str; 3] = ["#map", "#storm", "#ecs"];

/// Every view, the page it is of, what shows that it is there, and all its controls.
const VIEWS: [(&str, &str, &str, &str); 5] = [
    (
        "basin-map",
        "basin",
        ".map canvas",
        "presets,q0,qd,s,amax,t,b,fixes,map",
    ),
    (
        "storm",
        "basin",
        ".storm canvas",
        "play,presets,q0,qd,s,amax,t,b,fixes,arrivals,schedule,rounds",
    ),
    (
        "phase-plane",
        "why",
        ".plane canvas",
        "play,presets,q0,qd,s,amax,t,b,fixes,fault,rounds",
    ),
    (
        "ecs",
        "ecs",
        ".lane .topology",
        "play,presets,seed,policies,script",
    ),
    (
        "breaker",
        "breaker",
        ".design .machine",
        "play,presets,bounds,steps,log",
    ),
];

const CHROME: &str = "document.querySelectorAll('.head, nav, .foot, .skip, h1').length";

async fn open_host(page: &Page) -> Result<()> {
    page.prefer(&[Preference::Light]).await?;
    page.open_host(HOST).await?;
    for (frame, view) in FRAMES.into_iter().zip([".verdict", ".storm", ".lane"]) {
        page.look_at(frame).await?;
        page.enter_frame(frame).await?;
        page.find(view).await?;
        page.leave_frame().await?;
    }
    Ok(())
}

/// Waits until every frame is as high as what it shows, and none scrolls within.
async fn wait_for_heights(page: &Page) -> Result<()> {
    page.wait_until(
        "every frame is as high as what it shows",
        "[...document.querySelectorAll('iframe')].every(frame => {
            const shown = frame.contentDocument.querySelector('.embed');
            const root = frame.contentDocument.documentElement;
            return shown && Math.ceil(shown.getBoundingClientRect().height) === frame.clientHeight
                && root.scrollHeight <= root.clientHeight && root.scrollWidth <= root.clientWidth;
        })",
    )
    .await
}

#[test]
fn three_views_stand_in_a_post_without_what_surrounds_them_elsewhere() {
    for screen in [Screen::Desktop, Screen::Phone] {
        visit(screen, async |page| {
            open_host(page).await?;
            for frame in FRAMES {
                page.enter_frame(frame).await?;
                ensure!(
                    page.eval::<u32>(CHROME).await? == 0,
                    "{frame} has a header, a footer or a way to other pages"
                );
                page.leave_frame().await?;
            }
            page.enter_frame("#map").await?;
            page.wait_for_text(".verdict", "From Q0 = 18: at risk")
                .await?;
            ensure!(page.pixels(".map canvas").await?.drawn() > 0.1);
            page.leave_frame().await?;
            wait_for_heights(page).await
        });
    }
}

#[test]
fn a_host_of_another_origin_is_told_the_height_too() {
    visit(Screen::Desktop, async |page| {
        page.open_host(HOST).await?;
        // The same machine under another name is another origin, which the frames are not of.
        let (host, frames): (String, String) = page
            .eval("[location.href.replace('127.0.0.1', 'localhost'), location.origin]")
            .await?;
        page.driver().goto(&host).await?;
        page.eval::<()>(&format!(
            "document.querySelectorAll('iframe').forEach(frame => {{
                frame.style.height = '100px';
                frame.src = frame.getAttribute('src').replace('..', '{frames}');
            }})"
        ))
        .await?;
        page.look_at("#map").await?;
        page.wait_until(
            "the frame is given its height",
            "document.querySelector('#map').contentDocument === null && document.querySelector('#map').clientHeight > 400",
        )
        .await
    });
}

#[test]
fn a_frame_grows_and_shrinks_with_what_it_shows() {
    visit(Screen::Desktop, async |page| {
        open_host(page).await?;
        wait_for_heights(page).await?;
        let height = "document.querySelector('#map').clientHeight";
        let before: f64 = page.eval(height).await?;
        page.enter_frame("#map").await?;
        page.click_text(".figure .button", "Show as a table")
            .await?;
        page.leave_frame().await?;
        page.wait_until("it grows", &format!("{height} > {before} + 50"))
            .await?;
        wait_for_heights(page).await?;
        page.enter_frame("#map").await?;
        page.click_text(".figure .button", "Hide the table").await?;
        page.leave_frame().await?;
        page.wait_until("it shrinks", &format!("{height} === {before}"))
            .await
    });
}

#[test]
fn a_theme_that_is_given_is_used_and_not_kept() {
    visit(Screen::Desktop, async |page| {
        open_host(page).await?;
        page.enter_frame("#storm").await?;
        let theme: String = page.eval("document.documentElement.dataset.theme").await?;
        ensure!(theme == "dark", "{theme}");
        let drawn = page.pixels(".storm canvas").await?;
        ensure!(
            drawn.count("#45cfbd") > 500,
            "the plots are not in the dark"
        );
        ensure!(
            page.eval::<bool>("localStorage.getItem('theme') === null")
                .await?
        );
        page.leave_frame().await?;
        page.enter_frame("#map").await?;
        ensure!(
            page.eval::<bool>("document.documentElement.dataset.theme === undefined")
                .await?,
            "the theme of one frame is that of another"
        );
        Ok(())
    });
}

#[test]
fn the_controls_that_are_asked_for_are_there_and_work() {
    visit(Screen::Phone, async |page| {
        open_host(page).await?;
        page.enter_frame("#storm").await?;
        let controls: Vec<String> = page
            .eval("[...document.querySelectorAll('.control')].map(one => one.dataset.control)")
            .await?;
        ensure!(controls == ["play", "q0", "fixes"], "{controls:?}");
        page.slide("input[type=range][name=Q0]", 5.0).await?;
        page.wait_for_text(".doing", "Inside the basin").await?;
        page.wait_until(
            "the dashboard would open with it",
            "/\\/some\\/where\\/#\\/basin\\?.*&q0=5&/.test(document.querySelector('.credit a').href)",
        )
        .await?;
        page.click("[aria-label='Back to the start']").await?;
        page.wait_for_text(".doing .place", "The start, before round 1")
            .await?;
        page.click("[aria-label='One round forward']").await?;
        page.wait_for_text(".doing .place", "Round 1 of 40").await?;
        page.leave_frame().await?;
        page.enter_frame("#map").await?;
        page.click_text(".toggle label", "Retry budget").await?;
        page.wait_for_text(".verdict", "recovers").await
    });
}

#[test]
fn every_control_that_is_offered_is_there() {
    visit(Screen::Desktop, async |page| {
        for (view, of, shows, controls) in VIEWS {
            page.open(&format!("?embed={view}&controls={controls}#/{of}"))
                .await?;
            page.find(shows).await?;
            let there: Vec<String> = page
                .eval(
                    "[...document.querySelectorAll('.control')]
                        .filter(one => one.querySelector('input, button'))
                        .map(one => one.dataset.control)",
                )
                .await?;
            ensure!(there.join(",") == controls, "{view}: {there:?}");
            ensure!(
                page.texts(".misread p").await?.is_empty(),
                "{view} refuses what it offers"
            );
        }
        Ok(())
    });
}

#[test]
fn a_frame_out_of_sight_does_no_work_until_it_is_scrolled_to() {
    visit(Screen::Phone, async |page| {
        page.run_first(COUNT_WORK).await?;
        page.open_host(HOST).await?;
        page.enter_frame("#storm").await?;
        page.find(".storm canvas").await?;
        page.leave_frame().await?;
        page.enter_frame("#ecs").await?;
        page.find(".lane .topology").await?;
        page.wait_until_still().await?;
        let worked: (u32, u32) = page
            .eval("[window.workers, [...document.querySelectorAll('canvas')].filter(one => one.drawings).length]")
            .await?;
        ensure!(worked == (0, 0), "it works out of sight: {worked:?}");
        page.look_at(".lane .series canvas").await?;
        page.wait_until(
            "both systems are simulated",
            "window.workers === 2 && document.querySelectorAll('.outcome strong').length === 2",
        )
        .await?;
        page.wait_until(
            "it is drawn",
            "document.querySelector('.lane .series canvas').drawings > 0",
        )
        .await
    });
}

#[test]
fn what_is_not_understood_is_named_and_the_view_shows_all_the_same() {
    visit(Screen::Desktop, async |page| {
        page.open("?embed=storm&controls=play,tickets&theme=pink#/basin")
            .await?;
        page.find(".storm canvas").await?;
        page.find(".player").await?;
        let refused = page.texts(".misread p").await?;
        ensure!(refused.len() == 2, "{refused:?}");
        ensure!(
            refused[0].contains("controls is “tickets”, but must be one of play, presets, q0,"),
            "{refused:?}"
        );
        ensure!(
            refused[1].contains("theme is “pink”, but must be one of light, dark"),
            "{refused:?}"
        );
        page.ensure_accessible().await?;
        page.open("?embed=tornado#/basin").await?;
        page.wait_for_text(
            ".misread",
            "embed is “tornado”, but must be one of basin-map, storm, phase-plane, ecs, breaker",
        )
        .await?;
        page.find(".credit a").await?;
        page.open("?embed=ecs#/basin").await?;
        page.wait_for_text(".misread", "embed is “ecs”, a view of #/ecs")
            .await?;
        page.open("?embed=storm#/basin?v=1&q0=many").await?;
        page.find(".storm canvas").await?;
        page.wait_for_text(".refusal", "q0 is 'many', but must be")
            .await?;
        page.open("?embed=storm#/nowhere").await?;
        page.wait_for_text(
            ".misread",
            "the page is “nowhere”, but must be one of basin",
        )
        .await
    });
}

#[test]
fn a_view_needs_no_page_in_the_address_and_no_host() {
    visit(Screen::Desktop, async |page| {
        for (view, of, shows, _) in VIEWS {
            page.open(&format!("?embed={view}")).await?;
            page.find(shows).await?;
            ensure!(page.eval::<u32>(CHROME).await? == 0, "{view} has chrome");
            let link: String = page
                .eval("document.querySelector('.credit a').getAttribute('href')")
                .await?;
            let leads = match view {
                "phase-plane" => {
                    link.contains("/some/where/#/why?") && link.ends_with("&tab=plane")
                }
                _ => link.ends_with(&format!("/some/where/#/{of}")),
            };
            ensure!(leads, "{view} leads to {link}");
        }
        Ok(())
    });
}

#[test]
fn every_view_is_accessible_and_fits_the_smallest_phone() {
    for (screen, theme) in [(Screen::Desktop, "light"), (Screen::SmallPhone, "dark")] {
        visit(screen, async |page| {
            for (view, of, shows, controls) in VIEWS {
                page.open(&format!(
                    "?embed={view}&controls={controls}&theme={theme}#/{of}"
                ))
                .await?;
                page.look_at(shows).await?;
                page.wait_until_still().await?;
                page.ensure_accessible().await?;
                let (wide, room): (f64, f64) = page
                    .eval("[document.documentElement.scrollWidth, innerWidth]")
                    .await?;
                ensure!(wide <= room, "{view} is {wide} wide on a screen of {room}");
            }
            Ok(())
        });
    }
}

#[test]
fn the_share_panel_with_the_text_of_a_frame_fits_the_smallest_phone() {
    visit(Screen::SmallPhone, async |page| {
        page.open("#/ecs").await?;
        page.find(".lane").await?;
        page.click_text(".share .button", "Share").await?;
        page.click_text(".embed-text summary", "In a page of yours")
            .await?;
        page.look_at(".embed-text .button").await?;
        page.ensure_accessible().await?;
        let (wide, room): (f64, f64) = page
            .eval("(() => { const panel = document.querySelector('.share-panel'); return [panel.scrollWidth, panel.clientWidth]; })()")
            .await?;
        ensure!(wide <= room, "the panel is {wide} wide in {room}");
        Ok(())
    });
}

#[test]
fn a_post_with_three_views_fits_the_smallest_phone() {
    visit(Screen::SmallPhone, async |page| {
        open_host(page).await?;
        wait_for_heights(page).await?;
        let (wide, room): (f64, f64) = page
            .eval("[document.documentElement.scrollWidth, innerWidth]")
            .await?;
        ensure!(wide <= room, "it is {wide} wide on a screen of {room}");
        Ok(())
    });
}

#[test]
fn the_text_of_a_frame_is_made_in_the_share_panel() {
    visit(Screen::Desktop, async |page| {
        page.open("#/basin").await?;
        page.slide("input[type=range][name=Q0]", 12.0).await?;
        page.wait_for_text(".verdict", "From Q0 = 12").await?;
        page.click_text(".share .button", "Share").await?;
        page.click_text(".embed-text summary", "In a page of yours")
            .await?;
        let text = "document.querySelector('.embed-text textarea').value";
        page.wait_until(
            "the map is offered with its scenario",
            &format!("{text}.includes('?embed=basin-map#/basin?')"),
        )
        .await?;
        page.click_text(".embed-text .segmented label", "What becomes of the run")
            .await?;
        page.click_text(".embed-text .toggle label", "The player")
            .await?;
        page.click_text(".embed-text .toggle label", "Capacity")
            .await?;
        page.click_text(".embed-text .segmented label", "Dark")
            .await?;
        page.fill(".embed-text .number input[type=text]", "700")
            .await?;
        page.wait_until(
            "all that was chosen is in it",
            &format!("{text}.includes('?embed=storm&amp;controls=q0,s&amp;theme=dark#/basin?') && {text}.includes('height: 700px')"),
        )
        .await?;
        page.ensure_accessible().await?;
        // A page that holds both texts shows what the first says, as high as the second makes it.
        page.eval::<()>(
            "(() => {
                const [frame, script] = [...document.querySelectorAll('.embed-text textarea')].map(text => text.value);
                const held = document.createElement('div');
                held.innerHTML = script + frame;
                const code = held.querySelector('script').textContent;
                document.body.replaceChildren(held);
                (0, eval)(code);
            })()",
        )
        .await?;
        page.wait_until(
            "the frame is as high as its view",
            "document.querySelector('iframe').style.height !== '700px'",
        )
        .await?;
        page.enter_frame("iframe").await?;
        page.find("[data-control=s]").await?;
        let q0: String = page
            .eval("document.querySelector('input[type=text][name=Q0]').value")
            .await?;
        ensure!(q0 == "12", "the frame starts from {q0}");
        Ok(())
    });
}
