//! A comparison for people: the worst first, a verdict in one line.

use std::io::{self, Write};

use super::{Compared, Verdict};
use crate::analysis::comparison::two_sample::Test;
use crate::analysis::comparison::{Difference, Finding, PointComparison};
use crate::analysis::mean::Estimate;
use crate::cli::text::{columns, counted, courses_in_words};
use crate::results::course_comparison::CourseComparison;

/// Tests printed per experiment.
const MOST_LINES: usize = 20;

/// Everything but the verdict.
pub fn write(out: &mut dyn Write, compared: &[Compared], alpha: f64) -> io::Result<()> {
    for compared in compared {
        let (a, b) = (&compared.pair.a, &compared.pair.b);
        if let Some(line) = identical(compared) {
            writeln!(out, "{}: {line}", compared.pair.experiment)?;
            continue;
        }
        writeln!(out, "{}", compared.pair.experiment)?;
        writeln!(out, "  A: {}", a.folder.path().display())?;
        writeln!(out, "  B: {}", b.folder.path().display())?;
        if let Some(parts) = changed(compared) {
            writeln!(out, "  changed: {parts}")?;
        }
        write_counts(out, compared)?;
        write_courses(out, &compared.courses)?;
        write_tests(out, compared, alpha)?;
        if let Some(seconds) = compared.seconds {
            writeln!(
                out,
                "  wall-clock time, B / A: {} (no matter of correctness)",
                ratio(seconds)
            )?;
        }
    }
    Ok(())
}

/// What there is to say where both sides have the same points, and every row and course is the
/// same.
fn identical(compared: &Compared) -> Option<String> {
    let (mut points, mut trials) = (0u64, 0);
    for point in compared.points() {
        match &point.finding {
            Finding::Identical { trials: same } => trials += *same as u64,
            Finding::NotComparable(_) | Finding::Different(_) => return None,
        }
        points += 1;
    }
    let CourseComparison {
        trials: courses,
        differing,
        ..
    } = &compared.courses;
    let is_whole = compared.comparison.alone == [0, 0] && *differing == 0;
    let courses = if *courses > 0 {
        ", and their courses"
    } else {
        ""
    };
    let (points, trials) = (counted(points, "point"), counted(trials, "trial"));
    let mut line = format!("identical, {points} with {trials}{courses}");
    if let Some(parts) = changed(compared) {
        line += &format!("; changed: {parts}");
    }
    if let Some(seconds) = compared.seconds {
        line += &format!("; wall-clock time, B / A: {}", ratio(seconds));
    }
    is_whole.then_some(line)
}

/// The parts of the sources that differ, if any.
fn changed(compared: &Compared) -> Option<String> {
    match compared.pair.changed().as_deref() {
        Some([]) => None,
        Some(parts) => Some(parts.join(", ")),
        None => Some("not known, one side does not name its parts".to_owned()),
    }
}

/// The one line; `specs` could not be run on one side.
pub fn verdict(compared: &[Compared], alpha: f64, verdict: Verdict, specs: usize) -> String {
    let points = || compared.iter().flat_map(Compared::points);
    let (total, rows) = (
        points().count(),
        compared
            .iter()
            .flat_map(|compared| compared.comparison.differences())
            .count(),
    );
    let is_proven = |point: &&PointComparison| match &point.finding {
        Finding::Different(difference) => {
            point.is_certain() || difference.tests.iter().any(|test| test.holm <= alpha)
        }
        _ => false,
    };
    let proven = points().filter(is_proven).count();
    let refused = points()
        .filter(|point| matches!(point.finding, Finding::NotComparable(_)))
        .count();
    let courses: u64 = compared.iter().map(|it| it.courses.differing).sum();
    let tested = compared
        .iter()
        .any(|compared| compared.comparison.least_holm() <= alpha);
    let detail = match verdict {
        Verdict::Different if !tested => {
            format!(
                "the courses of {} with the same rows",
                counted(courses, "trial")
            )
        }
        Verdict::Different => format!("{proven} of {total} points"),
        Verdict::NotComparable if total == 0 => "no point of both sides".to_owned(),
        Verdict::NotComparable => {
            let whole = match counted(specs as u64, "whole spec") {
                _ if specs == 0 => String::new(),
                specs => format!(" and {specs}"),
            };
            format!("{refused} of {total} points{whole}; nothing else is different")
        }
        Verdict::NothingDifferent if rows == 0 => {
            format!("{} with identical rows", counted(total as u64, "point"))
        }
        Verdict::NothingDifferent => {
            format!(
                "{rows} of {total} points have different rows, of the same distributions as far as the tests see"
            )
        }
    };
    format!("{}: {detail} (Holm, α = {alpha})", verdict.name())
}

/// How many points there are of each kind, and those that need no test.
pub fn write_counts(out: &mut dyn Write, compared: &Compared) -> io::Result<()> {
    let (mut identical, mut trials, mut different) = (0, 0, 0);
    for point in &compared.comparison.points {
        match &point.finding {
            Finding::NotComparable(reason) => {
                writeln!(out, "  not comparable: {}: {reason}", point.point)?
            }
            Finding::Identical { trials: same } => {
                (identical, trials) = (identical + 1, trials + same)
            }
            Finding::Different(difference) => {
                different += 1;
                if point.is_certain() {
                    let Difference {
                        differing, common, ..
                    } = difference;
                    writeln!(
                        out,
                        "  different: {}: {differing} of {common} rows, and a search of one seed is the same each time",
                        point.point
                    )?;
                }
            }
        }
    }
    let alone = |count: usize, side: &str| match count {
        0 => String::new(),
        count => format!(", {count} only in {side}"),
    };
    let [a, b] = compared.comparison.alone;
    writeln!(
        out,
        "  points: {identical} identical ({}), {different} with different rows{}{}",
        counted(trials as u64, "trial"),
        alone(a, "A"),
        alone(b, "B")
    )
}

/// What was found in the courses of trials with the same rows.
pub fn write_courses(out: &mut dyn Write, courses: &CourseComparison) -> io::Result<()> {
    let CourseComparison {
        trials,
        other_rows,
        rows,
        differing,
        first,
    } = courses;
    if *trials > 0 {
        writeln!(
            out,
            "  courses: {} compared{}; {} with another course",
            counted(*trials, "trial"),
            courses_in_words(*rows),
            counted(*differing, "trial")
        )?;
    }
    if *other_rows > 0 {
        writeln!(
            out,
            "  courses: {} not compared, since their rows differ",
            counted(*other_rows, "trial")
        )?;
    }
    first.as_ref().map_or(Ok(()), |first| {
        writeln!(
            out,
            "  different: the first course that differs is of {first}"
        )
    })
}

/// The columns of [`tests`].
pub const TESTS: [&str; 9] = [
    "point",
    "rows differ",
    "end point",
    "test",
    "statistic",
    "p",
    "Holm",
    "B / A [95 %]",
    "",
];

/// A line for each test, the least p-values first.
pub fn tests(compared: &Compared, alpha: f64) -> Vec<Vec<String>> {
    // What was tested, the test and its adjusted p-value, and the ratio of means.
    type Tested<'a> = ([&'a str; 4], Test, f64, Option<Estimate>);
    let line = |(words, Test { statistic, p }, holm, means): Tested| {
        let numbers = [
            format!("{statistic:.2}"),
            format!("{p:.2e}"),
            format!("{holm:.2e}"),
        ];
        let mark = if holm <= alpha { "different" } else { "" };
        let cells = words.map(str::to_owned).into_iter().chain(numbers);
        let last = [means.map_or_else(String::new, ratio), mark.to_owned()];
        (holm, p, cells.chain(last).collect::<Vec<_>>())
    };
    let mut lines = Vec::new();
    for PointComparison { point, finding } in &compared.comparison.points {
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
        let point = point.to_string();
        lines.extend(tests.iter().map(|it| {
            let words = [&*point, &*rows, it.end_point.name(), it.method.name()];
            line((words, it.test, it.holm, it.ratio))
        }));
    }
    lines.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.total_cmp(&y.1)));
    lines.into_iter().map(|line| line.2).collect()
}

fn write_tests(out: &mut dyn Write, compared: &Compared, alpha: f64) -> io::Result<()> {
    let lines = tests(compared, alpha);
    if lines.is_empty() {
        return Ok(());
    }
    let more = lines.len().saturating_sub(MOST_LINES);
    let header = TESTS.map(str::to_owned).to_vec();
    let rows: Vec<Vec<String>> = std::iter::once(header)
        .chain(lines.into_iter().take(MOST_LINES))
        .collect();
    columns(out, 2, 4, &rows)?;
    if more > 0 {
        writeln!(
            out,
            "  and {more} tests with larger p-values (--json has all)"
        )
    } else {
        Ok(())
    }
}

fn ratio(Estimate { value, interval }: Estimate) -> String {
    format!("{value:.3} [{:.3}, {:.3}]", interval.low, interval.high)
}
