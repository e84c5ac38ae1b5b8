//! What the reader foresees: the questions, what was answered, and how many were right.

use super::step::Step;
use crate::ui::{Button, focus, fresh_id};
use leptos::prelude::*;
use std::cell::Cell;

/// How a question stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Answer {
    /// Not answered.
    #[default]
    Open,
    /// The reader asked to be shown.
    Shown,
    /// The reader foresaw this choice.
    Predicted {
        /// Which of the choices.
        choice: usize,
        /// Whether it came so; `None` until the engine has found out.
        right: Option<bool>,
    },
}

/// What was answered to each chapter's question.
type Answers = [Answer; Step::ALL.len()];

thread_local! {
    /// What was answered, while the reader is on another page.
    static KEPT: Cell<Answers> = const { Cell::new([Answer::Open; Step::ALL.len()]) };
}

/// All answers. Kept in context by the page, and beyond it for as long as the program lives.
#[derive(Clone, Copy)]
pub struct Predictions(RwSignal<Answers>);

impl Predictions {
    /// Puts what was answered so far in context.
    pub fn provide() -> Self {
        let predictions = Self(RwSignal::new(KEPT.get()));
        provide_context(predictions);
        predictions
    }

    /// The predictions in context.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }

    /// How a chapter's question stands, followed.
    #[must_use]
    pub fn answer(self, step: Step) -> Memo<Answer> {
        Memo::new(move |_| self.0.with(|answers| answers[step as usize]))
    }

    /// Whether what a chapter shows may be seen, followed: its question is answered, or it asks none.
    #[must_use]
    pub fn is_open(self, step: Step) -> Signal<bool> {
        let answer = self.answer(step);
        Signal::derive(move || !step.asks() || answer.get() != Answer::Open)
    }

    fn set(self, step: Step, answer: Answer) {
        self.0.update(|answers| answers[step as usize] = answer);
        KEPT.set(self.0.get_untracked());
    }

    /// Forgets every answer.
    pub fn forget(self) {
        self.0.set(Answers::default());
        KEPT.set(Answers::default());
    }

    /// How the reader did, followed.
    #[must_use]
    pub fn tally(self) -> Tally {
        let asking = Step::ALL.into_iter().filter(|step| step.asks());
        self.0.with(|answers| {
            Tally::of(
                &asking
                    .map(|step| answers[step as usize])
                    .collect::<Vec<_>>(),
            )
        })
    }
}

/// How the reader did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Questions that came as foreseen.
    pub right: usize,
    /// Questions foreseen, rightly or not.
    pub predicted: usize,
    /// Questions that the reader had shown.
    pub shown: usize,
    /// Questions that still stand.
    pub open: usize,
}

impl Tally {
    fn of(answers: &[Answer]) -> Self {
        answers
            .iter()
            .fold(Self::default(), |tally, answer| match answer {
                Answer::Open => Self {
                    open: tally.open + 1,
                    ..tally
                },
                Answer::Shown => Self {
                    shown: tally.shown + 1,
                    ..tally
                },
                Answer::Predicted { right, .. } => Self {
                    predicted: tally.predicted + 1,
                    right: tally.right + usize::from(*right == Some(true)),
                    ..tally
                },
            })
    }

    /// It in a sentence or two.
    #[must_use]
    pub fn said(self) -> String {
        let mut words = match (self.predicted, self.right) {
            (0, _) => "You have not predicted anything yet.".to_owned(),
            (predicted, right) => format!("You foresaw {right} of {predicted}."),
        };
        let be = |n: usize, one, many| format!("{n} {}", if n == 1 { one } else { many });
        let shown = be(self.shown, "was", "were") + " shown to you";
        let open = be(self.open, "is", "are") + " still to come";
        words += &match (self.shown, self.open) {
            (0, 0) => String::new(),
            (_, 0) => format!(" {shown}."),
            (0, _) => format!(" {open}."),
            (_, _) => format!(" {shown}, and {open}."),
        };
        words
    }
}

/// A question: its choices, and once it is answered what the engine says and why.
#[component]
pub fn Predict(
    /// The chapter that asks.
    step: Step,
    /// What is asked.
    ask: String,
    /// What can be foreseen.
    choices: Vec<String>,
    /// Which of the choices is so, once the engine has found out.
    #[prop(into)]
    truth: Signal<Option<usize>>,
    /// Why, in a sentence or two.
    #[prop(into)]
    why: Signal<String>,
    /// What the story goes on with.
    children: ChildrenFn,
) -> impl IntoView {
    let predictions = Predictions::get();
    let answer = predictions.answer(step);
    let is_open = predictions.is_open(step);
    let draft = RwSignal::new(None::<usize>);
    let missing = RwSignal::new(false);
    let name = fresh_id("foresee");
    let (missing_id, outcome_id) = (format!("{name}-missing"), format!("{name}-outcome"));

    // A prediction is right or wrong as soon as the engine knows.
    Effect::new(move || {
        if let (
            Answer::Predicted {
                choice,
                right: None,
            },
            Some(truth),
        ) = (answer.get(), truth.get())
        {
            let right = Some(choice == truth);
            predictions.set(step, Answer::Predicted { choice, right });
        }
    });
    // Forgotten answers leave nothing chosen.
    Effect::new(move || {
        if answer.get() == Answer::Open {
            draft.set(None);
        }
    });

    let settle = {
        let outcome_id = outcome_id.clone();
        move |to: Answer| {
            missing.set(false);
            predictions.set(step, to);
            // What was pressed is gone; the outcome takes its place.
            let outcome_id = outcome_id.clone();
            request_animation_frame(move || focus(&format!("#{outcome_id}")));
        }
    };
    let show = {
        let settle = settle.clone();
        move || settle(Answer::Shown)
    };
    let submit = move || match draft.get_untracked() {
        Some(choice) => settle(Answer::Predicted {
            choice,
            right: None,
        }),
        None => missing.set(true),
    };

    let words = StoredValue::new(choices.clone());
    let word = move |choice: usize| words.with_value(|words| words[choice].clone());
    let outcome = move || {
        let (kind, head) = match (answer.get(), truth.get()) {
            (Answer::Open, _) => return None,
            (_, None) => ("pending", "The engine is still at it.".to_owned()),
            (Answer::Shown, Some(_)) => ("shown", "What happens".to_owned()),
            (Answer::Predicted { choice, .. }, Some(truth)) if choice == truth => {
                ("right", "You foresaw it.".to_owned())
            }
            (Answer::Predicted { .. }, Some(_)) => ("wrong", "It comes otherwise.".to_owned()),
        };
        let said = truth.get().map(|truth| format!("{}. ", word(truth)));
        let reason = truth.get().map(|_| why.get());
        Some(view! {
            <div class="outcome" data-outcome=kind>
                <p class="says">{head}</p>
                <p><strong>{said}</strong> {reason}</p>
            </div>
        })
    };

    view! {
        <div class="predict" data-question=format!("{step:?}")>
            <form
                on:submit=move |event| {
                    event.prevent_default();
                    submit();
                }
            >
                <fieldset disabled=is_open aria-describedby=missing_id.clone()>
                    <legend>{ask}</legend>
                    {choices
                        .into_iter()
                        .enumerate()
                        .map(|(i, words)| {
                            let mark = move || {
                                let is_so = is_open.get() && truth.get() == Some(i);
                                let chosen = matches!(answer.get(), Answer::Predicted { choice, .. } if choice == i);
                                match (is_so, chosen) {
                                    (true, true) => Some("your prediction, and so it is"),
                                    (true, false) => Some("so it is"),
                                    (false, true) => Some("your prediction"),
                                    (false, false) => None,
                                }
                            };
                            let checked = move || match answer.get() {
                                Answer::Predicted { choice, .. } => choice == i,
                                _ => draft.get() == Some(i),
                            };
                            view! {
                                <label
                                    class="choice"
                                    class:so=move || is_open.get() && truth.get() == Some(i)
                                    class:chosen=checked
                                >
                                    <input
                                        type="radio"
                                        name=name.clone()
                                        prop:checked=checked
                                        on:change=move |_| {
                                            draft.set(Some(i));
                                            missing.set(false);
                                        }
                                    />
                                    <span class="words">{words}</span>
                                    {move || mark().map(|mark| view! { <span class="mark">{mark}</span> })}
                                </label>
                            }
                        })
                        .collect_view()}
                </fieldset>
                <p class="field-error" id=missing_id role="alert" hidden=move || !missing.get()>
                    "Choose what you expect first, or have it shown."
                </p>
                <div class="buttons" hidden=is_open>
                    <button type="submit" class="button primary">"See what happens"</button>
                    <Button class="link" on_press=show>"Show me"</Button>
                </div>
            </form>
            <div id=outcome_id tabindex="-1" role="group" aria-label="What happens" hidden=move || !is_open.get()>
                {outcome}
            </div>
        </div>
        {move || is_open.get().then(|| children())}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_tally_counts_what_was_foreseen_shown_and_left() {
        let predicted = |right| Answer::Predicted { choice: 0, right };
        let answers = [
            predicted(Some(true)),
            predicted(Some(false)),
            predicted(None),
            Answer::Shown,
            Answer::Open,
        ];
        let tally = Tally::of(&answers);
        assert_eq!(
            tally.said(),
            "You foresaw 1 of 3. 1 was shown to you, and 1 is still to come."
        );
        assert_eq!(
            Tally::of(&[Answer::Open]).said(),
            "You have not predicted anything yet. 1 is still to come."
        );
    }

    #[test]
    fn a_question_stands_at_its_own_place() {
        for (i, step) in Step::ALL.into_iter().enumerate() {
            assert_eq!(step as usize, i);
        }
    }
}
