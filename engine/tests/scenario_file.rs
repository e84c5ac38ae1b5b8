//! Scenarios as files: what is saved is opened as it was, and whatever else is dropped is refused in words.

mod mutated;

use engine::scenario_file::{MAX_FILE_BYTES, ScenarioFile};
use mutated::mutated;
use proptest::prelude::*;

fn file(page: &str, query: &str) -> ScenarioFile {
    ScenarioFile {
        page: page.to_owned(),
        query: query.to_owned(),
    }
}

fn any_file() -> impl Strategy<Value = ScenarioFile> {
    let text = prop_oneof!["[a-z0-9:;,._-]{0,20}", "[0-9]{1,20}(\\.[0-9]{1,5})?"];
    let pairs = prop::collection::btree_map("[a-z][a-z0-9._-]{1,12}", text, 0..8);
    ("[a-z]{1,10}", pairs).prop_map(|(page, pairs)| {
        let pairs = pairs.iter().map(|(name, text)| format!("&{name}={text}"));
        ScenarioFile {
            page,
            query: format!("v=1{}", pairs.collect::<String>()),
        }
    })
}

proptest! {
    #[test]
    fn a_file_is_opened_as_it_was_saved(file in any_file()) {
        let text = file.write().expect("a good query");
        prop_assert_eq!(ScenarioFile::read(text.as_bytes()), Ok(file));
    }

    #[test]
    fn any_bytes_are_a_scenario_or_a_refusal(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = ScenarioFile::read(&bytes);
    }

    #[test]
    fn a_changed_file_is_refused_or_is_one_that_saves_again(
        text in mutated(any_file().prop_map(|file| file.write().expect("a good query"))),
    ) {
        if let Ok(file) = ScenarioFile::read(text.as_bytes()) {
            // What it holds can still be no scenario; that is for the page to say.
            if let Ok(text) = file.write() {
                prop_assert_eq!(ScenarioFile::read(text.as_bytes()), Ok(file));
            }
        }
    }
}

#[test]
fn a_file_can_be_read_by_people() {
    let saved = file(
        "basin",
        "v=1&s=3&q0=18&arrivals=random:7&do=10:shock:25&at=12.1",
    );
    assert_eq!(
        saved.write().unwrap(),
        r#"{
  "metastability": 1,
  "page": "basin",
  "scenario": {
    "s": 3,
    "q0": 18,
    "arrivals": "random:7",
    "do": "10:shock:25",
    "at": 12.1
  }
}
"#
    );
}

#[test]
fn a_bad_file_is_refused_in_words() {
    for (text, message) in [
        (
            "[1]",
            "the file is JSON of another kind, but must be a scenario that was saved here, which begins with \
             \"metastability\"",
        ),
        (
            r#"{"page": "basin"}"#,
            "the file is JSON of another kind, but must be a scenario that was saved here, which begins with \
             \"metastability\"",
        ),
        (
            r#"{"metastability": 2, "page": "basin", "scenario": {}}"#,
            "metastability is 2, but must be 1: this page knows no other version of the file",
        ),
        (
            r#"{"metastability": 1, "scenario": {}}"#,
            "page is missing, but must be the name of a page",
        ),
        (
            r#"{"metastability": 1, "page": "basin"}"#,
            "scenario is missing, but must be names with their values",
        ),
        (
            r#"{"metastability": 1, "page": "basin", "scenario": {"s": [3]}}"#,
            "s is a list, but must be a number or text",
        ),
        (
            r#"{"metastability": 1, "page": "basin", "scenario": {}, "colour": "red"}"#,
            "colour is \"red\", but must be left out: this page knows no such part of a file",
        ),
    ] {
        let error = ScenarioFile::read(text.as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
    for bytes in [&b"hello"[..], b"", b"\xff\xfe"] {
        let error = ScenarioFile::read(bytes).unwrap_err().to_string();
        assert!(
            error.starts_with("the file is not JSON (")
                && error.ends_with("a scenario that was saved here"),
            "{error}"
        );
    }
    let large = vec![b' '; MAX_FILE_BYTES + 1];
    assert_eq!(
        ScenarioFile::read(&large).unwrap_err().to_string(),
        "the file is 65537 bytes long, but must be at most 65536 bytes long"
    );
}
