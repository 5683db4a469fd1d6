//! `reines diff`: do two code versions give the same distributions?

mod verdict;

use std::collections::BTreeSet;
use std::path::PathBuf;

use rayon::prelude::*;
use serde::Serialize;

use super::text::first_of;
use super::view::JsonOption;
use super::{Common, Refused, Unfinished, own_name, word};
use crate::analysis::comparison::end_point::EndPointTest;
use crate::analysis::comparison::{
    ALPHA, Comparison, Difference, Finding, PointComparison, adjust, seconds_ratio,
};
use crate::experiment::store::atomic::real_path;
use crate::experiment::version;
use crate::results::course_comparison::CourseComparison;
use crate::results::runs::{self, CompleteRun};
use crate::results::{PointTrials, in_common};

/// Compare the results of two code versions
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines diff results/reference results
  reines diff results/reference/epsilon epsilon

A and B are experiments, run folders or folders of results. A point is not
comparable (another definition or cutoff, or only one side has it), has
identical rows and courses, or is tested (docs/statistics.md).

Exit codes: 0 identical or compatible, 1 different, 2 bad input or damaged
results, 3 not comparable or unfinished. `make diff REV=…` builds and runs a git revision.")]
pub struct DiffArgs {
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

/// A test, and the point that it is of.
#[derive(Serialize)]
struct TestRow<'a> {
    point: &'a str,
    found: &'a Difference,
    test: &'a EndPointTest,
}

impl Compared {
    /// The tests of the points that differ, or of all; the least p-values first.
    fn tests(&self, all: bool) -> Vec<TestRow<'_>> {
        let points = self.comparison.points.iter();
        let mut rows = Vec::new();
        for point in points.filter(|it| all || it.is_different()) {
            if let (point, Finding::Different(found)) = (&point.name, &point.finding) {
                let tests = found.tests.iter();
                rows.extend(tests.map(|test| TestRow { point, found, test }));
            }
        }
        // Numbers of at least 0 stand in the order of their bits.
        rows.sort_by_key(|row| [row.test.holm, row.test.test.p].map(f64::to_bits));
        rows
    }
}

/// The exit code where nothing could be compared: 1 would say that something differs.
const FAILED: u8 = 2;

/// The exit code where a side has no complete run yet.
const UNFINISHED: u8 = 3;

pub fn run(args: &DiffArgs) -> anyhow::Result<u8> {
    diff(args).or_else(|error| {
        super::print_error(&error);
        let is_unfinished = error.is::<Unfinished>();
        Ok(if is_unfinished { UNFINISHED } else { FAILED })
    })
}

fn diff(args: &DiffArgs) -> anyhow::Result<u8> {
    let side = |word: &PathBuf| word::runs(std::slice::from_ref(word), &args.common.results);
    let (a, b) = (side(&args.a)?.all, side(&args.b)?.all);
    // Two single runs are a pair under any names.
    let is_one_pair = a.len() + b.len() == 2;
    let is_pair = |(one, other): &(&CompleteRun, &CompleteRun)| {
        is_one_pair || one.manifest.experiment == other.manifest.experiment
    };
    let pairs = itertools::iproduct!(&a, &b).filter(is_pair);
    // On a thread of the pool, where what reading has freed is there for reading more.
    let compared = pairs.map(|(a, b)| rayon::scope(|_| compare(a, b)));
    let mut compared = compared.collect::<anyhow::Result<Vec<_>>>()?;
    let names = [&a, &b].map(|runs| runs::experiments(runs));
    let only = |own: &BTreeSet<&str>, other: &BTreeSet<&str>| -> Vec<String> {
        let only = own.difference(other).filter(|_| !is_one_pair);
        only.map(ToString::to_string).collect()
    };
    let [in_a, in_b] = [only(&names[0], &names[1]), only(&names[1], &names[0])];
    if compared.is_empty() {
        let [in_a, in_b] = [in_a, in_b].map(|names| first_of(5, ", ", names));
        let reason = format!(
            "A and B have no experiment in common: A has {in_a}, B has {in_b}; expected runs of one experiment: `{} run NAME` makes a run of one that the other side has, `{0} list NAME` names the runs of one's own",
            own_name()
        );
        return Err(Refused::new(reason).into());
    }
    // All experiments are one family.
    adjust(compared.iter_mut().map(|it| &mut it.comparison));
    for it in &mut compared {
        it.words = verdict::of_one(it, args.identical);
    }
    let alone = [in_a.len(), in_b.len()];
    let ((verdict, code), words) = verdict::verdict(&compared, alone, args.identical);
    let found = Diff {
        verdict,
        words,
        alpha: ALPHA,
        experiments_only_in_a: in_a,
        experiments_only_in_b: in_b,
        experiments: compared,
    };
    let tests = found.experiments.iter().map(|it| it.tests(args.all));
    let tests: Vec<_> = tests.collect();
    args.view
        .print_with(&found, &tests, include_str!("diff/diff.txt"))?;
    Ok(code)
}

/// Compares two runs, point by point.
fn compare(run_a: &CompleteRun, run_b: &CompleteRun) -> anyhow::Result<Compared> {
    let (a, b) = (run_a.points()?, run_b.points()?);
    let (of_a, of_b) = (&run_a.manifest, &run_b.manifest);
    let same_folder = real_path(run_a.folder.path()) == real_path(run_b.folder.path());
    // Of two machines a ratio of times would say which is the faster one.
    let machine =
        |run: &CompleteRun| [&run.manifest.machine.cpu, &run.manifest.machine.os].map(Clone::clone);
    let seconds_ratio = if same_folder || machine(run_a) != machine(run_b) {
        None
    } else {
        seconds_ratio(
            &run_a.timings_of_searches(&a)?,
            &run_b.timings_of_searches(&b)?,
        )
    };
    let definitions = [&of_a.definitions, &of_b.definitions];
    let both: Vec<_> = in_common(&a, &b, |x, y| x.point.order(&y.point)).collect();
    let compare = |(x, y): (&PointTrials, &PointTrials)| PointComparison::of(definitions, x, y);
    let points: Vec<PointComparison> = both.into_par_iter().map(compare).collect();
    let courses = CourseComparison::of(run_a, run_b)?;
    let are_known = !of_a.parts.is_empty() && !of_b.parts.is_empty();
    let changed = (are_known || of_a.code_version == of_b.code_version)
        .then(|| version::differing(&of_a.parts, &of_b.parts));
    Ok(Compared {
        experiment: of_a.experiment.clone(),
        words: String::new(),
        a: RunSide::of(run_a),
        b: RunSide::of(run_b),
        same_folder,
        changed,
        comparison: Comparison {
            only_in_a: a.len() - points.len(),
            only_in_b: b.len() - points.len(),
            points,
        },
        courses: Some(courses).filter(|it| it.trials + it.other_rows > 0),
        seconds_ratio,
    })
}

impl RunSide {
    fn of(run: &CompleteRun) -> Self {
        let it = &run.manifest;
        Self {
            folder: run.folder.path().display().to_string(),
            code_version: it.code_version.clone(),
            commit: it.commit.clone(),
            dirty: it.dirty,
        }
    }
}
