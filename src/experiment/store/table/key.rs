//! The columns that say which trial a row is of: algorithm, variant, axes, seed and trial. (`goal`
//! is part of the key too; it came later and stands after the columns that were there before.)

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use polars::prelude::{
    AnyValue, ArrowDataType, ArrowField, ArrowSchema, ChunkCompareEq, Column, DataFrame, NamedFrom,
    PlSmallStr, PolarsError, PolarsResult, Series,
};

use super::super::Point;
use super::column::present;
use super::{TableRow, unexpected};
use crate::solver::goal::Goal;
use crate::solver::point::KEY_AXES;
use crate::solver::{AxisValues, Value};

/// The axes of a table's points beyond [`KEY_AXES`], for which every table has a column: a column
/// for each, sorted by name, so that what a few algorithms need changes no bytes of others.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Axes(BTreeMap<String, Kind>);

/// What the values on an axis are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Integer,
    Real,
}

impl Axes {
    /// Those that any of the points has.
    pub fn of<'a>(points: impl IntoIterator<Item = &'a Arc<Point>>) -> Self {
        let mut axes = BTreeMap::new();
        for (name, value) in points.into_iter().flat_map(|point| point.axes.further()) {
            if !axes.contains_key(name) {
                let kind = match value {
                    Value::Integer(_) => Kind::Integer,
                    Value::Real(_) => Kind::Real,
                };
                axes.insert(name.to_owned(), kind);
            }
        }
        Self(axes)
    }

    /// Those of any of the tables.
    pub fn of_all<'a>(tables: impl IntoIterator<Item = &'a Self>) -> Self {
        let axes = tables.into_iter().flat_map(|table| table.0.clone());
        Self(axes.collect())
    }

    /// Those of a file.
    pub(super) fn of_file(schema: &ArrowSchema) -> Self {
        let further = in_file(schema).filter(|(name, _)| !KEY_AXES.contains(&name.as_str()));
        let kind = |field: &ArrowField| match field.dtype {
            ArrowDataType::Float64 => Kind::Real,
            _ => Kind::Integer,
        };
        Self(
            further
                .map(|(name, field)| (name.to_string(), kind(field)))
                .collect(),
        )
    }
}

/// Every column between `variant` and `seed` is an axis.
fn in_file(schema: &ArrowSchema) -> impl Iterator<Item = (&PlSmallStr, &ArrowField)> {
    schema
        .iter()
        .skip_while(|(name, _)| *name != "variant")
        .skip(1)
        .take_while(|(name, _)| *name != "seed")
}

/// The places of the columns whose type is one that we write. A column of another type is a later
/// program's and is not read, but for an axis, without which the points would be others. Without a
/// column of the key, others would be taken for axes.
pub fn wanted(schema: &ArrowSchema) -> PolarsResult<Vec<usize>> {
    let keys = ["algorithm", "variant", "seed", "trial"];
    if let Some(name) = keys.into_iter().find(|name| !schema.contains(name)) {
        return Err(unexpected(name, "no column"));
    }
    let is_ours = |field: &ArrowField| {
        matches!(
            field.dtype,
            ArrowDataType::Utf8View
                | ArrowDataType::BinaryView
                | ArrowDataType::UInt32
                | ArrowDataType::UInt64
                | ArrowDataType::Float64
                | ArrowDataType::Boolean
        )
    };
    if let Some((name, field)) = in_file(schema).find(|(_, field)| !is_ours(field)) {
        return Err(unexpected(name, &format!("type {:?}", field.dtype)));
    }
    let columns = schema.iter_values().enumerate();
    Ok(columns
        .filter(|(_, field)| is_ours(field))
        .map(|(at, _)| at)
        .collect())
}

/// The columns of the rows' keys.
///
/// # Errors
/// A point with a value that its axis' column cannot hold.
pub fn columns<R: TableRow>(axes: &Axes, rows: &[R]) -> PolarsResult<Vec<Column>> {
    let texts = |name: &str, text: fn(&Point) -> &str| {
        let texts = rows.iter().map(|row| Some(text(row.trial().0)));
        Column::new(name.into(), texts.collect::<Vec<_>>())
    };
    let [n, epsilon, eta] = KEY_AXES;
    let mut columns = vec![
        texts("algorithm", |point| &point.algorithm),
        texts("variant", |point| &point.variant),
        axis(n, rows, |value| u32::try_from(integer(value)?).ok())?,
        axis(epsilon, rows, real)?,
        axis(eta, rows, real)?,
    ];
    for (name, kind) in &axes.0 {
        columns.push(match kind {
            Kind::Integer => axis(name, rows, integer)?,
            Kind::Real => axis(name, rows, real)?,
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
    held: fn(Value) -> Option<T>,
) -> PolarsResult<Column>
where
    Series: NamedFrom<Vec<Option<T>>, [Option<T>]>,
{
    let held = |value: Value| {
        held(value).ok_or_else(|| {
            PolarsError::ComputeError(format!("the column {name} cannot hold {value}").into())
        })
    };
    let values = rows
        .iter()
        .map(|row| row.trial().0.axes.get(name).map(held).transpose());
    let values = values.collect::<PolarsResult<Vec<Option<T>>>>()?;
    Ok(Column::new(name.into(), values))
}

fn integer(value: Value) -> Option<u64> {
    match value {
        Value::Integer(value) => Some(value),
        Value::Real(_) => None,
    }
}

fn real(value: Value) -> Option<f64> {
    match value {
        Value::Integer(_) => None,
        Value::Real(value) => Some(value),
    }
}

/// Rows that say nothing beside their keys; neighbours of one point share it.
///
/// # Errors
/// Columns of another type, and values that no key has.
pub fn rows<R: TableRow>(frame: &DataFrame) -> PolarsResult<Vec<R>> {
    let (seed, trial) = (frame.column("seed")?.u64()?, frame.column("trial")?.u32()?);
    let keys = Keys::of(frame)?;
    let begins = keys.begins(frame.height())?;
    let mut rows = Vec::with_capacity(frame.height());
    let mut point = None;
    for (at, begins) in begins.into_iter().enumerate() {
        let point = match &mut point {
            Some(point) if !begins => point,
            point => point.insert(Arc::new(keys.point(at)?)),
        };
        rows.push(R::blank(
            Arc::clone(point),
            present("seed", seed.get(at))?,
            present("trial", trial.get(at))?,
        ));
    }
    Ok(rows)
}

/// The columns that make a point.
struct Keys<'a> {
    algorithm: &'a Column,
    variant: &'a Column,
    axes: Vec<&'a Column>,
    goal: Option<&'a Column>,
}

impl<'a> Keys<'a> {
    fn of(frame: &'a DataFrame) -> PolarsResult<Self> {
        let between = frame.columns().iter();
        let between = between.skip_while(|column| column.name() != "variant");
        Ok(Self {
            algorithm: frame.column("algorithm")?,
            variant: frame.column("variant")?,
            axes: between
                .skip(1)
                .take_while(|column| column.name() != "seed")
                .collect(),
            goal: frame.column("goal").ok(),
        })
    }

    /// Whether each row is of another point than the one before.
    fn begins(&self, rows: usize) -> PolarsResult<Vec<bool>> {
        let mut begins = vec![false; rows];
        let columns = [self.algorithm, self.variant].into_iter();
        for column in columns.chain(self.axes.iter().copied()).chain(self.goal) {
            let others = column.not_equal_missing(&column.shift(1))?;
            for (begins, is_other) in begins.iter_mut().zip(others.iter()) {
                *begins |= is_other.unwrap_or(true);
            }
        }
        begins.iter_mut().take(1).for_each(|first| *first = true);
        Ok(begins)
    }

    fn point(&self, at: usize) -> PolarsResult<Point> {
        let text = |column: &Column| -> PolarsResult<String> {
            let text = present(column.name(), column.str()?.get(at))?;
            Ok(text.to_owned())
        };
        let mut axes = AxisValues::default();
        for column in &self.axes {
            if let Some(value) = value(column, at)? {
                let name = column.name().as_str();
                let known = KEY_AXES.into_iter().find(|known| *known == name);
                axes.set(
                    known.map_or_else(|| Cow::from(name.to_owned()), Cow::from),
                    value,
                );
            }
        }
        let goal = match self.goal.map(|column| column.str()).transpose()? {
            Some(goals) => goals.get(at),
            None => None,
        };
        let goal = goal.map(|name| Goal::from_name(name).ok_or_else(|| unexpected("goal", name)));
        Ok(Point {
            algorithm: text(self.algorithm)?,
            variant: text(self.variant)?,
            axes,
            goal: goal.transpose()?,
        })
    }
}

/// The value on an axis.
fn value(column: &Column, at: usize) -> PolarsResult<Option<Value>> {
    Ok(match column.get(at)? {
        AnyValue::Null => None,
        AnyValue::UInt32(value) => Some(Value::Integer(value.into())),
        AnyValue::UInt64(value) => Some(Value::Integer(value)),
        AnyValue::Float64(value) if !value.is_nan() => Some(Value::real(value)),
        other => return Err(unexpected(column.name(), &other.to_string())),
    })
}
