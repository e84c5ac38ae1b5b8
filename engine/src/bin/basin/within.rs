//! Reading numbers within a range.

/// A reader of a whole number from `low` to `high`, whose refusal names the range.
pub fn within(low: u64, high: u64) -> impl Fn(&str) -> Result<u64, String> + Clone {
    move |text| match text.trim().parse() {
        Ok(value) if (low..=high).contains(&value) => Ok(value),
        _ => Err(format!("must be a whole number from {low} to {high}")),
    }
}
