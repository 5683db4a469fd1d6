//! The trials that both sides have, and what their rows have in common.

use std::collections::BTreeMap;

use crate::experiment::store::Row;

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
    are_equal_in_half(|row| row.absorption_time) || are_equal_in_half(|row| row.hitting_time)
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
    let columns = CommonColumns::of(common);
    common
        .iter()
        .filter(|(x, y)| !columns.are_equal(x, y))
        .count()
}

/// Columns that a side may not have at all: it was made before they were.
struct CommonColumns {
    moves: bool,
    moves_at_hit: bool,
    solution: bool,
}

impl CommonColumns {
    fn of(common: &[(&Row, &Row)]) -> Self {
        let both = |is_there: fn(&Row) -> bool| {
            common.iter().any(|(x, _)| is_there(x)) && common.iter().any(|(_, y)| is_there(y))
        };
        Self {
            moves: both(|row| row.moves.is_some()),
            moves_at_hit: both(|row| row.moves_at_hit.is_some()),
            solution: both(|row| row.solution.is_some()),
        }
    }

    fn are_equal(&self, x: &Row, y: &Row) -> bool {
        let always = |row: &Row| {
            (
                row.ending,
                row.cutoff,
                row.absorption_time,
                row.hitting_time,
                row.updates,
                row.counts,
            )
        };
        always(x) == always(y)
            && (!self.moves || x.moves == y.moves)
            && (!self.moves_at_hit || x.moves_at_hit == y.moves_at_hit)
            && (!self.solution || x.solution == y.solution)
    }
}
