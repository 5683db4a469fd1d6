//! Exhaustive searches against n: seconds of every method beside what the source texts measured,
//! and the variants of the constraint models compared. Here are the columns, units and notes of
//! searches, which variants count as plain (drawn first), and the seconds of the texts. Medians and
//! quartiles are in `analysis/search.rs`.

use crate::analysis::quantile::Bounded;
use crate::analysis::search::{SearchSummary, Spread};
use crate::report::measures::kit::*;
use crate::solver::cp::branching::Branching;
use crate::solver::cp::variant::{Constraints, Decisions, Model, Variant};
use crate::solver::goal::Goal;
use crate::solver::outcome::Ending;

/// Algorithm, n, goal and, in the words of the source texts, the seconds of each search.
const SEARCHES_OF_THE_TEXT: &str = include_str!("../../../experiments/sources/searches.csv");

pub const SEARCHES: MeasureTable = MeasureTable {
    name: "searches",
    measures: &[
        Measure::new("median(seconds)", "time (seconds)"),
        Measure::new("microseconds_per_node", "time per node (µs)"),
    ],
    of: RowsOf::Searches,
    ignores: MeasureTable::OF_ERRORS,
    rows,
    needs: |_, points| only(points, |point| point.goal.is_some()),
    lacking: "no search has its seconds",
    ..MeasureTable::PLAIN
};

/// The letter of a variant that names its constraints.
const CONSTRAINTS: &str = "variant[2]";

fn variant(point: &Point) -> Option<Variant> {
    point.variant.parse().ok()
}

/// The points whose curves are drawn before others, where there are too many.
pub fn plain<'p>(figure: &Figure, points: impl Iterator<Item = &'p Point>) -> Vec<Point> {
    points
        .filter(|point| is_plain(figure, point))
        .cloned()
        .collect()
}

/// True for a variant that is as simple as it can be, but for what the figure's colours compare.
fn is_plain(figure: &Figure, point: &Point) -> bool {
    variant(point).is_some_and(|variant| {
        let is_simple = variant.model != Model::Naive && !variant.symmetry;
        let has_one_constraint = match figure.spec.colour.as_deref() {
            Some(CONSTRAINTS) => variant.branching == Branching::Lexicographic,
            _ => variant.constraints == Constraints::Domain,
        };
        is_simple && variant.decision == Decisions::Primal && has_one_constraint
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

/// A spread of what searches have.
type SpreadOf = fn(&SearchSummary) -> Option<&Spread>;

impl Columns<'_, SearchSummary> {
    fn median(self, name: &str, of: SpreadOf) -> Self {
        self.column(name, |search| {
            of(search).map(|spread| in_full(spread.median))
        })
    }

    /// The ends of the 95 % interval of the median of a random search, in seconds.
    fn interval(self, name: &str, of: SpreadOf) -> Self {
        let interval = |search_summary: &SearchSummary| of(search_summary)?.interval;
        let seconds = |end: Bounded| end.value as f64 / 1e9;
        self.column(&format!("{name}_low"), |search| {
            interval(search).map(|ends| seconds(ends.low))
        })
        .column(&format!("{name}_high"), |search| {
            interval(search).map(|ends| ends.high.map_or(f64::INFINITY, seconds))
        })
    }

    /// The table with the notes of every figure of searches, and with what is lost of their times.
    fn noted(self, scope: &Scope, lost: Option<String>) -> Table {
        let machine = format!("measured on {}", scope.rows.machine);
        let seconds = format!(
            "`median(seconds)`: wall clock, {machine}: the median of the repeats, in brackets the least and the greatest of them."
        );
        let columns = self
            .note_if(|search| search.time.is_some(), &seconds)
            .note_if(
                |search| search.is_random,
                "A random search has the median over its `trials` under all seeds, each with the median of its repeats, in brackets the quartiles; `seconds_interval` is the 95 % interval of this median by the binomial law of ranks (∞: too few trials \
                 for an upper end). The medians of its counts are taken each by itself.",
            )
            .note_if(
                |search| search.cut_off() > 0,
                "A censored search was cut off at its cutoff: its seconds and its counts are a lower bound, written ≥; so is a median or a quartile that falls among such trials.",
            );
        let mut table = columns.table;
        if let Some(lost) = lost {
            table.warn(&lost);
        }
        table.warn("times vary from run to run and from machine to machine, unlike every other figure's numbers");
        table.warnings.push(machine);
        table
    }
}

/// How many searches have lost their times, if any has.
fn lost_seconds(searches: &[SearchSummary]) -> Option<String> {
    let untimed: usize = searches.iter().map(|search| search.untimed).sum();
    let all: usize = searches.iter().map(SearchSummary::trials).sum();
    (untimed > 0).then(|| format!("the seconds of {untimed} of {all} searches are lost"))
}

/// A row for each search.
fn rows(scope: &Scope) -> Result<Table, String> {
    let mut searches = SearchSummary::of(&scope.rows.trials, &scope.rows.timings);
    searches.retain(|search| search.n() > 0 && scope.figure.is_wanted(&search.point));
    let lost = lost_seconds(&searches);
    searches.retain(|search| search.time.is_some());
    if searches.is_empty() {
        return Err(lost.unwrap_or_else(|| scope.figure.no_points()));
    }

    // The largest boards first, and of one n the slowest method, as in the text's table.
    let time = |search: &SearchSummary| nanoseconds(search).map(|spread| spread.median.value);
    searches.sort_by(|a, b| b.n().cmp(&a.n()).then(time(b).cmp(&time(a))));
    let columns = Table::of(&searches, |search| &search.point, &["n"])
        .column("outcome", outcome)
        .column("trials", |search| search.trials())
        .column("censored", |search| search.cut_off())
        .column("cutoff", |search| search.cutoff)
        .column("repeats", |search| search.time.as_ref().map(|time| time.repeats))
        .median("solutions", |search| search.solutions.as_ref())
        .median("checks", |search| search.checks.as_ref())
        .median("nodes", |search| search.nodes.as_ref())
        .median("backtracks", |search| search.backtracks.as_ref())
        .median("failures", |search| search.failures.as_ref())
        .estimate("median(seconds)", |search| drawn(nanoseconds(search), 1e9))
        .interval("seconds_interval", nanoseconds)
        .estimate("microseconds_per_node", |search| drawn(picoseconds_per_node(search), 1e6))
        .column("seconds_in_the_text", in_the_text)
        .note("What a check and a node are for each method, `reines list algorithms` says: they cannot be compared between methods. Nodes, backtracks and failures of constraint models are those of the constraint lab, by Choco's definitions: `nodes`: inner nodes and solutions of the search tree; `failures`: its inconsistent leaves; `backtracks`: nodes + failures. The letters of their variants are explained in docs/spec.md.")
        .note_if(
            |search| in_the_text(search).is_some(),
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

fn in_full(value: Bounded) -> TableCell {
    TableCell::bounded(value, TableCell::Count)
}

/// The seconds that a text names for the same search, in its words, if it ended.
fn in_the_text(search: &SearchSummary) -> Option<String> {
    let point = &search.point;
    let is_of_the_text = variant(point).is_none_or(|variant| {
        variant.model == Model::Primal
            && variant.constraints != Constraints::Neq
            && !variant.symmetry
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
    use crate::experiment::store::rows::PointTrials;
    use crate::report::FigureRows;
    use crate::report::measures::tests::study;
    use crate::solver::cp::variant::VARIANTS;

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
