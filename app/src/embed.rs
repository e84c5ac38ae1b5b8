//! One view alone, for a page elsewhere: what the address asks for with `?embed=…`.
//!
//! `?embed=storm&controls=q0,play&theme=dark#/basin` shows the storm of the basin page, with two of its controls, in the
//! dark. What is not understood is named above the view, which is shown all the same as far as it can be.

mod frame;

pub use frame::{Embed, EmbedFrame, alone};

use crate::pages::Page;
use crate::theme::ThemeChoice;
use engine::FieldError;

/// A view that can stand alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum View {
    /// Where each starting backlog leads.
    BasinMap,
    /// The storm's plots.
    Storm,
    /// The plane of the two queues.
    PhasePlane,
    /// The two controllers side by side.
    Ecs,
    /// The two breakers side by side.
    Breaker,
}

/// Something to set or to press beside a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Control {
    /// Ready-made scenarios.
    Presets,
    /// The player.
    Play,
    /// Fresh requests at the start.
    Q0,
    /// Duplicates at the start.
    Qd,
    /// The server's capacity.
    S,
    /// The most arrivals in a round.
    AMax,
    /// The timeout.
    T,
    /// The retry budget.
    B,
    /// The other fixes.
    Fixes,
    /// Who misbehaves.
    Fault,
    /// What arrives.
    Arrivals,
    /// Shocks and fixes at chosen rounds.
    Schedule,
    /// The run's length.
    Rounds,
    /// The map's length.
    Map,
    /// The seed.
    Seed,
    /// Policies and admission controls.
    Policies,
    /// What happens when.
    Script,
    /// The breaker's bounds.
    Bounds,
    /// Steps by hand.
    Steps,
    /// The schedule step by step.
    Log,
}

impl Control {
    /// Its name in the address.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Control::Presets => "presets",
            Control::Play => "play",
            Control::Q0 => "q0",
            Control::Qd => "qd",
            Control::S => "s",
            Control::AMax => "amax",
            Control::T => "t",
            Control::B => "b",
            Control::Fixes => "fixes",
            Control::Fault => "fault",
            Control::Arrivals => "arrivals",
            Control::Schedule => "schedule",
            Control::Rounds => "rounds",
            Control::Map => "map",
            Control::Seed => "seed",
            Control::Policies => "policies",
            Control::Script => "script",
            Control::Bounds => "bounds",
            Control::Steps => "steps",
            Control::Log => "log",
        }
    }

    /// What it is, in a few words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Control::Presets => "ready-made scenarios",
            Control::Play => "the player",
            Control::Q0 => "fresh requests at the start",
            Control::Qd => "duplicates at the start",
            Control::S => "capacity",
            Control::AMax => "most arrivals",
            Control::T => "timeout",
            Control::B => "retry budget",
            Control::Fixes => "other fixes",
            Control::Fault => "who misbehaves",
            Control::Arrivals => "what arrives",
            Control::Schedule => "shocks and fixes in chosen rounds",
            Control::Rounds => "length of the run",
            Control::Map => "length of the map",
            Control::Seed => "seed",
            Control::Policies => "policies and admission",
            Control::Script => "script of events",
            Control::Bounds => "bounds of the model",
            Control::Steps => "steps by hand",
            Control::Log => "the schedule as a table",
        }
    }
}

impl View {
    /// Every view.
    pub const ALL: [View; 5] = [
        View::BasinMap,
        View::Storm,
        View::PhasePlane,
        View::Ecs,
        View::Breaker,
    ];

    /// Its name in the address.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            View::BasinMap => "basin-map",
            View::Storm => "storm",
            View::PhasePlane => "phase-plane",
            View::Ecs => "ecs",
            View::Breaker => "breaker",
        }
    }

    /// What it is called.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            View::BasinMap => "Where each starting backlog leads",
            View::Storm => "What becomes of the run",
            View::PhasePlane => "The plane of the two queues",
            View::Ecs => "Two controllers side by side",
            View::Breaker => "Two circuit breakers on one schedule",
        }
    }

    /// The page that it is a part of.
    #[must_use]
    pub const fn page(self) -> Page {
        match self {
            View::BasinMap | View::Storm => Page::Basin,
            View::PhasePlane => Page::Why,
            View::Ecs => Page::Ecs,
            View::Breaker => Page::Breaker,
        }
    }

    /// The controls that it offers.
    #[must_use]
    pub const fn controls(self) -> &'static [Control] {
        use Control::*;
        match self {
            View::BasinMap => &[Presets, Q0, Qd, S, AMax, T, B, Fixes, Map],
            View::Storm => &[
                Play, Presets, Q0, Qd, S, AMax, T, B, Fixes, Arrivals, Schedule, Rounds,
            ],
            View::PhasePlane => &[Play, Presets, Q0, Qd, S, AMax, T, B, Fixes, Fault, Rounds],
            View::Ecs => &[Play, Presets, Seed, Policies, Script],
            View::Breaker => &[Play, Presets, Bounds, Steps, Log],
        }
    }

    /// Those that it has where the address names none.
    #[must_use]
    pub const fn usual_controls(self) -> &'static [Control] {
        use Control::*;
        match self {
            View::BasinMap => &[B],
            View::Storm => &[Play, Q0],
            View::PhasePlane | View::Ecs | View::Breaker => &[Play],
        }
    }

    /// Its height in a column of text, in CSS pixels and roughly: an `iframe` has it until the view tells its own.
    #[must_use]
    pub const fn usual_height(self) -> u32 {
        match self {
            View::BasinMap => 680,
            View::Storm => 1_120,
            View::PhasePlane => 1_090,
            View::Ecs => 2_200,
            View::Breaker => 950,
        }
    }

    fn named(name: &str) -> Option<Self> {
        View::ALL.into_iter().find(|view| view.name() == name)
    }
}

/// What an address asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The view, if there is one of that name.
    pub view: Option<View>,
    /// The controls beside it.
    pub controls: Vec<Control>,
    /// The theme, if not the reader's own.
    pub theme: Option<ThemeChoice>,
    /// What was not understood.
    pub refused: Vec<FieldError>,
}

impl Asked {
    /// Reads the search part of an address, such as `?embed=storm&controls=q0,play&theme=dark`; `None` if it asks for no
    /// view alone.
    #[must_use]
    pub fn of_search(search: &str) -> Option<Self> {
        let given = web_sys::UrlSearchParams::new_with_str(search).ok()?;
        let name = given.get("embed")?;
        let mut refused = Vec::new();
        let mut refuse = |field: &str, value: &str, known: &mut dyn Iterator<Item = &str>| {
            let known = known.collect::<Vec<_>>().join(", ");
            refused.push(FieldError::new(
                field,
                format!("“{value}”"),
                format!("one of {known}"),
            ));
        };

        let view = View::named(&name);
        if view.is_none() {
            refuse("embed", &name, &mut View::ALL.iter().map(|v| v.name()));
        }
        let controls = match (view, given.get("controls")) {
            (None, _) => Vec::new(),
            (Some(view), None) => view.usual_controls().to_vec(),
            (Some(view), Some(names)) => {
                let offered = view.controls();
                let (mut controls, mut unknown) = (Vec::new(), Vec::new());
                let names = names.split(',').map(str::trim);
                for name in names.filter(|name| !name.is_empty()) {
                    match offered.iter().find(|control| control.name() == name) {
                        Some(control) if controls.contains(control) => {}
                        Some(control) => controls.push(*control),
                        None => unknown.push(name),
                    }
                }
                if !unknown.is_empty() {
                    let unknown = unknown.join(", ");
                    refuse("controls", &unknown, &mut offered.iter().map(|c| c.name()));
                }
                controls
            }
        };
        let theme = given.get("theme").and_then(|theme| match theme.as_str() {
            "light" => Some(ThemeChoice::Light),
            "dark" => Some(ThemeChoice::Dark),
            _ => {
                refuse("theme", &theme, &mut ["light", "dark"].into_iter());
                None
            }
        });
        Some(Self {
            view,
            controls,
            theme,
            refused,
        })
    }

    /// The search part that asks for this.
    #[must_use]
    pub fn search(view: View, controls: &[Control], theme: Option<ThemeChoice>) -> String {
        let mut search = format!("?embed={}", view.name());
        if controls != view.usual_controls() {
            let names: Vec<_> = controls.iter().map(|control| control.name()).collect();
            search += &format!("&controls={}", names.join(","));
        }
        match theme {
            Some(ThemeChoice::Light) => search += "&theme=light",
            Some(ThemeChoice::Dark) => search += "&theme=dark",
            Some(ThemeChoice::System) | None => {}
        }
        search
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn asked(search: &str) -> Asked {
        Asked::of_search(search).expect("it asks for a view")
    }

    #[wasm_bindgen_test]
    fn an_address_without_a_view_asks_for_the_dashboard() {
        for search in ["", "?", "?theme=dark", "?controls=play"] {
            assert_eq!(Asked::of_search(search), None);
        }
    }

    #[wasm_bindgen_test]
    fn a_view_without_controls_named_has_its_usual_ones() {
        for view in View::ALL {
            let asked = asked(&format!("?embed={}", view.name()));
            assert_eq!(asked.view, Some(view));
            assert_eq!(asked.controls, view.usual_controls());
            assert_eq!((asked.theme, asked.refused), (None, vec![]));
        }
    }

    #[wasm_bindgen_test]
    fn every_control_is_found_by_its_name_and_none_is_none() {
        for view in View::ALL {
            for &control in view.controls() {
                let search = Asked::search(view, &[control], Some(ThemeChoice::Dark));
                let asked = asked(&search);
                assert_eq!(asked.controls, [control], "{search}");
                assert_eq!(asked.theme, Some(ThemeChoice::Dark), "{search}");
            }
            assert_eq!(asked(&Asked::search(view, &[], None)).controls, []);
        }
    }

    #[wasm_bindgen_test]
    fn what_is_not_understood_is_named_with_what_would_be() {
        let asked = asked("?embed=breaker&controls=play,q0,play&theme=pink");
        assert_eq!(asked.view, Some(View::Breaker));
        assert_eq!(asked.controls, [Control::Play]);
        let refused: Vec<_> = asked.refused.iter().map(ToString::to_string).collect();
        assert_eq!(
            refused,
            [
                "controls is “q0”, but must be one of play, presets, bounds, steps, log",
                "theme is “pink”, but must be one of light, dark",
            ]
        );
    }

    #[wasm_bindgen_test]
    fn a_view_that_there_is_not_is_refused() {
        let asked = asked("?embed=stormy&controls=play");
        assert_eq!(asked.view, None);
        assert_eq!(
            asked.refused[0].to_string(),
            "embed is “stormy”, but must be one of basin-map, storm, phase-plane, ecs, breaker"
        );
    }
}
