//! Tests only: everything that one update can do, coin by coin.

use crate::solver::rng::{Chance, Coins};

/// Coins that follow a script: each answer is set beforehand, the first ones by `answers`, the
/// later ones to the first possibility.
#[derive(Debug, Default)]
pub struct Script {
    /// The answer given and how many there are, for each coin so far.
    answers: Vec<(u64, u64)>,
    position: usize,
    probability: f64,
}

impl Script {
    fn answer(&mut self, possibilities: u64) -> u64 {
        if self.position == self.answers.len() {
            self.answers.push((0, possibilities));
        }
        let (answer, expected) = self.answers[self.position];
        assert_eq!(
            possibilities, expected,
            "the same answers must lead to the same questions"
        );
        self.position += 1;
        answer
    }

    /// The next script in the order of an odometer; false after the last one.
    fn turn(&mut self) -> bool {
        while let Some((answer, possibilities)) = self.answers.pop() {
            if answer + 1 < possibilities {
                self.answers.push((answer + 1, possibilities));
                return true;
            }
        }
        false
    }
}

impl Coins for Script {
    fn below(&mut self, bound: u64) -> u64 {
        self.probability /= bound as f64;
        self.answer(bound)
    }

    fn flip(&mut self, chance: Chance) -> bool {
        if chance.is_certain() || chance.is_impossible() {
            return chance.is_certain();
        }
        let heads = self.answer(2) == 1;
        self.probability *= if heads {
            chance.probability()
        } else {
            1.0 - chance.probability()
        };
        heads
    }
}

/// Probability and result of `experiment` under every possible answer of its coins.
pub fn all_outcomes<T>(mut experiment: impl FnMut(&mut Script) -> T) -> Vec<(f64, T)> {
    let mut script = Script::default();
    let mut outcomes = Vec::new();
    loop {
        (script.position, script.probability) = (0, 1.0);
        let result = experiment(&mut script);
        outcomes.push((script.probability, result));
        if !script.turn() {
            return outcomes;
        }
    }
}

#[test]
fn all_outcomes_of_known_coins() {
    let quarter = Chance::new(0.25);
    let outcomes = all_outcomes(|coins| {
        if coins.flip(quarter) {
            10 + coins.below(3)
        } else {
            u64::from(coins.flip(Chance::new(1.0)))
        }
    });
    assert_eq!(
        outcomes,
        [
            (0.75, 1),
            (0.25 / 3.0, 10),
            (0.25 / 3.0, 11),
            (0.25 / 3.0, 12)
        ]
    );
}
