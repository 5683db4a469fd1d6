//! The trials that both sides have, and what their rows have in common.

use std::cmp::Ordering;
use std::ops::Range;

use crate::experiment::store::Row;
use crate::results::rows::Rows;
use crate::solver::outcome::{COLUMNS, Column, Compared};

/// Rows of two sides that belong together.
#[derive(Debug, Clone)]
pub struct Pairs<'a> {
    a: &'a Rows,
    b: &'a Rows,
    /// Where they are on both sides, as many on one as on the other.
    runs: Vec<[Range<usize>; 2]>,
}

impl<'a> Pairs<'a> {
    /// The rows of one seed and index on both sides, each of which is ordered by these.
    pub fn common(a: &'a Rows, b: &'a Rows) -> Self {
        let mut runs: Vec<[Range<usize>; 2]> = Vec::new();
        let (mut of_a, mut of_b) = (a.trials().enumerate(), b.trials().enumerate());
        let mut next = (of_a.next(), of_b.next());
        while let (Some((i, x)), Some((j, y))) = next {
            match x.cmp(&y) {
                Ordering::Less => next.0 = of_a.next(),
                Ordering::Greater => next.1 = of_b.next(),
                Ordering::Equal => {
                    match runs.last_mut() {
                        Some([own, their]) if (own.end, their.end) == (i, j) => {
                            (own.end, their.end) = (i + 1, j + 1);
                        }
                        _ => runs.push([i..i + 1, j..j + 1]),
                    }
                    next = (of_a.next(), of_b.next());
                }
            }
        }
        Self { a, b, runs }
    }

    /// The first row with the first, and so on, as far as both sides go.
    pub fn in_order(a: &'a Rows, b: &'a Rows) -> Self {
        let length = a.len().min(b.len());
        let runs = vec![[0..length, 0..length]];
        Self { a, b, runs }
    }

    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.runs.iter().map(|[own, _]| own.len()).sum()
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every pair, of A and of B.
    pub fn iter(&self) -> impl Iterator<Item = (Row, Row)> + '_ {
        let rows = |[own, their]: &[Range<usize>; 2]| {
            let (own, their) = (own.clone(), their.clone());
            self.a.range(own).zip(self.b.range(their))
        };
        self.runs.iter().flat_map(rows)
    }

    /// [`Self::iter`] without the boards of the rows.
    pub fn without_boards(&self) -> impl Iterator<Item = (Row, Row)> + '_ {
        let rows = |[own, their]: &[Range<usize>; 2]| {
            let own = self.a.range(own.clone()).without_boards();
            own.zip(self.b.range(their.clone()).without_boards())
        };
        self.runs.iter().flat_map(rows)
    }

    /// Pairs whose rows are not the same in every column that both sides have.
    pub fn n_differing(&self) -> usize {
        let are_same = |(x, y): (Row, Row)| (x.cutoff, x.outcome) == (y.cutoff, y.outcome);
        if self.iter().all(are_same) {
            return 0;
        }
        let mut known = vec![[false, false]; COLUMNS.len()];
        for (x, y) in self.iter() {
            for (sides, column) in known.iter_mut().zip(COLUMNS) {
                sides[0] |= column.is_filled(&x.outcome);
                sides[1] |= column.is_filled(&y.outcome);
            }
        }
        let columns: Vec<&Column> = COLUMNS
            .iter()
            .zip(known)
            .filter(|(column, sides)| column.compared == Compared::Always || *sides == [true; 2])
            .map(|(column, _)| column)
            .collect();
        let are_equal = |(x, y): &(Row, Row)| {
            (x.outcome.ending, x.cutoff) == (y.outcome.ending, y.cutoff)
                && columns
                    .iter()
                    .all(|column| column.is_equal(&x.outcome, &y.outcome))
        };
        self.iter().filter(|pair| !are_equal(pair)).count()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::analysis::synthetic::{Draws, Law, trials};

    fn rows(seed: u64, count: u32) -> Vec<Row> {
        let law = Law::of_pair_8(3_000_000);
        trials(&mut Draws::new(seed), &law, count)
            .rows
            .iter()
            .collect()
    }

    /// Against a map of seeds and indices, where sides lack trials at the ends, in the middle, here
    /// and there, and altogether.
    #[test]
    fn pairs_are_those_of_a_map() {
        let mut all = rows(1, 60);
        for (place, row) in all.iter_mut().enumerate() {
            (row.seed, row.trial) = (place as u64 / 20, place as u32 % 20);
        }
        let kept: [fn(usize) -> bool; 6] = [
            |_| true,
            |_| false,
            |place| place % 3 == 0,
            |place| place > 9 && place != 30,
            |place| place < 45,
            |place| place % 2 == 1,
        ];
        let side = |keep: fn(usize) -> bool| -> Vec<Row> {
            let kept = all.iter().enumerate().filter(|(place, _)| keep(*place));
            kept.map(|(_, row)| row.clone()).collect()
        };
        for x in kept {
            for y in kept {
                let (x, y) = (side(x), side(y));
                let key = |row: &Row| (row.seed, row.trial);
                let by_key: BTreeMap<_, _> = y.iter().map(|row| (key(row), row)).collect();
                let expected: Vec<(Row, Row)> = x
                    .iter()
                    .filter_map(|row| Some((row.clone(), Row::clone(by_key.get(&key(row))?))))
                    .collect();
                let (x, y) = (Rows::from(x.clone()), Rows::from(y.clone()));
                let pairs = Pairs::common(&x, &y);
                assert_eq!(pairs.iter().collect::<Vec<_>>(), expected);
                assert_eq!(pairs.len(), expected.len());
            }
        }
    }
}
