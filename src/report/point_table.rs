//! Summaries as the table beside a figure: one line per point and quantity.

use super::Table;
use super::number::{six_digits, six_digits_whole};
use crate::analysis::mean::Estimate;
use crate::analysis::quantile::{Bounded, Quantile};
use crate::analysis::summary::{PERCENTS, PointSummary, Summary};
use crate::experiment::store::PointKey;
use crate::solver::point::KEY_AXES;

/// The columns of a table that say what was run: the algorithm, its variant, and its axes.
pub struct KeyColumns {
    axes: Vec<String>,
}

impl KeyColumns {
    /// A column for each axis in `always`, in this order, then for every other that any of the
    /// points has.
    pub fn of<'a>(always: &[&str], points: impl IntoIterator<Item = &'a PointKey>) -> Self {
        let mut axes: Vec<String> = always.iter().map(|&name| name.to_owned()).collect();
        let others = points.into_iter().flat_map(|point| point.axes.by_name());
        let mut others: Vec<&str> = others
            .map(|(name, _)| name)
            .filter(|name| !always.contains(name))
            .collect();
        others.sort_unstable();
        others.dedup();
        axes.extend(others.into_iter().map(str::to_owned));
        Self { axes }
    }

    /// The names of the axes.
    pub fn axes(&self) -> Vec<String> {
        self.axes.clone()
    }

    /// From `algorithm` to the last axis.
    pub fn header(&self) -> Vec<String> {
        let names = ["algorithm", "variant"].map(str::to_owned);
        names.into_iter().chain(self.axes()).collect()
    }

    /// A point's values, empty where it has none.
    pub fn axis_cells(&self, point: &PointKey) -> Vec<String> {
        let cell = |name: &String| {
            let value = point.axes.get(name);
            value.map_or_else(String::new, |value| value.to_string())
        };
        self.axes.iter().map(cell).collect()
    }

    /// A point's cells from `algorithm` to the last axis.
    pub fn cells(&self, point: &PointKey) -> Vec<String> {
        let names = [&point.algorithm, &point.variant].map(String::clone);
        names.into_iter().chain(self.axis_cells(point)).collect()
    }
}

/// The table of `points` in the order given, with the notes that define its columns.
pub fn point_table<'a>(points: impl IntoIterator<Item = &'a PointSummary>) -> Table {
    let points: Vec<&PointSummary> = points.into_iter().collect();
    let key = KeyColumns::of(&KEY_AXES, points.iter().map(|point| &point.point));
    let rows: Vec<Vec<String>> = points
        .into_iter()
        .flat_map(|point| {
            let summaries = point.summaries().iter();
            summaries.map(|summary| row(&key, point, summary))
        })
        .collect();
    let is_bound = |row: &Vec<String>| row.iter().any(|cell| cell == LOWER_BOUND);
    let mut notes = vec![
        "Times are counted in updates, moves in queen moves. `absorption_time` and `moves` run until the queens form a solution and every signal is true, \
         `hitting_time` and `moves_at_hit` until the positions first form a solution."
            .to_owned(),
        "Brackets hold 95 % intervals: of means by `method` (BCa: bootstrap of 10⁴ resamples), of the quantiles `q05` … `q95` (`median` = `q50`) by the binomial law of ranks. \
         `variation`: standard deviation / mean, 1 for exponential times. The formulas are in docs/methods.md."
            .to_owned(),
    ];
    if rows.iter().any(is_bound) {
        notes.push(
            "`lower bound`: `censored` trials were cut off at `cutoff`; the mean is the restricted mean, over min(time, cutoff), and the true mean is \
             larger. A quantile written ≥ is at least that. `ert`: mean updates until success with independent restarts at `cutoff`."
                .to_owned(),
        );
    }
    Table {
        header: header(&key),
        rows,
        notes,
    }
}

/// A line under `header` for a number fitted to points that share all of `key` but the axes named
/// `apart`; empty where a column does not apply.
pub fn fit_row(
    header: &[String],
    (key, apart): (&PointKey, &[&str]),
    quantity: &str,
    estimate: Estimate,
) -> Vec<String> {
    let [value, low, high] = estimate_cells(Some(estimate));
    let cell = |name: &String| match name.as_str() {
        "algorithm" => key.algorithm.clone(),
        "variant" => key.variant.clone(),
        "quantity" => quantity.to_owned(),
        "mean_is" => "fit".to_owned(),
        "mean" => value.clone(),
        "mean_low" => low.clone(),
        "mean_high" => high.clone(),
        axis if apart.contains(&axis) => String::new(),
        axis => key
            .axes
            .get(axis)
            .map_or_else(String::new, |value| value.to_string()),
    };
    header.iter().map(cell).collect()
}

/// A line of [`fit_row`] whose number has no interval.
pub fn without_interval(header: &[String], mut cells: Vec<String>) -> Vec<String> {
    let ends = header.iter().zip(&mut cells);
    ends.filter(|(name, _)| ["mean_low", "mean_high"].contains(&name.as_str()))
        .for_each(|(_, cell)| cell.clear());
    cells
}

/// What stands in `mean_is` where trials were cut off.
pub const LOWER_BOUND: &str = "lower bound";

/// From `quantity` to `method`: see [`measured_cells`].
pub const MEASURED: [&str; 6] = [
    "quantity", "trials", "censored", "cutoff", "mean_is", "method",
];

fn header(key: &KeyColumns) -> Vec<String> {
    let quantiles = PERCENTS.map(|percent| {
        if percent == 50 {
            "median".to_owned()
        } else {
            format!("q{percent:02}")
        }
    });
    let with_interval =
        |name: String| [name.clone(), format!("{name}_low"), format!("{name}_high")];
    let last = ["ert", "variation"].map(str::to_owned);
    let measured = std::iter::once("mean".to_owned())
        .chain(quantiles)
        .chain(last)
        .flat_map(with_interval);
    let mut header = key.header();
    header.extend(MEASURED.map(str::to_owned));
    header.extend(measured);
    header
}

fn row(key: &KeyColumns, point: &PointSummary, summary: &Summary) -> Vec<String> {
    let mut cells = key.cells(&point.point);
    cells.extend(measured_cells(point, summary));
    cells.extend(estimate_cells(Some(Estimate {
        value: summary.mean.value,
        interval: summary.interval,
    })));
    cells.extend(summary.quantiles.iter().flat_map(quantile_cells));
    cells.extend(
        [summary.expected_run_length, summary.variation]
            .into_iter()
            .flat_map(estimate_cells),
    );
    cells
}

/// What was measured on how many trials, and how.
pub fn measured_cells(point: &PointSummary, summary: &Summary) -> [String; 6] {
    let mean_is = if summary.is_lower_bound() {
        LOWER_BOUND
    } else {
        "mean"
    };
    let [trials, censored, cutoff] =
        [point.trials, summary.censored, point.cutoff].map(|count| count.to_string());
    [
        summary.quantity.name().to_owned(),
        trials,
        censored,
        cutoff,
        mean_is.to_owned(),
        summary.method.name().to_owned(),
    ]
}

/// Value and interval; empty where there is none.
pub fn estimate_cells(estimate: Option<Estimate>) -> [String; 3] {
    estimate.map_or_else(Default::default, |Estimate { value, interval }| {
        [value, interval.low, interval.high].map(six_digits)
    })
}

fn quantile_cells(quantile: &Quantile) -> [String; 3] {
    let high = quantile
        .high
        .map_or_else(|| six_digits(f64::INFINITY), bounded);
    [bounded(quantile.value), bounded(quantile.low), high]
}

fn bounded(bounded: Bounded) -> String {
    format!(
        "{}{}",
        if bounded.at_least { "≥" } else { "" },
        six_digits_whole(bounded.value)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{Draws, Law, pair_key, trials};
    use crate::experiment::store::PointTrials;

    fn points(cutoff: u64) -> PointTrials {
        let law = Law {
            key: pair_key(8, 0.01),
            mean: 1e6,
            settling: 1.25,
            updates_per_move: 370.0,
            cutoff,
        };
        trials(&mut Draws::new(3), &law, 40)
    }

    fn table(cutoff: u64) -> Table {
        point_table([&PointSummary::of(&points(cutoff)).expect("there are rows")])
    }

    fn column<'a>(table: &'a Table, name: &str) -> Vec<&'a str> {
        let index = table
            .header
            .iter()
            .position(|column| column == name)
            .expect("a column of the table");
        table.rows.iter().map(|row| row[index].as_str()).collect()
    }

    #[test]
    fn every_row_has_every_column() {
        let table = table(u64::MAX);
        assert_eq!(
            column(&table, "quantity"),
            ["absorption_time", "hitting_time", "moves", "moves_at_hit"]
        );
        assert!(table.rows.iter().all(|row| row.len() == table.header.len()));
        assert_eq!(column(&table, "mean_is"), ["mean"; 4]);
        assert_eq!(
            column(&table, "q05_low"),
            ["0"; 4],
            "40 trials bound no fifth percentile from below"
        );
        assert_eq!(table.notes.len(), 2);
    }

    #[test]
    fn censored_points_say_so() {
        let table = table(500_000);
        assert_eq!(column(&table, "mean_is"), ["lower bound"; 4]);
        let rows = points(500_000).rows;
        let censored = rows
            .iter()
            .filter(|row| row.outcome.absorption_time.is_none());
        assert_eq!(column(&table, "censored")[0], censored.count().to_string());
        assert_eq!(column(&table, "trials"), ["40"; 4]);
        assert_eq!(column(&table, "cutoff"), ["500000"; 4]);
        assert_eq!(column(&table, "q95")[0], "≥500000");
        assert!(
            !column(&table, "q05")[0].starts_with('≥'),
            "a time below the cutoff is known"
        );
        assert!(
            column(&table, "q05")[2].starts_with('≥'),
            "the rank of a cut-off trial's moves is not"
        );
        assert_eq!(table.notes.len(), 3);
    }
}
