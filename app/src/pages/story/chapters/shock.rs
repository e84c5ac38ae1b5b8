//! A larger shock: the first prediction.

use super::{GoOn, Proof, RunScene, Start, fates, query_of, reason, state};
use crate::pages::Page;
use crate::pages::story::chapter::Chapter;
use crate::pages::story::facts;
use crate::pages::story::predict::Predict;
use crate::pages::story::step::Step;
use engine::retrier_server::{Config, Plan};
use leptos::prelude::*;

/// The start.
const Q0: u64 = 12;

fn plan() -> Plan {
    Plan::new(Config::default(), Q0, 60)
}

/// The chapter.
pub fn chapter() -> AnyView {
    let plan = plan();
    let Config { s, amax, .. } = plan.config;
    let flux = plan.config.flux(&plan.config.start(Q0, 0));
    let judgement = facts::judged(&plan);
    let why = reason(&plan, &judgement);
    let figure = || {
        let state = state(self::plan());
        view! { <RunScene state><Start state /></RunScene> }
    };
    view! {
        <Chapter step=Step::Shock figure=figure>
            <p>
                {format!(
                    "Now let {Q0} be waiting. Nothing else is different: the same server, the same clients, at most {amax} new requests a round against a capacity of {s}. Only the shock was larger.",
                )}
            </p>
            <p>
                {format!(
                    "More requests are unanswered than the clients put up with, so in the first round they send {flux} of them again. With {amax} new ones that makes {} in, and {s} out.",
                    amax + flux,
                )}
            </p>
            <Predict
                step=Step::Shock
                ask=format!("{Q0} requests are waiting. What holds, over all that may arrive from now on?")
                choices=fates()
                truth=Signal::stored(facts::fate(&judgement))
                why=why
            >
                <p>
                    "A verdict speaks of every way in which requests may arrive, not of one run. The run shown is the hardest: "
                    "the most there can be, in every round. Move the start, and watch verdict and run change."
                </p>
                <Proof plan=self::plan() judgement />
                <GoOn page=Page::Basin with=query_of(&self::plan())>"Open this start on the page of the storm"</GoOn>
            </Predict>
        </Chapter>
    }
    .into_any()
}
