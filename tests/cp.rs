//! The constraint kernel from outside: propagators against enumeration, solutions against an
//! independent search, decisions against their definition, counts against Choco.

mod branchings;
mod choco;
mod propagators;
mod search;
mod solutions;

use reines::solver::cp::search::SearchObserver;
use reines::solver::cp::variant::Variant;
use reines::solver::cp::{Problem, solve};
use reines::solver::goal::Goal;
use reines::solver::outcome::Counts;
use reines::solver::rng::TrialStream;
use reines::solver::{Control, Ending, Point};

/// Seeded random numbers of a test.
fn coins(test: &'static str, trial: u32) -> TrialStream {
    TrialStream::new("reines/test/cp/1", 7, &Point::new(test, []), trial)
}

/// Shows the solutions to a function.
struct Visitor<F>(F);

impl<F: FnMut(&[u32])> SearchObserver for Visitor<F> {
    fn solution(&mut self, board: &[u32]) {
        (self.0)(board);
    }
}

/// An uninterrupted search.
fn run(
    n: usize,
    variant: Variant,
    goal: Goal,
    node_limit: u64,
    observer: &mut impl SearchObserver,
) -> (Counts, Ending) {
    let problem = Problem {
        n,
        variant,
        goal,
        node_limit,
    };
    solve(
        &problem,
        &mut coins("search", n as u32),
        observer,
        &Control::unstopped(),
    )
    .expect("no interrupt")
}

fn variant(acronym: &str) -> Variant {
    acronym.parse().expect("a variant")
}
