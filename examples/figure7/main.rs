//! Measures how long the cell rule needs to leave the position of figure 7, which the source text
//! calls insoluble at η = 0.
//!
//! ```text
//! cargo run --release --example figure7
//! ```
//!
//! Each run starts from the drawn position with true signals. Runs differ by their streams only:
//! domain tag `reines/figure-7/stepwise/1`, otherwise the encoding of `solver::rng`, so the table
//! is the same on every machine. Times are in updates, with 95 % intervals (the t interval of the
//! logarithm of the mean). docs/models.md says what the table means. It takes about half a minute
//! on one core.

mod position;

use std::sync::atomic::{AtomicBool, AtomicU64};

use reines::analysis::mean::{Interval, Mean};
use reines::solver::local::rule::LocalRule as _;
use reines::solver::local::rules::cell::CellRule;
use reines::solver::local::stepwise;
use reines::solver::rng::TrialStream;
use reines::solver::{Control, Interrupted, Outcome, Point, Value};

const DOMAIN: &str = "reines/figure-7/stepwise/1";
const SEED: u64 = 2012;
const RUNS: u32 = 200;
const EPSILON: f64 = 0.01;
const ETAS: [f64; 3] = [0.0, 0.01, 0.1];
/// About a hundred times the longest mean, so that hardly any run can be censored; one that is
/// would be told, not averaged.
const CUTOFF: u64 = 1_000_000_000;

fn main() -> Result<(), Interrupted> {
    println!(
        "Cell rule from figure 7 with true signals: n = 6, ε = {EPSILON}, {RUNS} runs per η, updates with 95 % intervals"
    );
    println!("| η | hitting time | absorption time |");
    println!("|---|---|---|");
    for eta in ETAS {
        let outcomes = (0..RUNS)
            .map(|run| outcome(eta, run))
            .collect::<Result<Vec<_>, _>>()?;
        let hitting = cell(outcomes.iter().map(|outcome| outcome.hitting_time));
        let absorption = cell(outcomes.iter().map(|outcome| outcome.absorption_time));
        println!("| {eta} | {hitting} | {absorption} |");
    }
    Ok(())
}

/// One run; a pure function of its arguments.
fn outcome(eta: f64, run: u32) -> Result<Outcome, Interrupted> {
    let start = position::drawn(position::FIGURE_7);
    let n = Value::Integer(start.board().n() as u64);
    let point = Point::new(
        CellRule::NAME,
        [
            ("n", n),
            ("epsilon", Value::real(EPSILON)),
            ("eta", Value::real(eta)),
        ],
    );
    let rule = CellRule::at(&point, start.board());
    let (stop, updates) = (AtomicBool::new(false), AtomicU64::new(0));
    stepwise::run(
        &rule,
        start,
        CUTOFF,
        TrialStream::new(DOMAIN, SEED, &point, run),
        &Control::new(&stop, &updates),
    )
}

/// Mean and interval, or the number of runs that did not end.
fn cell(times: impl Iterator<Item = Option<u64>>) -> String {
    let times: Vec<Option<u64>> = times.collect();
    match times.iter().copied().collect::<Option<Vec<u64>>>() {
        Some(ended) => {
            let mean = Mean::of(&ended);
            let Interval { low, high } = mean.interval();
            format!("{:.3e} ({low:.3e} – {high:.3e})", mean.value)
        }
        None => format!(
            "{} of {} runs censored at {CUTOFF}",
            times.iter().filter(|time| time.is_none()).count(),
            times.len()
        ),
    }
}
