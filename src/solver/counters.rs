//! What is counted in a trial: moves by their kinds, the hit, and entries into solutions
//! (docs/rules.md).

use super::{Ending, Outcome};

/// Of which kinds a move is; it may be of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kinds {
    /// It needed its coin of ε.
    pub dangerous: bool,
    /// With true signals in the place of the stored ones nothing would have threatened the mover.
    pub needless: bool,
    /// With true signals in the place of the stored ones the destination would have been judged
    /// otherwise.
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
    /// Of a trial that starts at time 0, in a solution or not.
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
