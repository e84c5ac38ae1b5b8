//! Values of attributes, classes, styles and properties.

use leptos::prelude::{Get, MaybeProp, Memo, ReadSignal, RwSignal, Signal};
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

/// A value, or what follows it.
pub enum Setting {
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
    /// As a setting.
    fn into_setting(self) -> Setting;
}

/// What `view!` asks of a value; here it is the value.
pub trait IntoAttributeValue: Sized {
    /// The value itself.
    fn into_attribute_value(self) -> Self {
        self
    }
}

impl<T> IntoAttributeValue for T {}

impl IntoValue for Value {
    fn into_value(self) -> Value {
        self
    }
}

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

        impl IntoSetting for $number {
            fn into_setting(self) -> Setting {
                Setting::Fixed(self.into_value())
            }
        }
    )*};
}

numbers!(i32 u64 usize f32 f64);

impl<T: IntoValue> IntoSetting for Option<T> {
    fn into_setting(self) -> Setting {
        Setting::Fixed(self.into_value())
    }
}

macro_rules! fixed {
    ($($value:ty)*) => {$(
        impl IntoSetting for $value {
            fn into_setting(self) -> Setting {
                Setting::Fixed(self.into_value())
            }
        }
    )*};
}

fixed!(bool &'static str String);

impl<F: FnMut() -> T + 'static, T: IntoValue> IntoSetting for F {
    fn into_setting(mut self) -> Setting {
        Setting::Follows(Box::new(move || self().into_value()))
    }
}

macro_rules! followed {
    ($($signal:ident)*) => {$(
        impl<T: IntoValue + Clone + Send + Sync + 'static> IntoSetting for $signal<T> {
            fn into_setting(self) -> Setting {
                Setting::Follows(Box::new(move || self.get().into_value()))
            }
        }
    )*};
}

followed!(MaybeProp Memo ReadSignal RwSignal Signal);
