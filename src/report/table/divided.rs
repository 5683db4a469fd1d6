//! One curve of a table divides the others.

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
        let is_below: Vec<bool> = self.keys.iter().map(|key| has_all(over, key)).collect();
        if !is_below.contains(&true) {
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
        let others = (0..self.keys.len()).filter(|&row| !is_below[row]);
        let others: Vec<usize> = others.collect();
        for column in &self.numbers() {
            let (ratios, without) = self.ratios(figure, over, &is_below, column)?;
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

    /// The ratio of each row that is divided and has this column, and why others have none.
    fn ratios(
        &self,
        figure: &Figure,
        over: &[KeyFilter],
        is_below: &[bool],
        column: &str,
    ) -> Result<Ratios, String> {
        let mut ratios = vec![None; self.keys.len()];
        let mut without = Vec::new();
        for row in 0..self.keys.len() {
            if is_below[row] || self.estimate(row, column).is_none() {
                continue;
            }
            let ratio = match self.at_same_x(figure, (row, over), is_below)? {
                Some(below) => self.ratio(row, below, column),
                None => Err(self.has_no_divisor(figure, (row, over), is_below)),
            };
            match ratio {
                Ok(ratio) => ratios[row] = Some(ratio),
                Err(reason) => without.push((row, reason)),
            }
        }
        Ok((ratios, without))
    }

    /// The rows that `over` keeps at the x of a row.
    fn below_at_x<'a>(
        &'a self,
        figure: &'a Figure,
        row: usize,
        is_below: &'a [bool],
    ) -> impl Iterator<Item = usize> + 'a {
        (0..self.keys.len()).filter(move |&other| {
            is_below[other] && figure.order(&self.keys[row], &self.keys[other]).is_eq()
        })
    }

    /// The row that a row is divided by, if there is one: at its x, and equal on all axes that both
    /// have but those of `over`.
    fn at_same_x(
        &self,
        figure: &Figure,
        (row, over): (usize, &[KeyFilter]),
        is_below: &[bool],
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
        let found = self.below_at_x(figure, row, is_below);
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
        is_below: &[bool],
    ) -> String {
        let differs = |axis: &&str, value| {
            let other = |other: usize| self.keys[other].axes.get(axis);
            let mut others = self.below_at_x(figure, row, is_below).filter_map(other);
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
