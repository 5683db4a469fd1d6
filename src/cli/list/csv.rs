//! The means and medians of all complete runs, as CSV.

use std::fmt::Write;

use itertools::Itertools;

use crate::analysis::estimate::Estimate;
use crate::analysis::measured::Measured;
use crate::analysis::precision::Precision;
use crate::cli::export::cell;
use crate::cli::word::Word;
use crate::results::runs::CompleteRun;
use crate::solver::point::KEY_AXES;

const COLUMNS: &str = "experiment,code_version,plan_hash,ended,point,algorithm,variant,n,epsilon,eta,\
    column,trials,censored,mean,mean_low,mean_high,mean_is_bound,median,median_low,median_high,\
    median_is_bound\n";

/// A line for each point of each complete run; an end of an interval that is not known is empty.
pub fn of(words: &[Word]) -> anyhow::Result<String> {
    let mut lines = COLUMNS.to_owned();
    for word in words {
        for run in word.folders()?.iter().filter(|it| it.is_complete()) {
            let run = CompleteRun::read(run)?;
            let it = &run.manifest;
            let of_run = [&it.experiment, &it.code_version, &it.plan_hash, &it.ended];
            for trials in run.points()? {
                let Some(known) = Precision::of(&trials) else {
                    continue;
                };
                let point = &trials.point;
                let axes = KEY_AXES.map(|axis| point.axes.get(axis));
                let axes = axes.map(|value| value.map_or(String::new(), |it| it.to_string()));
                let of_point = [&known.point, &point.algorithm, &point.variant];
                let words = of_run.into_iter().chain(of_point).chain(&axes);
                let words = words.map(|it| cell(it)).join(",");
                let (column, number, censored) = (known.column, known.trials, known.censored);
                let mean = Measured::mean(&trials, column);
                let median = Measured::quantile(&trials, column, 50);
                let both = [mean, median].map(|measured| measured.map(|it| estimate(&it.estimate)));
                let [mean, median] = both.map(Option::unwrap_or_default);
                let counts = format!("{column},{number},{censored}");
                writeln!(lines, "{words},{counts},{mean},{median}")?;
            }
        }
    }
    Ok(lines)
}

/// Value, low, high, and whether the true number is this or larger: then nothing bounds it above.
fn estimate(it: &Estimate) -> String {
    let end = |end: &f64| Some(end.to_string()).filter(|_| end.is_finite());
    let [low, high] = [&it.low, &it.high].map(|it| end(it).unwrap_or_default());
    format!("{},{low},{high},{}", it.value, it.is_bound)
}
