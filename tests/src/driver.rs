//! A Chromium and the chromedriver that leads it.

use std::env;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use tempfile::TempDir;
use thirtyfour::common::capabilities::chromium::ChromiumLikeCapabilities;
use thirtyfour::{CapabilitiesHelper, DesiredCapabilities, LoggingPrefsLogLevel, WebDriver};

use crate::Screen;

/// How every browser is started, here and for the WASM tests: headless, and quiet on the network.
const CAPABILITIES: &str = include_str!("../webdriver.json");

/// A chromedriver of one's own, ended with this value.
pub(crate) struct Driver {
    process: Child,
    port: u16,
    /// What it and its browser leave behind: they would clear it away some time after they are told to end.
    _left: TempDir,
}

impl Driver {
    /// Starts chromedriver on a free port and waits until it listens.
    ///
    /// The port that it finds free may be taken by another before it listens; then it ends, and is started again.
    pub(crate) fn start() -> Result<Self> {
        const TRIES: usize = 3;
        let mut started = Self::try_start();
        for _ in 1..TRIES {
            if started.is_ok() {
                break;
            }
            started = Self::try_start();
        }
        started
    }

    fn try_start() -> Result<Self> {
        let program = env::var("CHROMEDRIVER").unwrap_or_else(|_| "chromedriver".to_owned());
        let left = tempfile::tempdir().context("there is no place for the browser's files")?;
        let mut process = Command::new(&program)
            .arg("--port=0")
            .env("TMPDIR", left.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{program} does not start"))?;
        let mut lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
            line.split_once("successfully on port ")?
                .1
                .trim_end_matches('.')
                .parse()
                .ok()
        });
        // It must never wait for a reader of what it says.
        thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        let mut driver = Self {
            process,
            port: 0,
            _left: left,
        };
        driver.port = port.with_context(|| format!("{program} does not tell its port"))?;
        Ok(driver)
    }

    /// Opens a browser with the given screen; a traced one keeps an account of its tasks.
    pub(crate) async fn open(&self, screen: Screen, traced: bool) -> Result<WebDriver> {
        let mut capabilities = DesiredCapabilities::chrome();
        let given: serde_json::Map<String, Value> = serde_json::from_str(CAPABILITIES)
            .context("webdriver.json is no object of capabilities")?;
        for (name, value) in given {
            capabilities.set(&name, value)?;
        }
        let (width, height) = screen.size();
        capabilities.add_arg(&format!("--window-size={width},{height}"))?;
        if let Ok(chrome) = env::var("CHROME") {
            capabilities.set_binary(&chrome)?;
        }
        capabilities.add_experimental_option(
            "mobileEmulation",
            json!({ "deviceMetrics": screen.device_metrics() }),
        )?;
        capabilities.set_browser_log_level(LoggingPrefsLogLevel::All)?;
        if traced {
            capabilities.set(
                "goog:loggingPrefs",
                json!({ "browser": "ALL", "performance": "ALL" }),
            )?;
            capabilities.add_experimental_option(
                "perfLoggingPrefs",
                json!({
                    "enableNetwork": false,
                    "enablePage": false,
                    "traceCategories": "devtools.timeline,disabled-by-default-devtools.timeline",
                }),
            )?;
        }
        WebDriver::new(format!("http://127.0.0.1:{}", self.port), capabilities)
            .await
            .context("the browser does not start")
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Its browser is closed by now; should either have died on its own, so much the better.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
