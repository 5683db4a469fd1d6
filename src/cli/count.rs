//! `reines count`: the number of solutions, as fast as this machine counts.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::Common;
use super::Refused;
use super::number::whole;
use super::progress::{UNKNOWN, followed, work};
use super::signals;
use super::terminal::say;
use super::view::JsonOption;
use crate::solver::Control;
use crate::solver::density::{fundamental_count, solution_count};
use crate::solver::exact::methods::quadrants;
use crate::solver::exact::{Goal, SearchRequest, explore};

/// Count the solutions of the n-queens problem
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  reines count --n 12

On every processor, by joining quarters of the board without ever seeing a
solution; each n takes about five times as long as the one before. A solution
with its turns and mirror images is one fundamental solution; their number is
that of OEIS A002562.")]
pub struct Args {
    /// Board side and number of queens, to 27
    #[arg(long, value_name = "N")]
    n: String,
    #[command(flatten)]
    view: JsonOption,
}

/// The number of solutions, and what it took.
#[derive(Serialize)]
struct Counted {
    n: u32,
    solutions: u64,
    /// Solutions with their turns and mirror images.
    fundamental: u64,
    /// Sets of rows that were joined.
    sets: u64,
    seconds: f64,
    threads: usize,
}

pub fn run(args: &Args, _: &Common) -> anyhow::Result<u8> {
    let refused = |reason| Refused::new(format!("--n {}: {reason}", args.n));
    let n = whole(1..=quadrants::METHOD.n_max() as u32)(&args.n).map_err(refused)?;
    let request = SearchRequest {
        parallel: true,
        ..SearchRequest::new(n as usize, Goal::Count)
    };
    let (stop, done) = (signals::listen()?, &AtomicU64::new(0));
    let start = Instant::now();
    let total = quadrants::n_sets(n as usize) as f64;
    let so_far = |elapsed: Duration| {
        let share = done.load(Ordering::Relaxed) as f64 / total;
        let words = match share > 0.0 {
            true => work(share, elapsed.as_secs_f64() * (1.0 / share - 1.0)),
            false => UNKNOWN.to_owned(),
        };
        (share, words)
    };
    let counted = followed(&format!("S({n})"), so_far, || {
        let control = Control::new(stop, done);
        explore(&quadrants::METHOD, request, &mut |_| {}, &control)
    });
    let Ok((counts, _)) = counted else {
        say!("S({n}): interrupted; nothing was counted to the end");
        return Ok(signals::INTERRUPTED);
    };
    let seconds = start.elapsed().as_secs_f64();
    let solutions = counts.solutions;
    if let Some(known) = solution_count(n).filter(|&known| known != solutions) {
        anyhow::bail!(
            "{solutions} solutions, and OEIS A000170 has {known}: this program or this machine is at fault"
        );
    }
    let found = Counted {
        n,
        solutions,
        fundamental: fundamental_count(n).expect("the table has every n that is counted"),
        sets: counts.checks,
        seconds,
        threads: rayon::current_num_threads(),
    };
    args.view.print(&found, include_str!("count/count.txt"))?;
    Ok(0)
}
