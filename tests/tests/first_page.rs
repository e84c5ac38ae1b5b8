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

#[test]
fn following_a_link_to_another_page_changes_the_program_and_not_the_document() {
    visit(Screen::Desktop, async |page| {
        page.open("").await?;
        page.wait_for_text("h1", "Why does a healthy system stay broken")
            .await?;
        let _: bool = page.eval("window.document.marked = true").await?;
        page.click("nav a[href='#/breaker']").await?;
        page.wait_for_text("h1", "Can two probes slip through")
            .await?;
        page.wait_until(
            "focus is on the page",
            "document.activeElement.id === 'page'",
        )
        .await?;
        page.wait_until(
            "there is one page at a time",
            "document.querySelectorAll('main').length === 1 && document.querySelectorAll('header.head').length === 1",
        )
        .await?;
        page.click("nav a[href='#/why']").await?;
        page.wait_until(
            "it is another page",
            "document.querySelector('nav [aria-current]')?.hash === '#/why'",
        )
        .await?;
        let _: bool = page.eval("(history.go(-2), true)").await?;
        page.wait_for_text("h1", "Why does a healthy system stay broken")
            .await?;
        page.wait_until("it is the same document", "document.marked === true")
            .await
    });
}
