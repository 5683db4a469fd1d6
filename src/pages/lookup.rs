//! The functions of a template that look numbers up.

use std::fmt;
use std::sync::Arc;

use itertools::Itertools;
use minijinja::value::{Kwargs, Object, Value, ValueKind};
use minijinja::{Environment, Error, ErrorKind};

use super::tables::Tables;
use crate::analysis::estimate::Estimate;
use crate::experiment::spec::one_of;
use crate::report::FigureTable;

/// A cell of a table, and the ends of its interval where the table has them.
#[derive(Debug)]
pub(super) struct FoundCell {
    pub(super) text: String,
    /// Line in the table's file, from 1.
    pub(super) line: usize,
    pub(super) interval: Option<(f64, f64)>,
    /// The probability that all parts of a pooled value measure one number.
    pub(super) p: Option<f64>,
    pub(super) table: String,
    pub(super) column: String,
}

impl FoundCell {
    /// The cell as a number.
    ///
    /// # Errors
    /// When it is none, as `≥12` or an empty cell.
    pub(super) fn number(&self) -> Result<f64, Error> {
        self.text.parse().map_err(|_| {
            let Self {
                text,
                table,
                column,
                ..
            } = self;
            invalid(format!(
                "table {table:?}, column {column:?}: {text:?} is no number"
            ))
        })
    }

    /// The ends of the cell's interval.
    ///
    /// # Errors
    /// When the table has none of this column.
    pub(super) fn ends(&self) -> Result<(f64, f64), Error> {
        let Self { table, column, .. } = self;
        self.interval.ok_or_else(|| {
            invalid(format!(
                "table {table:?}, column {column:?}: no interval; expected the columns \
                 \"{column}_low\" and \"{column}_high\""
            ))
        })
    }

    /// The cell's number with its interval.
    pub(super) fn estimate(&self) -> Result<Estimate, Error> {
        let (low, high) = self.ends()?;
        Ok(Estimate::within(self.number()?, [low, high]))
    }
}

impl Object for FoundCell {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        match key.as_str()? {
            "value" => self.text.parse::<f64>().ok().map(Value::from),
            "low" => self.interval.map(|(low, _)| Value::from(low)),
            "high" => self.interval.map(|(_, high)| Value::from(high)),
            "p" => self.p.map(Value::from),
            _ => None,
        }
    }

    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A template's fault, in words.
pub(super) fn invalid(reason: String) -> Error {
    Error::new(ErrorKind::InvalidOperation, reason)
}

/// The cell that a value is.
///
/// # Errors
/// When it is another value.
pub(super) fn cell(value: &Value) -> Result<&FoundCell, Error> {
    value.downcast_object_ref().ok_or_else(|| {
        let kind = value.kind();
        invalid(format!(
            "a {kind} has no interval; expected a cell of a table"
        ))
    })
}

/// Adds `at`, `least`, `greatest`, `sum`, `each`, `rows` and `verdict`, and with
/// `pages/combined.rs` what joins cells.
pub(super) fn add_to(environment: &mut Environment, tables: &Arc<Tables>) {
    type Choose = fn(&TableQuery, Vec<FoundCell>) -> Result<FoundCell, Error>;
    let choices: [(&'static str, Choose); 3] =
        [("at", only), ("least", least), ("greatest", greatest)];
    for (name, choose) in choices {
        let tables = Arc::clone(tables);
        let function = move |table: String, column: String, keys: Kwargs| {
            if tables.are_made_up {
                let found = made_up(&tables, table, Some(column), &keys)?;
                return Ok(Value::from_object(found));
            }
            let search = TableQuery::new(&tables, table, Some(column), &keys)?;
            choose(&search, search.cells()?).map(Value::from_object)
        };
        environment.add_function(name, function);
    }
    let summed = Arc::clone(tables);
    environment.add_function("sum", move |table: String, column: String, keys: Kwargs| {
        if summed.are_made_up {
            return made_up(&summed, table, Some(column), &keys)?.number();
        }
        TableQuery::new(&summed, table, Some(column), &keys)?
            .cells()?
            .iter()
            .map(FoundCell::number)
            .sum::<Result<f64, Error>>()
    });
    let listed = Arc::clone(tables);
    environment.add_function(
        "each",
        move |table: String, column: String, keys: Kwargs| {
            let cells = if listed.are_made_up {
                let column = Some(column);
                vec![
                    made_up(&listed, table.clone(), column.clone(), &keys)?,
                    made_up(&listed, table, column, &keys)?,
                ]
            } else {
                TableQuery::new(&listed, table, Some(column), &keys)?.cells()?
            };
            let values = cells.into_iter().map(Value::from_object);
            Ok::<_, Error>(values.collect::<Vec<Value>>())
        },
    );
    let counted = Arc::clone(tables);
    environment.add_function("rows", move |table: String, keys: Kwargs| {
        if counted.are_made_up {
            return made_up(&counted, table, None, &keys).map(|_| 1);
        }
        Ok(TableQuery::new(&counted, table, None, &keys)?.rows()?.len())
    });
    super::combined::add_to(environment);
    let tried = tables.are_made_up;
    environment.add_function("verdict", move |words: String, follows: bool| {
        if follows || tried {
            return Ok(words);
        }
        let reason = format!("the verdict {words:?} does not follow from the numbers any more");
        Err(invalid(reason))
    });
}

/// Any number in the place of a cell, where the table, the column and the columns of the keys are
/// there.
fn made_up(
    tables: &Tables,
    table: String,
    column: Option<String>,
    keys: &Kwargs,
) -> Result<FoundCell, Error> {
    let found = FoundCell {
        text: "1".to_owned(),
        line: 2,
        interval: Some((0.9, 1.1)),
        p: None,
        table: table.clone(),
        column: column.clone().unwrap_or_default(),
    };
    if tables.is_unknown(&table) {
        keys.args()
            .try_for_each(|name| keys.get::<Value>(name).map(|_| ()))?;
        return Ok(found);
    }
    let query = TableQuery::new(tables, table, column, keys)?;
    let columns = query.keys.iter().map(|it| &it.column).chain(&query.column);
    columns
        .map(|it| query.index(it))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(found)
}

/// What a row must have in a column: one of these.
#[derive(Debug)]
struct WantedKey {
    column: String,
    allowed: Vec<Wanted>,
}

#[derive(Debug)]
enum Wanted {
    /// A cell of this number, however it is written.
    Number(f64),
    /// A cell of this text.
    Text(String),
}

impl Wanted {
    fn is(&self, cell: &str) -> bool {
        match self {
            Self::Number(number) => cell.parse() == Ok(*number),
            Self::Text(text) => cell == text,
        }
    }

    fn in_words(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) if text.is_empty() => "\"\"".to_owned(),
            Self::Text(text) => text.clone(),
        }
    }
}

impl WantedKey {
    fn in_words(&self) -> String {
        let allowed = self.allowed.iter().map(Wanted::in_words).join(" or ");
        format!("{} = {allowed}", self.column)
    }
}

fn in_words(keys: &[WantedKey]) -> String {
    if keys.is_empty() {
        return "any value".to_owned();
    }
    keys.iter().map(WantedKey::in_words).join(", ")
}

/// A table, a column of it and what the rows must have.
struct TableQuery<'t> {
    name: String,
    table: &'t FigureTable,
    column: Option<String>,
    keys: Vec<WantedKey>,
}

impl<'t> TableQuery<'t> {
    fn new(
        tables: &'t Tables,
        name: String,
        column: Option<String>,
        keys: &Kwargs,
    ) -> Result<Self, Error> {
        let key = |name: &str| {
            let value: Value = keys.get(name)?;
            let allowed = match value.kind() {
                ValueKind::Seq => value.try_iter()?.map(|value| wanted(&value)).collect(),
                _ => vec![wanted(&value)],
            };
            let column = name.to_owned();
            Ok(WantedKey { column, allowed })
        };
        let keys = keys
            .args()
            .map(key)
            .collect::<Result<Vec<WantedKey>, Error>>()?;
        Ok(Self {
            table: tables.table(&name).map_err(invalid)?,
            name,
            column,
            keys,
        })
    }

    /// The index of a column.
    fn index(&self, column: &str) -> Result<usize, Error> {
        let Self { name, table, .. } = self;
        let index = table.header.iter().position(|title| title == column);
        index.ok_or_else(|| {
            let titles = one_of(&table.header);
            invalid(format!(
                "table {name:?}: unknown column {column:?}; expected {titles}"
            ))
        })
    }

    /// The indices of all rows that have these values; at least one.
    fn rows(&self) -> Result<Vec<usize>, Error> {
        let mut left: Vec<usize> = (0..self.table.rows.len()).collect();
        for (number, key) in self.keys.iter().enumerate() {
            let index = self.index(&key.column)?;
            let cell = |&row: &usize| self.table.rows[row][index].to_string();
            let is_allowed = |row: &usize| key.allowed.iter().any(|wanted| wanted.is(&cell(row)));
            let found: Vec<usize> = left.iter().copied().filter(is_allowed).collect();
            if found.is_empty() {
                let values = left.iter().map(cell).dedup().take(12).join(", ");
                return Err(self.failed(&format!(
                    "no row with {}; with {}, {} is {values}",
                    in_words(&self.keys),
                    in_words(&self.keys[..number]),
                    key.column
                )));
            }
            left = found;
        }
        Ok(left)
    }

    fn cells(&self) -> Result<Vec<FoundCell>, Error> {
        let name = self.column.as_deref().unwrap_or_default();
        let index = self.index(name)?;
        let end = |suffix: &str| {
            let title = format!("{name}_{suffix}");
            self.table.header.iter().position(|column| *column == title)
        };
        let ends = end("low").zip(end("high"));
        let cell = |row_index: usize| {
            let row = &self.table.rows[row_index];
            let end = |index: usize| row[index].to_string().parse().ok();
            let interval = ends.and_then(|(low, high)| Some((end(low)?, end(high)?)));
            FoundCell {
                text: row[index].to_string(),
                line: row_index + 2,
                interval,
                p: None,
                table: self.name.clone(),
                column: name.to_owned(),
            }
        };
        Ok(self.rows()?.into_iter().map(cell).collect())
    }

    /// A fault with the table and the column in front.
    fn failed(&self, reason: &str) -> Error {
        let column = self.column.as_ref();
        let column = column.map_or_else(String::new, |column| format!(", column {column:?}"));
        invalid(format!("table {:?}{column}: {reason}", self.name))
    }
}

fn wanted(value: &Value) -> Wanted {
    match value.kind() {
        ValueKind::Number => f64::try_from(value.clone())
            .map_or_else(|_| Wanted::Text(value.to_string()), Wanted::Number),
        _ => Wanted::Text(value.to_string()),
    }
}

fn only(search: &TableQuery, mut cells: Vec<FoundCell>) -> Result<FoundCell, Error> {
    if cells.len() > 1 {
        let lines = cells.iter().map(|cell| cell.line).join(", ");
        return Err(search.failed(&format!(
            "{} rows with {}, lines {lines}; expected one",
            cells.len(),
            in_words(&search.keys)
        )));
    }
    cells
        .pop()
        .ok_or_else(|| search.failed("no row; expected one"))
}

fn least(search: &TableQuery, cells: Vec<FoundCell>) -> Result<FoundCell, Error> {
    extreme(search, cells, |new, old| new < old)
}

fn greatest(search: &TableQuery, cells: Vec<FoundCell>) -> Result<FoundCell, Error> {
    extreme(search, cells, |new, old| new > old)
}

/// The first cell that no other is better than; cells without a number are left out.
fn extreme(
    search: &TableQuery,
    cells: Vec<FoundCell>,
    is_better: fn(f64, f64) -> bool,
) -> Result<FoundCell, Error> {
    let mut best: Option<(f64, FoundCell)> = None;
    for cell in cells.into_iter().filter(|cell| !cell.text.is_empty()) {
        let number = cell.number()?;
        if best.as_ref().is_none_or(|(old, _)| is_better(number, *old)) {
            best = Some((number, cell));
        }
    }
    best.map(|(_, cell)| cell)
        .ok_or_else(|| search.failed("no number in any of the rows; expected one"))
}
