//! Measures how long the cell rule needs to leave the position of figure 7, which the source text
//! calls insoluble at η = 0.
//!
//! ```text
//! cargo run --release --example figure7 > docs/tables/figure-7.csv
//! ```
//!
//! Each run starts from the drawn position with true signals. Runs differ by their streams only:
//! domain tag `reines/figure-7/stepwise/1`, otherwise the encoding of `solver::rng`, so the table
//! is the same on every machine. Times are in updates, with 95 % intervals (the t interval of the
//! logarithm of the mean), as the tables of `reines report` have them. docs/rules.md says what
//! the table means. It takes about half a minute on one core.

mod position;

use reines::analysis::estimate::Estimate;
use reines::solver::local::rules::OnCells;
use reines::solver::local::sites::LocalRule as _;
use reines::solver::local::stepwise::Stepwise;
use reines::solver::rng::TrialStream;
use reines::solver::{Control, Interrupted, Outcome, Point, Value, process};

const DOMAIN: &str = "reines/figure-7/stepwise/1";
const SEED: u64 = 2012;
const RUNS: u32 = 200;
const EPSILON: f64 = 0.01;
const ETAS: [f64; 7] = [0.0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3];
/// About a hundred times the longest mean, so that hardly any run can be censored; the means of a
/// row with such a run are left empty.
const CUTOFF: u64 = 1_000_000_000;

fn main() -> Result<(), Interrupted> {
    println!("n,epsilon,eta,quantity,trials,censored,cutoff,mean,mean_low,mean_high");
    for eta in ETAS {
        let outcomes = (0..RUNS)
            .map(|run| outcome(eta, run))
            .collect::<Result<Vec<_>, _>>()?;
        let hitting = outcomes.iter().map(|outcome| outcome.hitting_time);
        print_row(eta, "hitting_time", &hitting.collect::<Vec<_>>());
        let absorption = outcomes.iter().map(|outcome| outcome.absorption_time);
        print_row(eta, "absorption_time", &absorption.collect::<Vec<_>>());
    }
    Ok(())
}

/// One run; a pure function of its arguments.
fn outcome(eta: f64, run: u32) -> Result<Outcome, Interrupted> {
    let start = position::drawn(position::FIGURE_7);
    let n = Value::Integer(start.board().n() as u64);
    let point = Point::new(
        "cell",
        [
            ("n", n),
            ("epsilon", Value::real(EPSILON)),
            ("eta", Value::real(eta)),
        ],
    );
    let rule = OnCells::at(&point, start.board());
    let control = Control::unstopped();
    let trial = Stepwise::begin(&rule, start, &control);
    let random = TrialStream::new(DOMAIN, SEED, &point, run);
    Ok(process::run(trial, CUTOFF, random, &control)?.0)
}

/// Mean and interval where every run ended.
fn print_row(eta: f64, quantity: &str, times: &[Option<u64>]) {
    let censored = times.iter().filter(|time| time.is_none()).count();
    let all: Option<Vec<u64>> = times.iter().copied().collect();
    let mean = all.map_or_else(
        || ",,".to_owned(),
        |times| {
            let mean = Estimate::mean(&times);
            format!("{:.5e},{:.5e},{:.5e}", mean.value, mean.low, mean.high)
        },
    );
    let n = position::FIGURE_7.len().isqrt();
    println!("{n},{EPSILON},{eta},{quantity},{RUNS},{censored},{CUTOFF},{mean}");
}
