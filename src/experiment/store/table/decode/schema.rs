//! Which columns of a file are read.

use polars::prelude::*;

use super::super::{FurtherColumns, Kind, course_bytes};
use super::unexpected;
use crate::solver::point::KEY_AXES;

/// The places of the columns whose type is one that we write. A column of another type is a later
/// program's and is not read, but for an axis, without which the points would be others. Without a
/// column of the key, others would be taken for axes.
pub(super) fn wanted(schema: &ArrowSchema) -> PolarsResult<Vec<usize>> {
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
    if let Some((name, field)) = axes(schema).find(|(_, field)| !is_ours(field)) {
        return Err(unexpected(name, &format!("type {:?}", field.dtype)));
    }
    let columns = schema.iter_values().enumerate();
    Ok(columns
        .filter(|(_, field)| is_ours(field))
        .map(|(at, _)| at)
        .collect())
}

/// The columns of a table that only some have.
pub(super) fn further_columns(schema: &ArrowSchema) -> FurtherColumns {
    let further = axes(schema).filter(|(name, _)| !KEY_AXES.contains(&name.as_str()));
    let kind = |field: &ArrowField| match field.dtype {
        ArrowDataType::Float64 => Kind::Real,
        _ => Kind::Integer,
    };
    FurtherColumns {
        axes: further
            .map(|(name, field)| (name.to_string(), kind(field)))
            .collect(),
        courses: schema.contains(course_bytes::NAME),
    }
}

/// Every column between `variant` and `seed` is an axis.
fn axes(schema: &ArrowSchema) -> impl Iterator<Item = (&PlSmallStr, &ArrowField)> {
    schema
        .iter()
        .skip_while(|(name, _)| *name != "variant")
        .skip(1)
        .take_while(|(name, _)| *name != "seed")
}
