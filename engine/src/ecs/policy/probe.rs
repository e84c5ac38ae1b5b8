//! Hill climbing on the rate of ticket acquisitions.

use serde::{Deserialize, Serialize};

use super::QueueView;
use crate::FieldError;
use crate::ecs::config::ordered;

/// How far and how boldly one queue probes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProbeSettings {
    /// Fewest tickets, at least 1.
    pub least: u32,
    /// Most tickets, at most 10,000.
    pub most: u32,
    /// A step as a share of the present count, 0 to 1; a step is at least one ticket.
    pub step: f64,
}

impl ProbeSettings {
    pub(super) fn validate(&self, name: &str) -> Result<(), FieldError> {
        FieldError::check_range(&format!("{name}.least"), self.least, 1, 10_000)?;
        FieldError::check_range(&format!("{name}.most"), self.most, 1, 10_000)?;
        ordered(
            (&format!("{name}.least"), f64::from(self.least)),
            (&format!("{name}.most"), f64::from(self.most)),
        )?;
        FieldError::check_range(&format!("{name}.step"), self.step, 0.0, 1.0)
    }
}

/// Probes the tickets of one queue by a step an interval: up when a task had to wait, down when none had to. A step is
/// kept when acquisitions rose over those of the interval before, and the next follows at once; else it is taken back,
/// and the interval that follows serves as the measure of the next.
///
/// The rate is a measure of churn, not of progress: a ticket bounds wall-clock time, so more tickets on the same cores
/// are acquired more often while each does less.
#[derive(Clone, Debug)]
pub struct TicketProbe {
    settings: ProbeSettings,
    trial: Option<Trial>,
}

#[derive(Clone, Copy, Debug)]
struct Trial {
    tickets_before: u32,
    acquisitions_before: u64,
}

impl TicketProbe {
    /// A probe that has not yet looked.
    pub fn new(settings: &ProbeSettings) -> Self {
        TicketProbe {
            settings: settings.clone(),
            trial: None,
        }
    }

    /// The tickets for the next interval.
    pub fn next(&mut self, tickets: u32, seen: &QueueView) -> u32 {
        if let Some(trial) = self.trial.take()
            && seen.acquisitions <= trial.acquisitions_before
        {
            return trial.tickets_before;
        }
        let step = ((f64::from(tickets) * self.settings.step) as u32).max(1);
        let next = if seen.waited {
            tickets + step
        } else {
            tickets.saturating_sub(step)
        };
        let next = next.clamp(self.settings.least, self.settings.most);
        if next != tickets {
            self.trial = Some(Trial {
                tickets_before: tickets,
                acquisitions_before: seen.acquisitions,
            });
        }
        next
    }

    /// Whether there are no more tickets to give.
    pub fn at_cap(&self, tickets: u32) -> bool {
        tickets >= self.settings.most
    }
}
