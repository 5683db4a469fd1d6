//! The columns of `trials.parquet` as measures: their means, medians, shares and ratios.

use std::collections::BTreeSet;

use super::kit::*;
use crate::analysis::formula::{CELLS_READ, CENSORED, DividedBy, Formula, STEP, Statistic};
use crate::report::figure::COLUMNS_TABLE;
use crate::report::measure::ShownMeasure;
use crate::solver::outcome::COLUMNS;
use crate::solver::point::WORDS;
use crate::solver::{algorithm, symbol};

pub const TABLE: MeasureTable = MeasureTable {
    name: COLUMNS_TABLE,
    rows,
    ..MeasureTable::PLAIN
};

/// The beginning of the reasons of points without a number.
const LACKS: &str = "has no ";

/// The formulas that the panels show, each once, and whether the axis of one is logarithmic.
fn columns(chart: &Chart) -> Vec<(String, bool)> {
    let shown = chart.panels.iter().flat_map(|panel| {
        let is_logarithmic = panel.choice.is_logarithmic == Some(true);
        let columns = panel.columns.iter();
        let columns = columns.map(move |it| (it.only.clone(), is_logarithmic));
        let fitted = panel.choice.fit.iter().map(|it| (it.y.clone(), false));
        columns.chain(fitted.filter(|it| !it.0.is_empty()))
    });
    let shown: Vec<(String, bool)> = shown.collect();
    let also = chart.choices.also.iter();
    let also = also.filter(|own| shown.iter().all(|it| it.0 != **own));
    // Of a column in two panels the linear one decides: it can show every number.
    let is_logarithmic = |name: &String| shown.iter().all(|it| it.0 != *name || it.1);
    let names = shown.iter().map(|it| &it.0).unique();
    let names = names.map(|it| (it.clone(), is_logarithmic(it)));
    names.chain(also.map(|it| (it.clone(), false))).collect()
}

/// True if the figure shows a number of updates.
pub fn count_updates(chart: &Chart) -> bool {
    let names = columns(chart).into_iter().map(|it| it.0);
    let names = names
        .chain(chart.across.iter().map(|_| chart.choices.x.clone()))
        .chain(chart.choices.column.clone());
    let mut formulas = names.map(|it| Formula::of(&it));
    let is_in_updates = |formula: &Formula| !matches!(formula.by, DividedBy::Axes(by) if [STEP, CELLS_READ].contains(&by.name));
    chart.choices.statistic != Statistic::Share
        && formulas
            .any(|it| unit_of(chart.choices, &it.column) == Some("updates") && is_in_updates(&it))
}

/// Unit of a stored column; `None` for a name that is none.
fn unit_of<'c>(choices: &'c Figure, quantity: &str) -> Option<&'c str> {
    let mut columns = COLUMNS.iter();
    let fact = columns.find(|fact| fact.name == quantity);
    let own = || choices.own.get(quantity).map(|own| &*own.unit);
    fact.map(|fact| fact.unit).or_else(own)
}

/// What the axes of a point give to divide by; `None` where that is not known.
fn divisor(by: &DividedBy, point: &Point) -> Option<f64> {
    match by {
        DividedBy::Axes(by) => (by.of)(point),
        _ => Some(1.0),
    }
}

/// `mean absorption time / n³ (updates)`, `moves / updates (ratio of sums)`.
pub fn shown(choices: &Figure, name: &str) -> ShownMeasure {
    let Formula { column, by } = Formula::of(name);
    let (words, spaced) = (column.replace('_', " "), |it: &str| it.replace('_', " "));
    let by_axes = match by {
        DividedBy::Axes(by) => by.words,
        _ => "",
    };
    let is_in_cells = matches!(by, DividedBy::Axes(by) if by.name == CELLS_READ);
    let unit =
        unit_of(choices, &column).filter(|unit| !unit.is_empty() && *unit != words && !is_in_cells);
    let unit = unit.map_or_else(String::new, |unit| format!(" ({unit})"));
    let [before, ratio] = if choices.draws_trials() || choices.column.is_some() {
        [String::new(), String::new()]
    } else {
        [choices.statistic.before(), " (ratio of sums)".to_owned()]
    };
    let (name_in_words, after) = match (choices.statistic, by) {
        (Statistic::Mean, DividedBy::Column(other)) => {
            (format!("{words} / {}", spaced(&other)), ratio)
        }
        (Statistic::Share, _) if column == CENSORED => {
            ("share of censored trials".to_owned(), String::new())
        }
        (Statistic::Share, _) => (format!("{before}{words}"), String::new()),
        (_, _) => (format!("{before}{words}{by_axes}"), unit),
    };
    ShownMeasure {
        title: format!("{name_in_words}{after}"),
        y: choices.statistic.name(),
        only: name.to_owned(),
        name: name_in_words,
        label: String::new(),
        is_share: choices.statistic == Statistic::Share,
    }
}

/// Why a point cannot stand in the figure with a formula; `None` where it can.
fn missing(chart: &Chart, key: &Point, formula: &Formula) -> Option<String> {
    let facet = chart.choices.facet.as_deref();
    let facet = facet.filter(|it| !WORDS.contains(it) && key.axes.get(it).is_none());
    let has_no_divisor = divisor(&formula.by, key).is_none();
    facet
        .map(|it| format!("{LACKS}{}", symbol(it)))
        .or_else(|| has_no_divisor.then(|| "has nothing to be divided by".to_owned()))
}

/// A statistic of a formula over the trials of a point, divided by what its axes give; what one
/// trial has, and what a search that draws nothing has, is known exactly, if it is not a bound.
fn measured(choices: &Figure, trials: &PointTrials, formula: &Formula) -> Option<Measured> {
    let mut found = Measured::of(trials, formula, choices.statistic)?;
    let by = divisor(&formula.by, &trials.point)?;
    found.estimate = found.estimate.in_units(by);
    let point = &trials.point;
    let is_random = algorithm(&point.algorithm).is_none_or(|it| it.is_random(&point.variant));
    if choices.draws_trials() || !is_random {
        let (it, trials) = (found.estimate, found.estimate.trials);
        let exact = Estimate::exactly(it.value);
        found.estimate = Estimate { trials, ..exact }.bounding(it.is_bound);
        found.method = "";
    }
    Some(found)
}

/// Why a number of a formula has no place on an axis, if it has none.
fn has_no_place(
    (name, of): (&str, Statistic),
    found: Option<Measured>,
    is_logarithmic: bool,
) -> Option<String> {
    let Some(Measured { estimate, .. }) = found else {
        let Formula { column, by } = Formula::of(name);
        return Some(match by {
            DividedBy::Column(_) => format!("{LACKS}{name} over all trials"),
            _ => format!("{LACKS}{column}"),
        });
    };
    let (words, number) = (name.replace('_', " "), short(estimate.value, 3));
    let is_beyond = is_logarithmic && estimate.value <= 0.0;
    is_beyond.then(|| format!("{}{words}: {number} {NOT_ON_LOGARITHMIC}", of.before()))
}

/// The formula, its number, and that of what stands across.
type Row = (String, Measured, Option<Measured>);

fn rows(scope: &Scope) -> Result<Frame, String> {
    let (chart, choices) = (scope.chart, scope.chart.choices);
    let x = &choices.x;
    let across = chart.across.as_ref().map(|_| (x, Formula::of(x)));
    let across = across.as_ref();
    let slower = scope.slower();
    let (mut rows, mut left_out) = (Vec::new(), Vec::new());
    for (quantity, is_logarithmic) in columns(chart) {
        let formula = Formula::of(&quantity);
        // The upper end of a share of 0 is drawn.
        let is_logarithmic = is_logarithmic && choices.statistic != Statistic::Share;
        let x_is_logarithmic = choices.x_is_logarithmic == Some(true);
        let of = |it: &PointTrials| {
            let number = |formula: &Formula| measured(choices, it, formula);
            let [y, x] = [number(&formula), across.and_then(|x| number(&x.1))];
            let reason = missing(chart, &it.point, &formula)
                .or_else(|| slower.get(&it.point).cloned())
                .or_else(|| has_no_place((&quantity, choices.statistic), y, is_logarithmic))
                .or_else(|| has_no_place((across?.0, choices.statistic), x, x_is_logarithmic));
            let row = match (y, reason) {
                (Some(y), None) => Ok((quantity.clone(), y, x)),
                (_, reason) => Err(reason.unwrap_or_default()),
            };
            Some((it.point.clone(), row))
        };
        let (placed, others) = scope.placed(scope.measured(of));
        rows.extend(placed);
        left_out.extend(others);
    }
    // A point that lacks a measure may have another one.
    let is_drawn = |quantity: &String| chart.columns().any(|it| it.only == *quantity);
    let drawn = rows.iter().filter(|it: &&(Point, Row)| is_drawn(&it.1.0));
    let drawn: BTreeSet<Point> = drawn.map(|it| it.0.clone()).collect();
    rows.retain(|it| drawn.contains(&it.0));
    left_out.retain(|it| !it.1.starts_with(LACKS) || !drawn.contains(&it.0));
    let name = &choices.statistic.name();
    let mut columns = Frame::of(&rows, |it| &it.0, &KEY_AXES)
        .quantity(|it| it.1.0.clone())
        .trials(|it| it.1.1)
        .column(&format!("{name}_is"), |it| match Formula::of(&it.1.0).by {
            _ if it.1.1.estimate.is_bound => mean_is(it.1.1.estimate).to_owned(),
            DividedBy::Column(_) => "ratio".to_owned(),
            _ => name.clone(),
        })
        .column("method", |it| it.1.1.method)
        .estimate(name, |it| it.1.1.estimate)
        .note(note(choices.statistic));
    if let Some(derived) = chart.derived {
        columns = columns.column(derived.name, |it| chart.x_of(&it.0));
    }
    if let Some((x, _)) = across {
        let words = format!("`{x}`: the same of what stands across.");
        columns = columns
            .estimate(x, |it| it.1.2.map(|it| it.estimate))
            .note(&words);
    }
    let columns = columns.left_out(left_out).note_if(
        |it| it.1.1.estimate.is_bound,
        "`lower bound`: `censored` trials were cut off and count with what they had come to; the true mean is larger.",
    );
    let is_share = choices.statistic == Statistic::Share;
    let columns = columns.warn_if(
        |(_, (_, it, _))| is_share && it.censored > 0,
        "trials that were cut off count among all",
    );
    Ok(columns.frame)
}

/// What the table says of its statistic.
fn note(statistic: Statistic) -> &'static str {
    match statistic {
        Statistic::Mean => {
            "`mean`: that of the column `quantity` over the `trials` of a point; `ratio`: the sum of a column over the `trials`, divided by the sum of the other, where sums of trials that were cut off count up to there. `mean_low` and `mean_high` are its 95 % interval by `method`, that of a ratio with the jackknife's error (docs/statistics.md)."
        }
        Statistic::Quantile(_) => {
            "The quantile of p per cent is the value of rank ⌈m p / 100⌉ of the column `quantity` among the m `trials` of a point; `_low` and `_high` are the order statistics between which it lies with at least 95 % confidence, 0 and ∞ where there are too few trials."
        }
        Statistic::Share => {
            "`share`: the trials of a point that have a value in the column `quantity`, over all its `trials`; `share_low` and `share_high` are Wilson's 95 % interval."
        }
    }
}
