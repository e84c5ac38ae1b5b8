//! Scenarios as text for an address: `v=1&s=3&q0=18&do=10:shock:25`.
//!
//! Short, readable and versioned. Reading refuses what it does not know by name, and never guesses.

use crate::FieldError;
use crate::field_error::cut;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::fmt;
use std::str::FromStr;

/// The version that is written, and the newest that can be read.
pub const VERSION: u32 = 1;

/// Longest text that is read, in bytes.
pub const MAX_LENGTH: usize = 1 << 16;

/// What is escaped: all but letters, digits, and marks that an address may hold as they are and that separate nothing
/// here.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b':')
    .remove(b',')
    .remove(b';')
    .remove(b'/')
    .remove(b'@');

/// Writes `name=value` pairs, the version first.
#[derive(Clone, Debug)]
pub struct QueryWriter {
    text: String,
}

impl Default for QueryWriter {
    fn default() -> Self {
        Self {
            text: format!("v={VERSION}"),
        }
    }
}

impl From<String> for QueryWriter {
    /// Goes on with a text that was written before.
    fn from(text: String) -> Self {
        Self { text }
    }
}

impl QueryWriter {
    /// Writes a value.
    pub fn put(&mut self, name: &str, value: impl fmt::Display) {
        let value = value.to_string();
        self.text.push('&');
        self.text.extend(utf8_percent_encode(name, ESCAPED));
        self.text.push('=');
        self.text.extend(utf8_percent_encode(&value, ESCAPED));
    }

    /// Writes a value unless it is the default.
    pub fn put_unless<T: fmt::Display + PartialEq>(&mut self, default: T, name: &str, value: T) {
        if value != default {
            self.put(name, value);
        }
    }

    /// The text.
    #[must_use]
    pub fn finish(self) -> String {
        self.text
    }
}

/// Hands out the values of a text by name; in the end none may be left.
#[derive(Clone, Debug)]
pub struct QueryReader {
    pairs: Vec<(String, String)>,
}

impl QueryReader {
    /// Splits `text` and checks its version. A text without one is of the first version.
    ///
    /// # Errors
    /// The text is too long, gives a value twice, or is of a version that is not known.
    pub fn new(text: &str) -> Result<Self, FieldError> {
        FieldError::check_range("length of the address", text.len(), 0, MAX_LENGTH)?;
        let pairs: Vec<(String, String)> = form_urlencoded::parse(text.as_bytes())
            .into_owned()
            .collect();
        for (i, (name, value)) in pairs.iter().enumerate() {
            if pairs[..i].iter().any(|(earlier, _)| earlier == name) {
                return Err(FieldError::new(name, quoted(value), "given only once"));
            }
        }
        let mut reader = Self { pairs };
        let version = reader.take("v", "a version number")?.unwrap_or(VERSION);
        if version != VERSION {
            return Err(FieldError::new(
                "v",
                version,
                format!("{VERSION}: this page knows no other version of the address"),
            ));
        }
        Ok(reader)
    }

    /// The value of `name` as it stands, if it is given.
    pub fn take_text(&mut self, name: &str) -> Option<String> {
        let at = self.pairs.iter().position(|(given, _)| given == name)?;
        Some(self.pairs.remove(at).1)
    }

    /// The value of `name`, if it is given.
    ///
    /// # Errors
    /// It cannot be read; the error says that it must be what `expected` says.
    pub fn take<T: FromStr>(
        &mut self,
        name: &str,
        expected: &str,
    ) -> Result<Option<T>, FieldError> {
        let Some(text) = self.take_text(name) else {
            return Ok(None);
        };
        let value = text.trim().parse();
        value
            .map(Some)
            .map_err(|_| FieldError::new(name, quoted(&text), expected))
    }

    /// Which of `known` the value of `name` is, if it is given.
    ///
    /// # Errors
    /// It is none of them; the error lists them.
    pub fn take_one_of(&mut self, name: &str, known: &[&str]) -> Result<Option<usize>, FieldError> {
        let Some(text) = self.take_text(name) else {
            return Ok(None);
        };
        match known.iter().position(|one| *one == text) {
            Some(index) => Ok(Some(index)),
            None => {
                let expected = format!("one of {}", known.join(", "));
                Err(FieldError::new(name, quoted(&text), expected))
            }
        }
    }

    /// Whether `name` is set: given as `1`, or with no value at all.
    ///
    /// # Errors
    /// It has some other value.
    pub fn take_flag(&mut self, name: &str) -> Result<bool, FieldError> {
        match self.take_text(name).as_deref() {
            None | Some("0") => Ok(false),
            Some("1" | "") => Ok(true),
            Some(other) => Err(FieldError::new(name, quoted(other), "0 or 1")),
        }
    }

    /// All that has not been taken, in the order in which it was given.
    #[must_use]
    pub fn into_pairs(self) -> Vec<(String, String)> {
        self.pairs
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// Names a value that nobody asked for.
    pub fn finish(self) -> Result<(), FieldError> {
        match self.pairs.first() {
            None => Ok(()),
            Some((name, value)) => Err(FieldError::new(
                name,
                quoted(value),
                "left out: this page knows no such part of an address",
            )),
        }
    }
}

/// A value as it is shown in a refusal.
pub(crate) fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    format!("'{}'", cut(text, LONGEST))
}
