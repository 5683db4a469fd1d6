//! How long the draws of a trial are in coming.
//!
//! The number of updates before a draw is geometric, and depends on the number of open sites
//! alone: ⌊ln u / ln(1 − p)⌋ for a uniform number u. The logarithm is made of sums, products and a
//! table alone, so that its bits are the same by all instructions.

#[cfg(test)]
mod tests;

use std::f64::consts::LN_2;

use crate::rng::Geometric;

/// The laws of the waits at one point.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub struct WaitLaws {
    /// 1 / ln(1 − p) by the number of open sites, which is below 256 on 8 × 8 cells.
    scales: [f64; 256],
    /// ln of the middle of each piece.
    logarithms: [f64; PIECES],
}

/// The pieces into which a logarithm's table divides the numbers from 1 to 2.
const PIECES: usize = 16;

/// 1 over the middle of a piece, rounded.
#[inline(always)]
fn inverse(piece: f64) -> f64 {
    1.0 / (1.0 + (piece + 0.5) / PIECES as f64)
}

impl WaitLaws {
    /// The laws where a draw comes with these probabilities, by the number of open sites.
    pub fn new(probabilities: impl Iterator<Item = f64>) -> Self {
        let mut scales = [0.0; 256];
        for (scale, p) in scales.iter_mut().zip(probabilities) {
            *scale = -Geometric::new(p).scale();
        }
        Self {
            scales,
            logarithms: std::array::from_fn(|piece| -libm::log(inverse(piece as f64))),
        }
    }

    /// The number of updates before a draw, from the logarithm of a uniform number and the number
    /// of open sites, of which there is one.
    #[inline(always)]
    pub fn failures(&self, logarithm: f64, open: u64) -> f64 {
        /// The least double from which on all are whole numbers.
        const WHOLE: f64 = (1_u64 << 52) as f64;
        let exact = logarithm * self.scales[open as u8 as usize];
        // The logarithm of a number near 1 may be above 0.
        let exact = if exact > 0.0 { exact } else { 0.0 };
        // Without its fraction; `trunc` is a call where the processor has no instruction for it.
        let rounded = (exact + WHOLE) - WHOLE;
        rounded - if rounded > exact { 1.0 } else { 0.0 }
    }

    /// ln of the uniform number `(i + ½) 2⁻⁵²` that the first 52 bits i of a word say; off by less
    /// than 10⁻¹¹.
    ///
    /// A number 2ᵏ m, 1 ≤ m < 2, has the logarithm k ln 2 − ln c + ln(1 + r) for c m = 1 + r, where
    /// c is the inverse of a number near m, so that |r| < 1/32, and ln(1 + r) is a polynomial.
    #[inline(always)]
    pub fn logarithm(&self, word: u64) -> f64 {
        /// The exponent bits of doubles from 2⁵² on, which are whole numbers.
        const WHOLE: f64 = (1_u64 << 52) as f64;
        const MANTISSA: u64 = (1 << 52) - 1;
        let number = |bits: u64| f64::from_bits(bits | WHOLE.to_bits()) - WHOLE;
        let uniform = (f64::from_bits(word >> 12 | WHOLE.to_bits()) + (0.5 - WHOLE)).to_bits();
        // The exponent has a bias of 1023, and 2⁵² is divided by.
        let k = f64::from_bits(uniform >> 52 | WHOLE.to_bits()) + (-WHOLE - 1075.0);
        let piece = uniform >> 48 & (PIECES as u64 - 1);
        let m = f64::from_bits(uniform & MANTISSA | 1.0_f64.to_bits());
        let r = m * inverse(number(piece)) - 1.0;
        let mut sum = COEFFICIENTS[0];
        for coefficient in &COEFFICIENTS[1..] {
            sum = r * sum + coefficient;
        }
        k * LN_2 + self.logarithms[piece as usize] + r * sum
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
