//! What a reader takes away: figures as pictures, runs as rows.

use browser_tests::{Page, Result, Screen, Taken, ensure, visit};
use engine::breaker;
use engine::ecs::{Simulation, SummaryRow, presets};
use engine::retrier_server::{Config, Ledger, Plan, Run, contract_trace, trace};
use engine::rows::{Format, text};

/// The storm, as the basin's page and the page of why it fails open with.
fn storm() -> Run {
    Plan::new(Config::default(), 18, 40)
        .play()
        .expect("a good plan")
}

/// Opens `address` and waits for its words.
async fn open(page: &Page, address: &str, heading: &str) -> Result<()> {
    page.open(address).await?;
    page.wait_for_text("h1", heading).await?;
    page.catch_files().await
}

/// Saves what is titled `title` as `kind`, by mouse or finger.
async fn save(page: &Page, title: &str, kind: &str) -> Result<Taken> {
    page.catch_files().await?;
    let place = format!("details.take:has(> summary[aria-label='Save “{title}”'])");
    page.click(&format!("{place} > summary")).await?;
    page.click_text(&format!("{place} button"), kind).await?;
    let file = page.file(1).await?;
    page.click(&format!("{place} > summary")).await?;
    Ok(file)
}

/// What stands in an SVG document: whether it can be read, its words, and the number of its marks.
#[derive(serde::Deserialize)]
struct Read {
    error: Option<String>,
    words: Vec<String>,
    marks: usize,
}

async fn read(page: &Page, svg: &str) -> Result<Read> {
    let script = format!(
        "(() => {{
            const parsed = new DOMParser().parseFromString({}, 'image/svg+xml');
            return {{
                error: parsed.querySelector('parsererror')?.textContent ?? null,
                words: [...parsed.querySelectorAll('text')].map(text => text.textContent.trim()),
                marks: parsed.querySelectorAll('path, polyline, polygon, rect, circle, line').length,
            }};
        }})()",
        serde_json::json!(svg)
    );
    page.eval(&script).await
}

/// Every figure of the page as it is offers pictures, and its SVG holds its title, its parameters and marks.
async fn every_figure_offers_pictures(page: &Page, place: &str, least: usize) -> Result<()> {
    page.wait_until_still().await?;
    page.catch_files().await?;
    let titles: Vec<String> = page
        .eval(
            "[...document.querySelectorAll('figure.figure')].map(figure => figure.querySelector('h3').innerText)
                .concat([...document.querySelectorAll('svg.topology, svg.machine')].map(() => ''))",
        )
        .await?;
    let offered: Vec<(String, Vec<String>)> = page
        .eval(
            "[...document.querySelectorAll('details.take')].map(take => {
                take.open = true;
                return [
                    take.querySelector('summary').getAttribute('aria-label'),
                    [...take.querySelectorAll('button')].map(button => button.innerText),
                ];
            })",
        )
        .await?;
    ensure!(
        titles.len() >= least,
        "{place} has only {} figures",
        titles.len()
    );
    for title in titles.iter().filter(|title| !title.is_empty()) {
        let kinds = offered
            .iter()
            .find(|(label, _)| label.contains(title.as_str()));
        ensure!(kinds.is_some(), "{place}: “{title}” cannot be taken away");
    }
    let pictures = offered
        .iter()
        .filter(|(_, kinds)| kinds.iter().any(|kind| kind == "SVG"));
    ensure!(
        pictures.clone().count() == titles.len()
            && pictures.clone().all(|(_, kinds)| kinds[0] == "PNG"),
        "{place}: {} figures, offered are {offered:?}",
        titles.len()
    );
    let wide: i64 = page
        .eval("document.documentElement.scrollWidth - window.innerWidth")
        .await?;
    ensure!(wide <= 0, "{place} is {wide} pixels too wide");
    page.eval::<()>(
        "document.querySelectorAll('details.take button').forEach(button => {
            if (button.innerText === 'SVG') button.click();
        })",
    )
    .await?;
    page.file(titles.len()).await?;
    let files: Vec<Taken> = page
        .eval(
            "Promise.all(window.taken.map(async ({ name, blob }) =>
                ({ name, kind: blob.type, text: await blob.text() })))",
        )
        .await?;
    ensure!(files.len() == titles.len(), "{place}: {}", files.len());
    for Taken { name, kind, text } in &files {
        ensure!(kind == "image/svg+xml;charset=utf-8", "{name} is {kind}");
        ensure!(name.ends_with(".svg") && name.contains('-'), "{name}");
        let read = read(page, text).await?;
        ensure!(read.error.is_none(), "{place}: {name}: {:?}", read.error);
        ensure!(read.marks > 4, "{place}: {name} has {} marks", read.marks);
        ensure!(
            read.words.len() > 2 && read.words[..2].iter().all(|words| !words.is_empty()),
            "{place}: {name} says {:?}",
            read.words
        );
    }
    Ok(())
}

async fn every_page(page: &Page) -> Result<()> {
    open(page, "#/basin", "Why does a healthy system").await?;
    every_figure_offers_pictures(page, "basin", 2).await?;
    open(page, "#/why", "when nobody breaks a promise").await?;
    for (tab, least) in [
        ("Contracts", 1),
        ("Counterexamples", 1),
        ("Phase plane", 1),
        ("Maps", 1),
        ("Compare", 2),
        ("N clients", 1),
    ] {
        page.click_text("[role=tab]", tab).await?;
        page.find("figure.figure canvas").await?;
        every_figure_offers_pictures(page, tab, least).await?;
    }
    open(page, "#/breaker", "Can two probes slip through").await?;
    every_figure_offers_pictures(page, "breaker", 2).await?;
    open(page, "#/ecs", "Why do two sensible controllers").await?;
    for tab in ["Load up and down", "Many seeds", "A clock for each request"] {
        page.click_text("[role=tab]", tab).await?;
        every_figure_offers_pictures(page, tab, 7).await?;
    }
    Ok(())
}

#[test]
fn every_figure_of_every_page_can_be_taken_away() {
    visit(Screen::Desktop, every_page);
}

#[test]
fn every_figure_of_every_page_can_be_taken_away_on_a_phone() {
    visit(Screen::Phone, every_page);
}

#[test]
fn the_storm_as_svg_is_what_the_engine_computes() {
    visit(Screen::Desktop, async |page| {
        page.prefer(&[browser_tests::Preference::Light]).await?;
        open(page, "#/basin", "Why does a healthy system").await?;
        page.wait_until_still().await?;
        let file = save(page, "What becomes of the run", "SVG").await?;
        ensure!(file.name == "storm-s3-amax2-t2-q18.svg", "{}", file.name);
        let words = read(page, &file.text).await?.words;
        ensure!(words[0] == "What becomes of the run", "{words:?}");
        ensure!(
            words[1] == "S = 3, AMax = 2, T = 2, Q0 = 18, maximum arrivals",
            "{words:?}"
        );
        ensure!(
            file.text.contains("font-family=\"system-ui, sans-serif\""),
            "the text has another face than on the page"
        );
        // The line of fresh work, by the colour that the style gives it.
        let line: Vec<(f64, f64)> = page
            .eval(&format!(
                "[...new DOMParser().parseFromString({}, 'image/svg+xml').querySelectorAll('polyline')]
                    .find(line => line.getAttribute('stroke') === '#00736B')
                    .getAttribute('points').trim().split(' ')
                    .map(point => point.split(',').map(Number))",
                serde_json::json!(file.text)
            ))
            .await?;
        let run = storm();
        let queued: Vec<f64> = run.points().iter().map(|p| p.state.qf as f64).collect();
        ensure!(line.len() == queued.len(), "{} marks", line.len());
        let most = (0..queued.len())
            .max_by(|a, b| queued[*a].total_cmp(&queued[*b]))
            .expect("a run has states");
        let scale = (line[most].1 - line[0].1) / (queued[most] - queued[0]);
        ensure!(scale < 0.0, "more is higher");
        for ((_, y), qf) in line.iter().zip(&queued) {
            let expected = line[0].1 + (qf - queued[0]) * scale;
            ensure!(
                (y - expected).abs() <= 1.5,
                "{qf} is drawn at {y}, not at {expected}"
            );
        }
        Ok(())
    });
}

#[test]
fn a_figure_as_png_is_drawn_at_twice_its_size() {
    for screen in [Screen::Desktop, Screen::Phone] {
        visit(screen, async |page| {
            open(page, "#/basin", "Why does a healthy system").await?;
            page.wait_until_still().await?;
            let svg = save(page, "What becomes of the run", "SVG").await?;
            let width: u32 = svg
                .text
                .split("width=\"")
                .nth(1)
                .and_then(|rest| rest.split('"').next())
                .and_then(|width| width.parse().ok())
                .expect("a width");
            let file = save(page, "What becomes of the run", "PNG").await?;
            ensure!(file.name == "storm-s3-amax2-t2-q18.png", "{}", file.name);
            ensure!(file.kind == "image/png", "{}", file.kind);
            let pixels = page.file_pixels().await?;
            ensure!(
                pixels.width == 2 * width && pixels.height > 1100,
                "{} × {}",
                pixels.width,
                pixels.height
            );
            ensure!(pixels.drawn() > 0.05, "the picture is blank");
            ensure!(
                pixels.colours[0].0.ends_with("ff"),
                "its ground is transparent: {:?}",
                pixels.colours[0]
            );
            Ok(())
        });
    }
}

#[test]
fn the_dark_theme_is_taken_away_with_its_ground() {
    visit(Screen::Desktop, async |page| {
        page.prefer(&[browser_tests::Preference::Dark]).await?;
        open(page, "#/breaker", "Can two probes slip through").await?;
        page.wait_until_still().await?;
        save(page, "The naive design", "PNG").await?;
        let pixels = page.file_pixels().await?;
        ensure!(pixels.count("#15181b") > 10_000, "{:?}", pixels.colours[0]);
        ensure!(pixels.drawn() > 0.02, "the diagram is blank");
        Ok(())
    });
}

#[test]
fn a_run_is_taken_away_as_the_command_prints_it() {
    visit(Screen::Phone, async |page| {
        open(page, "#/basin", "Why does a healthy system").await?;
        page.wait_until_still().await?;
        let run = storm();
        let csv = save(page, "What becomes of the run", "CSV").await?;
        ensure!(csv.name == "storm-s3-amax2-t2-q18.csv", "{}", csv.name);
        ensure!(csv.text == text(Format::Csv, trace(&run)), "{}", csv.text);
        let json = save(page, "What becomes of the run", "JSON").await?;
        ensure!(
            json.text == text(Format::Json, trace(&run)),
            "{}",
            json.text
        );
        let map = save(page, "Where does each starting backlog lead?", "CSV").await?;
        ensure!(
            map.text
                == "Verdict,Q0 from,to\nrecovers,0,7\norbits,8,9\nat risk,10,20\ndoomed,21,60\n",
            "{}",
            map.text
        );
        open(page, "#/why", "when nobody breaks a promise").await?;
        page.wait_until_still().await?;
        let title = "The run, and how every promise stands under it";
        let csv = save(page, title, "CSV").await?;
        let ledger = Ledger::of(&run);
        let contracts = contract_trace(&run, &ledger);
        ensure!(csv.text == text(Format::Csv, contracts), "{}", csv.text);
        Ok(())
    });
}

#[test]
fn a_simulation_is_taken_away_as_the_command_prints_it() {
    visit(Screen::Desktop, async |page| {
        open(page, "#/ecs", "Why do two sensible controllers").await?;
        let config = presets::named("naive-overload").expect("a preset").config;
        let mut simulation = Simulation::new(&config, 1)?;
        simulation.advance(config.duration_s);
        let samples = simulation.samples();
        page.wait_until(
            "the run is simulated to its end",
            "document.querySelectorAll('.outcome strong').length === document.querySelectorAll('.outcome').length
                && document.querySelectorAll('.work progress').length === 0",
        )
        .await?;
        page.wait_until_still().await?;
        let csv = save(page, "A: over time", "CSV").await?;
        ensure!(
            csv.name == "series-naive-no-admission-control-seed1.csv",
            "{}",
            csv.name
        );
        ensure!(csv.text == text(Format::Csv, samples), "another run");
        let json = save(page, "A: over time", "JSON").await?;
        let summary = &simulation.summary();
        let mut printed = text(Format::Json, samples);
        printed.push_str(&text(Format::Json, [SummaryRow { summary }]));
        ensure!(json.text == printed, "another summary");
        Ok(())
    });
}

#[test]
fn a_schedule_is_taken_away_as_the_command_prints_it() {
    visit(Screen::Desktop, async |page| {
        open(page, "#/breaker", "Can two probes slip through").await?;
        let csv = save(page, "The schedule, step by step", "CSV").await?;
        let config = breaker::Config::default();
        let naive = breaker::Config {
            variant: breaker::Variant::Naive,
            ..config
        };
        let check = breaker::check(naive)?;
        let (_, trail) = check.counterexample().expect("the double probe");
        let schedule: Vec<_> = trail.steps.iter().map(|(action, _)| *action).collect();
        ensure!(
            csv.text == text(Format::Csv, breaker::schedule_rows(config, &schedule)),
            "{}",
            csv.text
        );
        Ok(())
    });
}
