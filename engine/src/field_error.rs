//! What is wrong with an input: which field, what it was, and what it may be.

use std::fmt;

/// An input out of its range. Shown to people as it stands, so it names the field as they see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// The field, as its reader knows it, such as `s` or `arrivals[3]`.
    pub field: String,
    /// The offending value.
    pub value: String,
    /// What is accepted, completing "must be …".
    pub expected: String,
}

impl FieldError {
    /// An error for `field`, whose `value` is not `expected`. Of a long value or name the start is kept: it is shown to
    /// people, and whoever wrote it knows the rest.
    pub fn new(
        field: impl Into<String>,
        value: impl fmt::Display,
        expected: impl Into<String>,
    ) -> Self {
        Self {
            field: cut(&field.into(), LONGEST),
            value: cut(&value.to_string(), LONGEST),
            expected: expected.into(),
        }
    }

    /// Checks that `value` lies in `low..=high`.
    ///
    /// # Errors
    /// Names the field, the value and the range if it does not.
    pub fn check_range<T: PartialOrd + fmt::Display>(
        field: &str,
        value: T,
        low: T,
        high: T,
    ) -> Result<(), Self> {
        if value >= low && value <= high {
            return Ok(());
        }
        Err(Self::new(field, value, format!("from {low} to {high}")))
    }
}

/// Most characters of a name or a value in an error.
const LONGEST: usize = 80;

/// The first `most` characters of `text`.
pub(crate) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} is {}, but must be {}",
            self.field, self.value, self.expected
        )
    }
}

impl std::error::Error for FieldError {}
