//! `reines count`: the number of solutions, as fast as this machine counts.

mod underway;

use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

use clap::ValueEnum;
use serde::Serialize;

use super::BadInput;
use super::number::{threads, whole};
use super::run::stop_on_signals;
use super::terminal::{out, say};
use crate::solver::Control;
use crate::solver::density::solution_count;
use crate::solver::exact::methods::quadrants::{Classes, n_sets};
use crate::solver::exact::methods::{bitboard, quadrants};
use crate::solver::exact::{self, Goal, Request, explore};

/// Count the solutions of the n-queens problem
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  reines count --n 18\n  reines count --n 16 --method bitboard --json\n\n\
                  On every processor. `quadrants` joins quarters of the board and never sees a solution; `bitboard` visits half of the tree. \
                  Each n takes about five times as long as the one before (quadrants), or seven times. A class is a solution with its turns and mirror images."
)]
pub struct Args {
    /// Board side and number of queens
    #[arg(long, value_name = "N", value_parser = whole(1..=32u32))]
    n: u32,
    /// How to count [default: quadrants, above n = 27 bitboard]
    #[arg(long, value_enum)]
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
    fn of(args: &Args) -> Result<Self, BadInput> {
        let largest = Self::Quadrants.entry().n_max;
        let fits = args.n as usize <= largest;
        match args.method {
            Some(Self::Quadrants) if !fits => Err(BadInput(format!(
                "--n {}: quadrants takes boards up to n = {largest}; allowed is --method bitboard",
                args.n
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
    let method = Method::of(args)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.map_or(0, usize::from))
        .build()?;
    let request = Request {
        parallel: true,
        ..Request::new(args.n as usize, Goal::Count)
    };
    let (stop, progress) = (stop_on_signals()?, AtomicU64::new(0));
    let start = Instant::now();
    let counted = underway::shown(args, method, &progress, || {
        let control = Control::new(stop, &progress);
        pool.install(|| explore(method.entry(), request, &mut |_| {}, &control))
    });
    let Ok(counted) = counted else {
        say!("S({}): interrupted; what was counted says nothing", args.n);
        return Ok(ExitCode::from(1));
    };
    let solutions = counted.counts.solutions;
    let count = Count {
        n: args.n,
        solutions,
        classes: classes(args.n, solutions)?,
        method: method.entry().name,
        checks: counted.counts.checks,
        seconds: start.elapsed().as_secs_f64(),
        threads: pool.current_num_threads(),
    };
    if args.json {
        writeln!(out(), "{}", serde_json::to_string(&count)?)?;
    } else {
        writeln!(out(), "{}", count.in_words(method))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The classes of so many solutions, which must be as many as are known.
fn classes(n: u32, solutions: u64) -> anyhow::Result<BySize> {
    if let Some(known) = solution_count(n).filter(|&known| known != solutions) {
        anyhow::bail!(
            "{solutions} solutions, and OEIS A000170 has {known}: this program or this machine is at fault"
        );
    }
    let classes = Classes::of(n as usize, solutions);
    let classes = classes.ok_or_else(|| {
        anyhow::anyhow!(
            "{solutions} solutions make no whole classes: this program or this machine is at fault"
        )
    });
    classes.map(BySize::from)
}

/// What was counted.
#[derive(Debug, Serialize)]
struct Count {
    n: u32,
    solutions: u64,
    classes: BySize,
    method: &'static str,
    checks: u64,
    seconds: f64,
    threads: usize,
}

/// Classes by the number of their boards, and all of them.
#[derive(Debug, Serialize)]
struct BySize {
    all: u64,
    #[serde(rename = "8")]
    of_eight: u64,
    #[serde(rename = "4")]
    of_four: u64,
    #[serde(rename = "2")]
    of_two: u64,
    #[serde(rename = "1")]
    of_one: u64,
}

impl From<Classes> for BySize {
    fn from(classes: Classes) -> Self {
        Self {
            all: classes.n_classes(),
            of_eight: classes.of_eight,
            of_four: classes.of_four,
            of_two: classes.of_two,
            of_one: classes.of_one,
        }
    }
}

impl BySize {
    /// `12 classes (11 of 8 boards, 1 of 4)`.
    fn in_words(&self) -> String {
        let sizes = [
            (self.of_eight, 8),
            (self.of_four, 4),
            (self.of_two, 2),
            (self.of_one, 1),
        ];
        let sizes = sizes.iter().filter(|(n_classes, _)| *n_classes > 0);
        let sizes: Vec<String> = sizes.map(|(n, size)| format!("{n} of {size}")).collect();
        let noun = if self.all == 1 { "class" } else { "classes" };
        match sizes.as_slice() {
            [] => "no class".to_owned(),
            sizes => format!("{} {noun} ({})", self.all, sizes.join(", ")),
        }
    }
}

impl Count {
    fn in_words(&self, method: Method) -> String {
        let noun = if self.threads == 1 {
            "thread"
        } else {
            "threads"
        };
        format!(
            "S({}) = {}, {}; {}, {} {}, {:.3} s on {} {noun}",
            self.n,
            self.solutions,
            self.classes.in_words(),
            self.method,
            super::text::grouped(self.checks.into()),
            method.checks(),
            self.seconds,
            self.threads,
        )
    }
}
