//! One curve of a table divides the others. Here is decided which point divides which, the names
//! `ratio_of_…`, and why a point has no ratio.

use itertools::Itertools;

use crate::analysis::estimate::Estimate;
use crate::report::figure::Figure;
use crate::report::figure::choose::{has_all, table_in_words};
use crate::report::keys::KeyFilter;
use crate::report::table::{ColumnCells, Table};
use crate::solver::{Point, symbol};

/// A ratio for each row, and the rows without one, each with its reason.
type Ratios = (Vec<Option<Estimate>>, Vec<(usize, String)>);

impl Table {
    /// Replaces what the panels show of each point by its ratio to what they show of the point at
    /// the same x that `over` keeps, whose own rows go. Both are independent.
    ///
    /// # Errors
    /// Where numbers have no standard errors, and where several points would divide one.
    pub fn divide(&mut self, figure: &Figure, over: &[KeyFilter]) -> Result<(), String> {
        let rows = 0..self.keys.len();
        let (mut below, others): (Vec<usize>, Vec<usize>) =
            rows.partition(|&row| has_all(over, &self.keys[row]));
        // Stable: those of one x in the order of the table.
        below.sort_by(|&a, &b| figure.order(&self.keys[a], &self.keys[b]));
        if below.is_empty() {
            return Err(format!("over: no point has {}", table_in_words(over)));
        }
        let shown = figure.columns().map(|measure| &*measure.column);
        let shown: Vec<&str> = shown.unique().collect();
        let has_errors = |column: &str| {
            let numbers = (0..self.keys.len()).filter_map(|row| self.estimate(row, column));
            numbers.map(|number| number.error).any(f64::is_finite)
        };
        if let Some(column) = shown.iter().find(|column| !has_errors(column)) {
            return Err(format!(
                "over: {column} has no standard errors to divide with"
            ));
        }
        for column in &self.numbers() {
            let (ratios, without) = self.ratios(figure, over, (&others, &below), column)?;
            if shown.contains(&&**column) {
                for (row, reason) in without {
                    self.leave_out_rows(&[row], &reason);
                }
            }
            self.drawn.insert(column.to_owned(), ratios.clone());
            let ratios = ColumnCells::Estimates(ratios);
            self.add(&format!("ratio_of_{column}"), ratios);
        }
        self.notes.push(format!(
            "`ratio_of_…`: the number of the point divided by that of the point at the same {} with {}, which is independent of it; brackets hold the t interval of the logarithm.",
            figure.symbol(),
            table_in_words(over)
        ));
        self.also_shown
            .extend(self.keys.iter().filter(|key| has_all(over, key)).cloned());
        self.keep_rows(&others);
        Ok(())
    }

    /// The ratio of each of the rows that are divided and have this column, and why others have
    /// none; the rows that divide are in increasing order of x.
    fn ratios(
        &self,
        figure: &Figure,
        over: &[KeyFilter],
        (others, below): (&[usize], &[usize]),
        column: &str,
    ) -> Result<Ratios, String> {
        let mut ratios = vec![None; self.keys.len()];
        let mut without = Vec::new();
        for &row in others {
            if self.estimate(row, column).is_none() {
                continue;
            }
            let below = self.below_at_x(figure, row, below);
            let ratio = match self.at_same_x(figure, (row, over), below)? {
                Some(below) => self.ratio(row, below, column),
                None => Err(self.has_no_divisor(figure, (row, over), below)),
            };
            match ratio {
                Ok(ratio) => ratios[row] = Some(ratio),
                Err(reason) => without.push((row, reason)),
            }
        }
        Ok((ratios, without))
    }

    /// Of rows in increasing order of x those at the x of a row.
    fn below_at_x<'a>(&self, figure: &Figure, row: usize, below: &'a [usize]) -> &'a [usize] {
        let order = |other: usize| figure.order(&self.keys[other], &self.keys[row]);
        let first = below.partition_point(|&other| order(other).is_lt());
        let from_x = &below[first..];
        let count = from_x.partition_point(|&other| order(other).is_eq());
        &from_x[..count]
    }

    /// The row that a row is divided by, if there is one: at its x, and equal on all axes that both
    /// have but those of `over`.
    fn at_same_x(
        &self,
        figure: &Figure,
        (row, over): (usize, &[KeyFilter]),
        below: &[usize],
    ) -> Result<Option<usize>, String> {
        let own = &self.keys[row];
        let is_like = |other: &Point| {
            own.axes.by_name().all(|(axis, value)| {
                is_free(figure, over, axis)
                    || other
                        .axes
                        .get(axis)
                        .is_none_or(|other_value| other_value == value)
            })
        };
        let found = below.iter().copied();
        let mut found = found.filter(|&other| is_like(&self.keys[other]));
        let first = found.next();
        match found.next() {
            None => Ok(first),
            Some(second) => Err(format!(
                "over: {} and {} would both divide {own}; expected one, chosen with over or where",
                self.keys[first.unwrap_or(second)],
                self.keys[second]
            )),
        }
    }

    /// Why a row is divided by none: there is none at its x, or those there differ on axes that the
    /// figure does not let vary.
    fn has_no_divisor(
        &self,
        figure: &Figure,
        (row, over): (usize, &[KeyFilter]),
        below: &[usize],
    ) -> String {
        let differs = |axis: &&str, value| {
            let other = |&other: &usize| self.keys[other].axes.get(axis);
            let mut others = below.iter().filter_map(other);
            !is_free(figure, over, axis) && others.any(|other| other != value)
        };
        let axes = self.keys[row].axes.by_name();
        let differing = axes.filter(|(axis, value)| differs(axis, *value));
        let differing: Vec<&str> = differing.map(|differing| differing.0).collect();
        if differing.is_empty() {
            return "has no point to be divided by".to_owned();
        }

        let symbols = differing.iter().map(|axis| symbol(axis)).join(" and ");
        let names = differing.iter().map(|axis| format!("{axis:?}")).join(", ");
        format!(
            "has no point of the same {symbols} to be divided by: vary = [{names}] lets that differ"
        )
    }

    fn ratio(&self, row: usize, below: usize, column: &str) -> Result<Estimate, String> {
        let own = self.estimate(row, column).ok_or("has no mean")?;
        let below = self.estimate(below, column);
        let below = below.ok_or("has no mean to be divided by")?;
        if below.is_bound {
            return Err("would be divided by a lower bound".to_owned());
        }
        if [own, below]
            .iter()
            .all(|number| number.error == 0.0 && !number.is_bound && number.value > 0.0)
        {
            return Ok(Estimate::exactly(own.value / below.value));
        }
        let ratio = own.ratio_to(&below);
        ratio.ok_or_else(|| "has no error, or that by which it is divided".to_owned())
    }
}

/// True if a point may have another value on this axis than that which divides it.
fn is_free(figure: &Figure, over: &[KeyFilter], axis: &str) -> bool {
    figure.axes.contains(&axis) || over.iter().any(|filter| filter.key == axis)
}
