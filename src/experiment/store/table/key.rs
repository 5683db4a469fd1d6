//! The columns that say which trial a row is of: algorithm, variant, axes, seed and trial. (`goal`
//! is part of the key too; it came later and stands after the columns that were there before.)

use std::collections::BTreeMap;
use std::sync::Arc;

use polars::prelude::{
    AnyValue, ArrowDataType, ArrowSchema, ChunkCompareEq, Column, DataFrame, NamedFrom, PlSmallStr,
    PolarsError, PolarsResult, Series,
};

use super::super::Point;
use super::{TableRow, present, unexpected};
use crate::solver::Value;
use crate::solver::goal::Goal;
use crate::solver::point::{KEY_AXES, WORDS};

/// The axes of a table's points beyond [`KEY_AXES`], for which every table has a column: a column
/// for each, sorted by name, so that what a few algorithms need changes no bytes of others. Whether
/// their values are real numbers.
#[derive(Debug, Clone, Default)]
pub struct Axes(BTreeMap<String, bool>);

impl Axes {
    /// The axes that any of the points has.
    pub fn of<'a>(points: impl IntoIterator<Item = &'a Arc<Point>>) -> Self {
        let mut axes = BTreeMap::new();
        for (name, value) in points.into_iter().flat_map(|point| point.axes.further()) {
            if !axes.contains_key(name) {
                axes.insert(name.to_owned(), matches!(value, Value::Real(_)));
            }
        }
        Self(axes)
    }

    /// The axes of any of the tables.
    pub(crate) fn of_all(tables: impl IntoIterator<Item = Self>) -> Self {
        Self(tables.into_iter().flat_map(|table| table.0).collect())
    }

    /// The axes of a file.
    pub(super) fn of_file(schema: &ArrowSchema) -> Self {
        let is_real = between(schema.iter(), |(name, _)| name)
            .filter(|(name, _)| !KEY_AXES.contains(&name.as_str()))
            .map(|(name, field)| {
                let is_real = field.dtype == ArrowDataType::Float64;
                (name.to_string(), is_real)
            });
        Self(is_real.collect())
    }
}

/// Every column between `variant` and `seed` is an axis.
fn between<T>(
    columns: impl Iterator<Item = T>,
    name: fn(&T) -> &PlSmallStr,
) -> impl Iterator<Item = T> {
    columns
        .skip_while(move |it| *name(it) != "variant")
        .skip(1)
        .take_while(move |it| *name(it) != "seed")
}

/// The indices of the columns whose type is one that we write. A column of another type is a later
/// program's and is not read, but for an axis, without which the points would be others. Without a
/// column of the key, others would be taken for axes.
pub fn wanted(schema: &ArrowSchema) -> PolarsResult<Vec<usize>> {
    let keys = ["algorithm", "variant", "seed", "trial"];
    if let Some(name) = keys.into_iter().find(|name| !schema.contains(name)) {
        return Err(unexpected(name, "no column"));
    }
    let is_ours = |kind: &ArrowDataType| {
        use ArrowDataType::{BinaryView, Boolean, Float64, UInt32, UInt64, Utf8View};
        matches!(
            kind,
            Utf8View | BinaryView | UInt32 | UInt64 | Float64 | Boolean
        )
    };
    let mut axes = between(schema.iter(), |(name, _)| name);
    if let Some((name, field)) = axes.find(|(_, field)| !is_ours(&field.dtype)) {
        return Err(unexpected(name, &format!("type {:?}", field.dtype)));
    }
    let columns = schema.iter_values().enumerate();
    let ours = columns.filter(|(_, field)| is_ours(&field.dtype));
    Ok(ours.map(|(at, _)| at).collect())
}

/// The columns of the rows' keys.
pub fn columns<R: TableRow>(axes: &Axes, rows: &[R]) -> PolarsResult<Vec<Column>> {
    let texts = |name: &str, text: fn(&Point) -> &str| {
        let texts = rows.iter().map(|row| Some(text(row.trial().0)));
        Column::new(name.into(), texts.collect::<Vec<_>>())
    };
    let integer = |value| match value {
        Value::Integer(value) => Some(value),
        Value::Real(_) => None,
    };
    let real = |value| match value {
        Value::Integer(_) => None,
        Value::Real(value) => Some(value),
    };
    let [n, epsilon, eta] = KEY_AXES;
    let mut columns = vec![
        texts("algorithm", |point| &point.algorithm),
        texts("variant", |point| &point.variant),
        axis(n, rows, |value| u32::try_from(integer(value)?).ok())?,
        axis(epsilon, rows, real)?,
        axis(eta, rows, real)?,
    ];
    for (name, is_real) in &axes.0 {
        columns.push(match is_real {
            false => axis(name, rows, integer)?,
            true => axis(name, rows, real)?,
        });
    }
    let seeds: Vec<u64> = rows.iter().map(|row| row.trial().1).collect();
    let trials: Vec<u32> = rows.iter().map(|row| row.trial().2).collect();
    columns.push(Column::new("seed".into(), seeds));
    columns.push(Column::new("trial".into(), trials));
    Ok(columns)
}

/// The values on one axis, null where a point does not have it.
fn axis<R: TableRow, T>(
    name: &str,
    rows: &[R],
    held: impl Fn(Value) -> Option<T>,
) -> PolarsResult<Column>
where
    Series: NamedFrom<Vec<Option<T>>, [Option<T>]>,
{
    let held = |value: Value| {
        let refused = || format!("the column {name} cannot hold {value}").into();
        held(value).ok_or_else(|| PolarsError::ComputeError(refused()))
    };
    let value = |row: &R| row.trial().0.axes.get(name).map(held).transpose();
    let values: Vec<Option<T>> = rows.iter().map(value).collect::<PolarsResult<_>>()?;
    Ok(Column::new(name.into(), values))
}

/// Rows that say nothing beside their keys; neighbours of one point share it.
///
/// # Errors
/// Columns of another type, and values that no key has.
pub fn rows<R: TableRow>(frame: &DataFrame) -> PolarsResult<Vec<R>> {
    // Older files have no `goal`.
    let words = WORDS.iter().filter_map(|word| frame.column(word).ok());
    let axes = between(frame.columns().iter(), |column| column.name());
    let keys: Vec<&Column> = words.chain(axes).collect();
    // Whether a row is of another point than the one before.
    let mut begins = vec![false; frame.height()];
    begins.iter_mut().take(1).for_each(|first| *first = true);
    // Not `shift(1)`: for its null Polars fills 8 MiB with zeros, most of a small command's time.
    let rest = frame.height().saturating_sub(1);
    for column in &keys {
        let others = column
            .slice(1, rest)
            .not_equal_missing(&column.slice(0, rest))?;
        let both = begins.iter_mut().skip(1).zip(others.iter());
        both.for_each(|(begins, is_other)| *begins |= is_other.unwrap_or(true));
    }
    let seeds = frame.column("seed")?.u64()?.iter();
    let trials = frame.column("trial")?.u32()?.iter();
    let mut shared = None;
    let mut rows = Vec::with_capacity(frame.height());
    for (at, ((begins, seed), trial)) in begins.into_iter().zip(seeds).zip(trials).enumerate() {
        let shared = match &mut shared {
            Some(shared) if !begins => shared,
            shared => shared.insert(Arc::new(point(&keys, at)?)),
        };
        let (seed, trial) = (present("seed", seed)?, present("trial", trial)?);
        rows.push(R::blank(Arc::clone(shared), seed, trial));
    }
    Ok(rows)
}

fn point(keys: &[&Column], at: usize) -> PolarsResult<Point> {
    let mut point = Point::new("", []);
    for column in keys {
        let (name, value) = (column.name(), column.get(at)?);
        let refused = || unexpected(name, &value.to_string());
        // Polars gives a text as its own or as a borrowed one.
        match (name.as_str(), value.get_str()) {
            ("algorithm", Some(text)) => point.algorithm = text.to_owned(),
            ("variant", Some(text)) => point.variant = text.to_owned(),
            ("goal", Some(text)) => {
                let goal = Goal::from_name(text).ok_or_else(|| unexpected("goal", text))?;
                point.goal = Some(goal);
            }
            ("algorithm" | "variant", None) => return Err(refused()),
            (_, None) if value.is_null() => {}
            ("goal", None) => return Err(refused()),
            (axis, _) => {
                let value = match value {
                    AnyValue::UInt32(value) => Value::Integer(value.into()),
                    AnyValue::UInt64(value) => Value::Integer(value),
                    AnyValue::Float64(value) if !value.is_nan() => Value::real(value),
                    _ => return Err(refused()),
                };
                point.axes.set(axis.to_owned(), value);
            }
        }
    }
    Ok(point)
}
