//! What a line that is no TOML was probably meant to say: habits of word processors and of other
//! languages. Curly quotes, decimal commas, `10^8`, `1/10`, words without quotes and missing commas
//! are known here.

use super::number::{range_in, real_in};

/// Characters that a word processor writes, what they are, and what is expected in their place.
const CHARACTERS: [(&[char], &str); 3] = [
    (
        &['“', '”', '„', '‟', '‘', '’', '‚'],
        "curly quotes; expected \"",
    ),
    (&['«', '»', '‹', '›'], "guillemets; expected \""),
    (&['–', '—', '−'], "a dash; expected -"),
];

/// Signs between two numbers, and what is expected in their place.
const SIGNS: [(&str, &str); 6] = [
    ("^", "expected a number as 1e8"),
    ("/", "expected a number as 0.1"),
    ("%", "expected a share as 0.1"),
    (":", "expected \"{a}..{b}\", in quotes"),
    (",", "expected {a}.{b}, or a list as [{a}, {b}]"),
    (" ", "expected {a}_{b}, or a list as [{a}, {b}]"),
];

/// What is expected in the place of a habit that the line has.
pub fn meant(line: &str) -> Option<String> {
    let (code, _) = line.split_once('#').unwrap_or((line, ""));
    if let Some((_, meant)) = CHARACTERS
        .iter()
        .find(|character| code.contains(character.0))
    {
        return Some((*meant).to_owned());
    }
    let is_foreign = |letter: char| letter.is_whitespace() && !" \t".contains(letter);
    if code.trim().contains(is_foreign) {
        return Some("a blank that is no space; expected a space".to_owned());
    }
    let value = code.split_once('=').map_or(code, |(_, value)| value).trim();
    if range_in(value).is_some() {
        return Some(format!("expected {value:?}, in quotes"));
    }
    let in_brackets = value
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    if let Some(list) = in_brackets {
        let words = list.split([' ', ',']).filter(|word| !word.is_empty());
        let numbers: Vec<&str> = words.collect();
        let are_numbers = numbers.iter().all(|number| real_in(number).is_some());
        let meant = format!("a comma is missing; expected [{}]", numbers.join(", "));
        return are_numbers.then_some(meant);
    }
    SIGNS.iter().find_map(|(sign, meant)| {
        let (a, b) = value.split_once(sign)?;
        let a = a.trim();
        let b = b.trim();
        // As people write them: 000 is one.
        let is_number = |text: &str| text.parse::<f64>().is_ok();
        let b_fits = is_number(b) || (*sign == "%" && b.is_empty());
        (is_number(a) && b_fits).then(|| meant.replace("{a}", a).replace("{b}", b))
    })
}
