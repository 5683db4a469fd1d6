//! The course of a trial: what happened on the way, apart from how it ended.
//!
//! A trial writes down what its [`Recording`] asks for, and nothing by default. Neither the streams
//! nor the outcome's facts depend on it.

/// What of its course a trial writes down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Recording<'a> {
    /// Numbers of updates after which the state is observed, strictly ascending; 0 is the start.
    pub moments: &'a [u64],
    /// True if every move of a queen is written down.
    pub moves: bool,
}

impl Recording<'_> {
    /// True if nothing is to be written down.
    pub fn is_empty(&self) -> bool {
        self.moments.is_empty() && !self.moves
    }
}

/// What a trial wrote down.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Course {
    /// The state at each moment of the recording up to the cutoff. After an absorption the state
    /// stands still, and the observations go on at all later moments, those after the cutoff
    /// included. (A plan asks for none after it.)
    pub series: Vec<Observation>,
    /// Every move of a queen, in the order in which they took place.
    pub moves: Vec<QueenMove>,
}

impl Course {
    /// Observations and moves.
    pub fn entries(&self) -> usize {
        self.series.len() + self.moves.len()
    }
}

/// Observables of the state after a number of updates (docs/rules.md). "True" means:
/// with true signals in the place of the stored ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Observation {
    /// Number of updates so far.
    pub update: u64,
    /// Pairs of a cell and a direction in which it has a neighbour: (4n − 2)(n − 1) · 2 of them.
    pub signals: u32,
    /// Signals whose stored value is true, rightly absent ones included.
    pub true_signals: u32,
    /// Queens on cells that are not SAFESTAY.
    pub threatened: u32,
    /// Queens on cells that truly are not SAFESTAY.
    pub attacked: u32,
    /// Empty cells without a stored signal.
    pub safe_cells: u32,
    /// Empty cells without a true signal.
    pub truly_safe_cells: u32,
    /// Ordered pairs of adjacent cells a, b with a threatened queen on a and SAFEGO(b, δ(a, b)).
    pub safe_moves: u32,
    /// Σ k(k − 1)/2 over all rows, columns and diagonals with k queens.
    pub conflicts: u32,
    /// Queen moves so far.
    pub moves: u64,
}

/// A move of a queen (docs/rules.md).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QueenMove {
    /// The update in which it took place, counted from 1: the state after so many updates has it.
    pub update: u64,
    /// Cell that it left: row · n + column.
    pub from: u32,
    /// Cell that it reached: row · n + column.
    pub to: u32,
    /// It needed its coin of ε.
    pub dangerous: bool,
    /// The queen's cell was SAFESTAY with true signals.
    pub needless: bool,
    /// SAFEGO of the destination differs between the stored and the true signals.
    pub deceived: bool,
    /// Queens on cells that are not SAFESTAY after the whole update.
    pub threatened: u32,
}

impl Observation {
    /// True if the observation is possible on a board of side n: no more queens, cells, signals,
    /// pairs and moves than there are.
    pub fn may_be(&self, n: u64) -> bool {
        let cells = n.saturating_mul(n);
        let lines = n.saturating_mul(n.saturating_sub(1)).saturating_mul(2);
        let bounds = [
            (self.threatened, n),
            (self.attacked, n),
            (self.safe_cells, cells),
            (self.truly_safe_cells, cells),
            (self.safe_moves, cells.saturating_mul(8)),
            (self.conflicts, lines),
            (self.signals, cells.saturating_mul(8)),
            (self.true_signals, self.signals.into()),
        ];
        let moves = self.update.saturating_mul(n);
        self.moves <= moves && bounds.iter().all(|&(it, most)| u64::from(it) <= most)
    }
}

impl QueenMove {
    /// True if the move is possible on a board of side n within this number of updates.
    pub fn may_be(&self, n: u64, updates: u64) -> bool {
        let cells = n.saturating_mul(n);
        let is_cell = |cell: u32| u64::from(cell) < cells;
        let is_move = self.from != self.to && is_cell(self.from) && is_cell(self.to);
        is_move && u64::from(self.threatened) <= n && (1..=updates).contains(&self.update)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNER: QueenMove = QueenMove {
        update: 7,
        from: 15,
        to: 10,
        dangerous: false,
        needless: false,
        deceived: false,
        threatened: 4,
    };

    #[test]
    fn a_move_stays_on_the_board_and_in_time() {
        assert!(CORNER.may_be(4, 7));
        for (n, updates) in [(3, 7), (4, 6)] {
            assert!(!CORNER.may_be(n, updates));
        }
        let slips: [fn(&mut QueenMove); 4] = [
            |it| it.update = 0,
            |it| it.to = 16,
            |it| it.to = 15,
            |it| it.threatened = 5,
        ];
        for slip in slips {
            let mut wrong = CORNER;
            slip(&mut wrong);
            assert!(!wrong.may_be(4, 7), "{wrong:?}");
        }
    }

    /// Four queens in one corner of a board of four: every pair of them shares a row, a column and
    /// two diagonals, which makes 24 conflicts, and no more is possible.
    #[test]
    fn an_observation_has_no_more_than_the_board() {
        let heap = Observation {
            update: 5,
            signals: 84,
            true_signals: 84,
            threatened: 4,
            attacked: 4,
            safe_cells: 15,
            truly_safe_cells: 6,
            safe_moves: 3,
            conflicts: 24,
            moves: 20,
        };
        assert!(heap.may_be(4) && heap.may_be(u64::MAX));
        let slips: [fn(&mut Observation); 6] = [
            |it| it.conflicts = 25,
            |it| it.true_signals = 85,
            |it| it.threatened = 5,
            |it| it.safe_cells = 17,
            |it| it.moves = 21,
            |it| it.safe_moves = u32::MAX,
        ];
        for slip in slips {
            let mut wrong = heap;
            slip(&mut wrong);
            assert!(!wrong.may_be(4), "{wrong:?}");
        }
    }
}
