//! What an update of a cell does: its signals, then one move that keeps the sum of the tokens.

use super::lattice::{
    LARGER_COLUMN, LARGER_ROW, Lattice, LatticeCell, LinesWithTokens, SMALLER_COLUMN, SMALLER_ROW,
};
use crate::solver::outcome::Kinds;
use crate::solver::rng::{Chance, RandomSource};

/// A move of a token of some cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TokenMove {
    /// The cell from which a second token is taken: the cell itself or one of equal worth beside
    /// it.
    with: Option<LatticeCell>,
    to: LatticeCell,
    /// The cell to which the second half of a split token goes.
    and_to: Option<LatticeCell>,
}

/// Each kind has a number of moves that it can make.
const KINDS: usize = 3;

impl Lattice {
    /// Draws a cell, rewrites its signals and, if it holds a threatened token, tries one move.
    /// Returns the kinds of the move that took place.
    #[inline]
    pub(super) fn update(
        &mut self,
        epsilon: Chance,
        random: &mut impl RandomSource,
    ) -> Option<Kinds> {
        let cell = self.cells()[random.below(self.cells().len() as u64) as usize];
        self.rewrite(cell);
        if self.state(cell).is_threatened() {
            self.try_move(cell, epsilon, random)
        } else {
            None
        }
    }

    /// The kind of move is uniform among those with at least one move, the move uniform among those
    /// of its kind. It takes place for certain if its targets are holes, else with probability ε.
    fn try_move(
        &mut self,
        cell: LatticeCell,
        epsilon: Chance,
        random: &mut impl RandomSource,
    ) -> Option<Kinds> {
        let counts = [
            self.slides(cell).count(),
            self.splits(cell).count(),
            self.merges(cell).count(),
        ];
        let possible = (0..KINDS).filter(|&kind| counts[kind] > 0);
        let n_possible = possible.clone().count() as u64;
        if n_possible == 0 {
            return None;
        }
        let kind = possible.clone().nth(random.below(n_possible) as usize)?;
        let rank = random.below(counts[kind] as u64) as usize;
        let chosen = match kind {
            0 => self.slides(cell).nth(rank),
            1 => self.splits(cell).nth(rank),
            _ => self.merges(cell).nth(rank),
        }?;
        let is_certain = is_certain_where(chosen, |target| self.state(target).is_hole());
        if !is_certain && !random.flip(epsilon) {
            return None;
        }
        let lines = self.lines();
        let kinds = Kinds {
            dangerous: !is_certain,
            needless: self.state(cell).tokens == 1 && !self.sees_a_hole(cell, lines),
            deceived: is_certain != is_certain_where(chosen, |at| self.is_true_hole(at, lines)),
        };
        self.make(cell, chosen);
        Some(kinds)
    }

    fn make(&mut self, cell: LatticeCell, TokenMove { with, to, and_to }: TokenMove) {
        for from in [Some(cell), with].into_iter().flatten() {
            self.state_mut(from).tokens -= 1;
        }
        for target in [Some(to), and_to].into_iter().flatten() {
            self.state_mut(target).tokens += 1;
        }
    }

    /// Returns the moves to the cells of equal worth beside it.
    fn slides(&self, cell: LatticeCell) -> impl Iterator<Item = TokenMove> + use<> {
        self.neighbours(cell).map(|to| TokenMove {
            with: None,
            to,
            and_to: None,
        })
    }

    /// Into two of half the worth: every ordered choice of their cells.
    fn splits(&self, cell: LatticeCell) -> impl Iterator<Item = TokenMove> + use<> {
        let below = self.below(cell);
        below.clone().flat_map(move |to| {
            let second = below.clone();
            second.map(move |and_to| TokenMove {
                with: None,
                to,
                and_to: Some(and_to),
            })
        })
    }

    /// Two tokens of equal worth into one of double worth, on a cell beside both: two of the same
    /// cell first.
    fn merges(&self, cell: LatticeCell) -> impl Iterator<Item = TokenMove> {
        let is_shared = self.state(cell).tokens >= 2;
        let above = self.above(cell).filter(move |_| is_shared);
        let own = above.map(move |to| (cell, to));
        let others = self
            .neighbours(cell)
            .filter(|&other| self.state(other).tokens >= 1)
            // Of the two, the one in the larger row is in the smaller column: beside both is the
            // cell of that row and of the other's column.
            .map(move |other| (other, cell.max(other) + 1));
        own.chain(others).map(|(with, to)| TokenMove {
            with: Some(with),
            to,
            and_to: None,
        })
    }

    /// The cells (i + 1, j − 1) and (i − 1, j + 1).
    fn neighbours(&self, cell: LatticeCell) -> impl Iterator<Item = LatticeCell> + Clone + use<> {
        let diagonal = self.width() - 1;
        self.inside(cell, LARGER_ROW | SMALLER_COLUMN, cell + diagonal)
            .chain(self.inside(cell, SMALLER_ROW | LARGER_COLUMN, cell - diagonal))
    }

    /// The cells (i − 1, j) and (i, j − 1).
    fn below(&self, cell: LatticeCell) -> impl Iterator<Item = LatticeCell> + Clone + use<> {
        self.inside(cell, SMALLER_ROW, cell - self.width())
            .chain(self.inside(cell, SMALLER_COLUMN, cell - 1))
    }

    /// The cells (i + 1, j) and (i, j + 1).
    fn above(&self, cell: LatticeCell) -> impl Iterator<Item = LatticeCell> + Clone + use<> {
        self.inside(cell, LARGER_ROW, cell + self.width())
            .chain(self.inside(cell, LARGER_COLUMN, cell + 1))
    }

    /// `target`, which is one step in these directions, if that is on the lattice.
    fn inside(
        &self,
        cell: LatticeCell,
        directions: u8,
        target: LatticeCell,
    ) -> impl Iterator<Item = LatticeCell> + Clone + use<> {
        let (i, j) = self.coordinates(cell);
        let is_edge = |direction: u8| match direction {
            SMALLER_ROW => i == 0,
            LARGER_ROW => i + 1 == self.rows(),
            SMALLER_COLUMN => j == 0,
            _ => j + 1 == self.columns(),
        };
        let all = [SMALLER_ROW, LARGER_ROW, SMALLER_COLUMN, LARGER_COLUMN];
        let mut wanted = all
            .into_iter()
            .filter(|direction| directions & direction != 0);
        (!wanted.any(is_edge)).then_some(target).into_iter()
    }

    /// An empty cell with tokens in its row and its column.
    fn is_true_hole(&self, cell: LatticeCell, lines: LinesWithTokens) -> bool {
        let (i, j) = self.coordinates(cell);
        self.state(cell).tokens == 0 && lines.rows >> i & lines.columns >> j & 1 == 1
    }

    /// Returns whether the row or the column of a token has a true hole.
    fn sees_a_hole(&self, cell: LatticeCell, lines: LinesWithTokens) -> bool {
        let (i, j) = self.coordinates(cell);
        let row = (0..self.columns()).map(|j| self.cell(i, j));
        let column = (0..self.rows()).map(|i| self.cell(i, j));
        row.chain(column).any(|cell| self.is_true_hole(cell, lines))
    }
}

/// Returns whether a move needs no coin: each of its targets is a hole, and a split has two
/// different ones.
fn is_certain_where(chosen: TokenMove, is_hole: impl Fn(LatticeCell) -> bool) -> bool {
    is_hole(chosen.to)
        && chosen
            .and_to
            .is_none_or(|second| second != chosen.to && is_hole(second))
}
