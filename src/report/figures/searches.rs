//! Exhaustive searches against n: seconds of every method beside what the source texts measured,
//! and the variants of the constraint models compared.

use super::kit::*;
use crate::analysis::quantile::Bounded;
use crate::analysis::search::{SearchSummary, Spread};
use crate::report::number::three_digits;
use crate::solver::cp::branching::Branching;
use crate::solver::cp::variant::{Constraints, Decisions, Model, VARIANTS, Variant};
use crate::solver::goal::Goal;
use crate::solver::outcome::Ending;

/// Algorithm, n, goal and, in the words of the source texts, the seconds of each search.
const SEARCHES_OF_THE_TEXT: &str = include_str!("../../../experiments/sources/searches.csv");

const TABLE: MeasureTable = MeasureTable {
    of: RowsOf::Searches,
    ignores: MeasureTable::OF_ERRORS,
    ..MeasureTable::PLAIN
};

pub const SEARCHES: MeasureTable = MeasureTable {
    name: "searches",
    measures: &[Measure::new("seconds", "time (seconds)")],
    rows: rows_of_times,
    ..TABLE
};

/// The letter of a variant that names its constraints.
const CONSTRAINTS: &str = "variant[2]";

pub const MODELS: MeasureTable = MeasureTable {
    name: "models",
    measures: &[
        Measure::new("nodes_per_board", "nodes per board found"),
        Measure::new("seconds_of_median", "time (seconds)"),
        Measure::new("microseconds", "time per node (µs)"),
        Measure::new("nodes_of_median", "nodes"),
    ],
    rows: rows_of_models,
    ..TABLE
};

fn variant(point: &Point) -> Option<Variant> {
    point.variant.parse().ok()
}

/// True for a variant that is as simple as it can be, but for what the figure's colours compare.
fn is_plain(chart: &Chart, point: &Point) -> bool {
    variant(point).is_some_and(|it| {
        let is_simple = it.model != Model::Naive && !it.symmetry;
        let has_one_constraint = match chart.choices.colour.as_deref() {
            Some(CONSTRAINTS) => it.branching == Branching::Lexicographic,
            _ => it.constraints == Constraints::Domain,
        };
        is_simple && it.decision == Decisions::Primal && has_one_constraint
    })
}

/// Median and spread, divided by `unit`. An upper quartile that is itself cut off is no end.
fn drawn(spread: Option<&Spread>, unit: f64) -> Option<Estimate> {
    let spread = spread?;
    let value = |bounded: Bounded| bounded.value as f64 / unit;
    let high = if spread.high.at_least {
        f64::INFINITY
    } else {
        value(spread.high)
    };
    let median = Estimate::within(value(spread.median), [value(spread.low), high]);
    Some(median.bounding(spread.median.at_least))
}

fn nanoseconds(search: &SearchSummary) -> Option<&Spread> {
    search.time.as_ref().map(|time| &time.nanoseconds)
}

fn picoseconds_per_node(search: &SearchSummary) -> Option<&Spread> {
    search.time.as_ref()?.picoseconds_per_node.as_ref()
}

fn boards(search: &SearchSummary) -> Option<f64> {
    let boards = search.solutions.as_ref()?.median.value;
    (search.cut_off() == 0 && boards > 0).then_some(boards as f64)
}

/// What a column of searches is made of, and how its numbers are written.
type Written = (
    fn(&SearchSummary) -> Option<&Spread>,
    fn(Bounded) -> TableCell,
);
const SECONDS: Written = (nanoseconds, in_seconds);
const NODES: Written = (|it| it.nodes.as_ref(), in_full);

impl Columns<'_, SearchSummary> {
    fn median(self, name: &str, (of, written): Written) -> Self {
        self.column(name, |it| of(it).map(|it| written(it.median)))
    }

    /// [`median`](Self::median) with the ends of its interval, that of a random search.
    fn median_in_interval(self, name: &str, (of, written): Written) -> Self {
        let interval = |it: &SearchSummary| of(it)?.interval;
        self.median(name, (of, written))
            .column(&format!("{name}_low"), |it| {
                interval(it).map(|it| written(it.low))
            })
            .column(&format!("{name}_high"), |it| {
                interval(it).map(|it| it.high.map_or(f64::INFINITY.into(), written))
            })
    }

    /// The ends of the spread of the random searches, or of the others.
    fn ends(self, [low, high]: [&str; 2], (of, written): Written, of_random: bool) -> Self {
        let end = |it: &SearchSummary, end: fn(&Spread) -> Bounded| {
            let own = of(it).filter(|_| it.is_random == of_random);
            own.map(|spread| written(end(spread)))
        };
        self.column(low, |it| end(it, |spread| spread.low))
            .column(high, |it| end(it, |spread| spread.high))
    }

    /// The frame with the notes of every figure of searches, and with what is lost of their times.
    fn noted(self, scope: &Scope, lost: Option<String>) -> Frame {
        let machine = format!("measured on {}", scope.rows.machine);
        let seconds = format!(
            "Seconds: wall clock, {machine}: the median of the repeats, from `seconds_least` to `seconds_greatest`."
        );
        let columns = self
            .note_if(|it| it.time.is_some(), &seconds)
            .note_if(
                |it| it.is_random,
                "A random search has the median over its `trials` under all seeds, each with the median of its repeats, in brackets the 95 % interval of this median by the binomial law of ranks (∞: too few trials \
                 for an upper end), and quartiles `q25`, `q75`. The medians of its counts are taken each by itself.",
            )
            .note_if(
                |it| it.cut_off() > 0,
                "A censored search was cut off at its cutoff: its seconds and its counts are a lower bound, written ≥; so is a median or a quartile that falls among such trials.",
            );
        let mut frame = columns.frame;
        if let Some(lost) = lost {
            frame.warn(&lost);
        }
        frame.warn("times vary from run to run and from machine to machine, unlike every other figure's numbers");
        frame.warnings.push(machine);
        frame
    }
}

/// How many searches have lost their times, if any has.
fn lost_seconds(searches: &[SearchSummary]) -> Option<String> {
    let untimed: usize = searches.iter().map(|search| search.untimed).sum();
    let all: usize = searches.iter().map(SearchSummary::trials).sum();
    (untimed > 0).then(|| format!("the seconds of {untimed} of {all} searches are lost"))
}

/// One row per search, in the order of the constraint lab's table.
fn rows_of_models(scope: &Scope) -> Result<Frame, String> {
    let mut searches = SearchSummary::of(&scope.rows.trials, &scope.rows.timings);
    searches.retain(|search| {
        scope.chart.is_wanted(&search.point)
            && !search.point.variant.is_empty()
            && search.nodes.is_some()
            && search.n() > 0
    });
    let variants = VARIANTS.all();
    searches.sort_by_cached_key(|search| {
        let point = &search.point;
        let position = variants.iter().position(|other| *other == point.variant);
        let goal = point.goal.map(Goal::name);
        (search.n(), goal, position, point.variant.clone())
    });
    let columns = Frame::bare(&searches, |it| &it.point)
        .axes(&["n"])
        .median("solutions", (|it| it.solutions.as_ref(), in_full))
        .column("goal", |it| it.point.goal.map(Goal::name))
        .column("algorithm", |it| it.point.algorithm.clone())
        .column("model", |it| it.point.variant.clone())
        .column("outcome", outcome)
        .median_in_interval("seconds", SECONDS)
        .median_in_interval("nodes", NODES)
        .median("backtracks", (|it| it.backtracks.as_ref(), in_full))
        .median("failures", (|it| it.failures.as_ref(), in_full))
        .column("us_per_node", |it| {
            let rate = picoseconds_per_node(it)?.median.value;
            Some(three_digits(rate as f64 / 1e6))
        })
        .column("repeats", |it| it.time.as_ref().map(|time| time.repeats))
        .column("trials", |it| it.trials())
        .column("censored", |it| it.cut_off())
        .column("cutoff", |it| it.cutoff)
        .ends(["seconds_least", "seconds_greatest"], SECONDS, false)
        .ends(["seconds_q25", "seconds_q75"], SECONDS, true)
        .ends(["nodes_q25", "nodes_q75"], NODES, true)
        .drawn("nodes_of_median", |it| drawn(it.nodes.as_ref(), 1.0))
        .drawn("seconds_of_median", |it| drawn(nanoseconds(it), 1e9))
        .drawn("nodes_per_board", |it| drawn(it.nodes.as_ref(), boards(it)?))
        .drawn("microseconds", |it| drawn(picoseconds_per_node(it), 1e6))
        .note(
            "Nodes, backtracks and failures are those of the constraint lab, by Choco's definitions: `nodes`: inner nodes and solutions of the search tree; `failures`: its inconsistent leaves; \
             `backtracks`: nodes + failures. `us_per_node`: microseconds for each node. The letters of `model` are explained in docs/spec.md.",
        );
    let mut frame = columns.noted(scope, lost_seconds(&searches));
    let points = searches.iter().map(|it| &it.point);
    let plain = points.filter(|it| is_plain(scope.chart, it));
    frame.plain = plain.cloned().collect();
    Ok(frame)
}

/// The wall clock's seconds, the largest boards first, and of one n the slowest method first, as in
/// the text's table.
fn rows_of_times(scope: &Scope) -> Result<Frame, String> {
    let mut searches = SearchSummary::of(&scope.rows.trials, &scope.rows.timings);
    searches.retain(|search| search.n() > 0);
    let lost = lost_seconds(&searches);
    searches.retain(|search| search.time.is_some());
    let time = |search: &SearchSummary| nanoseconds(search).map(|it| it.median.value);
    searches.sort_by(|a, b| b.n().cmp(&a.n()).then(time(b).cmp(&time(a))));
    let points = searches.iter().map(|it| &it.point);
    let curves = grouped(points, |it| scope.chart.curve_of(it));
    let differ = |curve: &Vec<&Point>| curve.iter().any(|it| *it != curve[0]);
    if !curves.iter().any(differ) {
        return Err(lost.unwrap_or_else(|| scope.chart.no_points()));
    }
    let columns = Frame::of(&searches, |it| &it.point, &["n"])
        .column("goal", |it| it.point.goal.map(Goal::name))
        .column("outcome", outcome)
        .median("solutions", (|it| it.solutions.as_ref(), in_full))
        .median("checks", (|it| it.checks.as_ref(), in_full))
        .median("nodes", NODES)
        .column("trials", |it| it.trials())
        .column("repeats", |it| it.time.as_ref().map(|time| time.repeats))
        .drawn("seconds", |it| drawn(nanoseconds(it), 1e9))
        .median_in_interval("seconds_median", SECONDS)
        .ends(["seconds_least", "seconds_greatest"], SECONDS, false)
        .ends(["seconds_q25", "seconds_q75"], SECONDS, true)
        .column("seconds_in_the_text", in_the_text)
        .note("What a check and a node are for each method, `reines list algorithms` says: they cannot be compared between methods.")
        .note(
            "`seconds_in_the_text`: as measured by the source texts, each on a machine and in a language of its own. Their generator of permutations for brute \
             force is Python's; their \"backtracking\" extends lists of partial boards, which is `partial-lists` here; their constraint model is three `all_different` over the primal variables \
             (the variants PB, PA and PS), solved for one board, and its second time at n = 8 includes the whole run of the program.",
        );
    Ok(columns.noted(scope, lost))
}

/// `exhausted`, or how many trials ended how.
fn outcome(search: &SearchSummary) -> String {
    if let [(ending, _)] = search.endings[..] {
        return ending.name().to_owned();
    }
    let words = |(ending, trials): &(Ending, usize)| format!("{trials} {}", ending.name());
    search.endings.iter().map(words).join("; ")
}

/// A time differs in its second digit from run to run.
fn in_seconds(nanoseconds: Bounded) -> TableCell {
    TableCell::bounded(nanoseconds, |value| three_digits(value as f64 / 1e9))
}

fn in_full(value: Bounded) -> TableCell {
    TableCell::bounded(value, |value| value.to_string())
}

/// The seconds that a text names for the same search, in its words, if it ended.
fn in_the_text(search: &SearchSummary) -> Option<String> {
    let point = &search.point;
    let is_of_the_text = variant(point).is_none_or(|it| {
        it.model == Model::Primal && it.constraints != Constraints::Neq && !it.symmetry
    });
    if search.cut_off() > 0 || !is_of_the_text {
        return None;
    }
    let rows = csv::Reader::from_reader(SEARCHES_OF_THE_TEXT.as_bytes()).into_records();
    rows.flatten().find_map(|row| {
        let is_of = row[0] == point.algorithm
            && row[1].parse().ok() == point.integer("n")
            && (&row[2] == "first") == (point.goal == Some(Goal::First));
        is_of.then(|| row[3].to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::constraint_searches;
    use crate::report::FigureRows;
    use crate::report::figures::tests::study;
    use crate::results::PointTrials;

    #[test]
    fn of_many_curves_the_plain_ones_are_drawn() {
        let template = &constraint_searches()[0];
        let of = |variant: String| {
            let mut trials = template.clone();
            trials.point.variant = variant;
            trials.point.goal = Some(Goal::All);
            trials
        };
        let trials: Vec<PointTrials> = VARIANTS.all().into_iter().map(of).collect();
        let drawing = study("constraint-models")
            .draw(&FigureRows::of_trials(trials.clone(), String::new()))
            .expect("searches");
        assert!(drawing.svg.contains("cp PA_PL, all boards"));
        let count = trials.len();
        let left_out = format!("left out (the first 10 of {count} curves are drawn; in the table)");
        assert!(drawing.left_out[0].starts_with(&left_out));
        assert_eq!(drawing.table.rows.len(), trials.len());
    }
}
