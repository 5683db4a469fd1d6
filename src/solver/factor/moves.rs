//! What an update of a cell does: its signals, then one move that keeps the sum of the tokens.
//! Decided here: the three kinds of moves (slide, split, merge), with which probability each is
//! tried, which need no coin of ε, and which moves count as dangerous or misinformed.

use super::lattice::{
    LARGER_COLUMN, LARGER_ROW, Lattice, LatticeCell, LinesWithTokens, SMALLER_COLUMN, SMALLER_ROW,
};
use crate::outcome::Kinds;
use crate::rng::{Chance, RandomSource};

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

/// The moves of one kind: at most 4.
type MovesOfKind = [Option<TokenMove>; 4];

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
        let kinds = [self.slides(cell), self.splits(cell), self.merges(cell)];
        let count = |moves: &MovesOfKind| moves.iter().flatten().count() as u64;
        let possible = kinds.iter().filter(|moves| count(moves) > 0);
        let n_possible = possible.clone().count() as u64;
        if n_possible == 0 {
            return None;
        }
        let moves = possible.clone().nth(random.below(n_possible) as usize)?;
        let rank = random.below(count(moves)) as usize;
        let chosen = moves.iter().copied().flatten().nth(rank)?;
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

    /// A move goes to the cells of equal worth beside it.
    fn slides(&self, cell: LatticeCell) -> MovesOfKind {
        let slide = |to: LatticeCell| TokenMove {
            with: None,
            to,
            and_to: None,
        };
        let [first, second] = self.neighbours(cell).map(|to| to.map(slide));
        [first, second, None, None]
    }

    /// A token splits into two of half the worth: every ordered choice of their cells.
    fn splits(&self, cell: LatticeCell) -> MovesOfKind {
        let split = |to: Option<LatticeCell>, and_to: Option<LatticeCell>| {
            Some(TokenMove {
                with: None,
                to: to?,
                and_to: Some(and_to?),
            })
        };
        let [p, q] = self.below(cell);
        [split(p, p), split(p, q), split(q, p), split(q, q)]
    }

    /// Two tokens of equal worth into one of double worth, on a cell beside both: two of the same
    /// cell first.
    fn merges(&self, cell: LatticeCell) -> MovesOfKind {
        let merge = |with: LatticeCell, to: LatticeCell| TokenMove {
            with: Some(with),
            to,
            and_to: None,
        };
        let is_shared = self.state(cell).tokens >= 2;
        let above = self.above(cell).map(|to| to.filter(|_| is_shared));
        let [p, q] = above.map(|to| Some(merge(cell, to?)));
        let has_token = |&other: &LatticeCell| self.state(other).tokens >= 1;
        let others = self.neighbours(cell).map(|other| other.filter(has_token));
        // Of the two, the one in the larger row is in the smaller column: beside both is the cell
        // of that row and of the other's column.
        let [r, s] = others.map(|other| Some(merge(other?, cell.max(other?) + 1)));
        [p, q, r, s]
    }

    /// The cells (i + 1, j − 1) and (i − 1, j + 1), where they are on the lattice.
    fn neighbours(&self, cell: LatticeCell) -> [Option<LatticeCell>; 2] {
        let edges = self.edges(cell);
        let diagonal = self.width() - 1;
        [
            (edges & (LARGER_ROW | SMALLER_COLUMN) == 0).then_some(cell + diagonal),
            (edges & (SMALLER_ROW | LARGER_COLUMN) == 0).then_some(cell - diagonal),
        ]
    }

    /// The cells (i − 1, j) and (i, j − 1), where they are on the lattice.
    fn below(&self, cell: LatticeCell) -> [Option<LatticeCell>; 2] {
        let edges = self.edges(cell);
        [
            (edges & SMALLER_ROW == 0).then_some(cell - self.width()),
            (edges & SMALLER_COLUMN == 0).then_some(cell - 1),
        ]
    }

    /// The cells (i + 1, j) and (i, j + 1), where they are on the lattice.
    fn above(&self, cell: LatticeCell) -> [Option<LatticeCell>; 2] {
        let edges = self.edges(cell);
        [
            (edges & LARGER_ROW == 0).then_some(cell + self.width()),
            (edges & LARGER_COLUMN == 0).then_some(cell + 1),
        ]
    }

    /// The directions in which the lattice ends at a cell.
    fn edges(&self, cell: LatticeCell) -> u8 {
        let (i, j) = self.coordinates(cell);
        let if_edge = |is_edge: bool, direction: u8| if is_edge { direction } else { 0 };
        if_edge(i == 0, SMALLER_ROW)
            | if_edge(i + 1 == self.rows(), LARGER_ROW)
            | if_edge(j == 0, SMALLER_COLUMN)
            | if_edge(j + 1 == self.columns(), LARGER_COLUMN)
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
