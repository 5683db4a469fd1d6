//! A line at the time that signals take to become true, in figures of series. The time itself, 1.38
//! · sites · n, is in `analysis/course.rs`.

use itertools::Itertools;

use crate::analysis::course::relaxation_time;
use crate::report::curves::studies::{Layers, Study};
use crate::report::curves::{Curves, Group};
use crate::report::marks::{Upright, boxed};
use crate::report::measures::measure::RowsOf;

pub struct RelaxationTimes;

impl Study for RelaxationTimes {
    /// A line at the relaxation time of a group's signals, for all groups with this time at the
    /// first of them.
    fn under(&self, curves: &Curves, group: &Group) -> Layers {
        let figure = curves.figure;
        let table = figure.table_of_rows();
        let is_series = table.is_some_and(|table| table.of == RowsOf::Series);
        if figure.across.is_none() || !is_series {
            return Vec::new();
        }
        let Some(x) = relaxation_time(curves.key(group)) else {
            return Vec::new();
        };

        let is_same = |other: &&Group| relaxation_time(curves.key(other)) == Some(x);
        let same = curves.groups.iter().filter(is_same).collect_vec();
        if !std::ptr::eq(same[0], group) {
            return Vec::new();
        }
        let of = curves.of_groups(&same);
        vec![boxed(Upright {
            x,
            colour: group.style.colour,
            name: format!("vertical dashes: mean relaxation time of the signals{of}"),
        })]
    }
}
