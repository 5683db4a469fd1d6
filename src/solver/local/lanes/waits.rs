//! How long the draws of a trial are in coming: each lane has a clock.
//!
//! The number of updates before a draw is geometric, and depends on the number of open sites
//! alone: ⌊ln u / ln(1 − p)⌋ for a uniform number u. All lanes draw at once. The logarithm is a
//! table and a polynomial of products and sums alone, so that its bits are the same by all
//! instructions.

#[cfg(test)]
mod tests;

use std::f64::consts::LN_2;

use super::draw::next_words;
use super::vector::{LANES, LaneMask, Vector, Words};
use crate::rng::{Generator, Geometric, Words as _};

/// The laws of the waits at one point.
#[derive(Debug, Clone)]
pub struct WaitLaws {
    /// 1 / ln(1 − p) by the number of open sites.
    scales: Box<[f64]>,
    /// −ln of each of [`INVERSES`].
    logarithms: [f64; PIECES],
}

/// The pieces into which a logarithm's table divides the numbers from 1 to 2.
const PIECES: usize = 16;

/// 1 over the middle of each piece, rounded.
const INVERSES: [f64; PIECES] = {
    let (mut inverses, mut piece) = ([0.0; PIECES], 0);
    while piece < PIECES {
        inverses[piece] = 1.0 / (1.0 + (piece as f64 + 0.5) / PIECES as f64);
        piece += 1;
    }
    inverses
};

impl WaitLaws {
    /// The laws where a draw comes with these probabilities, by the number of open sites.
    pub fn new(probabilities: impl Iterator<Item = f64>) -> Self {
        Self {
            scales: probabilities.map(|p| -Geometric::new(p).scale()).collect(),
            logarithms: INVERSES.map(|inverse| -libm::log(inverse)),
        }
    }

    /// The number of updates before a draw, as a double, from the logarithm of a uniform number and
    /// the number of open sites.
    #[inline(always)]
    fn failures<V: Vector>(&self, logarithm: V, open: V) -> V {
        logarithm
            .times_float(open.entry_of(&self.scales))
            .truncated()
    }

    /// ln of the uniform number `(i + ½) 2⁻⁵²` that the first 52 bits i of a word say; off by less
    /// than 10⁻¹¹.
    ///
    /// A number 2ᵏ m, 1 ≤ m < 2, has the logarithm k ln 2 − ln c + ln(1 + r) for c m = 1 + r, where
    /// c is the inverse of a number near m, so that |r| < 1/32, and ln(1 + r) is a polynomial.
    #[inline(always)]
    fn logarithm<V: Vector>(&self, word: V) -> V {
        /// The exponent bits of doubles from 2⁵² on, which are whole numbers.
        const WHOLE: f64 = (1_u64 << 52) as f64;
        const MANTISSA: u64 = (1 << 52) - 1;
        let whole = float::<V>(WHOLE);
        let uniform = (word.down(12) | whole).plus_float(float(0.5 - WHOLE));
        // The exponent has a bias of 1023, and 2⁵² is divided by.
        let k = (uniform.down(52) | whole).plus_float(float(-WHOLE - 1075.0));
        let piece = uniform.down(48) & V::splat(PIECES as u64 - 1);
        let m = uniform & V::splat(MANTISSA) | float(1.0);
        let r = m
            .times_float(piece.entry_of(&INVERSES))
            .plus_float(float(-1.0));
        let mut sum = float(COEFFICIENTS[0]);
        for coefficient in &COEFFICIENTS[1..] {
            sum = r.times_float(sum).plus_float(float(*coefficient));
        }
        k.times_float(float(LN_2))
            .plus_float(piece.entry_of(&self.logarithms))
            .plus_float(r.times_float(sum))
    }
}

/// The coefficients of ln(1 + r) / r, that of the highest power first.
const COEFFICIENTS: [f64; 6] = [
    -1.0 / 6.0,
    1.0 / 5.0,
    -1.0 / 4.0,
    1.0 / 3.0,
    -1.0 / 2.0,
    1.0,
];

/// The same double in each lane.
// No closure: it would be compiled without the instructions of its caller.
#[inline(always)]
fn float<V: Vector>(number: f64) -> V {
    V::splat(number.to_bits())
}

/// The clocks of eight trials. Times are in updates, as doubles: whole numbers, rounded above 2⁵³.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub struct Clocks {
    /// States of the generators of waits.
    generators: [Words; 4],
    /// The logarithm from which the next wait of each lane is made, as the bits of a double.
    logarithms: Words,
    /// The time of each trial, as the bits of a double.
    times: Words,
    /// What no time may pass.
    cutoff: f64,
}

impl Clocks {
    /// Clocks at time 0, of trials that end at a cutoff.
    pub fn until(cutoff: u64) -> Self {
        Self {
            generators: [[0; LANES]; 4],
            logarithms: [0; LANES],
            times: [0; LANES],
            cutoff: cutoff as f64,
        }
    }

    /// Sets a lane's clock to 0; its waits come from this generator.
    pub fn start(&mut self, lane: usize, generator: Generator) {
        self.times[lane] = 0;
        self.set_generator(lane, generator);
    }

    /// The time of a lane's trial; 2⁶⁴ − 1 for all that is above.
    pub fn time(&self, lane: usize) -> u64 {
        f64::from_bits(self.times[lane]) as u64
    }

    /// Draws the logarithm for the next wait of each lane: before the sites are looked for, while
    /// the registers are free.
    #[inline(always)]
    pub fn draw<V: Vector>(&mut self, laws: &WaitLaws) {
        let word = next_words::<V>(&mut self.generators);
        laws.logarithm(word).store(&mut self.logarithms);
    }

    /// Lets some lanes wait for a draw, by the numbers of their open sites. Returns the lanes whose
    /// time is after the cutoff.
    #[inline(always)]
    pub fn wait<V: Vector>(&mut self, lanes: LaneMask, open: V, laws: &WaitLaws) -> LaneMask {
        let failures = laws.failures(V::load(&self.logarithms), open);
        let wait = failures.plus_float(float(1.0)).only(lanes);
        let time = V::load(&self.times).plus_float(wait);
        time.store(&mut self.times);
        // Doubles that are not negative compare as their bits do.
        float::<V>(self.cutoff).below(time)
    }

    /// Lets a lane wait for a draw that comes with this probability in each update. Returns false
    /// where its time is after the cutoff.
    pub fn wait_alone(&mut self, lane: usize, p: f64) -> bool {
        let mut generator = Generator(self.generators.map(|words| words[lane]));
        let failures = (generator.exponential() * Geometric::new(p).scale()).trunc();
        self.set_generator(lane, generator);
        let time = f64::from_bits(self.times[lane]) + (failures + 1.0);
        self.times[lane] = time.to_bits();
        time <= self.cutoff
    }

    fn set_generator(&mut self, lane: usize, generator: Generator) {
        for (words, word) in self.generators.iter_mut().zip(generator.0) {
            words[lane] = word;
        }
    }
}
