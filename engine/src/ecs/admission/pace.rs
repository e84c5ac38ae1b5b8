//! How an admission control moves once it has its signal.

use serde::{Deserialize, Serialize};

use crate::FieldError;
use crate::des::Time;

/// How often an admission control looks, how often it moves, and how far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaceSettings {
    /// Time between two looks in milliseconds, 10 to 100,000.
    pub interval_ms: f64,
    /// Looks to a window; it moves once a window. 1 to 10,000.
    pub looks: u32,
    /// Cut only when the signal was up at every look of the window, not just over the window as a whole.
    pub held: bool,
    /// What the admitted fraction is multiplied by while the signal is up, 0 to 1.
    pub cut: f64,
    /// What is added to it while the signal is down, 0 to 1.
    pub raise: f64,
}

impl Default for PaceSettings {
    fn default() -> Self {
        PaceSettings {
            interval_ms: 100.0,
            looks: 1,
            held: false,
            cut: 0.7,
            raise: 0.05,
        }
    }
}

impl PaceSettings {
    /// Ten times slower than the default.
    pub fn sluggish() -> Self {
        PaceSettings {
            looks: 10,
            ..PaceSettings::default()
        }
    }

    pub(super) fn validate(&self, name: &str) -> Result<(), FieldError> {
        FieldError::check_range(
            &format!("{name}.interval_ms"),
            self.interval_ms,
            10.0,
            100_000.0,
        )?;
        FieldError::check_range(&format!("{name}.looks"), self.looks, 1, 10_000)?;
        FieldError::check_range(&format!("{name}.cut"), self.cut, 0.0, 1.0)?;
        FieldError::check_range(&format!("{name}.raise"), self.raise, 0.0, 1.0)
    }
}

/// The admitted fraction and where in its window the control stands.
#[derive(Clone, Debug)]
pub struct Pace {
    settings: PaceSettings,
    fraction: f64,
    looks: u32,
    ups: u32,
}

impl Pace {
    /// At the start of a window, admitting all.
    pub fn new(settings: &PaceSettings) -> Self {
        Pace {
            settings: settings.clone(),
            fraction: 1.0,
            looks: 0,
            ups: 0,
        }
    }

    /// Time between two looks.
    pub fn interval(&self) -> Time {
        Time::from_millis(self.settings.interval_ms)
    }

    /// The admitted fraction.
    pub fn fraction(&self) -> f64 {
        self.fraction
    }

    /// Admits all at once.
    pub fn open(&mut self) {
        self.fraction = 1.0;
    }

    /// Takes one look, and moves when it ends a window. `over_window` says whether the signal is up over the window as a
    /// whole, and is asked only at its end. Returns whether a window ended.
    pub fn look(&mut self, up: bool, over_window: impl FnOnce() -> bool) -> bool {
        self.looks += 1;
        self.ups += u32::from(up);
        if self.looks < self.settings.looks {
            return false;
        }
        let cut = if self.settings.held {
            self.ups == self.looks
        } else {
            over_window()
        };
        self.fraction = if cut {
            self.fraction * self.settings.cut
        } else {
            (self.fraction + self.settings.raise).min(1.0)
        };
        self.looks = 0;
        self.ups = 0;
        true
    }
}
