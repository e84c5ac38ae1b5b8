//! N clients: one is the model, budgets are safe below the line, fresh-first protects past it, and sorting loses nothing.

mod support;

use engine::explore::{Graph, explore};
use engine::retrier_server::clients::{
    Client, Clients, ClientsPlan, ClientsProof, Exploring, judge_clients,
};
use engine::retrier_server::{Arrivals, Config, Plan, Verdict, judge};
use proptest::prelude::*;

fn clients(n: usize, config: Config) -> Clients {
    Clients { config, n }
}

fn play(clients: Clients, q0: u64, arrivals: Arrivals, rounds: u64) -> Vec<(u64, u64)> {
    let plan = ClientsPlan {
        clients,
        q0: vec![q0; clients.n],
        arrivals,
        rounds,
    };
    let points = plan.play().expect("a good plan");
    points
        .iter()
        .map(|point| (point.qf(), point.qd()))
        .collect()
}

fn client(qf: u64, qd: u64) -> Client {
    Client {
        qf,
        qd,
        done: 0,
        p: qf,
    }
}

#[test]
fn capacity_is_split_by_largest_remainder_and_ties_go_to_the_lower_index() {
    let three = clients(3, Config::new(4, 2, 2));
    // Fresh: floor(4 * 6 / 12) = 2 of quotas 1, 2/3, 1/3. Duplicates: 2 of quotas 1/3, 2/3, 1.
    let after = three.server(&[client(3, 1), client(2, 2), client(1, 3)]);
    let served: Vec<u64> = after.iter().map(|c| c.done).collect();
    assert_eq!(served, [1, 1, 0]);
    let duplicates: Vec<u64> = after.iter().map(|c| c.qd).collect();
    assert_eq!(duplicates, [1, 1, 2]);

    let after = three.server(&[client(2, 0), client(2, 0), client(2, 0)]);
    let served: Vec<u64> = after.iter().map(|c| c.done).collect();
    assert_eq!(served, [2, 1, 1]);
}

#[test]
fn budgets_are_safe_exactly_below_the_line() {
    // N * (AMax + B) < S: 3 * (1 + 1) = 6.
    let below = clients(3, Config::new(7, 1, 2).with_budget(1));
    let at = clients(3, Config::new(6, 1, 2).with_budget(1));
    assert!(below.budgets_are_safe());
    assert!(!at.budgets_are_safe());
    let judgement = judge_clients(&below, &[40; 3], 40).unwrap();
    assert_eq!(judgement.verdict, Verdict::Recovers);
    assert_eq!(judgement.proof, ClientsProof::SafeBudgets);
    // At the line the backlog of a deep start never falls again.
    let run = play(at, 40, Arrivals::Max, 400);
    let total = |&(qf, qd): &(u64, u64)| qf + qd;
    assert!(total(run.last().unwrap()) >= total(&run[100]));
    assert_eq!(
        judge_clients(&at, &[40; 3], 40).unwrap().stabilizes,
        Some(false)
    );
    // Below it, it drains.
    let run = play(below, 40, Arrivals::Max, 400);
    assert!(total(run.last().unwrap()) <= 7 + 3);
}

#[test]
fn fresh_first_survives_past_the_line_that_budgets_do_not() {
    let budgets = Config::new(21, 2, 2).with_budget(3);
    let past = clients(10, budgets);
    assert_eq!(past.most_inflow(), Some(50));
    assert!(!past.budgets_are_safe());
    let run = play(past, 40, Arrivals::Max, 600);
    let good = 21 + 10 * 2;
    assert!(run.last().map(|(qf, qd)| qf + qd).unwrap() > good);

    let protected = clients(10, budgets.with_fresh_first());
    let judgement = judge_clients(&protected, &[40; 10], 40).unwrap();
    assert_eq!(judgement.verdict, Verdict::Recovers);
    assert_eq!(judgement.proof, ClientsProof::FreshFirst);
    // The fresh backlog empties first, one a round; meanwhile the retries pile up, and then drain one a round too.
    let run = play(protected, 40, Arrivals::Max, 16_000);
    assert!(run[31_000..].iter().all(|(qf, qd)| qf + qd <= good));
}

#[test]
fn beyond_the_cap_it_says_so() {
    let two = clients(2, Config::new(3, 1, 2).with_budget(1));
    let judgement = judge_clients(&two, &[9, 9], 10).unwrap();
    assert!(!judgement.complete);
    let many = clients(5, Config::new(3, 1, 2));
    let judgement = judge_clients(&many, &[0; 5], 40).unwrap();
    assert_eq!((judgement.states, judgement.complete), (0, false));
}

#[test]
fn bad_input_is_named() {
    let error = |c: &Clients, q0: &[u64]| judge_clients(c, q0, 40).unwrap_err().to_string();
    let two = clients(2, Config::new(3, 1, 2));
    assert!(error(&two, &[1; 3]).contains("each of the 2 clients"));
    assert!(error(&clients(0, two.config), &[]).starts_with("n is 0"));
    assert!(error(&clients(101, two.config), &[0; 101]).starts_with("n is 101"));
}

/// What the exploration without sorting finds.
fn unsorted(clients: &Clients, q0: &[u64], cap: u64) -> Option<(bool, bool)> {
    let start: Vec<Client> = q0.iter().map(|&q0| client(q0, 0)).collect();
    let model = Exploring::new(clients, &start, cap, false);
    let graph: Graph<_> = explore(&model, 200_000);
    graph.is_complete().then(|| model.cycles(&graph))
}

proptest! {
    #![proptest_config(support::cases(48))]

    #[test]
    fn one_client_is_the_model(
        (s, amax, t) in (1..6u64, 0..5u64, 1..4u64),
        budget in prop::option::of(0..5u64),
        fresh_first: bool,
        q0 in 0..40u64,
        seed: u64,
    ) {
        let mut config = Config::new(s, amax, t);
        config.budget = budget;
        if fresh_first { config = config.with_fresh_first(); }
        let plan = Plan { arrivals: Arrivals::Random(seed), ..Plan::new(config, q0, 50) };
        let run = plan.play().unwrap();
        let theirs = ClientsPlan {
            clients: clients(1, config),
            q0: vec![q0],
            arrivals: Arrivals::Random(seed),
            rounds: 50,
        }.play().unwrap();
        prop_assert_eq!(run.points().len(), theirs.len());
        for (one, many) in run.points().iter().zip(&theirs) {
            let state = one.state;
            let only = many.clients[0];
            prop_assert_eq!(
                (state.qf, state.qd, state.done, state.p, state.turn),
                (only.qf, only.qd, only.done, only.p, many.turn)
            );
            prop_assert_eq!(one.flux(), many.flux[0]);
        }
    }

    #[test]
    fn one_client_is_judged_as_the_model_is(
        (s, amax, t) in (1..5u64, 0..4u64, 1..4u64), q0 in 0..20u64,
    ) {
        let config = Config::new(s, amax, t);
        let one = judge_clients(&clients(1, config), &[q0], 300).unwrap();
        let model = judge(&config, &config.start(q0, 0), 300);
        // What is proved of one is proved of the other; the model's proof needs no cap.
        if one.verdict != Verdict::Unknown {
            prop_assert_eq!(one.verdict, model.verdict);
        }
        for (ours, theirs) in [
            (one.stabilizes, model.stabilizes),
            (one.can_recover, model.can_recover),
        ] {
            prop_assert!(ours.is_none() || theirs.is_none() || ours == theirs);
        }
    }

    #[test]
    fn each_clients_ledger_is_exact_and_the_server_serves_all_it_can(
        n in 1..6usize, q0 in 0..30u64, seed: u64, fresh_first: bool,
    ) {
        let mut config = Config::new(7, 2, 2);
        if fresh_first { config = config.with_fresh_first(); }
        let plan = ClientsPlan {
            clients: clients(n, config),
            q0: vec![q0; n],
            arrivals: Arrivals::Random(seed),
            rounds: 40,
        };
        let points = plan.play().unwrap();
        for pair in points.windows(2) {
            prop_assert!(pair[1].clients.iter().all(|c| c.p == c.qf + c.done));
            let (before, after) = (pair[0].qf() + pair[0].qd(), pair[1].qf() + pair[1].qd());
            if pair[1].turn == engine::retrier_server::Turn::Retrier {
                prop_assert_eq!(before - after, before.min(7));
            }
        }
    }

    #[test]
    fn sorting_the_clients_keeps_the_verdict(
        n in 1..4usize,
        (s, amax, t) in (1..5u64, 0..2u64, 1..3u64),
        budget in prop::option::of(0..2u64),
        fresh_first: bool,
        q0 in prop::collection::vec(0..5u64, 3),
    ) {
        let mut config = Config::new(s, amax, t);
        config.budget = budget;
        if fresh_first { config = config.with_fresh_first(); }
        let clients = clients(n, config);
        let q0 = &q0[..n];
        let judgement = judge_clients(&clients, q0, 24).unwrap();
        if let Some((fails, recovers)) = unsorted(&clients, q0, 24) {
            if let Some(stabilizes) = judgement.stabilizes {
                prop_assert_eq!(stabilizes, !fails);
            }
            if let Some(can_recover) = judgement.can_recover {
                prop_assert_eq!(can_recover, recovers);
            }
            if judgement.complete {
                prop_assert!(judgement.stabilizes.is_some() && judgement.can_recover.is_some());
            }
        }
    }

    #[test]
    fn no_round_leaves_the_closed_region(
        n in 1..5usize,
        (s, amax, t) in (1..4u64, 0..3u64, 1..4u64),
        spread in prop::collection::vec(0..40u64, 5),
        more in 0..9u64,
        seed: u64,
    ) {
        let clients = clients(n, Config::new(s, amax, t));
        let least = clients.trap_qf_min().unwrap() as u64;
        // Spread anyhow, topped up to the least.
        let mut at: Vec<Client> = spread[..n].iter().map(|&qf| client(qf, 0)).collect();
        let total: u64 = at.iter().map(|c| c.qf).sum();
        let short = least.saturating_sub(total);
        at[0] = client(at[0].qf + short, 0);
        let total: u64 = at.iter().map(|c| c.qf).sum();
        at[n - 1].qd = s * total + more;
        prop_assert!(clients.is_trapped(&at));
        let mut choice = seed;
        for _ in 0..30 {
            let mid: Vec<Client> = at.iter().map(|c| {
                choice = choice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                clients.retrier(c, (choice >> 33) % (amax + 1))
            }).collect();
            at = clients.server(&mid);
            prop_assert!(clients.is_trapped(&at));
        }
    }
}
