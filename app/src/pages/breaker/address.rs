//! What is set and done on the page in its address: bounds, the story or the actions taken, and the laws compared.

use super::laws::Settings;
use super::state::{MOST_ON_PAGE, State, Story};
use crate::address::{Load, Shareable};
use engine::FieldError;
use engine::breaker::{Action, Config};
use engine::query::{QueryReader, QueryWriter};
use engine::retrier_server::{Breaker, TokenBucket};
use std::sync::Arc;

/// All that the address holds but for the position.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The bounds; the variant in it is of no account.
    pub bounds: Config,
    /// The story shown.
    pub story: Option<Story>,
    /// What is tried, in order: the story's actions, or those taken by hand.
    pub schedule: Arc<Vec<Action>>,
    /// The laws compared.
    pub laws: Settings,
}

impl Story {
    const fn name(self) -> &'static str {
        match self {
            Story::DoubleProbe => "double-probe",
            Story::ForgottenCall => "forgotten-call",
            Story::NeverCloses => "never-closes",
        }
    }
}

impl Scenario {
    fn write(&self, query: &mut QueryWriter) {
        self.bounds.write_bounds(query, &Config::default());
        match self.story {
            Some(story) => query.put("story", story.name()),
            None if self.schedule.is_empty() => {}
            None => query.put("do", Config::write_schedule(&self.schedule)),
        }
        let (now, first) = (self.laws, Settings::first());
        query.put_unless(first.q0, "law.q0", now.q0);
        query.put_unless(first.budget, "law.b", now.budget);
        let bucket = |b: TokenBucket| format!("{},{}", b.capacity, b.acks_per_token);
        query.put_unless(bucket(first.bucket), "law.bucket", bucket(now.bucket));
        let breaker = |b: Breaker| format!("{},{}", b.max_failures, b.max_open_ticks);
        query.put_unless(breaker(first.breaker), "law.breaker", breaker(now.breaker));
    }

    /// Reads what [`Scenario::write`] wrote.
    fn read(query: &mut QueryReader) -> Result<Self, FieldError> {
        let bounds = Config::read_bounds(query, &Config::default())?;
        FieldError::check_range("max-failures", bounds.max_failures, 1, MOST_ON_PAGE)?;
        FieldError::check_range("max-open-ticks", bounds.max_open_ticks, 0, MOST_ON_PAGE)?;
        let (story, schedule) = match (query.take_text("story"), query.take_text("do")) {
            (None, actions) => (None, bounds.read_schedule(&actions.unwrap_or_default())?),
            (Some(name), None) => {
                let (story, actions) = told(&name, bounds)?;
                (Some(story), actions)
            }
            (Some(name), Some(_)) => {
                let expected = "left out where do is given";
                return Err(FieldError::new("story", format!("'{name}'"), expected));
            }
        };
        Ok(Self {
            bounds,
            story,
            schedule: Arc::new(schedule),
            laws: read_laws(query)?,
        })
    }
}

/// The story of this name, and its run under these bounds.
fn told(name: &str, bounds: Config) -> Result<(Story, Vec<Action>), FieldError> {
    let stories = Story::ALL.into_iter();
    let told = stories.filter_map(|story| Some((story, story.under(bounds)?)));
    let told: Vec<_> = told.collect();
    let names: Vec<_> = told.iter().map(|(story, _)| story.name()).collect();
    let expected = format!("one that these bounds have: {}", names.join(", "));
    let found = told.into_iter().find(|(story, _)| story.name() == name);
    found.ok_or_else(|| FieldError::new("story", format!("'{name}'"), expected))
}

fn read_laws(query: &mut QueryReader) -> Result<Settings, FieldError> {
    let mut laws = Settings::first();
    let mut count = |name: &str, most: u64, count: &mut u64| {
        if let Some(given) = query.take(name, "a whole number")? {
            FieldError::check_range(name, given, 0, most)?;
            *count = given;
        }
        Ok::<(), FieldError>(())
    };
    count("law.q0", Settings::MOST_Q0, &mut laws.q0)?;
    count("law.b", Settings::MOST_BUDGET, &mut laws.budget)?;
    let mut two = |name: &str, expected: &str| {
        let Some(text) = query.take_text(name) else {
            return Ok(None);
        };
        let numbers = text
            .split_once(',')
            .and_then(|(one, other)| Some((one.parse().ok()?, other.parse().ok()?)));
        match numbers {
            Some(numbers) => Ok::<Option<(u16, u16)>, FieldError>(Some(numbers)),
            None => Err(FieldError::new(name, format!("'{text}'"), expected)),
        }
    };
    if let Some((capacity, acks_per_token)) =
        two("law.bucket", "two whole numbers, tokens and acks a token")?
    {
        FieldError::check_range("law.bucket tokens", capacity, 0, Settings::MOST_TOKENS)?;
        FieldError::check_range("law.bucket acks", acks_per_token, 1, Settings::MOST_TOKENS)?;
        laws.bucket = TokenBucket {
            capacity,
            acks_per_token,
        };
    }
    if let Some((max_failures, max_open_ticks)) =
        two("law.breaker", "two whole numbers, failures and rounds open")?
    {
        FieldError::check_range(
            "law.breaker failures",
            max_failures,
            1,
            Settings::MOST_FAILURES,
        )?;
        FieldError::check_range("law.breaker rounds", max_open_ticks, 1, Settings::MOST_OPEN)?;
        laws.breaker = Breaker {
            max_failures,
            max_open_ticks,
        };
    }
    Ok(laws)
}

impl Shareable for State {
    fn write(&self, query: &mut QueryWriter) {
        self.scenario().write(query);
    }

    fn write_place(&self, query: &mut QueryWriter) {
        query.put_unless(self.head.last.get(), "at", self.head.position.get());
    }

    fn read(&self, query: &mut QueryReader) -> Result<Load, FieldError> {
        let scenario = Scenario::read(query)?;
        let last = scenario.schedule.len();
        let at = query.take("at", &format!("a step from 0 to {last}"))?;
        let at = at.unwrap_or(last);
        FieldError::check_range("at", at, 0, last)?;
        let state = *self;
        Ok(Box::new(move || state.load(scenario, at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::breaker::{Caller, Variant};
    use wasm_bindgen_test::wasm_bindgen_test;

    fn text(scenario: &Scenario) -> String {
        let mut query = QueryWriter::default();
        scenario.write(&mut query);
        query.finish()
    }

    fn read(text: &str) -> Result<Scenario, FieldError> {
        let mut query = QueryReader::new(text)?;
        let scenario = Scenario::read(&mut query)?;
        query.finish()?;
        Ok(scenario)
    }

    #[wasm_bindgen_test]
    fn stories_and_schedules_are_read_back_as_they_were_written() {
        let bounds = Config::new(Variant::Hardened, 3, 2, 1);
        let by_hand = |actions: Vec<Action>| Scenario {
            bounds,
            story: None,
            schedule: Arc::new(actions),
            laws: Settings {
                q0: 21,
                ..Settings::first()
            },
        };
        let caller = Caller(3);
        let stories = Story::ALL.map(|story| Scenario {
            story: Some(story),
            ..by_hand(story.under(bounds).expect("a story of these bounds"))
        });
        let done = [
            by_hand(Vec::new()),
            by_hand(vec![Action::ClosedCallFailure(caller), Action::OpenTick]),
        ];
        for scenario in stories.into_iter().chain(done) {
            let text = text(&scenario);
            assert_eq!(read(&text), Ok(scenario), "{text}");
        }
    }

    #[wasm_bindgen_test]
    fn a_bad_address_is_refused_by_name_value_and_range() {
        for (text, start) in [
            (
                "story=love",
                "story is 'love', but must be one that these bounds have: double-probe",
            ),
            (
                "callers=1&story=double-probe",
                "story is 'double-probe', but must be one that",
            ),
            (
                "story=double-probe&do=tick",
                "story is 'double-probe', but must be left out",
            ),
            (
                "max-failures=41",
                "max-failures is 41, but must be from 1 to 40",
            ),
            ("law.q0=201", "law.q0 is 201, but must be from 0 to 200"),
            (
                "law.bucket=3",
                "law.bucket is '3', but must be two whole numbers",
            ),
            (
                "law.breaker=0,1",
                "law.breaker failures is 0, but must be from 1 to 20",
            ),
        ] {
            let message = read(text).expect_err(text).to_string();
            assert!(message.starts_with(start), "{message}");
        }
    }
}
