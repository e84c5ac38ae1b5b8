//! Every page on every screen, in every theme, by keyboard and in words.

use browser_tests::{Key, Page, Preference, Result, Screen, ensure, visit};

/// The fragments of every page, as the navigation lists them.
async fn pages(page: &Page) -> Result<Vec<String>> {
    page.open("").await?;
    page.find("nav a[aria-current=page]").await?;
    page.eval("[...document.querySelectorAll('nav a')].map(link => link.hash)")
        .await
}

async fn open(page: &Page, address: &str) -> Result<()> {
    page.open(address).await?;
    // Until its program is there, the page before it stays.
    page.wait_until(
        "the page is there",
        &format!("document.querySelector('nav a[aria-current=page]')?.hash === '{address}'"),
    )
    .await?;
    page.wait_until_still().await
}

async fn ensure_it_fits(page: &Page, address: &str) -> Result<()> {
    let spilling: Vec<String> = page
        .eval(
            "document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('body *')]
                .filter(element => element.getBoundingClientRect().right > innerWidth + 1)
                .map(element => element.outerHTML.slice(0, 120))",
        )
        .await?;
    ensure!(
        spilling.is_empty(),
        "{address} scrolls sideways: {spilling:#?}"
    );
    Ok(())
}

#[test]
fn every_page_fits_and_is_accessible_on_every_screen_in_every_theme() {
    for (screen, preference) in [
        (Screen::Desktop, Preference::Light),
        (Screen::Desktop, Preference::ForcedColours),
        (Screen::Phone, Preference::Light),
        (Screen::SmallPhone, Preference::Dark),
    ] {
        visit(screen, async |page| {
            for address in pages(page).await? {
                page.prefer(&[preference]).await?;
                open(page, &address).await?;
                ensure_it_fits(page, &address).await?;
                page.ensure_accessible().await?;
            }
            Ok(())
        });
    }
}

#[test]
fn every_page_fits_a_wide_screen_and_one_of_320_pixels() {
    visit(Screen::Desktop, async |page| {
        for address in pages(page).await? {
            for (width, height) in [(2560, 1300), (320, 640)] {
                page.resize(width, height).await?;
                open(page, &address).await?;
                ensure_it_fits(page, &address).await?;
            }
        }
        Ok(())
    });
}

#[test]
fn every_plot_says_in_words_what_it_shows() {
    visit(Screen::Desktop, async |page| {
        for address in pages(page).await? {
            open(page, &address).await?;
            let silent: Vec<String> = page
                .eval(
                    "[...document.querySelectorAll('main canvas')].filter(canvas => {
                        const figure = canvas.closest('[aria-describedby]');
                        const words = document.getElementById(figure?.getAttribute('aria-describedby'));
                        return !(words?.textContent.trim().length > 20);
                    }).map(canvas => (canvas.closest('figure, section') ?? canvas).textContent.slice(0, 80))",
                )
                .await?;
            ensure!(silent.is_empty(), "on {address} without words: {silent:#?}");
        }
        Ok(())
    });
}

/// What has focus now: which element by its place in the document, whether it can be seen, and whether it shows that it
/// has focus.
const FOCUS: &str = "(() => {
    const at = document.activeElement;
    if (!at || at === document.body) return null;
    const place = [...document.querySelectorAll('*')].indexOf(at);
    const box = at.getBoundingClientRect();
    const seen = box.bottom > 0 && box.top < innerHeight && box.width > 0;
    const shows = (style) => style.outlineStyle !== 'none' || style.boxShadow !== 'none';
    // A control may show it on what stands for it: its label, or what is beside it.
    const around = [at, at.parentElement, at.nextElementSibling, at.labels?.[0]].filter(Boolean);
    const shown = around.some(element => shows(getComputedStyle(element)));
    return [place, seen, shown, at.outerHTML.slice(0, 120)];
})()";

#[test]
fn every_control_is_reached_by_the_tabulator_and_shows_that_it_is() {
    visit(Screen::Desktop, async |page| {
        for address in pages(page).await? {
            open(page, &address).await?;
            // Radio buttons of a group are one stop; what is in a closed fold is none.
            let controls: usize = page
                .eval(
                    "(() => {
                        const groups = new Set();
                        return [...document.querySelectorAll('main :is(a[href], button, input, select, textarea, summary)')]
                            .filter(element => !element.disabled && element.tabIndex >= 0 && element.checkVisibility())
                            .filter(element => element.type !== 'radio' || !groups.has(element.name) && groups.add(element.name))
                            .length;
                    })()",
                )
                .await?;
            let mut reached = std::collections::HashSet::new();
            for _ in 0..controls + 40 {
                page.press(Key::Tab).await?;
                let focus: Option<(usize, bool, bool, String)> = page.eval(FOCUS).await?;
                let Some((place, seen, shown, what)) = focus else {
                    break;
                };
                ensure!(seen, "on {address} focus is out of sight, on {what}");
                ensure!(shown, "on {address} nothing shows that focus is on {what}");
                reached.insert(place);
            }
            ensure!(
                reached.len() >= controls && controls > 5,
                "on {address} the tabulator reaches {} of {controls} controls and the navigation",
                reached.len()
            );
        }
        Ok(())
    });
}
