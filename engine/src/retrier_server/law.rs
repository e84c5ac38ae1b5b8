//! Retry laws side by side: how far each keeps a system recovering, whether it empties the trap, and at what price.
//!
//! The price is in retries held back: one that is due and not sent in a round counts one, and again in the next round if
//! it is still due and still not sent.

use super::config::{Config, MAX_PARAMETER};
use super::decide::deciding_run;
use super::explored::explore_from;
use super::gate::{Breaker, Gate, TokenBucket};
use super::run::{Arrivals, MAX_RUN_ROUNDS, Plan};
use super::state::State;
use super::trap::Region;
use super::verdict::{Verdict, judge, verdict};
use crate::FieldError;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What becomes of the retries that are due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Law {
    /// All go out.
    None,
    /// At most so many a round.
    Budget(u64),
    /// What a gate lets through.
    Gate(Gate),
}

impl Law {
    /// Laws to compare where none are named: none; the largest budget under which arrivals and retries stay below
    /// capacity; a bucket of 10 tokens that 10 acks each earn back; a breaker that opens for 5 rounds after 3 failures.
    #[must_use]
    pub fn usual(config: &Config) -> [Law; 4] {
        [
            Law::None,
            Law::Budget(config.s.saturating_sub(config.amax + 1)),
            Law::Gate(Gate::TokenBucket(TokenBucket {
                capacity: 10,
                acks_per_token: 10,
            })),
            Law::Gate(Gate::Breaker(Breaker {
                max_failures: 3,
                max_open_ticks: 5,
            })),
        ]
    }

    /// `config` with this law in place of its budget and gate.
    #[must_use]
    pub const fn apply(self, mut config: Config) -> Config {
        (config.budget, config.gate) = match self {
            Law::None => (None, Gate::None),
            Law::Budget(b) => (Some(b), Gate::None),
            Law::Gate(gate) => (None, gate),
        };
        config
    }
}

impl fmt::Display for Law {
    /// Writes what [`FromStr`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Law::None => f.write_str("none"),
            Law::Budget(b) => write!(f, "budget:{b}"),
            Law::Gate(gate) => gate.fmt(f),
        }
    }
}

impl FromStr for Law {
    type Err = FieldError;

    /// Reads `none`, `budget:B`, `token-bucket:K,M` or `breaker:F,TICKS`.
    fn from_str(text: &str) -> Result<Self, FieldError> {
        let law = match text.trim().split_once(':') {
            None if text.trim() == "none" => Ok(Law::None),
            Some(("budget", b)) => b.trim().parse().map(Law::Budget).map_err(|_| ()),
            _ => text.parse().map(Law::Gate).map_err(|_: FieldError| ()),
        };
        let in_range = |law: &Law| !matches!(law, Law::Budget(b) if *b > MAX_PARAMETER);
        law.ok().filter(in_range).ok_or_else(|| {
            FieldError::new(
                "law",
                format!("'{text}'"),
                format!("none, budget:B with B from 0 to {MAX_PARAMETER}, token-bucket:K,M with K from 0 to 65535 and M from 1 to 65535, or breaker:F,TICKS with each from 1 to 65535"),
            )
        })
    }
}

/// What a law makes of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LawOutcome {
    /// The law.
    pub law: Law,
    /// The largest Q0 such that it and every smaller one recovers, up to the one asked for; `None` if Q0 = 0 does not.
    pub recovers_to: Option<u64>,
    /// The verdict of the next Q0; `None` if all that were asked for recover.
    pub then: Option<Verdict>,
    /// From the start given.
    pub from_start: Rescue,
    /// From the trap's corner, its round start with the least of both queues.
    pub from_trap: Rescue,
}

/// What becomes of one start under a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rescue {
    /// The start.
    pub start: State,
    /// The verdict over all arrival choices.
    pub verdict: Verdict,
    /// The price of the run at most arrivals, if it comes back to `Good` for ever.
    pub price: Option<Price>,
}

/// What the way back costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// Rounds until every round ends in `Good`.
    pub rounds: u64,
    /// Retries sent meanwhile.
    pub sent: u64,
    /// Retries held back meanwhile, one a round for each that was due and not sent.
    pub held_back: u64,
    /// Most retries held back in a round.
    pub most_held_back: u64,
}

/// Compares `laws` in the system `config`, whose own budget and gate they replace: over the starts Q0 in `0..=most_q0`, from
/// `q0`, and from the corner of the trap. Laws that are not monotone are explored up to a backlog of `cap`.
///
/// # Errors
/// Names the first parameter out of range.
pub fn compare_laws(
    config: &Config,
    laws: &[Law],
    q0: u64,
    most_q0: u64,
    cap: u64,
) -> Result<Vec<LawOutcome>, FieldError> {
    FieldError::check_range("q0", q0, 0, MAX_PARAMETER)?;
    FieldError::check_range("most-q0", most_q0, 0, MAX_PARAMETER)?;
    laws.iter()
        .map(|&law| {
            let config = law.apply(*config);
            config.validate()?;
            let failing = first_failing(&config, most_q0, cap);
            Ok(LawOutcome {
                law,
                recovers_to: match failing {
                    Some((at, _)) => at.checked_sub(1),
                    None => Some(most_q0),
                },
                then: failing.map(|(_, verdict)| verdict),
                from_start: Rescue::of(&config, config.start(q0, 0), cap)?,
                from_trap: Rescue::of(&config, corner(&config)?, cap)?,
            })
        })
        .collect()
}

/// Most states explored in search of the first start that a law fails: then its verdict is unknown.
const MOST_STATES: usize = 5_000_000;

/// The least Q0 up to `most` that is not known to recover, and its verdict. Under a monotone law verdicts only worsen along
/// Q0, so it is found by bisection; else from 0 upwards, and soon, since no start beyond the cap of an exploration is known
/// to recover.
fn first_failing(config: &Config, most: u64, cap: u64) -> Option<(u64, Verdict)> {
    if !config.is_monotone() {
        let mut explored = 0;
        return (0..=most).find_map(|q0| {
            let found = explore_from(config, &config.start(q0, 0), cap);
            explored += found.states;
            let verdict = match explored {
                ..=MOST_STATES => found.judgement().verdict,
                _ => Verdict::Unknown,
            };
            (verdict != Verdict::Recovers).then_some((q0, verdict))
        });
    }
    let judge = |q0| verdict(config, &config.start(q0, 0), cap);
    let at_most = judge(most);
    let (mut low, mut high) = (0, (most, at_most));
    if at_most == Verdict::Recovers {
        return None;
    }
    while low < high.0 {
        let middle = u64::midpoint(low, high.0);
        match judge(middle) {
            Verdict::Recovers => low = middle + 1,
            failing => high = (middle, failing),
        }
    }
    Some(high)
}

/// The round start of the general trap region with the least of both queues, for the configuration's most arrivals.
fn corner(config: &Config) -> Result<State, FieldError> {
    let region = Region::general(config, config.most_arrivals());
    let qd_min = region.qf_min * u128::from(region.ratio);
    match u64::try_from(qd_min) {
        Ok(qd) if qd <= MAX_PARAMETER => Ok(config.start(region.qf_min as u64, qd)),
        _ => Err(FieldError::new(
            "s",
            config.s,
            format!("so small that the trap begins with at most {MAX_PARAMETER} duplicates"),
        )),
    }
}

impl Rescue {
    fn of(config: &Config, start: State, cap: u64) -> Result<Self, FieldError> {
        let run = deciding_run(config, &start, config.most_arrivals());
        let rounds = run.rounds_to_good().filter(|&r| r <= MAX_RUN_ROUNDS);
        Ok(Self {
            start,
            verdict: judge(config, &start, cap).verdict,
            price: match rounds {
                Some(rounds) => Some(Price::of(config, start, rounds)?),
                None => None,
            },
        })
    }
}

impl Price {
    fn of(config: &Config, start: State, rounds: u64) -> Result<Self, FieldError> {
        let plan = Plan {
            config: *config,
            q0: start.qf,
            qd0: start.qd,
            arrivals: Arrivals::Max,
            rounds,
            events: Vec::new(),
        };
        let run = plan.play()?;
        let mut price = Price {
            rounds,
            ..Price::default()
        };
        for pair in run
            .points()
            .windows(2)
            .filter(|pair| pair[0].state.is_round_start())
        {
            let due = config.raw_flux(&pair[0].state);
            let sent = pair[1].flux();
            price.sent += sent;
            price.held_back += due - sent;
            price.most_held_back = price.most_held_back.max(due - sent);
        }
        Ok(price)
    }
}
