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

mod format;

mod lookup;

pub(crate) mod experiments;

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
