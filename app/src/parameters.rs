//! A scenario in one line: what stands in a picture that leaves the page, and in its file's name.

use crate::plots::storm::change_name;
use engine::breaker;
use engine::retrier_server::{Arrivals, Fault, Gate, Plan, Service};

/// The parameters of what a figure shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parameters {
    /// In words: `S = 3, AMax = 2, T = 2, Q0 = 18, maximum arrivals`.
    pub words: String,
    /// As a part of a file's name: `s3-amax2-t2-q18`.
    pub slug: String,
}

impl Parameters {
    /// Of both; the slug is made from `slug` by leaving letters, digits and single dashes.
    #[must_use]
    pub fn new(words: impl Into<String>, slug: &str) -> Self {
        let parts = slug.split(|c: char| !c.is_ascii_alphanumeric());
        let parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
        Self {
            words: words.into(),
            slug: parts.join("-").to_ascii_lowercase(),
        }
    }

    /// The same with more behind it.
    #[must_use]
    pub fn and(self, words: &str, slug: &str) -> Self {
        Self::new(
            format!("{}, {words}", self.words),
            &format!("{}-{slug}", self.slug),
        )
    }

    /// The same without the value of `symbol`, which is not one value here.
    #[must_use]
    pub fn without(self, symbol: &str) -> Self {
        let is_it = |part: &&str| {
            let named = part.split_once(" = ").map(|(name, _)| name);
            let name = named.and_then(|name| name.split(' ').next_back());
            name.is_some_and(|name| name.eq_ignore_ascii_case(symbol))
        };
        let rest: Vec<_> = self.words.split(", ").filter(|p| !is_it(p)).collect();
        Self {
            words: rest.join(", "),
            ..self
        }
    }

    /// The name of a file of `kind`, such as `svg`, with `what` in it.
    #[must_use]
    pub fn file(&self, what: &str, kind: &str) -> String {
        match self.slug.as_str() {
            "" => format!("{what}.{kind}"),
            slug => format!("{what}-{slug}.{kind}"),
        }
    }
}

impl From<&Plan> for Parameters {
    fn from(plan: &Plan) -> Self {
        let config = &plan.config;
        let mut words = vec![
            format!("S = {}", config.s),
            format!("AMax = {}", config.amax),
            format!("T = {}", config.t),
            format!("Q0 = {}", plan.q0),
        ];
        let mut slug = format!(
            "s{}-amax{}-t{}-q{}",
            config.s, config.amax, config.t, plan.q0
        );
        let mut also = |word: String, part: String| {
            words.push(word);
            slug += &format!("-{part}");
        };
        if plan.qd0 > 0 {
            also(format!("qd0 = {}", plan.qd0), format!("qd{}", plan.qd0));
        }
        if let Some(b) = config.budget {
            also(format!("budget B = {b}"), format!("b{b}"));
        }
        if config.service == Service::FreshFirst {
            also("fresh first".to_owned(), "fresh-first".to_owned());
        }
        if config.gate != Gate::None {
            also(
                format!("retry law {}", config.gate),
                config.gate.to_string(),
            );
        }
        if config.fault != Fault::None {
            also(config.fault.to_string(), config.fault.to_string());
        }
        match &plan.arrivals {
            _ if config.quiet => also("no arrivals".to_owned(), "quiet".to_owned()),
            Arrivals::Max => words.push("maximum arrivals".to_owned()),
            Arrivals::Zero => also("no arrivals".to_owned(), "quiet".to_owned()),
            Arrivals::Random(seed) => also(
                format!("random arrivals, seed {seed}"),
                format!("random{seed}"),
            ),
            Arrivals::List(_) => also("arrivals as listed".to_owned(), "listed".to_owned()),
        }
        for event in &plan.events {
            words.push(format!(
                "{} in round {}",
                change_name(event.change),
                event.round
            ));
        }
        Self::new(words.join(", "), &slug)
    }
}

impl From<&breaker::Config> for Parameters {
    fn from(config: &breaker::Config) -> Self {
        let breaker::Config {
            callers,
            max_failures,
            max_open_ticks,
            ..
        } = config;
        Self::new(
            format!(
                "{callers} callers, opens after {max_failures} failures, for {max_open_ticks} ticks"
            ),
            &format!("c{callers}-f{max_failures}-t{max_open_ticks}"),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::retrier_server::{Change, Config, Event};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_storm_is_named_by_its_parameters() {
        let parameters = Parameters::from(&Plan::new(Config::default(), 18, 40));
        assert_eq!(
            parameters.words,
            "S = 3, AMax = 2, T = 2, Q0 = 18, maximum arrivals"
        );
        assert_eq!(parameters.file("storm", "svg"), "storm-s3-amax2-t2-q18.svg");
    }

    #[test]
    fn what_varies_is_left_out() {
        let parameters = Parameters::from(&Plan::new(Config::default(), 18, 40));
        assert_eq!(
            parameters.without("q0").without("b").words,
            "S = 3, AMax = 2, T = 2, maximum arrivals"
        );
    }

    #[test]
    fn fixes_and_changes_are_named_where_there_are_any() {
        let mut plan = Plan::new(Config::default().with_fresh_first(), 18, 40);
        plan.config.budget = Some(0);
        plan.arrivals = Arrivals::Random(7);
        plan.events = vec![Event {
            round: 10,
            change: Change::Shock(25),
        }];
        let parameters = Parameters::from(&plan);
        assert_eq!(
            parameters.words,
            "S = 3, AMax = 2, T = 2, Q0 = 18, budget B = 0, fresh first, random arrivals, seed 7, shock +25 in round 10"
        );
        assert_eq!(parameters.slug, "s3-amax2-t2-q18-b0-fresh-first-random7");
    }
}
