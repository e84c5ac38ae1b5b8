//! The page's scenario in its address: the engine's configuration, and beside it the seed, the second system and what the
//! experiments are set to.

use super::FIRST;
use super::experiments::{EXPERIMENTS, Settings};
use super::state::{Rival, Scenario, Side, State};
use crate::address::{Load, Shareable};
use crate::ui::MAX_SEED;
use engine::FieldError;
use engine::ecs::{Config, presets};
use engine::query::{QueryReader, QueryWriter};

/// The seed that is not written.
const USUAL_SEED: u64 = 1;

impl Shareable for State {
    fn write(&self, query: &mut QueryWriter) {
        self.scenario.with(|scenario| write(scenario, query));
        query.put_unless(
            EXPERIMENTS[0],
            "experiment",
            EXPERIMENTS[self.experiment.get()],
        );
        self.experiments.with(|settings| settings.write(query));
    }

    fn write_place(&self, query: &mut QueryWriter) {
        if let Some(seconds) = self.place() {
            query.put("at", seconds);
        }
    }

    fn read(&self, query: &mut QueryReader) -> Result<Load, FieldError> {
        let scenario = read(query)?;
        let open = query.take_one_of("experiment", &EXPERIMENTS)?;
        let settings = Settings::read(query)?;
        let at: Option<f64> = query.take("at", "a number of seconds")?;
        if let Some(at) = at {
            FieldError::check_range("at", at, 0.0, scenario.config.duration_s)?;
        }
        let state = *self;
        Ok(Box::new(move || {
            state.experiment.set(open.unwrap_or(0));
            state.experiments.set(settings);
            state.load(scenario, at);
        }))
    }
}

fn write(scenario: &Scenario, query: &mut QueryWriter) {
    let preset = scenario.config.write(query);
    query.put_unless(USUAL_SEED, "seed", scenario.seed);
    let usual = Scenario::of(preset.config).rival;
    match (&scenario.rival, usual) {
        (None, None) => {}
        (None, Some(_)) => query.put("b", "off"),
        (Some(rival), usual) => {
            let usual = usual.as_ref();
            let policy = usual.map(|usual| &usual.policy);
            if policy != Some(&rival.policy) {
                query.put("b.policy", &rival.policy);
            }
            let admission = usual.map_or(&scenario.config.admission, |usual| &usual.admission);
            if *admission != rival.admission {
                query.put("b.admission", &rival.admission);
            }
        }
    }
}

fn read(query: &mut QueryReader) -> Result<Scenario, FieldError> {
    let first = presets::named(FIRST).expect("a preset of the engine");
    let (config, preset) = Config::read(query, first)?;
    let seed = query.take("seed", &format!("from 0 to {MAX_SEED}"))?;
    let seed = seed.unwrap_or(USUAL_SEED);
    FieldError::check_range("seed", seed, 0, MAX_SEED)?;
    let usual = Scenario::of(preset.config).rival;
    let of_b = |error: FieldError| FieldError {
        field: format!("b.{}", error.field),
        ..error
    };
    let policy = query.take_text("b.policy").map(|text| text.parse());
    let policy = policy.transpose().map_err(of_b)?;
    let admission = query.take_text("b.admission").map(|text| text.parse());
    let admission = admission.transpose().map_err(of_b)?;
    let rival = match (query.take_text("b").as_deref(), policy, admission, usual) {
        (Some("off"), None, None, _) => None,
        (Some(other), ..) => {
            let expected = "off, without any other part of b";
            return Err(FieldError::new("b", format!("'{other}'"), expected));
        }
        (None, None, None, usual) => usual,
        (None, policy, admission, usual) => {
            let usual = usual.unwrap_or_else(|| Rival {
                policy: config.policy.clone(),
                admission: config.admission.clone(),
            });
            Some(Rival {
                policy: policy.unwrap_or(usual.policy),
                admission: admission.unwrap_or(usual.admission),
            })
        }
    };
    let scenario = Scenario {
        config,
        seed,
        rival,
    };
    scenario.check_duration()?;
    if let Some(config) = scenario.side(Side::B) {
        config.validate().map_err(of_b)?;
    }
    Ok(scenario)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::ecs::admission::AdmissionSettings;
    use engine::ecs::policy::PolicySettings;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn text(scenario: &Scenario) -> String {
        let mut query = QueryWriter::default();
        write(scenario, &mut query);
        query.finish()
    }

    fn read_text(text: &str) -> Result<Scenario, FieldError> {
        let mut query = QueryReader::new(text)?;
        let scenario = read(&mut query)?;
        query.finish()?;
        Ok(scenario)
    }

    #[wasm_bindgen_test]
    fn every_pair_of_systems_is_read_back_as_it_was_written() {
        let policies = ["static", "naive", "fixed", "naive,long.most:9"]
            .map(|text| text.parse::<PolicySettings>().expect(text));
        let admissions = ["off", "latency", "distress,pace.looks:3"]
            .map(|text| text.parse::<AdmissionSettings>().expect(text));
        for preset in presets::all() {
            let usual = Scenario::of(preset.config.clone());
            assert_eq!(text(&usual), format!("v=1&preset={}", preset.name));
            let pairs = policies
                .iter()
                .flat_map(|policy| admissions.iter().map(move |admission| (policy, admission)));
            let rivals = pairs.map(|(policy, admission)| {
                Some(Rival {
                    policy: policy.clone(),
                    admission: admission.clone(),
                })
            });
            for rival in rivals.chain([None]) {
                for admission in &admissions {
                    let mut scenario = Scenario {
                        rival: rival.clone(),
                        seed: 7,
                        ..usual.clone()
                    };
                    scenario.config.admission = admission.clone();
                    let text = text(&scenario);
                    assert_eq!(read_text(&text), Ok(scenario), "{text}");
                }
            }
        }
    }

    #[wasm_bindgen_test]
    fn what_is_wrong_with_b_is_said_of_b() {
        for (text, start) in [
            ("b=on", "b is 'on', but must be off"),
            (
                "b=off&b.policy=static",
                "b is 'off', but must be off, without",
            ),
            ("b.policy=wise", "b.policy is 'wise', but must be"),
            (
                "b.policy=naive,short.step:2",
                "b.policy.short.step is 2, but must be from 0 to 1",
            ),
            ("seed=x", "seed is 'x', but must be from 0"),
            (
                "seed=9007199254740992",
                "seed is 9007199254740992, but must be from 0 to 9007199254740991",
            ),
            (
                "duration_s=5000",
                "duration_s is 5000, but must be from 21 to 1000",
            ),
        ] {
            let message = read_text(text).expect_err(text).to_string();
            assert!(message.starts_with(start), "{message}");
        }
    }
}
