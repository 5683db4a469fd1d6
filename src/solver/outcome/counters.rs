//! What is counted on the way of a trial: the work of a search, and the moves of a trial whose
//! queens move, up to its hit and its end. Decided here: when a move counts up to the hit, what an
//! entry into a solution is, and which facts of a search reach its row. Which kinds a move is of
//! (dangerous, unnecessary, misinformed) is decided in `local/observe.rs`.

use super::{Column, Ending, Outcome};

/// What a search counted. A count that its algorithm does not list among its columns is 0 and means
/// nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Boards found, mirror images and rotations apart.
    pub solutions: u64,
    /// Nodes of the search tree.
    pub nodes: u64,
    /// Elementary steps.
    pub checks: u64,
    /// What turned out not to lead to a solution.
    pub failures: u64,
}

impl Counts {
    /// The facts of a search that ended so, in those of these columns that are counts.
    pub fn outcome(&self, ending: Ending, columns: &[Column]) -> Outcome {
        let is_listed = |name| columns.iter().any(|column| column.name == name);
        Outcome {
            solutions: is_listed("solutions").then_some(self.solutions),
            nodes: is_listed("nodes").then_some(self.nodes),
            checks: is_listed("checks").then_some(self.checks),
            failures: is_listed("failures").then_some(self.failures),
            ..Outcome::ended(ending)
        }
    }
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.solutions += other.solutions;
        self.nodes += other.nodes;
        self.checks += other.checks;
        self.failures += other.failures;
    }
}

/// The kinds of a move; it may be of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kinds {
    /// It needed its coin of ε.
    pub dangerous: bool,
    /// Nothing would have threatened the mover with true signals in place of the stored ones.
    pub needless: bool,
    /// The destination would have been judged otherwise with true signals in place of the stored
    /// ones.
    pub deceived: bool,
}

/// Counts of one trial so far.
#[derive(Debug, Clone, Default)]
pub struct Counters {
    /// Moves so far.
    pub moves: u64,
    dangerous: u64,
    needless: u64,
    deceived: u64,
    entries: u64,
    /// Hitting time and moves up to it.
    pub hit: Option<(u64, u64)>,
    in_solution: bool,
}

impl Counters {
    /// The counters of a trial at time 0, in a solution or not.
    pub fn at_start(is_solution: bool) -> Self {
        let mut counters = Self::default();
        counters.placed(is_solution, 0);
        counters
    }

    /// Counts a move.
    #[inline]
    pub fn moved(&mut self, kinds: Kinds) {
        self.moves += 1;
        self.dangerous += u64::from(kinds.dangerous);
        self.needless += u64::from(kinds.needless);
        self.deceived += u64::from(kinds.deceived);
    }

    /// Notes whether the positions after the update that ends at `time` are a solution.
    #[inline]
    pub fn placed(&mut self, is_solution: bool, time: u64) {
        self.entries += u64::from(is_solution && !self.in_solution);
        self.in_solution = is_solution;
        if is_solution && self.hit.is_none() {
            self.hit = Some((time, self.moves));
        }
    }

    /// The positions are a solution at present.
    pub fn in_solution(&self) -> bool {
        self.in_solution
    }

    /// The facts of a trial that ends at `time`, absorbed or at its cutoff, without its solution.
    pub fn outcome(&self, absorbed: bool, time: u64) -> Outcome {
        let ending = if absorbed {
            Ending::Absorbed
        } else {
            Ending::Censored
        };
        Outcome {
            absorption_time: absorbed.then_some(time),
            hitting_time: self.hit.map(|(time, _)| time),
            moves: Some(self.moves),
            moves_at_hit: self.hit.map(|(_, moves)| moves),
            updates: Some(time),
            dangerous_moves: Some(self.dangerous),
            needless_moves: Some(self.needless),
            deceived_moves: Some(self.deceived),
            entries: Some(self.entries),
            ..Outcome::ended(ending)
        }
    }
}
