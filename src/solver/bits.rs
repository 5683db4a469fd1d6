//! Bit sets: 64 members to a word, the least first. Used by the domains of constraint models and by
//! trials in lanes.

/// The positions of the one bits of `word`, ascending.
#[inline(always)]
pub fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros() as usize;
        word &= word.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

/// The bit of this rank among the one bits of a word, counted from 0; nothing where there are too
/// few.
#[inline]
pub fn of_rank(mut word: u64, rank: u64) -> u64 {
    for _ in 0..rank.min(64) {
        word &= word.wrapping_sub(1);
    }
    word & word.wrapping_neg()
}

/// Words whose first `count` bits are one.
pub fn first_ones(count: usize) -> impl Iterator<Item = u64> {
    (0..count)
        .step_by(64)
        .map(move |first| u64::MAX >> (64 - (count - first).min(64)))
}

/// Returns those of the values `64 at .. 64 at + 63` that are not below `least`.
pub fn at_least(least: i32, at: usize) -> u64 {
    match least - 64 * at as i32 {
        ..=0 => u64::MAX,
        shift @ 1..64 => u64::MAX << shift,
        64.. => 0,
    }
}

#[inline]
pub fn has(words: &[u64], member: u32) -> bool {
    words[member as usize / 64] >> (member % 64) & 1 == 1
}

#[inline]
pub fn put(words: &mut [u64], member: u32) {
    words[member as usize / 64] |= 1 << (member % 64);
}

#[inline]
pub fn take(words: &mut [u64], member: u32) {
    words[member as usize / 64] &= !(1 << (member % 64));
}
