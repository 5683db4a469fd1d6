//! `quadrants` and `bitboard` against a plain C bit-mask counter, one thread and two; and what
//! `lines` and both need at n = 12.
//!
//! The runs take turns, so that whatever else the machine does falls on all of them; each line
//! gives the shortest time of each and the median over the rounds of the other's time / the
//! method's own (above 1: the method is faster).

mod rival;

use std::time::{Duration, Instant};

use reines::solver::Control;
use reines::solver::exact::methods::METHODS;
use reines::solver::exact::{Goal, SearchRequest, explore};

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
    for name in ["lines", "bitboard", "quadrants"] {
        let times: Vec<Duration> = (0..AT_TWELVE).map(|_| count(name, 12, false).1).collect();
        println!("n = 12  {name:<9} {:.4} s", shortest(&times).as_secs_f64());
    }
}

/// What the rounds took: the C program, and each method on one thread and on two.
#[derive(Default)]
struct Times {
    c: Vec<Duration>,
    bitboard: [Vec<Duration>; 2],
    quadrants: [Vec<Duration>; 2],
}

fn compare(n: usize, rounds: usize, rival: Option<&Rival>) {
    let two = rayon::ThreadPoolBuilder::new()
        .num_threads(2)
        .build()
        .expect("two threads");
    let mut times = Times::default();
    for _ in 0..rounds {
        let mut found = Vec::new();
        for (name, times) in [
            ("bitboard", &mut times.bitboard),
            ("quadrants", &mut times.quadrants),
        ] {
            let alone = count(name, n, false);
            let together = two.install(|| count(name, n, true));
            for ((solutions, time), times) in [alone, together].into_iter().zip(times) {
                found.push(solutions.to_string());
                times.push(time);
            }
        }
        if let Some(rival) = rival {
            let (printed, time) = rival.run(&[&n.to_string()]);
            found.push(printed);
            times.c.push(time);
        }
        let is_same = found.iter().all(|it| *it == found[0]);
        assert!(is_same, "two counters, two counts: a time means nothing");
    }
    times.print(n);
}

impl Times {
    fn print(&self, n: usize) {
        for (name, [alone, together]) in
            [("bitboard", &self.bitboard), ("quadrants", &self.quadrants)]
        {
            print!(
                "n = {n}  {name:<9} one thread {:.4} s, two {:.4} s (gain {:.2})",
                shortest(alone).as_secs_f64(),
                shortest(together).as_secs_f64(),
                median_ratio(alone, together),
            );
            if name == "quadrants" {
                let [one, two] =
                    [0, 1].map(|at| median_ratio(&self.bitboard[at], &self.quadrants[at]));
                print!("; bitboard / one {one:.2}, bitboard on two / two {two:.2}");
            }
            if !self.c.is_empty() {
                let [one, two] = [alone, together].map(|own| median_ratio(&self.c, own));
                let c = shortest(&self.c).as_secs_f64();
                print!("; C {c:.4} s; C / one {one:.2}, C / two {two:.2}");
            }
            println!();
        }
    }
}

fn count(name: &str, n: usize, parallel: bool) -> (u64, Duration) {
    let method = METHODS
        .iter()
        .find(|method| method.algorithm.name == name)
        .expect("a registered method");
    let request = SearchRequest {
        parallel,
        ..SearchRequest::new(n, Goal::Count)
    };
    let start = Instant::now();
    let (counts, _) =
        explore(method, request, &mut |_| {}, &Control::unstopped()).expect("no stop");
    (counts.solutions, start.elapsed())
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
