//! What a program answers: a JSON object, or words `name=value`, and the outcome that it is. Here
//! is decided which outcome an answer has (a time or a word), what is censored at the cutoff, which
//! values a column takes, and the messages of answers that are refused.

use std::fmt::Display;

use serde_json::{Map, Value as Json};

use super::process::quoted;
use crate::experiment::spec::did_you_mean;
use crate::experiment::spec::number::MOST_INTEGER;
use crate::solver::outcome::{ABSORPTION_TIME, Field, HITTING_TIME, Kind, UPDATES};
use crate::solver::{Column, Ending, Outcome, OwnValue};

/// The key of how a trial ended.
const OUTCOME: &str = "outcome";
/// The key of a program's own error.
const ERROR: &str = "error";

/// What an answer is read by.
pub struct Reader {
    /// The columns that the program fills, its own and those that it shares.
    pub columns: Vec<Column>,
    /// True of a search.
    pub is_search: bool,
    /// True if the program may not know the cutoff: a time above it is censored there.
    pub censors: bool,
}

/// A value of an answer, as it was written.
enum Found {
    Json(Json),
    Word(String),
}

impl Display for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Json(Json::String(text)) => f.write_str(&quoted(text)),
            Self::Json(value) => f.write_str(&value.to_string()),
            Self::Word(word) => f.write_str(&quoted(word)),
        }
    }
}

impl Reader {
    /// The outcome that a line tells.
    ///
    /// # Errors
    /// A sentence that says what is wrong with it.
    pub fn outcome(&self, line: &str, cutoff: u64) -> Result<Outcome, String> {
        let mut outcome = Outcome::ended(Ending::Censored);
        let mut ending = None;
        for (name, found) in fields(line)? {
            match &*name {
                ERROR => return Err(format!("the program says: {found}")),
                OUTCOME => ending = Some(self.ending(&found)?),
                name => self.put(&mut outcome, name, found)?,
            }
        }
        self.cut(&mut outcome, cutoff)?;
        outcome.ending = self.ending_of(&outcome, ending)?;
        self.count_updates(&mut outcome, cutoff)?;
        Ok(outcome)
    }

    /// Fills in the updates of a trial that has a time; a trial ends with its absorption.
    fn count_updates(&self, outcome: &mut Outcome, cutoff: u64) -> Result<(), String> {
        if !self.has(UPDATES) || self.is_search {
            return Ok(());
        }
        let end = outcome.absorption_time;
        match (outcome.updates, end) {
            (None, _) => {
                // Of a program that tells hitting times alone a trial ends with the hit.
                let ends_at_hit = !self.has(ABSORPTION_TIME) && outcome.ending == Ending::Absorbed;
                let hit = outcome.hitting_time.filter(|_| ends_at_hit);
                outcome.updates = Some(end.or(hit).unwrap_or(cutoff));
            }
            (Some(updates), Some(end)) if updates != end => {
                return Err(format!(
                    "{UPDATES} = {updates} with {ABSORPTION_TIME} = {end}: expected the same number, since a trial ends with its absorption"
                ));
            }
            _ => {}
        }
        Ok(())
    }

    fn has(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column.name == name)
    }

    fn ending(&self, found: &Found) -> Result<Ending, String> {
        let word = match found {
            Found::Json(Json::String(word)) | Found::Word(word) => word,
            Found::Json(_) => "",
        };
        let known = match self.is_search {
            true => [Ending::Exhausted, Ending::Solved, Ending::Censored].as_slice(),
            false => &[Ending::Absorbed, Ending::Censored],
        };
        let ending = known.iter().find(|ending| ending.name() == word);
        ending.copied().ok_or_else(|| {
            let words: Vec<&str> = known.iter().map(|ending| ending.name()).collect();
            format!("outcome = {found}: expected {}", words.join(" or "))
        })
    }

    /// The ending of what was found, which must agree with the word that was given.
    fn ending_of(&self, outcome: &Outcome, given: Option<Ending>) -> Result<Ending, String> {
        if self.is_search {
            return given.ok_or_else(|| {
                "no outcome; expected exhausted, solved or censored from a search".to_owned()
            });
        }
        if !self.has(ABSORPTION_TIME) {
            return Ok(given.unwrap_or(match outcome.hitting_time {
                None if self.has(HITTING_TIME) => Ending::Censored,
                _ => Ending::Absorbed,
            }));
        }
        let told = match outcome.absorption_time {
            Some(_) => Ending::Absorbed,
            None => Ending::Censored,
        };
        match given {
            // The time that it has gone beyond the cutoff is not known to the program.
            Some(Ending::Absorbed) if self.censors => Ok(told),
            Some(given) if given != told => Err(format!(
                "outcome = {:?} with {ABSORPTION_TIME} = {}: expected {:?}",
                given.name(),
                shown(outcome.absorption_time),
                told.name()
            )),
            _ => Ok(told),
        }
    }

    /// Refuses times above the cutoff, or has them censored there.
    fn cut(&self, outcome: &mut Outcome, cutoff: u64) -> Result<(), String> {
        let times = [
            (ABSORPTION_TIME, &mut outcome.absorption_time),
            (HITTING_TIME, &mut outcome.hitting_time),
        ];
        for (name, time) in times {
            match *time {
                Some(_) if self.is_search => {}
                Some(above) if above > cutoff && self.censors => *time = None,
                Some(above) if above > cutoff => {
                    return Err(format!(
                        "{name} = {above} above the cutoff {cutoff}; expected no time of a trial that is censored"
                    ));
                }
                _ => {}
            }
        }
        match outcome.updates {
            Some(above) if above > cutoff && self.censors => outcome.updates = Some(cutoff),
            Some(above) if above > cutoff && !self.is_search => {
                return Err(format!("updates = {above} above the cutoff {cutoff}"));
            }
            _ => {}
        }
        Ok(())
    }

    /// Puts a value into its column.
    fn put(&self, outcome: &mut Outcome, name: &str, found: Found) -> Result<(), String> {
        let Some(column) = self.columns.iter().find(|column| column.name == name) else {
            let names = self.columns.iter().map(|column| column.name);
            let known: Vec<&str> = names.chain([OUTCOME, ERROR]).collect();
            let near = did_you_mean(name, &known);
            let expected = known.join(", ");
            return Err(format!(
                "unknown column {}; expected {expected}{near}",
                quoted(name)
            ));
        };
        if matches!(found, Found::Json(Json::Null)) {
            return Ok(());
        }
        let wrong = |expected: &str| Err(format!("{name} = {found}: expected {expected}"));
        match column.field {
            Field::Count(_, put) => match count(&found) {
                Some(count) => *put(outcome) = Some(count),
                None => return wrong(COUNT),
            },
            Field::Board(_, put) => match board(&found) {
                Some(board) => *put(outcome) = Some(board),
                None => return wrong("the row of the queen in each column"),
            },
            Field::Own(Kind::Count) => match count(&found) {
                Some(count) => outcome.own.set(column.name, OwnValue::Count(count)),
                None => return wrong(COUNT),
            },
            Field::Own(Kind::Real) => match real(&found) {
                Some(real) => outcome.own.set(column.name, OwnValue::Real(real)),
                None => return wrong("a finite number"),
            },
            Field::Own(Kind::Text) => match text(&found) {
                Some(text) => outcome.own.set(column.name, OwnValue::Text(text.into())),
                None => return wrong("a text"),
            },
        }
        Ok(())
    }
}

const COUNT: &str = "an integer from 0 to 9223372036854775807";

fn shown(time: Option<u64>) -> String {
    time.map_or_else(|| "null".to_owned(), |time| time.to_string())
}

/// The names and values of a line.
fn fields(line: &str) -> Result<Vec<(String, Found)>, String> {
    let line = line.trim();
    if line.is_empty() {
        return Err("an empty line; expected an answer".to_owned());
    }
    if line.starts_with('{') {
        let object: Result<Map<String, Json>, _> = serde_json::from_str(line);
        let object = object.map_err(|error| {
            let finite = ["NaN", "Infinity"].iter().any(|word| line.contains(word));
            let hint = match finite {
                true => "; JSON has finite numbers alone",
                false => "",
            };
            format!("answered {}: {error}{hint}", quoted(line))
        })?;
        let fields = object.into_iter();
        return Ok(fields
            .map(|(name, value)| (name, Found::Json(value)))
            .collect());
    }
    let word = |word: &str| {
        let (name, value) = word.split_once('=')?;
        (!name.is_empty()).then(|| (name.to_owned(), Found::Word(value.to_owned())))
    };
    let words: Option<Vec<(String, Found)>> = line.split_whitespace().map(word).collect();
    words.ok_or_else(|| {
        format!(
            "answered {}: expected a JSON object, or words name=value",
            quoted(line)
        )
    })
}

fn count(found: &Found) -> Option<u64> {
    let count = match found {
        Found::Json(Json::Number(number)) => number.as_u64()?,
        Found::Word(word) => word.parse().ok()?,
        Found::Json(_) => return None,
    };
    (count <= MOST_INTEGER).then_some(count)
}

fn real(found: &Found) -> Option<f64> {
    let real: f64 = match found {
        Found::Json(Json::Number(number)) => number.as_f64()?,
        Found::Word(word) => word.parse().ok()?,
        Found::Json(_) => return None,
    };
    // −0 is 0, as on every axis.
    real.is_finite().then_some(real + 0.0)
}

fn text(found: &Found) -> Option<&str> {
    match found {
        Found::Json(Json::String(text)) | Found::Word(text) => Some(text),
        Found::Json(_) => None,
    }
}

fn board(found: &Found) -> Option<Box<[u32]>> {
    match found {
        Found::Json(Json::Array(rows)) => {
            let row = |row: &Json| u32::try_from(row.as_u64()?).ok();
            rows.iter().map(row).collect()
        }
        Found::Word(word) => word.split(',').map(|row| row.parse().ok()).collect(),
        Found::Json(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(fills: &[&str]) -> Reader {
        let shared = fills.iter().map(|name| Column::named(name));
        let own = [
            ("energy", Kind::Real),
            ("turns", Kind::Count),
            ("end", Kind::Text),
        ];
        let own = own.map(|(name, kind)| Column::own(name, "", kind));
        Reader {
            columns: shared.chain(own).collect(),
            is_search: false,
            censors: false,
        }
    }

    fn read(line: &str) -> Result<Outcome, String> {
        reader(&["absorption_time", "updates"]).outcome(line, 100)
    }

    #[test]
    fn both_forms_of_an_answer_are_the_same_outcome() {
        let json = "{\"absorption_time\": 7, \"energy\": -0.1, \"turns\": 3, \"end\": \"left\"}";
        let words = "absorption_time=7 energy=-1e-1 turns=3 end=left";
        let [json, words] = [json, words].map(read);
        assert_eq!(json, words);
        let outcome = json.expect("an answer");
        assert_eq!(outcome.ending, Ending::Absorbed);
        assert_eq!(
            (outcome.absorption_time, outcome.updates),
            (Some(7), Some(7))
        );
        assert_eq!(outcome.own.get("energy"), Some(&OwnValue::Real(-0.1)));
    }

    /// A number is read as it was written: these three have their nearest double in the last digit
    /// alone, and a reader that multiplies by a power of ten misses one of them.
    #[test]
    fn a_real_is_the_nearest_double_of_what_was_written() {
        for text in [
            "0.1234567890123456789",
            "9007199254740993.5e-23",
            "5e-324",
            "1.7976931348623157e308",
        ] {
            let outcome = read(&format!("{{\"energy\": {text}}}")).expect("a number");
            let expected: f64 = text.parse().expect("a number");
            assert_eq!(outcome.own.get("energy"), Some(&OwnValue::Real(expected)));
        }
    }

    #[test]
    fn without_a_time_a_trial_is_censored_at_its_cutoff() {
        for line in ["{}", "{\"absorption_time\": null}", "outcome=censored"] {
            let outcome = read(line).expect(line);
            assert_eq!(
                (outcome.ending, outcome.updates),
                (Ending::Censored, Some(100))
            );
        }
        let bare = reader(&[]).outcome("energy=1", 100).expect("no time");
        assert_eq!((bare.ending, bare.updates), (Ending::Absorbed, None));
        let of_hits = reader(&["hitting_time", "updates"]);
        for (line, ending, updates) in [
            ("hitting_time=7", Ending::Absorbed, 7),
            ("{\"hitting_time\": null}", Ending::Censored, 100),
            ("hitting_time=7 outcome=censored", Ending::Censored, 100),
            ("outcome=absorbed", Ending::Absorbed, 100),
        ] {
            let outcome = of_hits.outcome(line, 100).expect(line);
            assert_eq!((outcome.ending, outcome.updates), (ending, Some(updates)));
        }
        let unknowing = Reader {
            censors: true,
            ..reader(&["absorption_time", "updates"])
        };
        let late = unknowing.outcome("absorption_time=101", 100).expect("late");
        assert_eq!((late.ending, late.updates), (Ending::Censored, Some(100)));
    }

    #[test]
    fn what_is_no_answer_is_said() {
        for (line, words) in [
            ("", "an empty line"),
            ("hello world", "expected a JSON object"),
            ("{\"energy\": 1", "EOF"),
            ("{\"energy\": NaN}", "finite numbers alone"),
            ("{\"energy\": \"1\"}", "expected a finite number"),
            ("energy=nan", "expected a finite number"),
            ("{\"turns\": 1.5}", "expected an integer"),
            ("{\"turns\": -1}", "expected an integer"),
            ("turns=9223372036854775808", "expected an integer"),
            ("{\"end\": 1}", "expected a text"),
            ("{\"energie\": 1}", "did you mean \"energy\"?"),
            ("{\"moves\": 1}", "unknown column"),
            ("{\"absorption_time\": 101}", "above the cutoff 100"),
            (
                "{\"absorption_time\": 7, \"outcome\": \"censored\"}",
                "expected \"absorbed\"",
            ),
            ("{\"outcome\": \"absorbed\"}", "expected \"censored\""),
            (
                "absorption_time=3 updates=7",
                "updates = 7 with absorption_time = 3",
            ),
            ("{\"outcome\": \"solved\"}", "expected absorbed or censored"),
            ("{\"error\": \"no licence\"}", "no licence"),
            ("[1]", "expected a JSON object"),
        ] {
            let error = read(line).expect_err(line);
            assert!(error.contains(words), "{line}: {error}");
        }
    }
}
