//! Words and numbers as people write them, without the tables that Rust's own functions would bring: those of all the
//! world's letters and of exact decimals are 30 kB of each program, and a third of that after compression.

use wasm_bindgen::JsValue;

/// The words with a capital at their start, if they begin with a plain letter.
#[must_use]
pub fn capitalised(words: &str) -> String {
    let mut words = words.to_owned();
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

/// The finite number that `text` is in decimal digits, such as `-2.5` or `1e3`; read by the browser.
#[must_use]
pub fn number_in(text: &str) -> Option<f64> {
    let has_digits = text.contains(|c: char| c.is_ascii_digit());
    // The browser would also take other bases and words.
    let is_decimal = text
        .chars()
        .all(|c| c.is_ascii_digit() || "+-.eE".contains(c));
    let number = JsValue::from_str(text).unchecked_into_f64();
    (has_digits && is_decimal && number.is_finite()).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn decimals_are_numbers_and_nothing_else_is() {
        for (text, number) in [("3", 3.0), ("-2.5", -2.5), ("1e3", 1_000.0), (".5", 0.5)] {
            assert_eq!(number_in(text), Some(number), "{text}");
        }
        for text in [
            "", " ", "e", "-", "0x10", "0b1", "NaN", "Infinity", "1e999", "2 3", "1,5",
        ] {
            assert_eq!(number_in(text), None, "{text}");
        }
    }

    #[wasm_bindgen_test]
    fn only_a_plain_first_letter_is_made_a_capital() {
        assert_eq!(capitalised("retry budget"), "Retry budget");
        assert_eq!(capitalised("3 retries"), "3 retries");
        assert_eq!(capitalised("“quoted”"), "“quoted”");
        assert_eq!(capitalised(""), "");
    }
}
