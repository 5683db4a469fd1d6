//! Which moves are certain: all that a rule on known sites has of its own.

use super::configuration::CellState;
use super::lanes::vector::Bits;
use crate::solver::board::Directions;
use crate::solver::variants::Variants;

/// Which moves of threatened queens need no coin of ε.
///
/// Whatever is said here of two cells must be right for all variants. A move that SAFEGO calls safe
/// must be certain: lanes take all others for unsafe.
pub trait Certainty: Clone + Sync + 'static {
    /// The part of the sources (build/parts.rs) that its file is.
    const PART: &'static str;

    /// Whether [`Certainty::masks`] reads [`Side::signals`]. On cells there are no lanes then.
    const COUNTS_SIGNALS: bool = false;

    /// The variants that it comes in; `None` where there is one way only.
    fn variants() -> Option<&'static dyn Variants> {
        None
    }

    /// That of a variant, whose acronym is empty where there is one way only.
    fn of(variant: &str) -> Self;

    /// Where a queen on a cell in state `a` may come from, so that her move to an adjacent cell in
    /// state `b` is certain: the directions δ(a, b).
    fn certain_from(&self, a: CellState, b: CellState) -> Directions;

    /// The same by masks, for threatened queens.
    fn masks<B: Bits>(&self, from: &Side<B>, to: &Side<B>) -> B;

    /// The moves whose class ([`super::sites::Class`]) may be another after a cell's state has
    /// changed from `before` to `after`. Those of queens on the cell are at the sites of the cell's
    /// own dependencies; those of a queen beside it at the site at which the queen's cell depends
    /// on this one. It is right if the class of a site where no move is concerned stays what it
    /// was; all moves, as here, is right for every certainty and slow.
    fn concern(_before: CellState, _after: CellState) -> Concern {
        Concern::ALL
    }
}

/// One of two cells beside each other.
#[derive(Debug, Clone, Copy)]
pub struct Side<B> {
    /// A queen that is not SAFESTAY.
    pub threatened: B,
    /// SAFEGO for a queen that comes from the other cell.
    pub safe: B,
    /// Of cells where the rule counts signals; else nothing.
    pub signals: Signals<B>,
}

/// What more there is of a cell for a rule that counts signals.
#[derive(Debug, Clone, Copy)]
pub struct Signals<B> {
    /// Any queens.
    pub occupied: B,
    /// A signal from the direction of the other cell.
    pub from_other: B,
    /// The number of all its signals, the lowest bit first.
    pub number: [B; 4],
}

impl<B: Bits> Signals<B> {
    /// Of a rule that does not count them.
    #[inline(always)]
    pub fn uncounted() -> Self {
        Self {
            occupied: B::none(),
            from_other: B::none(),
            number: [B::none(); 4],
        }
    }
}

/// The moves that a change of one cell's state may concern: those of the queens on the cell itself,
/// and those of the queens beside it, by the direction in which they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Concern(u16);

/// The bit of the queens on the cell; the lower 8 bits are the directions.
pub(super) const OWN: u16 = 1 << 8;

impl Concern {
    /// Every move.
    pub const ALL: Self = Self(OWN | 0xFF);

    /// Every move from the cell (`own`), and every move from the neighbours in the directions
    /// `beside`.
    #[inline]
    #[must_use]
    pub const fn new(own: bool, beside: Directions) -> Self {
        Self(if own { OWN } else { 0 } | beside.bits() as u16)
    }

    /// For classes that read of a cell no more than [`CellState::safety`] says.
    #[inline]
    #[must_use]
    pub fn of_safety(before: CellState, after: CellState) -> Self {
        Self(before.safety().bits() ^ after.safety().bits())
    }

    /// What is left of this where the neighbours' queens are in these directions: without a queen
    /// there is no move.
    #[inline]
    #[must_use]
    pub fn among(self, queens: Directions) -> Self {
        Self(self.0 & (OWN | u16::from(queens.bits())))
    }

    /// Whether the moves of queens on the cell are concerned.
    #[inline]
    #[must_use]
    pub fn own(self) -> bool {
        self.0 & OWN != 0
    }

    /// The directions of the neighbours whose queens' moves are concerned.
    #[inline]
    #[must_use]
    pub fn beside(self) -> Directions {
        Directions::from_bits(self.0 as u8)
    }

    /// Whether no move is concerned.
    #[inline]
    #[must_use]
    pub fn is_none(self) -> bool {
        self.0 == 0
    }
}
