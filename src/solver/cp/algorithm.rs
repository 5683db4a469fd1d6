//! The constraint models as an algorithm of the registry. Decided here: its one axis (the greatest
//! n, 2000), its columns and their meanings in `trials.parquet` and `reines list`, and which
//! acronyms draw at random. The acronyms are in `variant.rs`.

use super::search::SearchObserver;
use super::variant::{VARIANTS, Variant};
use super::{Problem, solve};
use crate::algorithm::LENGTHS_OF_SEARCHES;
use crate::goal::Goal;
use crate::outcome::rows_of_columns;
use crate::rng::TrialStream;
use crate::{Algorithm, Axis, Column, Control, Course, Outcome, Point, Prepared};

/// The lab's algorithms, one for each acronym.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "cp",
    doc: "constraint models: propagation to the fixed point after each decision, depth first, binary branching",
    axes: AXES,
    variants: Some(&VARIANTS),
    is_search: true,
    cutoff_unit: "nodes",
    lengths: LENGTHS_OF_SEARCHES,
    columns: COLUMNS,
    part: "cp",
    prepare: &|point, _| prepare(point.clone()),
    ..Algorithm::UNNAMED
};

/// Domain tag of the streams that random branching draws from; nothing else draws.
const DOMAIN_TAG: &str = "reines/cp/1";

/// Four times the largest board of the texts; the differences of the naive model take 0.8 GB there,
/// those of the primal-dual model 0.3 GB.
const N_MAX: u64 = 2000;

const AXES: &[Axis] = &[Axis::side(N_MAX)];

const COLUMNS: &[Column] = &[
    Column::named("solution"),
    Column::named("solutions").meaning(
        "boards found, each of its n! labellings with the naive model, one of each mirrored pair with symmetry; a lower bound when censored",
    ),
    Column::named("nodes").meaning(
        "inner nodes and solutions of the search tree, each propagated to the fixed point",
    ),
    Column::named("failures").meaning("inconsistent leaves of the search tree"),
];

/// Draws only where the branching is random.
fn prepare(point: Point) -> Prepared {
    let variant: Result<Variant, _> = point.variant.parse();
    let variant = variant.expect("a plan is made of checked variants");
    let goal = point.goal.unwrap_or_default();
    Box::new(move |key, cutoff, control| {
        let mut coins = TrialStream::new(DOMAIN_TAG, key.seed, &point, key.trial);
        let problem = Problem {
            n: point.side(),
            variant,
            goal,
            node_limit: cutoff,
        };
        let mut witness = Witness {
            first: None,
            goal,
            control,
        };
        let (counts, ending) = solve(&problem, &mut coins, &mut witness, control)?;
        let outcome = Outcome {
            solution: witness.first,
            ..counts.outcome(ending, COLUMNS)
        };
        Ok((outcome, Course::default()))
    })
}

/// Keeps the first board, and shows all.
struct Witness<'a> {
    first: Option<Box<[u32]>>,
    goal: Goal,
    control: &'a Control<'a>,
}

impl SearchObserver for Witness<'_> {
    fn solution(&mut self, board: &[u32]) {
        let rows = || {
            let columns: Vec<usize> = board.iter().map(|&column| column as usize).collect();
            rows_of_columns(&columns)
        };
        match self.goal {
            Goal::First => self.first = Some(rows()),
            Goal::All | Goal::Count => self.control.show(rows),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::searched;
    use crate::{Ending, Value, algorithm};

    fn point(variant: &str, n: u64, goal: Goal) -> Point {
        Point {
            variant: variant.into(),
            goal: Some(goal),
            ..Point::new("cp", [("n", Value::Integer(n))])
        }
    }

    /// The columns 1, 3, 0, 2 of the lines 0 to 3 come first; seen by columns, the queens stand in
    /// the rows 2, 0, 3, 1.
    #[test]
    fn boards_are_told_by_columns() {
        let (outcome, boards) = searched(&point("PN_PL", 4, Goal::All), (1, 0), 1000);
        assert_eq!(
            (outcome.ending, outcome.solutions, outcome.solution),
            (Ending::Exhausted, Some(2), None)
        );
        assert_eq!(boards, [[2, 0, 3, 1], [1, 3, 0, 2]]);
        let (outcome, boards) = searched(&point("PN_PL", 4, Goal::First), (1, 0), 1000);
        assert_eq!(
            (outcome.ending, outcome.solution),
            (Ending::Solved, Some([2, 0, 3, 1].into()))
        );
        assert!(boards.is_empty());
    }

    /// The numbers of the models' description: 507 nodes and 324 failures at n = 8.
    #[test]
    fn counts_and_cutoffs_reach_the_row() {
        let counted = |cutoff| {
            let (outcome, boards) = searched(&point("PN_PL", 8, Goal::Count), (1, 0), cutoff);
            assert!(boards.is_empty() && outcome.checks.is_none() && outcome.updates.is_none());
            (
                outcome.ending,
                outcome.solutions,
                outcome.nodes,
                outcome.failures,
            )
        };
        assert_eq!(
            counted(507),
            (Ending::Exhausted, Some(92), Some(507), Some(324))
        );
        let (ending, _, nodes, _) = counted(506);
        assert_eq!((ending, nodes), (Ending::Censored, Some(506)));
    }

    #[test]
    fn random_branching_alone_depends_on_seed_and_trial() {
        let nodes = |variant, seed, trial| {
            searched(&point(variant, 20, Goal::First), (seed, trial), 1 << 20).0
        };
        assert_eq!(nodes("PN_PR", 1, 0), nodes("PN_PR", 1, 0));
        assert_ne!(nodes("PN_PR", 1, 0), nodes("PN_PR", 1, 1));
        assert_ne!(nodes("PN_PR", 1, 0), nodes("PN_PR", 2, 0));
        assert_eq!(nodes("PN_PD", 1, 0), nodes("PN_PD", 2, 1));
        let cp = algorithm("cp").expect("registered");
        assert_eq!(
            ["PN_PR", "AA_DR", "PN_PL", "AA_DC"].map(|variant| cp.is_random(variant)),
            [true, true, false, false]
        );
    }
}
