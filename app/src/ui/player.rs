//! Playing a run: play, pause, step, scrub, speed.

use super::{Button, Icon, Sign, fresh_id, is_plain};
use crate::sight::Sight;
use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;

/// Where in a run the reader is, and whether it is playing. A run is a row of positions, the first 0.
///
/// While nothing that shows it is in sight, it stands still, and goes on when something is again.
#[derive(Clone, Copy)]
pub struct Playhead {
    /// The position.
    pub position: RwSignal<usize>,
    /// Whether it moves by itself.
    pub playing: RwSignal<bool>,
    /// The last position.
    pub last: Signal<usize>,
    /// Positions a second.
    pub speed: RwSignal<f64>,
    /// What shows it. Its [`Player`] is; whatever else is must be watched.
    pub sight: Sight,
    /// Whether a frame is asked for.
    ticking: StoredValue<bool>,
}

/// Seconds that one frame plays at the most, however long it took: a page that was busy does not leap.
const MOST_SECONDS_A_FRAME: f64 = 0.25;

impl Playhead {
    /// A playhead at the start of a run that ends at `last`, moving `speed` positions a second.
    #[must_use]
    pub fn new(last: Signal<usize>, speed: f64) -> Self {
        let head = Self {
            position: RwSignal::new(0),
            playing: RwSignal::new(false),
            last,
            speed: RwSignal::new(speed),
            sight: Sight::new(),
            ticking: StoredValue::new(false),
        };
        Effect::new(move || {
            if head.playing.get() && head.sight.get() && !head.ticking.get_value() {
                head.next_frame(now(), 0.0);
            }
        });
        head
    }

    /// Starts playing; from the start if it stood at the end.
    pub fn play(self) {
        if self.position.get_untracked() >= self.last.get_untracked() {
            self.position.set(0);
        }
        if !self.playing.get_untracked() {
            self.playing.set(true);
        }
    }

    /// Stops where it is.
    pub fn pause(self) {
        self.playing.set(false);
    }

    /// Plays or pauses.
    pub fn toggle(self) {
        if self.playing.get_untracked() {
            self.pause();
        } else {
            self.play();
        }
    }

    /// Stops at `position`, or at the end if that is sooner.
    pub fn go_to(self, position: usize) {
        self.pause();
        self.position.set(position.min(self.last.get_untracked()));
    }

    /// Asks for a frame; `carry` is the part of a position that is due since `then`.
    fn next_frame(self, then: f64, carry: f64) {
        self.ticking.set_value(true);
        request_animation_frame(move || {
            // The page may have been left since.
            if self
                .ticking
                .try_update_value(|ticking| *ticking = false)
                .is_none()
                || !self.playing.get_untracked()
                || !self.sight.get_untracked()
            {
                return;
            }
            let now = now();
            let seconds = ((now - then) / 1_000.0).clamp(0.0, MOST_SECONDS_A_FRAME);
            let due = carry + seconds * self.speed.get_untracked();
            let (position, last) = (self.position.get_untracked(), self.last.get_untracked());
            let next = position.saturating_add(due as usize).min(last);
            if next != position {
                self.position.set(next);
            }
            if next >= last {
                self.playing.set(false);
            } else {
                self.next_frame(now, due.fract());
            }
        });
    }
}

fn now() -> f64 {
    window().performance().map_or(0.0, |clock| clock.now())
}

/// The controls of a [`Playhead`]. Within them, the space bar plays and pauses, left and right step, with shift by the
/// larger step, Home and End go to the ends.
#[component]
pub fn Player(
    /// What is played.
    head: Playhead,
    /// Where the reader is, in words, such as "Round 12 of 60".
    #[prop(into)]
    place: Signal<String>,
    /// What one position is called, such as "turn".
    small_step: &'static str,
    /// What the larger step is called, such as "round".
    large_step: &'static str,
    /// The position one larger step on from the given one, or back if the flag is false.
    #[prop(into)]
    large: Callback<(usize, bool), usize>,
    /// Positions a second and their words.
    speeds: Vec<(f64, &'static str)>,
) -> impl IntoView {
    let speed_id = fresh_id("speed");
    let Playhead {
        position,
        playing,
        last,
        speed,
        sight,
        ..
    } = head;
    let itself = NodeRef::<html::Div>::new();
    sight.watch(itself);
    let small = move |on: bool| {
        let now = position.get_untracked();
        head.go_to(if on { now + 1 } else { now.saturating_sub(1) });
    };
    let large = move |on: bool| head.go_to(large.run((position.get_untracked(), on)));
    let at_start = Signal::derive(move || position.get() == 0);
    let at_end = Signal::derive(move || position.get() >= last.get());

    let keydown = move |event: KeyboardEvent| {
        if !is_plain(&event) {
            return;
        }
        let on_button = event_target::<web_sys::Element>(&event).tag_name() == "BUTTON";
        let in_speeds = event_target::<web_sys::Element>(&event).tag_name() == "SELECT";
        match (event.key().as_str(), event.shift_key()) {
            _ if in_speeds => return,
            // A button in focus is pressed by the space bar itself.
            (" ", _) if on_button => return,
            (" ", _) => head.toggle(),
            ("ArrowRight", false) => small(true),
            ("ArrowLeft", false) => small(false),
            ("ArrowRight", true) => large(true),
            ("ArrowLeft", true) => large(false),
            ("Home", _) => head.go_to(0),
            ("End", _) => head.go_to(usize::MAX),
            _ => return,
        }
        event.prevent_default();
    };
    let forward = format!("One {small_step} forward");
    let back = format!("One {small_step} back");
    let large_forward = format!("One {large_step} forward");
    let large_back = format!("One {large_step} back");
    let chosen_speed = {
        let speeds = speeds.clone();
        move |text: String| speeds.iter().map(|s| s.0).find(|s| s.to_string() == text)
    };
    view! {
        <div class="player" role="group" aria-label="Player" node_ref=itself on:keydown=keydown>
            <div class="transport">
                <Button class="primary" on_press=move || head.toggle()>
                    <Sign icon=Signal::derive(move || if playing.get() { Icon::Pause } else { Icon::Play }) />
                    {move || if playing.get() { "Pause" } else { "Play" }}
                </Button>
                <Button label="Back to the start" on_press=move || head.go_to(0) disabled=at_start>
                    <Sign icon=Icon::Start />
                </Button>
                <Button label=large_back on_press=move || large(false) disabled=at_start>
                    <Sign icon=Icon::LargeBack />
                </Button>
                <Button label=back on_press=move || small(false) disabled=at_start>
                    <Sign icon=Icon::Back />
                </Button>
                <Button label=forward on_press=move || small(true) disabled=at_end>
                    <Sign icon=Icon::Forward />
                </Button>
                <Button label=large_forward on_press=move || large(true) disabled=at_end>
                    <Sign icon=Icon::LargeForward />
                </Button>
            </div>
            <input
                class="scrub"
                type="range"
                min="0"
                max=last
                step="1"
                aria-label="Position in the run"
                aria-valuetext=place
                prop:value=move || position.get().to_string()
                on:input=move |event| {
                    if let Ok(position) = event_target_value(&event).parse() {
                        head.go_to(position);
                    }
                }
            />
            <div class="speed">
                <label for=speed_id.clone()>"Speed"</label>
                <select
                    id=speed_id
                    prop:value=move || speed.get().to_string()
                    on:change=move |event| {
                        if let Some(chosen) = chosen_speed(event_target_value(&event)) {
                            speed.set(chosen);
                        }
                    }
                >
                    {speeds
                        .into_iter()
                        .map(|(value, word)| {
                            view! { <option value=value.to_string()>{word}</option> }
                        })
                        .collect_view()}
                </select>
            </div>
        </div>
    }
}
