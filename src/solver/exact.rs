//! The exhaustive methods of the source texts, side by side: how much work each does for the same
//! boards.
//!
//! A board is written as the texts write it, one queen per row: element r is the column of the
//! queen in row r, both counted from 0.
//!
//! # Adding a method
//! One file in `methods/` with a [`Method`], its `mod` line, and one line in [`methods::METHODS`].

pub(crate) mod algorithm;
pub mod methods;
pub mod symmetry;

mod search;

pub use self::search::{Halt, Search, SearchRequest};

pub use super::goal::Goal;

use super::{Control, Ending, Interrupted, Outcome};

/// A way of finding solutions of the n-queens problem; its goals say whether it finds them all.
#[derive(Debug, Clone, Copy)]
pub struct Method {
    /// Registry name.
    pub name: &'static str,
    /// [`Algorithm::definition`](super::Algorithm::definition).
    pub definition: u32,
    /// One line that says how the method works.
    pub doc: &'static str,
    /// The counts that the method fills, and what each means for it.
    pub measures: Measures,
    /// The goals that the method can be given.
    pub goals: &'static [Goal],
    /// Side of the largest board that the method takes.
    pub n_max: usize,
    /// Searches the n × n board to the end, and counts every check, node, failure and solution in
    /// the [`Search`]. An error of the search is passed on: the goal is reached, the cutoff is
    /// spent, or the search is to stop.
    pub search: fn(n: usize, search: &mut Search<'_>) -> Result<(), Halt>,
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
    /// The facts of a search, in the columns that the method fills.
    fn outcome(&self, &Exploration { ending, counts }: &Exploration) -> Outcome {
        Outcome {
            solutions: Some(counts.solutions),
            nodes: self.nodes.map(|_| counts.nodes),
            checks: self.checks.map(|_| counts.checks),
            failures: self.failures.map(|_| counts.failures),
            ..Outcome::ended(ending)
        }
    }
}

/// What a method counted; a count that its [`Measures`] leave out is 0 and means nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MethodCounts {
    /// Boards found, mirror images and rotations apart.
    pub solutions: u64,
    /// See [`Measures::nodes`].
    pub nodes: u64,
    /// See [`Measures::checks`].
    pub checks: u64,
    /// See [`Measures::failures`].
    pub failures: u64,
}

impl std::ops::AddAssign for MethodCounts {
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
    /// How the search ended.
    pub ending: Ending,
    /// What it counted.
    pub counts: MethodCounts,
}

/// Runs `method` on `request` and shows each board found to `visit` (none when the goal is
/// [`Goal::Count`]).
///
/// # Errors
/// [`Interrupted`] when `control` is stopped before the search has ended.
///
/// # Panics
/// When the method does not have the goal, or the board is larger than its limit.
pub fn explore(
    method: &Method,
    request: SearchRequest,
    visit: &mut dyn FnMut(&[usize]),
    control: &Control<'_>,
) -> Result<Exploration, Interrupted> {
    let (name, n) = (method.name, request.n);
    assert!(
        method.goals.contains(&request.goal),
        "{name} cannot be asked for {:?}",
        request.goal
    );
    assert!(
        n <= method.n_max,
        "{name} takes boards up to n = {}, not {n}",
        method.n_max
    );
    let mut search = Search::new(request, visit, control);
    let ending = match (method.search)(n, &mut search) {
        Ok(()) => Ending::Exhausted,
        Err(Halt::Found) => Ending::Solved,
        Err(Halt::Cutoff) => Ending::Censored,
        Err(Halt::Interrupted) => return Err(Interrupted),
    };
    Ok(Exploration {
        ending,
        counts: search.finish(),
    })
}

/// Every solution of the n × n board, in the order in which `method` finds them.
///
/// # Errors
/// [`Interrupted`] when `control` is stopped.
///
/// # Panics
/// As [`explore`].
pub fn all_boards(
    method: &Method,
    n: usize,
    control: &Control<'_>,
) -> Result<Vec<Vec<usize>>, Interrupted> {
    let mut boards = Vec::new();
    explore(
        method,
        SearchRequest::new(n, Goal::All),
        &mut |board| boards.push(board.to_vec()),
        control,
    )?;
    Ok(boards)
}
