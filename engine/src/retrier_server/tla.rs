//! The composed system as a TLA+ module, for TLC or Apalache to take over what outgrows a browser.

use super::config::{Config, Service};
use super::fault::Fault;
use super::gate::Gate;
use super::state::State;
use crate::FieldError;

/// The bound that `Compose.cfg` checks the backlog against.
const BOUND: u64 = 50;

/// A module and its configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlaExport {
    /// The text of `Compose.tla`.
    pub module: String,
    /// The text of `Compose.cfg`.
    pub config: String,
}

/// The composed system under `config` from the round start `start`, checked for `PAcct`, `Bounded(50)` and stabilization.
///
/// # Errors
/// Retry laws with a memory are not exported.
pub fn export(config: &Config, start: &State) -> Result<TlaExport, FieldError> {
    config.validate()?;
    if config.gate != Gate::None {
        return Err(FieldError::new(
            "gate",
            "a token bucket or breaker",
            "none: retry laws with a memory are not exported",
        ));
    }
    Ok(TlaExport {
        module: module(config, start),
        config: cfg(config, start),
    })
}

fn module(config: &Config, start: &State) -> String {
    let budget = config.budget.map_or(
        "",
        |_| "    \\* @type: Int;\n    B,         \\* retry budget: most retries a round\n",
    );
    let threshold = match config.fault {
        Fault::EagerRetrier => "0",
        Fault::None | Fault::WastefulServer => "LatThresh",
    };
    let raw_flux = format!("NatSub(p - done, {threshold}) \\div T");
    let flux = match config.budget {
        None => format!("Flux == {raw_flux}"),
        Some(_) => format!("Flux == Min({raw_flux}, B)"),
    };
    let arrivals = match config.quiet {
        true => "\\* Quiet: nothing fresh arrives, retries keep firing.\nArrivals == {0}",
        false => "Arrivals == 0..AMax",
    };
    let capacity = match config.fault {
        Fault::WastefulServer => "S - 1",
        Fault::None | Fault::EagerRetrier => "S",
    };
    let fresh = match config.service {
        Service::Proportional => {
            "\\* In proportion to the two queues.\n\
             Fresh(n) == IF qf + qd = 0 THEN 0 ELSE (n * qf) \\div (qf + qd)"
        }
        Service::FreshFirst => "\\* Fresh work first.\nFresh(n) == Min(qf, n)",
    };
    let described = describe(config, start);
    format!(
        r#"------------------------------ MODULE Compose ------------------------------
\* A retrier and a server, composed: one retrier step and one server step make
\* a round.
{described}EXTENDS Integers

CONSTANTS
    \* @type: Int;
    S,         \* capacity: requests served a round
    \* @type: Int;
    AMax,      \* most fresh arrivals a round
    \* @type: Int;
    T,         \* retry timeout in rounds
{budget}    \* @type: Int;
    Q0,        \* fresh requests queued and pending at the start
    \* @type: Int;
    Qd0        \* duplicates queued at the start

VARIABLES
    \* @type: Int;
    qf,        \* fresh work queued at the server
    \* @type: Int;
    qd,        \* duplicate (retry) work queued at the server
    \* @type: Int;
    done,      \* fresh completions that the retrier has not read yet
    \* @type: Int;
    p,         \* the retrier's pending ledger
    \* @type: Str;
    turn       \* who moves next

vars == <<qf, qd, done, p, turn>>

\* @type: (Int, Int) => Int;
Min(a, b) == IF a < b THEN a ELSE b

\* @type: (Int, Int) => Int;
NatSub(a, b) == IF a > b THEN a - b ELSE 0

\* Pending requests that are within their latency budget.
LatThresh == S * T

\* Retries that the next retrier step sends.
{flux}

{arrivals}

Init ==
    /\ qf = Q0
    /\ qd = Qd0
    /\ done = 0
    /\ p = Q0
    /\ turn = "retrier"

RetrierTick ==
    /\ turn = "retrier"
    /\ \E a \in Arrivals :
        /\ qf' = qf + a
        /\ qd' = qd + Flux
        /\ p' = (p - done) + a
    /\ done' = 0
    /\ turn' = "server"

{fresh}

ServerTick ==
    /\ turn = "server"
    /\ LET n == Min({capacity}, qf + qd)
           f == Fresh(n)
       IN  /\ qf' = qf - f
           /\ qd' = qd - (n - f)
           /\ done' = f
    /\ p' = p
    /\ turn' = "retrier"

Next == RetrierTick \/ ServerTick

\* A run never stops for ever.
Spec == Init /\ [][Next]_vars /\ WF_vars(Next)

\* The ledger equals the fresh queue plus the acks in transit.
PAcct == p = qf + done

\* The backlog stays within a cap.
Bounded == qf + qd <= {BOUND}

\* No more than one round's arrivals on top of what the server clears in a round.
Good == qf + qd <= S + AMax

\* The system comes to Good and stays there.
Stabilization == <>[]Good

\* The general trap region, at round starts. To look for a run into it, check
\* NotTrapped as an invariant.
Trapped ==
    /\ turn = "retrier"
    /\ qf >= T * S * ({trap_arrivals} + 2)
{beyond_good}    /\ qd >= S * qf

NotTrapped == ~Trapped

=============================================================================
"#,
        trap_arrivals = if config.quiet { "0" } else { "AMax" },
        // With AMax arrivals the line above asks for more than that.
        beyond_good = if config.quiet {
            "    \\* So many that S duplicates for each are never Good.\n    /\\ qf > (S + AMax) \\div (S + 1)\n"
        } else {
            ""
        },
    )
}

fn describe(config: &Config, start: &State) -> String {
    let mut notes = vec![format!(
        "\\* S = {}, AMax = {}, T = {}, from qf = {}, qd = {}.",
        config.s, config.amax, config.t, start.qf, start.qd
    )];
    if let Some(b) = config.budget {
        notes.push(format!(
            "\\* The retrier has a budget of {b} retries a round."
        ));
    }
    if config.service == Service::FreshFirst {
        notes.push("\\* The server serves fresh work first.".into());
    }
    if config.quiet {
        notes.push("\\* Nothing fresh arrives.".into());
    }
    match config.fault {
        Fault::None => {}
        Fault::EagerRetrier => {
            notes.push(
                "\\* The retrier breaks its contract: it retries inside the threshold.".into(),
            );
        }
        Fault::WastefulServer => {
            notes.push(
                "\\* The server breaks its contract: it leaves one unit of capacity idle.".into(),
            );
        }
    }
    notes.join("\n") + "\n"
}

fn cfg(config: &Config, start: &State) -> String {
    let budget = config
        .budget
        .map_or(String::new(), |b| format!("    B = {b}\n"));
    format!(
        "SPECIFICATION Spec

CONSTANTS
    S = {}
    AMax = {}
    T = {}
{budget}    Q0 = {}
    Qd0 = {}

INVARIANTS
    PAcct
    Bounded

PROPERTIES
    Stabilization

CHECK_DEADLOCK FALSE
",
        config.s, config.amax, config.t, start.qf, start.qd
    )
}
