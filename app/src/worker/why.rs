//! Maps, verdicts, phases, counterexamples, certificates, isolated checks and N clients, as the worker works them out.

use super::{Json, Kind};
use crate::study::phase_at;
use engine::retrier_server::clients::{Clients, ClientsJudgement, judge_clients};
use engine::retrier_server::{
    Alone, Certificate, Config, IsolatedCheck, Map, MapJob, Phase, Plan, Property, Search, Share,
    State, Verdict, certificate, counterexample, phase, verdict,
};
use serde::{Deserialize, Serialize};

/// Milliseconds between two answers of a map under way.
const PERIOD: f64 = 60.0;

/// Cells judged between two looks at the clock.
const SLICE: usize = 8;

/// Most states of one list that are shown of a certificate; its figures have all of them.
pub const MOST_SHOWN: usize = 60;

/// Something to find out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// A share of a map; answered by ever more of it.
    Map(Map, Share),
    /// A shortest run that breaks a property, from a round start and up to a cap on the backlog.
    Counterexample(Config, State, Property, u64),
    /// Where N clients lead, from their starts and up to a cap on their backlog.
    Clients(Clients, Vec<u64>, u64),
    /// Each component alone, from a backlog and up to a cap on it.
    Isolated(Config, u64, u64),
    /// The verdict on a round start, up to a cap on the backlog.
    Verdict(Config, State, u64),
    /// Where each state of a run leads, up to a cap on the backlog; answered by ever more of them.
    Phases(Box<Plan>, u64),
    /// What proves that verdict.
    Certificate(Config, State, u64),
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Response {
    /// A map so far.
    Map(MapSoFar),
    /// A run that breaks the property, or none.
    Counterexample(Search),
    /// Where N clients lead, or why they could not be judged.
    Clients(Result<ClientsJudgement, String>),
    /// The checks of the retrier and of the server.
    Isolated([IsolatedCheck; 2]),
    /// The phases of the run's next states.
    Phases(Vec<Phase>),
    /// The verdict.
    Verdict(Verdict),
    /// What proves it.
    Certificate(Proved),
}

/// A certificate, to be shown and to be taken away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proved {
    /// What is shown: of an explored graph the first [`MOST_SHOWN`] states.
    pub shown: Json<Certificate>,
    /// All of it, written out.
    pub figures: String,
}

/// A map, or a share of one, as far as it is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MapSoFar {
    /// Row by row from the least `y`.
    pub cells: Vec<Option<Verdict>>,
    /// The distance between the cells that were looked at; those between are not known yet. 0 at the end.
    pub stride: usize,
    /// Cells known.
    pub known: usize,
    /// Cells judged; the others among those known follow from them.
    pub judged: usize,
}

impl super::Request for Request {
    const KIND: Kind = Kind::Why;
    type Answer = Response;

    fn answer(self, respond: &dyn Fn(Response)) {
        match self {
            Request::Map(map, share) => draw(map, share, respond),
            Request::Counterexample(config, start, property, cap) => {
                let search = counterexample(&config, &start, property, cap);
                respond(Response::Counterexample(search));
            }
            Request::Clients(clients, q0, cap) => respond(Response::Clients(
                judge_clients(&clients, &q0, cap).map_err(|error| error.to_string()),
            )),
            Request::Isolated(config, q0, cap) => respond(Response::Isolated([
                Alone::retrier(&config, q0, cap).check(),
                Alone::server(&config, q0, cap).check(),
            ])),
            Request::Phases(plan, cap) => tell_phases(&plan, cap, respond),
            Request::Verdict(config, start, cap) => {
                respond(Response::Verdict(verdict(&config, &start, cap)));
            }
            Request::Certificate(config, start, cap) => {
                let certificate = certificate(&config, &start, cap);
                respond(Response::Certificate(Proved::of(certificate)));
            }
        }
    }
}

impl Proved {
    fn of(mut certificate: Certificate) -> Self {
        let figures =
            serde_json::to_string_pretty(&certificate).expect("a certificate is plain data");
        if let Some(graph) = &mut certificate.graph {
            graph.states.truncate(MOST_SHOWN);
            graph.steps.truncate(MOST_SHOWN);
        }
        Self {
            shown: Json(certificate),
            figures,
        }
    }
}

/// Tells the phases of a run that is in range, some of them at every [`PERIOD`].
fn tell_phases(plan: &Plan, cap: u64, respond: &dyn Fn(Response)) {
    let run = plan.play().expect("the page asks for runs in range");
    let points = run.points();
    let mut told = js_sys::Date::now();
    let mut next = Vec::new();
    for i in 0..points.len() {
        next.push(phase_at(points, i, |config, state| {
            phase(config, state, cap)
        }));
        let now = js_sys::Date::now();
        if i + 1 == points.len() || now - told > PERIOD {
            told = now;
            respond(Response::Phases(std::mem::take(&mut next)));
        }
    }
}

/// Works a share of a map out, and shows it at every [`PERIOD`], or as often as all shares together.
fn draw(map: Map, share: Share, respond: &dyn Fn(Response)) {
    let mut job = MapJob::share(map, share).expect("the page asks for maps in range");
    let period = PERIOD * share.parts as f64;
    let mut shown = js_sys::Date::now();
    loop {
        let is_done = job.advance(SLICE);
        let now = js_sys::Date::now();
        if is_done || now - shown > period {
            shown = now;
            respond(Response::Map(MapSoFar {
                cells: job.cells().to_vec(),
                stride: job.stride(),
                known: job.known(),
                judged: job.judged(),
            }));
        }
        if is_done {
            return;
        }
    }
}
