//! Texts whose numbers come from tables: pages of the docs, and the finding of a spec. [`page`] is
//! the page of experiments.
//!
//! A template is a text with expressions of minijinja. These look numbers up:
//!
//! | expression | what it gives |
//! |---|---|
//! | `at(table, column, key = value, …)` | the cell of the one row that has these values |
//! | `least(…)`, `greatest(…)` | of all rows that have them, the cell with the least or greatest number |
//! | `sum(…)` | the sum of the column over all rows that have them |
//! | `rows(table, key = value, …)` | how many rows have them |
//! | `verdict("holds", at(…).low > 1)` | the words, or an error where the condition is false |
//!
//! A table is the name of a CSV file without `.csv`. A value is a number, a text or a list of what
//! is allowed. A cell has the attributes `value`, `low` and `high`, the last two from the columns
//! `<column>_low` and `<column>_high`, so that `at(…).value / at(…).value` is a ratio. The filters
//! are `interval`, `number`, `whole` and `percent` (`pages/format.rs`).
//!
//! A lookup that finds nothing is an error. The same template and tables give the same bytes.

mod csv;

mod format;

mod lookup;

pub mod page;

mod tables;

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
    lookup::add_to(&mut environment, tables);
    format::add_to(&mut environment);
    environment
        .render_named_str(name, template, ())
        .map_err(|error| refused(name, &error))
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

    fn tables() -> Arc<Tables> {
        let text = "algorithm,n,mean,mean_low,mean_high,trials\n\
                    pair,8,447000,420000,480000,1000\n\
                    pair,10,6173540,5811920,6564810,200\n\
                    cell,8,43349.7,41167.5,45496.7,1000\n\
                    cell,9,≥12,,,3\n";
        Arc::new(Tables::of([("times", text)]).expect("a table"))
    }

    fn rendered(template: &str) -> Result<String, Refused> {
        let page = render("t.md", template, &tables())?;
        let (first, body) = page.split_once("\n\n").expect("a first line");
        assert_eq!(
            first,
            "<!-- Rendered from t.md by `make docs`. Do not edit. -->"
        );
        Ok(body.to_owned())
    }

    #[test]
    fn numbers_come_from_tables() {
        let cases = [
            (
                "T = {{ at('times', 'mean', algorithm='pair', n=8) | interval }} updates.\n",
                "T = 4.5·10⁵ (4.2 – 4.8) updates.\n",
            ),
            (
                "{% for n in [8, 10] %}\n| {{ n }} | {{ at('times', 'trials', algorithm='pair', n=n) | whole }} |\n{% endfor %}\n",
                "| 8 | 1000 |\n| 10 | 200 |\n",
            ),
            (
                "{{ sum('times', 'trials', algorithm=['pair', 'cell']) | whole }}",
                "2203",
            ),
            ("{{ rows('times', algorithm='cell') }}", "2"),
            (
                "{{ least('times', 'mean', n=8).value | number(2) }}",
                "4.3·10⁴",
            ),
            (
                "{{ greatest('times', 'mean', algorithm='pair') | number }}",
                "6.17·10⁶",
            ),
            (
                "{{ (at('times', 'mean', algorithm='pair', n=8).value / at('times', 'mean', algorithm='cell', n=8).value) | number(2) }}",
                "10",
            ),
            ("{{ at('times', 'mean', n=9) }}", "≥12"),
            (
                "{{ verdict('holds', at('times', 'mean', n=10).low > 5000000) }}",
                "holds",
            ),
        ];
        for (template, expected) in cases {
            assert_eq!(rendered(template).as_deref(), Ok(expected), "{template}");
        }
    }

    #[test]
    fn what_a_lookup_does_not_find_is_named() {
        let cases = [
            (
                "at('time', 'mean')",
                "table \"time\": not there; there are times",
            ),
            (
                "at('times', 'median', n=10)",
                "table \"times\": no column \"median\"; there are algorithm, n, mean, mean_low, mean_high, trials",
            ),
            (
                "at('times', 'mean', size=10)",
                "table \"times\": no column \"size\"; there are algorithm, n, mean, mean_low, mean_high, trials",
            ),
            (
                "at('times', 'mean', algorithm='pair', n=9)",
                "table \"times\", column \"mean\": no row with algorithm = pair, n = 9; with algorithm = pair, n is 8, 10",
            ),
            (
                "at('times', 'mean', algorithm='pair')",
                "table \"times\", column \"mean\": 2 rows with algorithm = pair, lines 2, 3; one is needed",
            ),
            (
                "at('times', 'mean', n=9) | number",
                "\"≥12\" in table \"times\", column \"mean\", is no number",
            ),
            (
                "at('times', 'trials', n=10) | interval",
                "table \"times\", column \"trials\": no interval; needed are the columns \"trials_low\" and \"trials_high\"",
            ),
            (
                "at('times', 'mean', algorithm='cell', n=8) | whole",
                "43349.7 is no whole number",
            ),
            ("tables('times')", "tables is unknown"),
            (
                "verdict('holds', at('times', 'mean', n=10).low > 6000000)",
                "the verdict \"holds\" does not follow from the numbers any more",
            ),
        ];
        for (expression, reason) in cases {
            let template = format!("First.\n\nT = {{{{ {expression} }}}}.\n");
            let error = rendered(&template).expect_err(expression);
            assert_eq!(error.to_string(), format!("t.md:3: {reason}"));
        }
    }
}
