//! Where in a run of the round model the reader is, as part of an address: `12` is the end of round 12, `12.1` the state
//! after it.

use engine::FieldError;
use engine::query::QueryReader;
use engine::retrier_server::{Run, Step};

/// The place of point `index`, which the run has.
pub fn write(run: &Run, index: usize) -> String {
    let point = &run.points()[index];
    let round = match point.step {
        Step::Retrier { .. } => point.round - 1,
        _ => point.round,
    };
    match index - end_of(run, round) {
        0 => round.to_string(),
        step => format!("{round}.{step}"),
    }
}

/// Where in the run the end of `round` is, before any shock.
fn end_of(run: &Run, round: u64) -> usize {
    let mut index = run.index_of_round(round);
    while run.points()[index].step == Step::Shock {
        index -= 1;
    }
    index
}

/// Reads `at`, if it is given, and finds it in the run.
///
/// # Errors
/// Names what cannot be read, or is not in the run.
pub fn read(query: &mut QueryReader, run: &Run) -> Result<Option<usize>, FieldError> {
    let Some(text) = query.take_text("at") else {
        return Ok(None);
    };
    let (round, step) = text.split_once('.').unwrap_or((&text, "0"));
    let index = match (round.parse::<u64>(), step.parse::<usize>()) {
        (Ok(round), Ok(step)) if round <= run.rounds() => end_of(run, round).checked_add(step),
        _ => None,
    };
    match index.filter(|&index| index < run.points().len()) {
        Some(index) => Ok(Some(index)),
        None => Err(FieldError::new(
            "at",
            format!("'{text}'"),
            format!(
                "a round from 0 to {}, or a state after it such as 1.1",
                run.rounds()
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::retrier_server::{Change, Config, Event, Plan};
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn every_state_of_a_run_has_a_place_that_leads_back_to_it() {
        let shock = |round| Event {
            round,
            change: Change::Shock(5),
        };
        let plan = Plan {
            events: vec![shock(1), shock(3), shock(3)],
            ..Plan::new(Config::default(), 2, 5)
        };
        let run = plan.play().expect("a good plan");
        for index in 0..run.points().len() {
            let at = write(&run, index);
            let mut query = QueryReader::new(&format!("at={at}")).expect("a good text");
            assert_eq!(read(&mut query, &run), Ok(Some(index)), "{at}");
        }
        assert_eq!(write(&run, 0), "0");
        assert_eq!(write(&run, run.index_of_round(4)), "4");
        assert_eq!(write(&run, run.index_of_round(4) + 1), "4.1");
    }

    #[wasm_bindgen_test]
    fn a_place_that_the_run_has_not_is_refused() {
        let run = Plan::new(Config::default(), 18, 40).play().expect("a plan");
        for text in ["41", "40.1", "-1", "x", "", "1.x", "18446744073709551616"] {
            let mut query = QueryReader::new(&format!("at={text}")).expect("a good text");
            let error = read(&mut query, &run).expect_err(text).to_string();
            assert!(
                error.starts_with(&format!("at is '{text}', but must be a round from 0 to 40"))
            );
        }
    }
}
