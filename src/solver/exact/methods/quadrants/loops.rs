//! The inner loops, in plain code and for processors with wider registers. Which of them run is
//! chosen when the program runs, the build stays a baseline one; the results are the same.

use super::table::{CHUNK, ENTRIES, Group, List};

/// What this processor has. Made by [`best`] and [`present`] alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Loops {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// The fastest that this processor has.
pub(super) fn best() -> Loops {
    present().last().unwrap_or(Loops::Plain)
}

/// All that this processor has, the slowest first.
pub(super) fn present() -> impl Iterator<Item = Loops> {
    let plain = (Loops::Plain, true);
    #[cfg(target_arch = "x86_64")]
    let all = [
        plain,
        (Loops::Avx2, avx2::is_present()),
        (Loops::Avx512, avx512::is_present()),
    ];
    #[cfg(not(target_arch = "x86_64"))]
    let all = [plain];
    all.into_iter()
        .filter(|&(_, is_present)| is_present)
        .map(|(it, _)| it)
}

/// Calls the loop of this name in the module for these instructions.
macro_rules! call {
    ($instructions:expr, $name:ident $(::<$n:literal>)? ($($argument:expr),*)) => {
        match $instructions {
            Loops::Plain => plain::$name$(::<$n>)?($($argument),*),
            // SAFETY: the processor has the instructions, or the value would not have been made.
            #[cfg(target_arch = "x86_64")]
            Loops::Avx2 => unsafe { avx2::$name$(::<$n>)?($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Loops::Avx512 => unsafe { avx512::$name$(::<$n>)?($($argument),*) },
        }
    };
}

impl Loops {
    /// [`plain::join`].
    #[inline]
    pub fn join(self, first: &[u64], second: &[u64], unions: &mut List) {
        // The loops are fastest where the inner one is long.
        let (outer, inner) = if first.len() > second.len() {
            (second, first)
        } else {
            (first, second)
        };
        call!(self, join(outer, inner, unions));
    }

    /// [`plain::part`].
    pub fn part(self, masks: &[u64], bit: u64, parts: [&mut List; 2]) {
        call!(self, part(masks, bit, parts));
    }

    /// [`plain::transpose`], then [`plain::spread`].
    pub fn spread(self, taken: &mut [Group; 64], free: &mut [Group]) {
        call!(self, transpose(taken));
        call!(self, spread(taken, free));
    }

    /// [`plain::count`], with as many chunks as `free` has.
    pub fn count(self, masks: &[u64], free: &[Group]) -> u64 {
        match free.len() / ENTRIES {
            1 => call!(self, count::<1>(masks, free)),
            2 => call!(self, count::<2>(masks, free)),
            3 => call!(self, count::<3>(masks, free)),
            4 => call!(self, count::<4>(masks, free)),
            5 => call!(self, count::<5>(masks, free)),
            6 => call!(self, count::<6>(masks, free)),
            7 => call!(self, count::<7>(masks, free)),
            8 => call!(self, count::<8>(masks, free)),
            9 => call!(self, count::<9>(masks, free)),
            chunks => unreachable!("{chunks} chunks: a table has 1 to 9"),
        }
    }
}

/// The reference, and what a processor without wider registers runs.
mod plain {
    use super::{CHUNK, ENTRIES, Group, List};

    /// Appends the union of each pair of masks, one of each list, that share no bit.
    #[inline(always)]
    pub fn join(first: &[u64], second: &[u64], unions: &mut List) {
        for &one in first {
            let spare = unions.spare(second.len());
            let mut n_found = 0_usize;
            for &other in second {
                // The slot is written again unless the pair counts: there is no branch to guess.
                spare[n_found] = one | other;
                n_found = n_found.wrapping_add(usize::from(one & other == 0));
            }
            unions.grow(n_found);
        }
    }

    /// Appends the masks without `bit` to `without`, those with it to `with`, in their order.
    #[inline(always)]
    pub fn part(masks: &[u64], bit: u64, [without, with]: [&mut List; 2]) {
        let (zeros, ones) = (without.spare(masks.len()), with.spare(masks.len()));
        let (mut n_zeros, mut n_ones) = (0_usize, 0_usize);
        for &mask in masks {
            let is_one = usize::from(mask & bit != 0);
            // Both are written, one of them counts.
            (zeros[n_zeros], ones[n_ones]) = (mask, mask);
            n_zeros = n_zeros.wrapping_add(1 - is_one);
            n_ones = n_ones.wrapping_add(is_one);
        }
        without.grow(n_zeros);
        with.grow(n_ones);
    }

    /// The number of pairs of one of `masks` and one of the boards in `free`, by
    /// [`DiagonalTable`](super::super::table::DiagonalTable), that share no bit.
    #[inline(always)]
    pub fn count<const CHUNKS: usize>(masks: &[u64], free: &[Group]) -> u64 {
        let free = &free[..CHUNKS * ENTRIES];
        let mut n_pairs = 0_u64;
        for &mask in masks {
            let mut left = free[mask as usize % ENTRIES];
            for chunk in 1..CHUNKS {
                let value = (mask >> (CHUNK * chunk)) as usize % ENTRIES;
                let others = &free[ENTRIES * chunk + value];
                for (word, other) in left.0.iter_mut().zip(others.0) {
                    *word &= other;
                }
            }
            for word in left.0 {
                n_pairs = n_pairs.wrapping_add(u64::from(word.count_ones()));
            }
        }
        n_pairs
    }

    /// Exchanges rows and columns of eight 64 × 64 matrices of bits at once: bit i of word l of row
    /// j becomes bit j of word l of row i.
    #[inline(always)]
    pub fn transpose(rows: &mut [Group; 64]) {
        let (mut half, mut mask) = (32, u64::from(u32::MAX));
        while half > 0 {
            for from in (0..64).step_by(2 * half) {
                for at in from..from + half {
                    for lane in 0..8 {
                        let (low, high) = (rows[at].0[lane], rows[at + half].0[lane]);
                        let differ = (low >> half ^ high) & mask;
                        rows[at].0[lane] = low ^ differ << half;
                        rows[at + half].0[lane] = high ^ differ;
                    }
                }
            }
            half /= 2;
            mask ^= mask << half;
        }
    }

    /// Fills, for each chunk of diagonals, `free` of a set of diagonals from that of the set
    /// without its lowest one, and `taken` of that one. The entries of the empty sets are there.
    #[inline(always)]
    pub fn spread(taken: &[Group; 64], free: &mut [Group]) {
        for (chunk, entries) in free.chunks_exact_mut(ENTRIES).enumerate() {
            for set in 1..ENTRIES {
                let lowest = CHUNK * chunk + set.trailing_zeros() as usize;
                let rest = entries[set & (set - 1)];
                for lane in 0..8 {
                    entries[set].0[lane] = rest.0[lane] & !taken[lowest].0[lane];
                }
            }
        }
    }
}

/// The plain code, compiled for AVX2.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Group, List, plain};

    pub fn is_present() -> bool {
        is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt")
    }

    #[target_feature(enable = "avx2,popcnt")]
    pub fn join(first: &[u64], second: &[u64], unions: &mut List) {
        plain::join(first, second, unions);
    }

    #[target_feature(enable = "avx2,popcnt")]
    pub fn part(masks: &[u64], bit: u64, parts: [&mut List; 2]) {
        plain::part(masks, bit, parts);
    }

    #[target_feature(enable = "avx2,popcnt")]
    pub fn count<const CHUNKS: usize>(masks: &[u64], free: &[Group]) -> u64 {
        plain::count::<CHUNKS>(masks, free)
    }

    #[target_feature(enable = "avx2,popcnt")]
    pub fn transpose(rows: &mut [Group; 64]) {
        plain::transpose(rows);
    }

    #[target_feature(enable = "avx2,popcnt")]
    pub fn spread(taken: &[Group; 64], free: &mut [Group]) {
        plain::spread(taken, free);
    }
}

/// Eight words at a time, with AVX-512 and its count of bits.
#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::{
        __m512i, __mmask8, _mm512_add_epi64, _mm512_and_si512, _mm512_load_si512,
        _mm512_mask_testn_epi64_mask, _mm512_maskz_compress_epi64, _mm512_maskz_loadu_epi64,
        _mm512_or_si512, _mm512_popcnt_epi64, _mm512_reduce_add_epi64, _mm512_set1_epi64,
        _mm512_setzero_si512, _mm512_storeu_si512,
    };

    use super::{CHUNK, ENTRIES, Group, List, plain};

    /// Words of a register.
    const WORDS: usize = 8;

    pub fn is_present() -> bool {
        is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vpopcntdq")
            && is_x86_feature_detected!("popcnt")
    }

    #[target_feature(enable = "avx512f,popcnt")]
    pub fn join(first: &[u64], second: &[u64], unions: &mut List) {
        for &one in first {
            let spare = unions.spare(second.len() + WORDS);
            let mut n_found = 0;
            let one = _mm512_set1_epi64(one.cast_signed());
            for others in second.chunks(WORDS) {
                let (others, live) = load(others);
                let apart = _mm512_mask_testn_epi64_mask(live, others, one);
                n_found += store(&mut spare[n_found..], apart, _mm512_or_si512(others, one));
            }
            unions.grow(n_found);
        }
    }

    #[target_feature(enable = "avx512f,popcnt")]
    pub fn part(masks: &[u64], bit: u64, [without, with]: [&mut List; 2]) {
        let n_words = masks.len() + WORDS;
        let (zeros, ones) = (without.spare(n_words), with.spare(n_words));
        let (mut n_zeros, mut n_ones) = (0, 0);
        let bit = _mm512_set1_epi64(bit.cast_signed());
        for masks in masks.chunks(WORDS) {
            let (masks, live) = load(masks);
            let is_zero = _mm512_mask_testn_epi64_mask(live, masks, bit);
            n_zeros += store(&mut zeros[n_zeros..], is_zero, masks);
            n_ones += store(&mut ones[n_ones..], live & !is_zero, masks);
        }
        without.grow(n_zeros);
        with.grow(n_ones);
    }

    #[target_feature(enable = "avx512f,avx512vpopcntdq")]
    pub fn count<const CHUNKS: usize>(masks: &[u64], free: &[Group]) -> u64 {
        let free = &free[..CHUNKS * ENTRIES];
        let mut n_pairs = _mm512_setzero_si512();
        for &mask in masks {
            let mut left = group(&free[mask as usize % ENTRIES]);
            for chunk in 1..CHUNKS {
                let value = (mask >> (CHUNK * chunk)) as usize % ENTRIES;
                left = _mm512_and_si512(left, group(&free[ENTRIES * chunk + value]));
            }
            n_pairs = _mm512_add_epi64(n_pairs, _mm512_popcnt_epi64(left));
        }
        _mm512_reduce_add_epi64(n_pairs).cast_unsigned()
    }

    #[target_feature(enable = "avx512f")]
    pub fn transpose(rows: &mut [Group; 64]) {
        plain::transpose(rows);
    }

    #[target_feature(enable = "avx512f")]
    pub fn spread(taken: &[Group; 64], free: &mut [Group]) {
        plain::spread(taken, free);
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn group(group: &Group) -> __m512i {
        // SAFETY: a group is 64 bytes that begin at a multiple of 64.
        unsafe { _mm512_load_si512(group.0.as_ptr().cast()) }
    }

    /// Up to eight words, and which lanes have one.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load(words: &[u64]) -> (__m512i, __mmask8) {
        let live = ((1_u32 << words.len().min(WORDS)) - 1) as __mmask8;
        // SAFETY: only words of the slice are read, one for each bit of the mask.
        let loaded = unsafe { _mm512_maskz_loadu_epi64(live, words.as_ptr().cast()) };
        (loaded, live)
    }

    /// Writes the words of some lanes side by side; what stands in the slots behind them, eight in
    /// all, has no meaning. Returns how many they are.
    #[inline]
    #[target_feature(enable = "avx512f,popcnt")]
    fn store(spare: &mut [u64], lanes: __mmask8, words: __m512i) -> usize {
        let spare = &mut spare[..WORDS];
        let packed = _mm512_maskz_compress_epi64(lanes, words);
        // SAFETY: the slice holds the 64 bytes that are written, at any alignment.
        unsafe { _mm512_storeu_si512(spare.as_mut_ptr().cast(), packed) };
        lanes.count_ones() as usize
    }
}
