//! The script as a timeline: what happens when, to be dragged, typed, added and removed.

use super::state::State;
use super::words;
use crate::plots::Ticks;
use crate::text::number_in;
use crate::ui::{Button, Drafts, Icon, Rows, Sign, focus, fresh_id, is_plain};
use engine::FieldError;
use engine::ecs::admission::AdmissionSettings;
use engine::ecs::policy::{FixedSettings, NaiveSettings, PolicySettings};
use engine::ecs::{Class, Entry, Setting};
use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// How long a new entry lasts, in seconds.
const LENGTH_S: f64 = 15.0;

/// Seconds to which a drag is rounded.
const GRAIN_S: f64 = 0.5;

/// A setting and what it is called in the list.
type Choice = (&'static str, fn() -> Setting);

/// What an entry can change for good.
const SETTINGS: [Choice; 18] = [
    ("Policy: static", || Setting::Policy(PolicySettings::Static)),
    ("Policy: naive", || {
        Setting::Policy(PolicySettings::Naive(NaiveSettings::default()))
    }),
    ("Policy: fixed", || {
        Setting::Policy(PolicySettings::Fixed(FixedSettings::default()))
    }),
    ("Admission: off", || {
        Setting::Admission(AdmissionSettings::Off)
    }),
    ("Admission: latency", || {
        Setting::Admission(AdmissionSettings::latency())
    }),
    ("Admission: sluggish", || {
        Setting::Admission(AdmissionSettings::sluggish())
    }),
    ("Admission: distress", || {
        Setting::Admission(AdmissionSettings::distress())
    }),
    ("Demotion threshold, ms", || Setting::DemotionMs(30.0)),
    ("Short tickets", || Setting::ShortTickets(8)),
    ("Long tickets", || Setting::LongTickets(4)),
    ("Room in the short queue", || Setting::ShortBound(200)),
    ("Room in the long queue", || Setting::LongBound(200)),
    ("Ticket window, ms", || Setting::TicketWindowMs(10.0)),
    ("Timeout of short, s", || Setting::TimeoutS {
        class: Class::Short,
        value: 0.5,
    }),
    ("Timeout of long, s", || Setting::TimeoutS {
        class: Class::Long,
        value: 60.0,
    }),
    ("Attempts of short", || Setting::Attempts {
        class: Class::Short,
        value: 1,
    }),
    ("Attempts of long", || Setting::Attempts {
        class: Class::Long,
        value: 1,
    }),
    ("Admission: distress, sluggish", || {
        Setting::Admission(AdmissionSettings::distress_sluggish())
    }),
];

/// A kind of entry: what it is called, and how one is made from its start and end.
type Kind = (&'static str, fn(f64, f64) -> Entry);

/// What can be added.
const KINDS: [Kind; 6] = [
    ("Long pulse", |from_s, until_s| Entry::Pulse {
        class: Class::Long,
        factor: 16.0,
        from_s,
        until_s,
    }),
    ("Short pulse", |from_s, until_s| Entry::Pulse {
        class: Class::Short,
        factor: 1.6,
        from_s,
        until_s,
    }),
    ("Slowdown", |from_s, until_s| Entry::Slowdown {
        speed: 0.5,
        from_s,
        until_s,
    }),
    ("Cores lost", |from_s, until_s| Entry::CoresLost {
        cores: 1,
        from_s,
        until_s,
    }),
    ("Outage", |from_s, until_s| Entry::Outage {
        from_s,
        until_s,
    }),
    ("Change of a setting", |at_s, _| Entry::Set {
        at_s,
        setting: Setting::LongTickets(4),
    }),
];

/// The number of a setting that has one.
fn number(setting: &Setting) -> Option<f64> {
    match setting {
        Setting::Policy(_) | Setting::Admission(_) => None,
        Setting::DemotionMs(value) | Setting::TicketWindowMs(value) => Some(*value),
        Setting::ShortTickets(n)
        | Setting::LongTickets(n)
        | Setting::ShortBound(n)
        | Setting::LongBound(n) => Some(f64::from(*n)),
        Setting::TimeoutS { value, .. } => Some(*value),
        Setting::Attempts { value, .. } => Some(f64::from(*value)),
    }
}

fn set_number(setting: &mut Setting, to: f64) {
    match setting {
        Setting::Policy(_) | Setting::Admission(_) => {}
        Setting::DemotionMs(value) | Setting::TicketWindowMs(value) => *value = to,
        Setting::ShortTickets(n)
        | Setting::LongTickets(n)
        | Setting::ShortBound(n)
        | Setting::LongBound(n) => *n = to as u32,
        Setting::TimeoutS { value, .. } => *value = to,
        Setting::Attempts { value, .. } => *value = to as u32,
    }
}

/// Which of [`SETTINGS`] a setting is, whatever its number.
fn choice(setting: &Setting) -> usize {
    let same = |(_, make): &Choice| {
        let mut other = make();
        if let Some(value) = number(setting) {
            set_number(&mut other, value);
        }
        other == *setting
    };
    SETTINGS.iter().position(same).unwrap_or(0)
}

/// Moves the start and the end of an entry.
fn place(entry: &mut Entry, from: f64, until: f64) {
    match entry {
        Entry::Pulse {
            from_s, until_s, ..
        }
        | Entry::Slowdown {
            from_s, until_s, ..
        }
        | Entry::CoresLost {
            from_s, until_s, ..
        }
        | Entry::Outage { from_s, until_s } => (*from_s, *until_s) = (from, until),
        Entry::Set { at_s, .. } => *at_s = from,
    }
}

/// The number of an entry that is no time: its field, its label and its value.
fn strength(entry: &Entry) -> Option<(&'static str, &'static str, f64)> {
    match entry {
        Entry::Pulse { factor, .. } => Some(("factor", "Times", *factor)),
        Entry::Slowdown { speed, .. } => Some(("speed", "Speed", *speed)),
        Entry::CoresLost { cores, .. } => Some(("cores", "Cores", f64::from(*cores))),
        Entry::Outage { .. } => None,
        Entry::Set { setting, .. } => number(setting).map(|value| ("setting", "To", value)),
    }
}

fn set_strength(entry: &mut Entry, to: f64) {
    match entry {
        Entry::Pulse { factor, .. } => *factor = to,
        Entry::Slowdown { speed, .. } => *speed = to,
        Entry::CoresLost { cores, .. } => *cores = to as u32,
        Entry::Outage { .. } => {}
        Entry::Set { setting, .. } => set_number(setting, to),
    }
}

/// Whether the number of an entry is a count.
fn is_count(entry: &Entry) -> bool {
    match entry {
        Entry::CoresLost { .. } => true,
        Entry::Set { setting, .. } => matches!(
            setting,
            Setting::ShortTickets(_)
                | Setting::LongTickets(_)
                | Setting::ShortBound(_)
                | Setting::LongBound(_)
                | Setting::Attempts { .. }
        ),
        _ => false,
    }
}

/// The script being edited. It becomes the scenario's as soon as it makes sense; until then the last good one is in
/// force.
#[derive(Clone, Copy)]
struct Draft {
    state: State,
    entries: RwSignal<Vec<Entry>>,
    /// What makes no sense, and at which entry it is told.
    error: RwSignal<Option<(usize, FieldError)>>,
    /// Tells that entries have other numbers now.
    renumbered: RwSignal<()>,
}

impl Draft {
    fn new(state: State) -> Self {
        let script = state.part(|scenario| scenario.config.script.clone());
        let draft = Self {
            state,
            entries: RwSignal::new(script.get_untracked()),
            error: RwSignal::new(None),
            renumbered: RwSignal::new(()),
        };
        // Whatever is in force makes sense, and replaces what did not.
        let drafts = Drafts::get();
        Effect::new(move || {
            drafts.track();
            draft.entries.set(script.get());
            draft.error.set(None);
        });
        draft
    }

    /// Offers what is edited; `index` is where the reader is.
    fn offer(self, index: usize) {
        let entries = self.entries.get_untracked();
        let answer = self
            .state
            .change(|scenario| scenario.config.script = entries);
        self.error.set(answer.err().map(|error| {
            let told_at = error
                .field
                .strip_prefix("script[")
                .and_then(|rest| rest.split_once(']')?.0.parse().ok())
                .unwrap_or(index);
            (told_at, error)
        }));
    }

    fn edit(self, index: usize, change: impl FnOnce(&mut Entry)) {
        self.entries.update(|entries| {
            if let Some(entry) = entries.get_mut(index) {
                change(entry);
            }
        });
        self.offer(index);
    }

    fn remove(self, index: usize) {
        self.entries.update(|entries| {
            entries.remove(index);
        });
        self.renumbered.notify();
        self.offer(index);
        focus(".script .add .button");
    }

    /// Adds an entry behind those there are, or where there is room.
    fn add(self, make: fn(f64, f64) -> Entry) {
        let end = self.state.scenario.with_untracked(|s| s.config.duration_s);
        let index = self.entries.with_untracked(Vec::len);
        self.entries.update(|entries| {
            let last = entries
                .iter()
                .map(|entry| entry.interval().1)
                .fold(15.0, f64::max);
            let from = (last + 15.0).min((end - LENGTH_S).max(0.0));
            entries.push(make(from, (from + LENGTH_S).min(end)));
        });
        self.offer(index);
    }

    fn entry(self, index: usize) -> Option<Entry> {
        self.entries.with(|entries| entries.get(index).cloned())
    }

    /// What is wrong at an entry.
    fn error_at(self, index: usize) -> Option<FieldError> {
        self.error
            .get()
            .and_then(|(at, error)| (at == index).then_some(error))
    }
}

/// The script: a row an entry, over the run's seconds.
#[component]
pub fn ScriptEditor(state: State) -> impl IntoView {
    let draft = Draft::new(state);
    let rows = Memo::new(move |_| draft.entries.with(Vec::len));
    let end = state.part(|s| s.config.duration_s);
    let ticks = move || {
        let end = end.get();
        Ticks::new(&(0.0..end), 5, 1.0)
            .0
            .into_iter()
            .map(|tick| {
                view! { <span style:left=format!("{}%", 100.0 * tick / end)>{format!("{tick} s")}</span> }
            })
            .collect_view()
    };
    let summary = move || {
        draft.entries.with(|entries| {
            if entries.is_empty() {
                "Nothing happens to the system: its load stays as it is.".to_owned()
            } else {
                let say = |entry: &Entry| match entry.interval() {
                    (from, until) if from == until => {
                        format!("{} at {from} s", words::entry(entry))
                    }
                    (from, until) => format!("{} from {from} to {until} s", words::entry(entry)),
                };
                entries.iter().map(say).collect::<Vec<_>>().join("; ")
            }
        })
    };
    view! {
        <section class="script" aria-label="Script">
            <h2>"What happens to the system"</h2>
            <p class="note" data-script="summary">{summary}</p>
            <div class="tracks">
                <Rows
                    count=rows
                    row=move |index| view! { <Track draft index /> }.into_any()
                    renumbered=draft.renumbered
                />
                <div class="ticks" aria-hidden="true">{ticks}</div>
            </div>
            <Rows
                count=rows
                row=move |index| view! { <Row draft index /> }.into_any()
                renumbered=draft.renumbered
            />
            <div class="add" role="group" aria-label="Add to the script">
                {KINDS
                    .into_iter()
                    .map(|(name, make)| {
                        view! { <Button on_press=move || draft.add(make)>"+ " {name}</Button> }
                    })
                    .collect_view()}
            </div>
        </section>
    }
}

/// The part of an entry that is dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Start,
    End,
    Whole,
}

/// An interval after its part was moved by `by` seconds, within the run and never inside out.
fn moved((from, until): (f64, f64), part: Part, by: f64, end: f64) -> (f64, f64) {
    let round = |t: f64| (t / GRAIN_S).round() * GRAIN_S;
    match part {
        Part::Start => (
            round(from + by).clamp(0.0, (until - GRAIN_S).max(0.0)),
            until,
        ),
        Part::End => (
            from,
            round(until + by).clamp(from + GRAIN_S, end.max(from + GRAIN_S)),
        ),
        Part::Whole => {
            let by = (round(from + by) - from).clamp(-from, (end - until).max(0.0));
            (from + by, until + by)
        }
    }
}

/// One entry's bar, with its handles.
#[component]
fn Track(draft: Draft, index: usize) -> impl IntoView {
    let end = draft.state.part(|s| s.config.duration_s);
    let interval = Memo::new(move |_| draft.entry(index).map_or((0.0, 0.0), |e| e.interval()));
    let name = Memo::new(move |_| {
        draft
            .entry(index)
            .map(|e| words::entry(&e))
            .unwrap_or_default()
    });
    let instant = Memo::new(move |_| matches!(draft.entry(index), Some(Entry::Set { .. })));
    let track = NodeRef::<leptos::html::Div>::new();
    // What is dragged, from which pixel, and the interval then.
    let drag = StoredValue::new(None::<(Part, f64, (f64, f64))>);

    let begin = move |part: Part, event: PointerEvent| {
        if event.button() != 0 {
            return;
        }
        event.prevent_default();
        event.stop_propagation();
        if let Some(target) = event
            .current_target()
            .and_then(|target| target.dyn_into::<web_sys::HtmlElement>().ok())
        {
            let _ = target.set_pointer_capture(event.pointer_id());
            let _ = target.focus();
        }
        drag.set_value(Some((
            part,
            f64::from(event.client_x()),
            interval.get_untracked(),
        )));
    };
    let go = move |event: PointerEvent| {
        let (Some((part, x, was)), Some(track)) = (drag.get_value(), track.get_untracked()) else {
            return;
        };
        let end = end.get_untracked();
        let by = (f64::from(event.client_x()) - x) / f64::from(track.client_width()).max(1.0) * end;
        let part = if instant.get_untracked() {
            Part::Whole
        } else {
            part
        };
        let (from, until) = moved(was, part, by, end);
        draft.entries.update(|entries| {
            if let Some(entry) = entries.get_mut(index) {
                place(entry, from, until);
            }
        });
    };
    let finish = move |_: PointerEvent| {
        if drag.get_value().is_some() {
            drag.set_value(None);
            draft.offer(index);
        }
    };
    let key = move |part: Part, event: KeyboardEvent| {
        // What is dragged is not moved by other means.
        if !is_plain(&event) || drag.with_value(Option::is_some) {
            return;
        }
        let by = match event.key().as_str() {
            "ArrowRight" | "ArrowUp" => 1.0,
            "ArrowLeft" | "ArrowDown" => -1.0,
            "PageUp" => 10.0,
            "PageDown" => -10.0,
            "Delete" => {
                event.prevent_default();
                draft.remove(index);
                return;
            }
            _ => return,
        };
        event.prevent_default();
        let by = if event.shift_key() { by * 5.0 } else { by };
        let part = if instant.get_untracked() {
            Part::Whole
        } else {
            part
        };
        let (from, until) = moved(interval.get_untracked(), part, by, end.get_untracked());
        draft.edit(index, |entry| place(entry, from, until));
    };
    let crowded = move || interval.get().1 > 0.55 * end.get();
    let percent = move |t: f64| format!("{}%", 100.0 * t / end.get().max(1.0));
    let handle = move |part: Part, word: &'static str, class: &'static str| {
        let at = move || match part {
            Part::End => interval.get().1,
            Part::Start | Part::Whole => interval.get().0,
        };
        view! {
            <span
                class=format!("handle {class}")
                role="slider"
                tabindex="0"
                aria-label=move || format!("{word} of {}", name.get())
                aria-valuemin="0"
                aria-valuemax=end
                aria-valuenow=at
                aria-valuetext=move || format!("{} seconds", at())
                on:pointerdown=move |event| begin(part, event)
                on:pointermove=go
                on:pointerup=finish
                on:pointercancel=finish
                on:keydown=move |event| key(part, event)
            ></span>
        }
    };
    view! {
        <div class="track" node_ref=track>
            <div
                class="bar"
                class:instant=instant
                class:wrong=move || draft.error_at(index).is_some()
                style:left=move || percent(interval.get().0)
                style:width=move || percent(interval.get().1 - interval.get().0)
                on:pointerdown=move |event| begin(Part::Whole, event)
                on:pointermove=go
                on:pointerup=finish
                on:pointercancel=finish
            >
                {handle(Part::Start, "Start", "start")}
                {move || (!instant.get()).then(|| handle(Part::End, "End", "end"))}
            </div>
            <span
                class="bar-name"
                class:left=crowded
                style:left=move || percent(interval.get().1)
                style:right=move || percent(end.get() - interval.get().0)
            >
                {name}
            </span>
        </div>
    }
}

/// One entry by its numbers.
#[component]
fn Row(draft: Draft, index: usize) -> impl IntoView {
    let entry = Memo::new(move |_| draft.entry(index));
    let id = fresh_id("entry");
    let error_id = format!("{id}-error");
    // What was typed and is no number at all.
    let unread = RwSignal::new(None::<(&'static str, String)>);
    let error = Memo::new(move |_| {
        let read = draft.error_at(index);
        match (unread.get(), read) {
            (Some((_, words)), _) => Some(words),
            (None, Some(error)) => Some(error.to_string()),
            (None, None) => None,
        }
    });
    let wrong = move |field: &'static str| {
        unread.get().is_some_and(|(at, _)| at == field)
            || draft.error_at(index).is_some_and(|error| {
                let path = error.field.split_once(']').map_or("", |(_, path)| path);
                // An overlap is of the whole entry, so of its times.
                path.starts_with(&format!(".{field}"))
                    || (path.is_empty() && matches!(field, "from_s" | "until_s" | "at_s"))
            })
    };
    let read = move |field: &'static str, text: String, count: bool, then: &dyn Fn(f64)| {
        let number = number_in(text.trim());
        let kind = if count {
            "a whole number from 0"
        } else {
            "a number"
        };
        match number {
            Some(n) if !count || (n.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&n)) => {
                unread.set(None);
                then(n);
            }
            _ => {
                let error = FieldError::new(
                    format!("script[{index}].{field}"),
                    format!("“{text}”"),
                    kind,
                );
                unread.set(Some((field, error.to_string())));
            }
        }
    };
    let described = error_id.clone();
    let field = move |field: &'static str,
                      label: &'static str,
                      of: fn(&Entry) -> f64,
                      set: fn(&mut Entry, f64)| {
        let described = described.clone();
        view! {
            <label>
                <span>{label}</span>
                <input
                    type="text"
                    inputmode="decimal"
                    autocomplete="off"
                    data-field=field
                    aria-invalid=move || wrong(field).then_some("true")
                    aria-describedby=described
                    prop:value=move || entry.get().map(|e| of(&e).to_string())
                    on:change=move |event| {
                        let count = entry.get_untracked().is_some_and(|e| is_count(&e))
                            && !matches!(field, "from_s" | "until_s" | "at_s");
                        read(field, event_target_value(&event), count, &|n| draft.edit(index, |e| set(e, n)));
                    }
                />
            </label>
        }
    };
    let times = {
        let field = field.clone();
        move || {
            let field = field.clone();
            match entry.get() {
                Some(Entry::Set { .. }) => {
                    field("at_s", "At, s", |e| e.interval().0, |e, t| place(e, t, t)).into_any()
                }
                _ => view! {
                    {field.clone()("from_s", "From, s", |e| e.interval().0, |e, t| {
                        let until = e.interval().1;
                        place(e, t, until);
                    })}
                    {field("until_s", "Until, s", |e| e.interval().1, |e, t| {
                        let from = e.interval().0;
                        place(e, from, t);
                    })}
                }
                .into_any(),
            }
        }
    };
    // Only what kind of number there is: its value must not rebuild the field that it is typed in.
    let strength_kind = Memo::new(move |_| {
        entry
            .get()
            .and_then(|e| strength(&e))
            .map(|(field, label, _)| (field, label))
    });
    let timed = Memo::new(move |_| matches!(entry.get(), Some(Entry::Set { .. })));
    let what = move || match entry.get() {
        Some(Entry::Pulse { class, .. }) => format!("{} pulse", words::class(class)),
        Some(Entry::Slowdown { .. }) => "slowdown".to_owned(),
        Some(Entry::CoresLost { .. }) => "cores lost".to_owned(),
        Some(Entry::Outage { .. }) => "outage".to_owned(),
        Some(Entry::Set { .. }) => "change".to_owned(),
        None => String::new(),
    };
    let setting = Memo::new(move |_| match entry.get() {
        Some(Entry::Set { setting, .. }) => Some(choice(&setting)),
        _ => None,
    });
    let number_row = index + 1;
    view! {
        <div class="entry-row" role="group" aria-label=format!("Entry {number_row} of the script")>
            <span class="what">{what}</span>
            {move || {
                setting
                    .get()
                    .map(|_| {
                        view! {
                            <label class="setting">
                                <span>"Setting"</span>
                                <select
                                    prop:value=move || setting.get().map(|i| i.to_string())
                                    on:change=move |event| {
                                        let chosen = event_target_value(&event).parse::<usize>().ok();
                                        if let Some((_, make)) = chosen.and_then(|i| SETTINGS.get(i)) {
                                            draft.edit(index, |entry| {
                                                if let Entry::Set { setting, .. } = entry {
                                                    *setting = make();
                                                }
                                            });
                                        }
                                    }
                                >
                                    {SETTINGS
                                        .iter()
                                        .enumerate()
                                        .map(|(i, (name, _))| {
                                            view! { <option value=i.to_string()>{*name}</option> }
                                        })
                                        .collect_view()}
                                </select>
                            </label>
                        }
                    })
            }}
            {
                let field = field.clone();
                move || {
                    let field = field.clone();
                    strength_kind
                        .get()
                        .map(|(name, label)| {
                            field(name, label, |e| strength(e).map_or(0.0, |s| s.2), set_strength)
                        })
                }
            }
            {move || {
                timed.track();
                untrack(times.clone())
            }}
            <Button label=format!("Remove entry {number_row}") on_press=move || draft.remove(index)>
                <Sign icon=Icon::Remove />
            </Button>
            <p class="field-error" id=error_id role="alert" hidden=move || error.get().is_none()>
                {error}
                <span class="note">" The last good run is still shown."</span>
            </p>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn a_drag_moves_one_end_or_both_and_stays_within_the_run() {
        let was = (30.0, 45.0);
        assert_eq!(moved(was, Part::Start, -10.2, 200.0), (20.0, 45.0));
        assert_eq!(moved(was, Part::Start, 100.0, 200.0), (44.5, 45.0));
        assert_eq!(moved(was, Part::End, 500.0, 200.0), (30.0, 200.0));
        assert_eq!(moved(was, Part::End, -100.0, 200.0), (30.0, 30.5));
        assert_eq!(moved(was, Part::Whole, -100.0, 200.0), (0.0, 15.0));
        assert_eq!(moved(was, Part::Whole, 500.0, 200.0), (185.0, 200.0));
    }

    #[wasm_bindgen_test]
    fn every_setting_of_the_list_is_found_again_with_its_number() {
        for (index, (name, make)) in SETTINGS.iter().enumerate() {
            let mut setting = make();
            assert_eq!(choice(&setting), index, "{name}");
            if number(&setting).is_some() {
                set_number(&mut setting, 7.0);
                assert_eq!(number(&setting), Some(7.0), "{name}");
                assert_eq!(choice(&setting), index, "{name}");
            }
        }
    }
}
