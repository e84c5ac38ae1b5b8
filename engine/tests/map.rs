//! Maps: every cell is what judging it alone says, however it was found, and the known boundaries are where they should.

mod support;

use engine::retrier_server::{
    Axis, Config, DEFAULT_CAP, Fault, Map, MapJob, Scale, Share, Verdict, judge, verdict,
};
use proptest::prelude::*;

fn scale(text: &str) -> Scale {
    text.parse().expect("a scale")
}

fn map(x: &str, y: &str) -> Map {
    Map {
        x: scale(x),
        y: scale(y),
        config: Config::new(3, 2, 2),
        q0: 18,
        qd0: 0,
        cap: 80,
    }
}

fn finish(map: Map, slice: usize) -> MapJob {
    let mut job = MapJob::new(map).expect("a good map");
    while !job.advance(slice) {}
    job
}

fn assert_matches_judge(job: &MapJob) {
    let map = job.map();
    for (i, cell) in job.cells().iter().enumerate() {
        let x = map.x.low + (i % job.width()) as u64;
        let y = map.y.low + (i / job.width()) as u64;
        let cell_of = map.cell(x, y);
        let start = cell_of.config.start(cell_of.q0, cell_of.qd0);
        let alone = judge(&cell_of.config, &start, map.cap).verdict;
        assert_eq!(*cell, Some(alone), "{} {x}, {} {y}", map.x.axis, map.y.axis);
    }
}

#[test]
fn along_q0_the_bands_are_the_checked_ones_and_most_cells_follow_from_others() {
    let job = finish(map("q0:0..60", "b:0..5"), 7);
    let at = |q0: usize, b: usize| job.cells()[b * job.width() + q0].unwrap();
    // A budget of 5 does not bind below Q0 = 18.
    assert!((0..=7).all(|q0| at(q0, 5) == Verdict::Recovers));
    assert!((8..=9).all(|q0| at(q0, 5) == Verdict::Orbits));
    assert!((10..=17).all(|q0| at(q0, 5) == Verdict::AtRisk));
    // AMax + B < S recovers everywhere; AMax + B = S does not.
    assert!((0..=60).all(|q0| at(q0, 0) == Verdict::Recovers));
    assert_eq!(at(30, 1), Verdict::Orbits);
    assert!(job.judged() * 3 < job.known(), "{} judged", job.judged());
}

#[test]
fn every_pair_of_axes_makes_a_map_that_matches_cell_by_cell() {
    let span = |axis: Axis| match axis {
        Axis::Q0 | Axis::Qd0 => format!("{axis}:0..13"),
        Axis::S | Axis::T => format!("{axis}:1..4"),
        Axis::AMax | Axis::B => format!("{axis}:0..4"),
    };
    for x in Axis::ALL {
        for y in Axis::ALL.into_iter().filter(|&y| y != x) {
            assert_matches_judge(&finish(map(&span(x), &span(y)), 5));
        }
    }
}

#[test]
fn a_law_that_is_not_monotone_is_judged_in_every_cell() {
    let mut map = map("q0:0..6", "amax:0..2");
    map.config = map.config.with_fault(Fault::WastefulServer);
    map.cap = 30;
    let job = finish(map, 4);
    assert_eq!(job.judged(), job.known());
    assert_matches_judge(&job);
}

#[test]
fn it_is_drawn_from_coarse_to_fine() {
    let mut faulty = map("s:1..64", "amax:0..63");
    faulty.config = faulty.config.with_fault(Fault::WastefulServer);
    faulty.cap = 10;
    for map in [map("s:1..64", "amax:0..63"), faulty] {
        let mut job = MapJob::new(map).unwrap();
        let first = job.stride();
        while job.stride() == first {
            job.advance(1);
        }
        let known: Vec<usize> = (0..job.cells().len())
            .filter(|&i| job.cells()[i].is_some())
            .collect();
        assert!(known.len() < job.cells().len() / 2);
        // Spread over the whole map, not bunched in its first rows.
        assert!(known.iter().any(|i| i / job.width() > 50));
        assert!(known.iter().any(|i| i % job.width() > 50));
    }
}

#[test]
fn a_map_of_65536_cells_is_known_from_a_few_thousand_of_them() {
    for (x, y) in [
        ("q0:0..255", "b:0..255"),
        ("q0:0..255", "s:1..256"),
        ("q0:0..255", "amax:0..255"),
        ("s:1..256", "t:1..256"),
        ("b:0..255", "amax:0..255"),
    ] {
        let job = finish(map(x, y), usize::MAX);
        assert_eq!(job.known(), 65_536);
        println!("{x} and {y}: {} judged", job.judged());
        assert!(job.judged() < 6_000, "{x} and {y}: {}", job.judged());
    }
}

#[test]
fn shares_of_a_map_make_it_up_and_overlap_nowhere() {
    for (x, y) in [("q0:0..30", "b:0..20"), ("amax:0..9", "q0:0..40")] {
        let whole = finish(map(x, y), usize::MAX);
        for parts in [2, 3, 8, 50] {
            let mut seen = vec![None; whole.cells().len()];
            for part in 0..parts {
                let mut job = MapJob::share(map(x, y), Share { part, parts }).unwrap();
                while !job.advance(3) {}
                for (seen, &cell) in seen.iter_mut().zip(job.cells()) {
                    assert!(seen.is_none() || cell.is_none());
                    *seen = seen.or(cell);
                }
            }
            assert_eq!(seen, whole.cells());
        }
    }
}

#[test]
fn the_boundaries_are_where_their_equations_hold() {
    let boundaries = map("b:0..6", "s:1..9").boundaries();
    let budget = boundaries
        .iter()
        .find(|b| b.name == "AMax + B = S")
        .unwrap();
    assert!(
        budget
            .points
            .iter()
            .all(|(b, s)| (2.0 + b - s).abs() < 1e-6)
    );
    assert!(budget.points.len() > 100);

    let boundaries = map("q0:0..60", "b:0..6").boundaries();
    let basin = boundaries
        .iter()
        .find(|b| b.name == "Q0 + qd0 = S × T")
        .unwrap();
    assert_eq!(basin.points.len(), 2, "it is upright");
    assert!(basin.points.iter().all(|(q0, _)| (q0 - 6.0).abs() < 1e-6));
    let budget = boundaries
        .iter()
        .find(|b| b.name == "AMax + B = S")
        .unwrap();
    assert!(budget.points.iter().all(|(_, b)| (b - 1.0).abs() < 1e-6));

    // AMax and B are fixed and S does not vary: nothing of them to draw.
    let names: Vec<_> = map("q0:0..60", "qd0:0..60").boundaries();
    assert!(names.iter().all(|b| b.name == "Q0 + qd0 = S × T"));
}

#[test]
fn a_bad_axis_is_refused_by_name() {
    let refuse = |text: &str| text.parse::<Scale>().unwrap_err().to_string();
    assert!(refuse("q0").contains("q0:0..60"));
    assert!(refuse("x:0..3").contains("q0, qd0, s, amax, t or b"));
    assert!(refuse("s:0..3").starts_with("s is 0, but must be from 1"));
    assert!(refuse("q0:9..3").starts_with("q0 is 3, but must be from 9"));
    let twice = MapJob::new(map("q0:0..3", "q0:0..3"))
        .unwrap_err()
        .to_string();
    assert!(twice.contains("another axis"), "{twice}");
    let large = MapJob::new(map("q0:0..5000", "qd0:0..5000"))
        .unwrap_err()
        .to_string();
    assert!(large.contains("262144 cells"), "{large}");
}

/// Without arrivals the trap holds a backlog of 4, which counts as `Good` where up to 6 do.
#[test]
fn a_quiet_run_that_the_trap_holds_within_good_has_recovered() {
    let mut config = Config::new(1, 5, 1);
    config.budget = Some(1);
    for (q0, qd) in [(2, 2), (3, 2)] {
        let judgement = judge(&config, &config.start(q0, qd), DEFAULT_CAP);
        assert_eq!(judgement.quiet_recovers, Some(true), "{q0} {qd}");
        assert_eq!(judgement.verdict, Verdict::AtRisk, "{q0} {qd}");
    }
}

proptest! {
    #![proptest_config(support::cases(24))]

    #[test]
    fn what_follows_by_monotony_is_what_judging_says(
        (s, amax, t) in (1..6u64, 0..6u64, 1..4u64),
        budget in prop::option::of(0..5u64),
        fresh_first: bool,
        slice in 1..20usize,
    ) {
        let mut config = Config::new(s, amax, t);
        config.budget = budget;
        if fresh_first { config = config.with_fresh_first(); }
        let mut map = map("q0:0..40", "qd0:0..20");
        map.config = config;
        map.cap = DEFAULT_CAP;
        assert_matches_judge(&finish(map, slice));
    }
    #[test]
    fn over_any_two_axes_too(
        (s, amax, t) in (1..8u64, 0..8u64, 1..5u64),
        budget in prop::option::of(0..6u64),
        (fresh_first, quiet) in any::<(bool, bool)>(),
        (q0, qd0) in (0..30u64, 0..30u64),
        axes in Just(Axis::ALL.to_vec()).prop_shuffle(),
        (x_low, x_span, y_low, y_span) in (0..6u64, 0..24u64, 0..6u64, 0..24u64),
    ) {
        let mut config = Config::new(s, amax, t);
        config.budget = budget;
        if fresh_first { config = config.with_fresh_first(); }
        if quiet { config = config.with_quiet(); }
        let scale = |axis: Axis, low: u64, span: u64| {
            let low = low + axis.least();
            Scale { axis, low, high: low + span }
        };
        let map = Map {
            x: scale(axes[0], x_low, x_span),
            y: scale(axes[1], y_low, y_span),
            config,
            q0,
            qd0,
            cap: DEFAULT_CAP,
        };
        assert_matches_judge(&finish(map, 9));
    }

    #[test]
    fn the_shortest_way_to_a_verdict_ends_at_the_same(
        (s, amax, t) in (1..12u64, 0..12u64, 1..6u64),
        budget in prop::option::of(0..15u64),
        (fresh_first, quiet) in any::<(bool, bool)>(),
        (q0, qd0) in (0..200u64, 0..200u64),
    ) {
        let mut config = Config::new(s, amax, t);
        config.budget = budget;
        if fresh_first { config = config.with_fresh_first(); }
        if quiet { config = config.with_quiet(); }
        let start = config.start(q0, qd0);
        let judged = judge(&config, &start, DEFAULT_CAP).verdict;
        prop_assert_eq!(verdict(&config, &start, DEFAULT_CAP), judged);
    }
}
