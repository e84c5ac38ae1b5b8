//! Leptos, with views of one type.
//!
//! Leptos gives every element a type of its own, made of those of its attributes and children, and the code that builds,
//! changes and removes it is compiled once for each. Here a [`View`](prelude::View) is a plain description, and that code is
//! there once; signals keep their values in one kind of storage for the same reason. Together they take a quarter off a page.
//! What follows what, the macros `view!` and `component` and the rest are Leptos's own. The macros write paths below
//! `::leptos`, so this crate is depended on by that name and has what they write in those places; it has the elements and
//! attributes that are used.

mod components;
mod element;
pub mod mount;
mod signal;
mod value;
mod view;

pub use leptos::{component, ev, leptos_dom, reactive, task, view};

/// What most files need.
pub mod prelude {
    pub use crate::children::{Children, ChildrenFn, ViewFn};
    pub use crate::components::{Provider, Show};
    pub use crate::element::NodeRef;
    pub use crate::signal::{
        ArcRwSignal, Callback, Effect, IntoReactiveValue, MaybeProp, Memo, ReadSignal, RwSignal,
        Signal, StoredValue, WriteSignal, signal,
    };
    pub use crate::value::IntoAttributeValue;
    pub use crate::view::{AnyView, CollectView, IntoAny, IntoRender, IntoView, View};
    pub use leptos::prelude::{
        LocalStorage, Owner, component, document, event_target, event_target_checked,
        event_target_value, expect_context, location, on_cleanup, provide_context,
        request_animation_frame, set_timeout, set_timeout_with_handle, untrack, use_context, view,
        window, window_event_listener,
    };
}

/// What stands between a component's tags.
pub mod children {
    use crate::view::{IntoView, View};
    use std::sync::Arc;

    /// Made once.
    pub type Children = Box<dyn FnOnce() -> View + Send>;
    /// Made as often as it is asked for.
    pub type ChildrenFn = Arc<dyn Fn() -> View + Send + Sync>;

    /// A view that is made as often as it is asked for.
    #[derive(Clone)]
    pub struct ViewFn(Arc<dyn Fn() -> View + Send + Sync>);

    impl ViewFn {
        /// Makes it.
        #[must_use]
        pub fn run(&self) -> View {
            (self.0)()
        }
    }

    impl<F: Fn() -> V + Send + Sync + 'static, V: IntoView> From<F> for ViewFn {
        fn from(f: F) -> Self {
            Self(Arc::new(move || f().into_view()))
        }
    }

    /// What `view!` makes of what stands between a component's tags.
    pub trait ToChildren<F> {
        /// The children that `f` makes.
        fn to_children(f: F) -> Self;
    }

    /// Children that are a text.
    #[derive(Debug)]
    pub struct ChildrenOptContainer<T>(pub T);

    impl<F: FnOnce() -> V + Send + 'static, V: IntoView> ToChildren<F> for Children {
        fn to_children(f: F) -> Self {
            Box::new(move || f().into_view())
        }
    }

    impl<T: IntoView + Send> ToChildren<ChildrenOptContainer<T>> for Children {
        fn to_children(text: ChildrenOptContainer<T>) -> Self {
            Box::new(move || text.0.into_view())
        }
    }

    impl<F: Fn() -> V + Send + Sync + 'static, V: IntoView> ToChildren<F> for ChildrenFn {
        fn to_children(f: F) -> Self {
            Arc::new(move || f().into_view())
        }
    }
}

/// What components below are given without being handed it.
pub mod context {
    pub use crate::components::Provider;
    pub use leptos::context::{provide_context, use_context};
}

/// Types of elements, for references to them.
pub mod html {
    pub use leptos::html::{Canvas, Dialog, Div, ElementType, Header, Main, Section};
}

/// What the macro `component` derives.
#[doc(hidden)]
pub use leptos::{typed_builder, typed_builder_macro};

/// Where `view!` looks for elements and events.
pub mod tachys {
    /// Elements of HTML.
    pub mod html {
        pub use crate::element::html as element;
        pub use crate::view::Markup as InertElement;
        pub use leptos::ev as event;
    }

    /// Elements of SVG.
    pub mod svg {
        pub use crate::element::svg::*;
        pub use crate::view::SvgMarkup as InertElement;
        pub use leptos::svg::Svg;
    }
}

pub use tachys::svg;
