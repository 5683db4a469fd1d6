//! Whole numbers of a column, of which some rows may lack one: eight bytes a row, since a run may
//! have 10⁷ of them.

use polars::prelude::{Column, PolarsResult};

/// The numbers of all rows of a column.
#[derive(Default)]
pub struct Numbers {
    /// 0 where there is none.
    values: Vec<u64>,
    /// True where there is none; empty where each row has one.
    is_missing: Vec<bool>,
}

impl Numbers {
    /// No numbers yet, with room for so many rows.
    pub fn for_rows(n_rows: usize) -> Self {
        Self {
            values: Vec::with_capacity(n_rows),
            is_missing: Vec::new(),
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

            // A list of bits is read three times as fast as values that may be there.
            if let Some(are_present) = array.validity().filter(|bits| bits.unset_bits() > 0) {
                self.is_missing.resize(n_before, false);
                let values = self.values[n_before..].iter_mut();
                for (value, is_present) in values.zip(are_present.iter()) {
                    self.is_missing.push(!is_present);
                    if !is_present {
                        *value = 0;
                    }
                }
            }
        }
        if !self.is_missing.is_empty() {
            self.is_missing.resize(self.values.len(), false);
        }
        Ok(())
    }

    /// All of them.
    pub fn all(&self) -> Counts<'_> {
        Counts {
            values: &self.values,
            is_missing: &self.is_missing,
        }
    }
}

/// The whole numbers of some rows; `None` where a row has none.
#[derive(Clone, Copy)]
pub struct Counts<'n> {
    values: &'n [u64],
    is_missing: &'n [bool],
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
        let is_missing = !self.is_missing.is_empty() && self.is_missing[at];
        (!is_missing).then_some(value)
    }

    /// The number of each row.
    pub fn iter(self) -> impl Iterator<Item = Option<u64>> + use<'n> {
        (0..self.len()).map(move |at| self.get(at))
    }

    /// The number of each row; `None` where a row has none.
    pub fn whole(self) -> Option<&'n [u64]> {
        let has_missing = self.is_missing.contains(&true);
        (!has_missing).then_some(self.values)
    }

    /// How many rows have a number.
    pub fn n_present(self) -> usize {
        let missing = self.is_missing.iter().filter(|is_missing| **is_missing);
        self.len() - missing.count()
    }

    /// The numbers of the rows of a range, which must be there.
    pub fn of(self, rows: std::ops::Range<usize>) -> Self {
        let is_missing = match self.is_missing {
            [] => &[],
            is_missing => &is_missing[rows.clone()],
        };
        Self {
            values: &self.values[rows],
            is_missing,
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
