//! Admission control by a distress bit that the server exports.

use serde::{Deserialize, Serialize};

use super::pace::{Pace, PaceSettings};
use super::{Admission, Signal};
use crate::FieldError;
use crate::des::Time;
use crate::ecs::policy::Exhausted;

/// Which knobs "my knobs are exhausted" means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DistressKnobs {
    /// The demotion threshold is at its floor.
    Demotion,
    /// The short tickets are at their cap.
    Tickets,
    /// Either.
    Either,
    /// Both.
    Both,
}

impl DistressKnobs {
    /// Whether these knobs are among the exhausted ones.
    pub fn exhausted(self, exhausted: Exhausted) -> bool {
        match self {
            DistressKnobs::Demotion => exhausted.demotion,
            DistressKnobs::Tickets => exhausted.tickets,
            DistressKnobs::Either => exhausted.demotion || exhausted.tickets,
            DistressKnobs::Both => exhausted.demotion && exhausted.tickets,
        }
    }
}

/// Settings of the distress bit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DistressSettings {
    /// When the server counts as out of moves.
    pub knobs: DistressKnobs,
    /// How it moves while the bit is up. When the bit falls, all are admitted at once.
    pub pace: PaceSettings,
}

impl Default for DistressSettings {
    fn default() -> Self {
        DistressSettings {
            knobs: DistressKnobs::Either,
            pace: PaceSettings::default(),
        }
    }
}

impl DistressSettings {
    pub(super) fn validate(&self, name: &str) -> Result<(), FieldError> {
        self.pace.validate(&format!("{name}.pace"))
    }
}

/// Rejects only while short tasks wait and the server's own knobs are exhausted.
#[derive(Clone, Debug)]
pub struct Distress {
    knobs: DistressKnobs,
    pace: Pace,
    up: bool,
}

impl Distress {
    /// The control at its start.
    pub fn new(settings: &DistressSettings) -> Self {
        Distress {
            knobs: settings.knobs,
            pace: Pace::new(&settings.pace),
            up: false,
        }
    }
}

impl Admission for Distress {
    fn interval(&self) -> Time {
        self.pace.interval()
    }

    fn admit(&mut self, signal: &Signal<'_>) -> f64 {
        self.up = signal.short_waits && self.knobs.exhausted(signal.exhausted);
        let up = self.up;
        self.pace.look(up, || up);
        if !up {
            self.pace.open();
        }
        self.pace.fraction()
    }

    fn distress(&self) -> bool {
        self.up
    }
}
