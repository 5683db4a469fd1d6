//! Tests: every set of instructions of this processor gives the bits of plain code.

use super::*;
use crate::local::tests::samples::stream;
use crate::rng::{TrialStream, Words as _};

/// Words of all kinds: few bits, many, numbers, equal ones.
fn words(stream: &mut TrialStream) -> Words {
    std::array::from_fn(|_| {
        let word = stream.word();
        match stream.word() % 6 {
            0 => word & stream.word() & stream.word(),
            1 => word | stream.word() | stream.word(),
            2 => word >> 32,
            3 => word >> 58,
            4 => [0, u64::MAX][(word & 1) as usize],
            _ => word,
        }
    })
}

/// What every operation gives, one after the other.
#[inline(always)]
fn results<V: Vector>([a, b, c]: &[Words; 3], mask: LaneMask) -> Vec<Words> {
    let (x, y, z) = (V::load(a), V::load(b), V::load(c));
    let half = V::splat(u64::from(u32::MAX));
    let rank = b.map(|word| word % 66);
    // Doubles from 2⁻⁸ to 2⁸.
    let double = |word: u64| {
        let exponent = 1015 + word % 16;
        f64::from_bits(word >> 12 | exponent << 52).to_bits()
    };
    let (real, other) = (V::load(&a.map(double)), V::load(&b.map(double)));
    let tables = [16, 65].map(|length| Vec::from_iter((0..length).map(f64::from)));
    let mut all = vec![
        V::none(),
        x & y,
        x | y,
        x ^ y,
        !x,
        x.up(1),
        x.up(13),
        x.up(63),
        x.down(1),
        x.down(19),
        x.down(63),
        x.up_from(y, 13),
        x.down_from(y, 13),
        V::any_of(x, y, z),
        V::two_of(x, y, z),
        V::splat(a[0]),
        x.plus(y),
        x.minus(y),
        x.count(),
        x.times(y),
        (x & half).least(y & half),
        x.only(mask),
        x.rotated(23),
        x.rotated(45),
        real.plus_float(other),
        real.times_float(other),
        real.truncated(),
        (x & V::splat(15)).entry_of(&tables[0]),
        x.down(58).entry_of(&tables[1]),
    ];
    let masks = [
        x.down(1).below(y.down(1)),
        x.equal(y),
        x.lanes(),
        (x & half).below(y & half),
    ];
    let mut bits = [0; LANES];
    x.bits_of_rank(V::load(&rank), &mut bits);
    all.push(V::load(&bits));
    all.extend(masks.map(|mask| V::splat(u64::MAX).only(mask)));
    let stored = |vector: V| {
        let mut words = [0; LANES];
        vector.store(&mut words);
        words
    };
    all.into_iter().map(stored).collect()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi2")]
unsafe fn by_avx2(words: &[Words; 3], mask: LaneMask) -> Vec<Words> {
    results::<Avx2>(words, mask)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512vpopcntdq,avx512vbmi2,avx512f,avx512bw,avx2,bmi2")]
unsafe fn by_avx512(words: &[Words; 3], mask: LaneMask) -> Vec<Words> {
    results::<Avx512>(words, mask)
}

#[test]
fn all_instructions_give_the_same_bits() {
    let mut stream = stream("tests/vector", 1);
    for _ in 0..3000 {
        let (words, mask) = (
            std::array::from_fn(|_| words(&mut stream)),
            stream.word() as LaneMask,
        );
        let expected = results::<Plain<LANES>>(&words, mask);
        for instructions in Instructions::available() {
            // SAFETY: the processor has the instructions.
            let found = match instructions {
                Instructions::Portable => continue,
                Instructions::OneLane => {
                    let found = results::<Plain<1>>(&words, mask);
                    assert!(found.iter().zip(&expected).all(|(a, b)| a[0] == b[0]));
                    continue;
                }
                #[cfg(target_arch = "x86_64")]
                Instructions::Avx2 => unsafe { by_avx2(&words, mask) },
                #[cfg(target_arch = "x86_64")]
                Instructions::Avx512 => unsafe { by_avx512(&words, mask) },
            };
            for (number, (found, expected)) in found.iter().zip(&expected).enumerate() {
                assert_eq!(found, expected, "{instructions:?}, result {number}");
            }
        }
    }
}
