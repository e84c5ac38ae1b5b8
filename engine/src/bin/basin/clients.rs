//! `basin clients`: N clients and one server.

use crate::Failure;
use crate::retrier_server::ConfigArgs;
use crate::within::within;
use clap::Args;
use engine::FieldError;
use engine::retrier_server::clients::{
    Clients as Model, ClientsJudgement, ClientsPlan, DEFAULT_CLIENTS_CAP, MAX_CLIENTS,
    MAX_CLIENTS_CAP, judge_clients,
};
use engine::retrier_server::{Arrivals, MAX_PARAMETER, MAX_RUN_ROUNDS, Turn};
use engine::rows::{Format, Output};
use serde::Serialize;
use std::io::Write;

/// AMax and the budget are each client's, S is the server's, and a client's threshold is its share, floor(S*T/N). Prints
/// one object a client and state, or with --judge one object that says where the clients lead.
#[derive(Args)]
pub struct Clients {
    /// How many clients, 1 to 100
    #[arg(long, default_value_t = 2, value_parser = within(1, MAX_CLIENTS as u64), allow_negative_numbers = true)]
    n: u64,
    #[command(flatten)]
    config: ConfigArgs,
    /// Fresh requests of each client queued and pending at the start, 0 to 2147483648: one value for all, or a list such
    /// as 18,0
    #[arg(long, value_delimiter = ',', required = true, value_parser = within(0, MAX_PARAMETER), allow_negative_numbers = true)]
    q0: Vec<u64>,
    /// Rounds to play, 0 to 100000
    #[arg(long, default_value_t = 20, value_parser = within(0, MAX_RUN_ROUNDS), allow_negative_numbers = true)]
    rounds: u64,
    /// Fresh arrivals of every client: max, zero, random:SEED, or a list with an entry a round
    #[arg(long, default_value = "max")]
    arrivals: String,
    /// Say where the clients lead instead of playing a run
    #[arg(long)]
    judge: bool,
    /// Largest total backlog explored by --judge, 0 to 1000
    #[arg(long, default_value_t = DEFAULT_CLIENTS_CAP, value_parser = within(0, MAX_CLIENTS_CAP), allow_negative_numbers = true)]
    cap: u64,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

#[derive(Serialize)]
struct Row {
    round: u64,
    turn: Turn,
    client: usize,
    qf: u64,
    qd: u64,
    done: u64,
    p: u64,
    flux: u64,
}

#[derive(Serialize)]
struct Judged {
    n: u64,
    /// `N * (AMax + B)`; null without a budget.
    most_inflow: Option<u64>,
    capacity: u64,
    budgets_are_safe: bool,
    #[serde(flatten)]
    judgement: ClientsJudgement,
}

impl Clients {
    pub fn run(&self, out: &mut Output<impl Write>) -> Result<(), Failure> {
        let clients = Model {
            config: self.config.config()?,
            n: self.n as usize,
        };
        let q0 = match self.q0[..] {
            [q0] => vec![q0; clients.n],
            _ => self.q0.clone(),
        };
        if self.judge {
            let judgement = judge_clients(&clients, &q0, self.cap)?;
            return Ok(out.row(
                self.format,
                &Judged {
                    n: self.n,
                    most_inflow: clients.most_inflow(),
                    capacity: clients.config.s,
                    budgets_are_safe: clients.budgets_are_safe(),
                    judgement,
                },
            )?);
        }
        let plan = ClientsPlan {
            clients,
            q0,
            arrivals: self.arrivals.parse::<Arrivals>()?,
            rounds: self.rounds,
        };
        if plan.rounds.saturating_mul(self.n) > MAX_RUN_ROUNDS {
            return Err(FieldError::new(
                "rounds",
                plan.rounds,
                format!(
                    "at most {} with {} clients",
                    MAX_RUN_ROUNDS / self.n,
                    self.n
                ),
            )
            .into());
        }
        for point in plan.play()? {
            for (i, (client, flux)) in point.clients.iter().zip(&point.flux).enumerate() {
                out.row(
                    self.format,
                    &Row {
                        round: point.round,
                        turn: point.turn,
                        client: i,
                        qf: client.qf,
                        qd: client.qd,
                        done: client.done,
                        p: client.p,
                        flux: *flux,
                    },
                )?;
            }
        }
        Ok(())
    }
}
