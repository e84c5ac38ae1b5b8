//! A number, by slider or by hand.

use super::{Drafts, fresh_id};
use crate::text::number_in;
use engine::FieldError;
use leptos::prelude::*;
use std::fmt;

/// The largest seed: the largest whole number that a field holds exactly, with all those before it.
pub const MAX_SEED: u64 = (1 << 53) - 1;

/// A number with a slider and a field, which are one control: one label, one value, one error.
///
/// What the reader types stays as typed. A value that is refused is explained at the field, and whatever depends on
/// it keeps the last good one.
#[component]
pub fn Number(
    /// What the number is.
    #[prop(into)]
    label: String,
    /// Its letter in the model, such as `S`.
    #[prop(optional)]
    symbol: &'static str,
    /// Its unit, such as "rounds".
    #[prop(optional)]
    unit: &'static str,
    /// The value in force.
    #[prop(into)]
    value: Signal<f64>,
    /// The least that is accepted.
    min: f64,
    /// The most that is accepted.
    max: f64,
    /// Where the slider ends, if before `max`: the part worth sliding through. Larger numbers can be typed.
    #[prop(optional)]
    slider_max: Option<f64>,
    /// The slider's step. Whole numbers only are accepted if it is a whole number.
    #[prop(default = 1.0)]
    step: f64,
    /// One line on what it means.
    #[prop(optional, into)]
    note: MaybeProp<String>,
    /// Whether it has no effect now and cannot be set.
    #[prop(optional, into)]
    disabled: Signal<bool>,
    /// Called with a number that is in range. An error in answer is shown at the field.
    #[prop(into)]
    on_change: Callback<f64, Result<(), String>>,
) -> impl IntoView {
    let id = fresh_id("number");
    let (note_id, error_id) = (format!("{id}-note"), format!("{id}-error"));
    let label_id = format!("{id}-label");
    let slider_max = slider_max.unwrap_or(max);
    let name = if symbol.is_empty() {
        label.clone()
    } else {
        symbol.to_owned()
    };
    let error = RwSignal::new(None::<String>);
    // What was typed while it was refused. Otherwise the field shows the value in force.
    let draft = RwSignal::new(None::<String>);

    let field = name.clone();
    let offer = move |text: String| {
        let answer = read(&name, &text, min, max, step)
            .map_err(|error| error.to_string())
            .and_then(|number| on_change.run(number));
        draft.set(answer.is_err().then_some(text));
        error.set(answer.err());
    };
    let offer = StoredValue::new(offer);
    let forget = move || {
        draft.set(None);
        error.set(None);
    };
    // A value that changes by other means is good, and what was refused is past.
    Effect::new(move |before: Option<f64>| {
        let now = value.get();
        if before.is_some_and(|before| before != now) {
            forget();
        }
        now
    });
    let drafts = Drafts::get();
    Effect::new(move || {
        drafts.track();
        forget();
    });
    // Other words for the value in force, and a place that is refused, change nothing that the field follows.
    let show = |event: &web_sys::Event, text: String| {
        event_target::<web_sys::HtmlInputElement>(event).set_value(&text);
    };

    let described_by = Signal::derive({
        let note_id = note_id.clone();
        move || match (error.get(), note.get()) {
            (Some(_), _) => Some(error_id.clone()),
            (None, Some(_)) => Some(note_id.clone()),
            (None, None) => None,
        }
    });
    view! {
        <div class="number">
            <label for=id.clone() id=label_id.clone()>
                {(!symbol.is_empty()).then(|| view! { <span class="symbol">{symbol}</span> })}
                {label}
            </label>
            <span class="entry">
                <input
                    type="text"
                    inputmode="numeric"
                    autocomplete="off"
                    id=id
                    name=field.clone()
                    disabled=disabled
                    aria-invalid=move || error.with(Option::is_some).then_some("true")
                    aria-describedby=described_by
                    prop:value=move || draft.get().unwrap_or_else(|| value.get().to_string())
                    on:change=move |event| {
                        offer.with_value(|offer| offer(event_target_value(&event)));
                        if draft.with_untracked(Option::is_none) {
                            show(&event, value.get_untracked().to_string());
                        }
                    }
                />
                {unit}
            </span>
            <input
                type="range"
                name=field
                min=min
                max=slider_max
                step=step
                disabled=disabled
                aria-labelledby=label_id
                aria-describedby=described_by
                aria-valuetext=move || format!("{} {unit}", value.get())
                // After `min`, `max` and `step`, which would clamp it.
                prop:value=move || value.get().to_string()
                on:input=move |event| {
                    offer.with_value(|offer| offer(event_target_value(&event)));
                    show(&event, value.get_untracked().to_string());
                }
            />
            {move || {
                let id = described_by.get();
                error
                    .get()
                    .map(|words| view! { <p class="field-error" id=id role="alert">{words}</p> })
            }}
            {move || note.get().map(|words| view! { <p class="note" id=note_id.clone()>{words}</p> })}
        </div>
    }
}

/// Reads a number as people type it.
fn read(name: &str, text: &str, min: f64, max: f64, step: f64) -> Result<f64, FieldError> {
    let whole = step.fract() == 0.0;
    let range = Range { min, max, whole };
    let text = text.trim();
    let wrong = || FieldError::new(name, format!("“{text}”"), range.to_string());
    let plain = text.replace(['_', ' ', '\u{a0}', '\u{202f}'], "");
    if !commas_set_thousands_apart(&plain) {
        return Err(wrong());
    }
    let number = number_in(&plain.replace(',', "")).ok_or_else(wrong)?;
    if number < min || number > max || (whole && number.fract() != 0.0) {
        return Err(wrong());
    }
    Ok(number)
}

/// Whether each comma has three digits behind it: as a decimal mark it would be passed over.
fn commas_set_thousands_apart(text: &str) -> bool {
    let whole = text.split('.').next().unwrap_or_default();
    whole.split(',').skip(1).all(|group| group.len() == 3)
        && (whole.len() == text.len() || !text[whole.len()..].contains(','))
}

/// What is accepted, completing "must be …".
struct Range {
    min: f64,
    max: f64,
    whole: bool,
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.whole {
            "a whole number"
        } else {
            "a number"
        };
        write!(f, "{kind} from {} to {}", self.min, self.max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn numbers_are_read_as_people_type_them() {
        for (text, number) in [
            ("3", 3.0),
            (" 3 ", 3.0),
            ("2,000", 2_000.0),
            ("1_000", 1_000.0),
            ("0003", 3.0),
        ] {
            assert_eq!(read("S", text, 1.0, 5_000.0, 1.0), Ok(number), "{text}");
        }
        assert_eq!(read("share", "0.25", 0.0, 1.0, 0.05), Ok(0.25));
    }

    #[test]
    fn a_refusal_names_the_field_the_value_and_the_range() {
        for text in [
            "0", "-1", "2.5", "many", "", "NaN", "inf", "1e99", "1,8", "0,5", "1.0,5", "1,00",
        ] {
            let error = read("S", text, 1.0, 12.0, 1.0).expect_err(text);
            assert_eq!(
                error.to_string(),
                format!("S is “{text}”, but must be a whole number from 1 to 12")
            );
        }
    }
}
