//! Points side by side, as many as memory is there for.

use rayon::prelude::*;

use crate::results::PointTrials;

/// Rows of the points that are summed up at once, at most, unless one point alone has more: each
/// takes some 30 bytes meanwhile.
const ROWS: usize = 1 << 21;

/// What `of` makes of each point, in the order given, shared out over the processors.
pub fn of_each_point<T: Send>(
    trials: &[PointTrials],
    of: impl Fn(&PointTrials) -> Option<T> + Sync,
) -> Vec<T> {
    let (mut found, mut rest) = (Vec::new(), trials);
    while !rest.is_empty() {
        let (batch, others) = rest.split_at(first_batch(rest, ROWS));
        found.extend(batch.par_iter().filter_map(&of).collect::<Vec<T>>());
        rest = others;
    }
    found
}

/// How many of the points come first: at least one.
fn first_batch(trials: &[PointTrials], most: usize) -> usize {
    let mut rows = 0;
    let fits = |point: &&PointTrials| {
        rows += point.rows.len();
        rows <= most
    };
    trials.iter().take_while(fits).count().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{Draws, Law, trials};

    #[test]
    fn batches_have_few_rows_and_at_least_one_point() {
        let law = Law::of_pair_8(u64::MAX);
        let points = [3, 4, 5, 20, 1].map(|rows| trials(&mut Draws::new(1), &law, rows));
        let first = |from: usize, most| first_batch(&points[from..], most);
        assert_eq!([first(0, 6), first(0, 7), first(0, 100)], [1, 2, 5]);
        assert_eq!([first(3, 7), first(4, 7), first(3, 21)], [1, 1, 2]);
    }
}
