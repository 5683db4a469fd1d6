//! Random numbers of a trial: [`TrialStream`], and the few draws that the project makes from one.
//! Here are uniform integers (Lemire's method), coins, and geometric waiting times; the exponential
//! ones are in `rng/exponential.rs`.
//!
//! # Which stream a trial has
//! The stream is a xoshiro256++ generator (Blackman and Vigna) whose 256-bit state is the BLAKE3
//! hash, 32 bytes, of the message below, read as four little-endian 64-bit words. The message is a
//! sequence of fields; a field is the length of its text in bytes as a little-endian 32-bit number,
//! then the text in UTF-8:
//!
//! 1. the domain tag: `reines/local/<dynamics>/1` for the local rules, in lanes
//!    `reines/local/lanes/2`, so that two dynamics never share a start; `reines/synchronous/1`,
//!    `reines/factor/1`; `reines/cp/1` for the constraint models;
//! 2. the spec's seed in decimal;
//! 3. the algorithm's registry name;
//! 4. the variant, empty where there is none;
//! 5. the number of axes that the point has, in decimal;
//! 6. for each of them, sorted by name: three fields, the name, `integer` or `real`, and the value
//!    in decimal. A real value is the shortest decimal that parses to it, without exponent and
//!    without a fraction if it is integral (`0.0003`, `1`, `0`; −0 is `0`);
//! 7. the trial's index in decimal.
//!
//! Nothing else reaches the stream: not the position in a grid, the goal or the cutoff.
//!
//! # Draws
//! Each is a fixed function of the next 64-bit words of the stream; their outputs are frozen by
//! tests, because published results rest on them.

mod exponential;

#[cfg(test)]
mod tests;

use std::io::Write as _;

use rand::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Point, Value};

/// The draws that an algorithm may make. [`TrialStream`] answers at random; a test may answer in
/// every possible way.
pub trait RandomSource {
    /// A uniform integer in `0 .. bound`; `bound` is at least 1.
    fn below(&mut self, bound: u64) -> u64;

    /// True with the given probability.
    fn flip(&mut self, chance: Chance) -> bool;
}

/// A generator of uniform bits; each number that is drawn is made of its words in one way.
pub trait Words {
    /// The next 64 uniform bits.
    fn word(&mut self) -> u64;

    /// An exponential number of mean 1, from a ziggurat (`rng/exponential.rs`): P(X > x) = e^(−x).
    #[inline]
    fn exponential(&mut self) -> f64 {
        exponential::exponential(|| self.word())
    }
}

impl<T: Words> RandomSource for T {
    /// Lemire's multiply-shift with rejection (ACM TOMACS 29, 2019): the high half of word × bound,
    /// the few words that would favour some results drawn again; exactly uniform.
    #[inline]
    fn below(&mut self, bound: u64) -> u64 {
        loop {
            let product = u128::from(self.word()) * u128::from(bound);
            let low = product as u64;
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (product >> 64) as u64;
            }
        }
    }

    #[inline]
    fn flip(&mut self, chance: Chance) -> bool {
        (self.word() < chance.threshold) | chance.certain
    }
}

/// The probability of an event, ready for [`RandomSource::flip`].
///
/// The event happens when a 64-bit word is below `p · 2⁶⁴`, rounded up. So 0 and 1 are exact, every
/// p ≥ 2⁻¹² is (a double's 53 bits end above 2⁻⁶⁴ there), and a smaller p is off by less than 2⁻⁶⁴
/// but never 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chance {
    threshold: u64,
    certain: bool,
}

impl Chance {
    /// The event of probability `p`.
    ///
    /// # Panics
    /// When `p` is not in [0, 1].
    pub fn new(p: f64) -> Self {
        assert!(
            (0.0..=1.0).contains(&p),
            "a probability is from 0 to 1, not {p}"
        );
        Self {
            threshold: (p * TWO_TO_64).ceil() as u64,
            certain: p == 1.0,
        }
    }

    /// p, as it is used.
    pub fn probability(self) -> f64 {
        if self.certain {
            1.0
        } else {
            self.threshold as f64 / TWO_TO_64
        }
    }

    /// p · 2⁶⁴, as it is used.
    #[inline]
    pub fn threshold(self) -> u128 {
        if self.certain {
            1 << 64
        } else {
            u128::from(self.threshold)
        }
    }

    /// p is 1.
    pub fn is_certain(self) -> bool {
        self.certain
    }
}

/// The number of failures before the first success in independent trials of one probability, ready
/// for [`Geometric::failures`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Geometric {
    /// 1 / −ln(1 − p): infinite for p = 0, 0 for p = 1.
    scale: f64,
}

impl Geometric {
    /// Trials that succeed with probability `p`.
    ///
    /// # Panics
    /// When the probability of success is not in [0, 1].
    pub fn new(p: f64) -> Self {
        assert!(
            (0.0..=1.0).contains(&p),
            "a probability is from 0 to 1, not {p}"
        );
        Self {
            scale: -1.0 / libm::log1p(-p),
        }
    }

    /// Failures before the first success: `P(k) = p (1 − p)^k`.
    ///
    /// ⌊X / −ln(1 − p)⌋ of an exponential number X ([`TrialStream::exponential`]); numbers above
    /// 2⁵³ are rounded as doubles are. `u64::MAX` means "beyond 2⁶⁴", for p = 0 always.
    #[inline]
    pub fn failures(self, exponential: f64) -> u64 {
        (exponential * self.scale) as u64
    }

    /// 1 / −ln(1 − p).
    pub fn scale(self) -> f64 {
        self.scale
    }

    /// p, as it is used.
    #[cfg(test)]
    pub fn probability(self) -> f64 {
        -libm::expm1(-1.0 / self.scale)
    }
}

pub(crate) const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;

/// A xoshiro256++ generator by its state, which is not 0. There are two of them, this one and that
/// of `rand_xoshiro` in [`TrialStream`], because lanes keep the states of many generators side by
/// side, and the state of `rand_xoshiro` is private; a test holds them word by word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Generator(pub [u64; 4]);

impl Generator {
    /// The generator whose state is the BLAKE3 hash of a message.
    pub fn of(message: &[u8]) -> Self {
        let hash = blake3::hash(message);
        let (words, _) = hash.as_bytes().as_chunks();
        Self(std::array::from_fn(|i| u64::from_le_bytes(words[i])))
    }
}

impl Words for Generator {
    #[inline]
    fn word(&mut self) -> u64 {
        let s = &mut self.0;
        let word = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let shifted = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= shifted;
        s[3] = s[3].rotate_left(45);
        word
    }
}

/// A uniform number between 0 and 1 from the first 53 bits of a word, as the midpoints `(i + ½)
/// 2⁻⁵³`.
#[inline]
pub fn midpoint(word: u64) -> f64 {
    const TWO_TO_MINUS_53: f64 = f64::EPSILON / 2.0;
    ((word >> 11) as f64 + 0.5) * TWO_TO_MINUS_53
}

/// The random numbers of one trial, and of no other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrialStream(Xoshiro256PlusPlus);

impl TrialStream {
    /// The stream of a trial; see the module's text for the encoding.
    pub fn new(domain: &str, seed: u64, point: &Point, trial: u32) -> Self {
        // More than most take: a tiny trial would feel it grow.
        let mut message = Vec::with_capacity(256);
        put(&mut message, domain);
        put(&mut message, seed);
        put(&mut message, &point.algorithm);
        put(&mut message, &point.variant);
        put(&mut message, point.axes.count());
        for (name, value) in point.axes.by_name() {
            put(&mut message, name);
            match value {
                Value::Integer(integer) => {
                    put(&mut message, "integer");
                    put(&mut message, integer);
                }
                // −0 + 0 = 0: `Value::real` sees to it, but the variant is public.
                Value::Real(real) => {
                    put(&mut message, "real");
                    put(&mut message, real + 0.0);
                }
            }
        }
        put(&mut message, trial);
        let seed = *blake3::hash(&message).as_bytes();
        Self(Xoshiro256PlusPlus::from_seed(seed))
    }

    /// So many uniform integers below `bound`, each as [`RandomSource::below`] draws it.
    pub fn several_below(&mut self, bound: u64, count: usize) -> Vec<u64> {
        (0..count).map(|_| self.below(bound)).collect()
    }
}

impl Words for TrialStream {
    #[inline]
    fn word(&mut self) -> u64 {
        self.0.next_u64()
    }
}

/// Adds a field to what is hashed into a stream's seed.
fn put(message: &mut Vec<u8>, value: impl std::fmt::Display) {
    const LENGTH: usize = size_of::<u32>();
    let begin = message.len();
    message.extend_from_slice(&[0; LENGTH]);
    write!(message, "{value}").expect("writing to a vector cannot fail");
    let (before, text) = message.split_at_mut(begin + LENGTH);
    let length = u32::try_from(text.len());
    let length = length.expect("a field is a name or a number, far below 4 GiB");
    before[begin..].copy_from_slice(&length.to_le_bytes());
}
