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
    /// An error for `field`, whose `value` is not `expected`.
    pub fn new(
        field: impl Into<String>,
        value: impl fmt::Display,
        expected: impl Into<String>,
    ) -> Self {
        Self {
            field: field.into(),
            value: value.to_string(),
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
