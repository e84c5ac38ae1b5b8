//! The core against queueing theory: waiting times of M/M/c and sojourn times of M/G/1 with processor sharing.

mod seeds;

use engine::des::{
    Context, Graph, Kind, Line, Logic, NodeId, Run, Shared, Stream, Streams, TaskId, Time,
};
use engine::ecs::experiment::Estimate;
use seeds::{each_seed, estimate, show};

const SOURCE: NodeId = NodeId(0);
const STATION: NodeId = NodeId(1);
const SERVE: NodeId = NodeId(2);
const SERVICE: NodeId = NodeId(3);
const DONE: NodeId = NodeId(4);

/// Customers come, wait for a server, are served, go.
struct Customers {
    arrivals: Stream,
    services: Stream,
    arrival_rate: f64,
    service_rate: f64,
    servers: f64,
    kind: System,
    waits: Mean,
    sojourns: Mean,
    /// Sojourn times over service requirement, of small and of large customers.
    slowdown: [Mean; 2],
}

#[derive(Clone, Copy, PartialEq)]
enum System {
    /// First come, first served, exponential.
    Queue,
    /// Processor sharing, exponential.
    Sharing,
    /// Processor sharing, all alike.
    SharingConstant,
}

#[derive(Clone, Copy, Default)]
struct Mean {
    sum: f64,
    count: f64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1.0;
    }

    fn get(self) -> f64 {
        self.sum / self.count
    }
}

struct Customer {
    came: Time,
    requirement: f64,
}

/// The time to reach a steady state, in seconds.
const WARM_UP: Time = Time(200_000_000_000);

impl Logic for Customers {
    type Task = Customer;
    type Timer = ();
    type Change = ();

    fn start(&mut self, context: &mut Context<Customer, ()>) {
        self.ring((), context);
    }

    fn ring(&mut self, (): (), context: &mut Context<Customer, ()>) {
        let gap = self.arrivals.exponential() / self.arrival_rate;
        context.after(Time::from_secs(gap), ());
        let requirement = match self.kind {
            System::SharingConstant => 1.0,
            System::Queue | System::Sharing => self.services.exponential(),
        } / self.service_rate;
        let task = context.create(Customer {
            came: context.now(),
            requirement,
        });
        match self.kind {
            System::Queue => context.send(SOURCE, STATION, task),
            System::Sharing | System::SharingConstant => {
                context.serve(SOURCE, SERVICE, task, requirement * 1e9, false);
            }
        }
    }

    fn arrive(&mut self, node: NodeId, task: TaskId, context: &mut Context<Customer, ()>) {
        let now = context.now();
        let customer = &context.tasks[task.0 as usize];
        let since = (now - customer.came).as_secs();
        let requirement = customer.requirement;
        if node == SERVE {
            if now > WARM_UP {
                self.waits.add(since);
            }
            context.delay(SERVE, SERVICE, task, Time::from_secs(requirement));
            return;
        }
        assert_eq!(node, DONE);
        if now > WARM_UP {
            self.sojourns.add(since);
            let large = usize::from(requirement > 1.0 / self.service_rate);
            self.slowdown[large].add(since / requirement.max(1e-9));
        }
        context.remove(task);
        if self.kind == System::Queue {
            context.release(STATION);
        }
    }

    fn change(&mut self, (): &(), _: &mut Context<Customer, ()>) {}

    fn sample(&mut self, _: &Context<Customer, ()>) {}
}

fn simulate(kind: System, servers: u32, load: f64, seed: u64) -> Run<Customers> {
    let service = match kind {
        System::Queue => Kind::Delay { then: DONE },
        System::Sharing | System::SharingConstant => Kind::Shared {
            cores: Shared::new(f64::from(servers)),
            then: DONE,
        },
    };
    let mut wires = vec![(SOURCE, STATION), (SERVE, SERVICE)];
    if kind != System::Queue {
        wires = vec![(SOURCE, SERVICE)];
    }
    let graph = Graph::new(
        vec![
            ("source", Kind::Logic),
            (
                "station",
                Kind::Line {
                    line: Line::new(servers, 1_000_000),
                    then: SERVE,
                },
            ),
            ("serve", Kind::Logic),
            ("service", service),
            ("done", Kind::Logic),
        ],
        &wires,
    );
    let mut streams = Streams::new(seed);
    let service_rate = 10.0;
    let logic = Customers {
        arrivals: streams.stream(),
        services: streams.stream(),
        arrival_rate: load * service_rate * f64::from(servers),
        service_rate,
        servers: f64::from(servers),
        kind,
        waits: Mean::default(),
        sojourns: Mean::default(),
        slowdown: [Mean::default(); 2],
    };
    let mut run = Run::new(logic, graph, Vec::new(), Time::from_secs(100.0));
    run.advance(Time::from_secs(4200.0));
    run
}

/// The mean wait of M/M/c by the Erlang C formula.
fn erlang_wait(customers: &Customers) -> f64 {
    let offered = customers.arrival_rate / customers.service_rate;
    let mut term = 1.0;
    let mut below = 0.0;
    for k in 0..customers.servers as u32 {
        below += term;
        term *= offered / f64::from(k + 1);
    }
    let at_least_c = term * customers.servers / (customers.servers - offered);
    let waits = at_least_c / (below + at_least_c);
    waits / (customers.servers * customers.service_rate - customers.arrival_rate)
}

/// Whether the theory's value lies within 99.9% limits: the 95% half width times the quotient of Student's quantiles for
/// ten seeds, 4.781 / 2.262.
fn agrees(estimate: Estimate, theory: f64) -> bool {
    (estimate.mean - theory).abs() <= estimate.half_width() * 4.781 / 2.262
}

#[test]
fn waiting_times_are_those_of_m_m_c() {
    for (servers, load) in [(1, 0.5), (1, 0.8), (2, 0.7), (4, 0.8), (8, 0.9)] {
        let runs = each_seed(|seed| {
            let run = simulate(System::Queue, servers, load, seed);
            let mean_queue =
                run.context.graph.line(STATION).wait_area(run.now()) / run.now().as_secs();
            (
                run.logic.waits.get() * 1000.0,
                mean_queue,
                erlang_wait(&run.logic) * 1000.0,
                run.logic.arrival_rate,
            )
        });
        let (theory, rate) = (runs[0].2, runs[0].3);
        let waits = estimate(&runs, |run| run.0);
        let queue = estimate(&runs, |run| run.1);
        println!(
            "M/M/{servers} at {load}: wait {} ms, Erlang C {theory:.2}; queue {}, Little {:.2}",
            show(waits),
            show(queue),
            rate * theory / 1000.0
        );
        assert!(agrees(waits, theory));
        assert!(agrees(queue, rate * theory / 1000.0));
    }
}

#[test]
fn sojourn_times_are_those_of_processor_sharing() {
    for kind in [System::Sharing, System::SharingConstant] {
        for load in [0.5, 0.8] {
            let runs = each_seed(|seed| {
                let run = simulate(kind, 1, load, seed);
                (
                    run.logic.sojourns.get() * 1000.0,
                    run.logic.slowdown.map(Mean::get),
                    run.context.graph.cores(SERVICE).work(run.now()) / run.now().as_secs(),
                )
            });
            // The mean does not depend on the distribution of the requirement: 1/(mu - lambda).
            let theory = 1000.0 / (10.0 * (1.0 - load));
            let sojourn = estimate(&runs, |run| run.0);
            let work = estimate(&runs, |run| run.2);
            println!(
                "M/G/1-PS at {load}: sojourn {} ms, theory {theory:.1}; work {:.3}",
                show(sojourn),
                work.mean
            );
            assert!(agrees(sojourn, theory));
            assert!(agrees(work, load));
            if kind == System::Sharing {
                // And every customer is slowed by the same factor, whatever it requires: 1/(1 - load).
                for size in 0..2 {
                    let slowdown = estimate(&runs, |run| run.1[size]);
                    println!(
                        "  slowdown {}, theory {:.2}",
                        show(slowdown),
                        1.0 / (1.0 - load)
                    );
                    assert!(agrees(slowdown, 1.0 / (1.0 - load)));
                }
            }
        }
    }
}

/// Four shared cores on which a lone customer has but one: the number there is that of M/M/4.
#[test]
fn shared_cores_serve_as_many_as_m_m_c_does() {
    let runs = each_seed(|seed| {
        let run = simulate(System::Sharing, 4, 0.8, seed);
        (
            run.logic.sojourns.get() * 1000.0,
            (erlang_wait(&run.logic) + 0.1) * 1000.0,
        )
    });
    let sojourn = estimate(&runs, |run| run.0);
    println!(
        "four shared cores at 0.8: sojourn {} ms, theory {:.1}",
        show(sojourn),
        runs[0].1
    );
    assert!(agrees(sojourn, runs[0].1));
}
