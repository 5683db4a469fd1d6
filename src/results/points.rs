//! The rows of a complete run point by point, so that no more than one point need be in memory.

use std::iter::Peekable;
use std::sync::Arc;

use super::PointTrials;
use super::rows::RowsBuilder;
use crate::experiment::store::complete::{CompleteRun, Trials};
use crate::experiment::store::{Point, Record, StoreError};

/// The points of some trials in order, one after the other.
pub struct Points<I: Iterator = Trials>(Peekable<I>);

impl<I: Iterator<Item = Result<Record, StoreError>>> Points<I> {
    /// Those of these trials.
    pub fn of(trials: I) -> Self {
        Self(trials.peekable())
    }
}

impl CompleteRun {
    /// The rows, point by point.
    ///
    /// # Errors
    /// A damaged or missing file.
    pub fn points(&self) -> Result<Points, StoreError> {
        Ok(Points::of(self.trials()?))
    }

    /// [`Self::points`], all in memory at once.
    ///
    /// # Errors
    /// A damaged or missing file.
    pub fn all_points(&self) -> Result<Vec<PointTrials>, StoreError> {
        self.points()?.collect()
    }
}

impl<I: Iterator<Item = Result<Record, StoreError>>> Iterator for Points<I> {
    type Item = Result<PointTrials, StoreError>;

    /// All rows of the next point, or what is wrong; then nothing is to be asked any more.
    fn next(&mut self) -> Option<Self::Item> {
        let (mut rows, mut point) = (RowsBuilder::default(), None::<Arc<Point>>);
        while let Some(next) = self.0.next_if(|next| match (next, &point) {
            (Ok(next), Some(point)) => Arc::ptr_eq(&next.point, point) || next.point == *point,
            _ => true,
        }) {
            match next {
                Ok(next) => {
                    rows.push(next.row);
                    point = Some(next.point);
                }
                Err(error) => return Some(Err(error)),
            }
        }
        let point = Point::clone(&*point?);
        let rows = rows.finish();
        Some(Ok(PointTrials { point, rows }))
    }
}
