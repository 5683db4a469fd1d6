//! The result of a whole comparison, in a word and in one line.

use itertools::Itertools;

use super::{Args, Compared};
use crate::analysis::comparison::{Finding, POWER, PointComparison, SEEN_BY};
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

/// What there is to say where rows differ, and no distribution, and what the tests could have seen.
fn compatible(compared: &[Compared], [different, total]: [usize; 2], alpha: f64) -> String {
    let differences = compared.iter().flat_map(|it| it.comparison.differences());
    let differences: Vec<_> = differences.collect();
    let tests = differences.iter().map(|it| it.tests.len()).sum();
    let mut words = match differences.iter().all(|it| it.common == 0) {
        true => format!(
            "{different} of {total} points; the seeds differ, so that no row can be the same"
        ),
        false => format!(
            "{different} of {total} points have different rows, of the same distributions as far as the tests see"
        ),
    };
    let points = compared.iter().flat_map(|it| &it.comparison.points);
    let unseen = points.filter_map(|it| it.unseen(alpha, tests));
    let unseen: Vec<_> = unseen.map(|it| it.trials).collect();
    if let Some([a, b]) = unseen.iter().max() {
        words += &format!(
            "; at {} of them no difference can be found, with {a} + {b} trials or fewer",
            unseen.len()
        );
    }
    let factors = differences.iter();
    let factors = factors.filter_map(|it| it.visible_factor(alpha, tests));
    let factors: Vec<f64> = factors.collect();
    if let Some(factor) = factors.iter().copied().max_by(f64::total_cmp) {
        let (name, percent, factor) = (SEEN_BY.name(), 100.0 * POWER, short(factor, 3));
        let places = match differences.len() == factors.len() {
            true => "any of them".to_owned(),
            false => format!(
                "any point without censored trials ({} of {})",
                factors.len(),
                differences.len()
            ),
        };
        words += &format!(
            "; means of {name} that differ by a factor of {factor} would have been found at {places} with a probability of {percent} %"
        );
    }
    words
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
