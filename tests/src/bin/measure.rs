//! What a reader of the bundle waits for, told line by line: `cargo xtask bench` reads it.
//!
//! A line is `measured;WHAT;MILLISECONDS`.

use browser_tests::{Screen, ensure, visit, visit_traced};

/// Four plots of 1,000 points, on the page of the execution control system.
const PLOTS: &str = "#/ecs?v=1&preset=naive-overload&sample_s=0.2";

/// Adds up the time that scripts take in each frame: in callbacks of frames and timers, and in what these leave to be done
/// at once after them.
const WATCH_FRAMES: &str = "
    window.frames_taken = [];
    let taken = 0;
    const watched = callback => function (...given) {
        const start = performance.now();
        // Promises that are kept meanwhile run on before this one has been passed on so often.
        let after = Promise.resolve();
        const result = callback.apply(this, given);
        for (let i = 0; i < 16; i++) after = after.then(() => {});
        after.then(() => { taken += performance.now() - start; });
        return result;
    };
    const next = window.requestAnimationFrame.bind(window);
    window.requestAnimationFrame = callback => next(watched(callback));
    const later = window.setTimeout.bind(window);
    window.setTimeout = (callback, ...rest) =>
        later(typeof callback === 'function' ? watched(callback) : callback, ...rest);
    const frame = () => {
        window.frames_taken.push(taken);
        taken = 0;
        next(frame);
    };
    next(frame);
";

/// Notes when something is drawn first, and how long a press takes until the frame after it is shown.
const WATCH_ANSWERS: &str = "
    const look = () => {
        const drawn = [...document.querySelectorAll('canvas')].some(canvas => canvas.width > 0 && canvas.height > 0 &&
            new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer)
                .some(pixel => pixel !== 0));
        if (drawn) window.first_picture = performance.now();
        else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    addEventListener('input', event => {
        const start = event.timeStamp;
        requestAnimationFrame(() => {
            const channel = new MessageChannel();
            channel.port1.onmessage = () => { window.answered = performance.now() - start; };
            channel.port2.postMessage(null);
        });
    }, true);
";

/// All pages, and what is there once they are open; some also where they open with more to do: a chapter amid the story,
/// the proof from a graph of ten thousand states.
const OPENED: [(&str, &str); 7] = [
    ("#/basin", "#page h1"),
    ("#/story", "#story-ending"),
    ("#/story?v=1&at=budget", "#story-ending"),
    ("#/why", "#page h1"),
    (
        "#/why?v=1&s=7&amax=6&q0=40&gate=breaker:3,5&tab=certificate",
        ".claims li",
    ),
    ("#/ecs", "#page h1"),
    ("#/breaker", "#page h1"),
];

fn main() {
    for (address, last) in OPENED {
        visit_traced(Screen::Desktop, async |page| {
            page.open(address).await?;
            page.find(last).await?;
            page.wait_until_still().await?;
            tell(&format!("opening {address}"), page.tasks().await?[0]);
            Ok(())
        });
    }
    visit(Screen::Desktop, async |page| {
        page.run_first(WATCH_ANSWERS).await?;
        page.open("#/basin").await?;
        page.wait_until("a picture is drawn", "window.first_picture > 0")
            .await?;
        let first: f64 = page.eval("window.first_picture").await?;
        tell("first picture", first);
        page.slide("input[type=range]", 5.0).await?;
        page.wait_until("the page has answered", "window.answered > 0")
            .await?;
        tell("response to input", page.eval("window.answered").await?);
        Ok(())
    });
    visit(Screen::Desktop, async |page| {
        page.run_first(WATCH_FRAMES).await?;
        page.open(PLOTS).await?;
        page.wait_until(
            "all runs are over",
            "document.querySelectorAll('.outcome strong').length === 2
                && document.querySelectorAll('.work progress').length === 0",
        )
        .await?;
        page.click_text(".transport .button", "Play").await?;
        page.eval::<bool>("(window.frames_taken = [], true)")
            .await?;
        page.wait_until(
            "200 frames have been played",
            "window.frames_taken.length >= 200",
        )
        .await?;
        let mut frames: Vec<f64> = page.eval("window.frames_taken").await?;
        frames.sort_by(f64::total_cmp);
        ensure!(frames[frames.len() - 1] > 0.0, "nothing was played");
        tell("script a frame", percentile(&frames, 0.95));
        Ok(())
    });
}

/// A quantile of sorted values.
fn percentile(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

fn tell(what: &str, milliseconds: f64) {
    println!("measured;{what};{milliseconds:.2}");
}
