//! The rows of two sides that belong together. Here is decided which trials of A and B are partners
//! (same seed and index), and that a pair differs when a column of both differs.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::experiment::store::Row;
use crate::experiment::store::rows::Rows;
use crate::solver::Outcome;
use crate::solver::outcome::OwnValues;

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
    /// The indices of each pair in `a` and in `b`, one after the other and none kept, since there
    /// may be 10⁷.
    pub fn index_pairs(self) -> impl Iterator<Item = (usize, usize)> + use<'a> {
        let mut i = 0;
        let mut j = 0;
        std::iter::from_fn(move || {
            while i < self.a.len() && j < self.b.len() {
                let order = if self.in_order {
                    Ordering::Equal
                } else {
                    self.a.trial(i).cmp(&self.b.trial(j))
                };
                let pair = (i, j);
                i += usize::from(order.is_le());
                j += usize::from(order.is_ge());
                if order.is_eq() {
                    return Some(pair);
                }
            }
            None
        })
    }

    /// Number of pairs.
    pub fn count(self) -> usize {
        self.index_pairs().count()
    }

    /// Every pair, of A and of B, with or without the boards of the rows.
    pub fn rows(self, with_boards: bool) -> impl Iterator<Item = (Row, Row)> + use<'a> {
        let row = move |(i, j)| (self.a.row(i, with_boards), self.b.row(j, with_boards));
        self.index_pairs().map(row)
    }

    /// Pairs whose rows are not the same in the columns that both sides have.
    pub fn n_differing(self) -> usize {
        let of_a: BTreeSet<&str> = self.a.own_names().collect();
        let of_b: BTreeSet<&str> = self.b.own_names().collect();
        if of_a == of_b {
            let differ = |(x, y): &(Row, Row)| (x.cutoff, &x.outcome) != (y.cutoff, &y.outcome);
            return self.rows(true).filter(differ).count();
        }
        let of_both: BTreeSet<&str> = of_a.intersection(&of_b).copied().collect();
        let differ = |(x, y): &(Row, Row)| {
            let of_x = with_own(&x.outcome, &of_both);
            let of_y = with_own(&y.outcome, &of_both);
            x.cutoff != y.cutoff || of_x != of_y
        };
        self.rows(true).filter(differ).count()
    }
}

/// The outcome with those of its own values that are in columns of these names.
fn with_own(outcome: &Outcome, names: &BTreeSet<&str>) -> Outcome {
    let mut own = OwnValues::default();
    for (name, value) in outcome.own.iter() {
        if names.contains(name) {
            own.set(name.to_owned(), value.clone());
        }
    }
    Outcome {
        own,
        ..outcome.clone()
    }
}
