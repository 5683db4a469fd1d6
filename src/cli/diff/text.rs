//! A comparison for people: the worst first, a verdict in one line.

use std::io::{self, Write};

use super::{Compared, Verdict};
use crate::analysis::comparison::end_point::EndPointTest;
use crate::analysis::comparison::two_sample::Test;
use crate::analysis::comparison::{Difference, Finding, PointComparison};
use crate::analysis::mean::Estimate;
use crate::cli::text::columns;
use crate::experiment::store::PointKey;
use crate::experiment::store::course_comparison::CourseComparison;

/// Tests printed per experiment.
const MOST_LINES: usize = 20;

/// Everything but the verdict.
pub fn write(out: &mut dyn Write, compared: &[Compared], alpha: f64) -> io::Result<()> {
    for compared in compared {
        let (a, b) = (&compared.pair.a, &compared.pair.b);
        writeln!(out, "{}", compared.pair.experiment)?;
        writeln!(out, "  A: {}", a.folder.path().display())?;
        writeln!(out, "  B: {}", b.folder.path().display())?;
        match compared.pair.changed().as_deref() {
            Some([]) => {}
            Some(parts) => writeln!(out, "  changed: {}", parts.join(", "))?,
            None => writeln!(
                out,
                "  changed: not known, one side does not name its parts"
            )?,
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
            format!("the courses of {courses} trials whose rows are the same")
        }
        Verdict::Different if proven == 0 => {
            "no single point, but all of an algorithm's together".to_owned()
        }
        Verdict::Different => format!("{proven} of {total} points"),
        Verdict::NotComparable if total == 0 => "no point of both sides".to_owned(),
        Verdict::NotComparable => {
            let whole = match specs {
                0 => String::new(),
                1 => " and 1 whole spec".to_owned(),
                _ => format!(" and {specs} whole specs"),
            };
            format!("{refused} of {total} points{whole}; nothing else is different")
        }
        Verdict::NothingDifferent if rows == 0 => format!("{total} points with identical rows"),
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
    let alone = |count: usize, side: &str| {
        if count > 0 {
            format!(", {count} only in {side}")
        } else {
            String::new()
        }
    };
    let [a, b] = compared.comparison.alone;
    writeln!(
        out,
        "  points: {identical} identical ({trials} trials), {different} with different rows{}{}",
        alone(a, "A"),
        alone(b, "B")
    )
}

/// What was found in the courses of trials with the same rows.
pub fn write_courses(out: &mut dyn Write, courses: &CourseComparison) -> io::Result<()> {
    let CourseComparison {
        trials,
        other_rows,
        rows: [series, moves],
        differing,
        first,
    } = courses;
    if *trials > 0 {
        writeln!(
            out,
            "  courses: {trials} trials compared, {series} rows of series.parquet and {moves} of moves.parquet; {differing} trials differ"
        )?;
    }
    if *other_rows > 0 {
        writeln!(
            out,
            "  courses: {other_rows} trials not compared, since their rows differ"
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
    let mut lines: Vec<(f64, f64, Vec<String>)> = Vec::new();
    for PointComparison { point, finding } in &compared.comparison.points {
        if let Finding::Different(difference) = finding {
            lines.extend(
                difference
                    .tests
                    .iter()
                    .map(|test| (test.holm, test.test.p, line(point, difference, test, alpha))),
            );
        }
    }
    for pooled in &compared.comparison.pooled {
        let place = format!("{}, all {} points", pooled.algorithm, pooled.points);
        let mut cells = [
            place,
            String::new(),
            pooled.end_point.name().to_owned(),
            "stratified".to_owned(),
        ]
        .to_vec();
        cells.extend(numbers(pooled.test, pooled.holm));
        cells.extend([String::new(), mark(pooled.holm, alpha)]);
        lines.push((pooled.holm, pooled.test.p, cells));
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

fn line(point: &PointKey, difference: &Difference, test: &EndPointTest, alpha: f64) -> Vec<String> {
    let Difference {
        trials,
        common,
        differing,
        ..
    } = difference;
    let rows = if *common > 0 {
        format!("{differing} of {common}")
    } else {
        format!("{} and {} trials", trials[0], trials[1])
    };
    let mut cells = [
        point.to_string(),
        rows,
        test.end_point.name().to_owned(),
        test.method.name().to_owned(),
    ]
    .to_vec();
    cells.extend(numbers(test.test, test.holm));
    cells.extend([
        test.ratio.map_or_else(String::new, ratio),
        mark(test.holm, alpha),
    ]);
    cells
}

fn numbers(Test { statistic, p }: Test, holm: f64) -> [String; 3] {
    [
        format!("{statistic:.2}"),
        format!("{p:.2e}"),
        format!("{holm:.2e}"),
    ]
}

fn mark(holm: f64, alpha: f64) -> String {
    if holm <= alpha {
        "different".to_owned()
    } else {
        String::new()
    }
}

fn ratio(Estimate { value, interval }: Estimate) -> String {
    format!("{value:.3} [{:.3}, {:.3}]", interval.low, interval.high)
}
