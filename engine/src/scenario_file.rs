//! A scenario as a file that people can read and change: what its address holds, in JSON.
//!
//! ```json
//! {
//!   "metastability": 1,
//!   "page": "basin",
//!   "scenario": {
//!     "s": 3,
//!     "amax": 2,
//!     "t": 2,
//!     "q0": 18,
//!     "rounds": 40,
//!     "do": "10:shock:25"
//!   }
//! }
//! ```

use crate::FieldError;
use crate::query::{QueryReader, QueryWriter, VERSION};
use serde_json::{Map, Number, Value};

/// Longest file that is read, in bytes.
pub const MAX_FILE_BYTES: usize = 1 << 16;

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioFile {
    /// The name of the page that shows the scenario.
    pub page: String,
    /// The scenario, as the address of that page holds it.
    pub query: String,
}

impl ScenarioFile {
    /// The file as text.
    ///
    /// # Errors
    /// Names what is wrong with the query.
    pub fn write(&self) -> Result<String, FieldError> {
        let pairs = QueryReader::new(&self.query)?.into_pairs();
        let scenario: Map<String, Value> = pairs
            .into_iter()
            .map(|(name, text)| (name, value(text)))
            .collect();
        let mut file = Map::new();
        file.insert("metastability".to_owned(), VERSION.into());
        file.insert("page".to_owned(), self.page.clone().into());
        file.insert("scenario".to_owned(), scenario.into());
        Ok(format!("{:#}\n", Value::Object(file)))
    }

    /// Reads a file. Whether its page and scenario are known is for the page to say.
    ///
    /// # Errors
    /// Says what is wrong with it: too large, not JSON, not a scenario, or of a version that is not known.
    pub fn read(bytes: &[u8]) -> Result<Self, FieldError> {
        check_size(bytes.len() as f64)?;
        // Some editors put a mark before the text.
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        let file = serde_json::from_slice(bytes).map_err(|error| {
            FieldError::new(
                "the file",
                format!("not JSON ({error})"),
                "a scenario that was saved here",
            )
        })?;
        let Value::Object(mut file) = file else {
            return Err(other_kind());
        };
        match file.remove("metastability") {
            None => return Err(other_kind()),
            Some(version) if version == VERSION => {}
            Some(version) => {
                return Err(FieldError::new(
                    "metastability",
                    shown(&version),
                    format!("{VERSION}: this page knows no other version of the file"),
                ));
            }
        }
        let page = match file.remove("page") {
            Some(Value::String(page)) => page,
            other => return Err(wrong("page", other.as_ref(), "the name of a page")),
        };
        let scenario = match file.remove("scenario") {
            Some(Value::Object(scenario)) => scenario,
            other => {
                return Err(wrong("scenario", other.as_ref(), "names with their values"));
            }
        };
        let mut query = QueryWriter::default();
        for (name, value) in scenario {
            match value {
                Value::String(text) => query.put(&name, text),
                Value::Number(number) => query.put(&name, number),
                other => return Err(wrong(&name, Some(&other), "a number or text")),
            }
        }
        if let Some((name, value)) = file.iter().next() {
            return Err(wrong(
                name,
                Some(value),
                "left out: this page knows no such part of a file",
            ));
        }
        Ok(Self {
            page,
            query: query.finish(),
        })
    }
}

/// Checks the size of a file, in bytes, before it is read.
///
/// # Errors
/// It is larger than [`MAX_FILE_BYTES`].
pub fn check_size(bytes: f64) -> Result<(), FieldError> {
    if bytes <= MAX_FILE_BYTES as f64 {
        return Ok(());
    }
    Err(FieldError::new(
        "the file",
        format!("{bytes} bytes long"),
        format!("at most {MAX_FILE_BYTES} bytes long"),
    ))
}

fn other_kind() -> FieldError {
    FieldError::new(
        "the file",
        "JSON of another kind",
        "a scenario that was saved here, which begins with \"metastability\"",
    )
}

fn wrong(name: &str, value: Option<&Value>, expected: &str) -> FieldError {
    FieldError::new(name, value.map_or("missing".to_owned(), shown), expected)
}

/// A value as it is shown in a refusal, cut where it is long.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        other => crate::field_error::cut(&other.to_string(), 40),
    }
}

/// A number where the text is one as JSON writes it, else the text.
fn value(text: String) -> Value {
    match text.parse::<Number>() {
        Ok(number) if number.to_string() == text => Value::Number(number),
        _ => Value::String(text),
    }
}
