//! `basin ecs`: the execution control system.

use crate::Failure;
use crate::within::within;
use clap::{Args, Subcommand, ValueEnum};
use engine::FieldError;
use engine::ecs::experiment::{
    Direction, Estimate, Experiment, PulseMap, PulseMapSettings, Sweep, SweepPoint, SweepSettings,
    Tipping, TippingSettings, hysteresis,
};
use engine::ecs::presets::{self, Preset};
use engine::ecs::{Class, Config, Simulation, SummaryRow};
use engine::rows::{Format, Output};
use serde::Serialize;
use serde_json::json;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Ecs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Simulate one run: one line a sampling interval, then a summary.
    Run(Run),
    /// Sweep the load up and down again over several seeds, then say how far the way back lies below.
    Sweep(SweepArgs),
    /// Try pulses of many heights and lengths, and say from which of them short goodput comes back.
    Map(MapArgs),
    /// Search for the smallest pulse that tips the system.
    Tip(TipArgs),
    /// List the presets.
    Presets(Presets),
}

impl Ecs {
    pub fn run(&self, out: &mut Output<impl Write>) -> Result<(), Failure> {
        match &self.command {
            Command::Run(run) => run.run(out),
            Command::Sweep(sweep) => sweep.run(out),
            Command::Map(map) => map.run(out),
            Command::Tip(tip) => tip.run(out),
            Command::Presets(presets) => presets.run(out),
        }
    }
}

/// The system to simulate.
#[derive(Args)]
struct System {
    /// A preset, naive-overload when nothing else is named; `basin ecs presets` lists them
    #[arg(long, value_name = "NAME", value_parser = preset)]
    preset: Option<Preset>,
    /// A file with a configuration in JSON, as `basin ecs presets --config` prints them; `-` reads standard input
    #[arg(long, value_name = "FILE", conflicts_with = "preset")]
    config: Option<PathBuf>,
}

fn preset(name: &str) -> Result<Preset, String> {
    presets::named(name).ok_or_else(|| {
        let names: Vec<_> = presets::all().iter().map(|preset| preset.name).collect();
        format!("must be one of {}", names.join(", "))
    })
}

impl System {
    /// The system, or the one of `fallback` when none is named.
    fn config(&self, fallback: &str) -> Result<Config, FieldError> {
        match (&self.preset, &self.config) {
            (Some(preset), _) => Ok(preset.config.clone()),
            (None, Some(path)) => read(path),
            (None, None) => presets::named(fallback)
                .map(|preset| preset.config)
                .ok_or_else(|| FieldError::new("preset", fallback, "the name of a preset")),
        }
    }
}

fn read(path: &Path) -> Result<Config, FieldError> {
    let wrong = |why: String| {
        FieldError::new(
            "config",
            path.display(),
            format!("a file with a configuration in JSON: {why}"),
        )
    };
    let text = if path == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(path)
    };
    let text = text.map_err(|error| wrong(error.to_string()))?;
    let config: Config = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    config.validate().map_err(|error| FieldError {
        field: format!("config: {}", error.field),
        ..error
    })?;
    Ok(config)
}

#[derive(Args)]
struct Run {
    #[command(flatten)]
    system: System,
    /// The seed: the same one gives the same run
    #[arg(long, default_value_t = 1, value_parser = within(0, u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    /// How to print: JSON ends with a summary, CSV has none
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

impl Run {
    fn run(&self, out: &mut Output<impl Write>) -> Result<(), Failure> {
        let config = self.system.config("naive-overload")?;
        let mut simulation = Simulation::new(&config, self.seed)?;
        let mut printed = 0;
        while !simulation.is_done() {
            simulation.advance(simulation.now() + config.sample_s);
            for sample in &simulation.samples()[printed..] {
                out.row(self.format, sample)?;
            }
            printed = simulation.samples().len();
        }
        if self.format == Format::Json {
            out.row(
                Format::Json,
                &SummaryRow {
                    summary: &simulation.summary(),
                },
            )?;
        }
        Ok(())
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum ClassArg {
    Short,
    Long,
}

impl From<ClassArg> for Class {
    fn from(class: ClassArg) -> Class {
        match class {
            ClassArg::Short => Class::Short,
            ClassArg::Long => Class::Long,
        }
    }
}

#[derive(Args)]
struct SweepArgs {
    #[command(flatten)]
    system: System,
    /// The class whose arrivals are multiplied
    #[arg(long, value_enum, default_value = "long")]
    class: ClassArg,
    /// The factors on the way up, rising
    #[arg(long, value_delimiter = ',', value_name = "F,F,…", default_values_t = SweepSettings::default().factors, allow_hyphen_values = true)]
    factors: Vec<f64>,
    /// Seconds that each load lasts; figures are of the second half
    #[arg(long, default_value_t = SweepSettings::default().dwell_s, allow_negative_numbers = true)]
    dwell: f64,
    /// The first seed
    #[arg(long, default_value_t = 1, value_parser = within(0, u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    /// How many seeds, 1 to 1000
    #[arg(long, default_value_t = 10, value_parser = within(1, 1000), allow_negative_numbers = true)]
    seeds: u64,
}

/// One load, over all seeds.
#[derive(Serialize)]
struct SweepRow {
    direction: Direction,
    factor: f64,
    offered_cores: f64,
    short_goodput: Option<Estimate>,
    long_goodput: Option<Estimate>,
    long_tickets: Option<Estimate>,
    waste: Option<Estimate>,
}

impl SweepArgs {
    fn run(&self, out: &mut Output<impl Write>) -> Result<(), Failure> {
        let base = self.system.config("naive-overload")?;
        let mut sweeps: Vec<Vec<SweepPoint>> = Vec::new();
        for run in 0..self.seeds {
            let settings = SweepSettings {
                class: self.class.into(),
                factors: self.factors.clone(),
                dwell_s: self.dwell,
                seed: self.seed.wrapping_add(run),
            };
            sweeps.push(
                Sweep::new(&base, &settings)
                    .map_err(flag)?
                    .points()
                    .collect(),
            );
        }
        for (index, point) in sweeps[0].iter().enumerate() {
            let over = |of: fn(&SweepPoint) -> f64| {
                Estimate::of(
                    &sweeps
                        .iter()
                        .map(|sweep| of(&sweep[index]))
                        .collect::<Vec<_>>(),
                )
            };
            let row = SweepRow {
                direction: point.direction,
                factor: point.factor,
                offered_cores: point.offered_cores,
                short_goodput: over(|point| point.short_goodput),
                long_goodput: over(|point| point.long_goodput),
                long_tickets: over(|point| point.long_tickets),
                waste: over(|point| point.waste),
            };
            out.row(Format::Json, &row)?;
        }
        let gaps: Vec<f64> = sweeps.iter().map(|sweep| hysteresis(sweep)).collect();
        out.row(
            Format::Json,
            &json!({ "summary": { "hysteresis": Estimate::of(&gaps) } }),
        )?;
        Ok(())
    }
}

/// The engine names fields as they are; the command line has options without their units.
fn flag(error: FieldError) -> FieldError {
    let field = error
        .field
        .replace("lengths_s", "lengths")
        .replace("_s", "")
        .replace('_', "-");
    FieldError { field, ..error }
}

#[derive(Args)]
struct MapArgs {
    #[command(flatten)]
    system: System,
    /// The class whose arrivals are multiplied
    #[arg(long, value_enum, default_value = "long")]
    class: ClassArg,
    /// Heights of the pulse
    #[arg(long, value_delimiter = ',', value_name = "F,F,…", default_values_t = PulseMapSettings::default().factors, allow_hyphen_values = true)]
    factors: Vec<f64>,
    /// Lengths of the pulse in seconds
    #[arg(long, value_delimiter = ',', value_name = "S,S,…", default_values_t = PulseMapSettings::default().lengths_s, allow_hyphen_values = true)]
    lengths: Vec<f64>,
    /// Seconds to watch after the pulse
    #[arg(long, default_value_t = PulseMapSettings::default().observe_s, allow_negative_numbers = true)]
    observe: f64,
    /// Runs for each pulse, 1 to 100
    #[arg(long, default_value_t = 3, value_parser = within(1, 100), allow_negative_numbers = true)]
    runs: u64,
    /// The first seed
    #[arg(long, default_value_t = 1, value_parser = within(0, u64::MAX), allow_negative_numbers = true)]
    seed: u64,
}

impl MapArgs {
    fn run(&self, out: &mut Output<impl Write>) -> Result<(), Failure> {
        let settings = PulseMapSettings {
            class: self.class.into(),
            factors: self.factors.clone(),
            lengths_s: self.lengths.clone(),
            observe_s: self.observe,
            runs: self.runs as u32,
            seed: self.seed,
        };
        let base = self.system.config("naive-overload")?;
        for cell in PulseMap::new(&base, &settings).map_err(flag)?.points() {
            out.row(Format::Json, &cell)?;
        }
        Ok(())
    }
}

#[derive(Args)]
struct TipArgs {
    #[command(flatten)]
    system: System,
    /// The class whose arrivals are multiplied
    #[arg(long, value_enum, default_value = "long")]
    class: ClassArg,
    /// Length of the pulse in seconds
    #[arg(long, default_value_t = TippingSettings::default().length_s, allow_negative_numbers = true)]
    length: f64,
    /// The highest pulse to try
    #[arg(long, default_value_t = TippingSettings::default().most, allow_negative_numbers = true)]
    most: f64,
    /// How closely to find the smallest
    #[arg(long, default_value_t = TippingSettings::default().within, allow_negative_numbers = true)]
    within: f64,
    /// Seconds to watch after the pulse
    #[arg(long, default_value_t = TippingSettings::default().observe_s, allow_negative_numbers = true)]
    observe: f64,
    /// Runs for each pulse, 1 to 100
    #[arg(long, default_value_t = 5, value_parser = within(1, 100), allow_negative_numbers = true)]
    runs: u64,
    /// The first seed
    #[arg(long, default_value_t = 1, value_parser = within(0, u64::MAX), allow_negative_numbers = true)]
    seed: u64,
}

impl TipArgs {
    fn run(&self, out: &mut Output<impl Write>) -> Result<(), Failure> {
        let settings = TippingSettings {
            class: self.class.into(),
            length_s: self.length,
            most: self.most,
            within: self.within,
            observe_s: self.observe,
            runs: self.runs as u32,
            seed: self.seed,
        };
        let base = self.system.config("naive-overload")?;
        for point in Tipping::new(&base, &settings).map_err(flag)?.points() {
            out.row(Format::Json, &point)?;
        }
        Ok(())
    }
}

#[derive(Args)]
struct Presets {
    /// With their configurations
    #[arg(long)]
    config: bool,
}

impl Presets {
    fn run(&self, out: &mut Output<impl Write>) -> Result<(), Failure> {
        for Preset {
            name,
            about,
            config,
        } in presets::all()
        {
            if self.config {
                out.row(
                    Format::Json,
                    &json!({ "name": name, "about": about, "config": config }),
                )?;
            } else {
                out.row(Format::Json, &json!({ "name": name, "about": about }))?;
            }
        }
        Ok(())
    }
}
