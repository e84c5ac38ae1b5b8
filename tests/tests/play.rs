//! An hour of play does not grow memory.
//!
//! These tests play for some seconds each; `PLAY_MINUTES=60` makes it an hour. What a page holds in the middle is what
//! it holds at the end.

use browser_tests::{Memory, Page, Result, Screen, ensure, visit};
use std::env;
use std::time::{Duration, Instant};

/// How long a test plays unless `PLAY_MINUTES` says otherwise.
const SECONDS: f64 = 3.0;

/// Frames played between two looks at the clock.
const FRAMES: u32 = 60;

/// `play(frames)` keeps the page's run playing, moves every slider in each frame, goes through the tabs and scrolls up
/// and down, and then lets long work begin; `leaf(rounds)` opens every page in turn. Workers that live are counted.
const PLAY: &str = "
    window.live = new Set();
    window.Worker = class extends Worker {
        constructor(...given) {
            super(...given);
            window.live.add(this);
        }
        terminate() {
            window.live.delete(this);
            super.terminate();
        }
    };
    const frame = () => new Promise(requestAnimationFrame);
    const all = css => [...document.querySelectorAll(css)];
    window.play = async frames => {
        for (let n = 0; n < frames; n++) {
            all('main .transport .primary').find(button => button.innerText.trim() === 'Play')?.click();
            for (const [i, slider] of all('main input[type=range]:not(.scrub):enabled').entries()) {
                const [least, most] = [Number(slider.min), Number(slider.max)];
                slider.value = least + ((n * 7 + i * 13) % 60) / 60 * (most - least);
                slider.dispatchEvent(new Event('input', { bubbles: true }));
                // What follows from it is done in promises that are kept at once.
                for (let turn = 0; turn < 8; turn++) await null;
            }
            if (n % 6 === 5) {
                const tabs = all('main [role=tab]');
                tabs[(n / 6 | 0) % tabs.length]?.click();
            }
            const deep = document.documentElement.scrollHeight - innerHeight;
            if (n % 4 === 0) scrollTo(0, n % 8 ? 0 : n / frames * deep);
            await frame();
        }
        scrollTo(0, 0);
        await new Promise(done => setTimeout(done, 700));
    };
    window.leaf = async rounds => {
        const pages = all('nav a').map(link => link.hash);
        for (let n = 0; n < rounds * pages.length; n++) {
            const next = pages[(n + 1) % pages.length];
            location.hash = next;
            while (document.querySelector('nav a[aria-current=page]')?.hash !== next || !document.querySelector('main h1'))
                await frame();
            await frame();
        }
    };
";

/// How long is played.
fn time() -> Duration {
    let minutes = env::var("PLAY_MINUTES").map(|minutes| {
        let minutes: f64 = minutes.parse().expect("PLAY_MINUTES is a number");
        minutes * 60.0
    });
    Duration::from_secs_f64(minutes.unwrap_or(SECONDS))
}

/// What a page holds as it opens, with nothing under way, and how many workers it keeps.
async fn at_rest(page: &Page, address: &str) -> Result<(Memory, usize)> {
    page.follow(address).await?;
    page.eval::<()>("new Promise(done => setTimeout(done, 700))")
        .await?;
    page.wait_until_done().await?;
    page.wait_until_still().await?;
    Ok((page.memory().await?, page.eval("window.live.size").await?))
}

/// Bytes that a program may grow by though nothing leaks, where all that it makes is small.
const SMALL: u64 = 128 << 10;

/// The same, where it holds runs and maps, of which one turn has larger ones than another.
const LARGE: u64 = 2 << 20;

/// Does `turn` over and over, and holds what the page at `address` holds at the end against what it held in the middle:
/// its programs may have grown by `slack` bytes.
async fn does_not_grow(page: &Page, address: &str, turn: &str, slack: u64) -> Result<()> {
    let play = async |time: Duration| -> Result<u32> {
        let start = Instant::now();
        let mut turns = 0;
        while turns == 0 || start.elapsed() < time {
            page.eval::<()>(turn).await?;
            turns += 1;
        }
        Ok(turns)
    };
    // What is made once and kept, such as what a tab needs, is made now.
    play(time() / 4).await?;
    let first = at_rest(page, address).await?;
    let mut turns = play(time() / 2).await?;
    let middle = at_rest(page, address).await?;
    turns += play(time() / 2).await?;
    let end = at_rest(page, address).await?;
    println!("{address}: {turns} turns of {turn}");
    for (memory, workers) in [first, middle, end] {
        println!("  {memory:?}, {workers} workers");
    }
    let grown = |of: fn(&Memory) -> u64| of(&end.0).saturating_sub(of(&middle.0));
    let told = format!("from {middle:?} to {end:?}");
    ensure!(grown(|m| m.wasm) <= slack, "its programs grow {told}");
    ensure!(
        grown(|m| m.heap) <= 1 << 20,
        "its scripts' heap grows {told}"
    );
    ensure!(grown(|m| m.nodes) <= 100, "its nodes grow {told}");
    ensure!(grown(|m| m.listeners) <= 10, "its listeners grow {told}");
    ensure!(end.1 <= middle.1, "its workers grow {told}");
    Ok(())
}

/// Plays the page of `address`, which opens with `words`.
fn play(address: &str, words: &str, slack: u64) {
    visit(Screen::Desktop, async |page| {
        page.run_first(PLAY).await?;
        page.open(address).await?;
        page.wait_for_text("#page h1", words).await?;
        does_not_grow(page, address, &format!("play({FRAMES})"), slack).await
    });
}

#[test]
fn playing_the_storm_does_not_grow_memory() {
    play("#/basin", "Why does a healthy system", SMALL);
}

#[test]
fn playing_the_story_does_not_grow_memory() {
    play("#/story", "How a system stays broken", SMALL);
}

#[test]
fn playing_why_it_fails_does_not_grow_memory() {
    play("#/why", "when nobody breaks a promise", LARGE);
}

#[test]
fn playing_two_controllers_does_not_grow_memory() {
    play("#/ecs", "Why do two sensible controllers", LARGE);
}

#[test]
fn playing_the_breaker_does_not_grow_memory() {
    play("#/breaker", "Can two probes slip through", SMALL);
}

#[test]
fn opening_and_leaving_every_page_does_not_grow_memory() {
    visit(Screen::Desktop, async |page| {
        page.run_first(PLAY).await?;
        page.open("#/basin").await?;
        page.wait_for_text("#page h1", "Why does a healthy system")
            .await?;
        does_not_grow(page, "#/basin", "leaf(2)", SMALL).await
    });
}
