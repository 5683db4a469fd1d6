//! The columns that say which trial a row is of: algorithm, variant, axes, seed and trial. (`goal`
//! is part of the key too; it came later and stands after the columns that were there before.) Here
//! are their order and types, and which axes have a column in a table.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use itertools::Itertools;
use polars::prelude::{
    AnyValue, ArrowDataType, ArrowField, ArrowSchema, Column, DataFrame, DataType, NamedFrom,
    PlSmallStr, PolarsError, PolarsResult, Series,
};

use super::super::{Point, Record};
use super::{too_large, unexpected};
use crate::solver::Value;
use crate::solver::goal::Goal;
use crate::solver::outcome::COLUMNS;
use crate::solver::point::{KEY_AXES, WORDS};

/// The axes of a table's points beyond [`KEY_AXES`], for which every table has a column: a column
/// for each, sorted by name, so that what a few algorithms need changes no bytes of others. Whether
/// their values are real numbers.
#[derive(Debug, Clone, Default)]
pub struct Axes(BTreeMap<String, bool>);

impl Axes {
    /// The axes that any of the points has.
    pub fn of<'a>(points: impl IntoIterator<Item = &'a Point>) -> Self {
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

    /// The axes of a table.
    pub(crate) fn of_frame(frame: &DataFrame) -> Self {
        let axes = between(frame.columns().iter(), |column| column.name());
        let axes = axes.filter(|axis| !KEY_AXES.contains(&axis.name().as_str()));
        let is_real = axes.map(|axis| (axis.name().to_string(), axis.dtype().is_float()));
        Self(is_real.collect())
    }
}

/// Every column between `variant` and `seed` is an axis.
fn between<T>(
    columns: impl Iterator<Item = T>,
    name: fn(&T) -> &PlSmallStr,
) -> impl Iterator<Item = T> {
    columns
        .skip_while(move |column| *name(column) != "variant")
        .skip(1)
        .take_while(move |column| *name(column) != "seed")
}

/// The columns whose type is one that we write, or whose name is. A column of another type and name
/// is a later program's and is not read. Without a column of the key, others would be taken for
/// axes.
pub fn wanted(schema: &ArrowSchema) -> PolarsResult<Vec<(&PlSmallStr, &ArrowField)>> {
    let keys = ["algorithm", "variant", "seed", "trial"];
    if let Some(name) = keys.into_iter().find(|name| !schema.contains(name)) {
        return Err(unexpected(name, "no column"));
    }
    let is_plain = |kind: &ArrowDataType| {
        use ArrowDataType::{BinaryView, Boolean, Float64, Int32, Int64, UInt32, UInt64, Utf8View};
        matches!(
            kind,
            Utf8View | BinaryView | Int32 | Int64 | UInt32 | UInt64 | Float64 | Boolean
        )
    };
    let mut axes = between(schema.iter(), |(name, _)| name);
    if let Some((name, field)) = axes.find(|(_, field)| !is_plain(&field.dtype)) {
        return Err(unexpected(name, &format!("type {:?}", field.dtype)));
    }
    let is_fact = |name: &str| COLUMNS.iter().any(|fact| fact.name == name);
    let is_ours = |(name, field): &(&PlSmallStr, &ArrowField)| {
        let kind = match &field.dtype {
            ArrowDataType::LargeList(item) => &item.dtype,
            kind => kind,
        };
        is_plain(kind) || is_fact(name)
    };
    Ok(schema.iter().filter(is_ours).collect())
}

/// The column of what each record has.
pub fn each<'r, T>(name: &str, records: &'r [Record], value: impl Fn(&'r Record) -> T) -> Column
where
    Series: NamedFrom<Vec<T>, [T]>,
{
    Column::new(name.into(), records.iter().map(value).collect::<Vec<_>>())
}

/// The column of what the point of each record has, which is looked up once for records of the
/// same point that follow each other.
///
/// # Errors
/// Those of `value`.
pub fn of_points<'r, T: Clone>(
    name: &str,
    records: &'r [Record],
    value: impl Fn(&'r Point) -> PolarsResult<T>,
) -> PolarsResult<Column>
where
    Series: NamedFrom<Vec<T>, [T]>,
{
    let mut values = Vec::with_capacity(records.len());
    for of_point in records.chunk_by(|a, b| Arc::ptr_eq(&a.point, &b.point)) {
        let value = value(&of_point[0].point)?;
        values.resize(values.len() + of_point.len(), value);
    }
    Ok(Column::new(name.into(), values))
}

/// The column of the number that each record has; null where it has none.
///
/// # Errors
/// A number above [`MOST_INTEGER`](crate::experiment::spec::number::MOST_INTEGER).
pub fn counts(
    name: &str,
    records: &[Record],
    number: impl Fn(&Record) -> Option<u64>,
) -> PolarsResult<Column> {
    let mut numbers: Vec<i64> = Vec::with_capacity(records.len());
    for number in records.iter().filter_map(&number) {
        numbers.push(signed(name, number)?);
    }
    // Of most columns all trials have a number, or none has.
    if numbers.len() == records.len() {
        return Ok(Column::new(name.into(), numbers));
    }
    if numbers.is_empty() {
        let none = Column::full_null(name.into(), records.len(), &DataType::Int64);
        return Ok(none);
    }
    let mut present = numbers.into_iter();
    let held = records
        .iter()
        .map(|record| number(record).and_then(|_| present.next()));
    Ok(Column::new(name.into(), held.collect::<Vec<Option<i64>>>()))
}

/// A number as the columns of tables hold it.
///
/// # Errors
/// A number above [`MOST_INTEGER`](crate::experiment::spec::number::MOST_INTEGER).
pub fn signed(name: &str, number: u64) -> PolarsResult<i64> {
    i64::try_from(number).map_err(|_| too_large(name, number))
}

/// The columns of the keys of trials.
pub fn columns(axes: &Axes, records: &[Record]) -> PolarsResult<Vec<Column>> {
    let [n, epsilon, eta] = KEY_AXES;
    let side = |point: &Point, axis: &str| i32::try_from(point.integer(axis)?).ok();
    let integer = |point: &Point, axis: &str| i64::try_from(point.integer(axis)?).ok();
    let mut columns = vec![
        of_points("algorithm", records, |point| Ok(&*point.algorithm))?,
        of_points("variant", records, |point| Ok(&*point.variant))?,
        axis(n, records, side)?,
        axis(epsilon, records, Point::real)?,
        axis(eta, records, Point::real)?,
    ];
    for (name, is_real) in &axes.0 {
        columns.push(match is_real {
            false => axis(name, records, integer)?,
            true => axis(name, records, Point::real)?,
        });
    }
    columns.push(counts("seed", records, |record| Some(record.row.seed))?);
    columns.push(each("trial", records, |record| i64::from(record.row.trial)));
    Ok(columns)
}

/// The values on one axis, null where a point does not have it.
fn axis<T>(
    name: &str,
    records: &[Record],
    held: impl Fn(&Point, &str) -> Option<T>,
) -> PolarsResult<Column>
where
    T: Clone,
    Series: NamedFrom<Vec<Option<T>>, [Option<T>]>,
{
    of_points(name, records, |point| {
        match (held(point, name), point.axes.get(name)) {
            (None, Some(value)) => {
                let reason = format!("the column {name} cannot hold {value}");
                Err(PolarsError::ComputeError(reason.into()))
            }
            (held, _) => Ok(held),
        }
    })
}

/// The points of a sorted table, each with the range of its rows. The last row of a range is looked
/// for in steps that double while they stay in it and else are halved: of 10⁶ rows a few are read.
///
/// # Errors
/// Columns of another type, and values that no key has.
pub fn points(frame: &DataFrame) -> PolarsResult<Vec<(Point, Range<usize>)>> {
    // Older files have no `goal`.
    let words = WORDS.iter().filter_map(|word| frame.column(word).ok());
    let axes = between(frame.columns().iter(), |column| column.name());
    let keys: Vec<&Column> = words.chain(axes).collect();
    let values = |at| keys.iter().map(move |key| key.get(at));
    let are_same = |a, b| {
        values(a)
            .zip(values(b))
            .map(|(a, b)| PolarsResult::Ok(a? == b?))
    };
    let are_same = |a, b| are_same(a, b).fold_ok(true, |all, one| all && one);
    let mut points = Vec::new();
    let mut start = 0;
    while start < frame.height() {
        let mut last = start;
        let mut step = 1;
        while step > 0 {
            if last + step < frame.height() && are_same(start, last + step)? {
                (last, step) = (last + step, 2 * step)
            } else {
                step /= 2
            }
        }
        points.push((point(&keys, start)?, start..last + 1));
        start = last + 1;
    }
    Ok(points)
}

fn point(keys: &[&Column], at: usize) -> PolarsResult<Point> {
    let mut point = Point::new("", []);
    for column in keys {
        let name = column.name();
        let value = column.get(at)?;
        let refused = || unexpected(name, &value.to_string());
        // Polars gives a text as its own or as a borrowed one.
        let text = value.get_str().ok_or_else(refused);
        let mut on_axis = |value| point.axes.set(name.to_string(), value);
        match (name.as_str(), &value) {
            ("algorithm", _) => point.algorithm = text?.to_owned(),
            ("variant", _) => point.variant = text?.to_owned(),
            (_, AnyValue::Null) => {}
            ("goal", _) => {
                let text = text?;
                let goal = Goal::from_name(text).ok_or_else(|| unexpected("goal", text))?;
                point.goal = Some(goal);
            }
            (_, AnyValue::Int32(value)) => on_axis(whole((*value).into()).ok_or_else(refused)?),
            (_, AnyValue::Int64(value)) => on_axis(whole(*value).ok_or_else(refused)?),
            (_, AnyValue::Float64(value)) if !value.is_nan() => on_axis(Value::real(*value)),
            _ => return Err(refused()),
        }
    }
    Ok(point)
}

/// A whole number on an axis; none is below 0.
fn whole(value: i64) -> Option<Value> {
    u64::try_from(value).ok().map(Value::Integer)
}
