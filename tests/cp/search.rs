//! The search itself: limits, interruption, what it tells.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use reines::solver::cp::branching::Decision;
use reines::solver::cp::domain::Domains;
use reines::solver::cp::search::{SearchObserver, SearchStep};
use reines::solver::cp::{Problem, solve};
use reines::solver::goal::Goal;
use reines::solver::{Control, Ending};

use super::{coins, run, variant};

#[test]
fn node_limit_is_exact() {
    for acronym in ["PN_PL", "PA_PD", "ABSDW", "AA_DC"] {
        let variant = variant(acronym);
        let (all, _) = run(8, variant, Goal::All, u64::MAX, &mut ());
        let enough = run(8, variant, Goal::All, all.nodes, &mut ());
        assert_eq!(enough, (all, Ending::Exhausted), "{acronym}");
        for limit in [0, 1, 100, all.nodes - 1] {
            let (counts, ending) = run(8, variant, Goal::All, limit, &mut ());
            let found = (counts.nodes, ending);
            assert_eq!(found, (limit, Ending::Censored), "{acronym}");
        }
        let (first, _) = run(8, variant, Goal::First, u64::MAX, &mut ());
        assert_eq!(first.solutions, 1);
        let limited = |limit| run(8, variant, Goal::First, limit, &mut ());
        assert_eq!(limited(first.nodes), (first, Ending::Solved));
        assert_eq!(limited(first.nodes - 1).1, Ending::Censored);
    }
}

/// Remembers everything that it is told.
#[derive(Default)]
struct Log {
    steps: Vec<(SearchStep, usize)>,
    boards: usize,
}

impl SearchObserver for Log {
    fn step(&mut self, step: SearchStep, depth: usize, _: &Domains) {
        self.steps.push((step, depth));
    }

    fn solution(&mut self, _: &[u32]) {
        self.boards += 1;
    }
}

/// n = 4 by hand: below C_0 = 0, C_1 = 2 and C_1 = 3 both fail; C_0 = 1 leaves one board, and so
/// does C_0 = 2; C_0 = 3 is C_0 = 0 mirrored.
#[test]
fn four_queens_step_by_step() {
    let mut log = Log::default();
    let (counts, _) = run(4, variant("PN_PL"), Goal::All, u64::MAX, &mut log);
    let found = (counts.solutions, counts.nodes, counts.failures);
    assert_eq!((found, counts.checks, log.boards), ((2, 7, 4), 0, 2));
    let told = log.steps.iter().map(|&(step, depth)| line(step, depth));
    let told: Vec<String> = told.collect();
    let expected = "0 fixed point;1 0=0;1 fixed point;2 1=2;2 failure;1 1≠2;1 failure;0 0≠0;0 fixed point;1 0=1;1 fixed point;1 solution;\
                    0 0≠1;0 fixed point;1 0=2;1 fixed point;1 solution;0 0≠2;0 fixed point;1 1=0;1 failure;0 1≠0;0 failure";
    assert_eq!(told.join(";"), expected);
}

fn line(step: SearchStep, depth: usize) -> String {
    let told = |it: Decision, sign| format!("{}{sign}{}", it.variable.index(), it.value);
    let what = match step {
        SearchStep::Decision(decision) => told(decision, '='),
        SearchStep::Refutation(decision) => told(decision, '≠'),
        SearchStep::FixedPoint => "fixed point".to_owned(),
        SearchStep::Failure => "failure".to_owned(),
        SearchStep::Solution => "solution".to_owned(),
    };
    format!("{depth} {what}")
}

/// Every node is counted for the progress display, and a search that is to stop soon does.
#[test]
fn progress_counts_nodes_and_the_stop_flag_stops() {
    let search = |n, stop| {
        let (stop, updates) = (AtomicBool::new(stop), AtomicU64::new(0));
        let problem = Problem {
            n,
            variant: variant("PN_PL"),
            goal: Goal::Count,
            node_limit: u64::MAX,
        };
        let control = Control::new(&stop, &updates);
        let found = solve(&problem, &mut coins("stop", 0), &mut (), &control);
        (found.map(|it| it.0.nodes), updates.load(Ordering::Relaxed))
    };
    let (nodes, counted) = search(8, false);
    assert_eq!(nodes, Ok(counted));
    let (stopped, counted) = search(12, true);
    assert!(stopped.is_err() && counted < Control::POLL_INTERVAL);
}
