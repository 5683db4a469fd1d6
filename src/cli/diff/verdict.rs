//! The result of a whole comparison, in a word and in one line. Here are the words identical,
//! compatible, different and not comparable, with their exit codes, which of them wins among
//! several experiments, and the sentences on what the tests would have found.

use itertools::Itertools;
use serde::Serialize;

use super::Alone;
use super::compared::Compared;
use super::counts::PointCounts;
use crate::analysis::comparison::sight::{POWER, SEEN_BY, Sight};
use crate::analysis::comparison::{ALPHA, Difference};
use crate::cli::exit_code;
use crate::cli::text::{counted, first_of, spaced};
use crate::report::number::short;

/// The result in a word, the exit code that tells it too, and its place among others: what was
/// found comes last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    pub word: &'static str,
    pub code: u8,
    pub order: u8,
}

const fn verdict(word: &'static str, code: u8, order: u8) -> Verdict {
    Verdict { word, code, order }
}

pub const IDENTICAL: Verdict = verdict("identical", 0, 0);
const COMPATIBLE: Verdict = verdict("compatible", 0, 1);
const NOT_COMPARABLE: Verdict = verdict("not comparable", exit_code::NOT_COMPARABLE, 2);
const DIFFERENT: Verdict = verdict("different", 1, 3);

/// The rows of the same seeds and dynamics, of which one that differs is a difference of code.
#[derive(Serialize)]
pub struct SameSeeds {
    rows: usize,
    differing: usize,
    /// True if the laws of an update are known and the same wherever rows differ.
    is_of_random_numbers: bool,
    /// What that says, in a line; empty where no row differs.
    words: String,
}

impl SameSeeds {
    /// `None` where no row is compared with one that drew the same random numbers.
    pub fn of(compared: &[Compared]) -> Option<Self> {
        let mut rows = 0;
        let mut differing = 0;
        let mut is_of_random_numbers = true;
        for experiment in compared {
            for point in &experiment.comparison.points {
                let [other, all] = point.rows_of_same_streams().unwrap_or_default();
                rows += all;
                differing += other;
                let has_same_law = experiment.laws_are_equal == Some(true);
                is_of_random_numbers &= other == 0 || has_same_law && point.point.goal.is_none();
            }
        }
        let what = if is_of_random_numbers {
            "the law of an update is the same, random numbers are used otherwise"
        } else {
            "the program computes something else"
        };
        let differ = if differing == 1 { "differs" } else { "differ" };
        let words = match differing {
            0 => String::new(),
            _ => {
                let differing = spaced(differing);
                let rows = spaced(rows);
                format!("{differing} of {rows} rows {differ} with the same seeds: {what}")
            }
        };
        (rows > 0).then_some(Self {
            rows,
            differing,
            is_of_random_numbers: is_of_random_numbers && differing > 0,
            words,
        })
    }
}

/// The verdict of one experiment.
pub fn of_one(compared: &Compared, identical: bool) -> Verdict {
    of_all(std::slice::from_ref(compared), &Alone::default(), identical).0
}

/// The verdict of all experiments, and the one line that says it; `alone` are the
/// experiments that are not compared.
pub fn of_all(compared: &[Compared], alone: &Alone, identical: bool) -> (Verdict, String) {
    let counts = PointCounts::of(compared, identical);
    let left_out = not_compared(&counts, compared.len(), alone);
    let (verdict, of_points) = of_points(compared, &counts, &left_out, identical);

    let laws = compared.iter().flat_map(|compared| &compared.other_laws);
    let laws_in_words = laws.map(ToString::to_string).unique().join("; ");
    let conditions = conditions_in_words(compared);
    let detail = [laws_in_words, conditions, of_points]
        .into_iter()
        .filter(|words| !words.is_empty());
    let detail_in_words = detail.collect::<Vec<_>>().join("; ");

    let how = match counts.other {
        0 => String::new(),
        _ if identical || compared.iter().all(|compared| compared.rows_count) => {
            " (every row counts)".to_owned()
        }
        _ => format!(" (Holm, α = {ALPHA})"),
    };
    let rest = if verdict == DIFFERENT && !left_out.is_empty() {
        format!("; not comparable: {left_out}")
    } else {
        String::new()
    };
    let words = format!("{}: {detail_in_words}{how}{rest}", verdict.word);
    (verdict, words)
}

/// The verdict, and what points and courses say of it.
fn of_points(
    compared: &[Compared],
    counts: &PointCounts,
    left_out: &str,
    identical: bool,
) -> (Verdict, String) {
    if counts.proven > 0 {
        (DIFFERENT, proven(compared, counts, identical))
    } else if compared.iter().any(Compared::has_another_rule) {
        (DIFFERENT, String::new())
    } else if counts.courses > 0 {
        let trials = counted(counts.courses, "trial");
        (
            DIFFERENT,
            format!("the courses of {trials} with the same rows"),
        )
    } else if counts.all == 0 {
        let why = match left_out {
            "" => "no point of both sides",
            left_out => left_out,
        };
        (NOT_COMPARABLE, why.to_owned())
    } else if !left_out.is_empty() {
        let why = format!("{left_out}; nothing else is different");
        (NOT_COMPARABLE, why)
    } else if counts.other > 0 {
        undecided(compared, counts.all)
    } else {
        let points = counted(counts.all, "point");
        (IDENTICAL, format!("{points} with identical rows"))
    }
}

/// The rules of specs whose conditions differ, each once, and the conditions of points that are on
/// one side alone; empty where there are none.
fn conditions_in_words(compared: &[Compared]) -> String {
    let others = compared
        .iter()
        .flat_map(|compared| &compared.other_conditions);
    let mut words: Vec<String> = others.unique().map(ToString::to_string).collect();
    for (side, at) in [("A", 0), ("B", 1)] {
        let alone = compared
            .iter()
            .flat_map(|compared| &compared.unmatched_conditions[at]);
        let alone: Vec<String> = alone.unique().cloned().collect();
        if !alone.is_empty() {
            let conditions = first_of(5, ", ", alone);
            words.push(format!("conditions in {side} alone: {conditions}"));
        }
    }
    words.join("; ")
}

/// How many points are different, in which experiments, and how many others have other rows.
fn proven(compared: &[Compared], counts: &PointCounts, identical: bool) -> String {
    let mut words = format!("{} of {} points", counts.proven, counts.all);
    if compared.len() > 1 {
        let all = compared.iter().map(|experiment| {
            let counts = PointCounts::of(std::slice::from_ref(experiment), identical);
            (&experiment.experiment, counts.proven)
        });
        let different = all.filter(|(_, proven)| *proven > 0);
        // The sort is stable: of as many points the names stay in their order.
        let most_first = different.sorted_by_key(|(_, proven)| std::cmp::Reverse(*proven));
        let named = most_first.map(|(name, proven)| format!("{name} ({proven})"));
        words += &format!(", in {}", named.collect::<Vec<_>>().join(", "));
    }
    let more = counts.other - counts.proven;
    if more > 0 {
        words += &format!("; rows differ at {} more", spaced(more as u64));
    }
    words
}

/// The verdict where rows differ, and no distribution, and what the tests could have found.
fn undecided(compared: &[Compared], total: usize) -> (Verdict, String) {
    let differences = compared
        .iter()
        .flat_map(|compared| compared.comparison.differences());
    let differences: Vec<&Difference> = differences.collect();
    let tests = differences.iter().map(|found| found.tests.len()).sum();
    let sights = differences.iter().map(|found| (*found, found.sight(tests)));
    let sights: Vec<(&Difference, Sight)> = sights.collect();
    let unseen = unseen_in_words(&sights);
    let different = format!("{} of {total} points", differences.len());
    let is_seen = |(_, sight): &(&Difference, Sight)| matches!(sight, Sight::Factors(_));
    if !sights.iter().any(is_seen) {
        let words = format!(
            "{unseen}; {different} have different rows, and no test can tell them from chance"
        );
        return (NOT_COMPARABLE, words);
    }

    let mut words = different
        + if differences.iter().all(|found| found.common == 0) {
            "; the seeds differ, so that no row can be the same"
        } else {
            " have different rows, of the same distributions as far as the tests see"
        };
    let factors = factors_in_words(&sights);
    if !factors.is_empty() {
        let percent = 100.0 * POWER;
        words +=
            &format!("; would have been found with a probability of about {percent} %: {factors}");
    }
    if !unseen.is_empty() {
        let count = sights.iter().filter(|sight| !is_seen(sight)).count();
        words += &format!("; not comparable: {} ({unseen})", counted(count, "point"));
    }
    (COMPATIBLE, words)
}

/// Why no test can tell anything where that is so: too few trials, or too few of their rows that
/// differ. Empty where every point has a test that can.
fn unseen_in_words(sights: &[(&Difference, Sight)]) -> String {
    let of = |wanted: Sight| {
        let found = sights.iter().filter(move |(_, sight)| *sight == wanted);
        found.map(|(difference, _)| *difference)
    };
    let few_trials: Vec<[usize; 2]> = of(Sight::FewTrials)
        .map(|difference| difference.trials)
        .unique()
        .collect();
    let trials = few_trials.iter().max().map(|[a, b]| {
        let trials = if a == b {
            counted(*a, "trial")
        } else {
            format!("{} and {} trials", spaced(*a), spaced(*b))
        };
        let or_fewer = if few_trials.len() > 1 {
            " or fewer"
        } else {
            ""
        };
        format!("{trials}{or_fewer}")
    });
    let few_rows = of(Sight::FewRows).map(|difference| [difference.differing, difference.common]);
    let few_rows: Vec<[usize; 2]> = few_rows.unique().collect();
    let rows = few_rows.iter().max().map(|[differing, common]| {
        let differ = if *differing == 1 { "differs" } else { "differ" };
        let or_fewer = if few_rows.len() > 1 { " or fewer" } else { "" };
        let differing = spaced(*differing);
        let common = spaced(*common);
        format!("only {differing} of {common} rows {differ}{or_fewer}")
    });
    trials.into_iter().chain(rows).join(", ")
}

/// The greatest factor of each end point that would have been found where one would, and at how
/// many points.
fn factors_in_words(sights: &[(&Difference, Sight)]) -> String {
    let all = sights.iter().flat_map(|(_, sight)| match sight {
        Sight::Factors(factors) => &factors[..],
        _ => &[],
    });
    let words = SEEN_BY.iter().filter_map(|end_point| {
        let of_end_point = all.clone().filter(|(other, _)| other == end_point);
        let factors: Vec<f64> = of_end_point.map(|(_, factor)| *factor).collect();
        let greatest = factors.iter().copied().max_by(f64::total_cmp)?;
        let name = end_point.name();
        let factor = short(greatest, 3);
        let points = counted(factors.len(), "point");
        Some(format!(
            "means of {name} that differ by a factor of {factor}, at {points}"
        ))
    });
    words.collect::<Vec<_>>().join("; ")
}

/// What has no place in the verdict; empty where everything of both sides was compared.
fn not_compared(counts: &PointCounts, compared: usize, alone: &Alone) -> String {
    let points = counts.all + counts.only_in_a + counts.only_in_b;
    let in_a = Vec::len(&alone.a);
    let in_b = Vec::len(&alone.b);
    let neither = Vec::len(&alone.neither);
    let experiments = compared + alone.same + in_a + in_b + neither;
    let parts = [
        (counts.not_comparable, points, "points"),
        (counts.only_in_a, points, "points, only in A"),
        (counts.only_in_b, points, "points, only in B"),
        (in_a, experiments, "experiments, only in A"),
        (in_b, experiments, "experiments, only in B"),
    ];
    let mut sentences = Vec::new();
    for (count, all, what) in parts {
        if count > 0 {
            sentences.push(format!("{count} of {all} {what}"));
        }
    }
    if neither > 0 {
        let names = first_of(5, ", ", alone.neither.clone());
        sentences.push(format!(
            "{neither} of {experiments} experiments, which neither side can run ({names})"
        ));
    }
    sentences.join(" and ")
}
