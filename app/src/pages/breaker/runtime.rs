//! How the model's symbols appear in running code.

use crate::ui::Table;
use leptos::prelude::*;

/// Each symbol of the model and its form in `engine::breaker::CircuitBreaker`.
const FORMS: [(&str, &str); 9] = [
    (
        "state, failureCount",
        "fields behind a lock that is never held during a call",
    ),
    (
        "openTicks",
        "the time since the breaker opened, from a clock that is handed in",
    ),
    (
        "OpenTimerElapses",
        "noticed by the first call after open_for",
    ),
    ("probeInflight", "an AtomicBool"),
    (
        "HalfOpenProbeStart, guard ~probeInflight",
        "compare_exchange(false, true) on it",
    ),
    ("HalfOpenProbeRejected", "Err(Refused::ProbeInFlight)"),
    ("OpenShortCircuit", "Err(Refused::Open { remaining })"),
    ("callerActive", "the Permits that are held"),
    (
        "releasing the reservation",
        "the end of the Permit, or its drop: in a panic too",
    ),
];

/// The table from model to code.
#[component]
pub fn Runtime() -> impl IntoView {
    let rows = FORMS.map(|(symbol, form)| (vec![symbol.to_owned(), form.to_owned()], false));
    let heads = ["In the model", "At run time"].map(str::to_owned);
    view! {
        <section class="runtime flow" aria-labelledby="runtime-title">
            <h2 id="runtime-title">"From the model to running code"</h2>
            <p>
                "The hardened design is also a type to use, "
                <code>"engine::breaker::CircuitBreaker"</code>
                ". A test drives it along every step of the model and compares the states; another runs its threads in every interleaving."
            </p>
            <Table label="How each symbol of the model appears at run time" heads=heads.to_vec() rows=rows.to_vec() />
        </section>
    }
}
