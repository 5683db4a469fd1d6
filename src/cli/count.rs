//! `reines count`: the number of solutions, as fast as this machine counts.

mod underway;

use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

use super::number::whole;
use super::run::stop_on_signals;
use super::terminal::{out, say};
use super::text::{self, spaced};
use super::{Refused, density};
use crate::solver::Control;
use crate::solver::density::solution_count;
use crate::solver::exact::methods::quadrants::{self, Classes};
use crate::solver::exact::{Goal, Request, explore};

/// Count the solutions of the n-queens problem
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines count --n 12
  reines count --density --n 4..12

On every processor, by joining quarters of the board without ever seeing a
solution; each n takes about five times as long as the one before. A class is a
solution with its turns and mirror images.

--density: d(n) = S(n) n! / n^(2n), the share of solutions among n queens on
independent uniform cells: the start of the local rules. distinct: S(n) /
C(n^2, n), on distinct cells. per row: S(n) / n^n, one queen in each row. S(n)
is OEIS A000170.")]
pub struct Args {
    /// Board side and number of queens, to 27; with --density a range A..B, too
    #[arg(long, value_name = "N")]
    n: String,
    /// Print S(n), the density d(n) of solutions and 1/d(n), from exact fractions
    #[arg(long)]
    density: bool,
    /// With --density: print CSV
    #[arg(long, requires = "density")]
    csv: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.density {
        return density::print(&args.n, args.csv);
    }
    let n = whole(1..=quadrants::METHOD.n_max as u32)(&args.n);
    let n = n.map_err(|reason| Refused::new(format!("--n {}: {reason}", args.n)))?;
    let request = Request {
        parallel: true,
        ..Request::new(n as usize, Goal::Count)
    };
    let (stop, progress) = (stop_on_signals()?, AtomicU64::new(0));
    let start = Instant::now();
    let counted = underway::shown(n, &progress, || {
        let control = Control::new(stop, &progress);
        explore(&quadrants::METHOD, request, &mut |_| {}, &control)
    });
    let Ok(counted) = counted else {
        say!("S({n}): interrupted; what was counted says nothing");
        return Ok(ExitCode::from(1));
    };
    let classes = in_words(&classes(n, counted.counts.solutions)?);
    let [solutions, sets] = [counted.counts.solutions, counted.counts.checks].map(spaced);
    let seconds = start.elapsed().as_secs_f64();
    let threads = text::counted(rayon::current_num_threads() as u64, "thread");
    writeln!(
        out(),
        "S({n}) = {solutions}, {classes}; {sets} sets of rows, {seconds:.3} s on {threads}"
    )?;
    Ok(ExitCode::SUCCESS)
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

/// `12 classes (11 of 8, 1 of 4)`.
fn in_words(classes: &Classes) -> String {
    let sizes = [
        (classes.of_eight, 8),
        (classes.of_four, 4),
        (classes.of_two, 2),
        (classes.of_one, 1),
    ];
    let sizes = sizes.iter().filter(|(n_classes, _)| *n_classes > 0);
    let sizes: Vec<String> = sizes
        .map(|(n, size)| format!("{} of {size}", spaced(*n)))
        .collect();
    match (classes.n_classes(), sizes.join(", ")) {
        (0, _) => "no class".to_owned(),
        (1, sizes) => format!("1 class ({sizes})"),
        (all, sizes) => format!("{} classes ({sizes})", spaced(all)),
    }
}
