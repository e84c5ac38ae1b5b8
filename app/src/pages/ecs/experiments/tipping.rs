//! The smallest pulse that tips the system.

use super::settings::{TIPPING_CLASS, TIPPING_LENGTH, TIPPING_MOST, TIPPING_RUNS};
use super::{Benches, Experiment, Setting, WhichClass};
use crate::pages::ecs::state::{Side, State};
use crate::pages::ecs::words;
use crate::ui::Table;
use crate::worker::Json;
use crate::worker::ecs::{Request, Response};
use engine::ecs::experiment::{TippingPoint, TippingSettings};
use leptos::prelude::*;

const TIPPING: Experiment<TippingPoint> = Experiment {
    start: "Search",
    request: |config, seed, settings| Request::Tipping {
        config: Json(config),
        settings: TippingSettings {
            seed,
            ..settings.tipping.clone()
        },
    },
    words: |settings| {
        let TippingSettings {
            class, length_s, ..
        } = settings.tipping;
        let class = words::class(class);
        (
            format!("pulses of {class} arrivals, {length_s} s each"),
            format!("{class}-{length_s}s"),
        )
    },
    take: |response| match response {
        Response::TippingPoint(point) => Some(point),
        _ => None,
    },
    show: |_, side, bench| view! { <Search side found=bench.found /> }.into_any(),
};

/// The search.
#[component]
pub fn TippingPanel(state: State, benches: Benches<TippingPoint>) -> impl IntoView {
    view! {
        <div class="experiment">
            <p>
                "Halving the interval again and again: a height tips the system when more than half of its runs do not come "
                "back within a minute. Near the edge chance decides, so the answer is as good as the number of runs."
            </p>
            <div class="settings">
                <WhichClass state of=TIPPING_CLASS />
                <Setting state of=TIPPING_LENGTH label="Length of the pulse" unit="s" slider_max=60.0 />
                <Setting state of=TIPPING_MOST label="Highest pulse to try" unit="times" slider_max=128.0 />
                <Setting state of=TIPPING_RUNS label="Runs for each height" slider_max=15.0 />
            </div>
            {TIPPING.view(state, benches)}
        </div>
    }
}

/// The search of one side, height by height.
#[component]
fn Search(side: Side, found: RwSignal<Vec<TippingPoint>>) -> impl IntoView {
    let said = move || {
        found.with(|found| match found.last() {
            None => "No height has been tried yet.".to_owned(),
            Some(TippingPoint {
                tips: Some(tips),
                safe,
                ..
            }) => format!(
                "It tips somewhere between {} and {}.",
                words::times(*safe),
                words::times(*tips)
            ),
            Some(point) => format!("Even {} does not tip it.", words::times(point.safe)),
        })
    };
    let table = move || {
        let rows = found.with(|found| {
            found
                .iter()
                .map(|point| {
                    let cells = vec![
                        words::times(point.factor),
                        format!("{} of {}", point.tipped, point.runs),
                    ];
                    (cells, false)
                })
                .collect::<Vec<_>>()
        });
        (!rows.is_empty()).then(|| {
            let heads = vec!["Height".to_owned(), "Did not come back".to_owned()];
            view! { <Table label=format!("Heights tried with {}", side.letter()) heads rows /> }
        })
    };
    view! {
        <p class="read-out" data-tipping=side.letter()>{said}</p>
        {table}
    }
}
