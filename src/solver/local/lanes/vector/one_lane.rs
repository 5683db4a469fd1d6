//! The first lane alone, for a trial that has none beside it: an eighth of the work of plain code
//! for all lanes, and the same bits in its lane.

use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::{Bits, LaneMask, Vector, Words, bit_of_rank};

/// The word of the first lane. The others are neither read nor written, and are in no mask.
#[derive(Debug, Clone, Copy)]
pub struct OneLane(u64);

impl BitAnd for OneLane {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for OneLane {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for OneLane {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Not for OneLane {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl Bits for OneLane {
    #[inline(always)]
    fn none() -> Self {
        Self(0)
    }

    #[inline(always)]
    fn up(self, places: u32) -> Self {
        Self(self.0 << places)
    }

    #[inline(always)]
    fn down(self, places: u32) -> Self {
        Self(self.0 >> places)
    }
}

impl Vector for OneLane {
    #[inline(always)]
    fn load(words: &Words) -> Self {
        Self(words[0])
    }

    #[inline(always)]
    fn store(self, words: &mut Words) {
        words[0] = self.0;
    }

    #[inline(always)]
    fn splat(word: u64) -> Self {
        Self(word)
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }

    #[inline(always)]
    fn count(self) -> Self {
        Self(u64::from(self.0.count_ones()))
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        const LOWER: u64 = u32::MAX as u64;
        Self((self.0 & LOWER) * (other.0 & LOWER))
    }

    #[inline(always)]
    fn least(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }

    #[inline(always)]
    fn below(self, other: Self) -> LaneMask {
        LaneMask::from(self.0 < other.0)
    }

    #[inline(always)]
    fn equal(self, other: Self) -> LaneMask {
        LaneMask::from(self.0 == other.0)
    }

    #[inline(always)]
    fn only(self, lanes: LaneMask) -> Self {
        Self(self.0 & u64::from(lanes & 1).wrapping_neg())
    }

    #[inline(always)]
    fn bits_of_rank(self, rank: Self, bits: &mut Words) {
        bits[0] = bit_of_rank(self.0, rank.0);
    }

    #[inline(always)]
    fn lanes(self) -> LaneMask {
        LaneMask::from(self.0 != 0)
    }
}
