//! Searches as a table in the form of the constraint lab: for each n, what every model took.

use super::Table;
use super::frame::Frame;
use super::search_curves::place_in_the_table;
use crate::analysis::quantile::Bounded;
use crate::analysis::search::{SearchSummary, SearchTime, Spread};
use crate::solver::goal::Goal;

/// What the wall clock says, for figures and tables alike.
pub const VARIES: &str =
    "Times vary from run to run and from machine to machine, unlike every other figure's numbers";

/// By n, then in the order of the lab's variants.
pub fn lab_order<'a>(
    searches: impl IntoIterator<Item = &'a SearchSummary>,
) -> Vec<&'a SearchSummary> {
    let mut searches: Vec<&SearchSummary> = searches.into_iter().collect();
    searches.sort_by_cached_key(|search| {
        let point = &search.point;
        (
            search.n(),
            point.goal.map(Goal::name),
            point.algorithm.clone(),
            place_in_the_table(point),
            point.variant.clone(),
        )
    });
    searches
}

/// One row per search, in [`lab_order`].
pub fn lab_table(searches: &[&SearchSummary], machine: &str) -> Table {
    let key = Frame::of(searches, &["n"]).frame.table();
    let mut header = key.header[RULE..].to_vec();
    header.extend(HEADER.map(str::to_owned));
    let mut notes = vec![
        "Nodes, backtracks and failures are those of the constraint lab, by Choco's definitions: `nodes`: inner nodes and solutions of the search tree; `failures`: its inconsistent leaves; \
         `backtracks`: nodes + failures."
            .to_owned(),
    ];
    if searches.iter().any(|search| search.time.is_some()) {
        notes.push(format!(
            "`seconds`: wall clock, measured on {machine}: the median of the repeats, from `seconds_least` to `seconds_greatest`. `us_per_node`: microseconds for each node. {VARIES}."
        ));
    }
    if searches.iter().any(|search| search.is_random) {
        notes.push(
            "A random search has the median over its `trials` under all seeds, in brackets the 95 % interval of this median by the binomial law of ranks (`inf`: too few trials for an upper end), and quartiles `q25`, `q75`; \
             the time of a trial is the median of its repeats. The medians of nodes, backtracks and failures are taken each by itself."
                .to_owned(),
        );
    }
    notes.extend(cut_off_note(searches.iter().copied()));
    Table {
        header,
        rows: searches
            .iter()
            .zip(&key.rows)
            .map(|(search, key)| row(&key[RULE..], search))
            .collect(),
        notes,
    }
}

/// What numbers of a search mean that was cut off, if any was.
pub fn cut_off_note<'a>(searches: impl IntoIterator<Item = &'a SearchSummary>) -> Option<String> {
    let is_cut_off = searches.into_iter().any(|search| search.cut_off() > 0);
    is_cut_off.then(|| {
        "A censored search was cut off at its cutoff: its seconds and its counts are a lower bound, written ≥; so is a median or a quartile that falls among such trials. `censored` counts them."
            .to_owned()
    })
}

/// After the axes.
const HEADER: [&str; 24] = [
    "solutions",
    "goal",
    "algorithm",
    "model",
    "outcome",
    "seconds",
    "seconds_low",
    "seconds_high",
    "nodes",
    "nodes_low",
    "nodes_high",
    "backtracks",
    "failures",
    "us_per_node",
    "repeats",
    "trials",
    "censored",
    "cutoff",
    "seconds_least",
    "seconds_greatest",
    "seconds_q25",
    "seconds_q75",
    "nodes_q25",
    "nodes_q75",
];

/// Columns of algorithm and variant, which stand elsewhere here.
const RULE: usize = 2;

fn row(key: &[String], search: &SearchSummary) -> Vec<String> {
    let point = &search.point;
    let time = search.time.as_ref();
    let nanoseconds = time.map(|time| &time.nanoseconds);
    let mut cells = key.to_vec();
    cells.push(median(search.solutions.as_ref()));
    cells.push(
        point
            .goal
            .map_or_else(String::new, |goal| goal.name().into()),
    );
    cells.extend([
        point.algorithm.clone(),
        point.variant.clone(),
        outcome(search),
    ]);
    cells.push(nanoseconds.map_or_else(String::new, |spread| seconds_or_bound(spread.median)));
    cells.extend(interval(nanoseconds, seconds_or_bound));
    cells.push(median(search.nodes.as_ref()));
    cells.extend(interval(search.nodes.as_ref(), count));
    cells.extend([
        median(search.backtracks.as_ref()),
        median(search.failures.as_ref()),
    ]);
    cells.push(time.map_or_else(String::new, microseconds_per_node));
    cells.push(time.map_or_else(String::new, |time| time.repeats.to_string()));
    cells.extend([search.trials(), search.cut_off()].map(|trials| trials.to_string()));
    cells.push(search.cutoff.to_string());
    cells.extend(seconds_ends(search));
    cells.extend(ends(
        search.nodes.as_ref().filter(|_| search.is_random),
        count,
    ));
    cells
}

/// Least and greatest of the repeats, lower and upper quartile over the trials: the first two of
/// one search, the last two of a random one.
pub fn seconds_ends(search: &SearchSummary) -> [String; 4] {
    let [low, high] = ends(
        search.time.as_ref().map(|time| &time.nanoseconds),
        seconds_or_bound,
    );
    let none = String::new;
    if search.is_random {
        [none(), none(), low, high]
    } else {
        [low, high, none(), none()]
    }
}

/// `exhausted`, or how many trials ended how.
pub fn outcome(search: &SearchSummary) -> String {
    match &search.endings[..] {
        [(ending, _)] => ending.name().to_owned(),
        endings => endings
            .iter()
            .map(|(ending, trials)| format!("{trials} {}", ending.name()))
            .collect::<Vec<_>>()
            .join("; "),
    }
}

/// A count as the table has it; empty where there is none.
pub fn median(spread: Option<&Spread>) -> String {
    spread.map_or_else(String::new, |spread| count(spread.median))
}

/// Three significant digits: a time differs in the second one from run to run.
pub fn seconds(value: f64) -> String {
    let decimals = if value > 0.0 {
        (2 - libm::floor(libm::log10(value)) as i32).clamp(0, 9) as usize
    } else {
        0
    };
    format!("{value:.decimals$}")
}

/// Seconds of so many nanoseconds.
pub fn seconds_or_bound(nanoseconds: Bounded) -> String {
    bounded(nanoseconds, |value| seconds(value as f64 / 1e9))
}

fn microseconds_per_node(time: &SearchTime) -> String {
    time.picoseconds_per_node
        .as_ref()
        .map_or_else(String::new, |rate| seconds(rate.median.value as f64 / 1e6))
}

fn count(value: Bounded) -> String {
    bounded(value, |value| value.to_string())
}

fn bounded(bounded: Bounded, written: impl Fn(u64) -> String) -> String {
    format!(
        "{}{}",
        if bounded.at_least { "≥" } else { "" },
        written(bounded.value)
    )
}

fn ends(spread: Option<&Spread>, written: fn(Bounded) -> String) -> [String; 2] {
    spread.map_or_else(Default::default, |spread| {
        [spread.low, spread.high].map(written)
    })
}

/// 95 % interval of the median of a random search.
pub fn interval(spread: Option<&Spread>, written: fn(Bounded) -> String) -> [String; 2] {
    let interval = spread.and_then(|spread| spread.interval);
    interval.map_or_else(Default::default, |median| {
        [
            written(median.low),
            median.high.map_or_else(|| "inf".to_owned(), written),
        ]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{constraint_searches, timings};

    fn table() -> Table {
        let trials = constraint_searches();
        lab_table(
            &lab_order(&SearchSummary::of(&trials, &timings(&trials))),
            "a machine",
        )
    }

    fn cells<'a>(table: &'a Table, n: &str, model: &str, goal: &str) -> impl Fn(&str) -> &'a str {
        let column = |name: &str| {
            table
                .header
                .iter()
                .position(|column| column == name)
                .expect("a column of the table")
        };
        let is_it = |row: &&Vec<String>| {
            (
                &row[column("n")][..],
                &row[column("model")][..],
                &row[column("goal")][..],
            ) == (n, model, goal)
        };
        let row = table.rows.iter().find(is_it).expect("a row of the table");
        move |name| {
            &row[table
                .header
                .iter()
                .position(|column| column == name)
                .expect("a column of the table")]
        }
    }

    /// The lab's columns; 831 backtracks are the and Choco's. Times of the synthetic rows:
    /// 1, 2 and 3 times 10 ns a node.
    #[test]
    fn every_model_has_the_labs_columns() {
        let table = table();
        assert!(table.rows.iter().all(|row| row.len() == table.header.len()));
        let cell = cells(&table, "8", "PN_PL", "all");
        let found = [
            "solutions",
            "seconds",
            "nodes",
            "backtracks",
            "failures",
            "outcome",
            "repeats",
            "us_per_node",
            "seconds_q25",
            "nodes_low",
        ];
        let expected = [
            "92",
            "0.0000101",
            "507",
            "831",
            "324",
            "exhausted",
            "3",
            "0.0200",
            "",
            "",
        ];
        assert_eq!(found.map(cell), expected);
        let models: Vec<&str> = table
            .rows
            .iter()
            .filter(|row| row[0] == "8")
            .map(|row| &row[4][..])
            .collect();
        assert_eq!(
            models,
            ["PN_PL", "PB_PL", "PA_PL"],
            "the order of the lab's table"
        );
    }

    #[test]
    fn what_was_cut_off_is_written_as_a_bound() {
        let table = table();
        let cell = cells(&table, "12", "PN_PL", "all");
        assert_eq!(
            ["outcome", "nodes", "seconds", "solutions"].map(&cell),
            ["censored", "≥150000", "≥0.00300", "≥14200"]
        );
        let random = cells(&table, "60", "PA_PR", "first");
        assert!(
            random("censored") != "0"
                && random("outcome").contains("solved")
                && random("nodes_q75").starts_with('≥')
        );
        assert!(!random("nodes_low").is_empty());
        assert!(table.notes.iter().any(|note| note.contains("lower bound")));
    }

    #[test]
    fn seconds_have_three_digits() {
        let cases = [
            (1780.0, "1780"),
            (0.083_21, "0.0832"),
            (3.7, "3.70"),
            (0.0, "0"),
            (1.234e-7, "0.000000123"),
        ];
        for (value, expected) in cases {
            assert_eq!(seconds(value), expected);
        }
    }
}
