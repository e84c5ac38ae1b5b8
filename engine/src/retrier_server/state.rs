//! One state of the retrier and the server.

use super::gate::GateState;
use serde::{Deserialize, Serialize};

/// Who moves next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Turn {
    /// The retrier: this is a round's start.
    #[default]
    Retrier,
    /// The server: this is mid-round.
    Server,
}

/// One state. Counts are requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct State {
    /// Fresh work queued at the server.
    pub qf: u64,
    /// Duplicate (retry) work queued at the server.
    pub qd: u64,
    /// Fresh completions that the retrier has not read yet.
    pub done: u64,
    /// The retrier's ledger: fresh requests sent and not yet known to be answered.
    pub p: u64,
    /// Who moves next.
    pub turn: Turn,
    /// What the retry law remembers, where it remembers anything.
    pub gate: GateState,
}

impl State {
    /// All work queued at the server: `qf + qd`.
    #[must_use]
    pub fn backlog(&self) -> u64 {
        self.qf + self.qd
    }

    /// `PAcct`: the ledger equals the fresh queue plus the acks in transit.
    #[must_use]
    pub fn ledger_is_exact(&self) -> bool {
        self.p == self.qf + self.done
    }

    /// Whether this is a round's start.
    #[must_use]
    pub fn is_round_start(&self) -> bool {
        self.turn == Turn::Retrier
    }
}
