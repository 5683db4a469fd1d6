//! Damaged specs: whatever is done to a real text, reading it ends soon, in a plan or in one
//! sentence.

use reines::experiment::plan::Plan;
use reines::experiment::spec;

use crate::program::Draws;
use crate::spec::{GOOD, parse, shipped};

/// Cases of each fuzz test.
pub fn cases() -> u64 {
    crate::effort(500, 100_000)
}

/// Draws damages.
pub struct Damage(Draws);

impl Damage {
    /// The damages of a case.
    pub fn new(case: u64) -> Self {
        Self(Draws::new(case))
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
    }

    /// Removes, doubles, swaps or replaces something of `text`, on whole characters.
    pub fn apply(&mut self, text: &str) -> String {
        let chars: Vec<char> = text.chars().collect();
        let (a, b) = (self.below(chars.len() + 1), self.below(chars.len() + 1));
        let (from, to) = (a.min(b), a.max(b).min(a.min(b) + 40));
        let [start, middle, end] = [&chars[..from], &chars[from..to], &chars[to..]]
            .map(|part| part.iter().collect::<String>());
        match self.below(5) {
            0 => start + &end,
            1 => start + &middle + &middle + &end,
            2 => start + FRAGMENTS[self.below(FRAGMENTS.len())] + &middle + &end,
            3 => start + FRAGMENTS[self.below(FRAGMENTS.len())] + &end,
            _ => self.renumber(text),
        }
    }

    /// Replaces one number of `text` by a hostile one.
    fn renumber(&mut self, text: &str) -> String {
        let digits: Vec<_> = text
            .match_indices(|c: char| c.is_ascii_digit())
            .map(|(place, _)| place)
            .collect();
        let Some(&place) = digits.get(self.below(digits.len().max(1))) else {
            return text.to_owned();
        };
        let end = text[place..]
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '_')
            .map_or(text.len(), |length| place + length);
        format!(
            "{}{}{}",
            &text[..place],
            NUMBERS[self.below(NUMBERS.len())],
            &text[end..]
        )
    }
}

const NUMBERS: [&str; 22] = [
    "0",
    "-1",
    "1e9",
    "1e-9",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e300",
    "5e-324",
    "-0.0",
    "nan",
    "-inf",
    "0x_",
    "0xffffffffffffffffffffffffffffffffffff",
    "1e",
    "9007199254740993.0",
    "[]",
    "[[8]]",
    "{ from = 1, to = 64, points = 4294967295 }",
];

const FRAGMENTS: [&str; 26] = [
    "[[sweep]]\n",
    "[sweep]\n",
    "[[figure]]\n",
    "[[",
    "]]",
    "{",
    "}",
    "\"",
    "'''",
    "\n",
    "\r",
    "\0",
    "\u{feff}",
    "é",
    "=",
    ".",
    ",",
    "#",
    "-",
    "eta = { from = 0, to = 1, step = 1e-300 }\n",
    "epsilon = { from = 1e-300, to = 1, points = 100000, scale = \"log\" }\n",
    "seeds = [1, 2]\n",
    "title = \"a\"\nsource = \"\"\"\n",
    "n.from = 1\nn.to = 64\nn.step = 1\n",
    "trials = 4294967295\n",
    "trials = [30, 4294967295]\n",
];

#[test]
fn damaged_specs_end_in_a_plan_or_in_one_sentence() {
    let mut texts: Vec<String> = shipped().into_iter().map(|(_, text)| text).collect();
    texts.push(GOOD.to_owned());
    let (mut planned, mut refused) = (0, 0);
    for case in 1..=cases() {
        let mut damage = Damage::new(case);
        let mut text = texts[damage.below(texts.len())].clone();
        for _ in 0..=damage.below(3) {
            text = damage.apply(&text);
        }
        let parsed = spec::parse("small", "small.toml", &text);
        let outcome = parsed
            .map_err(|error| error.to_string())
            .and_then(|spec| Plan::new(&spec).map_err(|error| error.to_string()));
        match outcome {
            Ok(plan) => {
                planned += 1;
                // Searches count checks, not updates.
                let has_work = plan.worst_case_updates() > 0
                    || plan
                        .points
                        .iter()
                        .all(|planned| planned.point.goal.is_some());
                assert!(
                    !plan.points.is_empty() && plan.trials() > 0 && has_work,
                    "{text}"
                );
                assert!(
                    plan.points
                        .windows(2)
                        .all(|pair| pair[0].point != pair[1].point),
                    "{text}"
                );
            }
            Err(sentence) => {
                refused += 1;
                let sane = |sentence: &str| {
                    sentence.starts_with("small.toml")
                        && !sentence.chars().any(char::is_control)
                        && sentence.chars().count() < 600
                };
                assert!(sane(&sentence), "{sentence:?}\n{text}");
            }
        }
    }
    assert!(
        planned > cases() / 20 && refused > cases() / 4,
        "the damages are too mild or too harsh: {planned} planned, {refused} refused"
    );
}

#[test]
fn deep_nesting_and_long_words_end_soon() {
    for (open, close) in [("[", "]"), ("{a = ", "}"), ("a.", "a = 1")] {
        let text = format!(
            "seed = 1\nn = {}{}",
            open.repeat(100_000),
            close.repeat(100_000)
        );
        assert!(parse(&text).is_err());
        assert!(parse(&format!("seed = 1\n{}", open.repeat(100_000))).is_err());
    }
    let word = "epsilon".repeat(100_000);
    let sentence = parse(&format!("seed = 1\n{word} = 2\n"))
        .err()
        .expect("unknown key")
        .to_string();
    assert!(sentence.chars().count() < 300, "{}", sentence.len());
}
