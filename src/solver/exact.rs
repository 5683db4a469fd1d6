//! The exhaustive methods of the source texts, side by side: how much work each does for the same
//! boards.
//!
//! A board is written as the texts write it, one queen per row: element r is the column of the
//! queen in row r, both counted from 0.
//!
//! # Adding a method
//! One file with a type that implements [`Exhaustive`], its `mod` line, and one line in
//! [`METHODS`].

pub mod algorithm;
pub mod search;
pub mod symmetry;

mod depth_first;

mod pieces;

pub mod attacks;
pub mod backtracking;
pub mod bitboard;
pub mod cells;
pub mod construction;
pub mod fill;
pub mod heap;
pub mod lines;
pub mod partial_lists;
pub mod permutations;
pub mod rows;

pub use self::pieces::Pieces;
pub use self::search::{Halt, Search};

pub use super::goal::Goal;

use super::board::N_MAX;
use super::{Control, Ending, Interrupted, Outcome};

/// Every exhaustive method, one line each.
pub const METHODS: &[&dyn Exhaustive] = &[
    &attacks::Attacks,
    &backtracking::Backtracking,
    &bitboard::Bitboard,
    &cells::Cells::ANY,
    &cells::Cells::DISTINCT,
    &construction::Construction,
    &fill::Fill,
    &heap::Heap,
    &lines::Lines,
    &partial_lists::PartialLists,
    &permutations::Permutations,
    &rows::Rows,
];

/// The method of this registry name, if there is one.
pub fn method(name: &str) -> Option<&'static dyn Exhaustive> {
    METHODS.iter().copied().find(|method| method.name() == name)
}

/// A way of finding solutions of the n-queens problem; its goals say whether it finds them all.
pub trait Exhaustive: Sync {
    /// Registry name.
    fn name(&self) -> &'static str;

    /// One line that says how the method works.
    fn doc(&self) -> &'static str;

    /// Which counts the method fills, and what each means for it.
    fn measures(&self) -> Measures;

    /// The goals that the method can be given.
    fn goals(&self) -> &'static [Goal] {
        &Goal::EVERY
    }

    /// Side of the largest board that the method takes.
    fn n_max(&self) -> usize {
        N_MAX
    }

    /// Searches the n × n board to the end, telling `search` of every check, node, failure and
    /// solution.
    ///
    /// # Errors
    /// What `search` answers: the goal is reached, the cutoff is spent, or somebody asked to stop.
    fn search(&self, n: usize, search: &mut Search<'_>) -> Result<(), Halt>;
}

/// The meaning of each count for one method; `None` where the method does not fill it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measures {
    /// Nodes of the search tree.
    pub nodes: Option<&'static str>,
    /// The elementary step in which the method's cost, and a cutoff, is expressed.
    pub checks: Option<&'static str>,
    /// What turned out not to lead to a solution.
    pub failures: Option<&'static str>,
}

impl Measures {
    /// The facts of a search that has ended so, in the columns that the method fills.
    pub fn outcome(&self, counts: &Counts, ending: Ending) -> Outcome {
        Outcome {
            solutions: Some(counts.solutions),
            nodes: self.nodes.map(|_| counts.nodes),
            checks: self.checks.map(|_| counts.checks),
            failures: self.failures.map(|_| counts.failures),
            ..Outcome::ended(ending)
        }
    }
}

/// What is asked of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// Side of the board, and number of queens; 0 has the empty board as its one solution.
    pub n: usize,
    pub goal: Goal,
    /// Checks allowed: a search that needs one more ends as censored, with exactly this many.
    pub cutoff: u64,
    /// The method may use every thread of the present Rayon pool. The counts are the same with one.
    pub parallel: bool,
}

impl Request {
    /// No cutoff, one thread.
    pub fn new(n: usize, goal: Goal) -> Self {
        Self {
            n,
            goal,
            cutoff: u64::MAX,
            parallel: false,
        }
    }
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Searched to the end: what was found is all there is.
    Exhausted,
    /// Stopped at its first solution, as it was meant to.
    Solved,
    /// Stopped at its cutoff: what was found is a lower bound.
    Censored,
}

/// What a search counted; a count that the method's [`Measures`] leave out is 0 and means nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Boards found, mirror images and rotations apart.
    pub solutions: u64,
    pub nodes: u64,
    pub checks: u64,
    pub failures: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.solutions += other.solutions;
        self.nodes += other.nodes;
        self.checks += other.checks;
        self.failures += other.failures;
    }
}

/// The facts of one search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exploration {
    pub end: End,
    pub counts: Counts,
}

/// Runs `method` on `request` and shows each board found to `visit` (none when the goal is
/// [`Goal::Count`]).
///
/// # Errors
/// [`Interrupted`] when `control` asks to stop before the search has ended.
///
/// # Panics
/// When the method does not know the goal or the board is larger than it takes.
pub fn explore(
    method: &dyn Exhaustive,
    request: Request,
    visit: &mut dyn FnMut(&[usize]),
    control: &Control<'_>,
) -> Result<Exploration, Interrupted> {
    let (name, n) = (method.name(), request.n);
    assert!(
        method.goals().contains(&request.goal),
        "{name} cannot be asked for {:?}",
        request.goal
    );
    assert!(
        n <= method.n_max(),
        "{name} takes boards up to n = {}, not {n}",
        method.n_max()
    );
    let mut search = Search::new(method.measures(), request, visit, control);
    let end = match method.search(n, &mut search) {
        Ok(()) => End::Exhausted,
        Err(Halt::Found) => End::Solved,
        Err(Halt::Cutoff) => End::Censored,
        Err(Halt::Interrupted) => return Err(Interrupted),
    };
    Ok(Exploration {
        end,
        counts: search.finish(),
    })
}

/// Every solution of the n × n board, in the order in which `method` finds them.
///
/// # Errors
/// [`Interrupted`] when `control` asks to stop.
///
/// # Panics
/// As [`explore`].
pub fn all_boards(
    method: &dyn Exhaustive,
    n: usize,
    control: &Control<'_>,
) -> Result<Vec<Vec<usize>>, Interrupted> {
    let mut boards = Vec::new();
    explore(
        method,
        Request::new(n, Goal::All),
        &mut |board| boards.push(board.to_vec()),
        control,
    )?;
    Ok(boards)
}

/// A board as the results have it: the searches give the column of the queen in each row.
pub fn rows_of_columns(board: &[usize]) -> Box<[u32]> {
    let mut rows = vec![0; board.len()];
    for (row, &column) in board.iter().enumerate() {
        rows[column] = u32::try_from(row).expect("boards are far smaller than 2³²");
    }
    rows.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// What is shared by the methods, hence no method.
    const SHARED: [&str; 5] = ["algorithm", "depth_first", "pieces", "search", "symmetry"];

    #[test]
    fn every_file_is_registered() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/solver/exact");
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .expect("the sources are where the tests were built")
            .map(|entry| entry.expect("a readable folder").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
            .map(|path| {
                path.file_stem()
                    .expect("a file has a name")
                    .to_string_lossy()
                    .into_owned()
            })
            .filter(|stem| !SHARED.contains(&stem.as_str()))
            .map(|stem| stem.replace('_', "-"))
            .collect();
        let names: BTreeSet<String> = METHODS
            .iter()
            .map(|method| method.name().to_owned())
            .filter(|name| name != "distinct-cells")
            .collect();
        assert_eq!(names, files);
    }

    #[test]
    fn methods_are_found_by_name() {
        assert!(
            METHODS.iter().all(
                |listed| method(listed.name()).is_some_and(|found| found.doc() == listed.doc())
            )
        );
        assert!(method("bogo").is_none());
    }
}
