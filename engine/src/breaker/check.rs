//! Everything that is checked of one configuration.

use super::config::{Action, Config};
use super::invariant::Invariant;
use super::property::{Fairness, Property};
use super::state::State;
use crate::FieldError;
use crate::explore::{Graph, Trail, explore};
use crate::liveness::LiveLasso;

/// What the exploration of a configuration found. It is complete: the graph is finite and small.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The configuration.
    pub config: Config,
    /// Reachable states.
    pub states: usize,
    /// Steps from the initial state to the farthest state.
    pub depth: usize,
    /// Each invariant and a shortest run to a state that breaks it, or `None` where it holds.
    pub invariants: Vec<(Invariant, Option<Trail<State, Action>>)>,
    /// Each liveness property under each fairness.
    pub liveness: Vec<LivenessCheck>,
}

/// A liveness property under a fairness, and a run that breaks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LivenessCheck {
    /// The property.
    pub property: Property,
    /// What is assumed.
    pub fairness: Fairness,
    /// A fair run that breaks the property; `None` where it holds.
    pub lasso: Option<LiveLasso<State, Action>>,
}

impl Check {
    /// A shortest run that breaks an invariant, and which one it breaks.
    #[must_use]
    pub fn counterexample(&self) -> Option<(Invariant, &Trail<State, Action>)> {
        let broken = self.invariants.iter();
        broken
            .filter_map(|(invariant, trail)| Some((*invariant, trail.as_ref()?)))
            .min_by_key(|(_, trail)| trail.length())
    }

    /// The check of `property` under `fairness`.
    #[must_use]
    pub fn liveness_of(&self, property: Property, fairness: Fairness) -> &LivenessCheck {
        self.liveness
            .iter()
            .find(|check| check.property == property && check.fairness == fairness)
            .expect("every property is checked under every fairness")
    }
}

/// Explores `config` to the end and checks every invariant and property.
///
/// # Errors
/// Names the first parameter out of range.
pub fn check(config: Config) -> Result<Check, FieldError> {
    config.validate()?;
    let graph = explore(&config, usize::MAX);
    let invariants = Invariant::ALL.map(|invariant| {
        let broken = graph.find(|state| !invariant.holds(&config, state));
        (invariant, broken.map(|to| graph.trail_to(&config, to)))
    });
    Ok(Check {
        config,
        states: graph.states().len(),
        depth: graph.depth(),
        invariants: invariants.into(),
        liveness: liveness(&config, &graph),
    })
}

fn liveness(config: &Config, graph: &Graph<State>) -> Vec<LivenessCheck> {
    let cases = Property::ALL
        .into_iter()
        .flat_map(|property| Fairness::ALL.map(|fairness| (property, fairness)));
    cases
        .map(|(property, fairness)| LivenessCheck {
            property,
            fairness,
            lasso: property.violation(config, graph, fairness),
        })
        .collect()
}
