//! The constraint kernel: all solutions at n = 12, and first solutions on large boards.
//!
//! `benches/rivals/choco.py` times Choco 6 on the same models, where pychoco can be imported: compare them in one sitting on one machine.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use reines::solver::cp::search::{End, Goal};
use reines::solver::cp::{Problem, solve};
use reines::solver::rng::TrialStream;
use reines::solver::{Control, Point, Value};

/// One search, complete; random branching draws a new trial's stream each time.
fn search(n: usize, acronym: &str, goal: Goal, trial: u32) -> u64 {
    let (stop, updates) = (AtomicBool::new(false), AtomicU64::new(0));
    let problem = Problem { n, variant: acronym.parse().expect("a variant"), goal, node_limit: u64::MAX };
    let point = Point::new("cp", [("n", Value::Integer(n as u64))]);
    let mut coins = TrialStream::new("reines/bench/cp/1", 7, &point, trial);
    let (counts, end) = solve(&problem, &mut coins, &mut (), &Control::new(&stop, &updates)).expect("nobody interrupts");
    assert_eq!(end, End::Complete);
    counts.solutions
}

fn all_solutions(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("cp/all/n=12");
    for acronym in ["PN_PL", "PB_PL", "PA_PL", "PS_PL", "PN_PD", "AN_DC"] {
        group.bench_function(acronym, |bencher| bencher.iter(|| assert_eq!(black_box(search(12, acronym, Goal::All, 0)), 14_200)));
    }
}

/// PA_PD at n = 200 is deterministic; random branching with domain consistency (PA_PR) solves the larger boards in each of its trials.
fn first_solution(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("cp/first");
    for (n, acronym) in [(200, "PA_PD"), (500, "PA_PR"), (1000, "PA_PR"), (1000, "PS_PR")] {
        let mut trial = 0;
        group.bench_function(format!("{acronym}/n={n}"), |bencher| {
            bencher.iter(|| {
                trial += 1;
                black_box(search(n, acronym, Goal::First, trial))
            });
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(5));
    targets = all_solutions, first_solution
}
criterion_main!(benches);
