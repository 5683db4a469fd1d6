//! The masks of a row, which move one column along for the next.

/// What the queens above leave of a row: bit c is set where column c is taken by …
#[derive(Debug, Clone, Copy)]
pub(crate) struct Masks {
    /// … a queen in this column, or by the edge of the board: columns from n on are taken.
    pub columns: u32,
    /// … a diagonal that runs towards higher columns.
    pub rising: u32,
    /// … a diagonal that runs towards lower columns.
    pub falling: u32,
}

impl Masks {
    /// The first row of an empty board.
    ///
    /// # Panics
    /// When n > 32.
    pub fn empty(n: usize) -> Self {
        assert!(
            n <= u32::BITS as usize,
            "a row of {n} columns does not fit into its mask"
        );
        let board = (1_u64 << n) - 1;
        Self {
            columns: !(board as u32),
            rising: 0,
            falling: 0,
        }
    }

    /// The safe squares of the row.
    #[inline(always)]
    pub fn free(self) -> u32 {
        !(self.columns | self.rising | self.falling)
    }

    /// The next row, after a queen on the square with this bit.
    #[inline(always)]
    pub fn place(self, queen: u32) -> Self {
        Self {
            columns: self.columns | queen,
            rising: (self.rising | queen) << 1,
            falling: (self.falling | queen) >> 1,
        }
    }

    /// The next row after a queen on each safe square in turn, lowest column first.
    #[inline(always)]
    pub fn children(self) -> impl Iterator<Item = Self> {
        squares(self.free()).map(move |queen| self.place(queen))
    }
}

/// The bits of a set, one at a time, lowest first.
#[inline(always)]
pub(crate) fn squares(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let square = set & set.wrapping_neg();
        set ^= square;
        (square != 0).then_some(square)
    })
}
