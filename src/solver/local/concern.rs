//! What a change of a cell's state concerns.

use crate::solver::board::Directions;

/// The moves that a change of one cell's state may concern: those of the queens on the cell itself,
/// and those of the queens beside it, by the direction in which they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Concern(u16);

/// The bit of the queens on the cell; the lower 8 bits are the directions.
pub(super) const OWN: u16 = 1 << 8;

impl Concern {
    /// No move.
    pub const NONE: Self = Self(0);

    /// Every move from the cell (`own`), and every move from the neighbours in the directions
    /// `beside`.
    #[inline]
    #[must_use]
    pub const fn new(own: bool, beside: Directions) -> Self {
        Self(if own { OWN } else { 0 } | beside.bits() as u16)
    }

    /// [`OWN`] and, below it, the directions.
    #[inline]
    pub(super) const fn from_bits(bits: u16) -> Self {
        Self(bits)
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
        self == Self::NONE
    }
}
