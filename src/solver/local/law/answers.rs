//! A random source that gives every possible answer, one sequence of them after the other, and the
//! probability of each sequence as a polynomial in the coins.

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
    let (mut power, mut square, mut exponent) = (1, a % PRIME, PRIME - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = product(power, square);
        }
        square = product(square, square);
        exponent >>= 1;
    }
    power
}

/// A polynomial in ε and η with rational coefficients, by its values at two places.
///
/// The first is a pair of fixed numbers modulo the prime 2⁶¹ − 1, where sums, products and
/// quotients are exact: equal polynomials are equal there in whatever order they were added up, and
/// two that differ are equal there with a probability of about 2⁻⁶⁰ (Schwartz and Zippel). The
/// second is ([`EPSILON_AT`], [`ETA_AT`]), where it is a probability, rounded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Probability {
    /// The value modulo 2⁶¹ − 1.
    pub residue: u64,
    /// The value at ([`EPSILON_AT`], [`ETA_AT`]).
    pub value: f64,
}

impl Probability {
    /// 1.
    pub const ONE: Self = Self {
        residue: 1,
        value: 1.0,
    };

    /// A number that is no polynomial.
    pub fn number(value: f64) -> Self {
        Self { residue: 0, value }
    }

    /// 1 / k.
    pub fn one_of(k: u64) -> Self {
        let known = ONE_OVER.get(k as usize).copied();
        Self {
            residue: known.unwrap_or_else(|| inverse(k)),
            value: 1.0 / k as f64,
        }
    }

    /// 1 − p.
    pub fn complement(self) -> Self {
        Self {
            residue: reduced(PRIME + 1 - self.residue),
            value: 1.0 - self.value,
        }
    }
}

impl Add for Probability {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self {
            residue: reduced(self.residue + other.residue),
            value: self.value + other.value,
        }
    }
}

impl Mul for Probability {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        Self {
            residue: product(self.residue, other.residue),
            value: self.value * other.value,
        }
    }
}

/// What an update asks of its random source.
#[derive(Debug, Clone, Copy)]
enum Question {
    /// A coin that shows heads with this probability.
    Coin(Probability),
    /// One of so many numbers.
    Draw(u64),
}

impl Question {
    fn n_answers(self) -> u64 {
        match self {
            Self::Coin(_) => 2,
            Self::Draw(bound) => bound,
        }
    }

    fn probability(self, answer: u64) -> Probability {
        match self {
            Self::Coin(heads) if answer == 1 => heads,
            Self::Coin(heads) => heads.complement(),
            Self::Draw(bound) => Probability::one_of(bound),
        }
    }
}

/// A question that was asked, and the answer that it gets at present.
#[derive(Debug, Clone, Copy)]
struct Asked {
    question: Question,
    answer: u64,
    /// The probability of all answers up to this one.
    after: Probability,
}

/// The random source: the first answers are those of the present sequence, each later one is the
/// first that is possible.
#[derive(Debug)]
pub struct Script {
    asked: Vec<Asked>,
    position: usize,
    epsilon: Chance,
    eta: Chance,
}

impl Script {
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
    pub fn answer_all<T>(
        &mut self,
        mut experiment: impl FnMut(&mut Self) -> T,
        mut receive: impl FnMut(Probability, T),
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
    #[inline]
    fn probability(&self) -> Probability {
        self.asked
            .last()
            .map_or(Probability::ONE, |asked| asked.after)
    }

    /// Turns to the next sequence, as an odometer does; false after the last one.
    fn turn(&mut self) -> bool {
        while let Some(mut last) = self.asked.pop() {
            last.answer += 1;
            if last.answer < last.question.n_answers() {
                last.after = self.probability() * last.question.probability(last.answer);
                self.asked.push(last);
                return true;
            }
        }
        false
    }

    fn answer(&mut self, question: Question) -> u64 {
        if self.position == self.asked.len() {
            let after = self.probability() * question.probability(0);
            self.asked.push(Asked {
                question,
                answer: 0,
                after,
            });
        }
        let answer = self.asked[self.position].answer;
        self.position += 1;
        answer
    }

    /// The probability of heads: the symbol of ε or η, and of any other coin its number.
    fn heads(&self, chance: Chance) -> Probability {
        let residue = if chance == self.epsilon {
            EPSILON_RESIDUE
        } else if chance == self.eta {
            ETA_RESIDUE
        } else {
            // The threshold over 2⁶⁴, which is 8 modulo the prime.
            let threshold = (chance.threshold() % u128::from(PRIME)) as u64;
            product(threshold, ONE_OVER[8])
        };
        Probability {
            residue,
            value: chance.probability(),
        }
    }
}

impl RandomSource for Script {
    fn below(&mut self, bound: u64) -> u64 {
        self.answer(Question::Draw(bound))
    }

    fn flip(&mut self, chance: Chance) -> bool {
        if chance.threshold() == 0 || chance.is_certain() {
            return chance.is_certain();
        }
        let heads = self.heads(chance);
        self.answer(Question::Coin(heads)) == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The probabilities of every result of an experiment.
    fn every(mut experiment: impl FnMut(&mut Script) -> u64) -> Vec<(u64, Probability)> {
        let mut results: Vec<(u64, Probability)> = Vec::new();
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
        let results = every(|random| {
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
            assert!((probability.value - value).abs() < 1e-15, "{result}");
        }
    }

    /// Equal polynomials have one residue: two coins in either order, a coin that decides nothing,
    /// a fair coin and one of two numbers.
    #[test]
    fn equal_laws_have_equal_residues() {
        let (epsilon, eta) = (Chance::new(EPSILON_AT), Chance::new(ETA_AT));
        let residue = |experiment: &dyn Fn(&mut Script) -> u64| {
            let results = every(experiment);
            let of_one = results.iter().find(|known| known.0 == 1);
            of_one.expect("a result").1.residue
        };
        let both = |random: &mut Script| {
            let first = random.flip(epsilon);
            u64::from(random.flip(eta) && first)
        };
        let turned = |random: &mut Script| {
            let first = random.flip(eta);
            u64::from(first && random.flip(epsilon))
        };
        assert_eq!(residue(&both), residue(&turned));
        let idle = |random: &mut Script| {
            random.flip(eta);
            u64::from(random.flip(epsilon))
        };
        assert_eq!(residue(&idle), EPSILON_RESIDUE);
        assert_ne!(residue(&both), residue(&idle));
        let fair = Chance::new(0.5);
        let coin = |random: &mut Script| u64::from(random.flip(fair));
        assert_eq!(residue(&coin), residue(&|random| random.below(2)));
        let twice = |random: &mut Script| {
            let first = random.flip(epsilon);
            u64::from(random.flip(epsilon) && first)
        };
        let square = Chance::new(EPSILON_AT * EPSILON_AT);
        let once = |random: &mut Script| u64::from(random.flip(square));
        assert_ne!(residue(&twice), residue(&once), "a number is no symbol");
    }

    #[test]
    fn inverses_are_inverses() {
        for k in [1, 2, 3, 8, 64, 65, 1000] {
            assert_eq!(product(Probability::one_of(k).residue, k), 1);
        }
    }
}
