//! `reines diff`: do two code versions give the same distributions? Its options and help are in
//! this file, its text is in `diff/diff.txt`.
//!
//! Read this file first, then `compared` (what is compared of an experiment), `counts` and
//! `verdict` (the result in a word), `lines` and `figure` (what is shown); `against` has `--rev`.
//! The tests themselves are in `analysis::comparison`.

mod against;
mod compared;
mod counts;
mod figure;
mod lines;
mod verdict;

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::Serialize;

use self::against::Against;
use self::compared::{Compared, TestRow, compare};
use self::verdict::SameSeeds;
use super::exit_code::{self, Unfinished};
use super::spec_options::PlanArgs;
use super::text::{counted, first_of};
use super::view::JsonOption;
use super::{Common, Refused, program_name, target};
use crate::analysis::comparison::{ALPHA, adjust};
use crate::experiment::store::complete::CompleteRun;
use crate::results::runs;

/// Compare the results of two code versions
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:
  reines diff results/reference results
  reines diff results/reference/epsilon epsilon
  reines diff --figure diff.svg results/reference results
  reines diff --rev HEAD~3 --quick epsilon rules

A and B are experiments, run folders or folders of results. A point is not
comparable (another definition or cutoff, or only one side has it), has
identical rows, or is tested (docs/statistics.md). Courses of trials are
compared at the moments that both sides recorded.

With --rev, A is a git revision, which is built, and B this program. Both run
the experiments that are named, or all in experiments/, in target/against; A
its own specs. `make diff REV=…` builds this program first.

Exit codes: 0 identical or compatible, 1 different, 2 bad input or damaged
results, 3 not comparable or unfinished, 130 interrupted. make itself ends with
2 for each of them but 0: where the code counts, call scripts/diff-against REV.",
    override_usage = "reines diff [OPTIONS] A B
       reines diff [OPTIONS] --rev REV [EXPERIMENT]..."
)]
pub struct DiffArgs {
    /// The two sides, A and B; with --rev the experiments, by their names or specs
    #[arg(value_name = "A B | EXPERIMENT")]
    sides: Vec<PathBuf>,
    /// Compare the program of this git revision with the present one
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    rev: Option<String>,
    /// With --rev: run the present specs on both sides
    #[arg(long, requires = "rev")]
    present_specs: bool,
    #[command(flatten)]
    plan: PlanArgs,
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
struct Diff<'a> {
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
    /// What was compared with `--rev`.
    #[serde(flatten)]
    against: Option<&'a Against>,
}

/// The run of A and that of B that are compared.
struct Pair {
    a: CompleteRun,
    b: CompleteRun,
    /// True if both ran step by step since a side names no law of its rules: each row counts.
    rows_count: bool,
}

/// The experiments that are not on both sides.
#[derive(Debug, Default)]
struct Alone {
    a: Vec<String>,
    b: Vec<String>,
    /// Those that were to be on both sides and could be run on none.
    neither: Vec<String>,
    /// How many have the same code and plan on both sides, and were not run.
    same: usize,
}

impl Alone {
    fn is_empty(&self) -> bool {
        self.a.is_empty() && self.b.is_empty() && self.neither.is_empty()
    }
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

pub fn run(args: &DiffArgs) -> anyhow::Result<u8> {
    diff(args).or_else(|error| {
        super::print_error(&error);
        let is_unfinished = error.is::<Unfinished>();
        let is_comparable = !is_unfinished && exit_code::of(&error) != exit_code::NOT_COMPARABLE;
        Ok(if is_comparable {
            exit_code::BAD_INPUT
        } else {
            exit_code::NOT_COMPARABLE
        })
    })
}

fn diff(args: &DiffArgs) -> anyhow::Result<u8> {
    if let Some(file) = &args.figure {
        figure::check(file, args.force)?;
    }
    if let Some(rev) = &args.rev {
        return against::run(args, rev);
    }
    if !args.plan.settings()?.is_empty() {
        let reason =
            "-s, --only, --quick and --dynamics change what is run; expected them with --rev";
        return Err(Refused::new(reason).into());
    }
    let [a, b] = &args.sides[..] else {
        let found = counted(args.sides.len(), "result");
        let reason = format!("found {found} to compare; expected two, A and B, or --rev REV");
        return Err(Refused::new(reason).into());
    };
    let side = |named: &PathBuf| target::runs(std::slice::from_ref(named), &args.common.results);
    let (pairs, alone) = in_pairs(&side(a)?.all, &side(b)?.all);
    if pairs.is_empty() {
        return Err(nothing_in_common(alone).into());
    }
    report(args, pairs, alone, None)
}

/// The runs of each experiment that both sides have, and the experiments of one side alone.
fn in_pairs(a: &[CompleteRun], b: &[CompleteRun]) -> (Vec<Pair>, Alone) {
    // Two single runs are a pair under any names.
    let is_one_pair = a.len() + b.len() == 2;
    let mut pairs = Vec::new();
    for (run_a, run_b) in itertools::iproduct!(a, b) {
        if is_one_pair || run_a.manifest.experiment == run_b.manifest.experiment {
            pairs.push(Pair {
                a: run_a.clone(),
                b: run_b.clone(),
                rows_count: false,
            });
        }
    }
    let alone = if is_one_pair {
        Alone::default()
    } else {
        experiments_alone(a, b)
    };
    (pairs, alone)
}

/// The experiments that one of two sides has alone.
fn experiments_alone(a: &[CompleteRun], b: &[CompleteRun]) -> Alone {
    let names_of_a = runs::experiments(a);
    let names_of_b = runs::experiments(b);
    let only = |names: &BTreeSet<&str>, other: &BTreeSet<&str>| -> Vec<String> {
        let only = names.difference(other);
        only.map(ToString::to_string).collect()
    };
    Alone {
        a: only(&names_of_a, &names_of_b),
        b: only(&names_of_b, &names_of_a),
        ..Alone::default()
    }
}

/// The error of two sides without a common experiment.
fn nothing_in_common(alone: Alone) -> Refused {
    let named = |names: Vec<String>| match names[..] {
        [] => "none that can be compared".to_owned(),
        _ => first_of(5, ", ", names),
    };
    let in_a = named(alone.a);
    let in_b = named(alone.b);
    let reason = format!(
        "A and B have no experiment in common: A has {in_a}, B has {in_b}; expected runs of one experiment: `{} run NAME` makes a run of one that the other side has, `{0} list NAME` names the runs of one's own",
        program_name()
    );
    Refused::new(reason)
}

/// Compares pairs of runs, and prints what was found.
fn report(
    args: &DiffArgs,
    pairs: Vec<Pair>,
    alone: Alone,
    against: Option<&Against>,
) -> anyhow::Result<u8> {
    // On a thread of the pool, where what reading has freed is there for reading more.
    let compared = pairs.iter().map(|pair| rayon::scope(|_| compare(pair)));
    let mut compared = compared.collect::<anyhow::Result<Vec<_>>>()?;
    // All experiments are one family.
    adjust(compared.iter_mut().map(|compared| &mut compared.comparison));
    for it in &mut compared {
        it.words = lines::of_one(it, args.identical);
    }
    // The sort is stable: the names of experiments stay in their order.
    compared.sort_by_key(|compared| verdict::of_one(compared, args.identical).order);
    let drawn = write_figure(args, &compared, against)?;
    let (verdict, words) = verdict::of_all(&compared, &alone, args.identical);
    let found = Diff {
        verdict: verdict.word,
        words,
        alpha: ALPHA,
        same_seeds: SameSeeds::of(&compared),
        experiments_only_in_a: alone.a,
        experiments_only_in_b: alone.b,
        experiments: compared,
        figure: drawn,
        against,
    };
    let tests = found
        .experiments
        .iter()
        .map(|experiment| experiment.tests(args.all));
    let more = More {
        lines: lines::of_all(&found.experiments, args.identical),
        seconds: lines::of_seconds(&found.experiments),
        tests: tests.collect(),
    };
    args.view
        .print_with(&found, &more, include_str!("diff/diff.txt"))?;
    Ok(verdict.code)
}

/// Draws what was compared into a file, if one is meant; its name, or that there is none.
fn write_figure(
    args: &DiffArgs,
    compared: &[Compared],
    against: Option<&Against>,
) -> anyhow::Result<Option<String>> {
    // With --rev there is a figure in any case, over that of an earlier call.
    let usual = against.and_then(|against| against.figure.as_ref());
    let drawn = match (usual, &args.figure) {
        (Some(file), _) => {
            let force = args.force || args.figure.is_none();
            figure::write(file, force, compared, args.identical)?
        }
        (None, Some(file)) => figure::write(file, args.force, compared, args.identical)?,
        (None, None) => None,
    };
    let none = || "none, since no row differs".to_owned();
    Ok(drawn.or_else(|| args.figure.is_some().then(none)))
}

/// Prints the object of JSON of a comparison in which no rows were compared.
fn print_nothing_compared(
    args: &DiffArgs,
    (verdict, words): (&'static str, String),
    against: &Against,
) -> anyhow::Result<()> {
    let found = Diff {
        verdict,
        words,
        alpha: ALPHA,
        same_seeds: None,
        experiments_only_in_a: Vec::new(),
        experiments_only_in_b: Vec::new(),
        experiments: Vec::new(),
        figure: None,
        against: Some(against),
    };
    args.view.print(&found, "")
}
