//! The TLA+ export, letter by letter. TLC accepts these texts and finds in them what the engine finds; a change to the
//! export is run through TLC before the texts are renewed with `basin tla`.

use engine::retrier_server::tla::export;
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
