//! `bitboard` against a plain C bit-mask counter, one thread and two; and what `lines` and
//! `bitboard` need at n = 12.
//!
//! The runs take turns, so that whatever else the machine does falls on all of them; each line
//! gives the shortest time of each and the median over the rounds of rival's time / our time (above
//! 1: we are faster).

mod rival;

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

use reines::solver::Control;
use reines::solver::exact::methods::METHODS;
use reines::solver::exact::{Goal, Request, explore};

use crate::rival::Rival;

/// (n, rounds).
const AGAINST_C: [(usize, usize); 3] = [(14, 15), (15, 9), (16, 5)];
const AT_TWELVE: usize = 11;

fn main() {
    // `cargo test --benches` only wants to see that this compiles.
    if std::env::args().any(|argument| argument == "--bench") {
        race();
    }
}

fn race() {
    let rival = Rival::compile("count");
    for (n, rounds) in AGAINST_C {
        compare(n, rounds, rival.as_ref());
    }
    for name in ["lines", "bitboard"] {
        let times: Vec<Duration> = (0..AT_TWELVE).map(|_| count(name, 12, false).1).collect();
        println!("n = 12  {name:<9} {:.4} s", shortest(&times).as_secs_f64());
    }
}

fn compare(n: usize, rounds: usize, rival: Option<&Rival>) {
    let two = rayon::ThreadPoolBuilder::new()
        .num_threads(2)
        .build()
        .expect("two threads");
    let (mut c, mut alone, mut together) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        let (solutions, time) = count("bitboard", n, false);
        alone.push(time);
        together.push(two.install(|| count("bitboard", n, true)).1);
        if let Some(rival) = rival {
            let (printed, time) = rival.run(&[&n.to_string()]);
            assert_eq!(
                printed,
                solutions.to_string(),
                "two counters, two counts: a time means nothing"
            );
            c.push(time);
        }
    }
    let seconds = |times: &[Duration]| shortest(times).as_secs_f64();
    print!(
        "n = {n}  one thread {:.4} s, two {:.4} s (gain {:.2})",
        seconds(&alone),
        seconds(&together),
        median_ratio(&alone, &together)
    );
    if c.is_empty() {
        println!();
    } else {
        println!(
            "; C {:.4} s; C / one {:.2}, C / two {:.2}",
            seconds(&c),
            median_ratio(&c, &alone),
            median_ratio(&c, &together)
        );
    }
}

fn count(name: &str, n: usize, parallel: bool) -> (u64, Duration) {
    let (stop, progress) = (AtomicBool::new(false), AtomicU64::new(0));
    let method = METHODS
        .iter()
        .find(|method| method.name == name)
        .expect("a registered method");
    let request = Request {
        parallel,
        ..Request::new(n, Goal::Count)
    };
    let start = Instant::now();
    let explored = explore(
        method,
        request,
        &mut |_| {},
        &Control::new(&stop, &progress),
    )
    .expect("nobody asks to stop");
    (explored.counts.solutions, start.elapsed())
}

fn shortest(times: &[Duration]) -> Duration {
    times.iter().copied().min().expect("at least one round")
}

fn median_ratio(over: &[Duration], under: &[Duration]) -> f64 {
    let mut ratios: Vec<f64> = over
        .iter()
        .zip(under)
        .map(|(over, under)| over.as_secs_f64() / under.as_secs_f64())
        .collect();
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}
