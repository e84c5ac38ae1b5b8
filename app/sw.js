// Keeps one version of the page, whole, for when there is no network. `cargo xtask` puts VERSION and FILES before this
// text: what names the version, and all files of the bundle but the page itself and this script.
//
// A version is kept once all of its files are there, and used once no tab shows the one before it, so that no tab ever
// has parts of two. A copy of the bundle elsewhere on this host has keeps of its own.

const PREFIX = `metastability ${registration.scope} `;
const KEEP = PREFIX + VERSION;
const PAGE = new URL("./", registration.scope).href;
const KEPT = new Set(FILES.map((file) => new URL(file, registration.scope).href));
// Milliseconds that a network may take to bring the page before the one that is kept is shown.
const PATIENCE = 4000;

addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(letOldOnesGo()));
addEventListener("fetch", (event) => {
  const { request } = event;
  const address = request.url.split(/[?#]/)[0];
  if (request.method !== "GET") return;
  if (request.mode === "navigate" && (address === PAGE || address === `${PAGE}index.html`)) {
    event.respondWith(newest(request));
  } else if (KEPT.has(address)) {
    // Its name says what is in it, so a kept one is the one.
    event.respondWith(kept(address).then((found) => found ?? fetch(request)));
  }
});

async function keep() {
  const page = await fetch(PAGE, { cache: "no-cache" });
  // While this script was on its way the host may have come to hold yet another version.
  if (!page.ok || !(await page.clone().text()).includes(VERSION)) throw new Error("another version");
  const cache = await caches.open(KEEP);
  await cache.addAll(FILES);
  await cache.put(PAGE, page);
}

async function letOldOnesGo() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== KEEP);
  await Promise.all(old.map((name) => caches.delete(name)));
  await clients.claim();
}

// The host's page, which may be of a newer version and then names files of its own; without it the kept one.
async function newest(request) {
  try {
    return await fetch(request.url, { signal: AbortSignal.timeout(PATIENCE) });
  } catch (error) {
    const found = await kept(PAGE);
    if (!found) throw error;
    return found;
  }
}

async function kept(address) {
  const cache = await caches.open(KEEP);
  return cache.match(address);
}
