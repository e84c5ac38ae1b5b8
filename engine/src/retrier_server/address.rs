//! A [`Plan`] as part of an address: `s=3&amax=2&t=2&q0=18&rounds=60&do=10:shock:25;20:budget:0`.
//!
//! The start, the parameters and the rounds are always written, so that an address reads by itself; fixes, arrivals and
//! changes only where there are any.

use super::config::{Config, Service};
use super::fault::Fault;
use super::gate::Gate;
use super::run::{Arrivals, Change, Event, Plan};
use crate::FieldError;
use crate::query::{QueryReader, QueryWriter, quoted};
use std::fmt;
use std::str::FromStr;

const COUNT: &str = "a whole number from 0 to 2147483648";
const CHANGES: &str = "changes such as 10:shock:25;20:budget:0, each a round and one of shock:N, budget:N, budget:none, \
                       serve:fresh, serve:shared, quiet:on, quiet:off, gate:…";

impl Plan {
    /// Writes the plan.
    pub fn write(&self, query: &mut QueryWriter) {
        let config = &self.config;
        query.put("s", config.s);
        query.put("amax", config.amax);
        query.put("t", config.t);
        if let Some(b) = config.budget {
            query.put("b", b);
        }
        query.put_unless(Service::Proportional, "serve", config.service);
        if config.quiet {
            query.put("quiet", 1);
        }
        query.put_unless(Gate::None, "gate", config.gate);
        query.put_unless(Fault::None, "fault", config.fault);
        query.put("q0", self.q0);
        query.put_unless(0, "qd", self.qd0);
        if self.arrivals != Arrivals::Max {
            query.put("arrivals", &self.arrivals);
        }
        query.put("rounds", self.rounds);
        if !self.events.is_empty() {
            let events: Vec<_> = self.events.iter().map(Event::to_string).collect();
            query.put("do", events.join(";"));
        }
    }

    /// Reads a plan; what is not given is as in `default`, but for fixes, arrivals and changes, which are then none.
    ///
    /// # Errors
    /// Names the first part that cannot be read or is out of range.
    pub fn read(query: &mut QueryReader, default: &Plan) -> Result<Self, FieldError> {
        let mut count = |name: &str, default: u64| -> Result<u64, FieldError> {
            Ok(query.take(name, COUNT)?.unwrap_or(default))
        };
        let mut config = Config::new(
            count("s", default.config.s)?,
            count("amax", default.config.amax)?,
            count("t", default.config.t)?,
        );
        let q0 = count("q0", default.q0)?;
        let qd0 = count("qd", 0)?;
        let rounds = count("rounds", default.rounds)?;
        config.budget = query.take("b", COUNT)?;
        config.service = query.take("serve", SERVE)?.unwrap_or_default();
        config.quiet = query.take_flag("quiet")?;
        config.gate = match query.take_text("gate") {
            Some(text) => text.parse()?,
            None => Gate::None,
        };
        config.fault = query.take("fault", FAULT)?.unwrap_or_default();
        let arrivals = match query.take_text("arrivals") {
            Some(text) => text.parse()?,
            None => Arrivals::Max,
        };
        let events = match query.take_text("do") {
            Some(text) if !text.is_empty() => text
                .split(';')
                .map(str::parse)
                .collect::<Result<_, FieldError>>()?,
            _ => Vec::new(),
        };
        let plan = Plan {
            config,
            q0,
            qd0,
            arrivals,
            rounds,
            events,
        };
        plan.validate()?;
        Ok(plan)
    }
}

const SERVE: &str = "shared or fresh";
const FAULT: &str = "none, eager-retrier or wasteful-server";

impl fmt::Display for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Service::Proportional => "shared",
            Service::FreshFirst => "fresh",
        })
    }
}

impl FromStr for Service {
    type Err = FieldError;

    /// Reads `shared` or `fresh`.
    fn from_str(text: &str) -> Result<Self, FieldError> {
        match text {
            "shared" => Ok(Service::Proportional),
            "fresh" => Ok(Service::FreshFirst),
            other => Err(FieldError::new("serve", quoted(other), SERVE)),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::None => "none",
            Fault::EagerRetrier => "eager-retrier",
            Fault::WastefulServer => "wasteful-server",
        })
    }
}

impl FromStr for Fault {
    type Err = FieldError;

    /// Reads `none`, `eager-retrier` or `wasteful-server`.
    fn from_str(text: &str) -> Result<Self, FieldError> {
        Fault::ALL
            .into_iter()
            .find(|fault| fault.to_string() == text)
            .ok_or_else(|| FieldError::new("fault", quoted(text), FAULT))
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.round)?;
        match self.change {
            Change::Shock(size) => write!(f, "shock:{size}"),
            Change::Budget(None) => f.write_str("budget:none"),
            Change::Budget(Some(b)) => write!(f, "budget:{b}"),
            Change::Service(service) => write!(f, "serve:{service}"),
            Change::Quiet(true) => f.write_str("quiet:on"),
            Change::Quiet(false) => f.write_str("quiet:off"),
            Change::Gate(gate) => write!(f, "gate:{gate}"),
        }
    }
}

impl FromStr for Event {
    type Err = FieldError;

    /// Reads a round and a change, such as `10:shock:25`.
    fn from_str(text: &str) -> Result<Self, FieldError> {
        let wrong = || FieldError::new("do", quoted(text), CHANGES);
        let mut parts = text.splitn(3, ':');
        let mut part = || parts.next().map(str::trim).ok_or_else(wrong);
        let (round, what, value) = (part()?, part()?, part()?);
        let count = || value.parse().map_err(|_| wrong());
        let change = match (what, value) {
            ("shock", _) => Change::Shock(count()?),
            ("budget", "none") => Change::Budget(None),
            ("budget", _) => Change::Budget(Some(count()?)),
            ("serve", _) => Change::Service(value.parse().map_err(|_| wrong())?),
            ("quiet", "on") => Change::Quiet(true),
            ("quiet", "off") => Change::Quiet(false),
            ("gate", _) => Change::Gate(value.parse()?),
            _ => return Err(wrong()),
        };
        Ok(Event {
            round: round.parse().map_err(|_| wrong())?,
            change,
        })
    }
}
