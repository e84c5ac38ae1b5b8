//! N clients, each with a ledger of its own, and one server.
//!
//! Every client is a retrier with `AMax` and `B` of its own and a threshold of its share of the capacity,
//! `floor(S*T/N)`; the server splits its capacity between all fresh and all duplicate work by its law, and then each part
//! among the clients in proportion to their queues, by largest remainder, ties to the lower index. With one client this
//! is the model of [`Config`].
//!
//! One round is not known to be monotone here (largest remainders are not), so a verdict is proved by one of two
//! arguments that hold for any N, or by the run at most arrivals and the quiet run as witnesses, or by exploration.
//!
//! **Symmetry.** Clients are alike but for ties, which go to the lower index. The exploration sorts them. Where a tie
//! falls between clients whose queues differ, sorting would lose who is favoured, so every way to break it is explored:
//! each run of the system is then among the runs explored, and what holds of all of those holds. A violation counts only
//! if no such tie was met, so that the sorted graph is exact, or if it is found again without sorting.

use super::config::{Config, MAX_BACKLOG, MAX_PARAMETER, Service};
use super::gate::Gate;
use super::run::{Arrivals, MAX_RUN_ROUNDS};
use super::state::Turn;
use super::verdict::Verdict;
use crate::FieldError;
use crate::explore::{Graph, Model, explore};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};
use std::cell::Cell;

/// Most clients of a run.
pub const MAX_CLIENTS: usize = 100;

/// Most clients of an exploration.
pub const MAX_EXPLORED_CLIENTS: usize = 4;

/// The cap on the total backlog where none is given.
pub const DEFAULT_CLIENTS_CAP: u64 = 40;

/// Largest cap on the total backlog.
pub const MAX_CLIENTS_CAP: u64 = 1_000;

/// Most states of an exploration.
const MOST_STATES: usize = 400_000;

/// Most choices of arrivals that a round may have in an exploration.
const MOST_CHOICES: u64 = 1_000_000;

/// Most states of one client in a run: rounds times clients.
const MOST_CLIENT_ROUNDS: u64 = 1_000_000;

/// Most rounds for which a run is followed as a witness.
const MOST_ROUNDS: u64 = 20_000;

/// N like clients and their server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Clients {
    /// The server's `S` and law, and every client's `AMax`, `T` and `B`.
    pub config: Config,
    /// How many clients.
    pub n: usize,
}

/// One client's share of a state. Counts are requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Client {
    /// Its fresh work queued at the server.
    pub qf: u64,
    /// Its duplicates queued at the server.
    pub qd: u64,
    /// Its fresh completions not read yet.
    pub done: u64,
    /// Its ledger.
    pub p: u64,
}

/// What a run of N clients is computed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientsPlan {
    /// The clients.
    pub clients: Clients,
    /// Fresh requests of each client queued and pending at the start.
    pub q0: Vec<u64>,
    /// Fresh arrivals of every client, round by round; random ones are drawn for each client.
    pub arrivals: Arrivals,
    /// Rounds to play; with more than ten clients fewer than a run of one may have, so that a run fits in memory.
    pub rounds: u64,
}

/// One state of a run of N clients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientsPoint {
    /// The round in which the state was made; 0 for the start.
    pub round: u64,
    /// Who moves next.
    pub turn: Turn,
    /// The clients.
    pub clients: Vec<Client>,
    /// Each client's duplicates put in by the step that made this state.
    pub flux: Vec<u64>,
}

impl ClientsPoint {
    /// All fresh work queued.
    #[must_use]
    pub fn qf(&self) -> u64 {
        self.clients.iter().map(|client| client.qf).sum()
    }

    /// All duplicates queued.
    #[must_use]
    pub fn qd(&self) -> u64 {
        self.clients.iter().map(|client| client.qd).sum()
    }
}

impl Clients {
    /// Checks the parameters and the number of clients.
    ///
    /// # Errors
    /// Names the first one out of range.
    pub fn validate(&self) -> Result<(), FieldError> {
        self.config.validate()?;
        FieldError::check_range("n", self.n, 1, MAX_CLIENTS)?;
        if self.config.gate != Gate::None || !self.config.fault.is_none() {
            return Err(FieldError::new(
                "clients",
                "a retry gate or a fault",
                "plain clients: budget, fresh-first and quiet are the laws that N clients take",
            ));
        }
        Ok(())
    }

    /// A client's latency threshold: its share of the capacity over the timeout, `floor(S*T/N)`.
    #[must_use]
    pub fn threshold(&self) -> u64 {
        self.config.latency_threshold() / self.n as u64
    }

    /// Most that can come in in a round with a budget, `N * (AMax + B)`; `None` without one.
    #[must_use]
    pub fn most_inflow(&self) -> Option<u64> {
        let budget = self.config.budget?;
        Some(self.n as u64 * (self.config.most_arrivals() + budget))
    }

    /// Whether the budgets are safe: `N * (AMax + B) < S`. Then every round takes in less than the server can serve, so
    /// every start recovers.
    #[must_use]
    pub fn budgets_are_safe(&self) -> bool {
        self.most_inflow()
            .is_some_and(|inflow| inflow < self.config.s)
    }

    /// Whether fresh-first protects the server: `N * AMax < S`. Then the fresh queues empty, no retry is due from then
    /// on, and the duplicates drain: every start recovers, whatever the number of clients.
    #[must_use]
    pub fn fresh_first_protects(&self) -> bool {
        self.config.service == Service::FreshFirst
            && self.n as u64 * self.config.most_arrivals() < self.config.s
    }

    /// Most choices of arrivals that a round has in an exploration up to a total backlog of `cap`.
    fn most_choices(&self, cap: u64) -> u64 {
        let of_one = self.config.most_arrivals().min(cap + 1) + 1;
        of_one.saturating_pow(self.n as u32)
    }

    /// `Good`: a total backlog of at most `S + N * AMax`.
    #[must_use]
    pub fn is_good(&self, clients: &[Client]) -> bool {
        backlog(clients) <= self.config.s + self.n as u64 * self.config.amax
    }

    /// Retries that a client's next step sends.
    #[must_use]
    pub fn flux(&self, client: &Client) -> u64 {
        let late = client
            .p
            .saturating_sub(client.done)
            .saturating_sub(self.threshold());
        let raw = late / self.config.t;
        self.config.budget.map_or(raw, |b| raw.min(b))
    }

    /// A client's step.
    #[must_use]
    pub fn retrier(&self, client: &Client, arrivals: u64) -> Client {
        Client {
            qf: client.qf + arrivals,
            qd: client.qd + self.flux(client),
            done: 0,
            p: client.p - client.done + arrivals,
        }
    }

    /// The server's step.
    #[must_use]
    pub fn server(&self, clients: &[Client]) -> Vec<Client> {
        let (fresh, duplicates) = self.shares(clients);
        serve(clients, &fresh.by_index(), &duplicates.by_index())
    }

    /// How the server's capacity is split: fresh work and duplicates.
    fn shares(&self, clients: &[Client]) -> (Apportionment, Apportionment) {
        let queued = |queue: fn(&Client) -> u64| clients.iter().map(queue).collect::<Vec<_>>();
        let (qf, qd) = (queued(|c| c.qf), queued(|c| c.qd));
        let total: u64 = backlog(clients);
        let all_fresh: u64 = qf.iter().sum();
        let served = self.config.s.min(total);
        let fresh = match self.config.service {
            Service::FreshFirst => all_fresh.min(served),
            Service::Proportional if total == 0 => 0,
            // The quotient is at most `served`.
            Service::Proportional => {
                (u128::from(served) * u128::from(all_fresh) / u128::from(total)) as u64
            }
        };
        (
            Apportionment::new(fresh, qf),
            Apportionment::new(served - fresh, qd),
        )
    }

    /// Least total fresh queue of a region that no round leaves, where the law has one: there, with duplicates at least
    /// `S` times the fresh work, at least `S*(N*AMax + 1)` retries join a round, so nothing fresh is served.
    ///
    /// The clients' fluxes add up to at least `(qf - N*threshold - N*(T - 1)) / T`, however `qf` is spread.
    #[must_use]
    pub fn trap_qf_min(&self) -> Option<u128> {
        let Config { s, t, .. } = self.config;
        if self.config.budget.is_some() || self.config.service != Service::Proportional {
            return None;
        }
        let (n, s, t) = (self.n as u128, u128::from(s), u128::from(t));
        let due = s * (n * u128::from(self.config.most_arrivals()) + 1);
        let closed = n * u128::from(self.threshold()) + t * (due - 1) + 1 + n * (t - 1);
        // With `S` duplicates for each fresh request, so many are more than `Good` allows, under quiet too.
        let beyond_good = (s + n * u128::from(self.config.amax)) / (s + 1) + 1;
        Some(closed.max(beyond_good))
    }

    /// Whether a round start lies in that region.
    #[must_use]
    pub fn is_trapped(&self, clients: &[Client]) -> bool {
        let (qf, qd) = totals(clients);
        self.trap_qf_min()
            .is_some_and(|least| qf >= least && qd >= u128::from(self.config.s) * qf)
    }
}

fn backlog(clients: &[Client]) -> u64 {
    clients.iter().map(|client| client.qf + client.qd).sum()
}

fn totals(clients: &[Client]) -> (u128, u128) {
    clients.iter().fold((0, 0), |(qf, qd), client| {
        (qf + u128::from(client.qf), qd + u128::from(client.qd))
    })
}

fn serve(clients: &[Client], fresh: &[u64], duplicates: &[u64]) -> Vec<Client> {
    let shares = fresh.iter().zip(duplicates);
    clients
        .iter()
        .zip(shares)
        .map(|(client, (&fresh, &duplicates))| Client {
            qf: client.qf - fresh,
            qd: client.qd - duplicates,
            done: fresh,
            p: client.p,
        })
        .collect()
}

/// An amount split in proportion to queues, by largest remainder.
struct Apportionment {
    /// What each gets for certain.
    sure: Vec<u64>,
    /// Those with the same remainder, of whom `left` get one more.
    tied: Vec<usize>,
    left: usize,
}

impl Apportionment {
    fn new(amount: u64, queues: Vec<u64>) -> Self {
        let total: u128 = queues.iter().map(|&q| u128::from(q)).sum();
        let mut sure = vec![0; queues.len()];
        if total == 0 {
            return Self {
                sure,
                tied: Vec::new(),
                left: 0,
            };
        }
        let mut remainders = vec![0; queues.len()];
        for (i, &queue) in queues.iter().enumerate() {
            let product = u128::from(amount) * u128::from(queue);
            // At most the amount.
            sure[i] = (product / total) as u64;
            remainders[i] = product % total;
        }
        let mut left = (amount - sure.iter().sum::<u64>()) as usize;
        let mut order: Vec<usize> = (0..queues.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(remainders[i]));
        let mut tied = Vec::new();
        for group in order.chunk_by(|&a, &b| remainders[a] == remainders[b]) {
            if left >= group.len() {
                for &i in group {
                    sure[i] += 1;
                }
                left -= group.len();
            } else {
                tied = group.to_vec();
                break;
            }
        }
        Self { sure, tied, left }
    }

    /// Ties to the lower index.
    fn by_index(&self) -> Vec<u64> {
        let mut shares = self.sure.clone();
        for &i in &self.tied[..self.left] {
            shares[i] += 1;
        }
        shares
    }

    /// Every way to break the tie. Clients that are alike are not told apart: one way where all the tied ones are.
    fn every_way(&self, alike: impl Fn(usize, usize) -> bool) -> Vec<Vec<u64>> {
        if self.left == 0 || self.tied.iter().all(|&i| alike(i, self.tied[0])) {
            return vec![self.by_index()];
        }
        (0..1u32 << self.tied.len())
            .filter(|chosen| chosen.count_ones() as usize == self.left)
            .map(|chosen| {
                let mut shares = self.sure.clone();
                for (bit, &i) in self.tied.iter().enumerate() {
                    shares[i] += u64::from(chosen >> bit & 1);
                }
                shares
            })
            .collect()
    }
}

impl ClientsPlan {
    /// Checks every part of the plan.
    ///
    /// # Errors
    /// Names the first part out of range.
    pub fn validate(&self) -> Result<(), FieldError> {
        self.clients.validate()?;
        if self.q0.len() != self.clients.n {
            return Err(FieldError::new(
                "q0",
                format!("a list of {}", self.q0.len()),
                format!(
                    "one value, or one for each of the {} clients",
                    self.clients.n
                ),
            ));
        }
        for &q0 in &self.q0 {
            FieldError::check_range("q0", q0, 0, MAX_PARAMETER)?;
        }
        let most_rounds = MAX_RUN_ROUNDS.min(MOST_CLIENT_ROUNDS / self.clients.n as u64);
        FieldError::check_range("rounds", self.rounds, 0, most_rounds)?;
        self.arrivals
            .validate(self.clients.config.amax, self.rounds)
    }

    /// Plays the plan. A run whose backlog passes [`MAX_BACKLOG`] ends early.
    ///
    /// # Errors
    /// Names the first part of the plan that is out of range.
    pub fn play(&self) -> Result<Vec<ClientsPoint>, FieldError> {
        self.validate()?;
        let Clients { config, n } = self.clients;
        let mut rng = match self.arrivals {
            Arrivals::Random(seed) => Some(Pcg64Mcg::seed_from_u64(seed)),
            _ => None,
        };
        let mut clients: Vec<Client> = self.q0.iter().map(|&q0| start(q0)).collect();
        let mut points = vec![ClientsPoint {
            round: 0,
            turn: Turn::Retrier,
            clients: clients.clone(),
            flux: vec![0; n],
        }];
        for round in 1..=self.rounds {
            if backlog(&clients) > MAX_BACKLOG {
                break;
            }
            let flux = clients.iter().map(|c| self.clients.flux(c)).collect();
            for client in &mut clients {
                let drawn = match (&self.arrivals, &mut rng) {
                    (Arrivals::Random(_), Some(rng)) => rng.random_range(0..=config.amax),
                    (Arrivals::List(list), _) => list[round as usize - 1],
                    (Arrivals::Zero, _) => 0,
                    _ => config.amax,
                };
                *client = self
                    .clients
                    .retrier(client, drawn.min(config.most_arrivals()));
            }
            points.push(ClientsPoint {
                round,
                turn: Turn::Server,
                clients: clients.clone(),
                flux,
            });
            clients = self.clients.server(&clients);
            points.push(ClientsPoint {
                round,
                turn: Turn::Retrier,
                clients: clients.clone(),
                flux: vec![0; n],
            });
        }
        Ok(points)
    }
}

fn start(q0: u64) -> Client {
    Client {
        qf: q0,
        qd: 0,
        done: 0,
        p: q0,
    }
}

/// What proves the verdict of N clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClientsProof {
    /// `N * (AMax + B) < S`.
    SafeBudgets,
    /// Fresh-first, with `N * AMax < S`.
    FreshFirst,
    /// What the run at most arrivals and the quiet run come to, and an exploration of every arrival choice.
    Explored,
}

/// Where N clients lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientsJudgement {
    /// The verdict.
    pub verdict: Verdict,
    /// Whether `<>[]Good` holds on every run.
    pub stabilizes: Option<bool>,
    /// Whether some run ends in `Good` for ever.
    pub can_recover: Option<bool>,
    /// Whether some run enters the closed region.
    pub trap_reachable: Option<bool>,
    /// What proves it.
    pub proof: ClientsProof,
    /// States explored, sorted; 0 where there was no need, or too many clients or choices.
    pub states: usize,
    /// Whether every reachable state was explored.
    pub complete: bool,
    /// Whether no tie fell between clients that differ, so that the sorted graph is exact.
    pub exact: bool,
    /// The cap on the total backlog.
    pub cap: u64,
}

/// Judges `clients` from `q0`, exploring up to a total backlog of `cap` where it must.
///
/// # Errors
/// Names the first input out of range.
pub fn judge_clients(
    clients: &Clients,
    q0: &[u64],
    cap: u64,
) -> Result<ClientsJudgement, FieldError> {
    let plan = ClientsPlan {
        clients: *clients,
        q0: q0.to_vec(),
        arrivals: Arrivals::Max,
        rounds: 0,
    };
    plan.validate()?;
    FieldError::check_range("cap", cap, 0, MAX_CLIENTS_CAP)?;
    let proved = |proof| ClientsJudgement {
        verdict: Verdict::Recovers,
        stabilizes: Some(true),
        can_recover: Some(true),
        trap_reachable: Some(false),
        proof,
        states: 0,
        complete: false,
        exact: false,
        cap,
    };
    if clients.budgets_are_safe() {
        return Ok(proved(ClientsProof::SafeBudgets));
    }
    if clients.fresh_first_protects() {
        return Ok(proved(ClientsProof::FreshFirst));
    }
    let start: Vec<Client> = q0.iter().map(|&q0| start(q0)).collect();
    let most = follow(clients, &start, clients.config.most_arrivals());
    let quiet = follow(clients, &start, 0);
    let mut judgement = ClientsJudgement {
        verdict: Verdict::Unknown,
        stabilizes: (most.fails() || quiet.fails()).then_some(false),
        can_recover: (most.recovers() || quiet.recovers()).then_some(true),
        trap_reachable: (most == Witness::Trapped).then_some(true),
        proof: ClientsProof::Explored,
        states: 0,
        complete: false,
        exact: false,
        cap,
    };
    if clients.n <= MAX_EXPLORED_CLIENTS && clients.most_choices(cap) <= MOST_CHOICES {
        judgement.explore(clients, &start);
    }
    let unbounded = match (judgement.complete, judgement.trap_reachable) {
        (true, _) => Some(false),
        (false, Some(true)) => Some(clients.config.most_arrivals() > 0),
        (false, _) => None,
    };
    judgement.verdict =
        Verdict::from_findings(judgement.stabilizes, judgement.can_recover, unbounded);
    Ok(judgement)
}

impl ClientsJudgement {
    /// Adds what an exploration of every arrival choice finds.
    fn explore(&mut self, clients: &Clients, start: &[Client]) {
        let sorted = Exploring::new(clients, start, self.cap, true);
        let graph = explore(&sorted, MOST_STATES);
        self.states = graph.states().len();
        self.complete = graph.is_complete();
        self.exact = !sorted.met_unlike_tie.get();
        if self.complete {
            self.trap_reachable = self.trap_reachable.or(Some(false));
        }
        let (fails, recovers) = sorted.cycles(&graph);
        let settle = |known: Option<bool>, found: bool, value: bool| match found {
            true => known.or(Some(value)),
            false => known,
        };
        self.stabilizes = settle(self.stabilizes, self.complete && !fails, true);
        self.can_recover = settle(self.can_recover, self.complete && !recovers, false);
        if self.exact {
            self.stabilizes = settle(self.stabilizes, fails, false);
            self.can_recover = settle(self.can_recover, recovers, true);
        } else if (self.stabilizes.is_none() && fails) || (self.can_recover.is_none() && recovers) {
            let unsorted = Exploring::new(clients, start, self.cap, false);
            let graph = explore(&unsorted, MOST_STATES);
            let (fails, recovers) = unsorted.cycles(&graph);
            let complete = graph.is_complete();
            self.stabilizes = settle(self.stabilizes, fails, false);
            self.stabilizes = settle(self.stabilizes, complete, true);
            self.can_recover = settle(self.can_recover, recovers, true);
            self.can_recover = settle(self.can_recover, complete, false);
        }
    }
}

/// What one run at fixed arrivals comes to.
#[derive(Clone, Copy, PartialEq)]
enum Witness {
    Cycle { good: bool },
    Trapped,
    Open,
}

impl Witness {
    fn fails(self) -> bool {
        matches!(self, Witness::Cycle { good: false } | Witness::Trapped)
    }

    fn recovers(self) -> bool {
        matches!(self, Witness::Cycle { good: true })
    }
}

/// Follows the run at `arrivals` a round and client to a cycle or into the closed region.
fn follow(clients: &Clients, start: &[Client], arrivals: u64) -> Witness {
    let mut at = start.to_vec();
    let mut checkpoint = at.clone();
    let mut window = 1;
    let mut since = 0;
    let mut good = true;
    for _ in 0..MOST_ROUNDS {
        if clients.is_trapped(&at) {
            return Witness::Trapped;
        }
        if backlog(&at) > MAX_BACKLOG / 2 {
            break;
        }
        let mid: Vec<Client> = at.iter().map(|c| clients.retrier(c, arrivals)).collect();
        at = clients.server(&mid);
        good &= clients.is_good(&mid) && clients.is_good(&at);
        since += 1;
        let same_queues = at
            .iter()
            .zip(&checkpoint)
            .all(|(a, b)| (a.qf, a.qd) == (b.qf, b.qd));
        if same_queues {
            return Witness::Cycle { good };
        }
        if since == window {
            checkpoint = at.clone();
            window *= 2;
            since = 0;
            good = true;
        }
    }
    Witness::Open
}

/// N clients as a model for the explorer.
pub struct Exploring<'c> {
    clients: &'c Clients,
    start: Packed,
    cap: u64,
    sorted: bool,
    met_unlike_tie: Cell<bool>,
}

/// A state in few bytes. Ledgers are left out: each is `qf + done`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Packed {
    clients: [[u16; 3]; MAX_EXPLORED_CLIENTS],
    server_next: bool,
}

impl<'c> Exploring<'c> {
    /// The clients from `start`, at most [`MAX_EXPLORED_CLIENTS`], up to a total backlog of `cap`; sorted or not.
    #[must_use]
    pub fn new(clients: &'c Clients, start: &[Client], cap: u64, sorted: bool) -> Self {
        let mut exploring = Self {
            clients,
            start: Packed {
                clients: [[0; 3]; MAX_EXPLORED_CLIENTS],
                server_next: false,
            },
            cap: cap.min(MAX_CLIENTS_CAP),
            sorted,
            met_unlike_tie: Cell::new(false),
        };
        // A start beyond the cap is not admitted, so that it need not be kept exactly.
        let fits = backlog(start) <= exploring.cap;
        exploring.start = match fits {
            true => exploring.pack(start.to_vec(), Turn::Retrier),
            false => Packed {
                clients: [[u16::MAX; 3]; MAX_EXPLORED_CLIENTS],
                server_next: false,
            },
        };
        exploring
    }

    fn pack(&self, mut clients: Vec<Client>, turn: Turn) -> Packed {
        if self.sorted {
            clients.sort_unstable();
        }
        let mut packed = [[0; 3]; MAX_EXPLORED_CLIENTS];
        for (cell, client) in packed.iter_mut().zip(clients) {
            // States beyond the cap are not admitted; saturating keeps them so.
            *cell = [client.qf, client.qd, client.done]
                .map(|count| u16::try_from(count).unwrap_or(u16::MAX));
        }
        Packed {
            clients: packed,
            server_next: turn == Turn::Server,
        }
    }

    fn unpack(&self, packed: &Packed) -> Vec<Client> {
        let cells = packed.clients.iter().take(self.clients.n);
        cells
            .map(|&[qf, qd, done]| Client {
                qf: qf.into(),
                qd: qd.into(),
                done: done.into(),
                p: u64::from(qf) + u64::from(done),
            })
            .collect()
    }

    /// Whether a cycle holds a state that is not `Good`, and whether one lies wholly in `Good`.
    #[must_use]
    pub fn cycles(&self, graph: &Graph<Packed>) -> (bool, bool) {
        let is_good = |state: &Packed| self.clients.is_good(&self.unpack(state));
        let components = graph.cyclic_components(|_| true);
        let fails = graph
            .states()
            .iter()
            .zip(&components)
            .any(|(state, component)| component.is_some() && !is_good(state));
        (fails, graph.has_cycle_within(is_good))
    }
}

impl Model for Exploring<'_> {
    type State = Packed;
    type Action = ();

    fn initial(&self, each: &mut impl FnMut(Packed)) {
        each(self.start);
    }

    fn steps(&self, state: &Packed, each: &mut impl FnMut((), Packed)) {
        let clients = self.unpack(state);
        if !state.server_next {
            let most = self.clients.config.most_arrivals();
            let room = self.cap.saturating_sub(backlog(&clients));
            let mut arrivals = vec![0; clients.len()];
            loop {
                let next = clients
                    .iter()
                    .zip(&arrivals)
                    .map(|(client, &a)| self.clients.retrier(client, a))
                    .collect();
                each((), self.pack(next, Turn::Server));
                // The next choice, as a number with a digit a client. No digit needs to pass the room by more than one,
                // which shows the cut.
                let Some(digit) = arrivals.iter().position(|&a| a < most.min(room + 1)) else {
                    return;
                };
                arrivals[digit] += 1;
                arrivals[..digit].fill(0);
            }
        }
        let (fresh, duplicates) = self.clients.shares(&clients);
        if !self.sorted {
            let next = serve(&clients, &fresh.by_index(), &duplicates.by_index());
            each((), self.pack(next, Turn::Retrier));
            return;
        }
        let alike = |a: usize, b: usize| clients[a] == clients[b];
        let (fresh, duplicates) = (fresh.every_way(alike), duplicates.every_way(alike));
        if fresh.len() > 1 || duplicates.len() > 1 {
            self.met_unlike_tie.set(true);
        }
        for fresh in &fresh {
            for duplicates in &duplicates {
                let next = serve(&clients, fresh, duplicates);
                each((), self.pack(next, Turn::Retrier));
            }
        }
    }

    fn admits(&self, state: &Packed) -> bool {
        let queued = |cell: &[u16; 3]| u64::from(cell[0]) + u64::from(cell[1]);
        state.clients.iter().map(queued).sum::<u64>() <= self.cap
    }
}
