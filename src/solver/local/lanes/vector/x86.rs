//! Eight words in two registers of AVX2, and in one of AVX-512.
//!
//! SAFETY of every block here: a value of these types is made by the loops alone that are entered
//! where the processor was found to have the instructions ([`super::Instructions::available`]);
//! loads and stores are within the array that is given.

use std::arch::x86_64::*;
use std::ptr::{read_volatile, write_volatile};

use super::{Bits, LANES, LaneMask, Vector, Words};

/// Eight words in registers of AVX2, for processors with AVX2 and BMI2.
#[derive(Debug, Clone, Copy)]
pub struct Avx2(__m256i, __m256i);

/// An instruction on each register of one or two values.
macro_rules! by {
    (unsafe $instruction:path, $a:expr) => {{
        let a = $a;
        unsafe { Self($instruction(a.0), $instruction(a.1)) }
    }};
    (unsafe $instruction:path, $a:expr, $b:expr) => {{
        let (a, b) = ($a, $b);
        unsafe { Self($instruction(a.0, b.0), $instruction(a.1, b.1)) }
    }};
}

/// Words of all bits where a mask has a lane, else 0.
static EXPANDED: [Words; 256] = {
    let mut expanded = [[0; LANES]; 256];
    let mut mask = 0;
    while mask < 256 {
        let mut lane = 0;
        while lane < LANES {
            if mask >> lane & 1 == 1 {
                expanded[mask][lane] = u64::MAX;
            }
            lane += 1;
        }
        mask += 1;
    }
    expanded
};

impl Avx2 {
    /// Lanes whose word's highest bit is set.
    #[inline(always)]
    fn highest(self) -> LaneMask {
        unsafe {
            let low = _mm256_movemask_pd(_mm256_castsi256_pd(self.0));
            let high = _mm256_movemask_pd(_mm256_castsi256_pd(self.1));
            (low | high << 4) as LaneMask
        }
    }

    #[inline(always)]
    fn floats(self) -> [__m256d; 2] {
        unsafe { [_mm256_castsi256_pd(self.0), _mm256_castsi256_pd(self.1)] }
    }

    #[inline(always)]
    fn of_floats([low, high]: [__m256d; 2]) -> Self {
        unsafe { Self(_mm256_castpd_si256(low), _mm256_castpd_si256(high)) }
    }
}

/// Rounding that cuts fractions off.
const TO_ZERO: i32 = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;

operators! {
    [] Avx2:
    BitAnd bitand = |a, b| by!(unsafe _mm256_and_si256, a, b);
    BitOr bitor = |a, b| by!(unsafe _mm256_or_si256, a, b);
    BitXor bitxor = |a, b| by!(unsafe _mm256_xor_si256, a, b);
}

impl Bits for Avx2 {
    #[inline(always)]
    fn none() -> Self {
        Self::splat(0)
    }

    #[inline(always)]
    fn up(self, bits: u32) -> Self {
        let bits = unsafe { _mm_cvtsi32_si128(bits as i32) };
        by!(unsafe _mm256_sll_epi64, self, (bits, bits))
    }

    #[inline(always)]
    fn down(self, bits: u32) -> Self {
        let bits = unsafe { _mm_cvtsi32_si128(bits as i32) };
        by!(unsafe _mm256_srl_epi64, self, (bits, bits))
    }
}

impl Vector for Avx2 {
    #[inline(always)]
    fn load(words: &Words) -> Self {
        let (low, high) = words.split_at(LANES / 2);
        by!(
            unsafe _mm256_loadu_si256,
            (low.as_ptr().cast(), high.as_ptr().cast())
        )
    }

    #[inline(always)]
    fn store(self, words: &mut Words) {
        let (low, high) = words.split_at_mut(LANES / 2);
        unsafe {
            _mm256_storeu_si256(low.as_mut_ptr().cast(), self.0);
            _mm256_storeu_si256(high.as_mut_ptr().cast(), self.1);
        }
    }

    #[inline(always)]
    fn splat(word: u64) -> Self {
        by!(unsafe _mm256_set1_epi64x, (word as i64, word as i64))
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        by!(unsafe _mm256_add_epi64, self, other)
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        by!(unsafe _mm256_sub_epi64, self, other)
    }

    /// The number of bits of each half byte by a table, then summed.
    #[inline(always)]
    fn count(self) -> Self {
        let counts = unsafe { _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4) };
        let counts = by!(unsafe _mm256_broadcastsi128_si256, (counts, counts));
        let half = Self::splat(u64::from_ne_bytes([15; 8]));
        let low = by!(unsafe _mm256_shuffle_epi8, counts, self & half);
        let high = by!(unsafe _mm256_srli_epi16::<4>, self) & half;
        let high = by!(unsafe _mm256_shuffle_epi8, counts, high);
        by!(
            unsafe _mm256_sad_epu8,
            by!(unsafe _mm256_add_epi8, low, high),
            Self::none()
        )
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        by!(unsafe _mm256_mul_epu32, self, other)
    }

    #[inline(always)]
    fn least(self, other: Self) -> Self {
        by!(unsafe _mm256_min_epu32, self, other)
    }

    #[inline(always)]
    fn below(self, other: Self) -> LaneMask {
        by!(unsafe _mm256_cmpgt_epi64, other, self).highest()
    }

    #[inline(always)]
    fn equal(self, other: Self) -> LaneMask {
        by!(unsafe _mm256_cmpeq_epi64, self, other).highest()
    }

    #[inline(always)]
    fn only(self, lanes: LaneMask) -> Self {
        self & Self::load(&EXPANDED[usize::from(lanes)])
    }

    #[inline(always)]
    fn bits_of_rank(self, rank: Self, bits: &mut Words) {
        deposit(
            by!(unsafe _mm256_sllv_epi64, Self::splat(1), rank),
            self,
            bits,
        );
    }

    #[inline(always)]
    fn plus_float(self, other: Self) -> Self {
        let ([a, b], [c, d]) = (self.floats(), other.floats());
        Self::of_floats(unsafe { [_mm256_add_pd(a, c), _mm256_add_pd(b, d)] })
    }

    #[inline(always)]
    fn times_float(self, other: Self) -> Self {
        let ([a, b], [c, d]) = (self.floats(), other.floats());
        Self::of_floats(unsafe { [_mm256_mul_pd(a, c), _mm256_mul_pd(b, d)] })
    }

    #[inline(always)]
    fn truncated(self) -> Self {
        let [a, b] = self.floats();
        Self::of_floats(unsafe { [_mm256_round_pd::<TO_ZERO>(a), _mm256_round_pd::<TO_ZERO>(b)] })
    }

    #[inline(always)]
    fn entry_of(self, table: &[f64]) -> Self {
        let at = self.least(Self::splat(table.len() as u64 - 1));
        let table = table.as_ptr().cast();
        by!(unsafe _mm256_i64gather_epi64::<8>, (table, table), at)
    }
}

/// Eight words in a register of AVX-512, for processors with BMI2 and AVX-512F, BW, VPOPCNTDQ
/// (counts bits) and VBMI2 (shifts two registers).
#[derive(Debug, Clone, Copy)]
pub struct Avx512(__m512i);

operators! {
    [] Avx512:
    BitAnd bitand = |a, b| Self(unsafe { _mm512_and_si512(a.0, b.0) });
    BitOr bitor = |a, b| Self(unsafe { _mm512_or_si512(a.0, b.0) });
    BitXor bitxor = |a, b| Self(unsafe { _mm512_xor_si512(a.0, b.0) });
}

impl Avx512 {
    #[inline(always)]
    fn floats(self) -> __m512d {
        unsafe { _mm512_castsi512_pd(self.0) }
    }

    #[inline(always)]
    fn of_floats(floats: __m512d) -> Self {
        Self(unsafe { _mm512_castpd_si512(floats) })
    }
}

impl Bits for Avx512 {
    #[inline(always)]
    fn none() -> Self {
        Self::splat(0)
    }

    #[inline(always)]
    fn up(self, bits: u32) -> Self {
        Self(unsafe { _mm512_sll_epi64(self.0, _mm_cvtsi32_si128(bits as i32)) })
    }

    #[inline(always)]
    fn down(self, bits: u32) -> Self {
        Self(unsafe { _mm512_srl_epi64(self.0, _mm_cvtsi32_si128(bits as i32)) })
    }

    #[inline(always)]
    fn up_from(self, below: Self, bits: u32) -> Self {
        let bits = Self::splat(u64::from(bits));
        Self(unsafe { _mm512_shldv_epi64(self.0, below.0, bits.0) })
    }

    #[inline(always)]
    fn down_from(self, above: Self, bits: u32) -> Self {
        let bits = Self::splat(u64::from(bits));
        Self(unsafe { _mm512_shrdv_epi64(self.0, above.0, bits.0) })
    }

    #[inline(always)]
    fn any_of(a: Self, b: Self, c: Self) -> Self {
        Self(unsafe { _mm512_ternarylogic_epi64::<0xFE>(a.0, b.0, c.0) })
    }

    #[inline(always)]
    fn two_of(a: Self, b: Self, c: Self) -> Self {
        Self(unsafe { _mm512_ternarylogic_epi64::<0xE8>(a.0, b.0, c.0) })
    }
}

impl Vector for Avx512 {
    #[inline(always)]
    fn load(words: &Words) -> Self {
        Self(unsafe { _mm512_loadu_si512(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, words: &mut Words) {
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn splat(word: u64) -> Self {
        Self(unsafe { _mm512_set1_epi64(word as i64) })
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(unsafe { _mm512_add_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self(unsafe { _mm512_sub_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn count(self) -> Self {
        Self(unsafe { _mm512_popcnt_epi64(self.0) })
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Self(unsafe { _mm512_mul_epu32(self.0, other.0) })
    }

    #[inline(always)]
    fn least(self, other: Self) -> Self {
        Self(unsafe { _mm512_min_epu64(self.0, other.0) })
    }

    #[inline(always)]
    fn below(self, other: Self) -> LaneMask {
        unsafe { _mm512_cmplt_epu64_mask(self.0, other.0) }
    }

    #[inline(always)]
    fn equal(self, other: Self) -> LaneMask {
        unsafe { _mm512_cmpeq_epi64_mask(self.0, other.0) }
    }

    #[inline(always)]
    fn only(self, lanes: LaneMask) -> Self {
        Self(unsafe { _mm512_maskz_mov_epi64(lanes, self.0) })
    }

    #[inline(always)]
    fn bits_of_rank(self, rank: Self, bits: &mut Words) {
        let ones = unsafe { _mm512_sllv_epi64(Self::splat(1).0, rank.0) };
        deposit(Self(ones), self, bits);
    }

    #[inline(always)]
    fn plus_float(self, other: Self) -> Self {
        Self::of_floats(unsafe { _mm512_add_pd(self.floats(), other.floats()) })
    }

    #[inline(always)]
    fn times_float(self, other: Self) -> Self {
        Self::of_floats(unsafe { _mm512_mul_pd(self.floats(), other.floats()) })
    }

    #[inline(always)]
    fn truncated(self) -> Self {
        Self::of_floats(unsafe { _mm512_roundscale_pd::<TO_ZERO>(self.floats()) })
    }

    #[inline(always)]
    fn entry_of(self, table: &[f64]) -> Self {
        if table.len() == 2 * LANES {
            // A table of two registers: a gathered entry takes up to 15 % of the time of a step.
            let [low, high] = [0, LANES].map(|from| table[from..].as_ptr().cast());
            return Self(unsafe {
                let (low, high) = (_mm512_loadu_si512(low), _mm512_loadu_si512(high));
                _mm512_permutex2var_epi64(low, self.0, high)
            });
        }
        let at = self.least(Self::splat(table.len() as u64 - 1));
        Self(unsafe { _mm512_i64gather_epi64::<8>(at.0, table.as_ptr().cast()) })
    }

    #[inline(always)]
    fn lanes(self) -> LaneMask {
        unsafe { _mm512_test_epi64_mask(self.0, self.0) }
    }

    #[inline(always)]
    fn rotated(self, bits: u32) -> Self {
        let bits = Self::splat(u64::from(bits));
        Self(unsafe { _mm512_rolv_epi64(self.0, bits.0) })
    }
}

/// Lane by lane: the lowest bits of `bits` are deposited at the positions of the bits that the word
/// has.
///
/// Through memory, word by word, which volatile accesses insist on: else the compiler takes the
/// words out of the registers and puts them together again one by one, which takes longer.
#[inline(always)]
fn deposit<V: Vector>(bits: V, words: V, to: &mut Words) {
    let (mut bit, mut word) = ([0; LANES], [0; LANES]);
    bits.store(&mut bit);
    words.store(&mut word);
    for lane in 0..LANES {
        unsafe {
            let (bit, word) = (read_volatile(&bit[lane]), read_volatile(&word[lane]));
            write_volatile(&mut to[lane], _pdep_u64(bit, word));
        }
    }
}
