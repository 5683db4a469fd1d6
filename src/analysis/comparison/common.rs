//! The trials that both sides have, and what their rows have in common.

use std::collections::BTreeMap;

use crate::experiment::store::Row;
use crate::solver::outcome::{COLUMNS, Column, Compared};

/// Whether one stream drove both sides of a pair though no row is the same, as after a change of
/// what one column counts: the absorption times or the hitting times are equal in at least half of
/// the pairs that have them. Independent times hardly ever are.
pub fn share_streams(common: &[(&Row, &Row)]) -> bool {
    let are_equal_in_half = |time: fn(&Row) -> Option<u64>| {
        let pairs = common
            .iter()
            .filter_map(|(x, y)| Some(time(x)? == time(y)?));
        let [unequal, equal] = pairs.fold([0, 0], |mut counts, is_equal| {
            counts[usize::from(is_equal)] += 1;
            counts
        });
        equal > 0 && equal >= unequal
    };
    are_equal_in_half(|row| row.outcome.absorption_time)
        || are_equal_in_half(|row| row.outcome.hitting_time)
}

/// The rows of one seed and index on both sides.
pub fn common<'a>(a: &'a [Row], b: &'a [Row]) -> Vec<(&'a Row, &'a Row)> {
    let by_key: BTreeMap<(u64, u32), &Row> =
        b.iter().map(|row| ((row.seed, row.trial), row)).collect();
    a.iter()
        .filter_map(|row| Some((row, *by_key.get(&(row.seed, row.trial))?)))
        .collect()
}

/// Pairs whose rows are not the same in every column that both sides have.
pub fn n_differing(common: &[(&Row, &Row)]) -> usize {
    let is_known = |column: &&Column| {
        let mut sides = [false, false];
        for (x, y) in common {
            sides[0] |= column.is_filled(&x.outcome);
            sides[1] |= column.is_filled(&y.outcome);
        }
        sides == [true, true]
    };
    let columns: Vec<&Column> = COLUMNS
        .iter()
        .filter(|column| column.compared == Compared::Always || is_known(column))
        .collect();
    let are_equal = |x: &Row, y: &Row| {
        (x.outcome.ending, x.cutoff) == (y.outcome.ending, y.cutoff)
            && columns
                .iter()
                .all(|column| column.is_equal(&x.outcome, &y.outcome))
    };
    common.iter().filter(|(x, y)| !are_equal(x, y)).count()
}
