//! The courses of the trials that two complete runs have in common, compared row by row.

use serde::Serialize;

use super::in_common;
use crate::experiment::store::complete::CompleteRun;
use crate::experiment::store::schema::{self, MOVES, OfTrial, SERIES};
use crate::experiment::store::table::StoredTable;
use crate::experiment::store::{Record, StoreError};

/// What is the same and what is not. A course follows from the streams as the row does; so only
/// trials whose rows are the same are compared.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct CourseComparison {
    /// Trials with the same row on both sides, and a course on both.
    pub trials: u64,
    /// Trials with courses on both sides that were not compared, since their rows differ.
    pub other_rows: u64,
    /// Rows of `series.parquet` and of `moves.parquet` that were compared.
    pub rows: [u64; 2],
    /// How many of `trials` have different courses.
    pub differing: u64,
    /// The first difference, in words.
    pub first: Option<String>,
}

impl CourseComparison {
    /// Compares two complete runs; what only one of them recorded is left out.
    pub fn of(a: &CompleteRun, b: &CompleteRun) -> Result<Self, StoreError> {
        let mut comparison = Self::default();
        let has_courses = |run: &&CompleteRun| run.has(SERIES) || run.has(MOVES);
        if ![a, b].iter().all(has_courses) {
            return Ok(comparison);
        }
        let [a, b] = [a.trials()?.with_courses(a)?, b.trials()?.with_courses(b)?];
        for both in in_common(a, b, |a, b| a.key().cmp(&b.key())) {
            let (one, other) = both?;
            comparison.add(&one, &other);
        }
        Ok(comparison)
    }

    fn add(&mut self, a: &Record, b: &Record) {
        let (of_a, of_b) = (&a.course, &b.course);
        // Of the moments those that both sides have.
        let series = of_a.series.iter().filter_map(|one| {
            let there = &of_b.series;
            let at = there.binary_search_by_key(&one.update, |it| it.update);
            Some((*one, there[at.ok()?]))
        });
        let series: Vec<_> = series.collect();
        let moves = of_a.moves.iter().copied().zip(of_b.moves.iter().copied());
        let moves: Vec<_> = moves.collect();
        let has_series = !of_a.series.is_empty() && !of_b.series.is_empty();
        if !has_series && moves.is_empty() {
            return;
        }
        if a.row != b.row {
            self.other_rows += 1;
            return;
        }
        self.trials += 1;
        self.rows[0] += series.len() as u64;
        self.rows[1] += moves.len() as u64;
        let difference = difference(schema::series, a, &series)
            .or_else(|| difference(schema::moves, a, &moves))
            .or_else(|| {
                let [rest, there] = [of_a, of_b].map(|it| it.moves.len() - moves.len());
                let differs = !moves.is_empty() && rest != there;
                differs.then(|| format!("the end of {MOVES}: {rest} further rows, there {there}"))
            });
        if let Some(difference) = difference {
            self.differing += 1;
            let Record { point, row, .. } = a;
            let (trial, seed) = (row.trial, row.seed);
            let first = || format!("trial {trial} of seed {seed} of {point} at {difference}");
            self.first.get_or_insert_with(first);
        }
    }
}

/// The first pair of entries that are not the same, in words.
fn difference<E: Copy + PartialEq>(
    table: fn() -> StoredTable<OfTrial<E>>,
    record: &Record,
    pairs: &[(E, E)],
) -> Option<String> {
    let &(a, b) = pairs.iter().find(|(a, b)| a != b)?;
    let StoredTable { file, columns, .. } = table();
    let in_words: Vec<_> = OfTrial::all(record, &[a, b])
        .map(|row| {
            let numbers = columns.iter().filter_map(|column| column.numbers.as_ref());
            numbers.map(|it| (it.show)(&row)).collect::<Vec<_>>()
        })
        .collect();
    let [a, b] = &in_words[..] else { return None };
    let column = a.iter().zip(b).position(|(a, b)| a != b)?;
    let (update, name) = (&a[0], columns[column].name);
    let (value, there) = (&a[column], &b[column]);
    Some(format!(
        "update {update} in {file}: {name} is {value}, there it is {there}"
    ))
}
