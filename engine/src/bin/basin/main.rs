//! `basin`: the engine from the command line. One JSON object a line, or CSV.

mod breaker;
mod certificate;
mod classify;
mod clients;
mod contracts;
mod counterexample;
mod ecs;
mod isolated;
mod laws;
mod map;
mod retrier_server;
mod tla;
mod trace;
mod within;

#[cfg(test)]
use clap::{CommandFactory, FromArgMatches};
use clap::{Parser, Subcommand};
use engine::FieldError;
use engine::rows::Output;
use std::io::{self, Write};
use std::process::ExitCode;

/// Metastability from the command line: what the dashboard computes, as JSON lines.
#[derive(Parser)]
#[command(name = "basin", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play one run of the retrier and the server, and print each state.
    Trace(trace::Trace),
    /// Say where each Q0 leads: recovers, orbits, at risk or doomed.
    Classify(classify::Classify),
    /// Compare retry laws: how far each keeps the system recovering, and at what price.
    Laws(laws::Laws),
    /// The circuit breaker's model.
    Breaker(breaker::Breaker),
    /// Print what proves the verdict of a start.
    Certificate(certificate::Certificate),
    /// Play or judge N clients with ledgers of their own and one server.
    Clients(clients::Clients),
    /// Judge each component's rely and guarantee at every step of a run.
    Contracts(contracts::Contracts),
    /// Find a shortest run that breaks a property.
    Counterexample(counterexample::Counterexample),
    /// The execution control system, simulated.
    Ecs(Box<ecs::Ecs>),
    /// Check each component alone, against a stub of its partner.
    Isolated(isolated::Isolated),
    /// Judge every cell of a map over two parameters.
    Map(map::Map),
    /// Write the composed system as a TLA+ module, for TLC or Apalache.
    Tla(tla::Tla),
}

/// Why a command could not be done.
enum Failure {
    /// The input is wrong. Shown on one line; exit 2.
    Input(FieldError),
    /// The output could not be written.
    Io(io::Error),
}

impl From<FieldError> for Failure {
    fn from(error: FieldError) -> Self {
        Failure::Input(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Io(error)
    }
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() && !is_bare_call(&error) => {
            eprintln!("{}", one_line(&error.to_string()));
            return ExitCode::from(2);
        }
        // Help and version, and the help shown to a call without any argument.
        Err(error) => error.exit(),
    };
    let mut out = Output::new(io::stdout().lock());
    let result = match &cli.command {
        Command::Trace(trace) => trace.run(&mut out),
        Command::Classify(classify) => classify.run(&mut out),
        Command::Laws(laws) => laws.run(&mut out),
        Command::Breaker(breaker) => breaker.run(&mut out),
        Command::Certificate(certificate) => certificate.run(&mut out),
        Command::Clients(clients) => clients.run(&mut out),
        Command::Contracts(contracts) => contracts.run(&mut out),
        Command::Counterexample(counterexample) => counterexample.run(&mut out),
        Command::Ecs(ecs) => ecs.run(&mut out),
        Command::Isolated(isolated) => isolated.run(&mut out),
        Command::Map(map) => map.run(&mut out),
        Command::Tla(tla) => tla.run(&mut out),
    };
    match result.and_then(|()| Ok(out.into_inner().flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Input(error)) => {
            eprintln!("error: --{error}");
            ExitCode::from(2)
        }
        // Whoever read the output has had enough of it, as `head` does.
        Err(Failure::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Io(error)) => {
            eprintln!("error: the output could not be written: {error}");
            ExitCode::FAILURE
        }
    }
}

fn is_bare_call(error: &clap::Error) -> bool {
    error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
}

/// The message without its usage and hints, on one line.
fn one_line(message: &str) -> String {
    let lines = message.lines().map(str::trim);
    let lines: Vec<_> = lines.take_while(|line| !line.is_empty()).collect();
    lines.join(" ")
}

#[cfg(test)]
#[path = "../../../tests/support/texts.rs"]
mod texts;

#[cfg(test)]
mod tests {
    use super::texts::{inputs, try_reader};
    use super::{Cli, CommandFactory, FromArgMatches};

    #[test]
    fn the_command_line_is_read_or_refused() {
        let good = [
            "trace --q0 18 --rounds 20 --format csv",
            "classify --q0 0..40 --budget 1 --cap 500 --gate breaker:3,5",
            "certificate --q0 18 --s 3 --amax 2 --t 2 --fresh-first",
            "counterexample --property bounded:50 --q0 18",
            "contracts --q0 18 --rounds 40 --arrivals 0,1,2",
            "isolated",
            "map --x q0:0..60 --y b:0..5",
            "clients --n 3 --q0 6",
            "laws",
            "tla --q0 5 --out model",
            "breaker check --variant naive",
            "ecs run --preset naive-overload --seed 1",
        ];
        let mut command = Cli::command();
        try_reader("command line", inputs() * 6 / 100, &good, |text| {
            let words = std::iter::once("basin").chain(text.split(' '));
            let matches = command.try_get_matches_from_mut(words);
            matches.is_ok_and(|matches| Cli::from_arg_matches(&matches).is_ok())
        });
    }
}
