//! The result of a whole comparison, in a word and in one line.

use itertools::Itertools;

use super::{Args, Compared};
use crate::analysis::comparison::{Finding, POWER, PointComparison};
use crate::cli::text::counted;

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
pub fn verdict(
    compared: &[Compared],
    alone: [usize; 2],
    &Args {
        alpha, identical, ..
    }: &Args,
) -> (Verdict, String) {
    let points: Vec<_> = compared
        .iter()
        .flat_map(|it| &it.comparison.points)
        .collect();
    let count = |is: &dyn Fn(&PointComparison) -> bool| points.iter().filter(|it| is(it)).count();
    let total = points.len();
    let different = count(&|it| matches!(it.finding, Finding::Different(_)));
    let proven = match identical {
        true => different,
        false => count(&|it| it.is_different(alpha)),
    };
    let not_comparable = count(&|it| matches!(it.finding, Finding::NotComparable(_)));
    let courses: u64 = compared
        .iter()
        .map(|it| it.courses.as_ref().map_or(0, |it| it.differing))
        .sum();
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
    let points = compared.iter().flat_map(|it| &it.comparison.points);
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
