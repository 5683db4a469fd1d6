//! Eight words in one register of AVX-512.

use std::arch::x86_64::*;

use super::avx2::deposit;
use super::{Bits, LaneMask, Vector, Words};

/// Eight words in a register of AVX-512, for processors with BMI2 and AVX-512F, BW, VPOPCNTDQ
/// (counts bits) and VBMI2 (shifts two registers).
#[derive(Debug, Clone, Copy)]
pub struct Avx512(__m512i);

/// An instruction.
///
/// SAFETY: a value of this type is made by the loops alone that are entered where the processor was
/// found to have these ([`super::Instructions::available`]); loads and stores are within the array
/// that is given.
macro_rules! by {
    ($call:expr) => {
        unsafe { $call }
    };
}

operators! {
    [] Avx512:
    BitAnd bitand = |a, b| Self(by!(_mm512_and_si512(a.0, b.0)));
    BitOr bitor = |a, b| Self(by!(_mm512_or_si512(a.0, b.0)));
    BitXor bitxor = |a, b| Self(by!(_mm512_xor_si512(a.0, b.0)));
}

impl Bits for Avx512 {
    #[inline(always)]
    fn none() -> Self {
        Self::splat(0)
    }

    #[inline(always)]
    fn up(self, bits: u32) -> Self {
        Self(by!(_mm512_sll_epi64(
            self.0,
            _mm_cvtsi32_si128(bits as i32)
        )))
    }

    #[inline(always)]
    fn down(self, bits: u32) -> Self {
        Self(by!(_mm512_srl_epi64(
            self.0,
            _mm_cvtsi32_si128(bits as i32)
        )))
    }

    #[inline(always)]
    fn up_from(self, below: Self, bits: u32) -> Self {
        let bits = Self::splat(u64::from(bits));
        Self(by!(_mm512_shldv_epi64(self.0, below.0, bits.0)))
    }

    #[inline(always)]
    fn down_from(self, above: Self, bits: u32) -> Self {
        let bits = Self::splat(u64::from(bits));
        Self(by!(_mm512_shrdv_epi64(self.0, above.0, bits.0)))
    }

    #[inline(always)]
    fn any_of(a: Self, b: Self, c: Self) -> Self {
        Self(by!(_mm512_ternarylogic_epi64::<0xFE>(a.0, b.0, c.0)))
    }

    #[inline(always)]
    fn two_of(a: Self, b: Self, c: Self) -> Self {
        Self(by!(_mm512_ternarylogic_epi64::<0xE8>(a.0, b.0, c.0)))
    }
}

impl Vector for Avx512 {
    #[inline(always)]
    fn load(words: &Words) -> Self {
        Self(by!(_mm512_loadu_si512(words.as_ptr().cast())))
    }

    #[inline(always)]
    fn store(self, words: &mut Words) {
        by!(_mm512_storeu_si512(words.as_mut_ptr().cast(), self.0))
    }

    #[inline(always)]
    fn splat(word: u64) -> Self {
        Self(by!(_mm512_set1_epi64(word as i64)))
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(by!(_mm512_add_epi64(self.0, other.0)))
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self(by!(_mm512_sub_epi64(self.0, other.0)))
    }

    #[inline(always)]
    fn count(self) -> Self {
        Self(by!(_mm512_popcnt_epi64(self.0)))
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Self(by!(_mm512_mul_epu32(self.0, other.0)))
    }

    #[inline(always)]
    fn least(self, other: Self) -> Self {
        Self(by!(_mm512_min_epu64(self.0, other.0)))
    }

    #[inline(always)]
    fn below(self, other: Self) -> LaneMask {
        by!(_mm512_cmplt_epu64_mask(self.0, other.0))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> LaneMask {
        by!(_mm512_cmpeq_epi64_mask(self.0, other.0))
    }

    #[inline(always)]
    fn only(self, lanes: LaneMask) -> Self {
        Self(by!(_mm512_maskz_mov_epi64(lanes, self.0)))
    }

    #[inline(always)]
    fn bits_of_rank(self, rank: Self, bits: &mut Words) {
        let ones = by!(_mm512_sllv_epi64(Self::splat(1).0, rank.0));
        deposit(Self(ones), self, bits);
    }

    #[inline(always)]
    fn lanes(self) -> LaneMask {
        by!(_mm512_test_epi64_mask(self.0, self.0))
    }

    #[inline(always)]
    fn rotated(self, bits: u32) -> Self {
        let bits = Self::splat(u64::from(bits));
        Self(by!(_mm512_rolv_epi64(self.0, bits.0)))
    }
}
