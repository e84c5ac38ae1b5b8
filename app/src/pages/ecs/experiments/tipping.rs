//! The smallest pulse that tips the system.

use super::{Setting, WhichClass, on_both_sides};
use crate::pages::ecs::state::{Side, State};
use crate::pages::ecs::words;
use crate::ui::Table;
use crate::worker::Json;
use crate::worker::ecs::{Request, Response};
use engine::ecs::Class;
use engine::ecs::experiment::{TippingPoint, TippingSettings};
use leptos::prelude::*;

/// The search.
#[component]
pub fn TippingPanel(state: State) -> impl IntoView {
    let defaults = TippingSettings::default();
    let class = RwSignal::new(Class::Long);
    let length = RwSignal::new(defaults.length_s);
    let most = RwSignal::new(defaults.most);
    let runs = RwSignal::new(3.0);
    let request = move |config, seed| {
        Ok(Request::Tipping {
            config: Json(config),
            settings: TippingSettings {
                class: class.get_untracked(),
                length_s: length.get_untracked(),
                most: most.get_untracked(),
                runs: runs.get_untracked() as u32,
                seed,
                observe_s: 60.0,
                ..TippingSettings::default()
            },
        })
    };
    let take = |response| match response {
        Response::TippingPoint(point) => Some(point),
        _ => None,
    };
    let show =
        |side: Side, found: RwSignal<Vec<TippingPoint>>| view! { <Search side found /> }.into_any();
    view! {
        <div class="experiment">
            <p>
                "Halving the interval again and again: a height tips the system when more than half of its runs do not come "
                "back within a minute. Near the edge chance decides, so the answer is as good as the number of runs."
            </p>
            <div class="settings">
                <WhichClass class />
                <Setting label="Length of the pulse" unit="s" min=1.0 max=900.0 slider_max=60.0 value=length />
                <Setting label="Highest pulse to try" unit="times" min=2.0 max=10_000.0 slider_max=128.0 value=most />
                <Setting label="Runs for each height" min=1.0 max=100.0 slider_max=15.0 value=runs />
            </div>
            {on_both_sides(state, "Search", request, take, show)}
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
