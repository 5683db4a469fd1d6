//! What is asked of complete runs, of one or several: which one is meant (`runs`), the trials of
//! several, each once (`distinct`), whether files are what was written (`audit`; checksums are
//! compared in `store/complete/damage`), and what two runs have in common (`conditions`,
//! `course_comparison`).
//!
//! The files themselves are read in one place, the [`store`](crate::experiment::store): a run by
//! [`CompleteRun`](crate::experiment::store::complete::CompleteRun), its rows by
//! [`Rows`](crate::experiment::store::rows::Rows). Nothing here writes a file or can reach a row.
//! `runs::choose` is the rule that all commands share, as docs/data.md has it.

pub(crate) mod audit;
pub(crate) mod conditions;
pub(crate) mod course_comparison;
pub(crate) mod distinct;
pub(crate) mod point_key;
pub mod runs;

use std::cmp::Ordering;

/// What both sides have, each of which is in this order.
pub(crate) fn in_common<'a, T>(
    a: &'a [T],
    b: &'a [T],
    order: impl Fn(&T, &T) -> Ordering,
) -> impl Iterator<Item = (&'a T, &'a T)> {
    a.iter().filter_map(move |of_a| {
        let at = b.binary_search_by(|of_b| order(of_b, of_a));
        Some((of_a, &b[at.ok()?]))
    })
}
