//! Every reader of text: whatever it is given, it accepts what is in range, or refuses, and does not panic.
//!
//! `cargo xtask fuzz` tries as many texts as it is told; a plain run tries a few.

#[path = "support/texts.rs"]
mod texts;

use engine::query::{QueryReader, QueryWriter};
use engine::retrier_server::{
    Arrivals, Axis, Change, Config, Event, Fault, Gate, Law, Plan, Property, Scale, Service,
};
use engine::scenario_file::ScenarioFile;
use engine::{breaker, ecs, per_request};
use serde::de::DeserializeOwned;
use std::fmt::Display;
use std::str::FromStr;
use texts::{inputs, try_reader};

/// Of a run's texts, what each kind of reader gets: those of JSON take longest.
fn share(of_hundred: usize) -> usize {
    inputs() * of_hundred / 100
}

fn plan() -> Plan {
    Plan::new(Config::default(), 18, 60)
}

#[test]
fn an_address_of_a_plan() {
    let good = [
        "v=1&s=3&amax=2&t=2&q0=18&rounds=60",
        "s=3&amax=2&t=2&b=1&serve=fresh&quiet=1&q0=30&qd=120&rounds=5&arrivals=0,1,2,0,1",
        "?s=3&q0=18&gate=token-bucket:10,10&do=10:shock:25;20:budget:0;21:gate:breaker:3,5;22:quiet:on&rounds=60",
        "s=2147483648&amax=2147483648&t=2147483648&q0=2147483648&arrivals=random:18446744073709551615&fault=eager-retrier",
    ];
    let good = good.map(|text| text.trim_start_matches('?'));
    try_reader("address", share(10), &good, |text| {
        let read = || {
            let mut query = QueryReader::new(text)?;
            let plan = Plan::read(&mut query, &plan())?;
            query.finish()?;
            Ok::<_, engine::FieldError>(plan)
        };
        let Ok(plan) = read() else { return false };
        assert_eq!(plan.validate(), Ok(()));
        let mut query = QueryWriter::default();
        plan.write(&mut query);
        let text = query.finish();
        if text.len() <= engine::query::MAX_LENGTH {
            let mut again = QueryReader::new(&text).expect("it was written");
            assert_eq!(Plan::read(&mut again, &self::plan()), Ok(plan));
        }
        true
    });
}

#[test]
fn an_address_of_an_ecs() {
    let good = [
        "v=1&preset=naive-overload",
        "preset=naive-overload&cores=8&policy=naive,long.most:64&do=30..45:pulse:long:16",
        "preset=ac-latency&sample_s=0.2&do=10:policy:fixed;20..30:outage;40:long_tickets:4&duration_s=100",
    ];
    try_reader("address of an ecs", share(5), &good, |text| {
        let read = || {
            let mut query = QueryReader::new(text)?;
            let default = ecs::presets::named("naive-overload").expect("the preset exists");
            let (config, _) = ecs::Config::read(&mut query, default)?;
            query.finish()?;
            Ok::<_, engine::FieldError>(config)
        };
        read().is_ok_and(|config| config.validate() == Ok(()))
    });
}

#[test]
fn an_address_of_a_breaker() {
    let config = breaker::Config::default();
    let actions: Vec<_> = config.actions().collect();
    let schedule = breaker::Config::write_schedule(&actions);
    let mut query = QueryWriter::default();
    let small = breaker::Config::new(breaker::Variant::Naive, 1, 1, 0);
    config.write_bounds(&mut query, &small);
    query.put("do", &schedule);
    let good = query.finish();
    try_reader("address of a breaker", share(3), &[&good, "v=1"], |text| {
        let read = || {
            let mut query = QueryReader::new(text)?;
            let config = breaker::Config::read_bounds(&mut query, &small)?;
            let actions = config.read_schedule(&query.take_text("do").unwrap_or_default())?;
            query.finish()?;
            Ok::<_, engine::FieldError>((config, actions))
        };
        let Ok((config, actions)) = read() else {
            return false;
        };
        let _ = config.play(&actions);
        config.validate() == Ok(())
    });
}

#[test]
fn a_scenario_file() {
    let file = ScenarioFile {
        page: "basin".to_owned(),
        query: "v=1&s=3&amax=2&t=2&q0=18&rounds=60&do=10:shock:25".to_owned(),
    };
    let good = file.write().expect("a good scenario");
    try_reader("scenario file", share(2), &[&good], |text| {
        let Ok(file) = ScenarioFile::read(text.as_bytes()) else {
            return false;
        };
        // What was read can be saved again.
        file.write().is_ok()
    });
}

/// A word that is read as a value, and written so that it reads back.
fn try_word<T: FromStr + Display + PartialEq>(name: &str, good: &[&str]) {
    try_reader(name, share(5), good, |text| {
        let Ok(value) = text.parse::<T>() else {
            return false;
        };
        assert!(
            value
                .to_string()
                .parse()
                .is_ok_and(|again: T| again == value)
        );
        true
    });
}

#[test]
fn words() {
    let gates = ["none", "token-bucket:10,10", "breaker:3,5"];
    try_word::<Gate>("gate", &gates);
    try_word::<Law>(
        "law",
        &[
            "none",
            "budget:4",
            "token-bucket:0,1",
            "breaker:65535,65535",
        ],
    );
    try_word::<Property>("property", &["bounded:50", "not-trapped", "stabilization"]);
    try_word::<Axis>("axis", &["q0", "qd0", "s", "amax", "t", "b"]);
    try_word::<Service>("service", &["shared", "fresh"]);
    try_word::<Fault>("fault", &["none", "eager-retrier", "wasteful-server"]);
    try_word::<Event>(
        "event",
        &[
            "10:shock:25",
            "1:budget:none",
            "7:serve:fresh",
            "2:quiet:off",
            "3:gate:breaker:3,5",
        ],
    );
    try_word::<Arrivals>("arrivals", &["max", "zero", "random:7", "0,1,2,2,0"]);
}

#[test]
fn scales() {
    try_reader(
        "scale",
        share(5),
        &["q0:0..60", "b:0..12", "s:1..2147483648"],
        |text| {
            let scale = text.parse::<Scale>();
            scale.is_ok_and(|scale| scale.validate().is_ok() && scale.count() > 0)
        },
    );
}

/// A file of JSON, whose value is then checked.
fn try_json<T: DeserializeOwned>(
    name: &str,
    of_hundred: usize,
    good: &[&str],
    check: impl Fn(T) -> bool,
) {
    try_reader(name, share(of_hundred), good, |text| {
        serde_json::from_str(text).is_ok_and(&check)
    });
}

#[test]
fn files_of_the_ecs() {
    let presets = ["naive-overload", "ac-distress-sluggish", "fixed-overload"];
    let good = presets.map(|name| {
        let config = ecs::presets::named(name).expect("the preset exists").config;
        serde_json::to_string(&config).expect("a configuration can be written")
    });
    let good: Vec<&str> = good.iter().map(String::as_str).collect();
    try_json("ecs configuration", 8, &good, |config: ecs::Config| {
        config.validate().is_ok()
    });
}

#[test]
fn files_of_the_models() {
    let good = serde_json::to_string(&Config::default().with_budget(4)).expect("it can be written");
    try_json("retrier and server", 7, &[&good], |config: Config| {
        config.validate().is_ok()
    });
    let change = serde_json::to_string(&Change::Shock(25)).expect("it can be written");
    try_json("change", 5, &[&change], |_: Change| true);
    let good = serde_json::to_string(&breaker::Config::default()).expect("it can be written");
    try_json("breaker", 5, &[&good], |config: breaker::Config| {
        config.validate().is_ok()
    });
    let plan = per_request::Plan::new(3, 2, 2, 18, 60);
    let good = serde_json::to_string(&plan).expect("it can be written");
    try_json("per request", 4, &[&good], |plan: per_request::Plan| {
        plan.validate().is_ok()
    });
}
