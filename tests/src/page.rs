//! The page as a reader meets it: what it says, what is drawn, what can be pressed.

use std::cell::RefCell;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use thirtyfour::TypingData;
use thirtyfour::prelude::*;

use crate::site::Site;
use crate::{Pixels, Preference, Screen};

/// How long a page may take for anything it is waited for: generous, since machines may be busy.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often it is looked at meanwhile.
const PERIOD: Duration = Duration::from_millis(50);

/// A page in a browser of its own. Elements are named by CSS selectors; whatever is not there yet
/// is waited for, at most 20 seconds.
pub struct Page {
    driver: WebDriver,
    screen: Screen,
    site: &'static Site,
    console: RefCell<Vec<String>>,
}

/// One rule of accessibility that the page breaks, as axe-core tells it.
#[derive(Debug, Clone, Deserialize)]
pub struct Violation {
    /// The rule, such as `color-contrast`.
    pub id: String,
    /// What it asks.
    pub help: String,
    /// The elements that break it.
    pub nodes: Vec<ViolatingNode>,
}

/// One element that breaks a rule.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ViolatingNode {
    /// Its markup, shortened.
    pub html: String,
    /// What is wrong with it.
    #[serde(default)]
    pub failure_summary: String,
}

impl Page {
    pub(crate) fn new(driver: WebDriver, screen: Screen, site: &'static Site) -> Self {
        Self {
            driver,
            screen,
            site,
            console: RefCell::default(),
        }
    }

    pub(crate) async fn close(self) -> Result<()> {
        Ok(self.driver.quit().await?)
    }

    /// The underlying session, for the rare thing this page has no word for.
    pub fn driver(&self) -> &WebDriver {
        &self.driver
    }

    /// The screen it is shown on.
    pub fn screen(&self) -> Screen {
        self.screen
    }

    // Going somewhere

    /// Opens an address of the bundle, such as `"?q0=18"`; `""` is its front page.
    pub async fn open(&self, address: &str) -> Result<()> {
        self.goto(self.site.bundle(address)).await
    }

    /// Goes to another address as a link within the page would: nothing is loaded anew but what that needs.
    pub async fn follow(&self, address: &str) -> Result<()> {
        self.eval::<Value>(&format!("(location.hash = {}, null)", json!(address)))
            .await?;
        Ok(())
    }

    /// Opens a page of `tests/pages`, which is served beside the bundle: one that embeds it. There
    /// the bundle's address is `../some/where/`.
    pub async fn open_host(&self, file: &str) -> Result<()> {
        self.goto(self.site.host(file)).await
    }

    /// Has `script` run in every document from now on, those in frames too, before any script of its own.
    pub async fn run_first(&self, script: &str) -> Result<()> {
        self.devtools(
            "Page.addScriptToEvaluateOnNewDocument",
            json!({ "source": script }),
        )
        .await
    }

    /// Goes into the frame of `css`: what is read and done from then on is of the page in it.
    pub async fn enter_frame(&self, css: &str) -> Result<()> {
        let frame = self.find(css).await?;
        Ok(frame.enter_frame().await?)
    }

    /// Comes back to the page around all frames.
    pub async fn leave_frame(&self) -> Result<()> {
        Ok(self.driver.enter_default_frame().await?)
    }

    async fn goto(&self, address: String) -> Result<()> {
        self.driver
            .goto(&address)
            .await
            .with_context(|| format!("{address} does not open"))
    }

    /// The address shown, from the bundle's front page on: `?q0=18#story`.
    pub async fn address(&self) -> Result<String> {
        let address = self.driver.current_url().await?;
        let start = self.site.bundle("");
        Ok(address
            .as_str()
            .strip_prefix(&start)
            .unwrap_or(address.as_str())
            .to_owned())
    }

    // Reading

    /// The first element of `css`, as soon as there is one.
    pub async fn find(&self, css: &str) -> Result<WebElement> {
        let start = Instant::now();
        loop {
            if let Some(element) = self.driver.find_all(By::Css(css)).await?.into_iter().next() {
                return Ok(element);
            }
            ensure!(start.elapsed() < PATIENCE, "there is no `{css}`");
            tokio::time::sleep(PERIOD).await;
        }
    }

    /// The first element of `css` whose visible text is exactly `text`, as soon as there is one.
    pub async fn find_with_text(&self, css: &str, text: &str) -> Result<WebElement> {
        let start = Instant::now();
        let script = "return [...document.querySelectorAll(arguments[0])]
            .find(element => element.innerText.trim() === arguments[1]) ?? null";
        loop {
            let found = self
                .driver
                .execute(script, vec![json!(css), json!(text)])
                .await?;
            if !found.json().is_null() {
                return Ok(found.element()?);
            }
            if start.elapsed() > PATIENCE {
                bail!(
                    "no `{css}` says \"{text}\"; they say {:?}",
                    self.texts(css).await?
                );
            }
            tokio::time::sleep(PERIOD).await;
        }
    }

    /// The visible text of the first element of `css`.
    pub async fn text(&self, css: &str) -> Result<String> {
        Ok(self.find(css).await?.text().await?)
    }

    /// The visible texts of all elements of `css`, now.
    pub async fn texts(&self, css: &str) -> Result<Vec<String>> {
        self.eval(&format!(
            "[...document.querySelectorAll({})].map(element => element.innerText)",
            json!(css)
        ))
        .await
    }

    /// The value of a JavaScript expression; a promise is awaited.
    pub async fn eval<T: DeserializeOwned>(&self, expression: &str) -> Result<T> {
        let script = format!("return ({expression});");
        let value = self
            .driver
            .execute(script, vec![])
            .await
            .with_context(|| format!("`{expression}` cannot be evaluated"))?;
        serde_json::from_value(value.json().clone())
            .with_context(|| format!("`{expression}` is {}", value.json()))
    }

    /// What is drawn on the first canvas of `css`, which is looked at: nothing is drawn out of sight.
    pub async fn pixels(&self, css: &str) -> Result<Pixels> {
        self.look_at(css).await?;
        let canvas = self.find(css).await?;
        let script = format!("const element = arguments[0]; {}", Pixels::COUNT);
        let value = self.driver.execute(script, vec![canvas.to_json()?]).await?;
        Ok(value.convert()?)
    }

    // Waiting

    /// Waits until a JavaScript expression is true; `what` says in words what should have been.
    pub async fn wait_until(&self, what: &str, expression: &str) -> Result<()> {
        let start = Instant::now();
        loop {
            let value: Value = self.eval(expression).await?;
            let holds = match &value {
                Value::Null | Value::Bool(false) => false,
                Value::String(text) => !text.is_empty(),
                Value::Number(number) => number.as_f64() != Some(0.0),
                _ => true,
            };
            if holds {
                return Ok(());
            }
            ensure!(
                start.elapsed() < PATIENCE,
                "not so within {PATIENCE:?}: {what} (`{expression}` is {value})"
            );
            tokio::time::sleep(PERIOD).await;
        }
    }

    /// Waits until the first element of `css` shows a text that has `words` in it.
    pub async fn wait_for_text(&self, css: &str, words: &str) -> Result<()> {
        // What is not shown has an inner text too.
        let first = format!(
            "(element => element?.checkVisibility() ? element.innerText : null)(document.querySelector({}))",
            json!(css)
        );
        let start = Instant::now();
        loop {
            let text: Option<String> = self.eval(&first).await?;
            if text.as_ref().is_some_and(|text| text.contains(words)) {
                return Ok(());
            }
            ensure!(
                start.elapsed() < PATIENCE,
                "`{css}` does not say \"{words}\" within {PATIENCE:?}; it says {text:?}"
            );
            tokio::time::sleep(PERIOD).await;
        }
    }

    /// Waits until the page has all its content and has not changed for a third of a second, or for
    /// three seconds if it never rests.
    pub async fn wait_until_still(&self) -> Result<()> {
        self.wait_until("the page has content", "document.body.innerText.trim()")
            .await?;
        self.wait_until(
            "nothing is still to come",
            "!document.querySelector('[data-coming]')",
        )
        .await?;
        self.eval::<Value>(
            "new Promise(done => {
                let rest = setTimeout(done, 333);
                setTimeout(done, 3000);
                new MutationObserver(() => {
                    clearTimeout(rest);
                    rest = setTimeout(done, 333);
                }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
            })",
        )
        .await?;
        Ok(())
    }

    /// Waits until no work is under way, four times as long as for anything else.
    pub async fn wait_until_done(&self) -> Result<()> {
        let mut rests = Ok(());
        for _ in 0..4 {
            rests = self
                .wait_until("it rests", "!document.querySelector('main progress')")
                .await;
            if rests.is_ok() {
                break;
            }
        }
        rests
    }

    /// How long each task of the page's own thread was at work since the page was opened, in milliseconds, the longest
    /// first; for [`visit_traced`](crate::visit_traced) alone. It is the thread's time on the processor: what other
    /// programs take of it meanwhile is not counted.
    pub async fn tasks(&self) -> Result<Vec<f64>> {
        let entries = self.driver.get_log("performance").await?;
        let events: Vec<Value> = entries
            .iter()
            .map(|entry| Ok(serde_json::from_str::<Value>(&entry.message)?["message"].take()))
            .collect::<Result<_>>()?;
        let events = events
            .iter()
            .filter(|event| event["method"] == "Tracing.dataCollected")
            .map(|event| &event["params"]);
        let thread = |event: &Value| (event["pid"].as_u64(), event["tid"].as_u64());
        // The browser has pages of its own: the process is the one that asks for the bundle, the thread its main one.
        let asks = |event: &&Value| {
            let asked = event["args"]["data"]["url"].as_str().unwrap_or_default();
            event["name"] == "ResourceSendRequest" && asked.starts_with(&self.site.bundle(""))
        };
        let process = events.clone().find(asks).map(|event| thread(event).0);
        let is_main = |event: &&Value| {
            event["name"] == "thread_name"
                && event["args"]["name"] == "CrRendererMain"
                && Some(thread(event).0) == process
        };
        let main = events.clone().find(is_main).map(thread);
        ensure!(main.is_some(), "the browser tells of no task of the page");
        let mut tasks: Vec<f64> = events
            .filter(|event| event["name"] == "RunTask" && Some(thread(event)) == main)
            .filter_map(|event| Some(event["tdur"].as_f64()? / 1e3))
            .collect();
        tasks.sort_by(|a, b| b.total_cmp(a));
        Ok(tasks)
    }

    // Doing

    /// Scrolls as far as it takes to see the first element of `css`, and waits until the page has taken notice.
    pub async fn look_at(&self, css: &str) -> Result<()> {
        let element = self.find(css).await?;
        // This observer is the youngest, so it is called after the page's own.
        let script = "const [element] = arguments;
            element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
            return new Promise(done => new IntersectionObserver((_, observer) => {
                observer.disconnect();
                setTimeout(done);
            }).observe(element));";
        self.driver
            .execute(script, vec![element.to_json()?])
            .await
            .with_context(|| format!("`{css}` cannot be looked at"))?;
        Ok(())
    }

    /// Presses the first element of `css` with the mouse or a finger.
    pub async fn click(&self, css: &str) -> Result<()> {
        self.press_element(&self.find(css).await?)
            .await
            .with_context(|| format!("`{css}` cannot be pressed"))
    }

    /// Presses the first element of `css` whose visible text is exactly `text`.
    pub async fn click_text(&self, css: &str, text: &str) -> Result<()> {
        self.press_element(&self.find_with_text(css, text).await?)
            .await
            .with_context(|| format!("the `{css}` that says \"{text}\" cannot be pressed"))
    }

    async fn press_element(&self, element: &WebElement) -> Result<()> {
        element.scroll_into_view().await?;
        Ok(element.click().await?)
    }

    /// Presses a place of the first element of `css`, given in shares of its width and height: (0, 0) is
    /// its upper left corner.
    pub async fn click_at(&self, css: &str, x: f64, y: f64) -> Result<()> {
        self.hover_at(css, x, y).await?;
        Ok(self.driver.action_chain().click().perform().await?)
    }

    /// Moves the mouse to a place of the first element of `css`, given as for [`Page::click_at`].
    pub async fn hover_at(&self, css: &str, x: f64, y: f64) -> Result<()> {
        let element = self.find(css).await?;
        element.scroll_into_view().await?;
        let size = element.rect().await?;
        // The driver counts from the element's centre.
        let offset = |share: f64, length: f64| ((share - 0.5) * length) as i64;
        self.driver
            .action_chain()
            .move_to_element_with_offset(&element, offset(x, size.width), offset(y, size.height))
            .perform()
            .await
            .with_context(|| format!("({x}, {y}) of `{css}` cannot be reached"))
    }

    /// Types into whatever has the focus: text, or one of [`Key`](crate::Key).
    pub async fn press(&self, keys: impl Into<TypingData>) -> Result<()> {
        Ok(self.driver.action_chain().send_keys(keys).perform().await?)
    }

    /// Writes into the first field of `css`, in place of what it holds, and leaves it.
    pub async fn fill(&self, css: &str, text: &str) -> Result<()> {
        let field = self.find(css).await?;
        field.scroll_into_view().await?;
        field.clear().await?;
        field.send_keys(text).await?;
        self.press(Key::Tab).await
    }

    /// Moves the first slider of `css` to `value`, as dragging it there would.
    pub async fn slide(&self, css: &str, value: f64) -> Result<()> {
        let slider = self.find(css).await?;
        let script = "const [slider, value] = arguments;
            slider.value = value;
            for (const kind of ['input', 'change']) slider.dispatchEvent(new Event(kind, { bubbles: true }));";
        self.driver
            .execute(script, vec![slider.to_json()?, json!(value)])
            .await?;
        Ok(())
    }

    // The reader's own

    /// Has the reader's system ask for `preferences`, and for nothing else.
    pub async fn prefer(&self, preferences: &[Preference]) -> Result<()> {
        let features: Vec<Value> = preferences
            .iter()
            .map(|wish| wish.media_feature())
            .collect();
        self.devtools(
            "Emulation.setEmulatedMedia",
            json!({ "features": features }),
        )
        .await
    }

    /// Changes the window's width and height, in CSS pixels.
    pub async fn resize(&self, width: u32, height: u32) -> Result<()> {
        let touched = self.screen.is_touched();
        let scale = if touched { 2.0 } else { 1.0 };
        let metrics = json!({
            "width": width, "height": height, "deviceScaleFactor": scale, "mobile": touched,
        });
        self.devtools("Emulation.setDeviceMetricsOverride", metrics)
            .await
    }

    /// Takes the network away, or gives it back.
    pub async fn offline(&self, offline: bool) -> Result<()> {
        let conditions = json!({
            "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1,
        });
        self.devtools("Network.enable", json!({})).await?;
        self.devtools("Network.emulateNetworkConditions", conditions)
            .await
    }

    /// Has the network lose what matches one of `patterns`, such as `*.wasm`.
    pub async fn block(&self, patterns: &[&str]) -> Result<()> {
        self.devtools("Network.enable", json!({})).await?;
        self.devtools("Network.setBlockedURLs", json!({ "urls": patterns }))
            .await
    }

    /// Switches scripts of the pages opened from now on off.
    pub async fn without_scripts(&self) -> Result<()> {
        self.devtools(
            "Emulation.setScriptExecutionDisabled",
            json!({ "value": true }),
        )
        .await
    }

    async fn devtools(&self, method: &str, parameters: Value) -> Result<()> {
        self.ask_devtools(method, parameters).await.map(drop)
    }

    pub(crate) async fn ask_devtools(&self, method: &str, parameters: Value) -> Result<Value> {
        self.driver
            .cdp()
            .send_raw(method, parameters)
            .await
            .with_context(|| format!("{method} fails"))
    }

    // Judging

    /// The rules of WCAG 2.2, levels A and AA, that the page breaks as it is now, by axe-core.
    pub async fn axe(&self) -> Result<Vec<Violation>> {
        let file = env::var_os("AXE")
            .context("AXE does not say where axe.min.js is; `cargo xtask test` sets it")?;
        let axe = fs::read_to_string(&file)
            .with_context(|| format!("{} cannot be read", Path::new(&file).display()))?;
        self.driver.execute(axe, vec![]).await?;
        self.eval(
            "axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })
                .then(results => results.violations)",
        )
        .await
    }

    /// Fails when the page, as it is now, breaks a rule of WCAG 2.2, levels A and AA.
    pub async fn ensure_accessible(&self) -> Result<()> {
        let mut broken = String::new();
        for violation in self.axe().await? {
            broken += &format!("\n{}: {}", violation.id, violation.help);
            for node in violation.nodes {
                broken += &format!(
                    "\n  {}\n    {}",
                    node.html,
                    node.failure_summary.replace('\n', "\n    ")
                );
            }
        }
        ensure!(broken.is_empty(), "the page is not accessible:{broken}");
        Ok(())
    }

    /// The console's errors since the page was opened. Reading them does not clear them.
    pub async fn console_errors(&self) -> Result<Vec<String>> {
        self.read_console().await?;
        let console = self.console.borrow();
        Ok(console
            .iter()
            .filter(|line| line.starts_with("SEVERE"))
            .cloned()
            .collect())
    }

    /// Forgets the errors a test has provoked, so that they do not fail it; returns them.
    pub async fn expect_console_errors(&self) -> Result<Vec<String>> {
        let errors = self.console_errors().await?;
        self.console
            .borrow_mut()
            .retain(|line| !line.starts_with("SEVERE"));
        Ok(errors)
    }

    /// All lines of the console since the page was opened, each after its level.
    pub async fn console(&self) -> Result<Vec<String>> {
        self.read_console().await?;
        Ok(self.console.borrow().clone())
    }

    /// The driver tells each line only once, so they are kept here.
    async fn read_console(&self) -> Result<()> {
        let lines = self.driver.browser_log().await?;
        let lines = lines
            .into_iter()
            .map(|line| format!("{} {}", line.level, line.message));
        self.console.borrow_mut().extend(lines);
        Ok(())
    }

    // Keeping

    /// The page's markup, now.
    pub async fn html(&self) -> Result<String> {
        Ok(self.driver.source().await?)
    }

    /// Saves a picture of the visible part as PNG.
    pub async fn screenshot(&self, file: &Path) -> Result<()> {
        Ok(self.driver.screenshot(file).await?)
    }

    /// Saves a picture of the whole page, however long, as PNG.
    pub async fn screenshot_whole(&self, file: &Path) -> Result<()> {
        let (width, height) = self.screen.size();
        let whole: u32 = self
            .eval("Math.ceil(document.documentElement.scrollHeight)")
            .await?;
        self.resize(width, whole.max(height)).await?;
        self.look_at("body").await?;
        self.eval::<Value>(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))",
        )
        .await?;
        self.screenshot(file).await?;
        self.resize(width, height).await
    }
}
