//! Tests only: rules and configurations to try updates on, and everything that an update can do
//! there, random answer by random answer.

use std::any::TypeId;
use std::collections::BTreeMap;

use super::super::configuration::{CellState, Configuration, Move};
use super::super::rules::RULES;
use super::super::sites::{Class, LocalRule, stale};
use super::super::{EPSILON, ETA, N, Rule};
use crate::board::{Board, Cell, Directions, Pair};
use crate::rng::{Chance, RandomSource, TrialStream};
use crate::{Axis, Domain, Point, Value};

/// A point on these axes: n, ε, and on each other axis this fraction of the way from its least to
/// its greatest value (of an integer, the least).
pub(in crate::local) fn point(
    name: &'static str,
    axes: &[Axis],
    (n, epsilon, other): (usize, f64, f64),
) -> Point {
    let value = |axis: &Axis| match (axis.name, axis.domain) {
        ("n", _) => Value::Integer(n as u64),
        ("epsilon", _) => Value::real(epsilon),
        (_, Domain::Real { min, max }) => Value::real(min + other * (max - min)),
        (_, Domain::Integer { min, .. }) => Value::Integer(min),
    };
    Point::new(name, axes.iter().map(|axis| (axis.name, value(axis))))
}

/// The conditions under which every rule is tested: SAFEGO, and one for each fact that a condition
/// may read. Those of more tests are in `condition`.
pub(in crate::local) const VARIANTS: [&str; 4] = [
    "",
    "safe or b.signals < a.signals",
    "safe or b.queens == 0 and b.signals - b.own < a.signals",
    "b.queens > 1 or a.signals + b.own != 1 and not b.signals >= 2",
];

/// A point of every rule under each of [`VARIANTS`]: n, ε, the others at a tenth of their ranges.
pub(in crate::local) fn points(n: usize, epsilon: f64) -> impl Iterator<Item = Point> {
    points_at(n, epsilon, 0.1)
}

/// The same, the others at this fraction of their ranges.
pub(in crate::local) fn points_at(
    n: usize,
    epsilon: f64,
    other: f64,
) -> impl Iterator<Item = Point> {
    RULES.iter().flat_map(move |rule| {
        let rule = &rule.algorithm;
        VARIANTS.into_iter().map(move |variant| Point {
            variant: variant.to_owned(),
            ..point(rule.name, rule.axes, (n, epsilon, other))
        })
    })
}

/// The row of a rule.
pub(in crate::local) fn registered<R: LocalRule>() -> &'static Rule {
    let own = TypeId::of::<R>();
    let row = RULES.iter().find(|row| (row.rule)() == own);
    row.expect("registered")
}

/// A rule in a variant, at this ε and with this value of every other parameter.
pub(in crate::local) fn rule_at<R: LocalRule>(
    variant: &str,
    n: usize,
    epsilon: f64,
    other: f64,
) -> R {
    let point = Point {
        variant: variant.to_owned(),
        ..point("test", &[N, EPSILON, ETA], (n, epsilon, other))
    };
    R::at(&point, Board::new(n))
}

/// A stream for a test.
pub fn stream(test: &str, seed: u64) -> TrialStream {
    TrialStream::new(test, seed, &Point::new("test", []), 0)
}

/// The sites of a rule.
pub(in crate::local) fn sites<R: LocalRule>(rule: &R) -> impl Iterator<Item = R::Site> {
    (0..rule.n_sites()).map(|number| rule.site(number))
}

/// How likely an update of `site` is to change the configuration.
///
/// With a stale signal it does so whatever the random answers: a queen that moves leaves another
/// number of queens behind, and without a move the signal changes.
pub(in crate::local) fn class<R: LocalRule>(rule: &R, x: &Configuration, site: R::Site) -> Class {
    if stale(rule, x, site) != 0 {
        Class::Open
    } else {
        rule.class_of_moves(x, site)
    }
}

/// The same two cells, named the other way round.
pub(in crate::local) fn swapped(pair: Pair) -> Pair {
    Pair {
        a: pair.b,
        b: pair.a,
        from_a: pair.from_b,
        from_b: pair.from_a,
    }
}

/// Queens and signals as no trial would leave them: queens anywhere, crowded or alone, and signals
/// at random or, but for a few, true.
pub fn unreached(board: Board, stream: &mut TrialStream) -> Configuration {
    let crowd = 1 + stream.below(board.n() as u64) as usize;
    let cell = |stream: &mut TrialStream| {
        let mut coordinate = || stream.below(crowd as u64) as usize;
        board.cell(coordinate(), coordinate())
    };
    let queens: Vec<Cell> = (0..board.n()).map(|_| cell(stream)).collect();
    let mut x = Configuration::with_queens(board, queens);
    let truth = x.true_signals();
    let (from_truth, changed) = (
        stream.below(3) > 0,
        Chance::new([0.0, 0.02, 0.1, 0.5][stream.below(4) as usize]),
    );
    for cell in board.cells() {
        let start = if from_truth {
            truth[cell.index()]
        } else {
            Directions::NONE
        };
        let signals = board.directions(cell).iter().fold(start, |set, d| {
            set.with(d, set.contains(d) != stream.flip(changed))
        });
        x.set_signals(cell, signals);
    }
    x
}

/// A configuration that a trial of the rule meets after fewer than so many updates per site.
pub(in crate::local) fn reached<R: LocalRule>(
    rule: &R,
    board: Board,
    updates_per_site: u64,
    stream: &mut TrialStream,
) -> Configuration {
    let mut x = Configuration::random_start(board, stream);
    let n_sites = rule.n_sites();
    for _ in 0..stream.below((updates_per_site * n_sites).max(1)) {
        let site = rule.site(stream.below(n_sites));
        rule.update(&mut x, site, stream);
    }
    x
}

/// The same queens with true signals.
pub fn with_true_signals(mut x: Configuration) -> Configuration {
    let truth = x.true_signals();
    x.board()
        .cells()
        .for_each(|cell| x.set_signals(cell, truth[cell.index()]));
    x
}

/// All results of updating one site, with their probabilities.
pub(in crate::local) fn updates<R: LocalRule>(
    rule: &R,
    x: &Configuration,
    site: R::Site,
) -> Vec<(f64, (Configuration, Option<Move>))> {
    every_answer(|random| {
        let mut x = x.clone();
        let moved = rule.update(&mut x, site, random);
        (x, moved)
    })
}

/// All cells after an update, and of a move its two cells and whether it was safe and certain.
pub(in crate::local) type Transition = (Vec<CellState>, Option<(Cell, Cell, [bool; 2])>);

pub(in crate::local) fn transition(x: &Configuration, moved: Option<Move>) -> Transition {
    (
        x.board().cells().map(|cell| x[cell]).collect(),
        moved.map(|it| (it.from, it.to, [it.is_safe, it.is_certain])),
    )
}

/// Probabilities of what changes a configuration.
pub(in crate::local) type Law = BTreeMap<Transition, f64>;

/// Adds those of the results that are a change of `x`, times a factor.
pub(in crate::local) fn add(
    to: &mut Law,
    results: Vec<(f64, (Configuration, Option<Move>))>,
    x: &Configuration,
    factor: f64,
) {
    for (p, (y, moved)) in results {
        if p * factor > 0.0 && y != *x {
            *to.entry(transition(&y, moved)).or_default() += p * factor;
        }
    }
}

/// The probability of every change in one update.
pub(in crate::local) fn law<R: LocalRule>(rule: &R, x: &Configuration) -> Law {
    let mut law = Law::new();
    let factor = 1.0 / rule.n_sites() as f64;
    for site in sites(rule) {
        add(&mut law, updates(rule, x, site), x, factor);
    }
    law
}

/// The first change whose probabilities differ, if any does.
pub(in crate::local) fn same(found: &Law, expected: &Law) -> Result<(), String> {
    for change in found.keys().chain(expected.keys()) {
        let [p, q] = [found, expected].map(|law| law.get(change).copied().unwrap_or(0.0));
        if (p - q).abs() > 1e-12 {
            return Err(format!("probability {p} instead of {q}"));
        }
    }
    Ok(())
}

/// Probability that one update of this site changes the configuration.
pub(in crate::local) fn chance_of_change<R: LocalRule>(
    rule: &R,
    x: &Configuration,
    site: R::Site,
) -> f64 {
    updates(rule, x, site)
        .iter()
        .filter(|(_, (after, _))| after != x)
        .map(|(p, _)| p)
        .sum()
}

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
