//! The options that every retrier/server command shares.

use crate::within::within;
use clap::{Args, ValueEnum};
use engine::FieldError;
use engine::retrier_server::{Config, Fault, Gate, MAX_PARAMETER, State};

/// The model's parameters and laws.
#[derive(Args, Clone, Debug)]
pub struct ConfigArgs {
    /// Capacity: requests the server serves in a round, 1 to 2147483648
    #[arg(long, default_value_t = 3, value_parser = within(1, MAX_PARAMETER), allow_negative_numbers = true)]
    s: u64,
    /// Most fresh arrivals in a round, 0 to 2147483648
    #[arg(long, default_value_t = 2, value_parser = within(0, MAX_PARAMETER), allow_negative_numbers = true)]
    amax: u64,
    /// Retry timeout in rounds, 1 to 2147483648
    #[arg(long, default_value_t = 2, value_parser = within(1, MAX_PARAMETER), allow_negative_numbers = true)]
    t: u64,
    /// Retry budget: most retries in a round, 0 to 2147483648 [default: none]
    #[arg(long, value_name = "B", value_parser = within(0, MAX_PARAMETER), allow_negative_numbers = true)]
    budget: Option<u64>,
    /// The server serves fresh work first, not in proportion
    #[arg(long)]
    fresh_first: bool,
    /// A retry law with a memory: none, token-bucket:K,M (K tokens at first and at most, one back every M acks) or
    /// breaker:F,TICKS (open after F rounds in a row with retries due, for TICKS rounds) [default: none]
    #[arg(long, value_name = "GATE", value_parser = gate)]
    gate: Option<Gate>,
    /// A component that breaks its contract: an eager retrier retries inside the latency threshold, a wasteful server
    /// leaves one unit of capacity idle
    #[arg(long, value_enum, default_value_t)]
    fault: FaultArg,
}

fn gate(text: &str) -> Result<Gate, String> {
    text.parse()
        .map_err(|error: FieldError| format!("must be {}", error.expected))
}

/// [`Fault`] as an option.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum FaultArg {
    #[default]
    None,
    EagerRetrier,
    WastefulServer,
}

/// The start of a run.
#[derive(Args, Clone, Debug)]
pub struct StartArgs {
    /// Fresh requests queued and pending at the start, 0 to 2147483648
    #[arg(long, value_parser = within(0, MAX_PARAMETER), allow_negative_numbers = true)]
    pub q0: u64,
    /// Duplicates queued at the start, 0 to 2147483648
    #[arg(long, default_value_t = 0, value_parser = within(0, MAX_PARAMETER), allow_negative_numbers = true)]
    pub qd: u64,
}

impl StartArgs {
    /// The round start that they name.
    pub fn state(&self, config: &Config) -> State {
        config.start(self.q0, self.qd)
    }
}

impl ConfigArgs {
    /// The configuration, checked.
    pub fn config(&self) -> Result<Config, FieldError> {
        let mut config = Config::new(self.s, self.amax, self.t);
        config.budget = self.budget;
        if self.fresh_first {
            config = config.with_fresh_first();
        }
        config.fault = match self.fault {
            FaultArg::None => Fault::None,
            FaultArg::EagerRetrier => Fault::EagerRetrier,
            FaultArg::WastefulServer => Fault::WastefulServer,
        };
        config.gate = self.gate.unwrap_or_default();
        config.validate()?;
        Ok(config)
    }
}
