//! `reines count`: the number of solutions, as fast as this machine counts.

mod underway;

use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

use clap::ValueEnum;
use serde_json::json;

use super::number::{threads, whole};
use super::run::stop_on_signals;
use super::terminal::{out, say};
use super::text::{self, spaced};
use super::{Refused, density};
use crate::solver::Control;
use crate::solver::density::solution_count;
use crate::solver::exact::methods::quadrants::{Classes, n_sets};
use crate::solver::exact::methods::{bitboard, quadrants};
use crate::solver::exact::{self, Goal, Request, explore};

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
    /// Board side and number of queens, to 32; with --density a range A..B, too
    #[arg(long, value_name = "N")]
    n: String,
    /// Print S(n), the density d(n) of solutions and 1/d(n), from exact fractions; to n = 27
    #[arg(long)]
    density: bool,
    /// With --density: print CSV
    #[arg(long, requires = "density")]
    csv: bool,
    /// How to count [default: quadrants, above n = 27 bitboard]
    #[arg(long, value_enum, hide = true)]
    method: Option<Method>,
    /// Threads that count, at most four per processor, or 64 [default: one per processor]
    #[arg(long, value_name = "K", value_parser = threads())]
    threads: Option<u16>,
    /// Print JSON: n, solutions, classes by their number of boards, method, checks, seconds,
    /// threads
    #[arg(long)]
    json: bool,
    /// No progress
    #[arg(long, short)]
    quiet: bool,
}

/// A method that counts on every thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Method {
    /// Quarters of the board joined to halves, and halves counted against each other
    Quadrants,
    /// Bit masks of columns and diagonals, row by row
    Bitboard,
}

impl Method {
    fn of(asked: Option<Self>, n: u32) -> Result<Self, Refused> {
        let largest = Self::Quadrants.entry().n_max;
        let fits = n as usize <= largest;
        match asked {
            Some(Self::Quadrants) if !fits => Err(Refused::new(format!(
                "--n {n}: quadrants takes boards up to n = {largest}; allowed is --method bitboard"
            ))),
            Some(method) => Ok(method),
            None if fits => Ok(Self::Quadrants),
            None => Ok(Self::Bitboard),
        }
    }

    fn entry(self) -> &'static exact::Method {
        match self {
            Self::Quadrants => &quadrants::METHOD,
            Self::Bitboard => &bitboard::METHOD,
        }
    }

    /// What it counts as its checks.
    fn checks(self) -> &'static str {
        match self {
            Self::Quadrants => "sets of rows",
            Self::Bitboard => "nodes",
        }
    }

    /// How many checks a count takes, where that is known.
    fn n_checks(self, n: u32) -> Option<u64> {
        (self == Self::Quadrants).then(|| n_sets(n as usize))
    }
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.density {
        return density::print(&args.n, args.csv);
    }
    let n = whole(1..=32u32)(&args.n);
    let n = n.map_err(|reason| Refused::new(format!("--n {}: {reason}", args.n)))?;
    let method = Method::of(args.method, n)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.map_or(0, usize::from))
        .build()?;
    let request = Request {
        parallel: true,
        ..Request::new(n as usize, Goal::Count)
    };
    let (stop, progress) = (stop_on_signals()?, AtomicU64::new(0));
    let start = Instant::now();
    let counted = underway::shown((n, args.quiet), method, &progress, || {
        let control = Control::new(stop, &progress);
        pool.install(|| explore(method.entry(), request, &mut |_| {}, &control))
    });
    let Ok(counted) = counted else {
        say!("S({}): interrupted; what was counted says nothing", n);
        return Ok(ExitCode::from(1));
    };
    let solutions = counted.counts.solutions;
    let classes = classes(n, solutions)?;
    let (checks, seconds) = (counted.counts.checks, start.elapsed().as_secs_f64());
    let (name, threads) = (method.entry().name, pool.current_num_threads());
    if args.json {
        let count = json!({
            "n": n,
            "solutions": solutions,
            // By the number of their boards.
            "classes": {
                "all": classes.n_classes(),
                "8": classes.of_eight,
                "4": classes.of_four,
                "2": classes.of_two,
                "1": classes.of_one,
            },
            "method": name,
            "checks": checks,
            "seconds": seconds,
            "threads": threads,
        });
        writeln!(out(), "{count}")?;
    } else {
        let (solutions, classes) = (spaced(solutions), in_words(&classes));
        let (checks, unit) = (spaced(checks), method.checks());
        let threads = text::counted(threads as u64, "thread");
        writeln!(
            out(),
            "S({n}) = {solutions}, {classes}; {name}, {checks} {unit}, {seconds:.3} s on {threads}"
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The classes of so many solutions, which must be as many as are known.
fn classes(n: u32, solutions: u64) -> anyhow::Result<Classes> {
    if let Some(known) = solution_count(n).filter(|&known| known != solutions) {
        anyhow::bail!(
            "{solutions} solutions, and OEIS A000170 has {known}: this program or this machine is at fault"
        );
    }
    let classes = Classes::of(n as usize, solutions);
    classes.ok_or_else(|| {
        anyhow::anyhow!(
            "{solutions} solutions make no whole classes: this program or this machine is at fault"
        )
    })
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
