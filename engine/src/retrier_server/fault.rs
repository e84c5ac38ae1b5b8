//! Components that break their contract on purpose, so that the ledger has something to name.

use serde::{Deserialize, Serialize};

/// A component that does not keep its promise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// Both components keep their contracts.
    #[default]
    None,
    /// The retrier holds everything pending to be late, and so retries inside the latency threshold too:
    /// its raw flux is `floor((p - done) / T)`.
    EagerRetrier,
    /// The server leaves one unit of its capacity idle: it serves `min(S - 1, qf + qd)` a round.
    WastefulServer,
}

impl Fault {
    /// Every fault, none first.
    pub const ALL: [Fault; 3] = [Fault::None, Fault::EagerRetrier, Fault::WastefulServer];

    /// Whether both components keep their contracts.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        matches!(self, Fault::None)
    }

    /// What it is called on the page and in words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Fault::None => "none",
            Fault::EagerRetrier => "eager retrier",
            Fault::WastefulServer => "wasteful server",
        }
    }
}
