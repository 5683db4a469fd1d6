//! Whole numbers of a column, of which some rows may lack one: eight bytes a row, since a run may
//! have 10⁷ of them.

use polars::prelude::{Column, PolarsResult};

/// Stands for no number: a column holds none above [`i64::MAX`].
pub const MISSING: u64 = u64::MAX;

/// The numbers of all rows of a column.
#[derive(Default)]
pub struct Numbers {
    /// [`MISSING`] where there is none.
    values: Vec<u64>,
    has_missing: bool,
}

impl Numbers {
    /// No numbers yet, with room for so many rows.
    pub fn for_rows(n_rows: usize) -> Self {
        Self {
            values: Vec::with_capacity(n_rows),
            has_missing: false,
        }
    }

    /// Adds the rows of a piece of a column, in which no number is below 0.
    ///
    /// # Errors
    /// A column of another type.
    pub fn add(&mut self, piece: &Column) -> PolarsResult<()> {
        for array in piece.i64()?.downcast_iter() {
            let n_before = self.values.len();
            let values = array.values().iter();
            self.values
                .extend(values.map(|value| value.cast_unsigned()));

            if let Some(are_present) = array.validity().filter(|bits| bits.unset_bits() > 0) {
                self.has_missing = true;
                mark_missing(&mut self.values[n_before..], are_present.as_slice());
            }
        }
        Ok(())
    }

    /// All of them.
    pub fn all(&self) -> Counts<'_> {
        Counts {
            values: &self.values,
            has_missing: self.has_missing,
        }
    }
}

/// Puts [`MISSING`] where a bit from this offset on is 0.
fn mark_missing(values: &mut [u64], (are_present, offset, _): (&[u8], usize, usize)) {
    for (at, value) in values.iter_mut().enumerate() {
        let bit = offset + at;
        let is_present = are_present[bit / 8] >> (bit % 8) & 1;
        // All bits where it is missing, without a jump that cannot be foreseen.
        *value |= (is_present as u64).wrapping_sub(1);
    }
}

/// The whole numbers of some rows; `None` where a row has none.
#[derive(Clone, Copy)]
pub struct Counts<'n> {
    values: &'n [u64],
    /// False if each row of the column has a number.
    has_missing: bool,
}

impl<'n> Counts<'n> {
    /// Number of rows.
    pub fn len(self) -> usize {
        self.values.len()
    }

    /// The number of the row at an index, which must be there.
    #[inline(always)]
    pub fn get(self, at: usize) -> Option<u64> {
        let value = self.values[at];
        (value != MISSING).then_some(value)
    }

    /// The number of each row.
    pub fn iter(self) -> impl Iterator<Item = Option<u64>> + use<'n> {
        (0..self.len()).map(move |at| self.get(at))
    }

    /// The number of each row; [`MISSING`] where a row has none.
    pub fn or_missing(self) -> &'n [u64] {
        self.values
    }

    /// The number of each row; `None` where a row has none.
    pub fn whole(self) -> Option<&'n [u64]> {
        let has_missing = self.has_missing && self.values.contains(&MISSING);
        (!has_missing).then_some(self.values)
    }

    /// How many rows have a number.
    pub fn n_present(self) -> usize {
        if !self.has_missing {
            return self.len();
        }
        let present = self.values.iter().filter(|value| **value != MISSING);
        present.count()
    }

    /// The numbers of the rows of a range, which must be there.
    pub fn of(self, rows: std::ops::Range<usize>) -> Self {
        Self {
            values: &self.values[rows],
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces with and without a null, in every order.
    #[test]
    fn numbers_come_back_as_they_were() {
        let whole = vec![Some(3), Some(i64::MAX)];
        let gaps = vec![None, Some(0), None];
        let none: Vec<Option<i64>> = vec![None; 2];
        for pieces in [
            vec![&whole],
            vec![&whole, &gaps, &whole],
            vec![&gaps, &whole, &none],
            vec![&none, &whole],
        ] {
            let mut numbers = Numbers::default();
            for piece in &pieces {
                let piece = Column::new("".into(), (*piece).clone());
                numbers.add(&piece).expect("integers");
            }
            let rows: Vec<Option<u64>> = pieces
                .into_iter()
                .flatten()
                .map(|number| number.map(i64::cast_unsigned))
                .collect();
            let counts = numbers.all();
            assert!(counts.iter().eq(rows.iter().copied()), "{rows:?}");
            assert_eq!(counts.n_present(), rows.iter().flatten().count());
            assert_eq!(
                counts.whole().map(<[u64]>::to_vec),
                rows.iter().copied().collect::<Option<Vec<u64>>>()
            );
            let later = counts.of(1..rows.len());
            assert!(later.iter().eq(rows[1..].iter().copied()));
        }
    }
}
