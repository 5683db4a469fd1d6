//! Exhaustive searches against n: seconds of every method beside what the source texts measured,
//! and the variants of the constraint models compared.

use crate::analysis::mean::{Estimate, Interval};
use crate::analysis::quantile::Bounded;
use crate::analysis::search::{SearchSummary, Spread};
use crate::report::chart::{Chart, Of, Panel, Scene, Scope};
use crate::report::frame::{Cell, Columns, Frame};
use crate::report::number::short;
use crate::report::panel::Mark;
use crate::report::series::{Along, grouped, search_name, without_goal};
use crate::solver::Ending;
use crate::solver::Point;
use crate::solver::cp::branching::HEURISTICS;
use crate::solver::cp::variant::{
    CONSTRAINTS, Constraints, DECISIONS, Decisions, MODELS, Model, SYMMETRY, Variant,
};
use crate::solver::goal::Goal;

/// What all three have.
const SEARCHES: Chart = Chart {
    of: Of::Searches,
    along: Along {
        least: 1,
        ..Chart::PLAIN.along
    },
    x_is_logarithmic: None,
    findings,
    ..Chart::PLAIN
};

/// Seconds of each search against n.
pub const RUN_TIME_VS_N: Chart = Chart {
    kind: "run-time-vs-n",
    doc: "seconds of each search against n, beside what the texts measured; times differ from run to run",
    title: "Seconds of each search against n",
    lead: "Wall-clock seconds of each search against n, one search at a time: median of the repeats, bars from the least to the greatest; of random searches median and quartiles over the trials",
    along: Along {
        least: 2,
        ..SEARCHES.along
    },
    nothing: "no search at two values of n",
    rows: rows_of_times,
    panels: &[panel(1240, &[("seconds", "")], "time (seconds)")],
    ..SEARCHES
};

/// Nodes per board, seconds and time per node against n, one curve per variant of a constraint
/// model, coloured by its level of consistency. Nodes are divided by the boards found: the number
/// of boards grows much faster than any two levels differ.
pub const CONSISTENCY_LEVELS: Chart = Chart {
    kind: "consistency-levels",
    doc: "nodes per board, seconds and time per node of constraint models against n, searching for all boards; times differ from run to run",
    title: "What each level of consistency saves and costs",
    lead: "Searches for all boards against n: nodes of the search tree for each board found, wall-clock seconds, and microseconds for each node. \
           A stronger consistency is there to visit fewer nodes; what each of them then costs is shown below",
    is_wanted: |point, _| !point.variant.is_empty() && point.goal != Some(Goal::First),
    is_plain: |point| is_variant(point, is_plain_level),
    hue: Some(|point| point.variant.chars().nth(1).into_iter().collect()),
    nothing: "no constraint model is searched for all boards",
    rows: rows_of_models,
    panels: &[
        panel(720, &[("nodes_per_board", "")], "nodes per board found"),
        panel(640, &[("seconds_of_median", "")], "time (seconds)"),
        panel(480, &[("microseconds", "")], "time per node (µs)"),
    ],
    ..SEARCHES
};

/// Nodes and seconds of searches for one board against n, one curve per variant of a constraint
/// model, coloured by its branching.
pub const BRANCHINGS: Chart = Chart {
    kind: "branchings",
    doc: "nodes and seconds of constraint models until the first board, against n: branchings compared, random ones with their spread",
    title: "Branchings compared, until the first board",
    lead: "Searches for one board against n: nodes of the search tree (above) and wall-clock seconds (below). Random branchings: median over the trials, bars: quartiles",
    is_wanted: |point, _| !point.variant.is_empty() && point.goal == Some(Goal::First),
    is_plain: |point| is_variant(point, is_plain_branching),
    hue: Some(|point| point.variant.chars().nth(4).into_iter().collect()),
    nothing: "no constraint model is searched for one board",
    rows: rows_of_models,
    panels: &[
        panel(1000, &[("nodes_of_median", "")], "nodes"),
        panel(900, &[("seconds_of_median", "")], "time (seconds)"),
    ],
    ..SEARCHES
};

const fn panel<'a>(height: i32, ys: &'a [(&'a str, &'a str)], title: &'a str) -> Panel<'a> {
    Panel {
        height,
        ys,
        title,
        is_logarithmic: Some(true),
        // For the arrows of lower bounds.
        room: (0.0, 0.06),
        ..Panel::PLAIN
    }
}

fn is_variant(point: &Point, is: fn(&Variant) -> bool) -> bool {
    variant(point).is_some_and(|variant| is(&variant))
}

fn variant(point: &Point) -> Option<Variant> {
    point.variant.parse().ok()
}

/// What is compared, with everything else as simple as it can be.
fn is_plain_level(variant: &Variant) -> bool {
    variant.model != Model::Naive
        && !variant.symmetry
        && variant.decision == Decisions::Primal
        && variant.branching == Variant::default().branching
}

/// What is compared, at one level of consistency.
fn is_plain_branching(variant: &Variant) -> bool {
    variant.constraints == Constraints::Domain
        && !variant.symmetry
        && variant.decision == Decisions::Primal
}

/// A curve in lines as in the lab's table, for the tables and for the note on equal trees.
type Searches<'a> = Columns<'a, &'a SearchSummary>;

/// Median and spread, divided by `unit`, and whether the median is a lower bound. An upper quartile
/// that is itself cut off has no upper end.
fn drawn(spread: &Spread, unit: f64) -> (Estimate, bool) {
    let value = |bounded: Bounded| bounded.value as f64 / unit;
    let has_no_end = spread.high.at_least && !spread.median.at_least;
    let high = match has_no_end {
        true => f64::INFINITY,
        false => value(spread.high),
    };
    let interval = Interval {
        low: value(spread.low),
        high,
    };
    let value = value(spread.median);
    (Estimate { value, interval }, spread.median.at_least)
}

fn nanoseconds(search: &SearchSummary) -> Option<&Spread> {
    search.time.as_ref().map(|time| &time.nanoseconds)
}

/// Of the nodes of a random search.
fn quartiles(search: &SearchSummary) -> Option<&Spread> {
    search.nodes.as_ref().filter(|_| search.is_random)
}

fn boards(search: &SearchSummary) -> Option<f64> {
    let boards = search.solutions.as_ref()?.median.value;
    (search.cut_off() == 0 && boards > 0).then_some(boards as f64)
}

/// One row per search, in the order of the constraint lab's table.
fn rows_of_models(scope: &Scope) -> Result<Frame, String> {
    let mut searches = SearchSummary::of(scope.input.trials, scope.input.timings);
    searches.retain(|search| {
        (scope.chart.is_wanted)(&search.point, &[]) && search.nodes.is_some() && search.n() > 0
    });
    searches.sort_by_cached_key(|search| {
        let point = &search.point;
        let place = variant(point).and_then(|it| Variant::all().position(|other| other == it));
        let goal = point.goal.map(Goal::name);
        let (algorithm, variant) = (point.algorithm.clone(), point.variant.clone());
        (search.n(), goal, algorithm, place, variant)
    });
    let searches: Vec<&SearchSummary> = searches.iter().collect();
    let columns = Frame::bare(&searches)
        .axes(&["n"])
        .column("solutions", |it| count(it.solutions.as_ref()))
        .column("goal", |it| it.point.goal.map(Goal::name))
        .column("algorithm", |it| it.point.algorithm.clone())
        .column("model", |it| it.point.variant.clone())
        .column("outcome", |it| outcome(it));
    let columns = median_of_seconds(columns, ["seconds", "seconds_low", "seconds_high"])
        .column("nodes", |it| count(it.nodes.as_ref()))
        .column("nodes_low", |it| {
            interval(it.nodes.as_ref(), in_full)[0].clone()
        })
        .column("nodes_high", |it| {
            interval(it.nodes.as_ref(), in_full)[1].clone()
        })
        .column("backtracks", |it| count(it.backtracks.as_ref()))
        .column("failures", |it| count(it.failures.as_ref()))
        .column("us_per_node", |it| {
            let rate = it.time.as_ref()?.picoseconds_per_node.as_ref()?;
            Some(seconds(rate.median.value as f64 / 1e6))
        })
        .column("repeats", |it| it.time.as_ref().map(|time| time.repeats))
        .column("trials", |it| it.trials())
        .column("censored", |it| it.cut_off())
        .column("cutoff", |it| it.cutoff);
    let columns = ends_of_seconds(columns, ["seconds_least", "seconds_greatest"], false);
    let columns = ends_of_seconds(columns, ["seconds_q25", "seconds_q75"], true)
        .column("nodes_q25", |it| quartiles(it).map(|it| in_full(it.low)))
        .column("nodes_q75", |it| quartiles(it).map(|it| in_full(it.high)))
        .drawn("nodes_of_median", |it| Some(drawn(it.nodes.as_ref()?, 1.0)))
        .drawn("seconds_of_median", |it| Some(drawn(nanoseconds(it)?, 1e9)))
        .drawn("nodes_per_board", |it| Some(drawn(it.nodes.as_ref()?, boards(it)?)))
        .drawn("microseconds", |it| {
            Some(drawn(it.time.as_ref()?.picoseconds_per_node.as_ref()?, 1e6))
        })
        .note(
            "Nodes, backtracks and failures are those of the constraint lab, by Choco's definitions: `nodes`: inner nodes and solutions of the search tree; `failures`: its inconsistent leaves; \
             `backtracks`: nodes + failures.",
        );
    let mut frame = columns.frame;
    if searches.iter().any(|search| search.time.is_some()) {
        let machine = scope.input.machine;
        frame.notes.push(format!(
            "`seconds`: wall clock, measured on {machine}: the median of the repeats, from `seconds_least` to `seconds_greatest`. `us_per_node`: microseconds for each node."
        ));
    }
    if searches.iter().any(|search| search.is_random) {
        frame = frame.noted(
            "A random search has the median over its `trials` under all seeds, in brackets the 95 % interval of this median by the binomial law of ranks (`inf`: too few trials for an upper end), and quartiles `q25`, `q75`; \
             the time of a trial is the median of its repeats. The medians of nodes, backtracks and failures are taken each by itself.",
        );
    }
    frame.notes.extend(letters(&searches));
    frame.notes.extend(equal_trees(scope, &searches));
    Ok(with_warnings(frame, scope, &searches))
}

/// The wall clock's seconds, the largest boards first, and of one n the slowest method first, as in
/// the text's table.
fn rows_of_times(scope: &Scope) -> Result<Frame, String> {
    let mut searches = SearchSummary::of(scope.input.trials, scope.input.timings);
    searches.retain(|search| search.time.is_some() && search.n() > 0);
    let time = |search: &SearchSummary| nanoseconds(search).map(|it| it.median.value);
    searches.sort_by(|a, b| b.n().cmp(&a.n()).then(time(b).cmp(&time(a))));
    let searches: Vec<&SearchSummary> = searches.iter().collect();
    let joins = |a: &Point, b: &Point| a != b && scope.chart.along.joins(a, b);
    let is_joined =
        |it: &&SearchSummary| searches.iter().any(|other| joins(&it.point, &other.point));
    if !searches.iter().any(is_joined) {
        return Err(scope.chart.nothing.to_owned());
    }
    let columns = Frame::of(&searches, &["n"])
        .column("goal", |it| it.point.goal.map(Goal::name))
        .column("outcome", |it| outcome(it))
        .column("solutions", |it| count(it.solutions.as_ref()))
        .column("checks", |it| count(it.checks.as_ref()))
        .column("nodes", |it| count(it.nodes.as_ref()))
        .column("trials", |it| it.trials())
        .column("repeats", |it| it.time.as_ref().map(|time| time.repeats))
        .drawn("seconds", |it| Some(drawn(nanoseconds(it)?, 1e9)));
    let names = ["seconds_least", "seconds_greatest"];
    let medians = [
        "seconds_median",
        "seconds_median_low",
        "seconds_median_high",
    ];
    let columns = ends_of_seconds(median_of_seconds(columns, medians), names, false);
    let columns = ends_of_seconds(columns, ["seconds_q25", "seconds_q75"], true)
        .column("seconds_in_the_text", |it| in_the_text(it).unwrap_or_default())
        .note("What a check and a node are for each method, `reines list --algorithms` says: they cannot be compared between methods.")
        .note(
            "`seconds_in_the_text`: as measured by the source texts, each on a machine and in a language of its own. Their generator of permutations for brute \
             force is Python's; their \"backtracking\" extends lists of partial boards, which is `partial-lists` here.",
        );
    let mut frame = columns.frame;
    let machine = scope.input.machine;
    frame.notes.push(format!(
        "Wall-clock seconds, measured on {machine}: the least, the median and the greatest of the repeats."
    ));
    if searches.iter().any(|search| search.is_random) {
        frame = frame.noted("A random search: median over its `trials`, each with the median of its repeats, in brackets the 95 % interval of this median, and quartiles `q25`, `q75`; of its counts the medians.");
    }
    frame.notes.extend(constraints_note(&searches));
    Ok(with_warnings(frame, scope, &searches))
}

/// The median of the seconds and the ends of its interval.
fn median_of_seconds<'a>(columns: Searches<'a>, [name, low, high]: [&str; 3]) -> Searches<'a> {
    let end = |it: &SearchSummary, end: usize| interval(nanoseconds(it), in_seconds)[end].clone();
    columns
        .column(name, |it| nanoseconds(it).map(|it| in_seconds(it.median)))
        .column(low, |it| end(it, 0))
        .column(high, |it| end(it, 1))
}

/// The ends of the seconds of the random searches, or of the others.
fn ends_of_seconds<'a>(
    columns: Searches<'a>,
    [low, high]: [&str; 2],
    of_random: bool,
) -> Searches<'a> {
    let own = |it: &&'a SearchSummary| nanoseconds(it).filter(|_| it.is_random == of_random);
    columns
        .column(low, |it| own(it).map(|it| in_seconds(it.low)))
        .column(high, |it| own(it).map(|it| in_seconds(it.high)))
}

/// What holds for every figure of searches.
fn with_warnings(mut frame: Frame, scope: &Scope, searches: &[&SearchSummary]) -> Frame {
    if searches.iter().any(|search| search.cut_off() > 0) {
        frame = frame.noted(
            "A censored search was cut off at its cutoff: its seconds and its counts are a lower bound, written ≥; so is a median or a quartile that falls among such trials.",
        );
    }
    frame.warn("times vary from run to run and from machine to machine, unlike every other figure's numbers");
    let machine = format!("measured on {}", scope.input.machine);
    frame.warnings.push(machine);
    frame
}

/// `exhausted`, or how many trials ended how.
fn outcome(search: &SearchSummary) -> String {
    if let [(ending, _)] = search.endings[..] {
        return ending.name().to_owned();
    }
    let endings = search.endings.iter();
    let endings = endings.map(|(ending, trials)| format!("{trials} {}", ending.name()));
    endings.collect::<Vec<_>>().join("; ")
}

fn count(spread: Option<&Spread>) -> Option<Cell> {
    spread.map(|spread| in_full(spread.median))
}

/// Three significant digits: a time differs in the second one from run to run.
fn seconds(value: f64) -> String {
    let decimals = match value > 0.0 {
        true => (2 - libm::floor(libm::log10(value)) as i32).clamp(0, 9) as usize,
        false => 0,
    };
    format!("{value:.decimals$}")
}

/// Seconds of so many nanoseconds.
fn in_seconds(nanoseconds: Bounded) -> Cell {
    Cell::bounded(nanoseconds, |value| seconds(value as f64 / 1e9))
}

fn in_full(value: Bounded) -> Cell {
    Cell::bounded(value, |value| value.to_string())
}

/// 95 % interval of the median of a random search.
fn interval(spread: Option<&Spread>, written: fn(Bounded) -> Cell) -> [Cell; 2] {
    let interval = spread.and_then(|spread| spread.interval);
    interval.map_or([Cell::Empty, Cell::Empty], |median| {
        let high = median.high.map_or_else(|| "inf".into(), written);
        [written(median.low), high]
    })
}

/// Searches that have the same trees are drawn over each other.
fn equal_trees(scope: &Scope, searches: &[&SearchSummary]) -> Vec<String> {
    let curves = grouped(searches.iter().copied(), |a, b| {
        scope.chart.along.joins(&a.point, &b.point)
    });
    let nodes = |curve: &[&SearchSummary]| -> Vec<(u64, Option<Spread>)> {
        let nodes = curve.iter().map(|it| (it.n(), it.nodes.clone()));
        nodes.collect()
    };
    // Searches that were all cut off at one limit have that in common and nothing else.
    let has_end = |curve: &[&SearchSummary]| curve.iter().any(|it| it.cut_off() == 0);
    let twin = |(index, curve): (usize, &Vec<&SearchSummary>)| {
        let is_twin = |other: &&Vec<&SearchSummary>| nodes(other) == nodes(curve) && has_end(curve);
        let twin = curves[..index].iter().find(is_twin)?;
        let [own, other] = [curve, twin].map(|it| search_name(&it[0].point));
        Some(format!("`{own}` has the nodes of `{other}`."))
    };
    curves.iter().enumerate().filter_map(twin).collect()
}

/// What the letters of the acronyms mean.
fn letters(searches: &[&SearchSummary]) -> Option<String> {
    let variants: Vec<Variant> = searches
        .iter()
        .filter_map(|it| variant(&it.point))
        .collect();
    let branchings = HEURISTICS.iter().map(|it| (it.letter, it.word, it.letter));
    let branchings: Vec<(char, &str, char)> = branchings.collect();
    let choices = [
        meanings("model", MODELS, &variants, |it| it.model),
        meanings("differences", CONSTRAINTS, &variants, |it| it.constraints),
        meanings("symmetry broken", SYMMETRY, &variants, |it| it.symmetry),
        meanings("decision", DECISIONS, &variants, |it| it.decision),
        meanings("branching", &branchings, &variants, |it| {
            it.branching.letter
        }),
    ];
    (!variants.is_empty()).then(|| format!("Letters: {}.", choices.join("; ")))
}

/// `model P=primal, A=primal-dual`: the letters that occur.
fn meanings<T: PartialEq>(
    name: &str,
    letters: &[(char, &str, T)],
    variants: &[Variant],
    choice: fn(&Variant) -> T,
) -> String {
    let occurs = |value: &T| variants.iter().any(|variant| choice(variant) == *value);
    let words = letters.iter().filter(|it| occurs(&it.2));
    let words = words.map(|(letter, word, _)| format!("{letter}={word}"));
    format!("{name} {}", words.collect::<Vec<_>>().join(", "))
}

/// Which search has the least of each measure, and which the most: compared with those of the same
/// goal, at the largest n at which two of them ended.
fn findings(scene: &Scene) -> Vec<String> {
    let goals = [
        (Goal::First, "searches for one board"),
        (Goal::All, "searches for all boards"),
        (Goal::Count, "searches that count boards"),
    ];
    let of_goal = |&(goal, words): &(Goal, &str)| -> Vec<String> {
        let panels = scene.panels.iter();
        panels
            .filter_map(|panel| finding(scene, panel, goal, words))
            .collect()
    };
    goals.iter().flat_map(of_goal).collect()
}

/// `None` where no n has two searches that ended, or all have the same.
fn finding(scene: &Scene, panel: &Panel, goal: Goal, words: &str) -> Option<String> {
    let curves = scene.curves.iter();
    let marks = curves.flat_map(|curve| scene.marks(curve, (panel, panel.ys[0].0), ""));
    let key = |mark: &Mark| mark.row.map(|row| &scene.frame.keys[row]);
    let is_own = |it: &Mark| !it.is_lower_bound && key(it).is_some_and(|it| it.goal == Some(goal));
    let mut marks: Vec<Mark> = marks.filter(is_own).collect();
    let count = |n: f64| marks.iter().filter(|it| it.x == n).count();
    let sides = marks.iter().map(|it| it.x).filter(|&n| count(n) > 1);
    let n = sides.max_by(f64::total_cmp)?;
    marks.retain(|it| it.x == n);
    marks.sort_by(|a, b| a.y.total_cmp(&b.y));
    let (least, most) = (marks.first()?, marks.last()?);
    let end = |mark: &Mark| {
        let name = without_goal(key(mark)?, &["n"]);
        Some(format!("{} with {name}", short(mark.y, 3)))
    };
    let (title, count) = (panel.title, marks.len());
    let (from, to) = (end(least)?, end(most)?);
    (least.y < most.y)
        .then(|| format!("{title}, {count} {words} that ended at n = {n}: least {from}, most {to}"))
}

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

/// The text on constraints, and what the rows say to it.
fn constraints_note(searches: &[&SearchSummary]) -> Option<String> {
    searches.iter().find_map(|search| variant(&search.point))?;
    let text = "The text's constraint model is three `all_different` over the primal variables (here the variants PB, PA and PS), solved for one board; the second time at n = 8 includes the whole run of its program.";
    // With symmetry broken it would be half of them, and the naive model finds each n! times.
    let has_every_board_once = |search: &SearchSummary| {
        is_variant(&search.point, |it| it.model != Model::Naive && !it.symmetry)
    };
    let every = searches.iter().filter(|search| {
        has_every_board_once(search)
            && search.point.goal != Some(Goal::First)
            && is_complete(search)
    });
    let largest = every.max_by_key(|search| search.n()).map(|search| {
        let found = search.solutions.as_ref().map_or(0, |it| it.median.value);
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
    (search.cut_off() == 0 && variant(point).is_none_or(is_of_the_text)).then_some(*words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::synthetic::constraint_searches;
    use crate::report::Input;
    use crate::results::PointTrials;

    #[test]
    fn of_many_curves_the_plain_ones_are_drawn() {
        let template = &constraint_searches()[0];
        let of = |variant: Variant| {
            let mut trials = template.clone();
            trials.point.variant = variant.to_string();
            trials.point.goal = Some(Goal::All);
            trials
        };
        let trials: Vec<PointTrials> = Variant::all().map(of).collect();
        let input = Input::of_trials(&trials);
        let drawing = CONSISTENCY_LEVELS.draw(&input).expect("searches");
        assert!(drawing.svg.contains("cp PA_PL, all boards"));
        let left_out = "left out (10 curves are drawn; in the table): ";
        assert!(drawing.left_out[0].starts_with(left_out));
        assert_eq!(drawing.table.rows.len(), trials.len());
    }
}
