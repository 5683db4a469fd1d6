//! A random source that gives every possible answer, one sequence of them after the other, and the
//! probability of each sequence: as a polynomial in the coins, or as a number. The ε and η of the
//! enumeration are here.

use std::ops::{Add, Mul};

use crate::rng::{Chance, RandomSource};

/// The value of ε at which laws are enumerated: one that no formula of a rule has by chance.
pub const EPSILON_AT: f64 = 0.271_828_182_845_904;

/// The value of η at which laws are enumerated.
pub const ETA_AT: f64 = 0.141_592_653_589_793;

/// 2⁶¹ − 1.
const PRIME: u64 = (1 << 61) - 1;

/// What ε and η are modulo [`PRIME`]: the digits of √2 and √3.
const EPSILON_RESIDUE: u64 = 1_414_213_562_373_095_048;
const ETA_RESIDUE: u64 = 1_732_050_807_568_877_293;

/// The most possibilities of a draw whose inverse is kept in a table.
const MOST: usize = 64;

/// 1 / k modulo [`PRIME`] by k.
static ONE_OVER: [u64; MOST + 1] = {
    let mut inverses = [0; MOST + 1];
    let mut k = 1;
    while k <= MOST {
        inverses[k] = inverse(k as u64);
        k += 1;
    }
    inverses
};

/// a · b modulo [`PRIME`].
const fn product(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    let sum = (product as u64 & PRIME) + (product >> 61) as u64;
    reduced(sum)
}

/// A number below 2 · [`PRIME`] modulo it.
const fn reduced(number: u64) -> u64 {
    if number >= PRIME {
        number - PRIME
    } else {
        number
    }
}

/// 1 / a modulo [`PRIME`]: a to the power of `PRIME − 2` (Fermat).
const fn inverse(a: u64) -> u64 {
    let mut power = 1;
    let mut square = a % PRIME;
    let mut exponent = PRIME - 2;
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = product(power, square);
        }
        square = product(square, square);
        exponent >>= 1;
    }
    power
}

/// What the probabilities of answers are counted in.
pub trait Weight: Copy + PartialEq + Add<Output = Self> + Mul<Output = Self> {
    /// 1.
    const ONE: Self;

    /// 1 / k.
    fn one_of(k: u64) -> Self;

    /// 1 − p.
    fn complement(self) -> Self;

    /// ε.
    fn epsilon() -> Self;

    /// η.
    fn eta() -> Self;

    /// The probability of a coin that is neither that of ε nor that of η.
    fn of(chance: Chance) -> Self;
}

/// At ([`EPSILON_AT`], [`ETA_AT`]), rounded.
impl Weight for f64 {
    const ONE: Self = 1.0;

    fn one_of(k: u64) -> Self {
        1.0 / k as Self
    }

    fn complement(self) -> Self {
        1.0 - self
    }

    fn epsilon() -> Self {
        EPSILON_AT
    }

    fn eta() -> Self {
        ETA_AT
    }

    fn of(chance: Chance) -> Self {
        chance.probability()
    }
}

/// A polynomial in ε and η with rational coefficients, by its value at a pair of fixed numbers
/// modulo the prime 2⁶¹ − 1, where sums, products and quotients are exact: equal polynomials are
/// equal there in whatever order they were added up, and two that differ are equal there with a
/// probability of about 2⁻⁶⁰ (Schwartz and Zippel).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Polynomial(pub u64);

impl Weight for Polynomial {
    const ONE: Self = Self(1);

    fn one_of(k: u64) -> Self {
        let known = ONE_OVER.get(k as usize).copied();
        Self(known.unwrap_or_else(|| inverse(k)))
    }

    fn complement(self) -> Self {
        Self(reduced(PRIME + 1 - self.0))
    }

    fn epsilon() -> Self {
        Self(EPSILON_RESIDUE)
    }

    fn eta() -> Self {
        Self(ETA_RESIDUE)
    }

    /// The threshold over 2⁶⁴, which is 8 modulo the prime.
    fn of(chance: Chance) -> Self {
        let threshold = (chance.threshold() % u128::from(PRIME)) as u64;
        Self(product(threshold, ONE_OVER[8]))
    }
}

impl Add for Polynomial {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self(reduced(self.0 + other.0))
    }
}

impl Mul for Polynomial {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        Self(product(self.0, other.0))
    }
}

/// A question that an update has asked of its random source, and the answer that it gets at
/// present: one of so many numbers, or of a coin 0 for tails and 1 for heads.
#[derive(Debug, Clone, Copy)]
struct Asked<W> {
    n_answers: u64,
    answer: u64,
    is_coin_of_epsilon: bool,
    /// The probability of each answer but the first.
    of_later: W,
    /// The probability of all answers before this one, and up to it.
    before: W,
    after: W,
}

/// The random source: the first answers are those of the present sequence, each later one is the
/// first that is possible.
#[derive(Debug)]
pub struct Script<W> {
    asked: Vec<Asked<W>>,
    position: usize,
    epsilon: Chance,
    eta: Chance,
}

impl<W: Weight> Script<W> {
    /// A source whose coins of ε and of η are those of a rule at ([`EPSILON_AT`], [`ETA_AT`]).
    pub fn new() -> Self {
        Self {
            asked: Vec::with_capacity(16),
            position: 0,
            epsilon: Chance::new(EPSILON_AT),
            eta: Chance::new(ETA_AT),
        }
    }

    /// Gives an experiment every sequence of answers, and its results with their probabilities to
    /// `receive`.
    #[inline(always)]
    pub fn answer_all<T>(
        &mut self,
        mut experiment: impl FnMut(&mut Self) -> T,
        mut receive: impl FnMut(W, T),
    ) {
        self.asked.clear();
        loop {
            self.position = 0;
            let result = experiment(self);
            receive(self.probability(), result);
            if !self.turn() {
                return;
            }
        }
    }

    /// The probability of all answers that were given.
    #[inline(always)]
    fn probability(&self) -> W {
        self.asked.last().map_or(W::ONE, |asked| asked.after)
    }

    /// What two coins of ε may show in the present sequence, as bits 2 a + b, where a and b are 1
    /// for heads of the first and of the second coin: both sides of a coin that was not flipped.
    /// No bit where something else was drawn, or more coins.
    #[inline(always)]
    pub fn coins(&self) -> u8 {
        const FIRST: [u8; 2] = [0b0011, 0b1100];
        const SECOND: [u8; 2] = [0b0101, 0b1010];
        let of = |asked: &Asked<W>, sides: [u8; 2]| {
            let side = sides[usize::from(asked.answer != 0)];
            if asked.is_coin_of_epsilon { side } else { 0 }
        };
        match &*self.asked {
            [] => 0b1111,
            [first] => of(first, FIRST),
            [first, second] => of(first, FIRST) & of(second, SECOND),
            _ => 0,
        }
    }

    /// Turns to the next sequence, as an odometer does; false after the last one.
    #[inline(always)]
    fn turn(&mut self) -> bool {
        while let Some(last) = self.asked.last_mut() {
            last.answer += 1;
            if last.answer < last.n_answers {
                last.after = last.before * last.of_later;
                return true;
            }
            self.asked.pop();
        }
        false
    }

    /// The answer of the present sequence to the next question, if it has one.
    #[inline(always)]
    fn known_answer(&mut self) -> Option<u64> {
        let asked = self.asked.get(self.position)?;
        self.position += 1;
        Some(asked.answer)
    }

    /// Adds a question of so many answers with these probabilities, and gives it the first.
    #[inline(always)]
    fn ask(&mut self, n_answers: u64, of_first: W, of_later: W, is_coin_of_epsilon: bool) {
        let before = self.probability();
        self.asked.push(Asked {
            n_answers,
            answer: 0,
            is_coin_of_epsilon,
            of_later,
            before,
            after: before * of_first,
        });
        self.position += 1;
    }

    /// The probability of heads of a coin that is not that of ε.
    #[inline(always)]
    fn heads(&self, chance: Chance) -> W {
        if chance == self.eta {
            W::eta()
        } else {
            W::of(chance)
        }
    }
}

impl<W: Weight> RandomSource for Script<W> {
    #[inline]
    fn below(&mut self, bound: u64) -> u64 {
        if let Some(answer) = self.known_answer() {
            return answer;
        }
        let each = W::one_of(bound);
        self.ask(bound, each, each, false);
        0
    }

    #[inline]
    fn flip(&mut self, chance: Chance) -> bool {
        if chance.threshold() == 0 || chance.is_certain() {
            return chance.is_certain();
        }
        if let Some(answer) = self.known_answer() {
            return answer == 1;
        }
        let is_coin_of_epsilon = chance == self.epsilon;
        let heads = if is_coin_of_epsilon {
            W::epsilon()
        } else {
            self.heads(chance)
        };
        self.ask(2, heads.complement(), heads, is_coin_of_epsilon);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The probabilities of every result of an experiment.
    fn every<W: Weight>(mut experiment: impl FnMut(&mut Script<W>) -> u64) -> Vec<(u64, W)> {
        let mut results: Vec<(u64, W)> = Vec::new();
        Script::new().answer_all(&mut experiment, |probability, result| {
            let known = results.iter_mut().find(|known| known.0 == result);
            match known {
                Some(known) => known.1 = known.1 + probability,
                None => results.push((result, probability)),
            }
        });
        results
    }

    /// A coin of ε, then one of three numbers: 1 − ε, and ε / 3 each.
    #[test]
    fn every_answer_has_its_probability() {
        let epsilon = Chance::new(EPSILON_AT);
        let results = every::<f64>(|random| {
            if random.flip(epsilon) {
                10 + random.below(3)
            } else {
                u64::from(random.flip(Chance::new(1.0)))
            }
        });
        let third = EPSILON_AT / 3.0;
        let expected = [(1, 1.0 - EPSILON_AT), (10, third), (11, third), (12, third)];
        assert_eq!(results.len(), expected.len());
        for ((result, probability), (number, value)) in results.into_iter().zip(expected) {
            assert_eq!(result, number);
            assert!((probability - value).abs() < 1e-15, "{result}");
        }
    }

    /// Equal polynomials have one residue: two coins in either order, a coin that decides nothing,
    /// a fair coin and one of two numbers.
    #[test]
    fn equal_laws_have_equal_residues() {
        let (epsilon, eta) = (Chance::new(EPSILON_AT), Chance::new(ETA_AT));
        let residue = |experiment: &dyn Fn(&mut Script<Polynomial>) -> u64| {
            let results = every(experiment);
            let of_one = results.iter().find(|known| known.0 == 1);
            of_one.expect("a result").1.0
        };
        let both = |random: &mut Script<Polynomial>| {
            let first = random.flip(epsilon);
            u64::from(random.flip(eta) && first)
        };
        let turned = |random: &mut Script<Polynomial>| {
            let first = random.flip(eta);
            u64::from(first && random.flip(epsilon))
        };
        assert_eq!(residue(&both), residue(&turned));
        let idle = |random: &mut Script<Polynomial>| {
            random.flip(eta);
            u64::from(random.flip(epsilon))
        };
        assert_eq!(residue(&idle), EPSILON_RESIDUE);
        assert_ne!(residue(&both), residue(&idle));
        let fair = Chance::new(0.5);
        let coin = |random: &mut Script<Polynomial>| u64::from(random.flip(fair));
        assert_eq!(residue(&coin), residue(&|random| random.below(2)));
        let twice = |random: &mut Script<Polynomial>| {
            let first = random.flip(epsilon);
            u64::from(random.flip(epsilon) && first)
        };
        let square = Chance::new(EPSILON_AT * EPSILON_AT);
        let once = |random: &mut Script<Polynomial>| u64::from(random.flip(square));
        assert_ne!(residue(&twice), residue(&once), "a number is no symbol");
    }

    #[test]
    fn inverses_are_inverses() {
        for k in [1, 2, 3, 8, 64, 65, 1000] {
            assert_eq!(product(Polynomial::one_of(k).0, k), 1);
        }
    }
}
