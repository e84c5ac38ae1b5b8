use browser_tests::{Screen, visit};

#[test]
fn the_front_page_asks_its_question() {
    visit(Screen::Desktop, async |page| {
        page.open("").await?;
        page.wait_for_text("h1", "Why does a healthy system stay broken")
            .await
    });
}

#[test]
fn an_address_that_names_no_page_says_so_and_lists_those_there_are() {
    visit(Screen::Desktop, async |page| {
        page.open("#/nowhere").await?;
        page.wait_for_text("h1", "There is no page named “nowhere”")
            .await?;
        page.click("main a[href='#/basin']").await?;
        page.wait_for_text("h1", "Why does a healthy system stay broken")
            .await
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
