//! The lattice: tokens, and the signals by which its cells judge them. Here are the numbers of rows
//! and columns, the random start, what a hole is and which token is threatened, when the tokens are
//! a product set, and which signals are true.

use crate::rng::RandomSource;

/// Number of a cell: row · columns + column, on a lattice with a border one cell wide around it.
pub(super) type LatticeCell = usize;

/// The four directions of a cell, each with its bit in a set of signals.
pub(super) const SMALLER_ROW: u8 = 1;
pub(super) const LARGER_ROW: u8 = 2;
pub(super) const SMALLER_COLUMN: u8 = 4;
pub(super) const LARGER_COLUMN: u8 = 8;

const ALONG_COLUMN: u8 = SMALLER_ROW | LARGER_ROW;
const ALONG_ROW: u8 = SMALLER_COLUMN | LARGER_COLUMN;

/// The state of one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct TokenState {
    pub tokens: u32,
    /// "There is a token somewhere in this direction": a bit for each.
    pub token_signals: u8,
    /// "There is a hole somewhere in this direction".
    pub hole_signals: u8,
}

impl TokenState {
    /// No token, a token signal along the column and one along the row.
    #[inline]
    pub fn is_hole(self) -> bool {
        self.tokens == 0
            && self.token_signals & ALONG_COLUMN != 0
            && self.token_signals & ALONG_ROW != 0
    }

    /// Two tokens or more, or one and a hole signal.
    #[inline]
    pub fn is_threatened(self) -> bool {
        self.tokens >= 2 || self.tokens == 1 && self.hole_signals != 0
    }
}

/// The lattice of a number N of L bits: rows i = 0 … L − 2, columns j = 0 … ⌈L/2⌉ − 1. A token on
/// (i, j) is worth 2^(i + j), and all together are worth N.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lattice {
    rows: usize,
    columns: usize,
    /// The states of the cells with a border, whose states are never written and stay empty.
    states: Box<[TokenState]>,
    /// The cells, row by row.
    cells: Box<[LatticeCell]>,
}

impl Lattice {
    /// The start of a trial: for each 1-bit k of the product, in increasing k, a token on a cell
    /// drawn uniformly among those with i + j = k, by increasing i; no signal.
    ///
    /// # Panics
    /// When the product is below 4: no lattice has a cell for each of its bits.
    pub fn random_start(product: u64, random: &mut impl RandomSource) -> Self {
        let mut lattice = Self::empty(product);
        let bits = (u64::BITS - product.leading_zeros()) as usize;
        for k in (0..bits).filter(|k| product >> k & 1 == 1) {
            // i from 0 or from where j is in the last column.
            let first = (k + 1).saturating_sub(lattice.columns);
            let last = k.min(lattice.rows - 1);
            let i = first + random.below((last - first + 1) as u64) as usize;
            let cell = lattice.cell(i, k - i);
            lattice.states[cell].tokens += 1;
        }
        lattice
    }

    /// The lattice for this product, without tokens.
    ///
    /// # Panics
    /// When the product is below 4.
    pub fn empty(product: u64) -> Self {
        assert!(
            product >= 4,
            "no lattice has cells for all bits of {product}"
        );
        let bits = (u64::BITS - product.leading_zeros()) as usize;
        let rows = bits - 1;
        let columns = bits.div_ceil(2);
        let width = columns + 2;
        let row = |i| (0..columns).map(move |j| (i + 1) * width + j + 1);
        Self {
            rows,
            columns,
            states: vec![TokenState::default(); (rows + 2) * width].into(),
            cells: (0..rows).flat_map(row).collect(),
        }
    }

    /// Number of rows: L − 1.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns: ⌈L/2⌉.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Number of tokens on (i, j).
    pub fn tokens(&self, i: usize, j: usize) -> u32 {
        self.states[self.cell(i, j)].tokens
    }

    /// The factors (a, b), if the tokens are a product set: one token on each cell whose row and
    /// column hold some, none elsewhere. a = Σ 2^i over its rows, b = Σ 2^j over its columns.
    pub fn factors(&self) -> Option<[u32; 2]> {
        let lines = self.lines();
        let is_right = |(i, j): (usize, usize)| {
            let in_set = lines.rows >> i & lines.columns >> j & 1;
            u64::from(self.tokens(i, j)) == in_set
        };
        let bits = |bits: u64| u32::try_from(bits).expect("fewer than 32 rows and columns");
        self.coordinates_of_cells()
            .all(is_right)
            .then(|| [bits(lines.rows), bits(lines.columns)])
    }

    /// The tokens are a product set and every signal is true: no update can change anything.
    pub fn is_absorbed(&self) -> bool {
        self.factors().is_some() && self.has_true_signals()
    }

    /// Every token signal and every hole signal is true.
    pub fn has_true_signals(&self) -> bool {
        self.states == self.with_true_signals().states
    }

    /// (i, j) of all cells, row by row.
    pub(super) fn coordinates_of_cells(&self) -> impl Iterator<Item = (usize, usize)> {
        let columns = self.columns;
        (0..self.rows).flat_map(move |i| (0..columns).map(move |j| (i, j)))
    }

    /// The cells, row by row.
    #[inline]
    pub(super) fn cells(&self) -> &[LatticeCell] {
        &self.cells
    }

    #[inline]
    pub(super) fn cell(&self, i: usize, j: usize) -> LatticeCell {
        (i + 1) * self.width() + j + 1
    }

    /// (i, j) of a cell that is not of the border.
    pub(super) fn coordinates(&self, cell: LatticeCell) -> (usize, usize) {
        (cell / self.width() - 1, cell % self.width() - 1)
    }

    /// The length of a row, border included.
    #[inline]
    pub(super) fn width(&self) -> usize {
        self.columns + 2
    }

    #[inline]
    pub(super) fn state(&self, cell: LatticeCell) -> TokenState {
        self.states[cell]
    }

    #[inline]
    pub(super) fn state_mut(&mut self, cell: LatticeCell) -> &mut TokenState {
        &mut self.states[cell]
    }

    /// The rows and columns that hold tokens.
    pub(super) fn lines(&self) -> LinesWithTokens {
        let mut lines = LinesWithTokens::default();
        for (i, j) in self
            .coordinates_of_cells()
            .filter(|&(i, j)| self.tokens(i, j) > 0)
        {
            lines.rows |= 1 << i;
            lines.columns |= 1 << j;
        }
        lines
    }

    /// Rewrites the eight signals of a cell from its neighbours.
    #[inline]
    pub(super) fn rewrite(&mut self, cell: LatticeCell) {
        let width = self.width();
        let neighbours = [
            (SMALLER_ROW, cell - width),
            (LARGER_ROW, cell + width),
            (SMALLER_COLUMN, cell - 1),
            (LARGER_COLUMN, cell + 1),
        ];
        let mut tokens = 0;
        let mut holes = 0;
        for (direction, neighbour) in neighbours {
            let state = self.states[neighbour];
            let all_if = |is: bool| 0_u8.wrapping_sub(u8::from(is));
            tokens |= direction & (all_if(state.tokens >= 1) | state.token_signals);
            holes |= direction & (all_if(state.is_hole()) | state.hole_signals);
        }
        let state = &mut self.states[cell];
        (state.token_signals, state.hole_signals) = (tokens, holes);
    }

    /// The same tokens, every signal true. Signals are taken over from the edges inwards, first
    /// those of tokens and then those of holes.
    fn with_true_signals(&self) -> Self {
        let mut truth = self.clone();
        for _ in 0..2 {
            let there_and_back = self.cells.iter().chain(self.cells.iter().rev());
            there_and_back.for_each(|&cell| truth.rewrite(cell));
        }
        truth
    }
}

/// The rows and columns that hold tokens: a bit for each.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LinesWithTokens {
    pub rows: u64,
    pub columns: u64,
}
