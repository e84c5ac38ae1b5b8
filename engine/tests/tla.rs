//! The TLA+ export, letter by letter. TLC accepts these texts and finds in them what the engine finds; a change to the
//! export is run through TLC before the texts are renewed with `basin tla`.

use engine::retrier_server::tla::export;
use engine::retrier_server::trap::Region;
use engine::retrier_server::{Breaker, Config, Fault, Gate};

macro_rules! golden {
    ($test:ident, $file:literal, $config:expr, $q0:expr, $qd0:expr) => {
        #[test]
        fn $test() {
            let config: Config = $config;
            let export = export(&config, &config.start($q0, $qd0)).expect("it can be exported");
            let golden = include_str!(concat!("tla/", $file, ".tla"));
            assert_eq!(export.module, golden);
            assert_eq!(export.config, include_str!(concat!("tla/", $file, ".cfg")));
        }
    };
}

fn storm() -> Config {
    Config::new(3, 2, 2)
}

golden!(the_storm, "storm", storm(), 18, 0);
golden!(a_budget, "budget", storm().with_budget(0), 30, 0);
golden!(
    fresh_first,
    "fresh_first",
    storm().with_fresh_first(),
    30,
    120
);
golden!(quiet, "quiet", storm().with_quiet(), 15, 0);
golden!(
    an_eager_retrier,
    "eager_retrier",
    storm().with_fault(Fault::EagerRetrier),
    5,
    0
);
golden!(
    a_wasteful_server_with_a_budget,
    "wasteful_server",
    storm().with_budget(2).with_fault(Fault::WastefulServer),
    6,
    0
);

#[test]
fn a_law_with_a_memory_is_refused_by_name() {
    let gate = Gate::Breaker(Breaker {
        max_failures: 2,
        max_open_ticks: 2,
    });
    let config = storm().with_gate(gate);
    let error = export(&config, &config.start(5, 0)).unwrap_err();
    assert_eq!(error.field, "gate");
}

/// The value of an expression of names, numbers, `+`, `*`, `\\div` and parentheses.
fn value(expression: &str, names: &dyn Fn(&str) -> u128) -> u128 {
    fn operand<'a>(
        words: &mut impl Iterator<Item = &'a str>,
        names: &dyn Fn(&str) -> u128,
    ) -> u128 {
        match words.next().expect("an operand") {
            "(" => sum(&mut words.by_ref().take_while(|&word| word != ")"), names),
            word => word.parse().unwrap_or_else(|_| names(word)),
        }
    }
    fn sum<'a>(words: &mut dyn Iterator<Item = &'a str>, names: &dyn Fn(&str) -> u128) -> u128 {
        let mut words = words;
        let (mut before, mut product) = (0, operand(&mut words, names));
        while let Some(operator) = words.next() {
            let next = operand(&mut words, names);
            match operator {
                "+" => {
                    before += product;
                    product = next;
                }
                "*" => product *= next,
                "\\div" => product /= next,
                other => panic!("{other} is no operator"),
            }
        }
        before + product
    }
    let spaced = expression.replace('(', " ( ").replace(')', " ) ");
    sum(&mut spaced.split_whitespace(), names)
}

/// Whether the module's `Trapped` holds at a round start.
fn is_trapped(module: &str, names: &dyn Fn(&str) -> u128) -> bool {
    let (_, after) = module
        .split_once("\nTrapped ==\n")
        .expect("it defines the trap");
    let conjuncts = after
        .lines()
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("    /\\ "));
    conjuncts
        .filter(|conjunct| *conjunct != "turn = \"retrier\"")
        .all(|conjunct| match conjunct.split_once(" >= ") {
            Some((left, right)) => value(left, names) >= value(right, names),
            None => {
                let (left, right) = conjunct.split_once(" > ").expect("a comparison");
                value(left, names) > value(right, names)
            }
        })
}

#[test]
fn the_trap_of_the_export_is_the_engines() {
    let (mut inside, mut outside) = (0, 0);
    for (s, amax, t, quiet) in small_parameters() {
        let config = match quiet {
            true => Config::new(s, amax, t).with_quiet(),
            false => Config::new(s, amax, t),
        };
        let module = export(&config, &config.start(0, 0)).unwrap().module;
        let region = Region::general(&config, config.most_arrivals());
        for qf in 0..40 {
            for qd in [0, qf, s * qf, s * qf + 1, (s * qf).saturating_sub(1)] {
                let names = |name: &str| {
                    u128::from(match name {
                        "S" => s,
                        "AMax" => amax,
                        "T" => t,
                        "qf" => qf,
                        "qd" => qd,
                        other => panic!("{other} is not known"),
                    })
                };
                let is_inside = region.contains(&config.start(qf, qd));
                assert_eq!(
                    is_trapped(&module, &names),
                    is_inside,
                    "{config:?} at {qf}, {qd}"
                );
                match is_inside {
                    true => inside += 1,
                    false => outside += 1,
                }
            }
        }
    }
    assert!(inside > 1_000 && outside > 1_000);
}

/// Small parameters, with many arrivals for the capacity and without.
fn small_parameters() -> impl Iterator<Item = (u64, u64, u64, bool)> {
    (1..4).flat_map(|s| {
        [0, 1, 2, 5, 30].into_iter().flat_map(move |amax| {
            (1..3).flat_map(move |t| [(s, amax, t, false), (s, amax, t, true)])
        })
    })
}
