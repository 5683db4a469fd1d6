//! Eight 64-bit words side by side, one for each lane, and the few operations on them that a step
//! needs: in plain code, which is the reference, and by the instructions of a processor that has
//! them. The results are the same bits.
//!
//! What works on masks alone is written once for [`Bits`]: for the words of all lanes and for the
//! word of one.

/// The operators of a [`Vector`], of which `$generics` are the constants.
macro_rules! operators {
    ($generics:tt $Vector:ty: $($Operator:ident $operator:ident = |$a:ident, $b:ident| $result:expr;)+) => {
        $(operators!(@impl $generics $Operator for $Vector, $operator($a, $b) $result);)+
        operators!(@impl $generics Not for $Vector, not(a) a ^ Self::splat(u64::MAX));
    };
    (@impl [$($generics:tt)*] $Operator:ident for $Vector:ty, $operator:ident($a:ident $(, $b:ident)?) $result:expr) => {
        impl<$($generics)*> std::ops::$Operator for $Vector {
            type Output = Self;

            #[inline(always)]
            fn $operator(self $(, $b: Self)?) -> Self {
                let $a = self;
                $result
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(test)]
mod tests;

use std::ops::{BitAnd, BitOr, BitXor, Not};

use crate::bits;

#[cfg(target_arch = "x86_64")]
pub use self::x86::{Avx2, Avx512};

/// Number of lanes.
pub const LANES: usize = 8;

/// A word of each lane.
pub type Words = [u64; LANES];

/// Some of the lanes: bit l for lane l.
pub type LaneMask = u8;

/// Masks: 64 bits, of one lane or of each.
pub trait Bits:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// No bit.
    fn none() -> Self;

    /// Each bit moved up by so many bits; 1 to 63.
    fn up(self, bits: u32) -> Self;

    /// Each bit moved down by so many bits; 1 to 63.
    fn down(self, bits: u32) -> Self;

    /// [`Bits::up`] of a longer mask, of which `below` is the word before this one.
    #[inline(always)]
    fn up_from(self, below: Self, bits: u32) -> Self {
        self.up(bits) | below.down(64 - bits)
    }

    /// [`Bits::down`] of a longer mask, of which `above` is the word after this one.
    #[inline(always)]
    fn down_from(self, above: Self, bits: u32) -> Self {
        self.down(bits) | above.up(64 - bits)
    }

    /// Bits that at least one of three has.
    #[inline(always)]
    fn any_of(a: Self, b: Self, c: Self) -> Self {
        a | b | c
    }

    /// Bits that at least two of three have.
    #[inline(always)]
    fn two_of(a: Self, b: Self, c: Self) -> Self {
        a & b | c & (a | b)
    }
}

impl Bits for u64 {
    #[inline(always)]
    fn none() -> Self {
        0
    }

    #[inline(always)]
    fn up(self, bits: u32) -> Self {
        self << bits
    }

    #[inline(always)]
    fn down(self, bits: u32) -> Self {
        self >> bits
    }
}

/// Numbers and masks of all lanes. Sums and differences are modulo 2⁶⁴.
pub trait Vector: Bits {
    /// Loads the words from memory.
    fn load(words: &Words) -> Self;

    /// Stores the words in memory.
    fn store(self, words: &mut Words);

    /// The same word in each lane.
    fn splat(word: u64) -> Self;

    /// The sum.
    fn plus(self, other: Self) -> Self;

    /// The difference.
    fn minus(self, other: Self) -> Self;

    /// Number of bits that are set.
    fn count(self) -> Self;

    /// Product of the lower halves.
    fn times(self, other: Self) -> Self;

    /// The lesser of two numbers below 2³².
    fn least(self, other: Self) -> Self;

    /// Lanes in which the first number is below the second; both are below 2⁶³.
    fn below(self, other: Self) -> LaneMask;

    /// Lanes in which both are the same.
    fn equal(self, other: Self) -> LaneMask;

    /// The words of some lanes, 0 in the others.
    fn only(self, lanes: LaneMask) -> Self;

    /// Stores, for each word, its set bit of this rank (counted from 0); 0 if too few bits are set.
    fn bits_of_rank(self, rank: Self, bits: &mut Words);

    /// The sum of two doubles.
    fn plus_float(self, other: Self) -> Self;

    /// The product of two doubles.
    fn times_float(self, other: Self) -> Self;

    /// A double without its fraction.
    fn truncated(self) -> Self;

    /// The entry of a table at each word's number, which is one of the table's.
    fn entry_of(self, table: &[f64]) -> Self;

    /// Lanes whose word is not 0.
    #[inline(always)]
    fn lanes(self) -> LaneMask {
        !self.equal(Self::none())
    }

    /// Rotated towards the higher bits; 1 to 63.
    #[inline(always)]
    fn rotated(self, bits: u32) -> Self {
        self.up(bits) | self.down(64 - bits)
    }
}

/// The `Vector` that a trial is simulated with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instructions {
    /// `Plain` for the first lane alone: one trial after the other.
    OneLane,
    /// `Plain`.
    Portable,
    /// `Avx2`.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// `Avx512`.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Instructions {
    /// The instructions that this processor has, the fastest last.
    pub fn available() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        {
            // All that the loops are compiled for (`kernel.rs`).
            let has_avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt")
                && is_x86_feature_detected!("lzcnt");
            let has_avx512 = has_avx2
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vpopcntdq")
                && is_x86_feature_detected!("avx512vbmi2");
            let available = [
                (Self::OneLane, true),
                (Self::Portable, true),
                (Self::Avx2, has_avx2),
                (Self::Avx512, has_avx512),
            ];
            available
                .into_iter()
                .filter_map(|(it, has)| has.then_some(it))
                .collect()
        }
        #[cfg(not(target_arch = "x86_64"))]
        vec![Self::OneLane, Self::Portable]
    }

    /// The fastest of this processor.
    pub fn fastest() -> Self {
        Self::available().pop().unwrap_or(Self::Portable)
    }
}

/// The words of the first L lanes: all, or one for a trial that has none beside it. The others are
/// neither read nor written, and are in no mask.
#[derive(Debug, Clone, Copy)]
pub struct Plain<const L: usize>([u64; L]);

impl<const L: usize> Plain<L> {
    #[inline(always)]
    fn each(mut self, f: impl Fn(u64) -> u64) -> Self {
        for lane in 0..L {
            self.0[lane] = f(self.0[lane]);
        }
        self
    }

    #[inline(always)]
    fn both(mut self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        for lane in 0..L {
            self.0[lane] = f(self.0[lane], other.0[lane]);
        }
        self
    }

    #[inline(always)]
    fn compare(self, other: Self, f: impl Fn(u64, u64) -> bool) -> LaneMask {
        let mut lanes = 0;
        for lane in 0..L {
            lanes |= LaneMask::from(f(self.0[lane], other.0[lane])) << lane;
        }
        lanes
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
    fn up(self, bits: u32) -> Self {
        self.each(|a| a << bits)
    }

    #[inline(always)]
    fn down(self, bits: u32) -> Self {
        self.each(|a| a >> bits)
    }
}

impl<const L: usize> Vector for Plain<L> {
    #[inline(always)]
    fn load(words: &Words) -> Self {
        let mut all = [0; L];
        all.copy_from_slice(&words[..L]);
        Self(all)
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
    fn only(mut self, lanes: LaneMask) -> Self {
        for lane in 0..L {
            self.0[lane] &= u64::from(lanes >> lane & 1).wrapping_neg();
        }
        self
    }

    #[inline(always)]
    fn bits_of_rank(self, rank: Self, bits: &mut Words) {
        self.both(rank, bits::of_rank).store(bits);
    }

    #[inline(always)]
    fn plus_float(self, other: Self) -> Self {
        self.both(other, |a, b| {
            (f64::from_bits(a) + f64::from_bits(b)).to_bits()
        })
    }

    #[inline(always)]
    fn times_float(self, other: Self) -> Self {
        self.both(other, |a, b| {
            (f64::from_bits(a) * f64::from_bits(b)).to_bits()
        })
    }

    #[inline(always)]
    fn truncated(self) -> Self {
        self.each(|a| f64::from_bits(a).trunc().to_bits())
    }

    #[inline(always)]
    fn entry_of(self, table: &[f64]) -> Self {
        self.each(|a| table[a as usize].to_bits())
    }
}
