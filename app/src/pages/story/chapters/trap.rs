//! The trap, what "doomed" means, and the map of all starts.

use super::{Differs, GoOn, Proof, fates, query_of, reason, state};
use crate::pages::Page;
use crate::pages::basin::{Map, Now, StormFigure, essay_note, grouped};
use crate::pages::story::chapter::Chapter;
use crate::pages::story::facts;
use crate::pages::story::predict::Predict;
use crate::pages::story::step::Step;
use engine::retrier_server::trap::{Closure, Region};
use engine::retrier_server::{Config, Plan, Verdict};
use leptos::html;
use leptos::prelude::*;

/// The essay's own start.
const Q0: u64 = 18;

fn plan() -> Plan {
    Plan::new(Config::default(), Q0, 40)
}

/// The chapter.
pub fn chapter() -> AnyView {
    let judgement = facts::judged(&plan());
    let why = reason(&plan(), &judgement);
    let note = move || essay_note(&plan(), judgement.verdict);
    let figure = || {
        let state = state(plan());
        let run = NodeRef::<html::Div>::new();
        state.sight.watch(run);
        state.head.sight.watch(run);
        view! {
            <div class="run" node_ref=run>
                <Map state />
                <StormFigure state height=super::RUN_HEIGHT />
                <Now state />
            </div>
        }
    };
    view! {
        <Chapter step=Step::Trap figure=figure>
            <p>
                {format!(
                    "With {Q0} waiting, as in the essay’s own example, full load makes a storm: duplicates crowd out the requests that they are copies of, so fewer are answered, so more are sent again.",
                )}
            </p>
            <p>{what_traps()}</p>
            <Predict
                step=Step::Trap
                ask=format!(
                    "{Q0} requests are waiting. The essay calls this start “doomed”. What holds, if doomed is to mean that nothing saves it?",
                )
                choices=fates()
                truth=Signal::stored(facts::fate(&judgement))
                why=why
            >
                {note().map(|words| view! { <Differs>{words}</Differs> })}
                <p>{edges()} " Point at the map to read it; press it to start there."</p>
                <Proof plan=plan() judgement />
                <GoOn page=Page::Basin with=query_of(&plan())>"Open the storm on its page"</GoOn>
            </Predict>
        </Chapter>
    }
    .into_any()
}

/// What makes the trap one.
fn what_traps() -> String {
    let config = Config::default();
    let region = Region::general(&config, config.most_arrivals());
    let closed = match region.closure(&config) {
        Closure::Closed => " That no run leaves is proved.",
        Closure::Open { .. } | Closure::Unproved => "",
    };
    format!(
        "At the end of the storm is a trap. Once there are {} duplicates to each fresh request, and at least {} fresh ones, the fresh share of the {} served in a round is below one, and rounds down to none. Nothing is answered, so every timer goes on firing.{closed}",
        region.ratio, region.qf_min, config.s
    )
}

/// Where the bands of the map begin and end.
fn edges() -> String {
    let of = |verdict| facts::band(verdict);
    let (orbits, at_risk) = (of(Verdict::Orbits), of(Verdict::AtRisk));
    format!(
        "Here is every start up to {}. Up to {} it recovers; at {} to {} it orbits; from {} on the trap can be reached; from {} on nothing saves it.",
        facts::MAP_TO,
        grouped(of(Verdict::Recovers).last),
        grouped(orbits.first),
        grouped(orbits.last),
        grouped(at_risk.first),
        grouped(of(Verdict::Doomed).first),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_edges_are_told_as_computed() {
        assert_eq!(
            edges(),
            "Here is every start up to 60. Up to 7 it recovers; at 8 to 9 it orbits; from 10 on the trap can be reached; from 21 on nothing saves it."
        );
    }

    #[test]
    fn the_trap_is_the_documents_region() {
        let said = what_traps();
        assert!(
            said.contains("3 duplicates to each fresh request"),
            "{said}"
        );
        assert!(said.contains("at least 24 fresh ones"), "{said}");
        assert!(said.ends_with("That no run leaves is proved."), "{said}");
    }
}
