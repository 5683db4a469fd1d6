//! Rows and the files that hold them.

use crate::solver::Ending;

/// A point as the results know it: the key columns that say what was run.
#[derive(Debug, Clone, PartialEq)]
pub struct PointKey {
    pub algorithm: String,
    /// Empty, or the variant's acronym.
    pub variant: String,
    /// Board side.
    pub n: u32,
    pub epsilon: Option<f64>,
    pub eta: Option<f64>,
}

/// One trial's row; the columns of `trials.parquet` that are not its point's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub seed: u64,
    pub trial: u32,
    pub ending: Ending,
    /// Updates allowed.
    pub cutoff: u64,
    /// Updates; `None` when censored.
    pub absorption_time: Option<u64>,
    /// Updates; `None` if never hit.
    pub hitting_time: Option<u64>,
    pub moves: Option<u64>,
    pub moves_at_hit: Option<u64>,
    /// Updates simulated.
    pub updates: u64,
    /// Final placement if it is a solution: the row of the queen in each column.
    pub solution: Option<Box<[u8]>>,
}

/// All rows of one point, ordered by seed, then trial.
#[derive(Debug, Clone, PartialEq)]
pub struct PointTrials {
    pub point: PointKey,
    pub rows: Vec<Row>,
}
