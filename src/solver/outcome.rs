//! What one trial gave: how it ended and the facts that its row keeps.

use super::goal::SearchCounts;

/// A column of the results as an algorithm fills it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Name in `trials.parquet`.
    pub name: &'static str,
    /// `updates`, `moves`, …; empty for what has none.
    pub unit: &'static str,
    /// What it means for the algorithm.
    pub doc: &'static str,
}

/// How a trial ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Reached an absorbed configuration within the cutoff.
    Absorbed,
    /// Still running at its cutoff.
    Censored,
    /// Searched to the end: what was found is all there is.
    Exhausted,
    /// Found the one board that was wanted.
    Solved,
    /// Had neither ended nor reached its cutoff at its time limit. Depends on the machine.
    TimedOut,
}

impl Ending {
    /// Word in the `outcome` column.
    pub fn name(self) -> &'static str {
        match self {
            Self::Absorbed => "absorbed",
            Self::Censored => "censored",
            Self::Exhausted => "exhausted",
            Self::Solved => "solved",
            Self::TimedOut => "timed-out",
        }
    }

    /// Whether the trial was stopped before its end: what it counted is a lower bound.
    pub fn is_cut_off(self) -> bool {
        matches!(self, Self::Censored | Self::TimedOut)
    }

    /// The ending of this name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        [
            Self::Absorbed,
            Self::Censored,
            Self::Exhausted,
            Self::Solved,
            Self::TimedOut,
        ]
        .into_iter()
        .find(|ending| ending.name() == name)
    }
}

/// The facts of one trial; `None` where a column does not apply or the event did not happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// How the trial ended.
    pub ending: Ending,
    /// Updates until absorption.
    pub absorption_time: Option<u64>,
    /// Updates until the positions first formed a solution.
    pub hitting_time: Option<u64>,
    /// Queen moves up to min(absorption, cutoff).
    pub moves: Option<u64>,
    /// Queen moves up to the hit, the move that hits included.
    pub moves_at_hit: Option<u64>,
    /// Updates simulated: the absorption time or the cutoff.
    pub updates: Option<u64>,
    /// Final placement if it is a solution, or the first board of a search for one: the row of the
    /// queen in each column.
    pub solution: Option<Box<[u32]>>,
    /// What a search counted.
    pub counts: SearchCounts,
}

impl Outcome {
    /// An ending without any other fact.
    pub fn ended(ending: Ending) -> Self {
        Self {
            ending,
            absorption_time: None,
            hitting_time: None,
            moves: None,
            moves_at_hit: None,
            updates: None,
            solution: None,
            counts: SearchCounts::default(),
        }
    }
}
