//! Points with their summaries, as rows.

use super::{Columns, Frame};
use crate::analysis::summary::{PERCENTS, PointSummary, Summary};
use crate::solver::point::KEY_AXES;

/// A row for each quantity of each of the points, with the notes that define the columns.
pub fn of_points<'p>(
    rows: &'p [(&'p PointSummary, &'p Summary)],
) -> Columns<'p, (&'p PointSummary, &'p Summary)> {
    let mut columns = Frame::of(rows, &KEY_AXES)
        .means(|(_, it)| Some((it.mean, it.is_lower_bound())))
        .measured(|&it| it)
        .estimate("mean", |(_, it)| it.estimate());
    for (index, percent) in PERCENTS.into_iter().enumerate() {
        let name = match percent {
            50 => "median".to_owned(),
            _ => format!("q{percent:02}"),
        };
        columns = columns.quantile(&name, |(_, it)| it.quantiles[index]);
    }
    let columns = columns
        .estimate("ert", |(_, it)| it.expected_run_length)
        .estimate("variation", |(_, it)| it.variation)
        .note(
            "Times are counted in updates, moves in queen moves. `absorption_time` and `moves` run until the queens form a solution and every signal is true, \
             `hitting_time` and `moves_at_hit` until the positions first form a solution.",
        )
        .note(
            "Brackets hold 95 % intervals: of means by `method` (`t of ln`: Student's t of the logarithm), of the quantiles `q05` … `q95` (`median` = `q50`) by the binomial law of ranks. \
             `variation`: standard deviation / mean, 1 for exponential times. The formulas are in docs/statistics.md.",
        );
    if !rows.iter().any(|(_, it)| it.is_lower_bound()) {
        return columns;
    }
    columns.note(
        "`lower bound`: `censored` trials were cut off at `cutoff`; the mean is the restricted mean, over min(time, cutoff), and the true mean is \
         larger. A quantile written ≥ is at least that. `ert`: mean updates until success with independent restarts at `cutoff`.",
    )
}

/// The rows of [`of_points`].
pub fn quantities<'p>(
    points: impl IntoIterator<Item = &'p PointSummary>,
) -> Vec<(&'p PointSummary, &'p Summary)> {
    let all = points.into_iter();
    all.flat_map(|point| point.summaries.iter().map(move |it| (point, it)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{Draws, Law, trials};
    use crate::results::PointTrials;

    fn points(cutoff: u64) -> PointTrials {
        let law = Law::of_pair_8(cutoff);
        trials(&mut Draws::new(3), &law, 40)
    }

    #[test]
    fn censored_points_say_so() {
        let points = points(500_000);
        let censored = points.rows.iter();
        let censored = censored.filter(|row| row.outcome.absorption_time.is_none());
        let censored = censored.count().to_string();
        let point = PointSummary::of(&points).expect("there are rows");
        let frame = of_points(&quantities([&point])).frame;
        let (table, trials) = (frame.table(), frame.trials(0));
        assert_eq!(table.column("mean_is"), ["lower bound"; 4]);
        assert_eq!(table.column("censored")[0], censored);
        assert_eq!(trials.map(|it| it[1].to_string()), Some(censored));
        assert_eq!(table.column("q95")[0], "≥500000");
        assert!(
            !table.column("q05")[0].starts_with('≥'),
            "a time below the cutoff is known"
        );
        assert!(
            table.column("q05")[2].starts_with('≥'),
            "the rank of a cut-off trial's moves is not"
        );
        assert_eq!(table.notes.len(), 3);
    }
}
