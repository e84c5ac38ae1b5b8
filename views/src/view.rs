//! What is on the page: described, built, changed in place, removed.

use crate::element::{Built, Element};
use crate::signal::{MaybeProp, Memo, ReadSignal, RwSignal, Signal};
use leptos::prelude::{Owner, RenderEffect, document};
use std::borrow::Cow;
use std::cell::RefCell;
use std::mem;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{HtmlTemplateElement, Node, Text};

/// What is to be on the page.
#[derive(Default)]
pub struct View(Option<Box<Content>>);

enum Content {
    Text(Cow<'static, str>),
    /// HTML that never changes.
    Markup(Markup),
    Element(Element),
    /// One after the other.
    Many(Vec<View>),
    /// What is asked for anew whenever what it reads has changed, with what owns it.
    Follows(Option<Owner>, Box<dyn FnMut() -> View>),
}

impl View {
    #[inline(never)]
    fn of(content: Content) -> Self {
        Self(Some(Box::new(content)))
    }

    /// The view of something. `view!` wraps what it makes in it.
    pub fn new(of: impl IntoView) -> Self {
        of.into_view()
    }

    /// Marks it for tools that exchange code while it runs; there are none here.
    #[doc(hidden)]
    #[must_use]
    pub fn with_view_marker(self, _: &'static str) -> Self {
        self
    }

    /// The element that it is, if it is one.
    pub(crate) fn element(&mut self) -> Option<&mut Element> {
        match self.0.as_deref_mut() {
            Some(Content::Element(element)) => Some(element),
            _ => None,
        }
    }

    /// Makes it; it is not on the page yet.
    pub(crate) fn build(self) -> State {
        let Some(content) = self.0 else {
            return State::Nothing(document().create_comment("").into());
        };
        match *content {
            Content::Text(text) => State::Text(document().create_text_node(&text), text),
            Content::Markup(markup) => State::Markup(markup.build(), markup),
            Content::Element(element) => State::Element(Box::new(element.build())),
            // A list has a place even if it is empty.
            Content::Many(views) if views.is_empty() => State::Many(vec![View(None).build()]),
            Content::Many(views) => State::Many(views.into_iter().map(View::build).collect()),
            Content::Follows(owner, view) => State::Follows(Follower::new(owner, view, None)),
        }
    }

    /// Makes it of what is on the page, changing as little as it can.
    fn rebuild(self, state: &mut State) {
        let Some(content) = self.0 else {
            if !matches!(state, State::Nothing(_)) {
                state.replace(View(None));
            }
            return;
        };
        match (*content, state) {
            (Content::Text(new), State::Text(node, old)) => {
                if new != *old {
                    node.set_data(&new);
                    *old = new;
                }
            }
            (Content::Markup(new), State::Markup(_, old)) if new == *old => {}
            (Content::Element(new), State::Element(old)) if new.is_like(old) => new.rebuild(old),
            (Content::Many(mut views), State::Many(states)) => {
                if views.is_empty() {
                    views.push(View(None));
                }
                rebuild_all(views, states);
            }
            (Content::Follows(owner, view), State::Follows(old)) => {
                let shown = old.shown.take();
                *old = Follower::new(owner, view, shown);
            }
            (content, state) => state.replace(View::of(content)),
        }
    }
}

/// Makes a list of what is on the page, of which there is at least one.
pub(crate) fn rebuild_all(views: Vec<View>, states: &mut Vec<State>) {
    let kept = views.len();
    // What comes behind the list, of which the last node may change.
    let last = states.last().filter(|_| kept > states.len());
    let after = last.map(State::last).and_then(|last| {
        let parent = last.parent_node()?;
        Some((parent, last.next_sibling()))
    });
    for (i, view) in views.into_iter().enumerate() {
        match states.get_mut(i) {
            Some(state) => view.rebuild(state),
            None => {
                let built = view.build();
                if let Some((parent, before)) = &after {
                    built.mount(parent, before.as_ref());
                }
                states.push(built);
            }
        }
    }
    for state in states.drain(kept..) {
        state.unmount();
    }
}

/// What is on the page, of which there is always a first node.
pub(crate) enum State {
    Nothing(Node),
    Text(Text, Cow<'static, str>),
    Markup(Node, Markup),
    Element(Box<Built>),
    Many(Vec<State>),
    Follows(Follower),
}

impl State {
    /// Puts it into `parent`: before a node of it, or at its end.
    pub(crate) fn mount(&self, parent: &Node, before: Option<&Node>) {
        match self {
            State::Many(states) => states.iter().for_each(|state| state.mount(parent, before)),
            State::Follows(follower) => follower.with(|state| state.mount(parent, before)),
            single => {
                // It fails only if a script not of ours has moved what is there.
                let _ = parent.insert_before(&single.first(), before);
            }
        }
    }

    /// Takes it off the page.
    pub(crate) fn unmount(&self) {
        match self {
            State::Many(states) => states.iter().for_each(State::unmount),
            State::Follows(follower) => follower.with(State::unmount),
            single => {
                let node = single.first();
                if let Some(parent) = node.parent_node() {
                    let _ = parent.remove_child(&node);
                }
            }
        }
    }

    /// Puts another view in its place.
    fn replace(&mut self, view: View) {
        let built = view.build();
        let place = self.first();
        if let Some(parent) = place.parent_node() {
            built.mount(&parent, Some(&place));
        }
        mem::replace(self, built).unmount();
    }

    fn first(&self) -> Node {
        match self {
            State::Nothing(node) | State::Markup(node, _) => node.clone(),
            State::Text(text, _) => text.clone().into(),
            State::Element(element) => element.node().clone().into(),
            State::Many(states) => states[0].first(),
            State::Follows(follower) => follower.with(State::first),
        }
    }

    fn last(&self) -> Node {
        match self {
            State::Many(states) => states[states.len() - 1].last(),
            State::Follows(follower) => follower.with(State::last),
            single => single.first(),
        }
    }
}

/// A part of the page that follows what it reads.
pub(crate) struct Follower {
    shown: Rc<RefCell<Option<State>>>,
    _effect: RenderEffect<()>,
}

impl Follower {
    fn new(owner: Option<Owner>, mut view: Box<dyn FnMut() -> View>, shown: Option<State>) -> Self {
        let shown = Rc::new(RefCell::new(shown));
        let kept = Rc::clone(&shown);
        let effect = follow(
            owner,
            Box::new(move || {
                let view = view();
                match &mut *kept.borrow_mut() {
                    Some(state) => view.rebuild(state),
                    none => *none = Some(view.build()),
                }
            }),
        );
        Self {
            shown,
            _effect: effect,
        }
    }

    fn with<T>(&self, f: impl FnOnce(&State) -> T) -> T {
        let shown = self.shown.borrow();
        f(shown.as_ref().expect("an effect runs once when it is made"))
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        // The effect ends some time after it is dropped, and what it shows would follow what has ended until then.
        self.shown.take();
    }
}

/// Works now, and again whenever what it reads has changed.
pub(crate) fn follow(owner: Option<Owner>, mut work: Box<dyn FnMut()>) -> RenderEffect<()> {
    let make = move || RenderEffect::new(move |_| work());
    match owner {
        Some(owner) => owner.with(make),
        None => make(),
    }
}

/// HTML that never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Markup {
    html: &'static str,
    is_svg: bool,
}

impl Markup {
    /// One element of HTML.
    #[must_use]
    pub fn new(html: &'static str) -> Self {
        Self {
            html,
            is_svg: false,
        }
    }

    fn build(self) -> Node {
        let template: HtmlTemplateElement = document()
            .create_element("template")
            .expect("a template can be made")
            .unchecked_into();
        let Self { html, is_svg } = self;
        if is_svg {
            template.set_inner_html(&format!("<svg>{html}</svg>"));
        } else {
            template.set_inner_html(html);
        }
        let content: Node = template.content().into();
        let node = content.first_child();
        let node = if is_svg {
            node.and_then(|svg| svg.first_child())
        } else {
            node
        };
        node.expect("the markup has an element")
    }
}

/// Where `view!` looks for SVG that never changes.
#[derive(Debug)]
pub struct SvgMarkup;

impl SvgMarkup {
    /// One element of SVG.
    #[allow(clippy::new_ret_no_self)]
    #[must_use]
    pub fn new(html: &'static str) -> Markup {
        Markup { html, is_svg: true }
    }
}

/// What can be on the page.
pub trait IntoView: Sized + 'static {
    /// As a view.
    fn into_view(self) -> View;

    /// Puts it at the end of an element.
    #[doc(hidden)]
    fn add_to(self, element: Element) -> Element {
        element.push(self.into_view())
    }
}

/// A view, by the name that Leptos has for one whose type is not known.
pub type AnyView = View;

/// As a view, by the name that Leptos has for it.
pub trait IntoAny: IntoView {
    /// As a view.
    fn into_any(self) -> AnyView {
        self.into_view()
    }
}

impl<T: IntoView> IntoAny for T {}

/// What `view!` asks of what stands in braces; here it is that itself.
pub trait IntoRender: Sized {
    /// It itself.
    fn into_render(self) -> Self {
        self
    }
}

impl<T> IntoRender for T {}

/// One view of many.
pub trait CollectView {
    /// One after the other.
    fn collect_view(self) -> View;
}

impl<I: IntoIterator<Item: IntoView>> CollectView for I {
    fn collect_view(self) -> View {
        many(self.into_iter().map(IntoView::into_view).collect())
    }
}

impl IntoView for View {
    fn into_view(self) -> View {
        self
    }
}

impl IntoView for () {
    fn into_view(self) -> View {
        View(None)
    }
}

impl IntoView for Element {
    fn into_view(self) -> View {
        View::of(Content::Element(self))
    }
}

impl IntoView for Markup {
    fn into_view(self) -> View {
        View::of(Content::Markup(self))
    }
}

impl IntoView for &'static str {
    #[inline(never)]
    fn into_view(self) -> View {
        View::of(Content::Text(self.into()))
    }

    #[inline(never)]
    fn add_to(self, element: Element) -> Element {
        element.push(self.into_view())
    }
}

impl IntoView for String {
    #[inline(never)]
    fn into_view(self) -> View {
        View::of(Content::Text(self.into()))
    }
}

impl<T: IntoView> IntoView for Option<T> {
    fn into_view(self) -> View {
        self.map(T::into_view).unwrap_or_default()
    }
}

impl<T: IntoView> IntoView for Vec<T> {
    fn into_view(self) -> View {
        self.collect_view()
    }
}

impl<T: IntoView, const N: usize> IntoView for [T; N] {
    fn into_view(self) -> View {
        self.collect_view()
    }
}

impl<F: FnMut() -> T + 'static, T: IntoView> IntoView for F {
    fn into_view(mut self) -> View {
        following(Box::new(move || self().into_view()))
    }
}

#[inline(never)]
fn following(view: Box<dyn FnMut() -> View>) -> View {
    View::of(Content::Follows(Owner::current(), view))
}

#[inline(never)]
fn many(views: Vec<View>) -> View {
    View::of(Content::Many(views))
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl IntoView for $number {
            fn into_view(self) -> View {
                self.to_string().into_view()
            }
        }
    )*};
}

numbers!(char u8 i32 u32 u64 usize f64);

macro_rules! followed {
    ($($signal:ident)*) => {$(
        impl<T: IntoView + Clone> IntoView for $signal<T> {
            fn into_view(self) -> View {
                (move || self.get()).into_view()
            }
        }
    )*};
}

followed!(MaybeProp Memo ReadSignal RwSignal Signal);

macro_rules! tuples {
    ($($first:ident $($rest:ident)*)?) => {$(
        impl<$first: IntoView, $($rest: IntoView),*> IntoView for ($first, $($rest,)*) {
            fn into_view(self) -> View {
                #[allow(non_snake_case)]
                let ($first, $($rest,)*) = self;
                many(vec![$first.into_view(), $($rest.into_view()),*])
            }

            fn add_to(self, element: Element) -> Element {
                #[allow(non_snake_case)]
                let ($first, $($rest,)*) = self;
                let element = $first.add_to(element);
                $(let element = $rest.add_to(element);)*
                element
            }
        }

        tuples!($($rest)*);
    )?};
}

tuples!(A B C D E F G H I J K L M N O P);
