//! The words of a program's command: what stands for a value in them, and which of them name files.
//! Here are the names in braces (`{trial}`, `{cutoff}`, `{goal}`, `{random}`, `{random64}` and
//! axes), the line of JSON of a request, and the hint where a name is not known.

use crate::experiment::spec::did_you_mean;
use crate::solver::Point;

/// What may stand in braces in a word of a command, beside the names of the axes.
const NAMES: [&str; 5] = ["trial", "cutoff", "goal", "random", "random64"];

/// The greatest number that `{random}` stands for: what C's `srand` and R's `set.seed` take.
const MOST_RANDOM: u64 = (1 << 31) - 1;

/// A trial of a point, as a program gets it.
pub struct Request<'a> {
    /// What is run.
    pub point: &'a Point,
    /// Index of the trial.
    pub trial: u32,
    /// The experiment's seed.
    pub seed: u64,
    /// The most updates that the trial may take.
    pub cutoff: u64,
    /// The first 64 bits of the trial's own stream.
    pub random: u64,
}

/// True if a word has something in braces that stands for a value.
pub fn has_name(words: &[String], axes: &[&str]) -> bool {
    let is_name = |name: &str| NAMES.contains(&name) || axes.contains(&name);
    words.iter().flat_map(|word| in_braces(word)).any(is_name)
}

/// Why something in braces in a word is probably a slip.
pub fn slip(word: &str, axes: &[&str]) -> Option<String> {
    let known = [axes, &NAMES].concat();
    if let Some(name) = spaced_name(word, &known) {
        return Some(format!(
            "blanks in braces, which are text; expected {{{name}}} for the value of {name}"
        ));
    }
    let unknown = in_braces(word).find(|name| {
        !known.contains(name) && (*name == "seed" || !did_you_mean(name, &known).is_empty())
    })?;
    let near = match unknown {
        "seed" => "; the seed of a trial is {random}, {random64} in 64 bits".to_owned(),
        name => did_you_mean(name, &known),
    };
    Some(format!(
        "unknown name {{{unknown}}}; expected one of {}{near}",
        known.join(", ")
    ))
}

/// A known name that has blanks around it in its braces.
fn spaced_name<'w>(word: &'w str, known: &[&str]) -> Option<&'w str> {
    let behind = word.split('{').skip(1);
    let mut inner = behind.filter_map(|text| Some(text.split_once('}')?.0));
    let spaced = inner.find(|text| text.trim() != *text && known.contains(&text.trim()));
    spaced.map(str::trim)
}

/// Each name that stands in braces.
fn in_braces(word: &str) -> impl Iterator<Item = &str> {
    let behind = word.split('{').skip(1);
    let names = behind.filter_map(|text| Some(text.split_once('}')?.0));
    let is_name_char = |c: char| c.is_ascii_alphanumeric() || c == '_';
    names.filter(move |name| !name.is_empty() && name.chars().all(is_name_char))
}

impl Request<'_> {
    /// The words with the values of this trial.
    pub fn filled(&self, words: &[String]) -> Vec<String> {
        let filled = words.iter().skip(1).map(|word| {
            let mut filled = word.clone();
            for name in in_braces(word) {
                if let Some(value) = self.value(name) {
                    filled = filled.replace(&format!("{{{name}}}"), &value);
                }
            }
            filled
        });
        words.first().cloned().into_iter().chain(filled).collect()
    }

    fn value(&self, name: &str) -> Option<String> {
        let value = match name {
            "trial" => self.trial.to_string(),
            "cutoff" => self.cutoff.to_string(),
            "random" => (1 + self.random % MOST_RANDOM).to_string(),
            "random64" => self.random.to_string(),
            "goal" => self.point.goal?.name().to_owned(),
            axis => self.point.axes.get(axis)?.to_string(),
        };
        Some(value)
    }

    /// The request as a line of JSON.
    pub fn line(&self) -> String {
        use std::fmt::Write as _;
        let Self {
            point,
            trial,
            seed,
            cutoff,
            random,
        } = self;
        let mut line = format!("{{\"algorithm\":\"{}\"", point.algorithm);
        let mut add = |text: std::fmt::Arguments| {
            line.write_fmt(text)
                .expect("writing to a String cannot fail");
        };
        for (name, value) in point.axes.by_name() {
            match value {
                crate::solver::Value::Integer(value) => add(format_args!(",\"{name}\":{value}")),
                crate::solver::Value::Real(value) => add(format_args!(",\"{name}\":{value:?}")),
            }
        }
        if let Some(goal) = point.goal {
            add(format_args!(",\"goal\":\"{}\"", goal.name()));
        }
        add(format_args!(
            ",\"experiment_seed\":{seed},\"trial\":{trial},\"cutoff\":{cutoff},\"random\":\"{random}\"}}\n"
        ));
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Value;

    fn point() -> Point {
        let axes = [("bias", Value::real(1.0)), ("size", Value::Integer(5))];
        Point::new("walk", axes)
    }

    fn request(point: &Point, random: u64) -> Request<'_> {
        Request {
            point,
            trial: 7,
            seed: 1,
            cutoff: 100,
            random,
        }
    }

    /// JSON readers lose bits above 2⁵³, so the random bits are a text; a real has a point.
    #[test]
    fn a_request_is_a_line_of_json() {
        let point = point();
        let line = request(&point, u64::MAX).line();
        assert_eq!(
            line,
            "{\"algorithm\":\"walk\",\"bias\":1.0,\"size\":5,\"experiment_seed\":1,\"trial\":7,\
             \"cutoff\":100,\"random\":\"18446744073709551615\"}\n"
        );
    }

    #[test]
    fn names_in_braces_are_filled_and_other_braces_are_text() {
        let point = point();
        let words = [
            "./{size}",
            "--l={size},{bias}",
            "{trial}{",
            "{x}",
            "{}",
            "{random}",
        ];
        let words = words.map(str::to_owned);
        let filled = request(&point, MOST_RANDOM).filled(&words);
        let expected = ["./{size}", "--l=5,1", "7{", "{x}", "{}", "1"];
        assert_eq!(filled, expected);
        let greatest = request(&point, MOST_RANDOM - 1).filled(&words);
        assert_eq!(greatest[5], MOST_RANDOM.to_string());
    }

    #[test]
    fn a_name_that_is_nearly_known_is_a_slip() {
        let axes = ["size"];
        assert!(slip("{sise}", &axes).is_some_and(|words| words.contains("size")));
        assert!(slip("{seed}", &axes).is_some_and(|words| words.contains("{random}")));
        assert!(slip("{ size }", &axes).is_some_and(|words| words.contains("expected {size}")));
        assert_eq!(slip("{size} {print $1}", &axes), None);
        assert_eq!(slip("{ print $1 }", &axes), None);
        assert!(has_name(&["a".to_owned(), "{random64}".to_owned()], &axes));
        assert!(!has_name(&["{x}".to_owned()], &axes));
    }
}
