//! The traps of the cell rule at η = 0, if all signals were true at every move: positions from
//! which no solution can be reached, whatever the coins say. Prints CSV, a row for each n, in half
//! a minute on one core with 2 GB.
//!
//! ```text
//! cargo run --release --example traps > docs/tables/traps.csv
//! ```
//!
//! A position is a number of queens on each cell; all of them are enumerated. From a position any
//! threatened queen may move to any neighbouring cell that minimises ω: infinite where a queen
//! stands, else the number of signals there (all neighbours where all have queens). With ε > 0 each
//! such move has a probability above 0. Solutions stay. A position is trapped if no path leads from
//! it to a solution; a closed set is a set of positions that is never left and whose positions lead
//! to each other (a strongly connected component without an exit).

mod graph;
mod positions;

use graph::Graph;
use positions::Positions;

fn main() {
    println!(
        "n,positions,solutions,trapped,share_of_starts,closed_sets,largest_closed_set,reaches_a_trap"
    );
    for n in 4..=6 {
        let positions = Positions::new(n);
        let graph = Graph::of(positions.len(), |index| positions.moves(index));
        let solutions: Vec<u32> = (0..positions.len() as u32)
            .filter(|&index| positions.is_solution(index))
            .collect();
        let solved = graph.leading_to(&solutions);
        let trapped: Vec<u32> = (0..positions.len() as u32)
            .filter(|&index| !solved[index as usize])
            .collect();
        let may_be_trapped = graph.leading_to(&trapped);
        let share = |holds: &dyn Fn(usize) -> bool| -> f64 {
            let weights = (0..positions.len()).filter(|&index| holds(index));
            weights.fold(0.0, |sum, index| sum + positions.probability(index as u32))
        };
        let closed = graph.closed_sets(&trapped);
        println!(
            "{n},{},{},{},{:.6e},{},{},{:.6e}",
            positions.len(),
            solutions.len(),
            trapped.len(),
            share(&|index| !solved[index]),
            closed.len(),
            closed.iter().max().copied().unwrap_or(0),
            share(&|index| may_be_trapped[index]),
        );
    }
}
