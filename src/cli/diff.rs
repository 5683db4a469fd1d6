//! `reines diff`: do two code versions give the same distributions?

mod compare;
mod verdict;

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::Serialize;

use self::compare::RunPair;
use super::text::first_of;
use super::view::JsonOption;
use super::{Common, Refused, own_name, word};
use crate::analysis::comparison::end_point::EndPointTest;
use crate::analysis::comparison::{ALPHA, Comparison, Finding, adjust};
use crate::results::course_comparison::CourseComparison;
use crate::results::runs;

/// Compare the results of two code versions
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines diff results/reference results
  reines diff results/reference/epsilon epsilon

A and B are experiments, run folders or folders of results. A point is not
comparable (another definition or cutoff, or only one side has it), has
identical rows and courses, or is tested (docs/statistics.md).

Exit codes: 0 identical or compatible, 1 different, 2 bad input or damaged
results, 3 not comparable. `make diff REV=…` builds and runs a git revision.")]
pub struct Args {
    /// One side
    #[arg(value_name = "A")]
    a: PathBuf,
    /// The other side
    #[arg(value_name = "B")]
    b: PathBuf,
    /// Call a point different if any row of it is, however likely that is by chance
    #[arg(long)]
    identical: bool,
    /// Show the tests of all points, also of those that do not differ
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    view: JsonOption,
    #[command(flatten)]
    common: Common,
}

/// What was compared and found. No number is rounded; one that is infinite is null in JSON.
#[derive(Serialize)]
struct Diff {
    verdict: &'static str,
    /// The verdict and its reasons.
    words: String,
    alpha: f64,
    experiments_only_in_a: Vec<String>,
    experiments_only_in_b: Vec<String>,
    experiments: Vec<Compared>,
}

/// An experiment compared.
#[derive(Serialize)]
struct Compared {
    experiment: String,
    /// What was found, in a line.
    words: String,
    a: RunSide,
    b: RunSide,
    /// True if both sides are one and the same folder.
    same_folder: bool,
    /// The parts of the sources that both sides depend on and that differ; null where a side does
    /// not name its parts and is of another code version.
    changed: Option<Vec<String>>,
    #[serde(flatten)]
    comparison: Comparison,
    /// The courses of the trials with the same rows; null where no trial has one on both sides.
    courses: Option<CourseComparison>,
    /// Seconds of B / seconds of A.
    seconds_ratio: Option<f64>,
}

/// The run of one side.
#[derive(Serialize)]
struct RunSide {
    folder: String,
    code_version: String,
    commit: String,
    dirty: bool,
}

/// A test, and the rows of the point that it is of.
#[derive(Serialize)]
struct TestRow<'a> {
    point: &'a str,
    trials: [usize; 2],
    common: usize,
    differing: usize,
    test: &'a EndPointTest,
}

impl Compared {
    /// The tests of the points that differ, or of all; the least p-values first.
    fn tests(&self, all: bool) -> Vec<TestRow<'_>> {
        let rows = self
            .comparison
            .points
            .iter()
            .filter(|it| all || it.is_different())
            .filter_map(|it| match &it.finding {
                Finding::Different(found) => Some((&it.name, found)),
                Finding::NotComparable(_) | Finding::Identical { .. } => None,
            });
        let rows = rows.flat_map(|(point, found)| {
            found.tests.iter().map(move |test| TestRow {
                point,
                trials: found.trials,
                common: found.common,
                differing: found.differing,
                test,
            })
        });
        let mut rows: Vec<TestRow> = rows.collect();
        let p = |row: &TestRow| [row.test.holm, row.test.test.p];
        rows.sort_by(|x, y| {
            p(x)[0]
                .total_cmp(&p(y)[0])
                .then(p(x)[1].total_cmp(&p(y)[1]))
        });
        rows
    }
}

/// The exit code where nothing could be compared: 1 would say that something differs.
const FAILED: u8 = 2;

pub fn run(args: &Args) -> anyhow::Result<u8> {
    diff(args).or_else(|error| {
        super::print_error(&error);
        Ok(FAILED)
    })
}

fn diff(args: &Args) -> anyhow::Result<u8> {
    let (pairs, alone) = pairs(args)?;
    let mut compared = pairs
        .into_iter()
        // On a thread of the pool, where what reading has freed is there for reading more.
        .map(|pair| rayon::scope(|_| compare::compare(pair)))
        .collect::<anyhow::Result<Vec<_>>>()?;
    // All experiments are one family.
    adjust(compared.iter_mut().map(|it| &mut it.comparison));
    for it in &mut compared {
        it.words = verdict::of_one(it, args.identical);
    }
    let (verdict, words) =
        verdict::verdict(&compared, alone.each_ref().map(Vec::len), args.identical);
    let [only_in_a, only_in_b] = alone;
    let found = Diff {
        verdict: verdict.name(),
        words,
        alpha: ALPHA,
        experiments_only_in_a: only_in_a,
        experiments_only_in_b: only_in_b,
        experiments: compared,
    };
    let tests = found.experiments.iter().map(|it| it.tests(args.all));
    let tests: Vec<_> = tests.collect();
    args.view
        .print_with(&found, &tests, include_str!("diff/diff.txt"))?;
    Ok(verdict.code())
}

/// The pairs, and the experiments that A alone and B alone has.
type Pairs = (Vec<RunPair>, [Vec<String>; 2]);

fn pairs(args: &Args) -> anyhow::Result<Pairs> {
    let side = |word: &PathBuf| word::runs(std::slice::from_ref(word), &args.common.results);
    let (a, b) = (side(&args.a)?, side(&args.b)?);
    let pairs = compare::paired(&a, &b);
    let [in_a, in_b] = [&a, &b].map(|runs| runs::experiments(runs));
    let only = |own: &BTreeSet<&str>, other: &BTreeSet<&str>| -> Vec<String> {
        own.difference(other).map(|it| it.to_string()).collect()
    };
    let alone = [only(&in_a, &in_b), only(&in_b, &in_a)];
    if !pairs.is_empty() {
        // Two single runs are a pair under any names.
        let is_one_pair = a.len() + b.len() == 2;
        let alone = if is_one_pair {
            Default::default()
        } else {
            alone
        };
        return Ok((pairs, alone));
    }
    let [in_a, in_b] = alone.map(|names| first_of(5, ", ", names));
    let reason = format!(
        "A and B have no experiment in common: A has {in_a}, B has {in_b}; expected runs of one experiment: `{} run NAME` makes a run of one that the other side has, `{0} list NAME` names the runs of one's own",
        own_name()
    );
    Err(Refused::new(reason).into())
}
