//! Seconds against n for each search, and what the source texts measured.

use crate::analysis::search::SearchSummary;
use crate::report::foresight::{Foreseen, differ_along};
use crate::report::frame::Frame;
use crate::report::left_out::LeftOut;
use crate::report::search_curves::{Measure, SearchCurve, curves, plots};
use crate::report::search_findings::findings;
use crate::report::search_legend::legend;
use crate::report::search_table::{
    VARIES, cut_off_note, interval, median, outcome, seconds_ends, seconds_or_bound,
};
use crate::report::sheet::{Plot, Sheet, sentences};
use crate::report::style::SeriesStyle;
use crate::report::{Drawing, Figure, Input, NothingToDraw, Table};
use crate::solver::Ending;
use crate::solver::cp::variant::{Constraints, Model, Variant};
use crate::solver::goal::Goal;

/// Why there is nothing to draw.
const NO_CURVE: &str = "no search at two values of n";

const PANELS: [(i32, Measure); 1] = [(1240, Measure::Seconds)];

/// What the texts measured: algorithm, n, whether one board alone was wanted, their words. Seconds;
/// the first number of a pair is that of an i7-4790, the second of a Ryzen 1700X.
const TEXTS: [(&str, u64, bool, &str); 11] = [
    (
        "permutations",
        12,
        false,
        "1780; 2036 (four methods, Python)",
    ),
    ("attacks", 12, false, "33.4; 50.1 (four methods, Python)"),
    ("fill", 12, false, "15.3; 22.2 (four methods, Python)"),
    (
        "lines",
        12,
        false,
        "3.7; 6.0 (four methods, Python), 0.5; 0.6 (C++)",
    ),
    ("heap", 8, false, "0.083 (three ways, brute force, Python)"),
    (
        "heap",
        10,
        false,
        "tens of minutes (three ways, brute force, Python)",
    ),
    (
        "partial-lists",
        8,
        false,
        "0.055 (three ways, backtracking, Python)",
    ),
    (
        "partial-lists",
        12,
        false,
        "less than 10 (three ways, backtracking, Python)",
    ),
    (
        "cp",
        8,
        true,
        "0.018, about 0.020 with the start of Python (three ways, constraints: one board, Numberjack and Mistral)",
    ),
    (
        "cp",
        200,
        true,
        "less than 0.150 (three ways, constraints: one board, Numberjack and Mistral)",
    ),
    (
        "cp",
        500,
        true,
        "\"shows its limits\" above 500 queens (three ways, constraints: one board, Numberjack and Mistral)",
    ),
];

pub struct RunTimeVsN;

impl Figure for RunTimeVsN {
    fn kind(&self) -> &'static str {
        "run-time-vs-n"
    }

    fn doc(&self) -> &'static str {
        "seconds of each search against n, beside what the texts measured; times differ from run to run"
    }

    fn foresee(&self, plan: &Foreseen) -> Result<(), NothingToDraw> {
        let searches = plan.points.iter().map(|it| &it.point);
        let searches = searches.filter(|point| point.goal.is_some());
        self.needs(differ_along(searches, "n", &["n"]), NO_CURVE)
    }

    fn shows_seconds(&self) -> bool {
        true
    }

    fn draw(&self, input: &Input) -> Result<Drawing, NothingToDraw> {
        let mut searches = SearchSummary::of(input.trials, input.timings);
        searches.retain(|search| search.time.is_some());
        let mut curves = curves(&searches);
        if curves.iter().all(|curve| curve.searches.len() < 2) {
            return Err(self.nothing(NO_CURVE));
        }
        curves.sort_by(|a, b| slowness(b).total_cmp(&slowness(a)));
        curves
            .iter_mut()
            .enumerate()
            .for_each(|(index, curve)| curve.style = SeriesStyle::of(index));
        let lead = "Wall-clock seconds of each search against n, one search at a time. Markers: median of the repeats; bars: from the least to the greatest";
        let random = if searches.iter().any(|search| search.is_random) {
            "Of random searches: median and quartiles over the trials"
        } else {
            ""
        };
        let machine = format!("Measured on {}", input.machine);
        let ordered = in_order(&searches);
        let sheet = Sheet {
            findings: findings(&curves, &[Measure::Seconds]),
            left_out: LeftOut::but(searches.iter().map(|search| &search.point)),
            caption: sentences([lead, random, VARIES, &machine]),
            parts: Plot::stack(plots(&curves, &PANELS, &ordered)),
            legend: legend(&curves, &[Measure::Seconds]),
            table: table(&ordered, input.machine),
        };
        Ok(sheet.draw(input))
    }
}

/// Of two curves the one that reaches so many seconds at the smaller board comes first: seconds at
/// the largest n, taken down to a common n by a factor of 6 for each row, which is that of the
/// number of solutions.
fn slowness(curve: &SearchCurve) -> f64 {
    let nanoseconds = curve
        .last()
        .time
        .as_ref()
        .map_or(1, |time| time.nanoseconds.median.value.max(1));
    libm::log10(nanoseconds as f64) - 0.78 * curve.last().n() as f64
}

/// The largest boards first, and of one n the slowest method first, as in the text's table.
fn in_order(searches: &[SearchSummary]) -> Vec<&SearchSummary> {
    let mut searches: Vec<&SearchSummary> = searches.iter().collect();
    let time = |search: &SearchSummary| {
        search
            .time
            .as_ref()
            .map(|time| time.nanoseconds.median.value)
    };
    searches.sort_by(|a, b| b.n().cmp(&a.n()).then(time(b).cmp(&time(a))));
    searches
}

fn table(searches: &[&SearchSummary], machine: &str) -> Table {
    let key = Frame::of(searches, &["n"]).frame.table();
    let mut header = key.header;
    let measured = [
        "goal",
        "outcome",
        "solutions",
        "checks",
        "nodes",
        "trials",
        "repeats",
        "seconds_least",
        "seconds_median",
        "seconds_median_low",
        "seconds_median_high",
        "seconds_greatest",
        "seconds_q25",
        "seconds_q75",
        "seconds_in_the_text",
    ];
    header.extend(measured.map(str::to_owned));
    let mut notes = vec![
        format!("Wall-clock seconds, measured on {machine}: the least, the median and the greatest of the repeats. {VARIES}."),
        "What a check and a node are for each method, `reines list --algorithms` says: they cannot be compared between methods.".to_owned(),
        "`seconds_in_the_text`: as measured by the source texts, each on a machine and in a language of its own. Their generator of permutations for brute \
         force is Python's; their \"backtracking\" extends lists of partial boards, which is `partial-lists` here."
            .to_owned(),
    ];
    if searches.iter().any(|search| search.is_random) {
        notes.push("A random search: median over its `trials`, each with the median of its repeats, in brackets the 95 % interval of this median, and quartiles `q25`, `q75`; of its counts the medians.".into());
    }
    notes.extend(constraints_note(searches));
    notes.extend(cut_off_note(searches.iter().copied()));
    Table {
        header,
        rows: searches
            .iter()
            .zip(key.rows)
            .map(|(search, key)| row(key, search))
            .collect(),
        notes,
    }
}

/// The text on constraints, and what the rows say to it.
fn constraints_note(searches: &[&SearchSummary]) -> Option<String> {
    let variant = |search: &SearchSummary| search.point.variant.parse::<Variant>().ok();
    searches.iter().find_map(|search| variant(search))?;
    let text = "The text's constraint model is three `all_different` over the primal variables (here the variants PB, PA and PS), solved for one board; the second time at n = 8 includes the whole run of its program.";
    // With symmetry broken it would be half of them, and the naive model finds each n! times.
    let has_every_board_once = |search: &SearchSummary| {
        variant(search).is_some_and(|variant| variant.model != Model::Naive && !variant.symmetry)
    };
    let every = searches.iter().filter(|search| {
        has_every_board_once(search)
            && search.point.goal != Some(Goal::First)
            && is_complete(search)
    });
    let largest = every.max_by_key(|search| search.n()).map(|search| {
        let found = median(search.solutions.as_ref());
        format!(
            " It holds that such a search gives one solution only: searched to the end, `{} {}` gives all {found} at n = {}.",
            search.point.algorithm, search.point.variant, search.n()
        )
    });
    Some(format!("{text}{}", largest.unwrap_or_default()))
}

fn is_complete(search: &SearchSummary) -> bool {
    search
        .endings
        .iter()
        .all(|(ending, _)| *ending == Ending::Exhausted)
}

fn row(mut cells: Vec<String>, search: &SearchSummary) -> Vec<String> {
    let point = &search.point;
    let [least, greatest, q25, q75] = seconds_ends(search);
    let time = search.time.as_ref();
    let middle = time.map_or_else(String::new, |time| {
        seconds_or_bound(time.nanoseconds.median)
    });
    cells.push(
        point
            .goal
            .map_or_else(String::new, |goal| goal.name().into()),
    );
    cells.push(outcome(search));
    cells.extend(
        [&search.solutions, &search.checks, &search.nodes].map(|spread| median(spread.as_ref())),
    );
    cells.push(search.trials().to_string());
    cells.push(time.map_or_else(String::new, |time| time.repeats.to_string()));
    let [low, high] = interval(time.map(|time| &time.nanoseconds), seconds_or_bound);
    cells.extend([least, middle, low, high, greatest, q25, q75]);
    cells.push(in_the_text(search).unwrap_or_default().to_owned());
    cells
}

/// What a text measured of the same search, if it ended.
fn in_the_text(search: &SearchSummary) -> Option<&'static str> {
    let point = &search.point;
    let first = point.goal == Some(Goal::First);
    let (.., words) = TEXTS.iter().find(|(algorithm, n, wants_one, _)| {
        *algorithm == point.algorithm && *n == search.n() && *wants_one == first
    })?;
    let is_of_the_text = |variant: Variant| {
        variant.model == Model::Primal
            && variant.constraints != Constraints::Neq
            && !variant.symmetry
    };
    let variant = point.variant.parse::<Variant>().ok();
    (search.cut_off() == 0 && variant.is_none_or(is_of_the_text)).then_some(*words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::{constraint_searches, searches, timings};
    use crate::experiment::spec::Choices;
    use crate::results::PointTrials;
    use crate::solver::Value;

    fn drawing(trials: &[PointTrials]) -> Drawing {
        let timings = timings(trials);
        let input = Input {
            title: "Times",
            trials,
            courses: &[],
            timings: &timings,
            machine: "a machine",
            provenance: "code version 0.0.0-test",
            choices: &Choices::default(),
            remarks: &[],
        };
        RunTimeVsN.draw(&input).expect("searches at several n")
    }

    #[test]
    fn variants_have_curves_of_their_own() {
        let svg = drawing(&constraint_searches()).svg;
        for label in [
            "cp PN_PL, all boards",
            "cp PN_PL, first board",
            "cp PA_PR, first board (median of 20 trials)",
        ] {
            assert!(svg.contains(label), "{label}");
        }
    }

    #[test]
    fn every_text_stands_beside_the_search_that_it_measured() {
        let mut trials = constraint_searches();
        trials
            .iter_mut()
            .filter(|trials| {
                trials.point.integer("n") == Some(4) && trials.point.goal == Some(Goal::First)
            })
            .for_each(|trials| trials.point = trials.point.with("n", Value::Integer(8)));
        let table = drawing(&trials).table;
        let of_the_text: Vec<&str> = table
            .rows
            .iter()
            .filter(|row| row[17].contains("Mistral"))
            .map(|row| &row[1][..])
            .collect();
        assert_eq!(
            of_the_text,
            ["PA_PD", "PA_PR"],
            "all_different over the primal variables, one board"
        );
        assert!(
            table
                .notes
                .iter()
                .any(|note| note.contains("gives all 14200 at n = 12"))
        );
        assert!(
            !drawing(&searches())
                .table
                .notes
                .iter()
                .any(|note| note.contains("constraint")),
            "only where there are such models"
        );
    }
}
