//! Texts whose numbers come from tables: pages of the docs, and the finding of a spec. [`page`] is
//! the page of experiments, `pages/experiments.rs` what it says of them.
//!
//! A template is a text with expressions of minijinja. These look numbers up:
//!
//! | expression | what it gives |
//! |---|---|
//! | `at(table, column, key = value, …)` | the cell of the one row that has these values |
//! | `least(…)`, `greatest(…)` | of all rows that have them, the cell with the least or greatest number |
//! | `sum(…)` | the sum of the column over all rows that have them |
//! | `each(…)` | all cells of the column in rows that have them, as a list |
//! | `rows(table, key = value, …)` | how many rows have them |
//! | `ratio(at(…), at(…), times=2)` | the ratio of two independent cells with its interval, times a number where one is given |
//! | `ratios(each(…), each(…))` | the ratios of two lists of cells, one by one, as a list |
//! | `pooled(each(…), …)` | the common value of independent cells, with its interval; `.p` is the probability of their scatter if it is the same in all |
//! | `verdict("holds", at(…).low > 1)` | the words, or an error where the condition is false |
//!
//! A table is the name of a CSV file without `.csv`. A value is a number, a text or a list of what
//! is allowed. A cell has the attributes `value`, `low` and `high`, the last two from the columns
//! `<column>_low` and `<column>_high`, so that `at(…).value / at(…).value` is a ratio. The filters
//! are `interval`, `bound`, `number`, `whole` and `percent` (`pages/format.rs`).
//!
//! A lookup that finds nothing is an error. The same template and tables give the same bytes.

mod combined;

mod format;

mod lookup;

pub(crate) mod experiments;

pub mod page;

mod tables;

use std::io;
use std::sync::Arc;

use minijinja::{AutoEscape, Environment, UndefinedBehavior};

pub use tables::Tables;

use crate::experiment::spec::Refused;

/// Renders a page of the docs from its template, `name` as its reader knows it (a path), with a
/// first line that says where the page comes from.
///
/// # Errors
/// For what is no template, and for a lookup that finds no row, several rows or no number.
pub fn render(name: &str, template: &str, tables: &Arc<Tables>) -> Result<String, Refused> {
    let body = filled(name, template, tables)?;
    Ok(format!(
        "<!-- Rendered from {name} by `make docs`. Do not edit. -->\n\n{body}"
    ))
}

/// The text of a template with its numbers.
///
/// # Errors
/// As [`render`].
pub fn filled(name: &str, template: &str, tables: &Arc<Tables>) -> Result<String, Refused> {
    let mut environment = Environment::empty();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_keep_trailing_newline(true);
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.set_fuel(Some(FUEL));
    lookup::add_to(&mut environment, tables);
    format::add_to(&mut environment);
    let rendered = environment.template_from_named_str(name, template);
    let mut page = Limited(Vec::new());
    let rendered = rendered.and_then(|it| it.render_captured_to((), &mut page).map(|_| ()));
    match rendered {
        _ if page.0.len() > MOST_BYTES => {
            let reason = format!("it gives more than {MOST_BYTES} bytes of text");
            Err(Refused::of_line(name, 0, reason))
        }
        Ok(()) => Ok(String::from_utf8_lossy(&page.0).into_owned()),
        Err(error) => Err(refused(name, &error)),
    }
}

/// A spec's finding, with the numbers of these tables.
///
/// # Errors
/// As [`render`]; for a text that is too long, and for one with statements: an expression is all
/// that it needs, and a loop may take any time.
pub fn finding(
    file: &str,
    (template, line): &(String, usize),
    tables: &Arc<Tables>,
) -> Result<String, Refused> {
    let refused = |reason: &str| Refused::of_line(file, *line, format!("finding: {reason}"));
    if template.len() > MOST_OF_FINDING {
        let reason = format!(
            "{} bytes; expected at most {MOST_OF_FINDING}",
            template.len()
        );
        return Err(refused(&reason));
    }
    if template.contains("{%") {
        return Err(refused(
            "a statement, {% … %}; expected text and expressions, {{ … }}",
        ));
    }
    if has_loose_list(template) {
        return Err(refused(
            "a list that is no value of a key; expected lists as in at(…, n = [4, 5]) alone",
        ));
    }
    filled(file, template, tables).map_err(|error| refused(&error.message))
}

/// True if an expression has a list that is not the whole value of a key: multiplied by numbers,
/// lists take any time and memory, and the engine's fuel does not count that.
fn has_loose_list(template: &str) -> bool {
    let (mut is_inside, mut quote, mut before) = (false, None, ' ');
    let mut chars = template.chars().peekable();
    while let Some(c) = chars.next() {
        let is_pair = |next: Option<&char>| next == Some(&c);
        match (is_inside, quote, c) {
            (false, _, '{') if is_pair(chars.peek()) => is_inside = true,
            (false, ..) => {}
            (true, Some(_), '\\') => _ = chars.next(),
            (true, Some(own), _) if own == c => quote = None,
            (true, Some(_), _) => {}
            (true, None, '\'' | '"') => quote = Some(c),
            (true, None, '}') if is_pair(chars.peek()) => is_inside = false,
            (true, None, '[') if before != '=' => return true,
            (true, None, c) if before == ']' && !c.is_whitespace() && !",)".contains(c) => {
                return true;
            }
            (true, None, _) => {}
        }
        if !c.is_whitespace() {
            before = c;
        }
    }
    false
}

/// Instructions of a template that are carried out: hundreds of times those of docs/results.md.
const FUEL: u64 = 1_000_000;
/// Bytes that a rendered template may have.
const MOST_BYTES: usize = 1 << 20;
/// Bytes of a spec's finding.
const MOST_OF_FINDING: usize = 4096;

/// A text that fails soon after it is too long.
struct Limited(Vec<u8>);

impl io::Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        match self.0.len() > MOST_BYTES {
            true => Err(io::ErrorKind::FileTooLarge.into()),
            false => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Why a page cannot be rendered, and in which line of its template.
fn refused(name: &str, error: &minijinja::Error) -> Refused {
    let reason = error.detail().map(str::to_owned);
    let reason = reason.unwrap_or_else(|| error.kind().to_string());
    Refused::of_line(name, error.line().unwrap_or(0), reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each of these takes gigabytes or hours where nothing stops it.
    #[test]
    fn a_finding_ends_soon_and_is_short() {
        let tables = Arc::new(Tables::made_up(vec![("t".to_owned(), None)]));
        let tried = |text: &str| {
            let found = finding("a.toml", &(text.to_owned(), 3), &tables);
            found.map_err(|error| error.to_string())
        };
        let long = "{{ 'x' * 99999 }}".repeat(20);
        for (text, expected) in [
            ("{{ ([1] * 1000000) * 1000000 }}", "a list that is no value"),
            ("{{ '' ~ [1] * 1000000 }}", "a list that is no value"),
            ("{{ at('t', 'c', n=[1] * 9) }}", "a list that is no value"),
            ("{{ at('t', 'c', n=[1 if 1 else[2]]) }}", "a list that is"),
            ("{% for a in 'x' * 100000 %}x{% endfor %}", "a statement"),
            (&*long, "it gives more than 1048576 bytes"),
            (&*" ".repeat(5000), "5000 bytes; expected at most 4096"),
        ] {
            let error = tried(text).expect_err(text);
            assert!(
                error.contains(&format!("a.toml:3: finding: {expected}")),
                "{error}"
            );
        }
        let sound = "[1] {{ at('t', 'c', n=[4, 5], m = ['[', \"]*\"] ) | number(2) }} [2]";
        assert_eq!(tried(sound), Ok("[1] 1.0 [2]".to_owned()));
        // A page of the docs may have loops, with as much fuel as a page needs.
        let endless =
            "{% for a in 'x' * 90000 %}{% for b in 'x' * 90000 %}{% endfor %}{% endfor %}";
        let error = filled("page", endless, &tables).expect_err("no fuel");
        assert!(error.to_string().contains("fuel"), "{error}");
    }

    #[test]
    fn on_made_up_rows_verdicts_hold_and_names_are_checked() {
        let table = crate::report::FigureTable {
            header: vec!["n".to_owned(), "mean".to_owned()],
            ..crate::report::FigureTable::default()
        };
        let known = vec![("t".to_owned(), Some(table)), ("u".to_owned(), None)];
        let tables = Arc::new(Tables::made_up(known));
        let tried = |text: &str| {
            let found = finding("a.toml", &(text.to_owned(), 3), &tables);
            found.map_err(|error| error.message)
        };
        let verdict = "{{ verdict('it holds', at('t', 'mean', n=4).value > 7) }}";
        assert_eq!(tried(verdict), Ok("it holds".to_owned()));
        let any = "{{ sum('u', 'x', k=1) | whole }} {{ rows('t', n=4) }} {{ least('t', 'mean') | interval }}";
        assert_eq!(tried(any), Ok("1 1 1.00 (0.90 – 1.10)".to_owned()));
        for (text, expected) in [
            (
                "{{ at('v', 'mean') }}",
                "unknown table \"v\"; expected one of t, u",
            ),
            ("{{ at('t', 'means') }}", "unknown column \"means\""),
            ("{{ at('t', 'mean', m=4) }}", "unknown column \"m\""),
            ("{{ at('t', 'mean' }}", "finding:"),
        ] {
            let error = tried(text).expect_err(text);
            assert!(error.contains(expected), "{error}");
        }
    }
}
