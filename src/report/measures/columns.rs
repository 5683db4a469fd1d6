//! Summaries of the columns of `trials.parquet`: means, quantiles, shares and ratios. Here are
//! their titles and words, the names dangerous, unnecessary and misinformed, which points are left
//! out and why, the columns of their tables, and the notes under these. What a statistic is, and
//! its interval, is in `analysis/measured.rs` and `analysis/formula.rs`.

use crate::analysis::formula::{
    CELLS_READ, CENSORED, DividedBy, Formula, Statistic, Summary, UPDATES_PER_STEP,
};
use crate::analysis::measured::T;
use crate::experiment::store::OwnColumns;
use crate::report::figure::Panel;
use crate::report::keys::COLUMNS_TABLE;
use crate::report::measures::kit::*;
use crate::report::measures::measure::ShownMeasure;
use crate::report::table::{LACKS, Missing};
use crate::solver::outcome::{COLUMNS, Column, Field};
use crate::solver::point::WORDS;
use crate::solver::{Kind, draws, symbol};

pub const TABLE: MeasureTable = MeasureTable {
    name: COLUMNS_TABLE,
    rows,
    needs: |_, points| points,
    ..MeasureTable::PLAIN
};

/// Ratios of columns with words of their own.
const WITH_WORDS: [Measure; 3] = [
    Measure::share(
        "dangerous_moves / moves",
        "dangerous moves",
        "dangerous / queen moves",
    ),
    Measure::share(
        "needless_moves / moves",
        "unnecessary moves",
        "unnecessary / queen moves",
    ),
    Measure::share(
        "deceived_moves / moves",
        "misinformed moves",
        "misinformed / queen moves",
    ),
];

/// The columns of numbers, also those that algorithms of the spec have for themselves.
pub fn numbers(own: &OwnColumns) -> Vec<&str> {
    let is_number = |column: &&Column| matches!(column.field, Field::Count(..));
    let facts = COLUMNS.iter().filter(is_number).map(|column| column.name);
    let own = own.iter().filter(|(_, column)| column.kind != Kind::Text);
    facts.chain(own.map(|(name, _)| name.as_str())).collect()
}

/// A summary that the figure needs.
struct Asked {
    summary: Summary,
    /// True if its axis has no place for 0.
    is_logarithmic: bool,
    /// True if it is a curve of a panel; points without any such number have no row.
    is_curve: bool,
}

/// The summaries that the figure draws or fits, each once.
fn asked(figure: &Figure) -> Vec<Asked> {
    let mut all: Vec<Asked> = Vec::new();
    let mut ask = |summary: Option<Summary>, is_logarithmic: bool, is_curve: bool| {
        let Some(summary) = summary else { return };
        match all.iter_mut().find(|known| known.summary == summary) {
            // In two panels the linear one decides: it can show every number.
            Some(own) => own.is_logarithmic &= is_logarithmic || !is_curve,
            None => all.push(Asked {
                summary,
                is_logarithmic,
                is_curve,
            }),
        }
    };
    for panel in &figure.panels {
        for measure in &panel.columns {
            // The upper end of a share of 0 is drawn.
            let is_logarithmic =
                panel.spec.is_logarithmic == Some(true) && !measure.is_share_of_trials();
            ask(measure.summary.clone(), is_logarithmic, true);
        }
    }
    for panel in &figure.panels {
        for end in panel.band.iter().flatten() {
            ask(end.summary.clone(), false, false);
        }
        let fitted = panel.spec.fit.iter().map(|fit| &fit.y);
        for text in fitted.filter(|text| !text.is_empty()) {
            ask(text.parse().ok(), false, false);
        }
        for summary in until_hit(panel) {
            ask(Some(summary), false, false);
        }
    }
    all
}

/// Beside a time or moves until the absorption the table has both, and until the hit, where the
/// panel shows them.
fn until_hit(panel: &Panel) -> Vec<Summary> {
    let first = &panel.columns[0];
    if !panel.spec.until_hit || first.quantity().is_none() {
        return Vec::new();
    }
    let statistic = first.statistic().unwrap_or_default();
    let summary = |quantity: Quantity| Summary {
        statistic,
        formula: Formula::of(quantity.name()),
    };
    Quantity::ALL.map(summary).into()
}

/// True if the figure shows a number of updates.
pub fn count_updates(figure: &Figure) -> bool {
    let spec = figure.spec;
    let is_in_updates = |formula: &Formula| {
        let has_unit_of_its_own = |name: &str| [UPDATES_PER_STEP, CELLS_READ].contains(&name);
        let is_other = matches!(formula.by, DividedBy::Axes(by) if has_unit_of_its_own(by.name));
        unit_of(spec, &formula.column) == Some("updates") && !is_other
    };
    let across = spec.has_column_across();
    let across = across.then(|| spec.x.parse().ok()).flatten();
    let summaries = asked(figure).into_iter().map(|asked| asked.summary);
    let mut summaries = summaries.chain(across);
    let of_bins = spec.bin.column.as_deref().map(Formula::of);
    summaries
        .any(|summary| summary.statistic != Statistic::Share && is_in_updates(&summary.formula))
        || of_bins.is_some_and(|formula| is_in_updates(&formula))
}

/// Unit of a stored column; `None` for a name that is none.
fn unit_of<'c>(spec: &'c FigureSpec, quantity: &str) -> Option<&'c str> {
    let mut columns = COLUMNS.iter();
    let fact = columns.find(|fact| fact.name == quantity);
    let own = || spec.own.get(quantity).map(|column| &*column.unit);
    fact.map(|fact| fact.unit).or_else(own)
}

/// What the axes of a point give to divide by; `None` where that is not known.
fn divisor(by: &DividedBy, point: &Point) -> Option<f64> {
    match by {
        DividedBy::Axes(by) => (by.of)(point),
        _ => Some(1.0),
    }
}

/// `a_b` as `a b`.
fn in_words(name: &str) -> String {
    name.replace('_', " ")
}

/// A column as it is of each trial.
pub fn of_each_trial(spec: &FigureSpec, column: &str) -> ShownMeasure {
    let summary = Summary {
        statistic: Statistic::Mean,
        formula: Formula::of(column),
    };
    shown(spec, &summary, true)
}

/// `mean absorption time / n³ (updates)`, `moves / updates (ratio of sums)`; of a number of each
/// trial without the words of the statistic.
pub fn shown(spec: &FigureSpec, summary: &Summary, is_of_each: bool) -> ShownMeasure {
    let Summary { statistic, formula } = summary;
    let words = in_words(&formula.column);
    let is_in_cells = matches!(formula.by, DividedBy::Axes(by) if by.name == CELLS_READ);
    let unit = match unit_of(spec, &formula.column) {
        Some(unit) if !unit.is_empty() && *unit != *words && !is_in_cells => format!(" ({unit})"),
        _ => String::new(),
    };
    let before = if is_of_each {
        String::new()
    } else {
        statistic.before()
    };
    let (name, after) = match (statistic, &formula.by) {
        (Statistic::Share, _) if formula.column == CENSORED => {
            ("share of censored trials".to_owned(), String::new())
        }
        (Statistic::Share, _) => (format!("{before}{words}"), String::new()),
        (_, DividedBy::Column(other)) => {
            let ratio = if is_of_each { "" } else { " (ratio of sums)" };
            (format!("{words} / {}", in_words(other)), ratio.to_owned())
        }
        (_, DividedBy::Axes(by)) => (format!("{before}{words}{}", by.words), unit),
        (_, DividedBy::One) => (format!("{before}{words}"), unit),
    };
    let plain = ShownMeasure {
        column: summary.to_string(),
        table: COLUMNS_TABLE,
        summary: Some(summary.clone()),
        title: format!("{name}{after}"),
        name,
        label: String::new(),
        is_share: *statistic == Statistic::Share,
    };
    let text = formula.to_string();
    match WITH_WORDS.iter().find(|with_word| with_word.name == text) {
        Some(own) if !is_of_each => ShownMeasure {
            title: own.title.to_owned(),
            name: format!("share of {}", own.label),
            label: own.label.to_owned(),
            is_share: true,
            ..plain
        },
        _ => plain,
    }
}

/// Why a point cannot stand in the figure with a formula; `None` where it can.
fn missing(figure: &Figure, key: &Point, formula: &Formula) -> Option<String> {
    let facet = figure.spec.facet.as_deref();
    let facet = facet.filter(|facet| !WORDS.contains(facet) && key.axes.get(facet).is_none());
    if let Some(facet) = facet {
        return Some(format!("{LACKS}{}", symbol(facet)));
    }
    let has_divisor = divisor(&formula.by, key).is_some();
    (!has_divisor).then(|| "has nothing to be divided by".to_owned())
}

/// A summary over the trials of a point, divided by what its axes give; what one trial has, and
/// what a search that draws nothing has, is known exactly, if it is not a bound.
fn measured(figure: &Figure, trials: &PointTrials, summary: &Summary) -> Option<Measured> {
    let mut found = Measured::of(trials, summary)?;
    let by = divisor(&summary.formula.by, &trials.point)?;
    found.estimate = found.estimate.in_units(by);
    let point = &trials.point;
    if figure.spec.draws_trials() || !draws(point) {
        let estimate = found.estimate;
        let exact = Estimate::exactly(estimate.value);
        found.estimate = Estimate {
            trials: estimate.trials,
            ..exact
        }
        .bounding(estimate.is_bound);
        found.method = "";
    }
    Some(found)
}

/// That a column is empty in some trials of a point, if it is neither in all nor in none.
fn partly(trials: &PointTrials, column: &str) -> Option<String> {
    let all = trials.rows.len();
    let empty = all - trials.rows.filled(column);
    let is_partly = 0 < empty && empty < all;
    is_partly.then(|| format!("{column} is empty in {empty} of {all} trials"))
}

/// Why a number has no place on an axis, if it has none.
fn has_no_place(
    trials: &PointTrials,
    summary: &Summary,
    found: Option<Measured>,
    is_logarithmic: bool,
) -> Option<String> {
    let formula = &summary.formula;
    let Some(Measured { estimate, .. }) = found else {
        if let Some(words) = formula.columns().find_map(|column| partly(trials, column)) {
            return Some(words);
        }
        return Some(match formula.by {
            DividedBy::Column(_) => format!("{LACKS}{formula} over all trials"),
            _ => format!("{LACKS}{}", formula.column),
        });
    };
    if !is_logarithmic || estimate.value > 0.0 {
        return None;
    }
    let words = in_words(&formula.to_string());
    let number = short(estimate.value, 3);
    let before = summary.statistic.before();
    Some(format!("{before}{words}: {number} {NOT_ON_LOGARITHMIC}"))
}

/// The numbers of one summary, by the index of their point among the trials: a map of points
/// compares them by all their axes.
type Numbers = Vec<Option<Measured>>;

/// What the trials say of all that is asked, and of what stands across.
struct Found {
    numbers: Vec<(Asked, Numbers)>,
    across: Option<(Summary, Numbers)>,
    /// The points without a number, by their index, each with the reason.
    left_out: Vec<(usize, String)>,
}

/// A row of the table.
struct Row<'t> {
    /// The index of the point among the trials.
    index: usize,
    trials: &'t PointTrials,
}

impl Found {
    fn of(scope: &Scope) -> Self {
        let figure = scope.figure;
        let trials = &scope.rows.trials;
        let spec = scope.figure.spec;
        let has_across = spec.has_column_across();
        let x: Option<Summary> = has_across.then(|| spec.x.parse().ok()).flatten();
        let x_is_logarithmic = spec.x_is_logarithmic == Some(true);
        let slower = scope.slower();

        let mut left_out = Vec::new();
        let mut numbers: Vec<(Asked, Numbers)> = Vec::new();
        for asked in asked(figure) {
            let of = |trials: &PointTrials| {
                let point = &trials.point;
                let found = measured(figure, trials, &asked.summary);
                let off_x = || {
                    let x = x.as_ref()?;
                    has_no_place(trials, x, measured(figure, trials, x), x_is_logarithmic)
                };
                let reason = figure
                    .off_axis(point)
                    .or_else(|| missing(figure, point, &asked.summary.formula))
                    .or_else(|| slower.get(point).cloned())
                    .or_else(|| has_no_place(trials, &asked.summary, found, asked.is_logarithmic))
                    .or_else(off_x);
                Some(match (found, reason) {
                    (Some(found), None) => Ok(found),
                    (_, reason) => Err(reason.unwrap_or_default()),
                })
            };
            let mut by_index = vec![None; trials.len()];
            for (index, number) in scope.measured_by_index(of) {
                match number {
                    Ok(number) => by_index[index] = Some(number),
                    Err(reason) => left_out.push((index, reason)),
                }
            }
            numbers.push((asked, by_index));
        }
        let across = x.map(|x| {
            let mut by_index = vec![None; trials.len()];
            for (index, number) in scope.measured_by_index(|trials| measured(figure, trials, &x)) {
                by_index[index] = Some(number);
            }
            (x, by_index)
        });
        Self {
            numbers,
            across,
            left_out,
        }
    }

    /// True for each of so many points that has a number of a curve; where all curves are of other
    /// tables, for each that has one across.
    fn are_drawn(&self, n_points: usize) -> Vec<bool> {
        let curves = self.numbers.iter().filter(|(asked, _)| asked.is_curve);
        let mut of: Vec<&Numbers> = curves.map(|(_, numbers)| numbers).collect();
        if of.is_empty() {
            of.extend(self.across.iter().map(|(_, numbers)| numbers));
        }
        let has_number = |index: usize| of.iter().any(|numbers| numbers[index].is_some());
        (0..n_points).map(has_number).collect()
    }

    /// The points that lack a number, but those that lack a measure and have another one.
    fn missing(&self, trials: &[PointTrials], are_drawn: &[bool]) -> Vec<Missing> {
        let mut missing = Vec::new();
        for (index, reason) in &self.left_out {
            let is_elsewhere = reason.starts_with(LACKS) && are_drawn[*index];
            if !is_elsewhere {
                missing.push((trials[*index].point.clone(), reason.clone()));
            }
        }
        missing
    }

    /// True if one of the numbers is so.
    fn has(&self, is_so: impl Fn(&Summary, &Measured) -> bool) -> bool {
        let mut summaries = self.numbers.iter();
        summaries.any(|(asked, numbers)| {
            let mut numbers = numbers.iter().flatten();
            numbers.any(|number| is_so(&asked.summary, number))
        })
    }
}

/// The rows of the points that are drawn, in the order of tables.
fn rows_in_order<'t>(
    figure: &Figure,
    trials: &'t [PointTrials],
    are_drawn: &[bool],
) -> Vec<Row<'t>> {
    let mut rows: Vec<Row> = Vec::with_capacity(trials.len());
    for (index, trials) in trials.iter().enumerate() {
        if are_drawn[index] {
            rows.push(Row { index, trials });
        }
    }
    rows.sort_by(|a, b| {
        let of_a = &a.trials.point;
        let of_b = &b.trials.point;
        figure
            .order_of_rows(of_a, of_b)
            .then_with(|| of_a.order(of_b))
    });
    rows
}

fn rows(scope: &Scope) -> Result<Table, String> {
    let figure = scope.figure;
    let trials = &scope.rows.trials;
    let found = Found::of(scope);
    let are_drawn = found.are_drawn(trials.len());
    let rows = rows_in_order(figure, trials, &are_drawn);
    let mut columns = Table::of(&rows, |row| &row.trials.point, &KEY_AXES)
        .column("trials", |row| row.trials.rows.len())
        .column("censored", |row| {
            let endings = row.trials.rows.endings().iter();
            endings.filter(|ending| ending.is_cut_off()).count()
        })
        .column("cutoff", |row| row.trials.rows.least_cutoff())
        .left_out(found.missing(trials, &are_drawn));
    if let Some(derived) = figure.derived {
        columns = columns.column(derived.name, |row| figure.x_of(&row.trials.point));
    }
    let across = found.across.iter().map(|(x, numbers)| (x, numbers));
    let measures = found.numbers.iter();
    let measures = measures.map(|(asked, numbers)| (&asked.summary, numbers));
    for (summary, numbers) in across.chain(measures) {
        columns = columns.measured(&summary.to_string(), |row| numbers[row.index]);
    }
    Ok(noted(columns, &found).table)
}

/// The columns with what there is to say of them.
fn noted<'r, R>(mut columns: Columns<'r, R>, found: &Found) -> Columns<'r, R> {
    let statistics = found
        .numbers
        .iter()
        .map(|(asked, _)| asked.summary.statistic);
    for note in statistics.map(note).unique() {
        columns = columns.note(note);
    }
    let has_reals = found.has(|_, number| number.method == T);
    let has_bound = found.has(|_, number| number.estimate.is_bound);
    let has_sums = found.has(|summary, number| {
        matches!(summary.formula.by, DividedBy::Column(_)) && number.censored > 0
    });
    let has_shares =
        found.has(|summary, number| summary.statistic == Statistic::Share && number.censored > 0);
    columns
        .note_if(
            |_| has_reals,
            "Of real numbers the brackets hold the t interval of the mean itself.",
        )
        .note_if(
            |_| has_bound,
            "≥: a lower bound; trials that were cut off (`censored`) count with what they had come to, and the true number is larger. Brackets of such a mean hold Gaffke's lower end, where no trial ended that of the binomial law.",
        )
        .note_if(
            |_| has_sums,
            "Sums of trials that were cut off count up to there.",
        )
        .warn_if(|_| has_shares, "trials that were cut off count among all")
}

/// What the table says of a statistic.
fn note(statistic: Statistic) -> &'static str {
    match statistic {
        Statistic::Mean => {
            "`mean(a)`: of the column a over the `trials` of a point; `mean(a / b)`: the sum of a over the `trials`, divided by that of b. Brackets hold its 95 % interval: the t interval of the logarithm, that of a ratio with the jackknife's error (docs/statistics.md)."
        }
        Statistic::Quantile(_) => {
            "The quantile of p per cent (`median`: 50) is the value of rank ⌈m p / 100⌉ among the m `trials` of a point; brackets hold the order statistics between which it lies with at least 95 % confidence, 0 and ∞ where there are too few trials."
        }
        Statistic::Share => {
            "`share(a)`: the trials of a point that have a value in the column a, over all its `trials`; brackets hold Wilson's 95 % interval."
        }
    }
}
