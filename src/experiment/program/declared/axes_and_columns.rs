//! The axes and columns of a program, and the names that they may have. Names are small letters,
//! digits and `_`, 64 at most; those that are taken (columns and keys of requests) are listed here,
//! and so are the forms of `axes`, `columns` and `fills`.

use serde::Deserialize;
use toml::Spanned;

use super::Declared;
use crate::experiment::spec::number::MOST_INTEGER;
use crate::experiment::spec::{Refused, did_you_mean, one_of};
use crate::solver::outcome::{ABSORPTION_TIME, COLUMNS, HITTING_TIME, Kind, UPDATES};
use crate::solver::point::{KEY_AXES, WORDS};
use crate::solver::{ALGORITHMS, Axis, Column, Domain};

/// Names of columns and of keys of a request that no axis and no own column may have.
const TAKEN: [&str; 17] = [
    "seed",
    "trial",
    "outcome",
    "cutoff",
    "dynamics",
    "seconds",
    "repeat",
    "experiment",
    "update",
    "trials",
    "repeats",
    "signals",
    "series",
    "start",
    "error",
    "censored",
    "zip",
];

/// Keys of a request alone.
const IN_REQUESTS: [&str; 4] = ["experiment_seed", "random", "random64", "reines"];

/// A column of its own.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as { type = \"real\" }")]
pub(super) struct ColumnTable {
    #[serde(rename = "type")]
    kind: Kind,
    #[serde(default)]
    unit: String,
    #[serde(default)]
    doc: String,
}

/// An axis that a program has, by its name.
pub(super) struct DeclaredAxis {
    pub name: String,
    pub domain: Domain,
}

impl DeclaredAxis {
    /// The axis for the rest of the process.
    pub fn leaked(self) -> Axis {
        let name: &'static str = self.name.leak();
        Axis {
            name,
            symbol: name,
            domain: self.domain,
            doc: "",
        }
    }
}

impl Declared<'_> {
    /// The axes by name.
    pub(super) fn axes(&self) -> Result<Vec<DeclaredAxis>, Refused> {
        let mut axes = Vec::new();
        for (name, ends) in &self.table.axes {
            self.refuse_name(name, "axis")?;
            let text = name.get_ref();
            if COLUMNS.iter().any(|column| column.name == text) || IN_REQUESTS.contains(&&**text) {
                let reason = "an axis cannot have the name of a column or of a key of requests; expected another one";
                return Err(self.source.refuse(name.span(), reason));
            }
            let Some(domain) = domain(ends.get_ref()) else {
                let expected = format!(
                    "its ends, such as [1, 1000] for integers from 0 to {MOST_INTEGER}, or [0.0, 1.0] for real numbers"
                );
                return Err(self.source.expected(ends.span(), &expected));
            };
            self.refuse_shared(name, domain)?;
            axes.push(DeclaredAxis {
                name: text.clone(),
                domain,
            });
        }
        Ok(axes)
    }

    /// Refuses an axis of another kind than that of an algorithm which has one of the same name.
    fn refuse_shared(&self, name: &Spanned<String>, domain: Domain) -> Result<(), Refused> {
        let text = name.get_ref();
        let is_other = |axis: &Axis| is_real(axis.domain) != is_real(domain);
        let mut axes = ALGORITHMS.iter().flat_map(|algorithm| algorithm.axes);
        if axes.any(|axis| axis.name == text && is_other(axis)) {
            let kind = if is_real(domain) {
                "integers"
            } else {
                "real numbers"
            };
            let reason = format!(
                "the axis {text} of other algorithms has {kind}; expected {kind}, or another name"
            );
            return Err(self.source.refuse(name.span(), &reason));
        }
        let is_large = matches!(domain, Domain::Integer { max, .. } if max > i32::MAX as u64);
        if text == KEY_AXES[0] && is_large {
            let reason = "expected at most 2147483647 for n";
            return Err(self.source.refuse(name.span(), reason));
        }
        Ok(())
    }

    /// Refuses a name that no axis and no own column may have.
    fn refuse_name(&self, name: &Spanned<String>, what: &str) -> Result<(), Refused> {
        let text = name.get_ref();
        let is_inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let is_name = (1..=64).contains(&text.len())
            && text.chars().all(is_inner)
            && text.starts_with(|c: char| c.is_ascii_lowercase());
        if !is_name {
            let expected = format!(
                "a small letter, and small ASCII letters, digits and _ after it, 64 at most, as the name of an {what}"
            );
            return Err(self.source.expected(name.span(), &expected));
        }
        if TAKEN.contains(&&**text) || WORDS.contains(&&**text) {
            let reason = format!("{text} has another meaning; expected another name");
            return Err(self.source.refuse(name.span(), &reason));
        }
        Ok(())
    }

    /// The columns that it shares, then its own by name. `axes` are the names of its axes.
    pub(super) fn columns(&self, axes: &[&str]) -> Result<Vec<Column>, Refused> {
        let mut columns = self.shared_columns()?;
        columns.extend(self.own_columns(axes)?);
        if columns.is_empty() {
            let expected = "columns: fills = [\"absorption_time\"], or [program.columns]";
            return Err(self.source.expected(self.place.clone(), expected));
        }
        Ok(columns)
    }

    /// The columns of other algorithms that it fills.
    fn shared_columns(&self) -> Result<Vec<Column>, Refused> {
        let mut columns: Vec<Column> = Vec::new();
        for name in &self.table.fills {
            let text = name.get_ref();
            let Some(column) = COLUMNS.iter().find(|column| column.name == text) else {
                let known: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
                let expected = one_of(&known);
                let near = did_you_mean(text, &known);
                let reason = format!(
                    "unknown column {text:?}; expected {expected}{near}; columns of its own stand in [program.columns]"
                );
                return Err(self.source.refuse(name.span(), &reason));
            };
            if columns.iter().any(|other| other.name == text) {
                return Err(self.source.expected(name.span(), "each column once"));
            }
            columns.push(*column);
        }
        // A time is read with the updates of its trial.
        let has = |name: &str| columns.iter().any(|column| column.name == name);
        let has_time = has(ABSORPTION_TIME) || has(HITTING_TIME);
        if has_time && !has(UPDATES) {
            columns.push(Column::named(UPDATES));
        }
        Ok(columns)
    }

    fn own_columns(&self, axes: &[&str]) -> Result<Vec<Column>, Refused> {
        let mut columns = Vec::new();
        for (name, table) in &self.table.columns {
            self.refuse_name(name, "own column")?;
            let text = name.get_ref();
            let mut others = ALGORITHMS.iter().flat_map(|algorithm| algorithm.axes);
            if COLUMNS.iter().any(|column| column.name == text) {
                let reason = format!(
                    "{text} is a column already; expected another name, or fills = [{text:?}]"
                );
                return Err(self.source.refuse(name.span(), &reason));
            }
            if axes.contains(&&**text) || others.any(|axis| axis.name == text) {
                let reason = format!("{text} is the name of an axis; expected another name");
                return Err(self.source.refuse(name.span(), &reason));
            }
            let ColumnTable { kind, unit, doc } = table.get_ref();
            if unit.contains(char::is_control) || doc.contains(char::is_control) {
                let expected = "texts without control characters";
                return Err(self.source.expected(table.span(), expected));
            }
            let kept = |text: &str| -> &'static str { text.to_owned().leak() };
            columns.push(Column::own(kept(text), kept(unit), *kind).meaning(kept(doc)));
        }
        Ok(columns)
    }
}

/// True of real numbers, false of integers.
pub(super) fn is_real(domain: Domain) -> bool {
    matches!(domain, Domain::Real { .. })
}

/// Integers or real numbers, as the ends are written.
fn domain(ends: &[toml::Value]) -> Option<Domain> {
    match ends {
        [toml::Value::Integer(min), toml::Value::Integer(max)] => {
            let min = u64::try_from(*min).ok()?;
            let max = u64::try_from(*max).ok()?;
            (min <= max).then_some(Domain::Integer { min, max })
        }
        [toml::Value::Float(min), toml::Value::Float(max)] => {
            let is_range = min.is_finite() && max.is_finite() && min <= max;
            is_range.then_some(Domain::Real {
                min: *min,
                max: *max,
            })
        }
        _ => None,
    }
}
