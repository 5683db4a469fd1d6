//! One curve of a frame divides the others.

use super::{Datum, Frame, NumberColumn};
use crate::analysis::mean::Mean;
use crate::experiment::spec::Keep;
use crate::report::chart::Chart;
use crate::report::choose::{has_all, table_in_words};
use crate::solver::Point;

impl Frame {
    /// Replaces what the panels show of each point by its ratio to what they show of the point at
    /// the same x that `over` keeps, whose own rows go. Both are independent.
    ///
    /// # Errors
    /// Where numbers have no standard errors, and where several points would divide one.
    pub fn divide(&mut self, chart: &Chart, over: &[Keep]) -> Result<(), String> {
        let is_below: Vec<bool> = self.keys.iter().map(|key| has_all(over, key)).collect();
        if !is_below.contains(&true) {
            return Err(format!("over: no point has {}", table_in_words(over)));
        }
        let mut columns: Vec<String> = Vec::new();
        for column in chart.panels.iter().flat_map(|it| it.columns()) {
            if !self.has_means(&column.y) {
                let column = column.y;
                return Err(format!(
                    "over: {column} has no standard errors to divide with"
                ));
            }
            if !columns.contains(&column.y) {
                columns.push(column.y);
            }
        }
        let others = (0..self.keys.len()).filter(|&row| !is_below[row]);
        let others: Vec<usize> = others.collect();
        for column in &columns {
            let mut ratios: Vec<Option<Mean>> = vec![None; self.keys.len()];
            for &row in &others {
                let below = self.at_same_x(chart, (row, over), &is_below)?;
                match self.ratio(row, below, column) {
                    Ok(ratio) => ratios[row] = Some(ratio),
                    Err(reason) => self.left_out.push((self.keys[row].clone(), reason)),
                }
            }
            self.draw_instead(column, &ratios);
        }
        self.table.notes.push(format!(
            "`ratio_of_…`: the number of the point divided by that of the point at the same {} with {}, which is independent of it; brackets hold the t interval of the logarithm.",
            chart.symbol(),
            table_in_words(over)
        ));
        self.also_shown
            .extend(self.keys.iter().filter(|key| has_all(over, key)).cloned());
        self.keep_rows(&others);
        Ok(())
    }

    /// The row that a row is divided by, if there is one: at its x, of its quantity, and equal on
    /// all axes that both have but those of `over`.
    fn at_same_x(
        &self,
        chart: &Chart,
        (row, over): (usize, &[Keep]),
        is_below: &[bool],
    ) -> Result<Option<usize>, String> {
        let own = &self.keys[row];
        let is_free = |axis: &str| {
            chart.axes.iter().any(|it| it == axis) || over.iter().any(|it| it.key == axis)
        };
        let is_like = |other: &Point| {
            own.axes.by_name().all(|(axis, value)| {
                is_free(axis) || other.axes.get(axis).is_none_or(|it| it == value)
            })
        };
        let mut found = (0..self.keys.len()).filter(|&other| {
            is_below[other]
                && chart.order(own, &self.keys[other]).is_eq()
                && self.word(other, "quantity") == self.word(row, "quantity")
                && is_like(&self.keys[other])
        });
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

    fn ratio(&self, row: usize, below: Option<usize>, column: &str) -> Result<Mean, String> {
        let below = below.ok_or("has no point to be divided by")?;
        let (own, own_is_bound) = self.mean(row, column).ok_or("has no mean")?;
        let (below, is_bound) = self
            .mean(below, column)
            .ok_or("has no mean to be divided by")?;
        if is_bound || own_is_bound {
            return Err("a ratio of lower bounds bounds nothing".to_owned());
        }
        let ratio = own.ratio_to(&below);
        ratio.ok_or_else(|| "has no error, or that by which it is divided".to_owned())
    }

    /// Three columns of ratios, drawn in place of a column.
    fn draw_instead(&mut self, column: &str, ratios: &[Option<Mean>]) {
        let numbers: Vec<Option<Datum>> = ratios.iter().map(|it| it.map(Datum::from)).collect();
        let names = ["", "_low", "_high"].map(|end| format!("ratio_of_{column}{end}"));
        self.table.header.extend(names);
        for (cells, number) in self.table.rows.iter_mut().zip(&numbers) {
            let ends = number.map(|it| it.estimate);
            let ends = ends.map(|it| [it.value, it.interval.low, it.interval.high]);
            cells.extend([0, 1, 2].map(|end| ends.map(|it| it[end]).into()));
        }
        let name = column.to_owned();
        self.numbers.push(NumberColumn { name, numbers });
    }

    /// These rows alone.
    fn keep_rows(&mut self, rows: &[usize]) {
        fn kept<T: Clone>(all: &mut Vec<T>, rows: &[usize]) {
            *all = rows.iter().map(|&row| all[row].clone()).collect();
        }
        kept(&mut self.table.rows, rows);
        kept(&mut self.keys, rows);
        for column in &mut self.numbers {
            kept(&mut column.numbers, rows);
        }
    }
}
