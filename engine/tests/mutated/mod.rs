//! Texts that were good and then were changed: what people and programs make of an address on its way.

use proptest::prelude::*;

/// One change of a text, at a place given as a share of its length.
#[derive(Clone, Debug)]
enum Edit {
    Insert(f64, char),
    Replace(f64, char),
    Remove(f64),
    Cut(f64),
    Repeat(f64, f64),
}

impl Edit {
    fn apply(&self, text: &mut Vec<char>) {
        let at = |share: f64, length: usize| ((share * length as f64) as usize).min(length);
        let length = text.len();
        match *self {
            Edit::Insert(share, char) => text.insert(at(share, length), char),
            Edit::Replace(share, char) => {
                if let Some(place) = text.get_mut(at(share, length)) {
                    *place = char;
                }
            }
            Edit::Remove(share) => {
                if at(share, length) < length {
                    text.remove(at(share, length));
                }
            }
            Edit::Cut(share) => text.truncate(at(share, length)),
            Edit::Repeat(one, other) => {
                let (from, until) = (at(one.min(other), length), at(one.max(other), length));
                text.extend_from_within(from..until);
            }
        }
    }
}

fn any_edit() -> impl Strategy<Value = Edit> {
    let share = 0.0..1.0_f64;
    let char = prop_oneof![
        prop::sample::select("0123456789-.:;,&=%+|_x{}[]\"".chars().collect::<Vec<_>>()),
        any::<char>(),
    ];
    prop_oneof![
        (share.clone(), char.clone()).prop_map(|(at, char)| Edit::Insert(at, char)),
        (share.clone(), char).prop_map(|(at, char)| Edit::Replace(at, char)),
        share.clone().prop_map(Edit::Remove),
        share.clone().prop_map(Edit::Cut),
        (share.clone(), share).prop_map(|(one, other)| Edit::Repeat(one, other)),
    ]
}

/// A text of `good` after some changes.
pub fn mutated(good: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    (good, prop::collection::vec(any_edit(), 1..4)).prop_map(|(text, edits)| {
        let mut chars = text.chars().collect();
        for edit in edits {
            edit.apply(&mut chars);
        }
        chars.into_iter().collect()
    })
}
