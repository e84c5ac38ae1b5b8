//! Maps, counterexamples and N clients, as the worker works them out.

use super::Kind;
use engine::retrier_server::clients::{Clients, ClientsJudgement, judge_clients};
use engine::retrier_server::{
    Config, Map, MapJob, Property, Search, Share, State, Verdict, counterexample,
};
use serde::{Deserialize, Serialize};

/// Milliseconds between two answers of a map under way.
const PERIOD: f64 = 60.0;

/// Cells judged between two looks at the clock.
const SLICE: usize = 8;

/// Something to find out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// A share of a map; answered by ever more of it.
    Map(Map, Share),
    /// A shortest run that breaks a property, from a round start and up to a cap on the backlog.
    Counterexample(Config, State, Property, u64),
    /// Where N clients lead, from their starts and up to a cap on their backlog.
    Clients(Clients, Vec<u64>, u64),
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
