//! The trials that both sides have, and what their rows have in common.

use std::cmp::Ordering;

use crate::experiment::store::Row;
use crate::results::rows::Rows;
use crate::solver::outcome::{COLUMNS, Column, Compared};

/// Rows of two sides that belong together.
#[derive(Debug, Clone, Copy)]
pub struct Pairs<'a> {
    pub a: &'a Rows,
    pub b: &'a Rows,
    /// The first row with the first, and so on, as far as both sides go; else those of one seed and
    /// index, by which either side is ordered.
    pub in_order: bool,
}

impl<'a> Pairs<'a> {
    /// Where they are on both sides: none of them is kept, since there may be 10⁷.
    fn places(self) -> impl Iterator<Item = (usize, usize)> + use<'a> {
        let (mut i, mut j) = (0, 0);
        std::iter::from_fn(move || {
            while i < self.a.len() && j < self.b.len() {
                let order = match self.in_order {
                    true => Ordering::Equal,
                    false => self.a.trial(i).cmp(&self.b.trial(j)),
                };
                let place = (i, j);
                i += usize::from(order.is_le());
                j += usize::from(order.is_ge());
                if order.is_eq() {
                    return Some(place);
                }
            }
            None
        })
    }

    /// Number of pairs.
    pub fn count(self) -> usize {
        self.places().count()
    }

    /// Every pair, of A and of B, with or without the boards of the rows.
    pub fn rows(self, with_boards: bool) -> impl Iterator<Item = (Row, Row)> + use<'a> {
        let row = move |(i, j)| (self.a.row(i, with_boards), self.b.row(j, with_boards));
        self.places().map(row)
    }

    /// Pairs whose rows are not the same in every column that both sides have.
    pub fn n_differing(self) -> usize {
        let are_same = |(x, y): (Row, Row)| (x.cutoff, x.outcome) == (y.cutoff, y.outcome);
        if self.rows(true).all(are_same) {
            return 0;
        }
        let mut known = vec![[false, false]; COLUMNS.len()];
        for (x, y) in self.rows(true) {
            for (sides, column) in known.iter_mut().zip(COLUMNS) {
                sides[0] |= column.is_filled(&x.outcome);
                sides[1] |= column.is_filled(&y.outcome);
            }
        }
        let columns = COLUMNS
            .iter()
            .zip(known)
            .filter(|(column, sides)| column.compared == Compared::Always || *sides == [true; 2]);
        let columns: Vec<&Column> = columns.map(|it| it.0).collect();
        let differ = |(x, y): &(Row, Row)| {
            let mut columns = columns.iter();
            (x.outcome.ending, x.cutoff) != (y.outcome.ending, y.cutoff)
                || columns.any(|column| !column.is_equal(&x.outcome, &y.outcome))
        };
        self.rows(true).filter(differ).count()
    }
}
