//! `reines count`: the number of solutions, as fast as this machine counts.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use itertools::Itertools;
use serde_json::json;

use super::Common;
use super::number::{integer, pasted, whole};
use super::progress::{Display, UNKNOWN, work};
use super::signals;
use super::terminal::say;
use super::text::{self, aligned, spaced};
use super::{Refused, terminal};
use crate::experiment::spec::number::range_in;
use crate::solver::Control;
use crate::solver::density::exact::{Definition, Fraction};
use crate::solver::density::{one_conflict, solution_count};
use crate::solver::exact::methods::quadrants;
use crate::solver::exact::symmetry::Classes;
use crate::solver::exact::{Goal, SearchRequest, explore};

/// The largest n of `--conflicts`: it takes an hour or so.
const ONE_CONFLICT_N_MAX: u32 = 18;

/// Count the solutions of the n-queens problem
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines count --n 12
  reines count --density --n 4..12
  reines count --conflicts 1 --n 4..10

On every processor, by joining quarters of the board without ever seeing a
solution; each n takes about five times as long as the one before. A solution
with its turns and mirror images is one fundamental solution.

--density: d(n) = S(n) n! / n^(2n), the share of solutions among n queens on
independent uniform cells; S(n) / C(n^2, n), on distinct ones; S(n) / n^n, one
in each row. S(n) is OEIS A000170.

--conflicts 1: N1(n), the placements with exactly one pair of queens on one row,
column or diagonal, by one search row by row: seconds at n = 14, then six to
nine times as long for each n more.")]
pub struct Args {
    /// Board side and number of queens, to 27; a range A..B with --density or --conflicts (to 18)
    #[arg(long, value_name = "N")]
    n: String,
    /// Print S(n), the density d(n) of solutions and 1/d(n), from exact fractions
    #[arg(long)]
    density: bool,
    /// Count the placements with so many attacking pairs
    #[arg(long, value_name = "K", value_parser = ["1"], conflicts_with_all = ["density", "csv"])]
    conflicts: Option<String>,
    /// With --density: print CSV
    #[arg(long, requires = "density")]
    csv: bool,
    /// Print JSON: an object, of a range a list
    #[arg(long, conflicts_with = "csv")]
    json: bool,
}

pub fn run(args: &Args, _: &Common) -> anyhow::Result<u8> {
    if args.density {
        return density(args);
    }
    if args.conflicts.is_some() {
        return one_conflict(args);
    }
    let hint = "a range is for --density and --conflicts";
    let refused = |reason| Refused::new(format!("--n {}: {reason}; {hint}", args.n));
    let n = whole(1..=quadrants::METHOD.n_max as u32)(&args.n).map_err(refused)?;
    let request = SearchRequest {
        parallel: true,
        ..SearchRequest::new(n as usize, Goal::Count)
    };
    let (stop, done) = (signals::listen()?, &AtomicU64::new(0));
    let start = Instant::now();
    // Dropped at the end of the count, which ends the display too.
    let (counting, end) = mpsc::channel::<()>();
    let counted = thread::scope(|scope| {
        scope.spawn(move || follow(n, done, &end));
        let _counting = counting;
        let control = Control::new(stop, done);
        explore(&quadrants::METHOD, request, &mut |_| {}, &control)
    });
    let Ok(counted) = counted else {
        say!("S({n}): interrupted; nothing was counted to the end");
        return Ok(signals::INTERRUPTED);
    };
    let seconds = start.elapsed().as_secs_f64();
    let (solutions, checks) = (counted.counts.solutions, counted.counts.checks);
    let classes = classes(n, solutions)?;
    if args.json {
        let fundamental = classes.n_classes();
        let found = json!({ "n": n, "solutions": solutions, "fundamental": fundamental, "seconds": seconds });
        terminal::print([terminal::json(&found)?])?;
        return Ok(0);
    }
    let classes = in_words(&classes);
    let (solutions, sets) = (spaced(solutions), text::counted(checks, "set"));
    let threads = text::counted(rayon::current_num_threads(), "thread");
    let cost = format!("{sets} of rows, {seconds:.3} s on {threads}");
    terminal::print([format!("S({n}) = {solutions}, {classes}; {cost}")])?;
    Ok(0)
}

/// Shows the share of the sets of rows that is done, until the other end is gone.
fn follow(n: u32, done: &AtomicU64, end: &Receiver<()>) {
    /// The time between two displays of the count.
    const INTERVAL: Duration = Duration::from_millis(200);
    let total = quadrants::n_sets(n as usize) as f64;
    let mut display = Display::new(&format!("S({n})"), "", false);
    while end.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
        let share = done.load(Ordering::Relaxed) as f64 / total;
        let words = match share > 0.0 {
            true => work(share, display.elapsed().as_secs_f64() * (1.0 / share - 1.0)),
            false => UNKNOWN.to_owned(),
        };
        display.show(share, words);
    }
}

/// `N1(8) = 1 996, 21.7 for each of the 92 solutions`, a line for each side.
fn one_conflict(args: &Args) -> anyhow::Result<u8> {
    let mut found = Vec::new();
    for n in sides(&args.n, ONE_CONFLICT_N_MAX)? {
        let start = Instant::now();
        let placements = one_conflict::count(n);
        let seconds = start.elapsed().as_secs_f64();
        let solutions = solution_count(n).filter(|solutions| *solutions > 0);
        let share = solutions.map_or_else(String::new, |solutions| {
            let share = placements as f64 / solutions as f64;
            format!(", {share:.5} for each solution")
        });
        if args.json {
            found.push(json!({ "n": n, "placements": placements, "solutions": solutions, "seconds": seconds }));
            continue;
        }
        let placements = spaced(placements);
        let line = format!("N1({n}) = {placements}{share}; {seconds:.3} s");
        terminal::print([line])?;
    }
    if args.json {
        terminal::print([terminal::json(&found)?])?;
    }
    Ok(0)
}

const TITLES: &str = "n,S(n),d(n),1/d(n),distinct,per row";

const CSV_COLUMNS: &str = "n,solutions,density,inverse_density,distinct,per_row";

/// A row for each side: how rare solutions are, in exact arithmetic.
fn density(args: &Args) -> anyhow::Result<u8> {
    let is_for_programs = args.csv || args.json;
    let titles = if is_for_programs { CSV_COLUMNS } else { TITLES };
    let mut rows = vec![titles.split(',').map(str::to_owned).collect()];
    rows.extend(sides(&args.n, 27)?.filter_map(row));
    if args.json {
        // Exact numbers, which have more digits than JSON's: texts.
        let titles = rows.remove(0);
        let object = |row: Vec<String>| titles.iter().cloned().zip(row).collect();
        let found: Vec<BTreeMap<String, String>> = rows.into_iter().map(object).collect();
        terminal::print([terminal::json(&found)?])?;
        return Ok(0);
    }
    let lines = match args.csv {
        true => rows.iter().map(|row| row.join(",")).collect(),
        false => aligned(0, 0, &rows),
    };
    terminal::print(lines)?;
    Ok(0)
}

/// `A..B` or a single number, up to `most`.
fn sides(text: &str, most: u32) -> Result<RangeInclusive<u32>, Refused> {
    let ends = range_in(&pasted(text)).or_else(|| integer(text).map(|n| [n, n]));
    match ends.map(|ends| ends.map(u32::try_from)) {
        Some([Ok(first), Ok(last)]) if 1 <= first && first <= last && last <= most => {
            Ok(first..=last)
        }
        _ => Err(Refused::new(format!(
            "--n {text}: expected N or A..B with A ≤ B, each an integer from 1 to {most}"
        ))),
    }
}

fn row(n: u32) -> Option<Vec<String>> {
    let [independent, distinct, per_row] = Definition::ALL.map(|definition| definition.at(n));
    let shown = |fraction: &Fraction| fraction.scientific(10);
    let independent = independent?;
    let inverse = independent.clone().inverse();
    Some(vec![
        n.to_string(),
        solution_count(n)?.to_string(),
        shown(&independent),
        inverse.map_or_else(|| "inf".to_owned(), |inverse| shown(&inverse)),
        shown(&distinct?),
        shown(&per_row?),
    ])
}

/// The classes of so many solutions, which must be as many as are known.
fn classes(n: u32, solutions: u64) -> anyhow::Result<Classes> {
    const FAULT: &str = "this program or this machine is at fault";
    if let Some(known) = solution_count(n).filter(|&known| known != solutions) {
        anyhow::bail!("{solutions} solutions, and OEIS A000170 has {known}: {FAULT}");
    }
    let classes = Classes::of(n as usize, solutions);
    classes.ok_or_else(|| anyhow::anyhow!("{solutions} solutions make no whole classes: {FAULT}"))
}

/// `12 fundamental solutions (11 of 8, 1 of 4)`.
fn in_words(classes: &Classes) -> String {
    let sizes = [
        (classes.of_eight, 8),
        (classes.of_four, 4),
        (classes.of_two, 2),
        (classes.of_one, 1),
    ];
    let words = |(n, size): &(u64, u32)| format!("{} of {size}", spaced(*n));
    let sizes = sizes.iter().filter(|it| it.0 > 0).map(words).join(", ");
    let all = text::counted(classes.n_classes(), "fundamental solution");
    match sizes.is_empty() {
        true => all,
        false => format!("{all} ({sizes})"),
    }
}
