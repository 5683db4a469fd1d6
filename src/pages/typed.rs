//! Finds numbers that are typed by hand in a template.
//!
//! A number is a run of digits that does not begin inside a word. It may stand
//! - in code, in the target of a link, in a comment;
//! - in the whole text of a link, which then names a section;
//! - after what names a parameter or a place, as in "n = 8", "ε = 0.01", "figure 7", "S(12)"
//!   ([`NAMED`]), and after such a number and a comma, "and", "or", "to" or a dash;
//! - before what makes it no measurement: "95 %", the level of all intervals, and "1/d";
//! - in the parentheses of a function or of a filter, and in the list of a `for`.
//!
//! It does not see numbers in words ("twelve") and superscripts without a digit before them
//! ("n³"), nor whether a parameter, a quote (`text`), a number of a definition (`given`) or of a
//! test (`tested`) is the right one.

/// What stands before a number that is a parameter or a place in a text.
const NAMED: [&str; 24] = [
    "n =",
    "n −",
    "n ≥",
    "n ≤",
    "n^(",
    "n^(−",
    "p of −",
    "N =",
    "ε =",
    "ε ≤",
    "ε >",
    "ε ≥",
    "η =",
    "η >",
    "S(",
    "section",
    "figure",
    "figure-",
    "figures",
    "exercise",
    "constraints (",
    "Constraints (",
    "table",
    "tables",
];

/// What joins a number to one before it that is allowed.
const JOINED: [&str; 9] = [
    ",", "and", "or", "to", "–", "/", "and n =", ") and (", ") or (",
];

/// What stands after a number that measures nothing.
const FOLLOWED: [(&str, &str); 2] = [("95", " %"), ("1", "/d")];

/// A number typed by hand.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Number {
    /// Line in the template, from 1.
    pub(super) line: usize,
    pub(super) text: String,
}

/// All of them, in order.
pub(super) fn numbers(template: &str) -> Vec<Number> {
    let prose = without_code(&without_expressions(template));
    let typed = prose.lines().zip(1..).flat_map(|(text, line)| {
        let numbers = in_prose(text).into_iter();
        numbers.map(move |text| Number { line, text })
    });
    let mut found: Vec<Number> = typed.chain(in_expressions(template)).collect();
    found.sort_by_key(|number| number.line);
    found
}

/// The numbers of a line that nothing allows.
fn in_prose(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    // The end of the last number that is allowed.
    let mut allowed = None;
    for (start, end) in runs(line) {
        let (before, text, after) = (&line[..start], &line[start..end], &line[end..]);
        let is_joined = allowed.is_some_and(|last| JOINED.contains(&line[last..start].trim()));
        let is_named = NAMED.iter().any(|name| before.trim_end().ends_with(name));
        // The text of a link to a section: [8.4](models.md#…).
        let is_link = before.ends_with('[') && after.starts_with(']');
        let is_no_measurement = FOLLOWED
            .iter()
            .any(|(number, next)| *number == text && after.starts_with(next));
        if is_joined || is_named || is_link || is_no_measurement {
            allowed = Some(end);
        } else {
            found.push(text.to_owned());
        }
    }
    found
}

/// Where numbers begin and end: digits, with points between digits; not inside a word.
fn runs(line: &str) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let mut before = ' ';
    for (place, c) in line.char_indices() {
        if c.is_ascii_digit() {
            match runs.last_mut() {
                Some((_, end)) if *end == place || before == '.' && *end + 1 == place => {
                    *end = place + 1;
                }
                _ if before.is_alphabetic() || before == '_' => {}
                _ => runs.push((place, place + 1)),
            }
        }
        before = c;
    }
    runs
}

/// The template with expressions, statements and comments as blanks.
fn without_expressions(template: &str) -> String {
    let mut prose = template.to_owned();
    for (start, end) in expressions(template) {
        blank(&mut prose, start, end);
    }
    prose
}

/// Where `{{ … }}`, `{% … %}` and `{# … #}` begin and end.
fn expressions(template: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = template[at..].find('{').map(|place| at + place) {
        let close = match template.as_bytes()[start..].get(1) {
            Some(b'{') => "}}",
            Some(b'%') => "%}",
            Some(b'#') => "#}",
            _ => {
                at = start + 1;
                continue;
            }
        };
        let length = template[start..]
            .find(close)
            .map(|place| place + close.len());
        at = length.map_or(template.len(), |length| start + length);
        found.push((start, at));
    }
    found
}

/// Prose with code and the targets of links as blanks.
fn without_code(text: &str) -> String {
    let mut prose = text.to_owned();
    for (open, close) in [("```", "```"), ("`", "`"), ("](", ")"), ("<!--", "-->")] {
        let mut at = 0;
        while let Some(start) = prose[at..].find(open).map(|place| at + place) {
            let inside = start + open.len();
            let Some(length) = prose[inside..].find(close) else {
                break;
            };
            let end = inside + length + close.len();
            // The bracket before the target ends the link's text.
            let first = if open == "](" { start + 1 } else { start };
            blank(&mut prose, first, end);
            at = end;
        }
    }
    prose
}

/// Makes every byte of a range a blank; line ends stay.
fn blank(text: &mut String, start: usize, end: usize) {
    let blanks: String = text[start..end]
        .chars()
        .flat_map(|c| {
            let blank = if c == '\n' { '\n' } else { ' ' };
            std::iter::repeat_n(blank, c.len_utf8())
        })
        .collect();
    text.replace_range(start..end, &blanks);
}

/// Numbers in expressions outside the parentheses of functions, filters and the lists of `for`.
fn in_expressions(template: &str) -> Vec<Number> {
    let mut found = Vec::new();
    for (start, end) in expressions(template) {
        let expression = &template[start..end];
        if expression.starts_with("{#") {
            continue;
        }
        let line = 1 + template[..start].matches('\n').count();
        let is_loop = expression
            .trim_start_matches(['{', '%', '-', ' '])
            .starts_with("for ");
        let bare = without_calls(expression, is_loop);
        found.extend(runs(&bare).into_iter().map(|(start, end)| {
            let text = bare[start..end].to_owned();
            Number { line, text }
        }));
    }
    found
}

/// The expression with what stands in the parentheses of calls as blanks, and lists where they may
/// be.
fn without_calls(expression: &str, may_list: bool) -> String {
    let mut bare = String::new();
    let mut depth = 0;
    let mut before = ' ';
    for c in expression.chars() {
        let opens_call = c == '(' && (before.is_alphanumeric() || before == '_');
        let opens_list = c == '[' && may_list;
        if depth > 0 && (c == '(' || c == '[') || opens_call || opens_list {
            depth += 1;
        } else if depth > 0 && (c == ')' || c == ']') {
            depth -= 1;
        }
        bare.push(if depth > 0 { ' ' } else { c });
        before = c;
    }
    bare
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(template: &str) -> Vec<String> {
        numbers(template)
            .into_iter()
            .map(|number| number.text)
            .collect()
    }

    #[test]
    fn parameters_places_and_code_are_no_measurements() {
        for template in [
            "at n = 8 and ε = 0.01, n = 5 to 12, n = 4, 5 and 6, η > 0",
            "[figure 7](models.md#84-figure-7) and section 8.3; [8.4](models.md)",
            "with 95 % intervals, against 1/d, S(12), n^(−3/2), `reines --n 12`, n³",
            "```sh\nreines density --n 4..27\n```\n<!-- 2012 -->{# 5 #}",
            "{{ at('t', 'c', n=8) | number(2) }} {{ text('15 720') }} {{ given(9) * sum('t', 'c') }}",
            "{% for n in [4, 5] %}{{ n }}{% endfor %}",
        ] {
            assert!(
                found(template).is_empty(),
                "{template}: {:?}",
                found(template)
            );
        }
    }

    #[test]
    fn everything_else_is_typed_by_hand() {
        let cases = [
            ("T = 4.5 updates", "4.5"),
            ("about 92 solutions at n = 8", "92"),
            ("n = 8 has 92", "92"),
            ("{{ 4.5 }}", "4.5"),
            ("{{ '92' }}", "92"),
            ("{{ (92) }}", "92"),
            ("{% set x = 92 %}", "92"),
            ("{% set x = [92] %}", "92"),
            ("{{ at('t', 'c') * 9 }}", "9"),
        ];
        for (template, number) in cases {
            assert_eq!(found(template), [number], "{template}");
        }
        let place = numbers("a\nb 5\n")[0].line;
        assert_eq!(place, 2);
    }
}
