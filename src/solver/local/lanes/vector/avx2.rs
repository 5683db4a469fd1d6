//! Eight words in two registers of AVX2.
//!
//! SAFETY of every block here: a value of this type is made by the loops alone that are entered
//! where the processor was found to have AVX2 and BMI2 ([`super::Instructions::available`]); loads
//! and stores are within the array that is given.

use std::arch::x86_64::*;
use std::ops::{BitAnd, BitOr, BitXor, Not};
use std::ptr::{read_volatile, write_volatile};

use super::{Bits, LANES, LaneMask, Vector, Words};

/// For processors with AVX2 and BMI2.
#[derive(Debug, Clone, Copy)]
pub struct Avx2(__m256i, __m256i);

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

/// Lanes whose words' highest bit is set.
#[inline(always)]
fn lanes_of(low: __m256i, high: __m256i) -> LaneMask {
    // SAFETY: see above.
    unsafe {
        let low = _mm256_movemask_pd(_mm256_castsi256_pd(low));
        let high = _mm256_movemask_pd(_mm256_castsi256_pd(high));
        (low | high << 4) as LaneMask
    }
}

/// Number of bits of each word: of each half byte by a table, then summed.
#[inline(always)]
fn count(x: __m256i) -> __m256i {
    // SAFETY: see above.
    unsafe {
        let counts = _mm256_setr_epi8(
            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2,
            3, 3, 4,
        );
        let half = _mm256_set1_epi8(15);
        let low = _mm256_shuffle_epi8(counts, _mm256_and_si256(x, half));
        let high = _mm256_and_si256(_mm256_srli_epi16::<4>(x), half);
        let high = _mm256_shuffle_epi8(counts, high);
        _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256())
    }
}

impl BitAnd for Avx2 {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        // SAFETY: see above.
        unsafe {
            Self(
                _mm256_and_si256(self.0, other.0),
                _mm256_and_si256(self.1, other.1),
            )
        }
    }
}

impl BitOr for Avx2 {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: see above.
        unsafe {
            Self(
                _mm256_or_si256(self.0, other.0),
                _mm256_or_si256(self.1, other.1),
            )
        }
    }
}

impl BitXor for Avx2 {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        // SAFETY: see above.
        unsafe {
            Self(
                _mm256_xor_si256(self.0, other.0),
                _mm256_xor_si256(self.1, other.1),
            )
        }
    }
}

impl Not for Avx2 {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        self ^ Self::splat(u64::MAX)
    }
}

impl Bits for Avx2 {
    #[inline(always)]
    fn none() -> Self {
        // SAFETY: see above.
        unsafe { Self(_mm256_setzero_si256(), _mm256_setzero_si256()) }
    }

    #[inline(always)]
    fn up(self, places: u32) -> Self {
        // SAFETY: see above.
        unsafe {
            let places = _mm_cvtsi32_si128(places as i32);
            Self(
                _mm256_sll_epi64(self.0, places),
                _mm256_sll_epi64(self.1, places),
            )
        }
    }

    #[inline(always)]
    fn down(self, places: u32) -> Self {
        // SAFETY: see above.
        unsafe {
            let places = _mm_cvtsi32_si128(places as i32);
            Self(
                _mm256_srl_epi64(self.0, places),
                _mm256_srl_epi64(self.1, places),
            )
        }
    }
}

impl Vector for Avx2 {
    #[inline(always)]
    fn load(words: &Words) -> Self {
        let (low, high) = words.split_at(LANES / 2);
        // SAFETY: see above.
        unsafe {
            Self(
                _mm256_loadu_si256(low.as_ptr().cast()),
                _mm256_loadu_si256(high.as_ptr().cast()),
            )
        }
    }

    #[inline(always)]
    fn store(self, words: &mut Words) {
        let (low, high) = words.split_at_mut(LANES / 2);
        // SAFETY: see above.
        unsafe {
            _mm256_storeu_si256(low.as_mut_ptr().cast(), self.0);
            _mm256_storeu_si256(high.as_mut_ptr().cast(), self.1);
        }
    }

    #[inline(always)]
    fn splat(word: u64) -> Self {
        // SAFETY: see above.
        unsafe {
            Self(
                _mm256_set1_epi64x(word as i64),
                _mm256_set1_epi64x(word as i64),
            )
        }
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: see above.
        unsafe {
            Self(
                _mm256_add_epi64(self.0, other.0),
                _mm256_add_epi64(self.1, other.1),
            )
        }
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: see above.
        unsafe {
            Self(
                _mm256_sub_epi64(self.0, other.0),
                _mm256_sub_epi64(self.1, other.1),
            )
        }
    }

    #[inline(always)]
    fn count(self) -> Self {
        Self(count(self.0), count(self.1))
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        // SAFETY: see above.
        unsafe {
            Self(
                _mm256_mul_epu32(self.0, other.0),
                _mm256_mul_epu32(self.1, other.1),
            )
        }
    }

    #[inline(always)]
    fn least(self, other: Self) -> Self {
        // SAFETY: see above.
        unsafe {
            Self(
                _mm256_min_epu32(self.0, other.0),
                _mm256_min_epu32(self.1, other.1),
            )
        }
    }

    #[inline(always)]
    fn below(self, other: Self) -> LaneMask {
        // SAFETY: see above.
        unsafe {
            lanes_of(
                _mm256_cmpgt_epi64(other.0, self.0),
                _mm256_cmpgt_epi64(other.1, self.1),
            )
        }
    }

    #[inline(always)]
    fn equal(self, other: Self) -> LaneMask {
        // SAFETY: see above.
        unsafe {
            lanes_of(
                _mm256_cmpeq_epi64(self.0, other.0),
                _mm256_cmpeq_epi64(self.1, other.1),
            )
        }
    }

    #[inline(always)]
    fn only(self, lanes: LaneMask) -> Self {
        self & Self::load(&EXPANDED[usize::from(lanes)])
    }

    #[inline(always)]
    fn bits_of_rank(self, rank: Self, bits: &mut Words) {
        // SAFETY: see above.
        let ones = unsafe {
            let one = _mm256_set1_epi64x(1);
            Self(
                _mm256_sllv_epi64(one, rank.0),
                _mm256_sllv_epi64(one, rank.1),
            )
        };
        deposit(ones, self, bits);
    }
}

/// Lane by lane: the lowest bits of `bits` are deposited at the places of those that the word has.
///
/// Through memory, word by word, which volatile accesses insist on: else the compiler takes the
/// words out of the registers and puts them together again one by one, which takes longer.
#[inline(always)]
pub(super) fn deposit<V: Vector>(bits: V, words: V, to: &mut Words) {
    let (mut bit, mut word) = ([0; LANES], [0; LANES]);
    bits.store(&mut bit);
    words.store(&mut word);
    for lane in 0..LANES {
        // SAFETY: see above.
        unsafe {
            let (bit, word) = (read_volatile(&bit[lane]), read_volatile(&word[lane]));
            write_volatile(&mut to[lane], _pdep_u64(bit, word));
        }
    }
}
