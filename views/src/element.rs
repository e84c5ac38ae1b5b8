//! Elements, with what is set on them.

use crate::signal::{RwSignal, StoredValue};
use crate::value::{IntoSetting, Setting, Value};
use crate::view::{IntoView, State, View, follow, rebuild_all};
use leptos::ev::EventDescriptor;
use leptos::html::ElementType;
use leptos::prelude::{Owner, RenderEffect, document};
use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{Event, HtmlElement};

/// An element that is to be on the page.
pub struct Element(Box<Content>);

struct Content {
    tag: &'static str,
    is_svg: bool,
    settings: Vec<(Part, &'static str, Setting)>,
    handlers: Vec<(Cow<'static, str>, Handler)>,
    inside: Vec<View>,
    reference: Option<RwSignal<Option<web_sys::Element>>>,
}

/// What of an element is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// An attribute.
    Attribute,
    /// Whether it has a class.
    Class,
    /// A property of its style.
    Style,
    /// A property of the object that it is to scripts.
    Property,
}

type Handler = Box<dyn FnMut(Event)>;

// What a page is made of calls these thousands of times: none is worth to be copied there.
impl Element {
    #[inline(never)]
    fn new(tag: &'static str, is_svg: bool) -> Self {
        Self(Box::new(Content {
            tag,
            is_svg,
            settings: Vec::new(),
            handlers: Vec::new(),
            inside: Vec::new(),
            reference: None,
        }))
    }

    fn set(mut self, part: Part, name: &'static str, setting: Setting) -> Self {
        self.0.settings.push((part, name, setting));
        self
    }

    #[inline(never)]
    pub(crate) fn set_text(self, part: Part, name: &'static str, text: &'static str) -> Self {
        self.set(part, name, Setting::Fixed(Value::Text(text.into())))
    }

    #[inline(never)]
    pub(crate) fn set_value(self, part: Part, name: &'static str, value: Value) -> Self {
        self.set(part, name, Setting::Fixed(value))
    }

    #[inline(never)]
    pub(crate) fn set_following(
        self,
        part: Part,
        name: &'static str,
        value: Box<dyn FnMut() -> Value>,
    ) -> Self {
        self.set(part, name, Setting::Follows(value))
    }

    #[inline(never)]
    pub(crate) fn push(mut self, mut child: View) -> Self {
        if self.0.is_svg
            && let Some(element) = child.element()
        {
            // `view!` takes a title for one of HTML.
            element.0.is_svg = true;
        }
        self.0.inside.push(child);
        self
    }

    #[inline(never)]
    fn listen(mut self, event: Cow<'static, str>, handler: Handler) -> Self {
        self.0.handlers.push((event, owned(handler)));
        self
    }

    /// Puts something at its end.
    #[must_use]
    pub fn child(self, child: impl IntoView) -> Self {
        child.add_to(self)
    }

    /// Sets an attribute.
    #[must_use]
    pub fn attr(self, name: &'static str, value: impl IntoSetting) -> Self {
        value.set_on(self, Part::Attribute, name)
    }

    /// Sets its classes, or one of them.
    #[must_use]
    pub fn class(self, class: impl Named) -> Self {
        class.name_on(self, Part::Class, "class")
    }

    /// Sets its style, or a property of it.
    #[must_use]
    pub fn style(self, style: impl Named) -> Self {
        style.name_on(self, Part::Style, "style")
    }

    /// Sets a property of the object that it is to scripts.
    #[must_use]
    pub fn prop(self, name: &'static str, value: impl IntoSetting) -> Self {
        value.set_on(self, Part::Property, name)
    }

    /// Does something at each event of a kind.
    #[must_use]
    pub fn on<E: EventDescriptor<EventType: JsCast>>(
        self,
        event: E,
        mut handler: impl FnMut(E::EventType) + 'static,
    ) -> Self {
        let handler = Box::new(move |event: Event| handler(event.unchecked_into()));
        self.listen(event.name(), handler)
    }

    /// Makes `reference` one to this element.
    #[must_use]
    pub fn node_ref<E>(mut self, reference: NodeRef<E>) -> Self {
        self.0.reference = Some(reference.element);
        self
    }

    pub(crate) fn build(self) -> Built {
        let content = *self.0;
        let namespace = if content.is_svg {
            "http://www.w3.org/2000/svg"
        } else {
            "http://www.w3.org/1999/xhtml"
        };
        let node = document()
            .create_element_ns(Some(namespace), content.tag)
            .expect("the tag is a name");
        let inside: Vec<State> = content.inside.into_iter().map(View::build).collect();
        for state in &inside {
            state.mount(&node, None);
        }
        let settings = content
            .settings
            .into_iter()
            .map(|(part, name, setting)| Kept::new(&node, part, name, setting, Rc::default()))
            .collect();
        let handlers = content
            .handlers
            .into_iter()
            .map(|(name, handler)| Listener::new(&node, name, handler))
            .collect();
        if let Some(reference) = content.reference {
            reference.set(Some(node.clone()));
        }
        Built {
            tag: content.tag,
            node,
            settings,
            handlers,
            inside,
            reference: content.reference,
        }
    }

    /// Whether what is on the page can be made this element by changing values.
    pub(crate) fn is_like(&self, built: &Built) -> bool {
        let content = &*self.0;
        content.tag == built.tag
            && content.inside.is_empty() == built.inside.is_empty()
            && content.settings.len() == built.settings.len()
            && content.handlers.len() == built.handlers.len()
            && std::iter::zip(&content.settings, &built.settings)
                .all(|((part, name, _), kept)| (*part, *name) == (kept.part, kept.name))
            && std::iter::zip(&content.handlers, &built.handlers)
                .all(|((name, _), listener)| *name == listener.name)
    }

    pub(crate) fn rebuild(self, built: &mut Built) {
        let content = *self.0;
        if !content.inside.is_empty() {
            rebuild_all(content.inside, &mut built.inside);
        }
        for ((part, name, setting), kept) in std::iter::zip(content.settings, &mut built.settings) {
            let last = Rc::clone(&kept.last);
            *kept = Kept::new(&built.node, part, name, setting, last);
        }
        for ((_, handler), listener) in std::iter::zip(content.handlers, &mut built.handlers) {
            *listener.handler.borrow_mut() = handler;
        }
        // One that refers to it already is not told again.
        if let Some(reference) = content.reference
            && built.reference.replace(reference) != Some(reference)
        {
            reference.set(Some(built.node.clone()));
        }
    }
}

/// Refers to an element once it is there.
pub struct NodeRef<E> {
    element: RwSignal<Option<web_sys::Element>>,
    of: PhantomData<fn() -> E>,
}

impl<E> Clone for NodeRef<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for NodeRef<E> {}

impl<E> fmt::Debug for NodeRef<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NodeRef")
    }
}

impl<E: ElementType<Output: JsCast>> NodeRef<E> {
    /// Refers to none yet.
    #[must_use]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Self {
            element: RwSignal::new(None),
            of: PhantomData,
        }
    }

    /// The element, followed.
    #[must_use]
    pub fn get(&self) -> Option<E::Output> {
        self.element.get().map(JsCast::unchecked_into)
    }

    /// The element now.
    #[must_use]
    pub fn get_untracked(&self) -> Option<E::Output> {
        self.element.get_untracked().map(JsCast::unchecked_into)
    }
}

/// What can be a class or a style: the whole of it, or one part by name.
pub trait Named {
    #[doc(hidden)]
    fn name_on(self, element: Element, part: Part, whole: &'static str) -> Element;
}

impl<T: IntoSetting> Named for T {
    fn name_on(self, element: Element, _: Part, whole: &'static str) -> Element {
        self.set_on(element, Part::Attribute, whole)
    }
}

impl<T: IntoSetting> Named for (&'static str, T) {
    fn name_on(self, element: Element, part: Part, _: &'static str) -> Element {
        self.1.set_on(element, part, self.0)
    }
}

/// An element that is on the page.
pub(crate) struct Built {
    tag: &'static str,
    node: web_sys::Element,
    settings: Vec<Kept>,
    handlers: Vec<Listener>,
    inside: Vec<State>,
    reference: Option<RwSignal<Option<web_sys::Element>>>,
}

impl Built {
    pub(crate) fn node(&self) -> &web_sys::Element {
        &self.node
    }
}

/// A setting that is kept as it should be.
struct Kept {
    part: Part,
    name: &'static str,
    last: Rc<RefCell<Option<Value>>>,
    _effect: Option<RenderEffect<()>>,
}

impl Kept {
    fn new(
        node: &web_sys::Element,
        part: Part,
        name: &'static str,
        setting: Setting,
        last: Rc<RefCell<Option<Value>>>,
    ) -> Self {
        let effect = match setting {
            Setting::Fixed(value) => {
                put(node, part, name, value, &last);
                None
            }
            Setting::Follows(mut value) => {
                let (node, last) = (node.clone(), Rc::clone(&last));
                Some(follow(
                    None,
                    Box::new(move || put(&node, part, name, value(), &last)),
                ))
            }
        };
        Self {
            part,
            name,
            last,
            _effect: effect,
        }
    }
}

/// Sets a part of an element, unless it is so already.
fn put(
    node: &web_sys::Element,
    part: Part,
    name: &str,
    value: Value,
    last: &RefCell<Option<Value>>,
) {
    // What was never set is not there.
    if *last.borrow().as_ref().unwrap_or(&Value::No) == value {
        return;
    }
    let text = match &value {
        Value::No => None,
        Value::Yes => Some(""),
        Value::Text(text) => Some(&**text),
    };
    // None of these fails: names are those of the code, and a value that a browser does not accept is passed over by it.
    let _ = match (part, text) {
        (Part::Attribute, Some(text)) => node.set_attribute(name, text),
        (Part::Attribute, None) => node.remove_attribute(name),
        (Part::Class, Some(_)) => node.class_list().add_1(name),
        (Part::Class, None) => node.class_list().remove_1(name),
        (Part::Style, Some(text)) => node
            .unchecked_ref::<HtmlElement>()
            .style()
            .set_property(name, text),
        (Part::Style, None) => node
            .unchecked_ref::<HtmlElement>()
            .style()
            .remove_property(name)
            .map(drop),
        (Part::Property, _) => {
            let value = match &value {
                Value::No => JsValue::NULL,
                Value::Yes => JsValue::TRUE,
                Value::Text(text) => JsValue::from_str(text),
            };
            js_sys::Reflect::set(node, &name.into(), &value).map(drop)
        }
    };
    last.replace(Some(value));
}

/// A handler that hears of its events until it is dropped.
struct Listener {
    node: web_sys::Element,
    name: Cow<'static, str>,
    handler: Rc<RefCell<Handler>>,
    closure: Closure<dyn FnMut(Event)>,
}

impl Listener {
    fn new(node: &web_sys::Element, name: Cow<'static, str>, handler: Handler) -> Self {
        let handler = Rc::new(RefCell::new(handler));
        let called = Rc::clone(&handler);
        let closure = Closure::new(move |event| (called.borrow_mut())(event));
        let _ = node.add_event_listener_with_callback(&name, closure.as_ref().unchecked_ref());
        Self {
            node: node.clone(),
            name,
            handler,
            closure,
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let callback = self.closure.as_ref().unchecked_ref();
        let _ = self
            .node
            .remove_event_listener_with_callback(&self.name, callback);
    }
}

/// A handler that works for what owns the element: what it makes ends with that, and when that has ended it hears nothing
/// more. A browser has a last change or loss of focus to tell of an element that is taken away.
fn owned(mut handler: Handler) -> Handler {
    let Some(owner) = Owner::current() else {
        return handler;
    };
    let alive = StoredValue::new(());
    Box::new(move |event| {
        if alive.try_get_value().is_some() {
            owner.with(|| handler(event));
        }
    })
}

macro_rules! tags {
    ($is_svg:literal: $($tag:ident)*) => {$(
        #[doc = concat!("`<", stringify!($tag), ">`")]
        #[must_use]
        pub fn $tag() -> Element {
            Element::new(stringify!($tag), $is_svg)
        }
    )*};
}

/// Elements of HTML.
pub mod html {
    use super::Element;

    tags!(false: a aside button canvas code dd details dialog div dl dt em fieldset figcaption figure footer form h1 h2
        h3 header input label legend li main nav ol option p pre progress section select span strong summary table
        tbody td textarea tfoot th thead title tr ul);
}

/// Elements of SVG.
pub mod svg {
    use super::Element;

    tags!(true: circle defs g marker path rect svg text title);
}

macro_rules! attributes {
    ($($method:ident = $name:literal,)*) => {
        impl Element {$(
            #[doc = concat!("Sets `", $name, "`.")]
            #[must_use]
            pub fn $method(self, value: impl IntoSetting) -> Self {
                self.attr($name, value)
            }
        )*}
    };
}

attributes! {
    accept = "accept",
    aria_controls = "aria-controls",
    aria_current = "aria-current",
    aria_describedby = "aria-describedby",
    aria_disabled = "aria-disabled",
    aria_hidden = "aria-hidden",
    aria_invalid = "aria-invalid",
    aria_label = "aria-label",
    aria_labelledby = "aria-labelledby",
    aria_live = "aria-live",
    aria_pressed = "aria-pressed",
    aria_roledescription = "aria-roledescription",
    aria_selected = "aria-selected",
    aria_valuemax = "aria-valuemax",
    aria_valuemin = "aria-valuemin",
    aria_valuenow = "aria-valuenow",
    aria_valuetext = "aria-valuetext",
    autocomplete = "autocomplete",
    disabled = "disabled",
    r#for = "for",
    hidden = "hidden",
    href = "href",
    id = "id",
    inputmode = "inputmode",
    max = "max",
    min = "min",
    name = "name",
    open = "open",
    readonly = "readonly",
    rel = "rel",
    role = "role",
    rows = "rows",
    scope = "scope",
    selected = "selected",
    spellcheck = "spellcheck",
    step = "step",
    tabindex = "tabindex",
    target = "target",
    title = "title",
    r#type = "type",
    value = "value",
}
