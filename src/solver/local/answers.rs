//! Tests only: everything that an update can do, random answer by random answer.

use crate::solver::rng::{Chance, RandomSource};

/// A random source that follows a script: the first answers are those in `answers`, the later ones
/// the first possibility.
#[derive(Debug, Default)]
pub struct Script {
    /// The answer given and how many there are, for each draw so far.
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

impl RandomSource for Script {
    fn below(&mut self, bound: u64) -> u64 {
        self.probability /= bound as f64;
        self.answer(bound)
    }

    fn flip(&mut self, chance: Chance) -> bool {
        if chance.is_certain() || chance.threshold() == 0 {
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

/// Probability and result of `experiment` under every possible answer of its random.
pub fn every_answer<T>(mut experiment: impl FnMut(&mut Script) -> T) -> Vec<(f64, T)> {
    let mut script = Script::default();
    let mut results = Vec::new();
    loop {
        (script.position, script.probability) = (0, 1.0);
        let result = experiment(&mut script);
        results.push((script.probability, result));
        if !script.turn() {
            return results;
        }
    }
}

#[test]
fn every_answer_of_known_coins() {
    let quarter = Chance::new(0.25);
    let results = every_answer(|random| {
        if random.flip(quarter) {
            10 + random.below(3)
        } else {
            u64::from(random.flip(Chance::new(1.0)))
        }
    });
    assert_eq!(
        results,
        [
            (0.75, 1),
            (0.25 / 3.0, 10),
            (0.25 / 3.0, 11),
            (0.25 / 3.0, 12)
        ]
    );
}
