//! The bundle on a static host, over loopback.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{env, thread};

use anyhow::{Context, Result, ensure};
use axum::Router;
use tower_http::services::ServeDir;

/// Where the bundle is mounted: never at the root, so that only relative addresses work.
const BUNDLE_PATH: &str = "/some/where";
/// Where pages that embed the bundle are mounted.
const HOST_PATH: &str = "/host";

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
        let bundle = bundle_folder()?;
        let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("pages");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .context("no port to serve the bundle on")?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let router = Router::new()
            .nest_service(BUNDLE_PATH, ServeDir::new(bundle))
            .nest_service(HOST_PATH, ServeDir::new(pages));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        thread::spawn(move || {
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener)?;
                axum::serve(listener, router).await
            })
        });
        Ok(Site(address))
    }
}

fn bundle_folder() -> Result<PathBuf> {
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
