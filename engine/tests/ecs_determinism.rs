//! The same seed and script give the same run.

use engine::ecs::experiment::{Batch, Experiment, Job, Step};
use engine::ecs::policy::{FixedSettings, PolicySettings};
use engine::ecs::presets::{all, named};
use engine::ecs::{Config, Simulation};

fn brief(mut config: Config) -> Config {
    config.duration_s = 50.0;
    config
}

#[test]
fn a_run_is_the_same_again_and_in_slices_of_any_length() {
    for preset in all() {
        let config = brief(preset.config);
        let mut whole = Simulation::new(&config, 7).unwrap();
        whole.finish();
        let mut sliced = Simulation::new(&config, 7).unwrap();
        let mut budget = 1;
        while !sliced.advance_within(f64::INFINITY, budget) {
            sliced.snapshot();
            budget = budget * 3 % 10_007;
        }
        let mut timed = Simulation::new(&config, 7).unwrap();
        while !timed.is_done() {
            timed.advance(timed.now() + 0.0137);
            timed.summary();
        }
        for other in [&sliced, &timed] {
            assert_eq!(whole.samples(), other.samples(), "{}", preset.name);
            assert_eq!(whole.probes(), other.probes(), "{}", preset.name);
            assert_eq!(whole.summary(), other.summary(), "{}", preset.name);
        }
    }
}

#[test]
fn another_seed_is_another_run() {
    let config = brief(named("naive-overload").unwrap().config);
    let run = |seed| {
        let mut simulation = Simulation::new(&config, seed).unwrap();
        simulation.finish();
        simulation.totals()
    };
    assert_ne!(run(1), run(2));
}

#[test]
fn two_policies_meet_the_same_arrivals() {
    let naive = brief(named("naive-overload").unwrap().config);
    let fixed = Config {
        policy: PolicySettings::Fixed(FixedSettings::default()),
        ..naive.clone()
    };
    let arrivals = |config: &Config| {
        let mut simulation = Simulation::new(config, 3).unwrap();
        simulation.finish();
        simulation
            .samples()
            .iter()
            .map(|sample| (sample.short_arrivals, sample.long_arrivals))
            .collect::<Vec<_>>()
    };
    let (naive, fixed) = (arrivals(&naive), arrivals(&fixed));
    assert_eq!(naive, fixed);
    assert!(
        naive.iter().any(|second| second.1 > 5.0),
        "the pulse is in it"
    );
}

#[test]
fn an_experiment_finds_the_same_in_small_steps() {
    let config = brief(named("fixed-overload").unwrap().config);
    let batch = || {
        let jobs = (0..3)
            .map(|seed| Job {
                key: seed,
                config: config.clone(),
                seed,
            })
            .collect();
        Batch::new(jobs).unwrap()
    };
    let at_once: Vec<_> = batch()
        .points()
        .map(|(seed, simulation)| (seed, simulation.totals()))
        .collect();
    let mut stepped = Vec::new();
    let mut batch = batch();
    let mut progress = 0.0;
    loop {
        match batch.step(1000) {
            Step::Working => {}
            Step::Point((seed, simulation)) => stepped.push((seed, simulation.totals())),
            Step::Done => break,
        }
        assert!(batch.progress() >= progress, "progress does not go back");
        progress = batch.progress();
    }
    assert_eq!(at_once, stepped);
    assert_eq!(progress, 1.0);
}
