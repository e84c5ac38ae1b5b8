//! The storm as the picture that stands in the page until its program is there: `style/storm.svg`, drawn by the same
//! code as on the page. `cargo xtask picture` writes it, and the test here holds it to what the code draws.

use super::Palette;
use super::storm::{Scales, Storm};
use crate::study::phase_at;
use engine::retrier_server::{Config, Plan, phase_by_runs};
use plotters::prelude::{IntoDrawingArea, SVGBackend};
use plotters::style::RGBAColor;
use wasm_bindgen_test::wasm_bindgen_test;

/// Narrow, so that its words can be read on a phone.
const SIZE: (u32, u32) = (440, 440);

/// plotters writes text into SVG smaller than it draws it, by this factor.
const SVG_TEXT: f64 = 1.24;

/// The picture, with the style's own names for its colours so that it follows the theme. Text is measured by plotters'
/// rule of thumb rather than by a browser's fonts, so that it comes out alike everywhere.
fn picture() -> String {
    let plan = Plan::new(Config::default(), 18, 24);
    let run = plan.play().expect("a good plan");
    let points = run.points();
    let phases: Vec<_> = (0..points.len())
        .map(|i| phase_at(points, i, phase_by_runs))
        .collect();
    let mut names = Vec::new();
    let palette = Palette::from_names(|name| {
        names.push(name.to_owned());
        RGBAColor(names.len() as u8, 0, 0, 1.0)
    });
    let storm = Storm {
        plan: &plan,
        run: &run,
        scales: Scales::of(&run),
        phases: &phases,
    };
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        storm.draw(&area, &palette).expect("a text takes all");
        storm
            .draw_phases(&area, &palette)
            .expect("a text takes all");
    }
    for (number, name) in (1_u8..).zip(&names) {
        svg = svg.replace(&format!("#{number:02X}0000"), &format!("var(--{name})"));
    }
    let (width, height) = SIZE;
    svg = svg
        .replace(&format!(r#" width="{width}" height="{height}""#), "")
        .replace(
            r#"xmlns="http://www.w3.org/2000/svg""#,
            r#"xmlns="http://www.w3.org/2000/svg" role="img" aria-label="The storm: fresh requests, duplicates, what is served and what is sent again, round by round""#,
        )
        .replace(r#" opacity="1""#, "")
        .replace(r#" stroke="none""#, "")
        .replace(r#" font-family="system-ui, sans-serif""#, "");
    // Sizes as on the page; each element on a line of its own.
    let mut parts = svg.split(r#"font-size=""#);
    let mut sized = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (size, rest) = part.split_once('"').expect("an attribute ends");
        let size = size.parse::<f64>().expect("a size") * SVG_TEXT;
        sized += &format!(r#"font-size="{:.4}"{rest}"#, size).replace(".0000", "");
    }
    sized
        .replace(">\n", ">")
        .replace("\n</text>", "</text>")
        .replace("><", ">\n<")
        + "\n"
}

#[wasm_bindgen_test]
fn the_first_picture_is_what_the_code_draws() {
    let drawn = picture();
    assert!(
        drawn == include_str!("../../../style/storm.svg"),
        "style/storm.svg is another; `cargo xtask picture` writes this:\n{drawn}"
    );
}
