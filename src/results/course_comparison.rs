//! The courses of the trials that two complete runs have in common, compared row by row.

use std::cmp::Ordering;
use std::fmt;

use super::courses::TrialReader;
use super::runs::CompleteRun;
use crate::experiment::store::table::course_table::Entry;
use crate::experiment::store::{PointKey, Record, StoreError};
use crate::solver::course::{Observation, QueenMove};

/// What is the same and what is not. A course follows from the streams as the row does; so only
/// trials whose rows are the same are compared.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
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
    ///
    /// # Errors
    /// A damaged or missing file.
    pub fn of(a: &CompleteRun, b: &CompleteRun) -> Result<Self, StoreError> {
        let mut comparison = Self::default();
        let has_courses = |run: &&CompleteRun| {
            let files = &run.manifest.files;
            [Observation::FILE, QueenMove::FILE]
                .iter()
                .any(|file| files.contains_key(*file))
        };
        if ![a, b].iter().all(has_courses) {
            return Ok(comparison);
        }
        let open = |run: &CompleteRun| TrialReader::open(&run.folder, &run.manifest);
        let mut sides = [open(a)?, open(b)?];
        let [mut a, mut b] = [sides[0].pull()?, sides[1].pull()?];
        while let (Some(one), Some(other)) = (&a, &b) {
            let order = one.key().cmp(&other.key());
            if order == Ordering::Equal {
                comparison.add(one, other);
            }
            if order.is_le() {
                a = sides[0].pull()?;
            }
            if order.is_ge() {
                b = sides[1].pull()?;
            }
        }
        Ok(comparison)
    }

    fn add(&mut self, a: &Record, b: &Record) {
        let has_both = [
            !a.course.series.is_empty() && !b.course.series.is_empty(),
            !a.course.moves.is_empty() && !b.course.moves.is_empty(),
        ];
        if has_both == [false, false] {
            return;
        }
        if a.row != b.row {
            self.other_rows += 1;
            return;
        }
        self.trials += 1;
        let series = compare(&a.course.series, &b.course.series, has_both[0]);
        let moves = compare(&a.course.moves, &b.course.moves, has_both[1]);
        self.rows[0] += series.rows;
        self.rows[1] += moves.rows;
        if let Some(difference) = series.difference.or(moves.difference) {
            self.differing += 1;
            self.first
                .get_or_insert_with(|| format!("{} at {difference}", Trial(a)));
        }
    }
}

/// `trial 3 of seed 1 at pair n=8 epsilon=0.01`
struct Trial<'a>(&'a Record);

impl fmt::Display for Trial<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Record { point, row, .. } = self.0;
        let point: &PointKey = point;
        write!(f, "trial {} of seed {} of {point}", row.trial, row.seed)
    }
}

struct Compared {
    rows: u64,
    difference: Option<String>,
}

/// The entries of one update on both sides, in their order; of a series those at moments that both
/// sides have.
fn compare<E: Entry>(a: &[E], b: &[E], has_both: bool) -> Compared {
    let mut compared = Compared {
        rows: 0,
        difference: None,
    };
    if !has_both {
        return compared;
    }
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    while let (Some(one), Some(other)) = (a.peek(), b.peek()) {
        let order = if E::MAY_DIFFER_IN_UPDATES {
            one.update().cmp(&other.update())
        } else {
            Ordering::Equal
        };
        if order == Ordering::Equal {
            compared.rows += 1;
            if let Some((column, value, there)) = one.difference(other) {
                compared.difference.get_or_insert_with(|| {
                    let (file, update) = (E::FILE, one.update());
                    format!("update {update} in {file}: {column} is {value}, there it is {there}")
                });
            }
        }
        if order.is_le() {
            a.next();
        }
        if order.is_ge() {
            b.next();
        }
    }
    let [rest, other_rest] = [a.count(), b.count()];
    if !E::MAY_DIFFER_IN_UPDATES && rest != other_rest {
        compared.difference.get_or_insert_with(|| {
            format!(
                "the end of {}: {rest} further rows, there {other_rest}",
                E::FILE
            )
        });
    }
    compared
}
