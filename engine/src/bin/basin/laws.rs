//! `basin laws`: retry laws side by side.

use crate::Failure;
use crate::retrier_server::ConfigArgs;
use crate::within::within;
use clap::Args;
use engine::FieldError;
use engine::retrier_server::{
    DEFAULT_CAP, Gate, Law, LawOutcome, MAX_CAP, MAX_PARAMETER, Rescue, Verdict, compare_laws,
};
use engine::rows::{Format, Output};
use serde::Serialize;
use std::io::Write;

/// Largest `--most-q0`: each start is judged by itself.
const MAX_MOST_Q0: u64 = 100_000;

#[derive(Args)]
pub struct Laws {
    #[command(flatten)]
    config: ConfigArgs,
    /// A law to compare, as often as wanted: none, budget:B, token-bucket:K,M or breaker:F,TICKS
    /// [default: none, the largest safe budget, token-bucket:10,10, breaker:3,5]
    #[arg(long = "law", value_name = "LAW", value_parser = law)]
    laws: Vec<Law>,
    /// The start whose way back is priced, 0 to 2147483648
    #[arg(long, default_value_t = 18, value_parser = within(0, MAX_PARAMETER), allow_negative_numbers = true)]
    q0: u64,
    /// The largest Q0 to judge, 0 to 100000
    #[arg(long, default_value_t = 40, value_parser = within(0, MAX_MOST_Q0), allow_negative_numbers = true)]
    most_q0: u64,
    /// Largest backlog that the explorer counts, 0 to 1000000
    #[arg(long, default_value_t = DEFAULT_CAP, value_parser = within(0, MAX_CAP), allow_negative_numbers = true)]
    cap: u64,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

fn law(text: &str) -> Result<Law, String> {
    text.parse()
        .map_err(|error: FieldError| format!("must be {}", error.expected))
}

#[derive(Serialize)]
struct Row {
    law: String,
    recovers_to: Option<u64>,
    then: Option<Verdict>,
    q0: u64,
    q0_verdict: Verdict,
    q0_rounds_to_good: Option<u64>,
    q0_sent: Option<u64>,
    q0_held_back: Option<u64>,
    q0_most_held_back: Option<u64>,
    trap_qf: u64,
    trap_qd: u64,
    trap_verdict: Verdict,
    trap_rounds_to_good: Option<u64>,
    trap_sent: Option<u64>,
    trap_held_back: Option<u64>,
    trap_most_held_back: Option<u64>,
}

impl From<&LawOutcome> for Row {
    fn from(outcome: &LawOutcome) -> Self {
        let LawOutcome {
            from_start,
            from_trap,
            ..
        } = outcome;
        let rounds = |rescue: &Rescue| rescue.price.map(|price| price.rounds);
        let sent = |rescue: &Rescue| rescue.price.map(|price| price.sent);
        let held_back = |rescue: &Rescue| rescue.price.map(|price| price.held_back);
        let most = |rescue: &Rescue| rescue.price.map(|price| price.most_held_back);
        Row {
            law: outcome.law.to_string(),
            recovers_to: outcome.recovers_to,
            then: outcome.then,
            q0: from_start.start.qf,
            q0_verdict: from_start.verdict,
            q0_rounds_to_good: rounds(from_start),
            q0_sent: sent(from_start),
            q0_held_back: held_back(from_start),
            q0_most_held_back: most(from_start),
            trap_qf: from_trap.start.qf,
            trap_qd: from_trap.start.qd,
            trap_verdict: from_trap.verdict,
            trap_rounds_to_good: rounds(from_trap),
            trap_sent: sent(from_trap),
            trap_held_back: held_back(from_trap),
            trap_most_held_back: most(from_trap),
        }
    }
}

impl Laws {
    pub fn run(&self, out: &mut Output<impl Write>) -> Result<(), Failure> {
        let config = self.config.config()?;
        if let Some(b) = config.budget {
            return Err(FieldError::new("budget", b, "left out: name it as --law budget:B").into());
        }
        if config.gate != Gate::None {
            return Err(
                FieldError::new("gate", config.gate, "left out: name it as a --law").into(),
            );
        }
        let usual = Law::usual(&config);
        let laws = match self.laws.as_slice() {
            [] => &usual,
            named => named,
        };
        for outcome in compare_laws(&config, laws, self.q0, self.most_q0, self.cap)? {
            out.row(self.format, &Row::from(&outcome))?;
        }
        Ok(())
    }
}
