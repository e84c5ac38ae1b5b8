//! The chapters in order, and their place in the address.

use crate::pages::Page;
use engine::FieldError;
use engine::query::{QueryReader, QueryWriter};

/// What the place in the story is called in an address, as on the other pages.
const AT: &str = "at";

/// A chapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A small backlog drains.
    Drain,
    /// A larger one, to be foreseen.
    Shock,
    /// The starts that neither drain nor explode.
    Orbits,
    /// The trap, and the map of all starts.
    Trap,
    /// Arrivals stop.
    Quiet,
    /// A budget of retries.
    Budget,
    /// Fresh work first.
    FreshFirst,
    /// A metric that rises while nothing else does.
    Metric,
    /// Two controllers that escalate.
    Escalation,
    /// Admission control against them.
    Admission,
    /// The breaker's double probe.
    Breaker,
    /// Nobody broke a promise.
    Contracts,
    /// Which promise to strengthen, and where to go on.
    Ending,
}

impl Step {
    /// Every chapter, in reading order.
    pub const ALL: [Step; 13] = [
        Step::Drain,
        Step::Shock,
        Step::Orbits,
        Step::Trap,
        Step::Quiet,
        Step::Budget,
        Step::FreshFirst,
        Step::Metric,
        Step::Escalation,
        Step::Admission,
        Step::Breaker,
        Step::Contracts,
        Step::Ending,
    ];

    /// Whether it asks the reader to predict before it shows what happens.
    #[must_use]
    pub const fn asks(self) -> bool {
        !matches!(self, Step::Drain | Step::Ending)
    }

    /// Its name in the address.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Step::Drain => "drain",
            Step::Shock => "shock",
            Step::Orbits => "orbits",
            Step::Trap => "trap",
            Step::Quiet => "quiet",
            Step::Budget => "budget",
            Step::FreshFirst => "fresh-first",
            Step::Metric => "metric",
            Step::Escalation => "escalation",
            Step::Admission => "admission",
            Step::Breaker => "breaker",
            Step::Contracts => "contracts",
            Step::Ending => "ending",
        }
    }

    /// Its title.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Step::Drain => "A queue that drains",
            Step::Shock => "A larger shock",
            Step::Orbits => "Eight and nine",
            Step::Trap => "Where the storm ends",
            Step::Quiet => "Silence",
            Step::Budget => "A budget for retries",
            Step::FreshFirst => "Fresh work first",
            Step::Metric => "A number to steer by",
            Step::Escalation => "Two sensible controllers",
            Step::Admission => "A guard at the door",
            Step::Breaker => "A probe at a time",
            Step::Contracts => "Who is at fault?",
            Step::Ending => "Which promise to strengthen",
        }
    }

    /// Its number, from 1.
    #[must_use]
    pub const fn number(self) -> usize {
        self as usize + 1
    }

    /// The id of its section.
    #[must_use]
    pub fn id(self) -> String {
        format!("story-{}", self.name())
    }

    /// Its address within the site.
    #[must_use]
    pub fn address(self) -> String {
        let mut query = QueryWriter::default();
        query.put(AT, self.name());
        format!("{}?{}", Page::Story.address(), query.finish())
    }

    /// Reads the chapter that an address names, if it names one.
    ///
    /// # Errors
    /// There is no chapter of that name.
    pub fn read(query: &mut QueryReader) -> Result<Option<Self>, FieldError> {
        let Some(text) = query.take_text(AT) else {
            return Ok(None);
        };
        let step = Step::ALL.into_iter().find(|step| step.name() == text);
        step.map(Some).ok_or_else(|| {
            let names = Step::ALL.map(Step::name).join(", ");
            FieldError::new(AT, format!("'{text}'"), format!("one of {names}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn read(address: &str) -> Result<Option<Step>, FieldError> {
        let (_, query) = address.split_once('?').expect("there is a query");
        Step::read(&mut QueryReader::new(query)?)
    }

    #[test]
    fn every_chapter_is_found_by_its_own_address() {
        for step in Step::ALL {
            assert_eq!(read(&step.address()), Ok(Some(step)));
        }
        assert_eq!(read("#/story?v=1"), Ok(None));
    }

    #[test]
    fn the_trap_has_a_short_address() {
        assert_eq!(Step::Trap.address(), "#/story?v=1&at=trap");
    }

    #[test]
    fn a_chapter_that_does_not_exist_is_refused_by_name() {
        let refused = read("#/story?at=epilogue").expect_err("no such chapter");
        assert!(
            refused
                .to_string()
                .starts_with("at is 'epilogue', but must be one of drain, shock"),
            "{refused}"
        );
    }
}
