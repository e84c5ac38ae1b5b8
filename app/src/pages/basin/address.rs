//! The page's scenario in its address.

use super::state::{DEFAULT_MAP_TO, State, first_scenario};
use crate::address::{Load, Shareable};
use crate::pages::place;
use crate::study::Scenario;
use crate::ui::MAX_SEED;
use engine::FieldError;
use engine::query::{QueryReader, QueryWriter};
use engine::retrier_server::{Arrivals, Plan};

impl Shareable for State {
    fn write(&self, query: &mut QueryWriter) {
        self.scenario.with(|scenario| {
            scenario.plan.write(query);
            query.put_unless(DEFAULT_MAP_TO, "map", scenario.map_to);
        });
    }

    fn write_place(&self, query: &mut QueryWriter) {
        let position = self.head.position.get();
        let run = self.run.get();
        if position + 1 < run.points().len() {
            query.put("at", place::write(&run, position));
        }
    }

    fn read(&self, query: &mut QueryReader) -> Result<Load, FieldError> {
        let scenario = read(query)?;
        let run = scenario.plan.play()?;
        let at = place::read(query, &run)?.unwrap_or(run.points().len() - 1);
        let state = *self;
        Ok(Box::new(move || {
            let set = state.propose(|now| *now = scenario);
            debug_assert_eq!(set, Ok(()), "what was read is in range");
            state.head.go_to(at);
        }))
    }
}

fn read(query: &mut QueryReader) -> Result<Scenario, FieldError> {
    let mut plan = Plan::read(query, &first_scenario().plan)?;
    // A list has an entry for each round, so it says how many there are.
    if let Arrivals::List(list) = &plan.arrivals {
        plan.rounds = list.len() as u64;
    }
    if let Arrivals::Random(seed) = plan.arrivals {
        FieldError::check_range("the seed of arrivals", seed, 0, MAX_SEED)?;
    }
    let scenario = Scenario {
        plan,
        map_to: query
            .take("map", "a whole number")?
            .unwrap_or(DEFAULT_MAP_TO),
    };
    scenario.validate()?;
    Ok(scenario)
}
