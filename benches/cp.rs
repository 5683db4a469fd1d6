//! The constraint models against Choco 6, where `python3` can import pychoco; and first solutions
//! on large boards.
//!
//! The runs take turns, so that whatever else the machine does falls on all of them; each line
//! gives the shortest time of each and the median over the rounds of Choco's time / our time (above
//! 1: we are faster). Choco's time is that of its search; ours includes posting the model.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use reines::solver::cp::search::SearchObserver;
use reines::solver::cp::{Problem, solve};
use reines::solver::goal::Goal;
use reines::solver::outcome::Counts;
use reines::solver::rng::TrialStream;
use reines::solver::{Control, Ending, Point, Value};

/// Variant, constraints and branching as Choco's script names them.
const AGAINST_CHOCO: [(Goal, usize, &str, [&str; 2]); 4] = [
    (Goal::All, 12, "PN_PL", ["neq", "lexicographic"]),
    (Goal::All, 12, "PB_PL", ["bounds", "lexicographic"]),
    (Goal::All, 12, "PA_PL", ["domain", "lexicographic"]),
    (Goal::First, 200, "PA_PD", ["domain", "min-domain"]),
];
const ROUNDS: usize = 7;

/// The fastest on large boards: random branching with a domain-consistent permutation of columns.
/// Other variants may thrash there.
const LARGE: [(usize, &str); 4] = [
    (500, "PA_PR"),
    (500, "PS_PR"),
    (1000, "PA_PR"),
    (1000, "PS_PR"),
];
const TRIALS: u32 = 20;

fn main() {
    // `cargo test --benches` only wants to see that this compiles.
    if std::env::args().any(|argument| argument == "--bench") {
        race();
    }
}

fn race() {
    let has_choco = Command::new("python3")
        .args(["-c", "import pychoco"])
        .output()
        .is_ok_and(|output| output.status.success());
    if !has_choco {
        println!("SKIPPED: no comparison with Choco (python3 cannot import pychoco)");
    }
    for (goal, n, acronym, words) in AGAINST_CHOCO {
        let (mut ours, mut chocos) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let (counts, elapsed) = fastest(goal, n, acronym);
            ours.push(elapsed);
            if has_choco {
                let (solutions, elapsed) = choco(goal, n, words);
                assert_eq!(solutions, counts.solutions, "Choco disagrees");
                chocos.push(elapsed);
            }
        }
        print!(
            "{goal:?} n = {n:<4} {acronym} {:8.2} ms",
            milliseconds(shortest(&ours))
        );
        if has_choco {
            let ratios = chocos
                .iter()
                .zip(&ours)
                .map(|(choco, ours)| choco.as_secs_f64() / ours.as_secs_f64());
            print!(
                "  Choco {:8.2} ms  ratio {:.1}",
                milliseconds(shortest(&chocos)),
                median(ratios.collect())
            );
        }
        println!();
    }
    for (n, acronym) in LARGE {
        let times: Vec<f64> = (0..TRIALS)
            .map(|trial| milliseconds(search(Goal::First, n, acronym, trial).1))
            .collect();
        let longest = times.iter().copied().fold(0.0, f64::max);
        println!(
            "First n = {n:<4} {acronym} median {:.1} ms, longest {longest:.1} ms of {TRIALS} trials",
            median(times)
        );
    }
}

/// Shows the solutions to a function.
struct Visitor<F>(F);

impl<F: FnMut(&[u32])> SearchObserver for Visitor<F> {
    fn solution(&mut self, board: &[u32]) {
        (self.0)(board);
    }
}

/// One complete search, its model included; random branching draws from the stream of `trial`.
fn search(goal: Goal, n: usize, acronym: &str, trial: u32) -> (Counts, Duration) {
    let problem = Problem {
        n,
        variant: acronym.parse().expect("a variant"),
        goal,
        node_limit: u64::MAX,
    };
    let mut coins = TrialStream::new(
        "reines/bench/cp/1",
        7,
        &Point::new("cp", [("n", Value::Integer(n as u64))]),
        trial,
    );
    let mut columns = 0_u64;
    let mut visitor = Visitor(|board: &[u32]| columns += u64::from(board[0]));
    let start = Instant::now();
    let (counts, ending) =
        solve(&problem, &mut coins, &mut visitor, &Control::unstopped()).expect("no interrupt");
    let elapsed = start.elapsed();
    assert_ne!(ending, Ending::Censored);
    std::hint::black_box(columns);
    (counts, elapsed)
}

/// The counts and the shortest time of three runs, as Choco's script reports.
fn fastest(goal: Goal, n: usize, acronym: &str) -> (Counts, Duration) {
    (0..3)
        .map(|_| search(goal, n, acronym, 0))
        .min_by_key(|(_, elapsed)| *elapsed)
        .expect("three of them")
}

fn choco(goal: Goal, n: usize, words: [&str; 2]) -> (u64, Duration) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/rivals/choco.py");
    let goal = if goal == Goal::All { "all" } else { "first" };
    let output = Command::new("python3")
        .arg(script)
        .args([goal, &n.to_string()])
        .args(words)
        .output()
        .expect("python3 starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let (solutions, seconds) = text
        .trim()
        .split_once(' ')
        .expect("Choco prints two numbers");
    (
        solutions.parse().expect("a number of solutions"),
        Duration::from_secs_f64(seconds.parse().expect("seconds")),
    )
}

fn shortest(times: &[Duration]) -> Duration {
    times.iter().copied().min().unwrap_or_default()
}

fn milliseconds(time: Duration) -> f64 {
    1000.0 * time.as_secs_f64()
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
