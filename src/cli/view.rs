//! What a command has found is one value: JSON is that value as serde writes it, and the text is a
//! template of it, which stands in a file beside the command. Here are the option `--json`, how
//! templates write numbers, and the table of means that `run` and `list` print.

use std::fmt::Display;
use std::io::Write;

use itertools::Itertools;
use minijinja::{Environment, UndefinedBehavior, Value as Any, context};
use serde::Serialize;

use super::progress::{about, about_to};
use super::terminal;
use super::text::{aligned, counted, first_of, mean, percent, series, spaced};
use crate::analysis::precision::Precision;
use crate::experiment::spec::number::{LEAST_DIGITS, telling_digits};
use crate::experiment::spec::rounded;
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::rows::PointTrials;
use crate::solver::{Point, Value};

/// Between the cells of a row, where its template has ` ¦ `: a text that somebody wrote may hold
/// anything but control characters.
const CELL_END: char = '\u{1f}';

/// The option of the commands that have JSON.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub struct JsonOption {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl JsonOption {
    /// True if all is printed at the end.
    pub fn is_json(self) -> bool {
        self.json
    }

    /// Prints a value, which a template names `found`.
    pub fn print(self, value: &impl Serialize, template: &str) -> anyhow::Result<()> {
        self.print_with(value, &(), template)
    }

    /// The same with what the template names `more`: the value seen in another way, which JSON does
    /// not repeat.
    pub fn print_with(
        self,
        value: &impl Serialize,
        more: &impl Serialize,
        template: &str,
    ) -> anyhow::Result<()> {
        let text = if self.json {
            serde_json::to_string_pretty(value)? + "\n"
        } else {
            text(value, more, template)
        };
        Ok(terminal::Out.write_all(text.as_bytes())?)
    }
}

/// The mean of a point.
#[derive(Serialize)]
pub struct PointMean {
    #[serde(flatten)]
    pub known: Precision,
    /// The point with its condition's name, and with as many digits of each number, three at least,
    /// as tell it from the others of its axis.
    short: String,
}

/// The means of all points of a run, whose conditions have these names; none where the rows cannot
/// be read, which `verify` tells.
pub fn means_of(run: &CompleteRun, names: &[(String, String)]) -> Vec<PointMean> {
    let points = run.points().unwrap_or_default();
    let digits = |axis: &str| {
        let numbers = points.iter().filter_map(|point| point.point.real(axis));
        telling_digits(numbers, LEAST_DIGITS)
    };
    let values = points.iter().flat_map(|point| point.point.axes.by_column());
    let axes = values.map(|(axis, _)| axis).unique();
    let axes: Vec<(&str, usize)> = axes.map(|axis| (axis, digits(axis))).collect();
    let short = |point: &Point| {
        let mut shown = point.clone();
        if let Some((name, _)) = names.iter().find(|name| name.1 == point.variant) {
            shown.variant.clone_from(name);
        }
        for (axis, digits) in &axes {
            if let Some(number) = point.real(axis).map(|number| rounded(number, *digits)) {
                shown.axes.set((*axis).to_owned(), Value::real(number));
            }
        }
        shown.to_string()
    };
    let mean = |trials: &PointTrials| {
        let known = Precision::of(trials)?;
        let short = short(&trials.point);
        Some(PointMean { known, short })
    };
    points.iter().filter_map(mean).collect()
}

/// The means of points as a table; nothing of none.
pub fn means(means: &impl Serialize) -> String {
    text(means, &(), include_str!("list/means.txt"))
}

/// A template with its values.
///
/// A table is a block `{% filter aligned(INDENT, RIGHT) %}`, in which a line is a row, and ` ¦ `
/// stands between its cells.
fn text(found: &impl Serialize, more: &impl Serialize, template: &str) -> String {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.set_keep_trailing_newline(true);
    environment.add_filter("about", about);
    environment.add_filter("about_to", about_to);
    environment.add_filter("counted", |count: u64, noun: &str| counted(count, noun));
    environment.add_filter("first_of", |words: Vec<String>, most: usize| {
        first_of(most, ", ", words)
    });
    environment.add_filter("mean", mean);
    environment.add_filter("means", |of: Any| means(&of));
    environment.add_filter("percent", percent);
    environment.add_filter("series", series);
    environment.add_filter("plain", |number: Any| {
        let text = number.to_string();
        text.trim_end_matches(".0").to_owned()
    });
    environment.add_filter("ratio", |of: Any| {
        let [value, low, high] = ["value", "low", "high"].map(|end| number(&of, end));
        Ok::<_, minijinja::Error>(format!("{:.3} [{:.3}, {:.3}]", value?, low?, high?))
    });
    environment.add_filter("scientific", |number: f64| format!("{number:.2e}"));
    environment.add_filter("spaced", |number: u64| spaced(number));
    environment.add_filter("aligned", |rows: &str, indent: usize, right: usize| {
        let cells = |row: &str| row.split(CELL_END).map(str::to_owned).collect();
        let rows: Vec<Vec<String>> = rows.lines().map(cells).collect();
        lines(aligned(indent, right, &rows))
    });
    let values =
        context! { found => Any::from_serialize(found), more => Any::from_serialize(more) };
    environment
        .render_str(&template.replace(" ¦ ", &CELL_END.to_string()), values)
        .expect("a template that its tests render")
}

/// The number of this name in a value.
fn number(of: &Any, name: &str) -> Result<f64, minijinja::Error> {
    f64::try_from(of.get_attr(name)?)
}

/// Lines, each with its end.
fn lines(lines: impl IntoIterator<Item = impl Display>) -> String {
    lines.into_iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_may_hold_what_ends_one_in_a_template() {
        let template =
            "{% filter aligned(0, 9) %}\n{{ found }} ¦ 1\nlong title ¦ 2\n{% endfilter %}\n";
        let expected = "a ¦ b       1\nlong title  2\n";
        assert_eq!(text(&"a ¦ b", &(), template), expected);
    }
}
