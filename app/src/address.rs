//! The address and what the page shows, kept in step.
//!
//! A page says how what is set on it is written and read, as a [`Shareable`], and has it [followed](Address::follow).
//! From then on the address follows the page, and the page follows the address: a link that is opened, Back and Forward.
//!
//! A change of what is set begins an entry of the history of its own, and what changes while it has not settled goes
//! into that same entry: a slider that is dragged is one step back. Where the reader is in a run only ever changes the
//! present entry. Browsers take few calls a minute (Safari a hundred in 30 s), so the address is written some time after
//! the page has changed.

use crate::pages::Page;
use crate::route;
use crate::ui::Drafts;
use engine::FieldError;
use engine::query::{QueryReader, QueryWriter};
use leptos::ev;
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use std::time::Duration;
use wasm_bindgen::JsValue;

/// Milliseconds from one write of the address to the next.
const BETWEEN_WRITES: f64 = 400.0;

/// Milliseconds from a change to its write, if none was lately: what changes together is written together.
const AFTER_CHANGE: f64 = 30.0;

/// Milliseconds without a change after which what is set counts as settled, and the next change is a new entry.
const SETTLED: f64 = 500.0;

/// Milliseconds to wait when the browser has refused to take the address.
const AFTER_REFUSAL: f64 = 5_000.0;

/// Sets what was read, all of it at once.
pub type Load = Box<dyn FnOnce()>;

/// A page whose address holds what is set on it.
pub trait Shareable {
    /// Writes what is set, but for where the reader is in a run. Followed.
    fn write(&self, query: &mut QueryWriter);

    /// Writes where the reader is, if not where a link without it leads to. Followed.
    fn write_place(&self, query: &mut QueryWriter);

    /// Reads what was written by both. Nothing is set before the answer is called.
    ///
    /// # Errors
    /// Names the first part that cannot be read or is out of range.
    fn read(&self, query: &mut QueryReader) -> Result<Load, FieldError>;
}

/// The address of the page. Kept in context by the shell.
#[derive(Clone, Copy)]
pub struct Address {
    refused: RwSignal<Option<String>>,
    drafts: Drafts,
    has_page: RwSignal<bool>,
    follower: StoredValue<Option<Rc<Follower>>, LocalStorage>,
}

impl Address {
    /// Puts the address in context.
    pub fn provide() {
        let address = Self {
            refused: RwSignal::new(None),
            drafts: Drafts::get(),
            has_page: RwSignal::new(false),
            follower: StoredValue::new_local(None),
        };
        provide_context(address);
        let listening = window_event_listener(ev::hashchange, move |_| address.opened());
        on_cleanup(move || listening.remove());
    }

    /// The address in context.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }

    /// Shows what the address holds, and keeps both in step while the page is there.
    ///
    /// `subject` is in the state that the page opens with, which an address with nothing after its page stands for.
    pub fn follow(self, page: Page, subject: impl Shareable + 'static) {
        let follower = Rc::new(Follower::new(page, Box::new(subject)));
        self.follower.set_value(Some(follower.clone()));
        self.has_page.set(true);
        self.opened();
        let (scenario, place) = (follower.clone(), follower.clone());
        Effect::new(move || {
            let text = scenario.scenario();
            scenario.changed(|now| now.scenario = text);
        });
        Effect::new(move || {
            let text = where_in(&*place.subject);
            place.changed(|now| now.place = text);
        });
        let leaving = StoredValue::new_local(follower);
        on_cleanup(move || {
            let _ = leaving.try_with_value(|mine| {
                mine.stop();
                let taken = self.follower.try_update_value(|present| {
                    present.take_if(|present| Rc::ptr_eq(present, mine))
                });
                if taken.flatten().is_some() {
                    self.has_page.set(false);
                }
            });
        });
    }

    /// Whether a page is followed, followed.
    #[must_use]
    pub fn has_page(self) -> bool {
        self.has_page.get()
    }

    /// The page that is followed, if one is.
    #[must_use]
    pub fn page(self) -> Option<Page> {
        self.follower
            .with_value(|follower| follower.as_ref().map(|follower| follower.page))
    }

    /// What the page shows, as the part of an address after the page's name.
    #[must_use]
    pub fn query(self) -> Option<String> {
        self.follower
            .with_value(|follower| follower.as_ref().map(|follower| follower.now().query()))
    }

    /// The whole address of what the page shows, to be opened anywhere. Followed.
    #[must_use]
    pub fn link(self) -> String {
        let href = location().href().unwrap_or_default();
        let site = href.split(['?', '#']).next().unwrap_or_default();
        let fragment = self.follower.with_value(|follower| {
            let follower = follower.as_ref()?;
            Some(follower.fragment(&shown(&*follower.subject)))
        });
        format!("{site}{}", fragment.unwrap_or_default())
    }

    /// What was wrong with what was opened last, until the reader has seen it.
    #[must_use]
    pub fn refused(self) -> Signal<Option<String>> {
        self.refused.into()
    }

    /// Tells the reader what cannot be opened, and why.
    pub fn refuse(self, what: &str, why: &impl fmt::Display, then: &str) {
        self.refused
            .set(Some(format!("{what} cannot be opened: {why}. {then}")));
    }

    /// Takes back what was told.
    pub fn dismiss(self) {
        self.refused.set(None);
    }

    /// Goes to `query` of `page`, as a link would; `what` says where it comes from. What cannot be shown on the present
    /// page is refused, and the address stays.
    pub fn go(self, what: &str, page: Page, query: &str) {
        // A page that follows no address, or has gone meanwhile, leaves it to the one that is named.
        let here = self.follower.try_get_value().flatten();
        let Some(follower) = here.filter(|follower| follower.page == page) else {
            let _ = location().set_hash(&fragment(page, query));
            return;
        };
        match follower.load(query) {
            Ok(()) => {
                self.loaded();
                follower.enter();
            }
            Err(why) => self.refuse(what, &why, KEPT),
        }
    }

    /// What was refused before is past.
    fn loaded(self) {
        self.refused.set(None);
        self.drafts.discard();
    }

    /// Shows what the address has come to hold.
    fn opened(self) {
        let Some(follower) = self.follower.try_get_value().flatten() else {
            return;
        };
        let hash = location().hash().unwrap_or_default();
        let (name, query) = route::split(&hash);
        if !follower.is_of(name) {
            return;
        }
        let is_first = follower.opens(&hash);
        if is_first && query.is_empty() {
            // The page is as it opens.
            return;
        }
        match follower.load(query) {
            Ok(()) => self.loaded(),
            Err(why) => {
                let then = if is_first {
                    "The page shows what it opens with."
                } else {
                    KEPT
                };
                self.refuse("This address", &why, then);
            }
        }
    }
}

/// What becomes of the page when something else cannot be shown.
pub(crate) const KEPT: &str = "The page still shows what it showed before.";

fn fragment(page: Page, query: &str) -> String {
    format!("{}?{query}", page.address())
}

/// What a page shows, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Shown {
    scenario: String,
    /// What goes on where the scenario ends; nothing if it is to be left out.
    place: String,
}

impl Shown {
    fn query(&self) -> String {
        format!("{}{}", self.scenario, self.place)
    }
}

/// A page and its address.
struct Follower {
    page: Page,
    subject: Box<dyn Shareable>,
    /// The scenario that the page opens with.
    first: String,
    known: RefCell<Known>,
}

struct Known {
    /// What the page shows.
    shown: Shown,
    /// What it showed when the address was last written or opened.
    written: Shown,
    /// The address as it was then; none before the first.
    fragment: Option<String>,
    /// Whether the next write is a new entry.
    begins: bool,
    /// When the scenario last changed.
    changed: f64,
    /// When the address was last written.
    wrote: f64,
    /// The write that is due.
    due: Option<TimeoutHandle>,
}

impl Follower {
    fn new(page: Page, subject: Box<dyn Shareable>) -> Self {
        let shown = now(&*subject);
        Self {
            page,
            subject,
            first: shown.scenario.clone(),
            known: RefCell::new(Known {
                shown: shown.clone(),
                written: shown,
                fragment: None,
                begins: false,
                changed: f64::NEG_INFINITY,
                wrote: f64::NEG_INFINITY,
                due: None,
            }),
        }
    }

    /// Whether a page's name in an address is this one's.
    fn is_of(&self, name: &str) -> bool {
        route::Route::named(name) == route::Route::Page(self.page)
    }

    fn scenario(&self) -> String {
        scenario(&*self.subject)
    }

    fn now(&self) -> Shown {
        now(&*self.subject)
    }

    /// The address of what is shown: the page's name alone where that leads to it.
    fn fragment(&self, shown: &Shown) -> String {
        if shown.place.is_empty() && shown.scenario == self.first {
            self.page.address()
        } else {
            fragment(self.page, &shown.query())
        }
    }

    /// Takes note of an address that was opened. Says whether it is the page's first.
    fn opens(&self, fragment: &str) -> bool {
        let mut known = self.known.borrow_mut();
        known.cancel();
        known.fragment.replace(fragment.to_owned()).is_none()
    }

    /// Sets what `query` holds, or nothing.
    fn load(&self, query: &str) -> Result<(), FieldError> {
        let text = if query.is_empty() { &self.first } else { query };
        let mut reader = QueryReader::new(text)?;
        let load = untrack(|| self.subject.read(&mut reader))?;
        reader.finish()?;
        untrack(load);
        let shown = self.now();
        let mut known = self.known.borrow_mut();
        known.shown = shown.clone();
        known.written = shown;
        known.changed = f64::NEG_INFINITY;
        Ok(())
    }

    /// Makes what is shown a new entry at once.
    fn enter(self: &Rc<Self>) {
        self.known.borrow_mut().begins = true;
        self.write();
    }

    /// Takes note of a change, and has it written some time.
    fn changed(self: &Rc<Self>, change: impl FnOnce(&mut Shown)) {
        let mut known = self.known.borrow_mut();
        let before = known.shown.scenario.clone();
        change(&mut known.shown);
        let now = now_ms();
        if known.shown.scenario != before {
            known.begins |= now - known.changed > SETTLED;
            known.changed = now;
        }
        if known.shown != known.written && known.due.is_none() {
            let wait = (known.wrote + BETWEEN_WRITES - now).max(AFTER_CHANGE);
            self.write_in(&mut known, wait);
        }
    }

    fn write_in(self: &Rc<Self>, known: &mut Known, wait: f64) {
        let follower = self.clone();
        let write = move || {
            follower.known.borrow_mut().due = None;
            // Where the reader has gone elsewhere meanwhile, the present entry is no longer this page's to write.
            let is_there = follower.known.borrow().fragment.as_deref()
                == Some(&*location().hash().unwrap_or_default());
            let is_new = {
                let known = follower.known.borrow();
                known.shown != known.written
            };
            if is_there && is_new {
                follower.write();
            } else {
                follower.known.borrow_mut().begins = false;
            }
        };
        known.due = set_timeout_with_handle(write, Duration::from_millis(wait as u64)).ok();
    }

    /// Writes what is shown into the address.
    fn write(self: &Rc<Self>) {
        let mut known = self.known.borrow_mut();
        let fragment = self.fragment(&known.shown);
        let written = window().history().and_then(|history| {
            // A page in a frame leaves the history to the page around it.
            if known.begins && !is_framed() {
                history.push_state_with_url(&JsValue::NULL, "", Some(&fragment))
            } else {
                history.replace_state_with_url(&JsValue::NULL, "", Some(&fragment))
            }
        });
        match written {
            Ok(()) => {
                known.begins = false;
                known.wrote = now_ms();
                known.written = known.shown.clone();
                known.fragment = Some(fragment);
            }
            // It has had too many for now.
            Err(_) => self.write_in(&mut known, AFTER_REFUSAL),
        }
    }

    fn stop(&self) {
        self.known.borrow_mut().cancel();
    }
}

impl Known {
    fn cancel(&mut self) {
        if let Some(due) = self.due.take() {
            due.clear();
        }
        self.begins = false;
    }
}

fn scenario(subject: &dyn Shareable) -> String {
    let mut query = QueryWriter::default();
    subject.write(&mut query);
    query.finish()
}

fn where_in(subject: &dyn Shareable) -> String {
    let mut query = QueryWriter::from(String::new());
    subject.write_place(&mut query);
    query.finish()
}

fn now(subject: &dyn Shareable) -> Shown {
    untrack(|| shown(subject))
}

/// What is shown, followed.
fn shown(subject: &dyn Shareable) -> Shown {
    Shown {
        scenario: scenario(subject),
        place: where_in(subject),
    }
}

fn is_framed() -> bool {
    window().top().ok().flatten().as_ref() != Some(&window())
}

fn now_ms() -> f64 {
    js_sys::Date::now()
}
