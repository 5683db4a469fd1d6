//! The result of a whole comparison, in a word and in one line.

use itertools::Itertools;

use super::Compared;
use crate::analysis::comparison::{
    ALPHA, Comparison, Difference, Finding, POWER, PointComparison, SEEN_BY,
};
use crate::cli::text::counted;
use crate::report::number::short;

/// The result, which the exit code tells too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Identical,
    Compatible,
    Different,
    NotComparable,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::Compatible => "compatible",
            Self::Different => "different",
            Self::NotComparable => "not comparable",
        }
    }

    pub fn code(self) -> u8 {
        match self {
            Self::Identical | Self::Compatible => 0,
            Self::Different => 1,
            Self::NotComparable => 3,
        }
    }
}

/// The verdict, and the one line that says it; `alone` is the number of experiments that A alone
/// and B alone has.
pub fn verdict(compared: &[Compared], alone: [usize; 2], identical: bool) -> (Verdict, String) {
    let points: Vec<_> = compared
        .iter()
        .flat_map(|it| &it.comparison.points)
        .collect();
    let count = |is: &dyn Fn(&PointComparison) -> bool| points.iter().filter(|it| is(it)).count();
    let total = points.len();
    let different = count(&|it| matches!(it.finding, Finding::Different(_)));
    let proven = match identical {
        true => different,
        false => count(&PointComparison::is_different),
    };
    let not_comparable = count(&|it| matches!(it.finding, Finding::NotComparable(_)));
    let courses: u64 = compared
        .iter()
        .map(|it| it.courses.as_ref().map_or(0, |it| it.differing))
        .sum();
    let left_out = not_compared(compared, not_comparable, alone);
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
        undecided(compared, total)
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
        _ => format!(" (Holm, α = {ALPHA})"),
    };
    let words = format!("{}: {detail}{how}{rest}", verdict.name());
    (verdict, words)
}

/// The verdict of one experiment, and what of it is how, in a line.
pub fn of_one(compared: &Compared, identical: bool) -> String {
    let points = &compared.comparison.points;
    let count = |is: &dyn Fn(&PointComparison) -> bool| points.iter().filter(|it| is(it)).count();
    let (mut same, mut trials) = (0, 0);
    for point in points {
        if let Finding::Identical { trials: own } = point.finding {
            (same, trials) = (same + 1, trials + own);
        }
    }
    let other = count(&|it| matches!(it.finding, Finding::Different(_)));
    let proven = match identical {
        true => other,
        false => count(&PointComparison::is_different),
    };
    let (verdict, _) = verdict(std::slice::from_ref(compared), [0, 0], identical);
    let courses = compared.courses.as_ref();
    let words = |count: usize, what: &str| (count > 0).then(|| format!("{count} {what}"));
    let alike = format!(
        "{} with {}",
        counted(same, "point"),
        counted(trials, "trial")
    );
    let parts = [
        (same > 0).then(|| match verdict {
            Verdict::Identical => alike,
            _ => format!("{alike} identical"),
        }),
        words(proven, "different"),
        words(
            other - proven,
            "with other rows, of which no test shows a difference",
        ),
        words(points.len() - same - other, "not comparable"),
        words(compared.comparison.only_in_a, "only in A"),
        words(compared.comparison.only_in_b, "only in B"),
        courses.and_then(|it| words(it.differing as usize, "trials with another course")),
        courses.and_then(|it| {
            words(
                it.other_rows as usize,
                "courses of trials with other rows not compared",
            )
        }),
    ];
    let mut line = format!(
        "{}, {}",
        verdict.name(),
        parts.into_iter().flatten().join(", ")
    );
    if compared.same_folder {
        line += "; A and B are the same folder";
    }
    match &compared.changed {
        None => line += "; changed: not known, one side does not name its parts",
        Some(parts) if parts.is_empty() => {}
        Some(parts) => line += &format!("; changed: {}", parts.join(", ")),
    }
    if let Some(ratio) = compared.seconds_ratio {
        line += &format!("; wall-clock time, B / A: {} (not tested)", short(ratio, 3));
    }
    line
}

/// The verdict where rows differ, and no distribution, and what the tests could have found.
fn undecided(compared: &[Compared], total: usize) -> (Verdict, String) {
    let differences = compared.iter().flat_map(|it| it.comparison.differences());
    let differences: Vec<_> = differences.collect();
    let (tests, different) = (
        differences.iter().map(|it| it.tests.len()).sum(),
        differences.len(),
    );
    let is_seen = |it: &&Difference| it.can_be_found(tests);
    let (seen, unseen): (Vec<_>, Vec<_>) = differences.iter().copied().partition(is_seen);
    let few = unseen.iter().map(|it| it.trials).max();
    let few =
        few.map(|[a, b]| format!("no difference can be found, with {a} + {b} trials or fewer"));
    if let (true, Some(few)) = (seen.is_empty(), few.as_ref()) {
        let words = format!("{different} of {total} points have different rows, of which {few}");
        return (Verdict::NotComparable, words);
    }
    let mut words = match differences.iter().all(|it| it.common == 0) {
        true => format!(
            "{different} of {total} points; the seeds differ, so that no row can be the same"
        ),
        false => format!(
            "{different} of {total} points have different rows, of the same distributions as far as the tests see"
        ),
    };
    if let Some(few) = few {
        words += &format!("; at {} of them {few}", unseen.len());
    }
    let factors: Vec<f64> = seen
        .iter()
        .filter_map(|it| it.visible_factor(tests))
        .collect();
    if let Some(factor) = factors.iter().copied().max_by(f64::total_cmp) {
        let (name, percent, factor) = (SEEN_BY.name(), 100.0 * POWER, short(factor, 3));
        words += &format!(
            "; means of {name} that differ by a factor of {factor} would have been found at {} of them with a probability of about {percent} %",
            factors.len()
        );
    }
    (Verdict::Compatible, words)
}

/// What has no place in the verdict; empty where everything of both sides was compared.
fn not_compared(compared: &[Compared], not_comparable: usize, alone: [usize; 2]) -> String {
    let sum =
        |of: &dyn Fn(&Comparison) -> usize| compared.iter().map(|it| of(&it.comparison)).sum();
    let points = [sum(&|it| it.only_in_a), sum(&|it| it.only_in_b)];
    let all_points = points.iter().sum::<usize>() + sum(&|it| it.points.len());
    let experiments = compared.len() + alone.iter().sum::<usize>();
    let parts = [
        (not_comparable, all_points, "points"),
        (points[0], all_points, "points, only in A"),
        (points[1], all_points, "points, only in B"),
        (alone[0], experiments, "experiments, only in A"),
        (alone[1], experiments, "experiments, only in B"),
    ];
    let parts = parts.into_iter().filter(|(count, ..)| *count > 0);
    parts
        .map(|(count, all, what)| format!("{count} of {all} {what}"))
        .join(" and ")
}
