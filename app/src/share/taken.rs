//! What a page hands to the program that saves it as a file.

use crate::plots::layers::{Sheet, Words};
use engine::breaker;
use engine::retrier_server::{Ledger, Plan, contract_trace, trace};
use engine::rows::{self, Format};
use serde::{Deserialize, Serialize};

/// What is taken away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Taken {
    /// A figure, as a picture.
    Figure(Sheet),
    /// A drawing that stands in the page, which is handed over beside these words, as a picture.
    Drawing(Words),
    /// Rows.
    Rows(Rows),
}

/// Rows, by what they follow from where that is little.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Rows {
    /// The states of a run, as `basin run` prints them.
    Run(Plan),
    /// Those, and how every contract stands.
    Contracts(Plan),
    /// What both breakers make of a schedule, as `basin breaker play` prints it.
    Schedule(breaker::Config, Vec<breaker::Action>),
    /// Written already.
    Written(String),
}

impl Rows {
    /// As text.
    #[must_use]
    pub fn text(self, format: Format) -> String {
        match self {
            Rows::Run(plan) => plan
                .play()
                .map_or_else(|_| String::new(), |run| rows::text(format, trace(&run))),
            Rows::Contracts(plan) => plan.play().map_or_else(
                |_| String::new(),
                |run| rows::text(format, contract_trace(&run, &Ledger::of(&run))),
            ),
            Rows::Schedule(config, schedule) => {
                rows::text(format, breaker::schedule_rows(config, &schedule))
            }
            Rows::Written(text) => text,
        }
    }
}

/// Kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A picture in pixels.
    Png,
    /// A picture in lines.
    Svg,
    /// Rows as a table.
    Csv,
    /// Rows as JSON, one a line.
    Json,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 4] = [Kind::Png, Kind::Svg, Kind::Csv, Kind::Json];

    /// Its name in words.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Png => "PNG",
            Kind::Svg => "SVG",
            Kind::Csv => "CSV",
            Kind::Json => "JSON",
        }
    }

    /// What a file's name ends with.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Kind::Png => "png",
            Kind::Svg => "svg",
            Kind::Csv => "csv",
            // A JSON value a line is no JSON document.
            Kind::Json => "jsonl",
        }
    }

    /// Its media type.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Kind::Png => "image/png",
            Kind::Svg => "image/svg+xml",
            Kind::Csv => "text/csv",
            Kind::Json => "application/x-ndjson",
        }
    }

    /// How rows are written in it.
    #[must_use]
    pub const fn format(self) -> Format {
        match self {
            Kind::Json => Format::Json,
            _ => Format::Csv,
        }
    }
}
