//! What travels as JSON within a message.

use serde::de::{DeserializeOwned, Error as _};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value that travels as JSON: for types whose form names their parts, as scripts and configurations in files do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Json<T>(pub T);

impl<T: Serialize> Serialize for Json<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_json::to_string(&self.0)
            .map_err(S::Error::custom)?
            .serialize(serializer)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Json<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        serde_json::from_str(&text)
            .map(Json)
            .map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::ecs::{Simulation, Summary, presets};
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn every_preset_and_summary_survives_the_way_to_the_worker_and_back() {
        for preset in presets::all() {
            let sent = postcard::to_allocvec(&Json(preset.config.clone())).expect("it can be sent");
            let read: Json<engine::ecs::Config> = postcard::from_bytes(&sent).expect("it arrives");
            assert_eq!(read.0, preset.config);
        }
        let config = engine::ecs::Config {
            duration_s: 21.0,
            ..engine::ecs::Config::default()
        };
        let mut simulation = Simulation::new(&config, 1).expect("a good configuration");
        simulation.finish();
        let sent = postcard::to_allocvec(&Json(simulation.summary())).expect("it can be sent");
        let read: Json<Summary> = postcard::from_bytes(&sent).expect("it arrives");
        assert_eq!(read.0, simulation.summary());
    }
}
