//! How a piece of work gets on.

use crate::ui::{Broken, Button, Progress};
use crate::worker::ecs::{Job, Status};
use leptos::prelude::*;

/// Progress and a way to stop; or what came between, and a way to go on.
#[component]
pub fn JobLine(
    /// The work.
    job: Job,
    /// What it does, such as "Simulating A".
    #[prop(into)]
    what: String,
    /// Does it again.
    #[prop(into)]
    again: Callback<()>,
) -> impl IntoView {
    let status = job.status();
    // Not rebuilt with every step of progress, so that its button can be pressed.
    let kind = Memo::new(move |_| match status.get() {
        Status::Working(_) => Status::Working(0.0),
        other => other,
    });
    let share = Signal::derive(move || match status.get() {
        Status::Working(share) => share as f32,
        _ => 1.0,
    });
    move || match kind.get() {
        Status::Working(_) => {
            let what = what.clone();
            view! { <Progress label=what share=share on_cancel=move || job.cancel() /> }.into_any()
        }
        Status::Cancelled => view! {
            <p class="note">"Cancelled; what was simulated is kept."</p>
            <Button on_press=move || again.run(())>"Simulate again"</Button>
        }
        .into_any(),
        Status::Refused(why) => view! { <p class="field-error" role="alert">{why}</p> }.into_any(),
        Status::Failed(why) => view! { <Broken why again=move || again.run(()) /> }.into_any(),
        Status::Idle | Status::Done => ().into_any(),
    }
}
