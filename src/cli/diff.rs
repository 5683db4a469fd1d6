//! `reines diff`: do two code versions give the same distributions?

mod compare;
mod text;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use self::compare::RunPair;
use super::shelf::Shelf;
use super::text::first_of;
use super::{Common, Refused, own_name};
use crate::analysis::comparison::{Comparison, PointComparison, adjust};
use crate::analysis::estimate::Estimate;
use crate::cli::terminal;
use crate::results::course_comparison::CourseComparison;
use crate::results::runs::{self, CompleteRun};

/// Compare the results of two code versions
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines diff reference latest
  reines diff 0.1.0-1a2b3c4d 0.1.0-5e6f7a8b

A and B are experiments, run folders, folders of results, code versions, the
digits of commits, `reference` or `latest`. A point is not comparable (another
definition or cutoff), has identical rows and courses, or is tested
(docs/statistics.md).

Exit codes: 0 identical or compatible, 1 different, 2 bad input or damaged
results, 3 not comparable. `make diff REV=…` builds and runs a git revision.")]
pub struct Args {
    /// One side
    #[arg(value_name = "A")]
    a: PathBuf,
    /// The other side
    #[arg(value_name = "B")]
    b: PathBuf,
    /// Probability of calling any of the points different when none is
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = probability)]
    alpha: f64,
    /// Call a point different if any row of it is, however likely that is by chance
    #[arg(long)]
    identical: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// An experiment compared.
struct Compared {
    pair: RunPair,
    comparison: Comparison,
    /// The courses of the trials with the same rows.
    courses: CourseComparison,
    /// Seconds of B / seconds of A.
    seconds: Option<Estimate>,
}

impl Compared {
    fn points(&self) -> impl Iterator<Item = &PointComparison> {
        self.comparison.points.iter()
    }

    fn json(&self) -> Value {
        let (pair, courses) = (&self.pair, &self.courses);
        let side = |run: &CompleteRun| {
            let manifest = &run.manifest;
            json!({
                "folder": run.folder.path(),
                "code_version": manifest.code_version,
                "commit": manifest.commit,
                "dirty": manifest.dirty,
            })
        };
        json!({
            "experiment": pair.experiment,
            "a": side(&pair.a),
            "b": side(&pair.b),
            // The parts of the sources that both depend on and that differ; null where not known.
            "changed": pair.changed(),
            "only_in_a": self.comparison.alone[0],
            "only_in_b": self.comparison.alone[1],
            "points": self.comparison.points,
            // Null where no trial has a course on both sides.
            "courses": (courses.trials + courses.other_rows > 0).then_some(courses),
            "seconds_ratio": self.seconds,
        })
    }
}

/// The result of the whole comparison, and its exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Identical,
    Compatible,
    Different,
    NotComparable,
}

/// The exit code where nothing could be compared: 1 would say that something differs.
const FAILED: u8 = 2;

pub fn run(args: &Args, common: &Common) -> anyhow::Result<u8> {
    diff(args, common).or_else(|error| {
        super::print_error(&error);
        Ok(FAILED)
    })
}

fn diff(args: &Args, common: &Common) -> anyhow::Result<u8> {
    let (pairs, alone) = pairs(args, common)?;
    let mut compared = pairs
        .into_iter()
        // On a thread of the pool, where what reading has freed is there for reading more.
        .map(|pair| rayon::scope(|_| compare::compare(pair)))
        .collect::<anyhow::Result<Vec<_>>>()?;
    // All experiments are one family.
    adjust(compared.iter_mut().map(|it| &mut it.comparison));
    let counts = alone.each_ref().map(Vec::len);
    let (verdict, words) = text::verdict(&compared, counts, args);
    if args.json {
        // Every number is that of the table for people, not rounded; one that is infinite is null.
        let document = json!({
            "verdict": verdict.name(),
            "alpha": args.alpha,
            "experiments_only_in_a": alone[0],
            "experiments_only_in_b": alone[1],
            "experiments": compared.iter().map(Compared::json).collect::<Vec<_>>(),
        });
        terminal::print([terminal::json(&document)?])?;
    } else {
        let lines = compared.iter().flat_map(|it| text::lines(it, args.alpha));
        let alone = ["A", "B"]
            .into_iter()
            .zip(alone)
            .filter(|(_, names)| !names.is_empty());
        let alone = alone.map(|(side, names)| format!("only in {side}: {}", in_words(names)));
        terminal::print(lines.chain(alone).chain([words]))?;
    }
    Ok(verdict.code())
}

/// The pairs, and the experiments that A alone and B alone has.
type Pairs = (Vec<RunPair>, [Vec<String>; 2]);

fn pairs(args: &Args, common: &Common) -> anyhow::Result<Pairs> {
    let shelf = Shelf::of(&common.results);
    let [a, b] = [&args.a, &args.b].map(|word| side(word, &shelf));
    let (a, b) = (a?, b?);
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
    let [in_a, in_b] = alone.map(in_words);
    let reason = format!(
        "A and B have no experiment in common: A has {in_a}, B has {in_b}; expected runs of one experiment: `{} run NAME` makes a run of one that the other side has, `{0} list NAME` names the runs of one's own",
        own_name()
    );
    Err(Refused::new(reason).into())
}

/// The first of these names, and how many more there are.
fn in_words(names: Vec<String>) -> String {
    first_of(5, ", ", names)
}

/// The runs of one side, which a code version or a commit may name, too.
fn side(word: &Path, shelf: &Shelf) -> anyhow::Result<Vec<CompleteRun>> {
    let mut runs = shelf.found(&shelf.word(word)?)?;
    if runs.is_empty() {
        runs = shelf.of_code(&word.to_string_lossy())?;
    }
    if !runs.is_empty() {
        return Ok(runs);
    }
    let refused = shelf.no_run(word, "a code version, a commit, ")?;
    let revision = word.to_string_lossy();
    let is_revision = revision.starts_with("HEAD") || revision.contains(['~', '^']);
    Err(match is_revision {
        true => Refused::new(format!(
            "{refused}; of a git revision: make diff REV={revision}"
        )),
        false => refused,
    }
    .into())
}

impl Verdict {
    fn name(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::Compatible => "compatible",
            Self::Different => "different",
            Self::NotComparable => "not comparable",
        }
    }

    fn code(self) -> u8 {
        match self {
            Self::Identical | Self::Compatible => 0,
            Self::Different => 1,
            Self::NotComparable => 3,
        }
    }
}

fn probability(text: &str) -> Result<f64, String> {
    super::number::real(text)
        .filter(|p| *p > 0.0 && *p < 1.0)
        .ok_or_else(|| "expected a number between 0 and 1".to_owned())
}
