//! The result of a whole comparison, in a word and in one line.

use itertools::Itertools;

use super::Compared;
use crate::analysis::comparison::{ALPHA, Difference, Finding, POWER, SEEN_BY};
use crate::cli::text::counted;
use crate::report::number::short;

/// The result in a word, and the exit code that tells it too.
pub type Verdict = (&'static str, u8);

const IDENTICAL: Verdict = ("identical", 0);
const COMPATIBLE: Verdict = ("compatible", 0);
const DIFFERENT: Verdict = ("different", 1);
const NOT_COMPARABLE: Verdict = ("not comparable", 3);

/// How many points of one experiment, or of several, are how.
#[derive(Default)]
struct PointCounts {
    all: usize,
    same: usize,
    /// Trials of those that are the same.
    trials: usize,
    /// Points with other rows, and those of them of which that is more than chance.
    other: usize,
    proven: usize,
    not_comparable: usize,
    only_in_a: usize,
    only_in_b: usize,
    /// Trials with the same row and another course, and those with courses that are not compared.
    courses: usize,
    other_rows: usize,
}

impl PointCounts {
    fn of(compared: &[Compared], identical: bool) -> Self {
        let mut counts = Self::default();
        for it in compared {
            counts.all += it.comparison.points.len();
            counts.only_in_a += it.comparison.only_in_a;
            counts.only_in_b += it.comparison.only_in_b;
            if let Some(courses) = &it.courses {
                counts.courses += courses.differing as usize;
                counts.other_rows += courses.other_rows as usize;
            }
            for point in &it.comparison.points {
                match point.finding {
                    Finding::NotComparable(_) => counts.not_comparable += 1,
                    Finding::Identical { trials } => {
                        counts.same += 1;
                        counts.trials += trials;
                    }
                    Finding::Different(_) => {
                        counts.other += 1;
                        counts.proven += usize::from(identical || point.is_different());
                    }
                }
            }
        }
        counts
    }
}

/// The verdict, and the one line that says it; `alone` is the number of experiments that A alone
/// and B alone has.
pub fn verdict(compared: &[Compared], alone: [usize; 2], identical: bool) -> (Verdict, String) {
    let counts = PointCounts::of(compared, identical);
    let PointCounts {
        all, other, proven, ..
    } = counts;
    let left_out = not_compared(&counts, compared.len(), alone);
    let (verdict, detail) = if proven > 0 {
        (DIFFERENT, format!("{proven} of {all} points"))
    } else if counts.courses > 0 {
        let trials = counted(counts.courses, "trial");
        let detail = format!("the courses of {trials} with the same rows");
        (DIFFERENT, detail)
    } else if all == 0 {
        (NOT_COMPARABLE, "no point of both sides".to_owned())
    } else if !left_out.is_empty() {
        let detail = format!("{left_out}; nothing else is different");
        (NOT_COMPARABLE, detail)
    } else if other > 0 {
        undecided(compared, all)
    } else {
        let points = counted(all, "point");
        (IDENTICAL, format!("{points} with identical rows"))
    };
    let rest = match verdict {
        DIFFERENT if !left_out.is_empty() => format!("; not comparable: {left_out}"),
        _ => String::new(),
    };
    let how = match other {
        0 => String::new(),
        _ if identical => " (every row counts)".to_owned(),
        _ => format!(" (Holm, α = {ALPHA})"),
    };
    let words = format!("{}: {detail}{how}{rest}", verdict.0);
    (verdict, words)
}

/// The verdict of one experiment, and what of it is how, in a line.
pub fn of_one(compared: &Compared, identical: bool) -> String {
    let one = std::slice::from_ref(compared);
    let counts = PointCounts::of(one, identical);
    let (verdict, _) = verdict(one, [0, 0], identical);
    let is_other = verdict != IDENTICAL;
    let (same, trials) = (counts.same, counted(counts.trials, "trial"));
    let rest = if is_other { " identical" } else { "" };
    let alike = (same > 0).then(|| format!("{} with {trials}{rest}", counted(same, "point")));
    let undecided = "with other rows, of which no test shows a difference";
    let not_compared = "courses of trials with other rows not compared";
    let parts = [
        (counts.proven, "different"),
        (counts.other - counts.proven, undecided),
        (counts.not_comparable, "not comparable"),
        (counts.only_in_a, "only in A"),
        (counts.only_in_b, "only in B"),
        (counts.courses, "trials with another course"),
        (counts.other_rows, not_compared),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts = parts.map(|(count, what)| format!("{count} {what}"));
    let parts = alike.into_iter().chain(parts).join(", ");
    let mut line = format!("{}, {parts}", verdict.0);
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
    let differences: Vec<&Difference> = differences.collect();
    let tests = differences.iter().map(|it| it.tests.len()).sum();
    let different = format!("{} of {total} points", differences.len());
    let is_seen = |it: &&Difference| it.can_be_found(tests);
    let (seen, unseen): (Vec<_>, Vec<_>) = differences.iter().copied().partition(is_seen);
    let few = unseen.iter().map(|it| it.trials).max();
    let few =
        few.map(|[a, b]| format!("no difference can be found, with {a} + {b} trials or fewer"));
    if let (true, Some(few)) = (seen.is_empty(), few.as_ref()) {
        let words = format!("{different} have different rows, of which {few}");
        return (NOT_COMPARABLE, words);
    }
    let mut words = different
        + if differences.iter().all(|it| it.common == 0) {
            "; the seeds differ, so that no row can be the same"
        } else {
            " have different rows, of the same distributions as far as the tests see"
        };
    if let Some(few) = few {
        words += &format!("; at {} of them {few}", unseen.len());
    }
    let factors = seen.iter().filter_map(|it| it.visible_factor(tests));
    let factors: Vec<f64> = factors.sorted_by(f64::total_cmp).collect();
    if let Some(factor) = factors.last() {
        let (name, percent, factor) = (SEEN_BY.name(), 100.0 * POWER, short(*factor, 3));
        words += &format!(
            "; means of {name} that differ by a factor of {factor} would have been found at {} of them with a probability of about {percent} %",
            factors.len()
        );
    }
    (COMPATIBLE, words)
}

/// What has no place in the verdict; empty where everything of both sides was compared.
fn not_compared(counts: &PointCounts, compared: usize, alone: [usize; 2]) -> String {
    let points = counts.all + counts.only_in_a + counts.only_in_b;
    let experiments = compared + alone.iter().sum::<usize>();
    let parts = [
        (counts.not_comparable, points, "points"),
        (counts.only_in_a, points, "points, only in A"),
        (counts.only_in_b, points, "points, only in B"),
        (alone[0], experiments, "experiments, only in A"),
        (alone[1], experiments, "experiments, only in B"),
    ];
    let parts = parts.iter().filter(|(count, ..)| *count > 0);
    let mut parts = parts.map(|(count, all, what)| format!("{count} of {all} {what}"));
    parts.join(" and ")
}
