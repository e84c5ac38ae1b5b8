//! Values of attributes, classes, styles and properties.

use crate::element::{Element, Part};
use crate::signal::{MaybeProp, Memo, ReadSignal, RwSignal, Signal};
use std::borrow::Cow;

/// A value as it is now.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// It is not there, or is false.
    No,
    /// It is there without a text, or is true.
    Yes,
    /// It is a text.
    Text(Cow<'static, str>),
}

/// A value, or what it follows.
pub(crate) enum Setting {
    /// It stays as it is.
    Fixed(Value),
    /// It is asked for anew whenever what it reads has changed.
    Follows(Box<dyn FnMut() -> Value>),
}

/// What can be a value as it is now.
pub trait IntoValue {
    /// As a value.
    fn into_value(self) -> Value;
}

/// What can be a value, or can be followed.
pub trait IntoSetting {
    /// Sets a part of an element to it.
    #[doc(hidden)]
    fn set_on(self, element: Element, part: Part, name: &'static str) -> Element;
}

/// What `view!` asks of a value; here it is the value.
pub trait IntoAttributeValue: Sized {
    /// The value itself.
    fn into_attribute_value(self) -> Self {
        self
    }
}

impl<T> IntoAttributeValue for T {}

impl IntoValue for bool {
    fn into_value(self) -> Value {
        if self { Value::Yes } else { Value::No }
    }
}

impl IntoValue for &'static str {
    fn into_value(self) -> Value {
        Value::Text(self.into())
    }
}

impl IntoValue for String {
    fn into_value(self) -> Value {
        Value::Text(self.into())
    }
}

impl<T: IntoValue> IntoValue for Option<T> {
    fn into_value(self) -> Value {
        self.map_or(Value::No, T::into_value)
    }
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl IntoValue for $number {
            fn into_value(self) -> Value {
                Value::Text(self.to_string().into())
            }
        }
    )*};
}

numbers!(i32 u64 usize f32 f64);

macro_rules! fixed {
    ($($value:ty)*) => {$(
        impl IntoSetting for $value {
            fn set_on(self, element: Element, part: Part, name: &'static str) -> Element {
                element.set_value(part, name, self.into_value())
            }
        }
    )*};
}

fixed!(bool String i32 u64 usize f32 f64);

impl IntoSetting for &'static str {
    fn set_on(self, element: Element, part: Part, name: &'static str) -> Element {
        element.set_text(part, name, self)
    }
}

impl<T: IntoValue> IntoSetting for Option<T> {
    fn set_on(self, element: Element, part: Part, name: &'static str) -> Element {
        element.set_value(part, name, self.into_value())
    }
}

impl<F: FnMut() -> T + 'static, T: IntoValue> IntoSetting for F {
    fn set_on(mut self, element: Element, part: Part, name: &'static str) -> Element {
        element.set_following(part, name, Box::new(move || self().into_value()))
    }
}

macro_rules! followed {
    ($($signal:ident)*) => {$(
        impl<T: IntoValue + Clone + 'static> IntoSetting for $signal<T> {
            fn set_on(self, element: Element, part: Part, name: &'static str) -> Element {
                (move || self.get()).set_on(element, part, name)
            }
        }
    )*};
}

followed!(MaybeProp Memo ReadSignal RwSignal Signal);
