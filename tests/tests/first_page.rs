use browser_tests::{Screen, visit};

#[test]
fn the_button_counts_and_the_worker_answers() {
    visit(Screen::Desktop, async |page| {
        page.open("").await?;
        page.wait_for_text("p", "the worker says 0").await?;
        page.click("button").await?;
        page.wait_for_text("button", "Counted 1").await?;
        page.wait_for_text("p", "the worker says 1").await
    });
}

#[test]
fn the_page_is_accessible_on_a_phone() {
    visit(Screen::Phone, async |page| {
        page.open("").await?;
        page.find("h1").await?;
        page.ensure_accessible().await
    });
}
