//! A comparison for people: the worst first, a verdict in one line.

use std::iter;

use itertools::Itertools;

use super::{Args, Compared, Verdict};
use crate::analysis::comparison::two_sample::Test;
use crate::analysis::comparison::{Difference, Finding, POWER, PointComparison};
use crate::analysis::estimate::Estimate;
use crate::cli::text::{aligned, counted, courses_in_words, spaced};
use crate::results::course_comparison::CourseComparison;

const MOST_LINES: usize = 20;

/// Everything of an experiment but the verdict.
pub fn lines(compared: &Compared, alpha: f64) -> Vec<String> {
    let name = &compared.pair.experiment;
    if let Some(line) = identical(compared) {
        return vec![format!("{name}: {line}")];
    }
    let [a, b] = [&compared.pair.a, &compared.pair.b].map(|run| run.folder.path().display());
    let mut below = vec![format!("A: {a}"), format!("B: {b}")];
    below.extend(changed(compared).map(|parts| format!("changed: {parts}")));
    below.extend(counts(compared));
    below.extend(courses(&compared.courses));
    below.extend(shown_tests(compared, alpha));
    below.extend(compared.seconds.map(|seconds| {
        let ratio = ratio(seconds);
        format!("wall-clock time, B / A: {ratio} (no part of the verdict)")
    }));
    let below = below.into_iter().map(|line| format!("  {line}"));
    iter::once(name.clone()).chain(below).collect()
}

/// What there is to say where both sides have the same points, and every row and course is the
/// same.
fn identical(compared: &Compared) -> Option<String> {
    let trials: u64 = compared.points().map(same).sum::<Option<u64>>()?;
    let is_whole = compared.comparison.alone == [0, 0] && compared.courses.differing == 0;
    let courses = match compared.courses.trials {
        0 => "",
        _ => ", and their courses",
    };
    let points = counted(compared.points().count(), "point");
    let trials = counted(trials, "trial");
    let mut line = format!("identical, {points} with {trials}{courses}");
    if compared.pair.is_one_folder() {
        line += "; A and B are the same folder";
    }
    if let Some(parts) = changed(compared) {
        line += &format!("; changed: {parts}");
    }
    if let Some(seconds) = compared.seconds {
        line += &format!("; wall-clock time, B / A: {}", ratio(seconds));
    }
    is_whole.then_some(line)
}

/// The trials of a point with identical rows.
fn same(point: &PointComparison) -> Option<u64> {
    match point.finding {
        Finding::Identical { trials } => Some(trials as u64),
        Finding::NotComparable(_) | Finding::Different(_) => None,
    }
}

/// The parts of the sources that differ, if any.
fn changed(compared: &Compared) -> Option<String> {
    match compared.pair.changed().as_deref() {
        Some([]) => None,
        Some(parts) => Some(parts.join(", ")),
        None => Some("not known, one side does not name its parts".to_owned()),
    }
}

/// The verdict, and the one line that says it; `alone` is the number of experiments that A alone
/// and B alone has.
pub fn verdict(
    compared: &[Compared],
    alone: [usize; 2],
    &Args {
        alpha, identical, ..
    }: &Args,
) -> (Verdict, String) {
    let points: Vec<_> = compared.iter().flat_map(Compared::points).collect();
    let count = |is: &dyn Fn(&PointComparison) -> bool| points.iter().filter(|it| is(it)).count();
    let total = points.len();
    let different = count(&|it| matches!(it.finding, Finding::Different(_)));
    let proven = match identical {
        true => different,
        false => count(&|it| it.is_different(alpha)),
    };
    let not_comparable = count(&|it| matches!(it.finding, Finding::NotComparable(_)));
    let courses: u64 = compared.iter().map(|it| it.courses.differing).sum();
    let left_out = not_compared(compared.len(), [not_comparable, total], alone);
    let (verdict, detail) = if proven > 0 {
        (Verdict::Different, format!("{proven} of {total} points"))
    } else if courses > 0 {
        let trials = counted(courses, "trial");
        let detail = format!("the courses of {trials} with the same rows");
        (Verdict::Different, detail)
    } else if total == 0 {
        let detail = "no point of both sides".to_owned();
        (Verdict::NotComparable, detail)
    } else if !left_out.is_empty() {
        let detail = format!("{left_out}; nothing else is different");
        (Verdict::NotComparable, detail)
    } else if different > 0 {
        let detail = compatible(compared, [different, total], alpha);
        (Verdict::Compatible, detail)
    } else {
        let points = counted(total, "point");
        let detail = format!("{points} with identical rows");
        (Verdict::Identical, detail)
    };
    let rest = match verdict {
        Verdict::Different if !left_out.is_empty() => format!("; not comparable: {left_out}"),
        _ => String::new(),
    };
    let how = match different {
        0 => String::new(),
        _ if identical => " (every row counts)".to_owned(),
        _ => format!(" (Holm, α = {alpha})"),
    };
    let words = format!("{}: {detail}{how}{rest}", verdict.name());
    (verdict, words)
}

/// What there is to say where rows differ, and no distribution.
fn compatible(compared: &[Compared], [different, total]: [usize; 2], alpha: f64) -> String {
    let unseen = unseen(compared, alpha) + &visible(compared, alpha);
    let mut differences = compared.iter().flat_map(|it| it.comparison.differences());
    match differences.all(|it| it.common == 0) {
        true => format!(
            "{different} of {total} points; the seeds differ, so that no row can be the same{unseen}"
        ),
        false => format!(
            "{different} of {total} points have different rows, of the same distributions as far as the tests see{unseen}"
        ),
    }
}

/// At how many points no difference of distributions could be found, and the most trials of one.
fn unseen(compared: &[Compared], alpha: f64) -> String {
    let differences = compared.iter().flat_map(|it| it.comparison.differences());
    let tests = differences.map(|it| it.tests.len()).sum();
    let points = compared.iter().flat_map(Compared::points);
    let unseen: Vec<_> = points.filter_map(|it| it.unseen(alpha, tests)).collect();
    match unseen.iter().map(|it| it.trials).max() {
        None => String::new(),
        Some([a, b]) => format!(
            "; at {} of them no difference can be found, with {a} + {b} trials or fewer",
            unseen.len()
        ),
    }
}

/// The factor between means that would have been found at every point, if it is known at one.
fn visible(compared: &[Compared], alpha: f64) -> String {
    let differences: Vec<_> = compared
        .iter()
        .flat_map(|it| it.comparison.differences())
        .collect();
    let tests = differences.iter().map(|it| it.tests.len()).sum();
    let factors = differences
        .iter()
        .filter_map(|it| it.visible_factor(alpha, tests));
    let factor = factors.max_by(|a, b| a.0.total_cmp(&b.0));
    factor.map_or_else(String::new, |(factor, name)| {
        let percent = 100.0 * POWER;
        format!("; means of {name} that differ by a factor of {factor:.1} would have been found at any of them with a probability of {percent} %")
    })
}

/// What has no place in the verdict; empty where everything of both sides was compared.
fn not_compared(experiments: usize, [points, all_points]: [usize; 2], alone: [usize; 2]) -> String {
    let all = experiments + alone.iter().sum::<usize>();
    let of_all = |count: usize, why: &str| (count, format!("{count} of {all} experiments{why}"));
    let parts = [
        (points, format!("{points} of {all_points} points")),
        of_all(alone[0], ", only in A"),
        of_all(alone[1], ", only in B"),
    ];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    parts.map(|(_, words)| words).join(" and ")
}

/// How many points there are of each kind, and those that need no test.
fn counts(compared: &Compared) -> Vec<String> {
    let mut lines = Vec::new();
    for it in compared.points() {
        let point = &it.point;
        match &it.finding {
            Finding::NotComparable(reason) => {
                lines.push(format!("not comparable: {point}: {reason}"));
            }
            Finding::Different(Difference {
                differing, common, ..
            }) if it.is_certain() => lines.push(format!(
                "different: {point}: {differing} of {common} rows, and a search of one seed is the same each time"
            )),
            Finding::Identical { .. } | Finding::Different(_) => {}
        }
    }
    let alone = |count: usize, side: &str| match count {
        0 => String::new(),
        count => format!(", {count} only in {side}"),
    };
    let [a, b] = compared.comparison.alone;
    let (a, b) = (alone(a, "A"), alone(b, "B"));
    let different = compared.comparison.differences().count();
    let same: Vec<u64> = compared.points().filter_map(same).collect();
    let (identical, trials) = (same.len(), counted(same.iter().sum::<u64>(), "trial"));
    lines.push(format!(
        "points: {identical} identical ({trials}), {different} with different rows{a}{b}"
    ));
    lines
}

/// What was found in the courses of trials with the same rows.
fn courses(courses: &CourseComparison) -> Vec<String> {
    let mut lines = Vec::new();
    if courses.trials > 0 {
        let [all, others] = [courses.trials, courses.differing].map(|it| counted(it, "trial"));
        let rows = courses_in_words(courses.rows);
        lines.push(format!(
            "courses: {all} compared{rows}; {others} with another course"
        ));
    }
    if courses.other_rows > 0 {
        let others = counted(courses.other_rows, "trial");
        lines.push(format!(
            "courses: {others} not compared, since their rows differ"
        ));
    }
    let first = courses.first.iter();
    lines.extend(first.map(|it| format!("different: the first course that differs is of {it}")));
    lines
}

const TESTS: [&str; 10] = [
    "point",
    "rows differ",
    "end point",
    "test",
    "mean A",
    "mean B",
    "B / A [95 %]",
    "p",
    "Holm",
    "verdict",
];

/// A line for each test, the least p-values first.
fn tests(compared: &Compared, alpha: f64) -> Vec<Vec<String>> {
    let mut lines = Vec::new();
    for PointComparison { point, finding } in compared.points() {
        let Finding::Different(Difference {
            trials,
            common,
            differing,
            tests,
        }) = finding
        else {
            continue;
        };
        let rows = match common {
            0 => format!("{} and {} trials", trials[0], trials[1]),
            common => format!("{differing} of {common}"),
        };
        for it in tests {
            let Test { p, .. } = it.test;
            let [mean_a, mean_b] = it.means.map(|mean| match mean {
                mean if mean < 100.0 => format!("{mean:.2}"),
                mean => spaced(mean.round() as u64),
            });
            let is_different = it.holm <= alpha;
            let cells = [
                point.to_string(),
                rows.clone(),
                it.end_point.name().to_owned(),
                it.method.to_owned(),
                mean_a,
                mean_b,
                it.ratio.map_or_else(String::new, ratio),
                format!("{p:.2e}"),
                format!("{:.2e}", it.holm),
                if is_different { "different" } else { "" }.to_owned(),
            ];
            lines.push((it.holm, p, cells.to_vec()));
        }
    }
    lines.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.total_cmp(&y.1)));
    lines.into_iter().map(|line| line.2).collect()
}

/// The first of the tests, as a table.
fn shown_tests(compared: &Compared, alpha: f64) -> Vec<String> {
    let tests = tests(compared, alpha);
    if tests.is_empty() {
        return Vec::new();
    }
    let more = tests.len().saturating_sub(MOST_LINES);
    let header = TESTS.map(str::to_owned).to_vec();
    let rows = iter::once(header).chain(tests).take(MOST_LINES + 1);
    let rows: Vec<_> = rows.collect();
    let mut lines = aligned(0, 4, &rows);
    if more > 0 {
        let more = counted(more, "test");
        lines.push(format!("and {more} with larger p-values (--json has all)"));
    }
    lines
}

fn ratio(of: Estimate) -> String {
    format!("{:.3} [{:.3}, {:.3}]", of.value, of.low, of.high)
}
