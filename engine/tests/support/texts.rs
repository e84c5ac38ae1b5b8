//! Texts to read: good ones, and what comes of them by small mistakes.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Numbers at which readers err.
const NUMBERS: [&str; 18] = [
    "",
    "0",
    "-0",
    "-1",
    "1",
    "00",
    "65535",
    "65536",
    "2147483648",
    "2147483649",
    "4294967296",
    "9007199254740993",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "1e999",
    "-1e-999",
    "NaN",
];

/// Marks with a meaning to some reader.
const MARKS: &str =
    "0123456789-+.,:;=&?%#'\"\\{}[]()<>/@ \t\n\r\0abcdefnulltrueZ\u{7f}é€𝛑\u{202e}\u{feff}";

/// An endless source of texts, the same for the same seed.
pub struct Texts {
    rng: Pcg64Mcg,
    good: Vec<Vec<char>>,
    marks: Vec<char>,
}

impl Texts {
    /// Texts like the `good` ones.
    pub fn new(seed: u64, good: &[&str]) -> Self {
        Self {
            rng: Pcg64Mcg::seed_from_u64(seed),
            good: good.iter().map(|text| text.chars().collect()).collect(),
            marks: MARKS.chars().collect(),
        }
    }

    /// One more.
    pub fn draw(&mut self) -> String {
        let mut text = match self.below(20) {
            0 => (0..self.below(40)).map(|_| self.mark()).collect(),
            _ => self.any_good(),
        };
        for _ in 0..self.below(5) {
            self.spoil(&mut text);
        }
        text.into_iter().collect()
    }

    fn below(&mut self, bound: usize) -> usize {
        self.rng.random_range(0..bound)
    }

    fn any_good(&mut self) -> Vec<char> {
        let which = self.below(self.good.len());
        self.good[which].clone()
    }

    fn mark(&mut self) -> char {
        match self.below(16) {
            0 => char::from_u32(self.rng.random_range(0..0x11_0000)).unwrap_or('\u{fffd}'),
            _ => {
                let which = self.below(self.marks.len());
                self.marks[which]
            }
        }
    }

    /// A part of `text`, from where to where.
    fn part(&mut self, text: &[char]) -> std::ops::Range<usize> {
        let ends = [self.below(text.len() + 1), self.below(text.len() + 1)];
        ends[0].min(ends[1])..ends[0].max(ends[1])
    }

    fn spoil(&mut self, text: &mut Vec<char>) {
        let at = self.below(text.len() + 1);
        match self.below(7) {
            0 => {
                let mark = self.mark();
                text.insert(at, mark);
            }
            1 if at < text.len() => text[at] = self.mark(),
            2 => text.truncate(at),
            3 => {
                let part = self.part(text);
                text.drain(part);
            }
            4 => {
                let part = self.part(text);
                let twice = text[part].to_vec();
                text.splice(at..at, twice);
            }
            5 => {
                let other = self.any_good();
                let part = self.part(&other);
                text.splice(at..at, other[part].iter().copied());
            }
            _ => {
                // A number in place of another.
                let Some(start) = (at..text.len()).find(|&i| text[i].is_ascii_digit()) else {
                    return;
                };
                let digits = text[start..].iter().take_while(|c| c.is_ascii_digit());
                let end = start + digits.count();
                let number = NUMBERS[self.below(NUMBERS.len())];
                text.splice(start..end, number.chars());
            }
        }
    }
}

/// How many texts to try: as many as `INPUTS` says, or else a few.
pub fn inputs() -> usize {
    std::env::var("INPUTS").map_or(4_000, |text| text.parse().expect("INPUTS is a number"))
}

/// Where the texts begin: with what `SEED` says, or else always at the same ones.
pub fn seed() -> u64 {
    std::env::var("SEED").map_or(1, |text| text.parse().expect("SEED is a number"))
}

/// Has `reader` read `count` texts like the `good` ones. What makes it panic is printed.
pub fn try_reader(name: &str, count: usize, good: &[&str], mut reader: impl FnMut(&str) -> bool) {
    let mut texts = Texts::new(seed(), good);
    for text in good {
        assert!(reader(text), "{name} refuses {text:?}");
    }
    let mut accepted = 0;
    for _ in 0..count {
        let text = texts.draw();
        let read = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| reader(&text)));
        match read {
            Ok(is_accepted) => accepted += usize::from(is_accepted),
            Err(panic) => {
                eprintln!("{name} panics on {text:?}");
                std::panic::resume_unwind(panic);
            }
        }
    }
    println!("{name}: {count} texts read, {accepted} of them accepted");
}
