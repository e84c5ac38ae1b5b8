//! What is set on the page in its address: the run as on the basin page, the view that is open, and what is set in each.

use super::clients::Setting;
use super::compare::Fix;
use super::controls::MOST_ROUNDS;
use super::counterexample::Choice;
use super::map;
use super::study::{FIRST_POSITION, Study, first_plan};
use crate::address::{Load, Shareable};
use crate::pages::place;
use engine::FieldError;
use engine::query::{QueryReader, QueryWriter};
use engine::retrier_server::clients::MAX_CLIENTS;
use engine::retrier_server::{Map, Plan, Property, Scale};
use std::fmt;

/// The views, in the order of their tabs.
const TABS: [&str; 8] = [
    "contracts",
    "counterexamples",
    "plane",
    "certificate",
    "maps",
    "compare",
    "clients",
    "tla",
];

/// Largest step of a counterexample that is read; where it has fewer, its last stands for the rest.
const MOST_STEPS: usize = 1_000_000;

/// The tab of the phase plane.
pub const PLANE: usize = 2;

/// All that is set beside the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Views {
    /// The tab.
    pub tab: usize,
    /// The property of the counterexample.
    pub choice: Choice,
    /// The bound, where that is the property.
    pub bound: u64,
    /// The axes of the map.
    pub axes: (Scale, Scale),
    /// The fixes compared.
    pub fixes: (Fix, Fix),
    /// The budget of those that have one.
    pub budget: u64,
    /// The clients.
    pub clients: Setting,
}

impl Default for Views {
    /// What the page opens with.
    fn default() -> Self {
        Self {
            tab: 0,
            choice: Choice::Bounded,
            bound: 50,
            axes: map::FIRST,
            fixes: (Fix::None, Fix::Budget),
            budget: 0,
            clients: Setting::FIRST,
        }
    }
}

impl Views {
    fn property(&self) -> Property {
        self.choice.property(self.bound)
    }

    fn write(&self, query: &mut QueryWriter) {
        let first = Self::default();
        query.put_unless(TABS[first.tab], "tab", TABS[self.tab]);
        if self.property() != first.property() {
            query.put("property", self.property());
        }
        let axis = |scale: Scale| format!("{}:{}..{}", scale.axis, scale.low, scale.high);
        query.put_unless(axis(first.axes.0), "x", axis(self.axes.0));
        query.put_unless(axis(first.axes.1), "y", axis(self.axes.1));
        query.put_unless(first.fixes.0, "left", self.fixes.0);
        query.put_unless(first.fixes.1, "right", self.fixes.1);
        query.put_unless(first.budget, "compare.b", self.budget);
        let (now, first) = (self.clients, first.clients);
        query.put_unless(first.n, "clients.n", now.n);
        query.put_unless(first.amax, "clients.amax", now.amax);
        let budget = |b: Option<u64>| b.map_or("none".to_owned(), |b| b.to_string());
        query.put_unless(budget(first.budget), "clients.b", budget(now.budget));
        query.put_unless(first.q0, "clients.q0", now.q0);
        query.put_unless(first.fresh_first, "clients.fresh", now.fresh_first);
    }

    /// Reads what [`Views::write`] wrote, beside `plan`.
    fn read(query: &mut QueryReader, plan: &Plan) -> Result<Self, FieldError> {
        let mut views = Self::default();
        if let Some(tab) = query.take_one_of("tab", &TABS)? {
            views.tab = tab;
        }
        if let Some(text) = query.take_text("property") {
            match text.parse()? {
                Property::Bounded(bound) => {
                    (views.choice, views.bound) = (Choice::Bounded, bound);
                }
                Property::NotTrapped => views.choice = Choice::NotTrapped,
                Property::Stabilization => views.choice = Choice::Stabilization,
            }
        }
        let mut axis = |name: &str, axis: &mut Scale| -> Result<(), FieldError> {
            if let Some(text) = query.take_text(name) {
                *axis = text.parse()?;
            }
            Ok(())
        };
        axis("x", &mut views.axes.0)?;
        axis("y", &mut views.axes.1)?;
        let map = Map {
            x: views.axes.0,
            y: views.axes.1,
            config: plan.config,
            q0: plan.q0,
            qd0: plan.qd0,
            cap: super::study::CAP,
        };
        map.validate()?;
        let mut fix = |name: &str, fix: &mut Fix| -> Result<(), FieldError> {
            if let Some(text) = query.take_text(name) {
                *fix = Fix::named(&text).ok_or_else(|| {
                    let expected = "none, budget, fresh-first or both";
                    FieldError::new(name, format!("'{text}'"), expected)
                })?;
            }
            Ok(())
        };
        fix("left", &mut views.fixes.0)?;
        fix("right", &mut views.fixes.1)?;
        let mut count = |name: &str, least: u64, most: u64, count: &mut u64| {
            let expected = format!("a whole number from {least} to {most}");
            if let Some(given) = query.take(name, &expected)? {
                FieldError::check_range(name, given, least, most)?;
                *count = given;
            }
            Ok::<(), FieldError>(())
        };
        let most = engine::retrier_server::MAX_PARAMETER;
        count("compare.b", 0, most, &mut views.budget)?;
        let set = &mut views.clients;
        count("clients.n", 1, MAX_CLIENTS as u64, &mut set.n)?;
        count("clients.amax", 0, Setting::MOST, &mut set.amax)?;
        count("clients.q0", 0, Setting::MOST_Q0, &mut set.q0)?;
        match query.take_text("clients.b").as_deref() {
            None => {}
            Some("none") => set.budget = None,
            Some(text) => {
                let budget = text.parse().ok().filter(|&b: &u64| b <= Setting::MOST);
                let expected = || format!("none, or a whole number from 0 to {}", Setting::MOST);
                set.budget = Some(budget.ok_or_else(|| {
                    FieldError::new("clients.b", format!("'{text}'"), expected())
                })?);
            }
        }
        if let Some(fresh) = query.take("clients.fresh", "true or false")? {
            set.fresh_first = fresh;
        }
        Ok(views)
    }
}

impl fmt::Display for Fix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fix::None => "none",
            Fix::Budget => "budget",
            Fix::FreshFirst => "fresh-first",
            Fix::Both => "both",
        })
    }
}

impl Fix {
    fn named(text: &str) -> Option<Self> {
        let mut all = Fix::ALL.into_iter().map(|(fix, _)| fix);
        all.find(|fix| fix.to_string() == text)
    }
}

impl Shareable for Study {
    fn write(&self, query: &mut QueryWriter) {
        let views = self.views();
        self.plan.with(|plan| {
            plan.write(query);
            // The budget that is on is written with the plan.
            let budget = plan.config.budget.map_or(views.budget, |_| 0);
            Views { budget, ..views }.write(query);
        });
    }

    fn write_place(&self, query: &mut QueryWriter) {
        let position = self.position();
        let run = self.run.get();
        if position != FIRST_POSITION.min(run.points().len() - 1) {
            query.put("at", place::write(&run, position));
        }
        query.put_unless(0, "step", self.step());
    }

    fn read(&self, query: &mut QueryReader) -> Result<Load, FieldError> {
        let (plan, views) = read(query)?;
        let run = plan.play()?;
        let at = place::read(query, &run)?.unwrap_or(FIRST_POSITION);
        let step = query.take("step", "a step of the counterexample")?;
        let step = step.unwrap_or(0);
        FieldError::check_range("step", step, 0, MOST_STEPS)?;
        let study = *self;
        Ok(Box::new(move || {
            study.set_views(views);
            study.load(plan);
            study.head.go_to(at);
            study.set_step(step);
        }))
    }
}

fn read(query: &mut QueryReader) -> Result<(Plan, Views), FieldError> {
    let plan = Plan::read(query, &first_plan())?;
    FieldError::check_range("rounds", plan.rounds, 1, MOST_ROUNDS)?;
    let views = Views::read(query, &plan)?;
    Ok((plan, views))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::retrier_server::Axis;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn text(plan: &Plan, views: &Views) -> String {
        let mut query = QueryWriter::default();
        plan.write(&mut query);
        views.write(&mut query);
        query.finish()
    }

    fn read_text(text: &str) -> Result<(Plan, Views), FieldError> {
        let mut query = QueryReader::new(text)?;
        let answer = read(&mut query)?;
        query.finish()?;
        Ok(answer)
    }

    #[wasm_bindgen_test]
    fn every_view_is_read_back_as_it_was_written() {
        let plan = first_plan();
        let first = Views::default();
        assert_eq!(text(&plan, &first), "v=1&s=3&amax=2&t=2&q0=18&rounds=40");
        let other = Views {
            bound: 99,
            axes: (
                Scale {
                    axis: Axis::S,
                    low: 1,
                    high: 12,
                },
                Scale {
                    axis: Axis::Q0,
                    low: 5,
                    high: 60,
                },
            ),
            budget: 2,
            clients: Setting {
                n: 5,
                amax: 2,
                budget: None,
                fresh_first: true,
                q0: 0,
            },
            ..first
        };
        let tabs = (0..TABS.len()).map(|tab| Views { tab, ..other });
        let pairs = Fix::ALL.into_iter().zip(Fix::ALL.into_iter().rev());
        let fixes = pairs.map(|((left, _), (right, _))| Views {
            fixes: (left, right),
            ..other
        });
        for views in tabs.chain(fixes).chain([first]) {
            let text = text(&plan, &views);
            assert_eq!(read_text(&text), Ok((plan.clone(), views)), "{text}");
        }
    }

    #[wasm_bindgen_test]
    fn a_bad_view_is_refused_by_name_value_and_range() {
        for (text, start) in [
            ("tab=end", "tab is 'end', but must be one of contracts, "),
            ("property=bounded:x", "property is 'bounded:x', but must be"),
            ("x=q0:9..3", "q0 is 3, but must be from 9 to"),
            ("x=b:0..3", "y is b, but must be another axis than x"),
            ("x=q0:0..9000&y=b:0..9000", "y is a map of"),
            ("left=some", "left is 'some', but must be none, budget"),
            (
                "clients.n=101",
                "clients.n is 101, but must be from 1 to 100",
            ),
            (
                "clients.b=many",
                "clients.b is 'many', but must be none, or",
            ),
            ("rounds=2001", "rounds is 2001, but must be from 1 to 2000"),
        ] {
            let message = read_text(text).expect_err(text).to_string();
            assert!(message.starts_with(start), "{message}");
        }
    }
}
