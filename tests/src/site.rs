//! The bundle on a static host, over loopback.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{env, thread};

use anyhow::{Context, Result, ensure};
use axum::Router;
use axum::response::Html;
use axum::routing::get;
use tokio::sync::oneshot;
use tower_http::services::ServeDir;

/// Where the bundle is mounted: never at the root, so that only relative addresses work.
const BUNDLE_PATH: &str = "/some/where";
/// Where pages that embed the bundle are mounted.
const HOST_PATH: &str = "/host";
/// Where a [`Host`] has a page that is not of the bundle.
const ELSEWHERE_PATH: &str = "/elsewhere";

/// What stands in for the bundle's service worker: nothing is kept, so that each of many tests does not keep all of it
/// anew. A [`Host`] of one's own has the real one.
const NOTHING_KEPT: &str = "// Nothing is kept.";

/// Static files served over loopback until the process ends.
#[derive(Debug)]
pub(crate) struct Site(SocketAddr);

impl Site {
    /// The one site of this process, started at first use.
    pub(crate) fn get() -> Result<&'static Site> {
        static SITE: OnceLock<Result<Site, String>> = OnceLock::new();
        SITE.get_or_init(|| Site::start().map_err(|error| format!("{error:#}")))
            .as_ref()
            .map_err(|error| anyhow::anyhow!("{error}"))
    }

    /// The address of something in the bundle; "" is its front page.
    pub(crate) fn bundle(&self, address: &str) -> String {
        format!("http://{}{BUNDLE_PATH}/{address}", self.0)
    }

    /// The address of a page of `tests/pages`.
    pub(crate) fn host(&self, address: &str) -> String {
        format!("http://{}{HOST_PATH}/{address}", self.0)
    }

    fn start() -> Result<Site> {
        let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("pages");
        let script = || async { ([("content-type", "text/javascript")], NOTHING_KEPT) };
        let router = Router::new()
            .route(&format!("{BUNDLE_PATH}/sw.js"), get(script))
            .nest_service(BUNDLE_PATH, ServeDir::new(bundle_folder()?))
            .nest_service(HOST_PATH, ServeDir::new(pages));
        let (address, until) = serve(router)?;
        // It is never told to end.
        std::mem::forget(until);
        Ok(Site(address))
    }
}

/// A static host of one's own, which can be taken off the network. It ends with this value.
#[derive(Debug)]
pub struct Host {
    address: SocketAddr,
    until: Option<oneshot::Sender<()>>,
}

impl Host {
    /// Serves `folder` below a path of its own, and an [empty page](Self::elsewhere) beside it.
    ///
    /// # Errors
    /// When there is no port to serve it on.
    pub fn start(folder: &Path) -> Result<Self> {
        let router = Router::new()
            .nest_service(BUNDLE_PATH, ServeDir::new(folder))
            .route(
                ELSEWHERE_PATH,
                get(|| async { Html("<title>Elsewhere</title>") }),
            );
        let (address, until) = serve(router)?;
        Ok(Self {
            address,
            until: Some(until),
        })
    }

    /// The address of something in the folder; "" is its front page.
    #[must_use]
    pub fn address(&self, address: &str) -> String {
        format!("http://{}{BUNDLE_PATH}/{address}", self.address)
    }

    /// The address of an empty page of the same origin, from which what the origin keeps can be seen without a look at
    /// the folder.
    #[must_use]
    pub fn elsewhere(&self) -> String {
        format!("http://{}{ELSEWHERE_PATH}", self.address)
    }

    /// Ends it and all of its connections: from now on nobody answers.
    pub fn stop(&mut self) {
        self.until = None;
    }
}

/// Serves `router` on a free port until the sender is dropped.
fn serve(router: Router) -> Result<(SocketAddr, oneshot::Sender<()>)> {
    let listener =
        TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no port to serve the bundle on")?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let (until, ended) = oneshot::channel::<()>();
    thread::spawn(move || {
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            tokio::spawn(async { axum::serve(listener, router).await });
            let _ = ended.await;
            std::io::Result::Ok(())
        })
    });
    Ok((address, until))
}

/// The folder with the built page.
///
/// # Errors
/// When `BUNDLE` names none.
pub fn bundle_folder() -> Result<PathBuf> {
    let folder = PathBuf::from(env::var_os("BUNDLE").context(
        "BUNDLE does not say where the built page is; run `cargo xtask test --only browser`",
    )?);
    ensure!(
        folder.join("index.html").is_file(),
        "BUNDLE={} has no index.html",
        folder.display()
    );
    Ok(folder)
}
