//! Signals and what else is kept for components, with one kind of storage.
//!
//! They work as Leptos's do, and what follows what is left to its graph. It only does not see the values: of a signal it
//! knows that it changed, of a memo how often. So nothing of it is compiled anew for each type of value.
//!
//! Reading or setting what has ended with its component is a mistake and panics; in a build for tests it tells where. What
//! begins with `try_` answers instead.

use leptos::prelude::{GetUntracked, LocalStorage, Notify, Track, untrack};
use leptos::reactive::computed::ArcMemo;
use leptos::reactive::effect::EffectFunction;
use leptos::reactive::graph::{Subscriber, ToAnySubscriber};
use leptos::reactive::signal::ArcTrigger;
use rustc_hash::FxBuildHasher;
use send_wrapper::SendWrapper;
use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;

/// What is behind a handle.
struct Node {
    source: Source,
    value: Rc<dyn Any>,
}

/// How it is known that a value has changed.
enum Source {
    /// It never changes, or has no followers.
    Still,
    /// It is told.
    Told(ArcTrigger),
    /// It is worked out when it is asked for; the number counts the values that it has had.
    Worked(ArcMemo<u64>),
}

/// A value that is kept.
type Kept<T> = RefCell<Option<T>>;

/// A value that is worked out each time.
struct Derived<T>(Box<dyn Fn() -> T>);

impl Drop for Node {
    fn drop(&mut self) {
        // Otherwise it would stay among the followers of what it read until that changes.
        if let Source::Worked(memo) = &self.source {
            memo.clear_sources(&memo.to_any_subscriber());
        }
    }
}

/// Leads to a node for as long as the component that made it lives.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Handle(u32);

/// All nodes that handles lead to. Numbers are not used again.
#[derive(Default)]
struct Arena {
    made: u32,
    nodes: HashMap<u32, Rc<Node>, FxBuildHasher>,
}

thread_local! {
    static ARENA: RefCell<Arena> = RefCell::default();
}

/// Keeps a node until it is dropped.
struct Leased(u32);

impl Drop for Leased {
    fn drop(&mut self) {
        // What the node holds may hold others, so it ends after the arena is let go.
        let _node = ARENA.with_borrow_mut(|arena| arena.nodes.remove(&self.0));
    }
}

impl Handle {
    #[inline(never)]
    fn new(source: Source, value: Rc<dyn Any>) -> Self {
        let number = ARENA.with_borrow_mut(|arena| {
            arena.made += 1;
            arena
                .nodes
                .insert(arena.made, Rc::new(Node { source, value }));
            arena.made
        });
        // Leptos drops it when the component ends, after all that is to be done then.
        let _ = leptos::prelude::StoredValue::new(Leased(number));
        Self(number)
    }

    /// Of a value that is told when it changes.
    #[inline(never)]
    fn told(value: Rc<dyn Any>) -> Self {
        Self::new(Source::Told(ArcTrigger::new()), value)
    }

    /// Of a value that has no followers.
    #[inline(never)]
    fn still(value: Rc<dyn Any>) -> Self {
        Self::new(Source::Still, value)
    }

    /// Of a value that `work` works out, and says whether it is another.
    #[inline(never)]
    fn worked(value: Rc<dyn Any>, work: Box<dyn Fn() -> bool>) -> Self {
        let work = SendWrapper::new(work);
        let count =
            move |count: Option<&u64>| count.copied().unwrap_or_default() + u64::from(work());
        Self::new(Source::Worked(ArcMemo::new(count)), value)
    }

    #[inline(never)]
    fn try_node(self) -> Option<Rc<Node>> {
        ARENA.with_borrow(|arena| arena.nodes.get(&self.0).cloned())
    }

    #[inline(never)]
    #[cfg_attr(debug_assertions, track_caller)]
    fn node(self) -> Rc<Node> {
        self.try_node()
            .expect("what is asked for has not ended with its component")
    }
}

impl Node {
    /// Makes sure that the value is that of now, and that whoever reads it now is told when it changes.
    #[inline(never)]
    fn ask(&self, is_followed: bool) {
        match (&self.source, is_followed) {
            (Source::Still, _) | (Source::Told(_), false) => {}
            (Source::Told(trigger), true) => trigger.track(),
            (Source::Worked(memo), followed) => {
                if followed {
                    memo.track();
                }
                memo.get_untracked();
            }
        }
    }

    #[inline(never)]
    fn tell(&self) {
        if let Source::Told(trigger) = &self.source {
            trigger.notify();
        }
    }

    fn kept<T: 'static>(&self) -> &Kept<T> {
        self.value.downcast_ref().expect("it is of that type")
    }

    fn with<T: 'static, U>(&self, is_followed: bool, f: impl FnOnce(&T) -> U) -> U {
        self.ask(is_followed);
        if let Some(Derived(work)) = self.value.downcast_ref::<Derived<T>>() {
            return f(&if is_followed { work() } else { untrack(work) });
        }
        f(self.kept().borrow().as_ref().expect("it has a value"))
    }

    fn update<T: 'static, U>(&self, f: impl FnOnce(&mut T) -> U) -> U {
        let result = f(self.kept().borrow_mut().as_mut().expect("it has a value"));
        self.tell();
        result
    }
}

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident<$($of:ident $(= $usual:ty)?),*>)*) => {$(
        $(#[$doc])*
        pub struct $name<$($of $(= $usual)?),*> {
            handle: Handle,
            of: PhantomData<fn() -> ($($of,)*)>,
        }

        impl<$($of),*> $name<$($of),*> {
            fn of(handle: Handle) -> Self {
                Self {
                    handle,
                    of: PhantomData,
                }
            }
        }

        impl<$($of),*> Clone for $name<$($of),*> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<$($of),*> Copy for $name<$($of),*> {}

        impl<$($of),*> PartialEq for $name<$($of),*> {
            fn eq(&self, other: &Self) -> bool {
                self.handle == other.handle
            }
        }

        impl<$($of),*> Eq for $name<$($of),*> {}

        impl<$($of),*> fmt::Debug for $name<$($of),*> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    )*};
}

handles! {
    /// A value that can be read and set.
    RwSignal<T>
    /// A value that can be read.
    ReadSignal<T>
    /// A value that can be set.
    WriteSignal<T>
    /// A value that is worked out anew when what it read has changed, and followed only if it is another then.
    Memo<T>
    /// Any value that can be read.
    Signal<T>
    /// A value that is kept for as long as the component that made it lives, and that nothing follows.
    StoredValue<T, S = ()>
    /// What a component calls.
    Callback<In, Out = ()>
}

macro_rules! readable {
    ($($name:ident)*) => {$(
        impl<T: 'static> $name<T> {
            /// Reads it, and follows it.
            #[cfg_attr(debug_assertions, track_caller)]
            pub fn with<U>(&self, f: impl FnOnce(&T) -> U) -> U {
                self.handle.node().with(true, f)
            }

            /// Reads it as it is now.
            #[cfg_attr(debug_assertions, track_caller)]
            pub fn with_untracked<U>(&self, f: impl FnOnce(&T) -> U) -> U {
                self.handle.node().with(false, f)
            }

            /// Its value, followed.
            #[cfg_attr(debug_assertions, track_caller)]
            #[must_use]
            pub fn get(&self) -> T
            where
                T: Clone,
            {
                self.with(T::clone)
            }

            /// Its value now.
            #[cfg_attr(debug_assertions, track_caller)]
            #[must_use]
            pub fn get_untracked(&self) -> T
            where
                T: Clone,
            {
                self.with_untracked(T::clone)
            }

            /// Its value now, unless it has ended with its component.
            #[must_use]
            pub fn try_get_untracked(&self) -> Option<T>
            where
                T: Clone,
            {
                Some(self.handle.try_node()?.with(false, T::clone))
            }

            /// Follows it.
            #[cfg_attr(debug_assertions, track_caller)]
            pub fn track(&self) {
                self.handle.node().ask(true);
            }
        }
    )*};
}

readable!(RwSignal ReadSignal Memo Signal);

macro_rules! settable {
    ($($name:ident)*) => {$(
        impl<T: 'static> $name<T> {
            /// Gives it a new value. Once it has ended with its component there is nobody to hear of one.
            pub fn set(&self, value: T) {
                self.update(|now| *now = value);
            }

            /// Changes its value, unless it has ended with its component.
            pub fn update(&self, f: impl FnOnce(&mut T)) {
                let _ = self.try_update(f);
            }

            /// The same, with what the change comes to.
            pub fn try_update<U>(&self, f: impl FnOnce(&mut T) -> U) -> Option<U> {
                Some(self.handle.try_node()?.update(f))
            }

            /// Says that it has changed.
            pub fn notify(&self) {
                if let Some(node) = self.handle.try_node() {
                    node.tell();
                }
            }
        }
    )*};
}

settable!(RwSignal WriteSignal);

fn kept<T: 'static>(value: T) -> Rc<dyn Any> {
    Rc::new(RefCell::new(Some(value)))
}

impl<T: 'static> RwSignal<T> {
    /// Begins with `value`.
    #[must_use]
    pub fn new(value: T) -> Self {
        Self::of(Handle::told(kept(value)))
    }

    /// To be read.
    #[must_use]
    pub fn read_only(self) -> ReadSignal<T> {
        ReadSignal::of(self.handle)
    }

    /// To be set.
    #[must_use]
    pub fn write_only(self) -> WriteSignal<T> {
        WriteSignal::of(self.handle)
    }
}

/// A value that can be read and set, and lasts for as long as anyone holds it.
pub struct ArcRwSignal<T> {
    node: Rc<Node>,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for ArcRwSignal<T> {
    fn clone(&self) -> Self {
        Self {
            node: Rc::clone(&self.node),
            of: PhantomData,
        }
    }
}

impl<T: Clone + 'static> ArcRwSignal<T> {
    /// Begins with `value`.
    #[must_use]
    pub fn new(value: T) -> Self {
        let node = Node {
            source: Source::Told(ArcTrigger::new()),
            value: kept(value),
        };
        Self {
            node: Rc::new(node),
            of: PhantomData,
        }
    }

    /// Its value, followed.
    #[must_use]
    pub fn get(&self) -> T {
        self.node.with(true, T::clone)
    }

    /// Gives it a new value.
    pub fn set(&self, value: T) {
        self.node.update(|now| *now = value);
    }
}

/// A value that is read here and set there.
pub fn signal<T: 'static>(value: T) -> (ReadSignal<T>, WriteSignal<T>) {
    let signal = RwSignal::new(value);
    (signal.read_only(), signal.write_only())
}

impl<T: PartialEq + 'static> Memo<T> {
    /// Works it out by `f`, which is given the value before.
    #[must_use]
    pub fn new(f: impl Fn(Option<&T>) -> T + 'static) -> Self {
        let value = Rc::new(Kept::<T>::default());
        let now = Rc::clone(&value);
        let work = move || {
            let new = f(now.borrow().as_ref());
            let is_other = now.borrow().as_ref() != Some(&new);
            if is_other {
                now.replace(Some(new));
            }
            is_other
        };
        Self::of(Handle::worked(value, Box::new(work)))
    }
}

impl<T: 'static> Signal<T> {
    /// Works it out by `f` each time it is read.
    #[must_use]
    pub fn derive(f: impl Fn() -> T + 'static) -> Self {
        Self::of(Handle::still(Rc::new(Derived(Box::new(f)))))
    }

    /// Never changes.
    #[must_use]
    pub fn stored(value: T) -> Self {
        Self::of(Handle::still(kept(value)))
    }
}

impl<T: Default + 'static> Default for Signal<T> {
    fn default() -> Self {
        Self::stored(T::default())
    }
}

impl<T: 'static> From<T> for Signal<T> {
    fn from(value: T) -> Self {
        Self::stored(value)
    }
}

impl From<&'static str> for Signal<String> {
    fn from(value: &'static str) -> Self {
        Self::stored(value.to_owned())
    }
}

macro_rules! into_signal {
    ($($name:ident)*) => {$(
        impl<T> From<$name<T>> for Signal<T> {
            fn from(other: $name<T>) -> Self {
                Self::of(other.handle)
            }
        }

        impl<T: Clone + 'static> From<$name<T>> for MaybeProp<T> {
            fn from(other: $name<T>) -> Self {
                Signal::<T>::from(other).into()
            }
        }
    )*};
}

into_signal!(RwSignal ReadSignal Memo);

/// A value that can be read, or none.
pub struct MaybeProp<T>(Option<Signal<Option<T>>>);

impl<T> Clone for MaybeProp<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for MaybeProp<T> {}

impl<T> Default for MaybeProp<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Clone + 'static> MaybeProp<T> {
    /// Its value, followed.
    #[must_use]
    pub fn get(&self) -> Option<T> {
        self.0.and_then(|signal| signal.get())
    }
}

impl<T: 'static> From<T> for MaybeProp<T> {
    fn from(value: T) -> Self {
        Some(value).into()
    }
}

impl<T: 'static> From<Option<T>> for MaybeProp<T> {
    fn from(value: Option<T>) -> Self {
        Self(Some(Signal::stored(value)))
    }
}

impl From<&'static str> for MaybeProp<String> {
    fn from(value: &'static str) -> Self {
        value.to_owned().into()
    }
}

impl<T: Clone + 'static> From<Signal<T>> for MaybeProp<T> {
    fn from(other: Signal<T>) -> Self {
        Self(Some(Signal::derive(move || Some(other.get()))))
    }
}

impl<T: 'static> From<Signal<Option<T>>> for MaybeProp<T> {
    fn from(other: Signal<Option<T>>) -> Self {
        Self(Some(other))
    }
}

impl<T: 'static> StoredValue<T> {
    /// Begins with `value`.
    #[must_use]
    pub fn new(value: T) -> Self {
        Self::of(Handle::still(kept(value)))
    }
}

impl<T: 'static> StoredValue<T, LocalStorage> {
    /// Begins with `value`.
    #[must_use]
    pub fn new_local(value: T) -> Self {
        Self::of(Handle::still(kept(value)))
    }
}

impl<T: 'static, S> StoredValue<T, S> {
    /// Reads it.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn with_value<U>(&self, f: impl FnOnce(&T) -> U) -> U {
        self.handle.node().with(false, f)
    }

    /// Reads it, unless it has ended with its component.
    pub fn try_with_value<U>(&self, f: impl FnOnce(&T) -> U) -> Option<U> {
        Some(self.handle.try_node()?.with(false, f))
    }

    /// Its value.
    #[cfg_attr(debug_assertions, track_caller)]
    #[must_use]
    pub fn get_value(&self) -> T
    where
        T: Clone,
    {
        self.with_value(T::clone)
    }

    /// Its value, unless it has ended with its component.
    #[must_use]
    pub fn try_get_value(&self) -> Option<T>
    where
        T: Clone,
    {
        self.try_with_value(T::clone)
    }

    /// Gives it a new value, unless it has ended with its component.
    pub fn set_value(&self, value: T) {
        let _ = self.try_update_value(|now| *now = value);
    }

    /// Changes its value.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn update_value<U>(&self, f: impl FnOnce(&mut T) -> U) -> U {
        self.handle.node().update(f)
    }

    /// Changes its value, unless it has ended with its component.
    pub fn try_update_value<U>(&self, f: impl FnOnce(&mut T) -> U) -> Option<U> {
        Some(self.handle.try_node()?.update(f))
    }
}

/// What is behind a callback.
type Called<In, Out> = Box<dyn Fn(In) -> Out>;

impl<In: 'static, Out: 'static> Callback<In, Out> {
    /// Calls `f`.
    #[must_use]
    pub fn new(f: impl Fn(In) -> Out + 'static) -> Self {
        let called: Called<In, Out> = Box::new(f);
        Self::of(Handle::still(Rc::new(called)))
    }

    /// Calls it.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn run(&self, input: In) -> Out {
        let node = self.handle.node();
        let called = node.value.downcast_ref::<Called<In, Out>>();
        called.expect("it is of that type")(input)
    }
}

/// What works again whenever what it read has changed, until the component that made it ends.
#[derive(Debug)]
pub struct Effect;

impl Effect {
    /// Works soon, and again whenever what it read has changed; it may be given what it made before.
    pub fn new<T: 'static, M>(mut f: impl EffectFunction<T, M> + 'static) -> Self {
        let mut before = None;
        effect(Box::new(move || before = Some(f.run(before.take()))));
        Self
    }
}

#[inline(never)]
fn effect(work: Box<dyn FnMut()>) {
    leptos::prelude::Effect::new(work);
}

/// What can be given to a component for a property of type `T`; `M` tells the ways apart.
pub trait IntoReactiveValue<T, M> {
    /// As the property.
    fn into_reactive_value(self) -> T;
}

/// Ways in which something becomes a property.
pub mod way {
    /// Rust's own conversion.
    #[derive(Debug)]
    pub struct Converted;
    /// A function that is a signal.
    #[derive(Debug)]
    pub struct Followed;
    /// A function that is a callback.
    #[derive(Debug)]
    pub struct Called;
    /// A function that is a callback and is given nothing.
    #[derive(Debug)]
    pub struct CalledBare;
}

impl<T, I: Into<T>> IntoReactiveValue<T, way::Converted> for I {
    fn into_reactive_value(self) -> T {
        self.into()
    }
}

impl<T: 'static, F: Fn() -> T + 'static> IntoReactiveValue<Signal<T>, way::Followed> for F {
    fn into_reactive_value(self) -> Signal<T> {
        Signal::derive(self)
    }
}

impl<In: 'static, Out: 'static, F: Fn(In) -> Out + 'static>
    IntoReactiveValue<Callback<In, Out>, way::Called> for F
{
    fn into_reactive_value(self) -> Callback<In, Out> {
        Callback::new(self)
    }
}

impl<Out: 'static, F: Fn() -> Out + 'static> IntoReactiveValue<Callback<(), Out>, way::CalledBare>
    for F
{
    fn into_reactive_value(self) -> Callback<(), Out> {
        Callback::new(move |()| self())
    }
}
