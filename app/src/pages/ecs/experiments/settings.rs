//! What the experiments are set to, and its part of the address.

use crate::pages::ecs::words;
use crate::text::number_in;
use engine::FieldError;
use engine::ecs::Class;
use engine::ecs::experiment::{PulseMapSettings, SweepSettings, TippingSettings};
use engine::per_request::{Plan, Randomness};
use engine::query::{QueryReader, QueryWriter};

/// What all experiments are set to. Seeds are the scenario's: those in here stay as they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The map of pulses.
    pub map: PulseMapSettings,
    /// The load up and down.
    pub sweep: SweepSettings,
    /// How many seeds.
    pub seeds: u64,
    /// The search for the smallest pulse that tips.
    pub tipping: TippingSettings,
    /// The system with a clock for each request, but for its budget.
    pub clock: Plan,
    /// How many seeds it is run with.
    pub clock_runs: u64,
    /// The retry budget that its toggle switches on.
    pub clock_budget: u64,
    /// Whether it is on.
    pub clock_has_budget: bool,
}

impl Default for Settings {
    /// What the page opens with: the engine's settings, with fewer runs and a shorter watch where all cells take long.
    fn default() -> Self {
        Self {
            map: PulseMapSettings {
                runs: 2,
                observe_s: 60.0,
                ..PulseMapSettings::default()
            },
            sweep: SweepSettings::default(),
            seeds: 10,
            tipping: TippingSettings {
                runs: 3,
                observe_s: 60.0,
                ..TippingSettings::default()
            },
            clock: Plan::new(3, 2, 2, 5, 200),
            clock_runs: 20,
            clock_budget: 0,
            clock_has_budget: false,
        }
    }
}

/// A whole number of an experiment.
pub struct Amount {
    /// Its name in an address.
    name: &'static str,
    /// The least that is accepted.
    pub min: u32,
    /// The most that is accepted.
    pub max: u32,
    /// Reads it.
    pub get: fn(&Settings) -> f64,
    /// Sets it.
    pub set: fn(&mut Settings, f64),
}

/// A list of numbers of an experiment.
pub struct Numbers {
    /// Its name in an address.
    name: &'static str,
    /// Reads it.
    pub get: fn(&Settings) -> &Vec<f64>,
    /// Lets it be set.
    pub get_mut: fn(&mut Settings) -> &mut Vec<f64>,
}

/// Whose arrivals an experiment multiplies.
pub struct WhoseArrivals {
    /// Its name in an address.
    name: &'static str,
    /// Reads it.
    pub get: fn(&Settings) -> Class,
    /// Sets it.
    pub set: fn(&mut Settings, Class),
}

/// Gives constants to numbers, and a list of them all.
macro_rules! amounts {
    ($($(#[$doc:meta])* $constant:ident = $name:literal, $min:literal..=$max:literal, $($part:ident).+ as $kind:ty;)*) => {
        $($(#[$doc])* pub const $constant: Amount = Amount {
            name: $name,
            min: $min,
            max: $max,
            get: |settings| settings.$($part).+ as f64,
            set: |settings, to| settings.$($part).+ = to as $kind,
        };)*

        const AMOUNTS: &[Amount] = &[$($constant),*];
    };
}

amounts! {
    /// Runs for each pulse of the map.
    MAP_RUNS = "map.runs", 1..=100, map.runs as u32;
    /// Seconds that each is watched.
    MAP_WATCHED = "map.watched", 20..=900, map.observe_s as f64;
    /// Seconds that each load lasts.
    SWEEP_LASTS = "sweep.lasts", 2..=1_000, sweep.dwell_s as f64;
    /// Seeds.
    SEEDS = "seeds.n", 2..=200, seeds as u64;
    /// Seconds that the pulse lasts which is searched.
    TIPPING_LENGTH = "tipping.length", 1..=900, tipping.length_s as f64;
    /// Where the search begins.
    TIPPING_MOST = "tipping.most", 2..=10_000, tipping.most as f64;
    /// Runs for each height.
    TIPPING_RUNS = "tipping.runs", 1..=100, tipping.runs as u32;
    /// `S` with a clock for each request.
    CLOCK_S = "clock.s", 1..=1_000, clock.s as u64;
    /// `AMax` there.
    CLOCK_AMAX = "clock.amax", 0..=1_000, clock.amax as u64;
    /// `T` there.
    CLOCK_T = "clock.t", 1..=1_000, clock.t as u64;
    /// `Q0` there.
    CLOCK_Q0 = "clock.q0", 0..=10_000, clock.q0 as u64;
    /// Rounds there.
    CLOCK_ROUNDS = "clock.rounds", 1..=10_000, clock.rounds as u64;
    /// Seeds there.
    CLOCK_RUNS = "clock.runs", 1..=200, clock_runs as u64;
    /// The retry budget that can be switched on there.
    CLOCK_BUDGET = "clock.b", 0..=1_000, clock_budget as u64;
}

/// The heights of the map.
pub const MAP_HEIGHTS: Numbers = Numbers {
    name: "map.heights",
    get: |settings| &settings.map.factors,
    get_mut: |settings| &mut settings.map.factors,
};
/// The lengths of the map.
pub const MAP_LENGTHS: Numbers = Numbers {
    name: "map.lengths",
    get: |settings| &settings.map.lengths_s,
    get_mut: |settings| &mut settings.map.lengths_s,
};
/// The loads on the way up.
pub const SWEEP_LOADS: Numbers = Numbers {
    name: "sweep.loads",
    get: |settings| &settings.sweep.factors,
    get_mut: |settings| &mut settings.sweep.factors,
};
const LISTS: [Numbers; 3] = [MAP_HEIGHTS, MAP_LENGTHS, SWEEP_LOADS];

/// Those of the map.
pub const MAP_CLASS: WhoseArrivals = WhoseArrivals {
    name: "map.class",
    get: |settings| settings.map.class,
    set: |settings, to| settings.map.class = to,
};
/// Those of the sweep.
pub const SWEEP_CLASS: WhoseArrivals = WhoseArrivals {
    name: "sweep.class",
    get: |settings| settings.sweep.class,
    set: |settings, to| settings.sweep.class = to,
};
/// Those of the search.
pub const TIPPING_CLASS: WhoseArrivals = WhoseArrivals {
    name: "tipping.class",
    get: |settings| settings.tipping.class,
    set: |settings, to| settings.tipping.class = to,
};
const CLASSES: [WhoseArrivals; 3] = [MAP_CLASS, SWEEP_CLASS, TIPPING_CLASS];

/// Most numbers of a list: a map has a cell for each pair of two.
const MOST_NUMBERS: usize = 20;

/// Reads a list such as `2, 4, 8`.
///
/// # Errors
/// Names the list, what it is, and what it must be.
pub fn numbers_in(name: &str, text: &str) -> Result<Vec<f64>, FieldError> {
    let parts = text.split([',', ' ']).filter(|part| !part.is_empty());
    let numbers: Option<Vec<f64>> = parts.map(number_in).collect();
    numbers
        .filter(|numbers| (1..=MOST_NUMBERS).contains(&numbers.len()))
        .ok_or_else(|| {
            let expected = format!("1 to {MOST_NUMBERS} numbers such as 2, 4, 8");
            FieldError::new(name, format!("'{text}'"), expected)
        })
}

impl Settings {
    /// Writes all that is not as the page opens.
    pub fn write(&self, query: &mut QueryWriter) {
        let first = Self::default();
        for WhoseArrivals { name, get, .. } in CLASSES {
            query.put_unless(words::class(get(&first)), name, words::class(get(self)));
        }
        for Numbers { name, get, .. } in LISTS {
            let text = |settings| get(settings).iter().map(f64::to_string).collect::<Vec<_>>();
            query.put_unless(text(&first).join(","), name, text(self).join(","));
        }
        for Amount { name, get, .. } in AMOUNTS {
            query.put_unless(get(&first), name, get(self));
        }
        query.put_unless(0, "clock.budget", u8::from(self.clock_has_budget));
        let is_certain = self.clock.randomness == Randomness::None;
        query.put_unless(0, "clock.certain", u8::from(is_certain));
    }

    /// Reads what [`Settings::write`] wrote.
    ///
    /// # Errors
    /// Names the first part that cannot be read or is out of range.
    pub fn read(query: &mut QueryReader) -> Result<Self, FieldError> {
        let mut settings = Self::default();
        for WhoseArrivals { name, set, .. } in CLASSES {
            if let Some(class) = query.take_one_of(name, &Class::ALL.map(words::class))? {
                set(&mut settings, Class::ALL[class]);
            }
        }
        for Numbers { name, get_mut, .. } in LISTS {
            if let Some(text) = query.take_text(name) {
                *get_mut(&mut settings) = numbers_in(name, &text)?;
            }
        }
        for &Amount {
            name,
            min,
            max,
            set,
            ..
        } in AMOUNTS
        {
            let expected = format!("a whole number from {min} to {max}");
            if let Some(given) = query.take::<u32>(name, &expected)? {
                FieldError::check_range(name, given, min, max)?;
                set(&mut settings, f64::from(given));
            }
        }
        settings.clock_has_budget = query.take_flag("clock.budget")?;
        if query.take_flag("clock.certain")? {
            settings.clock.randomness = Randomness::None;
        }
        Ok(settings)
    }

    /// The system with a clock for each request, and its budget if that is on.
    pub fn clock_plan(&self) -> Plan {
        Plan {
            budget: self.clock_has_budget.then_some(self.clock_budget),
            ..self.clock.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn text(settings: &Settings) -> String {
        let mut query = QueryWriter::default();
        settings.write(&mut query);
        query.finish()
    }

    fn read_text(text: &str) -> Result<Settings, FieldError> {
        let mut query = QueryReader::new(text)?;
        let settings = Settings::read(&mut query)?;
        query.finish()?;
        Ok(settings)
    }

    #[wasm_bindgen_test]
    fn what_the_page_opens_with_is_not_written() {
        assert_eq!(text(&Settings::default()), "v=1");
    }

    #[wasm_bindgen_test]
    fn every_setting_is_read_back_as_it_was_written() {
        let mut settings = Settings::default();
        let mut check = |change: &dyn Fn(&mut Settings)| {
            change(&mut settings);
            let text = text(&settings);
            assert_eq!(read_text(&text), Ok(settings.clone()), "{text}");
        };
        for amount in AMOUNTS {
            for value in [amount.min, amount.max] {
                check(&|settings| (amount.set)(settings, f64::from(value)));
            }
        }
        for list in LISTS {
            check(&|settings| *(list.get_mut)(settings) = vec![0.5, 30.0, 1e-3]);
        }
        for class in CLASSES {
            check(&|settings| (class.set)(settings, Class::Short));
        }
        check(&|settings| settings.clock_has_budget = true);
        check(&|settings| settings.clock.randomness = Randomness::None);
    }

    #[wasm_bindgen_test]
    fn a_bad_setting_is_refused_by_name_value_and_range() {
        for (text, start) in [
            (
                "map.class=all",
                "map.class is 'all', but must be one of short, long",
            ),
            (
                "map.heights=2,x",
                "map.heights is '2,x', but must be 1 to 20",
            ),
            ("map.heights=", "map.heights is '', but must be 1 to 20"),
            ("map.runs=101", "map.runs is 101, but must be from 1 to 100"),
            (
                "map.runs=1.5",
                "map.runs is '1.5', but must be a whole number",
            ),
            ("seeds.n=1", "seeds.n is 1, but must be from 2 to 200"),
            ("clock.budget=x", "clock.budget is 'x', but must be 0 or 1"),
        ] {
            let message = read_text(text).expect_err(text).to_string();
            assert!(message.starts_with(start), "{message}");
        }
    }
}
