//! The loops of [`super::plain`] for processors with wider registers.

/// The plain code, compiled for AVX2.
pub(super) mod avx2 {
    use crate::solver::exact::methods::quadrants::list::List;
    use crate::solver::exact::methods::quadrants::plain;
    use crate::solver::exact::methods::quadrants::table::Group;

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
pub(super) mod avx512 {
    use std::arch::x86_64::{
        __m512i, __mmask8, _mm512_add_epi64, _mm512_and_si512, _mm512_load_si512,
        _mm512_mask_testn_epi64_mask, _mm512_maskz_compress_epi64, _mm512_maskz_loadu_epi64,
        _mm512_or_si512, _mm512_popcnt_epi64, _mm512_reduce_add_epi64, _mm512_set1_epi64,
        _mm512_setzero_si512, _mm512_storeu_si512,
    };

    use crate::solver::exact::methods::quadrants::list::List;
    use crate::solver::exact::methods::quadrants::plain;
    use crate::solver::exact::methods::quadrants::table::{CHUNK, ENTRIES, Group};

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
            let room = unions.room(second.len() + WORDS);
            let mut n_found = 0;
            let one = _mm512_set1_epi64(one.cast_signed());
            for others in second.chunks(WORDS) {
                let (others, live) = load(others);
                let apart = _mm512_mask_testn_epi64_mask(live, others, one);
                n_found += store(&mut room[n_found..], apart, _mm512_or_si512(others, one));
            }
            unions.grow(n_found);
        }
    }

    #[target_feature(enable = "avx512f,popcnt")]
    pub fn part(masks: &[u64], bit: u64, [without, with]: [&mut List; 2]) {
        let n_words = masks.len() + WORDS;
        let (zeros, ones) = (without.room(n_words), with.room(n_words));
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

    /// Writes the words of some lanes side by side; what stands in the places behind them, eight in
    /// all, has no meaning. Returns how many they are.
    #[inline]
    #[target_feature(enable = "avx512f,popcnt")]
    fn store(room: &mut [u64], lanes: __mmask8, words: __m512i) -> usize {
        let room = &mut room[..WORDS];
        let packed = _mm512_maskz_compress_epi64(lanes, words);
        // SAFETY: the slice holds the 64 bytes that are written, at any alignment.
        unsafe { _mm512_storeu_si512(room.as_mut_ptr().cast(), packed) };
        lanes.count_ones() as usize
    }
}
