//! `reines diff`: do two code versions give the same distributions?

mod compared;
mod counts;
mod figure;
mod lines;
mod verdict;

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::Serialize;

use self::compared::{Compared, TestRow, compare};
use self::verdict::SameSeeds;
use super::text::first_of;
use super::view::JsonOption;
use super::{Common, Refused, Unfinished, own_name, word};
use crate::analysis::comparison::{ALPHA, adjust};
use crate::results::runs::{self, CompleteRun};

/// Compare the results of two code versions
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines diff results/reference results
  reines diff results/reference/epsilon epsilon
  reines diff --figure diff.svg results/reference results

A and B are experiments, run folders or folders of results. A point is not
comparable (another definition or cutoff, or only one side has it), has
identical rows, or is tested (docs/statistics.md). Courses of trials are
compared at the moments that both sides recorded.

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
    /// Draw B / A of what differs, point by point; its numbers are written to FILE.csv
    #[arg(long, value_name = "FILE.svg")]
    figure: Option<PathBuf>,
    /// Overwrite the files of --figure
    #[arg(long, requires = "figure")]
    force: bool,
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
    /// Rows of the same seeds and dynamics; null where there are none on both sides.
    same_seeds: Option<SameSeeds>,
    experiments_only_in_a: Vec<String>,
    experiments_only_in_b: Vec<String>,
    /// Those with a difference last.
    experiments: Vec<Compared>,
    /// Where the figure and its numbers are; null where none was asked for.
    figure: Option<String>,
}

/// What the text has beside the value.
#[derive(Serialize)]
struct More<'a> {
    /// A line for each experiment; those with identical rows share one.
    lines: Vec<String>,
    /// A line for each experiment with times, and one that says what they are.
    seconds: Vec<String>,
    /// The tests of each experiment.
    tests: Vec<Vec<TestRow<'a>>>,
}

/// The exit code where nothing could be compared: 1 would say that something differs.
const FAILED: u8 = 2;

/// The exit code where a side has no complete run yet, or one that this program does not read.
const NOT_COMPARABLE: u8 = 3;

pub fn run(args: &DiffArgs) -> anyhow::Result<u8> {
    diff(args).or_else(|error| {
        super::print_error(&error);
        let is_unfinished = error.is::<Unfinished>();
        let is_comparable = !is_unfinished && super::code_of(&error) != NOT_COMPARABLE;
        Ok(if is_comparable {
            FAILED
        } else {
            NOT_COMPARABLE
        })
    })
}

fn diff(args: &DiffArgs) -> anyhow::Result<u8> {
    if let Some(file) = &args.figure {
        figure::check(file, args.force)?;
    }
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
        it.words = lines::of_one(it, args.identical);
    }
    // The sort is stable: the names of experiments stay in their order.
    compared.sort_by_key(|it| verdict::of_one(it, args.identical).order);
    let drawn = args
        .figure
        .as_ref()
        .map(|file| figure::write(file, args.force, &compared, args.identical));
    let alone = [in_a.len(), in_b.len()];
    let (verdict, words) = verdict::of_all(&compared, alone, args.identical);
    let found = Diff {
        verdict: verdict.word,
        words,
        alpha: ALPHA,
        same_seeds: SameSeeds::of(&compared),
        experiments_only_in_a: in_a,
        experiments_only_in_b: in_b,
        experiments: compared,
        figure: drawn.transpose()?,
    };
    let tests = found.experiments.iter().map(|it| it.tests(args.all));
    let more = More {
        lines: lines::of_all(&found.experiments, args.identical),
        seconds: lines::of_seconds(&found.experiments),
        tests: tests.collect(),
    };
    args.view
        .print_with(&found, &more, include_str!("diff/diff.txt"))?;
    Ok(verdict.code)
}
