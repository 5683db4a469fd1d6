//! Points that differ in one axis only, as curves.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use itertools::Itertools;

use super::chart::Chart;
use super::figure::LETTERS;
use super::frame::{Columns, Frame, Missing, PointOf, mean_is};
use super::mark::Mark;
use super::number::short;
use crate::analysis::summary::{PERCENTS, PointSummary, Summary};
use crate::html::spaced;
use crate::solver::Point;
use crate::solver::goal::Goal;
use crate::solver::point::KEY_AXES;
use crate::solver::{Value, algorithm, symbol};

/// A point's value of a key of `group`.
pub fn word(point: &Point, key: &str) -> String {
    match key {
        "algorithm" => point.algorithm.clone(),
        "variant" => point.variant.clone(),
        "goal" => point.goal.map_or("", |goal| goal.name()).to_owned(),
        letter if letter.starts_with("variant[") => {
            let number = LETTERS.iter().position(|it| *it == letter);
            let letter = number.and_then(|number| point.variant.chars().nth(number));
            letter.into_iter().collect()
        }
        axis => point
            .axes
            .get(axis)
            .map_or_else(String::new, |it| it.to_string()),
    }
}

/// The points that have no reason to be missing: those of rules that are compared in the order of
/// `compare`, then rules with fewer parameters first, then by name
/// and parameters, in increasing order across. The others go into `left_out`.
pub fn placed<P>(
    chart: &Chart,
    (all, of): (Vec<P>, PointOf<P>),
    missing: impl Fn(&P) -> Option<String>,
    left_out: &mut Vec<Missing>,
) -> Vec<P> {
    let mut placed = Vec::new();
    for point in all {
        match missing(&point) {
            Some(reason) => left_out.push((of(&point).clone(), reason)),
            None => placed.push(point),
        }
    }
    let apart: Vec<&str> = chart.axes.iter().map(String::as_str).collect();
    // Of several rules that are compared the first one stands first.
    let compared = |it: &Point| {
        chart
            .choices
            .compare
            .iter()
            .position(|own| *own == it.algorithm)
    };
    placed.sort_by(|a, b| {
        let (a, b) = (of(a), of(b));
        compared(a)
            .cmp(&compared(b))
            .then_with(|| fewer_axes_first(a, b))
            .then_with(|| a.order_apart(b, &apart))
            .then_with(|| chart.order(a, b))
    });
    placed
}

/// The points with only that of the least mean time among several of a curve at one position
/// across. Lower bounds are compared with each other alone, and the least of them bounds the time
/// of the fastest.
pub fn fastest(
    chart: &Chart,
    placed: Vec<PointSummary>,
    left_out: &mut Vec<Missing>,
) -> Vec<PointSummary> {
    let time = |it: &PointSummary| {
        let time = it.time().map(|it| it.measured.estimate);
        time.map_or((true, f64::INFINITY), |it| (it.is_bound, it.value))
    };
    let are_one = |a: &Point, b: &Point| {
        chart.order(a, b).is_eq()
            && chart.upwards_of(a) == chart.upwards_of(b)
            && chart.curve_of(a) == chart.curve_of(b)
    };
    let mut fastest: Vec<PointSummary> = Vec::new();
    for point in placed {
        match fastest.pop_if(|rival| are_one(&rival.point, &point.point)) {
            None => fastest.push(point),
            Some(rival) => {
                let [faster, slower] = match time(&point) < time(&rival) {
                    true => [point, rival],
                    false => [rival, point],
                };
                let key = chart.difference(&slower.point, &faster.point);
                let other = format!(
                    "another {} of this {}",
                    key.map_or("point", symbol),
                    chart.symbol()
                );
                let reason = match time(&slower).0 {
                    true => format!("a lower bound; {other} is drawn"),
                    false => format!("{other} is faster"),
                };
                left_out.push((slower.point.clone(), reason));
                fastest.push(faster);
            }
        }
    }
    fastest
}

/// Groups of those with one key, in the order in which the groups begin.
pub fn grouped<T, K: Ord>(all: impl IntoIterator<Item = T>, key: impl Fn(&T) -> K) -> Vec<Vec<T>> {
    let mut indices = BTreeMap::new();
    let mut groups: Vec<Vec<T>> = Vec::new();
    for one in all {
        let index = *indices.entry(key(&one)).or_insert(groups.len());
        if index == groups.len() {
            groups.push(Vec::new());
        }
        groups[index].push(one);
    }
    groups
}

/// Sorted, each once.
pub fn distinct(values: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let sorted = values.into_iter().sorted_by(f64::total_cmp);
    sorted.dedup().collect()
}

/// Rules with fewer parameters come first.
pub fn fewer_axes_first(a: &Point, b: &Point) -> Ordering {
    a.axes.count().cmp(&b.axes.count())
}

/// The stretches of `earlier` (a quantity at the hit) where it lies visibly below `later` (the same
/// at absorption): by more than 3 per cent at one end of each of their steps. Both are in
/// increasing order across.
pub fn visibly_below(earlier: &[Mark], later: &[Mark]) -> Vec<Vec<Mark>> {
    let differs = |mark: &Mark| {
        let at_or_beyond = &later[later.partition_point(|other| other.x < mark.x)..];
        let mut at = at_or_beyond.iter().take_while(|other| other.x == mark.x);
        at.any(|other| mark.y.value < 0.97 * other.y.value)
    };
    let stretches = earlier.chunk_by(|a, b| differs(a) || differs(b));
    let stretches = stretches.filter(|marks| marks.len() > 1);
    stretches.map(<[Mark]>::to_vec).collect()
}

/// `pair rule, n = 8, ε = 0.01`, with the exact parameters.
pub fn describe(point: &Point) -> String {
    in_words(point, &[])
}

/// [`describe`] without what the keys `apart` say.
pub fn in_words(point: &Point, apart: &[&str]) -> String {
    let is_told = |key: &str| !apart.contains(&key);
    let goal = match point.goal.filter(|_| is_told("goal")) {
        Some(Goal::First) => "first board",
        Some(Goal::All) => "all boards",
        _ => "",
    };
    let variant = if is_told("variant") {
        &*point.variant
    } else {
        ""
    };
    let rule = match (point.goal, variant) {
        (_, variant) if !is_told("algorithm") => variant.to_owned(),
        (Some(_), "") => point.algorithm.clone(),
        (Some(_), variant) => format!("{} {variant}", point.algorithm),
        (None, variant) => {
            let (of, rule) = match point.algorithm.strip_suffix("-relaxation") {
                Some(rule) => ("relaxation of the ", rule),
                None => ("", &point.algorithm[..]),
            };
            let is_condition = algorithm(rule).is_some_and(|it| it.condition.is_some());
            match variant {
                "" => format!("{of}{rule} rule"),
                from if from.starts_with("from ") => format!("{rule} rule {from}"),
                condition if is_condition => format!("{rule} rule, certain: {condition}"),
                variant => format!("{of}{rule} rule {variant}"),
            }
        }
    };
    let axes = point.axes.by_column().filter(|it| is_told(it.0));
    let axes = axes.map(|(name, value)| format!("{} = {}", symbol(name), value_in_words(value)));
    let parts = [rule].into_iter().chain(axes).chain([goal.to_owned()]);
    parts.filter(|it| !it.is_empty()).join(", ")
}

/// All digits of a whole number, six of any other.
pub fn value_in_words(value: Value) -> String {
    match value {
        Value::Integer(value) => spaced(value),
        Value::Real(value) => short(value, 6),
    }
}

/// A row for each quantity of each of the points, with the notes that define the columns.
pub fn of_points<'p>(
    rows: &'p [(&'p PointSummary, &'p Summary)],
) -> Columns<'p, (&'p PointSummary, &'p Summary)> {
    let mut columns = Frame::of(rows, |it| &it.0.point, &KEY_AXES)
        .quantity(|it| it.1.quantity.name())
        .trials(|it| it.1.measured)
        .column("mean_is", |it| mean_is(it.1.measured.estimate))
        .column("method", |it| it.1.measured.method)
        .estimate("mean", |it| it.1.measured.estimate);
    for (index, percent) in PERCENTS.into_iter().enumerate() {
        let name = match percent {
            50 => "median".to_owned(),
            _ => format!("q{percent:02}"),
        };
        columns = columns.quantile(&name, |(_, it)| it.quantiles[index]);
    }
    columns
        .estimate("ert", |(_, it)| it.expected_run_length)
        .estimate("variation", |(_, it)| it.variation)
        .note(
            "Times are counted in updates, moves in queen moves. `absorption_time` and `moves` run until the queens form a solution and every signal is true, \
             `hitting_time` and `moves_at_hit` until the positions first form a solution.",
        )
        .note(
            "Brackets hold 95 % intervals: of means by `method` (`t of ln`: Student's t of the logarithm), of the quantiles `q05` … `q95` (`median` = `q50`) by the binomial law of ranks. \
             `variation`: standard deviation / mean, 1 for exponential times. The formulas are in docs/statistics.md.",
        )
        .note_if(
            |(_, it)| it.measured.estimate.is_bound,
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
    use crate::analysis::synthetic::{Draws, SyntheticLaw, pair_key, trials};
    use crate::report::FigureRows;
    use crate::report::figures::preset;

    #[test]
    fn censored_points_say_so() {
        let points = trials(&mut Draws::new(3), &SyntheticLaw::of_pair_8(500_000), 40);
        let rows = points.rows.iter();
        let censored = rows.filter(|row| row.outcome.absorption_time.is_none());
        let censored = censored.count().to_string();
        let point = PointSummary::of(&points).expect("there are rows");
        let frame = of_points(&quantities([&point])).frame;
        let (table, trials) = (frame.table(), frame.trials(0));
        assert_eq!(table.column("mean_is"), ["lower bound"; 4]);
        assert_eq!(table.column("mean_high"), ["∞"; 4]);
        let csv = String::from_utf8(table.to_csv()).expect("text");
        assert!(csv.contains("mean_is_bound") && !csv.contains("inf"));
        assert_eq!(table.column("censored")[0], censored);
        assert_eq!(trials.map(|it| it[1].to_string()), Some(censored));
        assert_eq!(table.column("q95")[0], "≥500000");
        // A time below the cutoff is known; of moves so is what is below those of every trial that
        // was cut off.
        let of_q05 = [0, 2].map(|row| table.column("q05")[row].starts_with('≥'));
        let of_q95 = [0, 2].map(|row| table.column("q95")[row].starts_with('≥'));
        assert_eq!([of_q05, of_q95], [[false; 2], [true; 2]]);
        assert_eq!(table.notes.len(), 3);
    }

    /// Trials of the second ε are cut off early at each n, below the mean of the first.
    #[test]
    fn a_complete_mean_comes_before_a_lower_bound() {
        let mut draws = Draws::new(1);
        let points = [
            (8, 0.01, u64::MAX),
            (8, 0.1, 500),
            (9, 0.01, u64::MAX),
            (9, 0.1, 500),
        ];
        let points = points.map(|(n, epsilon, cutoff)| {
            let law = SyntheticLaw::of(pair_key(n, epsilon), 1e6, cutoff);
            trials(&mut draws, &law, 30)
        });
        let rows = FigureRows::of_trials(points.into(), String::new());
        let drawing = preset("scaling").draw(&rows).expect("two n");
        let means = drawing.table.column("mean_is");
        assert!(means.iter().all(|it| it != "lower bound"), "{means:?}");
        let reason =
            "left out (a lower bound; another ε of this n is drawn): pair rule, n = 8, ε = 0.1";
        assert!(
            drawing.left_out[0].starts_with(reason),
            "{:?}",
            drawing.left_out
        );
    }

    #[test]
    fn a_condition_is_told_from_the_name_of_a_variant() {
        for (name, variant, expected) in [
            ("pair", "", "pair rule"),
            ("pair", "b.queens == 0", "pair rule, certain: b.queens == 0"),
            ("synchronous", "blind", "synchronous rule blind"),
        ] {
            let point = Point {
                variant: variant.to_owned(),
                ..Point::new(name, [])
            };
            assert_eq!(describe(&point), expected);
        }
    }
}
