//! `reines count`: the number of solutions, as fast as this machine counts.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Instant;

use super::number::{threads, whole};
use super::text::grouped;
use crate::solver::Control;
use crate::solver::density::solution_count;
use crate::solver::exact::methods::bitboard;
use crate::solver::exact::{Goal, Request, explore};

/// Count the solutions of the n-queens problem
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  reines count --n 16\n\nBit masks and the mirror symmetry, on every processor. Each n takes about seven times as long as the one before."
)]
pub struct Args {
    /// Board side and number of queens
    #[arg(long, value_name = "N", value_parser = whole(1..=32u32))]
    n: u32,
    /// Threads that count, at most four per processor, or 64 [default: one per processor]
    #[arg(long, value_name = "K", value_parser = threads())]
    threads: Option<u16>,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.map_or(0, usize::from))
        .build()?;
    let request = Request {
        parallel: true,
        ..Request::new(args.n as usize, Goal::Count)
    };
    let (stop, progress) = (AtomicBool::new(false), AtomicU64::new(0));
    let start = Instant::now();
    let counts = pool
        .install(|| {
            explore(
                &bitboard::METHOD,
                request,
                &mut |_| {},
                &Control::new(&stop, &progress),
            )
        })?
        .counts;
    let seconds = start.elapsed().as_secs_f64();
    let (solutions, nodes, threads) = (
        counts.solutions,
        grouped(counts.nodes.into()),
        pool.current_num_threads(),
    );
    let noun = if threads == 1 { "thread" } else { "threads" };
    let mut out = io::stdout();
    writeln!(
        out,
        "S({}) = {solutions}, {nodes} nodes, {seconds:.3} s on {threads} {noun}",
        args.n
    )?;
    match solution_count(args.n) {
        Some(known) if known != solutions => {
            anyhow::bail!("OEIS A000170 has {known}: this program or this machine is at fault")
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}
