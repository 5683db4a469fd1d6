//! The columns of `trials.parquet` as measures: their means, medians, shares and ratios.

use super::kit::*;
use crate::analysis::average::Average;
use crate::analysis::course::sites;
use crate::experiment::spec::{CENSORED, COLUMNS_TABLE, Statistic};
use crate::solver::ALGORITHMS;
use crate::solver::outcome::COLUMNS;

pub const TABLE: MeasureTable = MeasureTable {
    name: COLUMNS_TABLE,
    panel,
    lacks,
    rows,
    takes_steps: |chart| {
        let mut columns = columns(chart).into_iter();
        !columns.any(|(it, _)| unit_of(&it) == Some("updates"))
    },
    ..MeasureTable::PLAIN
};

/// Points that fill none of the columns, and those that stand in no curve.
fn lacks(chart: &Chart, plan: &[ForeseenPoint]) -> Option<String> {
    let fills = |point: &Point, quantity: &str| {
        let algorithm = ALGORITHMS.iter().find(|it| it.name == point.algorithm);
        let columns = algorithm.map_or(&[][..], |it| it.columns);
        quantity == CENSORED || columns.iter().any(|column| column.name == quantity)
    };
    let mut is_there = false;
    for (quantity, _) in columns(chart) {
        let is_shown = |it: &&Point| missing(chart, it).is_none() && fills(it, &quantity);
        let keys = plan.iter().map(|it| &it.point).filter(is_shown).collect();
        match in_curves(chart, CurvePoints::of(keys, chart, |_| None)) {
            Ok(points) => is_there |= !points.kept.is_empty(),
            Err(reason) => return Some(reason),
        }
    }
    (!is_there).then(|| chart.no_points())
}

/// The columns that the panels show, each once, and whether the axis of one is logarithmic.
fn columns(chart: &Chart) -> Vec<(String, bool)> {
    let shown = chart.panels.iter().flat_map(|panel| {
        let is_logarithmic = panel.is_logarithmic == Some(true);
        let columns = panel.columns().into_iter();
        columns.map(move |it| (it.only, is_logarithmic))
    });
    let mut columns: Vec<(String, bool)> = shown.collect();
    // Of a column in two panels the linear one decides: it can show every number.
    columns.sort_by_key(|it| it.1);
    let mut seen = Vec::new();
    columns.retain(|(name, _)| {
        let is_new = !seen.contains(name);
        seen.push(name.clone());
        is_new
    });
    columns
}

/// Unit of a stored column; `None` for a name that is none.
fn unit_of(quantity: &str) -> Option<&'static str> {
    let mut columns = COLUMNS.iter();
    columns.find(|it| it.name == quantity).map(|it| it.unit)
}

/// The name of what is said of a column, and of its own column.
fn statistic(choices: &Choices) -> &'static str {
    match choices.statistic {
        Statistic::Mean if choices.per().is_some() => "ratio",
        Statistic::Mean => "mean",
        Statistic::Median => "median",
        Statistic::Share => "share",
    }
}

/// The column that is drawn.
fn shown_column(choices: &Choices) -> &'static str {
    match (choices.statistic, &choices.divide) {
        (Statistic::Median, Some(_)) => "median_divided",
        (Statistic::Mean, Some(_)) if choices.per().is_none() => "mean_divided",
        _ => statistic(choices),
    }
}

/// What a quantity is divided by: in words, and at a point, `None` where that is not known.
fn divisor(choices: &Choices) -> (&'static str, fn(&Point) -> Option<f64>) {
    const N: fn(&Point) -> Option<f64> = |it| Some(it.integer("n")? as f64);
    match choices.divide.as_deref() {
        None => ("", |_| Some(1.0)),
        Some(_) if choices.per().is_some() => ("", |_| Some(1.0)),
        Some("n") => (" / n", N),
        Some("n^2") => (" / n²", |it| Some(N(it)? * N(it)?)),
        Some("n^3") => (" / n³", |it| Some(N(it)? * N(it)? * N(it)?)),
        Some(_) => (" / (sites · n)", |it| Some(sites(it)? * N(it)?)),
    }
}

/// `mean absorption time / n³`, `moves / updates`.
fn panel(_: &MeasureTable, choices: &Choices, name: &str) -> Panel {
    let (column, by) = (name.replace('_', " "), divisor(choices).0);
    let words = match (choices.statistic, choices.per()) {
        (Statistic::Mean, Some(other)) => format!("{column} / {}", other.replace('_', " ")),
        (Statistic::Mean, None) => format!("mean {column}{by}"),
        (Statistic::Median, _) => format!("median {column}{by}"),
        (Statistic::Share, _) if name == CENSORED => "share of censored trials".to_owned(),
        (Statistic::Share, _) => format!("share of trials with {column}"),
    };
    let has_unit = choices.statistic != Statistic::Share && choices.per().is_none();
    let title = match unit_of(name).filter(|_| has_unit) {
        None | Some("") => words.clone(),
        Some(unit) => format!("{words} ({unit})"),
    };
    Panel {
        only: name.to_owned(),
        y: shown_column(choices).to_owned(),
        name: words,
        title,
        ..Panel::default()
    }
}

/// Why a point cannot stand in the figure; `None` where it can.
fn missing(chart: &Chart, key: &Point) -> Option<String> {
    let facet = chart.choices.facet.as_deref();
    let facet = facet.filter(|axis| key.axes.get(axis).is_none());
    let has_no_divisor = divisor(&chart.choices).1(key).is_none();
    chart
        .off_axis(key)
        .or_else(|| Some(format!("has no {}", symbol(facet?))))
        .or_else(|| has_no_divisor.then(|| "has nothing to be divided by".to_owned()))
}

fn rows(scope: &Scope) -> Result<Frame, String> {
    let (chart, choices) = (scope.chart, &scope.chart.choices);
    let shown = columns(chart);
    type Row<'a> = (Point, (&'a str, Average));
    let (mut rows, mut left_out): (Vec<Row>, Vec<Missing>) = (Vec::new(), Vec::new());
    for (quantity, is_logarithmic) in &shown {
        let quantity = &**quantity;
        let all = scope.measured(|it| Some((it.point.clone(), average(it, quantity, choices))));
        let points = CurvePoints::of(all, chart, |(key, average)| {
            missing(chart, key).or_else(|| match average {
                None => Some(match choices.per() {
                    Some(other) => format!("has no {quantity} / {other} over all trials"),
                    None => format!("has no {quantity}"),
                }),
                // The upper end of a share of 0 is drawn.
                Some(it)
                    if *is_logarithmic
                        && it.mean.value <= 0.0
                        && choices.statistic != Statistic::Share =>
                {
                    let words = quantity.replace('_', " ");
                    Some(format!("mean {words}: 0 {NOT_ON_LOGARITHMIC}"))
                }
                Some(_) => None,
            })
        });
        let points = in_curves(chart, points)?;
        let kept = points.kept.into_iter();
        rows.extend(kept.filter_map(|(key, average)| Some((key, (quantity, average?)))));
        left_out.extend(points.left_out);
    }
    let by = |row: &Row| divisor(choices).1(&row.0).unwrap_or(1.0);
    let mut columns = Frame::of(&rows, &KEY_AXES)
        .means_of(shown_column(choices), |row| {
            let divided = row.1.1.mean.in_units(by(row));
            Some((divided, row.1.1.is_lower_bound))
        })
        .column("quantity", |it| it.1.0)
        .column("trials", |it| it.1.1.mean.trials)
        .column("censored", |it| it.1.1.censored)
        .column("cutoff", |it| it.1.1.cutoff)
        .column(&format!("{}_is", statistic(choices)), |it| {
            match it.1.1.is_lower_bound {
                false => statistic(choices),
                true => mean_is(true),
            }
        })
        .column("method", |it| it.1.1.method)
        .estimate(statistic(choices), |it| it.1.1.estimate())
        .note(note(choices));
    if choices.divide.is_some() && choices.per().is_none() {
        let name = match choices.statistic {
            Statistic::Median => "median_divided",
            _ => "mean_divided",
        };
        columns = columns.estimate(name, |row| row.1.1.estimate().in_units(by(row)));
    }
    if let Some(derived) = chart.derived {
        columns = columns.column(derived.name, |it| chart.x_of(&it.0));
    }
    let columns = columns.left_out(left_out).note_if(
        |it| it.1.1.is_lower_bound,
        "`lower bound`: `censored` trials were cut off and count with what they had come to; the true mean is larger.",
    );
    Ok(columns.frame)
}

/// The statistic of a column over the trials of a point; `None` where the point has none.
fn average(trials: &PointTrials, column: &str, choices: &Choices) -> Option<Average> {
    match (choices.statistic, choices.per()) {
        (Statistic::Median, _) => Average::median(trials, column),
        (Statistic::Share, _) => Average::share(trials, column),
        (Statistic::Mean, Some(other)) => Average::ratio(trials, column, other),
        (Statistic::Mean, None) => match Average::of(trials, column) {
            Some(average) if choices.is_bootstrapped => Some(average.bootstrapped(trials, column)),
            average => average,
        },
    }
}

/// What the table says of its statistic.
fn note(choices: &Choices) -> &'static str {
    match (choices.statistic, choices.per()) {
        (Statistic::Mean, None) => {
            "`mean`: that of the column `quantity` over the `trials` of a point; `mean_low` and `mean_high` are its 95 % interval by `method` (docs/statistics.md)."
        }
        (Statistic::Mean, Some(_)) => {
            "`ratio`: the sum of the column `quantity` over the `trials` of a point, divided by the sum of the other column; `ratio_low` and `ratio_high` are its 95 % interval by `method` with the jackknife's error (docs/statistics.md). Sums of trials that were cut off count up to there."
        }
        (Statistic::Median, _) => {
            "`median`: the value of rank ⌈m / 2⌉ of the column `quantity` among the m `trials` of a point; `median_low` and `median_high` are the order statistics between which it lies with at least 95 % confidence, 0 and ∞ where there are too few trials."
        }
        (Statistic::Share, _) => {
            "`share`: the trials of a point that have a value in the column `quantity`, over all its `trials`; `share_low` and `share_high` are Wilson's 95 % interval."
        }
    }
}

/// The points in curves; refuses those at one x of a curve, and one that is alone in its curve.
fn in_curves<P: AtPoint>(chart: &Chart, points: CurvePoints<P>) -> Result<CurvePoints<P>, String> {
    let x = |it: &&Point| (chart.curve_of(it), chart.x_of(it).map(f64::to_bits));
    for at_one_x in grouped(points.kept.iter().map(AtPoint::point), x) {
        let a = at_one_x[0];
        if let Some(b) = at_one_x.iter().find(|it| **it != a) {
            let x = chart.derived.map_or(chart.x(), |it| it.name);
            // Values of an axis that a function of it maps to one number.
            let advice = match chart.difference(a, b).unwrap_or("goal") {
                axis if axis == chart.x() => "choose one with where".to_owned(),
                key => format!("add {key} to group, or choose with where"),
            };
            return Err(format!(
                "{a} and {b} would stand at one {x} of one curve; {advice}"
            ));
        }
    }
    let before = points.left_out.len();
    let points = points.in_curves(chart);
    match points.left_out.get(before) {
        Some((key, _)) if !points.kept.is_empty() => Err(format!(
            "{} stands alone in its curve; leave it out with where, or choose another group",
            describe(key)
        )),
        _ => Ok(points),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic;
    use crate::report::FigureRows;
    use crate::report::figures::{kinds, preset};

    /// There would be several means at one η without ε in `group`.
    #[test]
    fn two_points_at_one_x_of_a_curve_are_refused() {
        let trials = synthetic::sweep_over_epsilon_and_eta();
        let mut curve = preset("curve");
        curve.axes = vec!["eta".to_owned()];
        curve.choices.group = Some(vec!["algorithm".to_owned(), "n".to_owned()]);
        let rows = FigureRows::of_trials(trials, String::new());
        let error = curve.draw(&rows).expect_err("many ε");
        assert!(error.reason.contains("add epsilon to group"), "{error}");
        assert_eq!(curve.foresee(&ForeseenPoint::of_rows(&rows)), Err(error));
    }

    /// n!/S(n) is 12 at n = 4 and at n = 5, with 2 and 10 solutions, and 180 and 126 at n = 6 and
    /// 7: no group tells the first two apart.
    #[test]
    fn boards_of_one_number_of_permutations_per_solution_are_refused() {
        let mut spec = kinds().preset("curve").expect("a kind");
        spec.choices.x = "permutations_per_solution".to_owned();
        let curve = Chart::of(&spec);
        let rows = FigureRows::of_trials(synthetic::sweep_over_n(), String::new());
        let error = curve.draw(&rows).expect_err("n = 4 and 5");
        let said = "at one permutations_per_solution of one curve; choose one with where";
        assert!(error.reason.ends_with(said), "{error}");
        assert_eq!(curve.foresee(&ForeseenPoint::of_rows(&rows)), Err(error));
        let others = rows.kept(|point| point.integer("n") > Some(5));
        curve.draw(&others).expect("one point at each x");
    }
}
