//! Plain code: for any processor, and the reference of the others.

use super::{Bits, LaneMask, Vector, Words};

/// The words of the first L lanes: all, or one for a trial that has none beside it. The others are
/// neither read nor written, and are in no mask.
#[derive(Debug, Clone, Copy)]
pub struct Plain<const L: usize>([u64; L]);

impl<const L: usize> Plain<L> {
    #[inline(always)]
    fn each(self, f: impl Fn(u64) -> u64) -> Self {
        Self(self.0.map(f))
    }

    #[inline(always)]
    fn both(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(|lane| f(self.0[lane], other.0[lane])))
    }

    #[inline(always)]
    fn compare(self, other: Self, f: impl Fn(u64, u64) -> bool) -> LaneMask {
        (0..L).fold(0, |lanes, lane| {
            lanes | LaneMask::from(f(self.0[lane], other.0[lane])) << lane
        })
    }
}

operators! {
    [const L: usize] Plain<L>:
    BitAnd bitand = |a, b| a.both(b, |a, b| a & b);
    BitOr bitor = |a, b| a.both(b, |a, b| a | b);
    BitXor bitxor = |a, b| a.both(b, |a, b| a ^ b);
}

impl<const L: usize> Bits for Plain<L> {
    #[inline(always)]
    fn none() -> Self {
        Self([0; L])
    }

    #[inline(always)]
    fn up(self, places: u32) -> Self {
        self.each(|a| a << places)
    }

    #[inline(always)]
    fn down(self, places: u32) -> Self {
        self.each(|a| a >> places)
    }
}

impl<const L: usize> Vector for Plain<L> {
    #[inline(always)]
    fn load(words: &Words) -> Self {
        Self(std::array::from_fn(|lane| words[lane]))
    }

    #[inline(always)]
    fn store(self, words: &mut Words) {
        words[..L].copy_from_slice(&self.0);
    }

    #[inline(always)]
    fn splat(word: u64) -> Self {
        Self([word; L])
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.both(other, u64::wrapping_add)
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.both(other, u64::wrapping_sub)
    }

    #[inline(always)]
    fn count(self) -> Self {
        self.each(|a| u64::from(a.count_ones()))
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        const LOWER: u64 = u32::MAX as u64;
        self.both(other, |a, b| (a & LOWER) * (b & LOWER))
    }

    #[inline(always)]
    fn least(self, other: Self) -> Self {
        self.both(other, u64::min)
    }

    #[inline(always)]
    fn below(self, other: Self) -> LaneMask {
        self.compare(other, |a, b| a < b)
    }

    #[inline(always)]
    fn equal(self, other: Self) -> LaneMask {
        self.compare(other, |a, b| a == b)
    }

    #[inline(always)]
    fn lanes(self) -> LaneMask {
        self.compare(Self::none(), |a, b| a != b)
    }

    #[inline(always)]
    fn only(self, lanes: LaneMask) -> Self {
        let mask = |lane| u64::from(lanes >> lane & 1).wrapping_neg();
        Self(std::array::from_fn(|lane| self.0[lane] & mask(lane)))
    }

    #[inline(always)]
    fn bits_of_rank(self, rank: Self, bits: &mut Words) {
        self.both(rank, bit_of_rank).store(bits);
    }
}

/// The bit of this rank among those that are set in a word, counted from 0; nothing where there are
/// too few.
#[inline]
pub fn bit_of_rank(mut word: u64, rank: u64) -> u64 {
    if rank >= 64 {
        return 0;
    }
    for _ in 0..rank {
        word &= word.wrapping_sub(1);
    }
    word & word.wrapping_neg()
}
