//! Tests only: the symmetries of the square, which every rule has.

use std::collections::{BTreeMap, BTreeSet};

use super::super::configuration::{Configuration, Move};
use super::super::rules::for_every_rule;
use super::super::sites::LocalRule;
use super::properties::{configurations, rule};
use super::samples::{Transition, VARIANTS, sites, stream, transition, updates};
use crate::board::{Board, Cell, Direction, Directions};

/// One of the eight symmetries of the square: x reflected (1), y reflected (2), x and y exchanged
/// (4), each done or not.
#[derive(Debug, Clone, Copy)]
pub struct Symmetry {
    board: Board,
    number: usize,
}

impl Symmetry {
    /// One reflection and the exchange: every other symmetry is these two, one after the other, so
    /// a rule that has both has all eight.
    const GENERATORS: [usize; 2] = [1, 4];

    pub fn all(board: Board) -> impl Iterator<Item = Self> {
        (0..8).map(move |number| Self { board, number })
    }

    fn cell(self, cell: Cell) -> Cell {
        let (mut x, mut y) = self.board.coordinates(cell);
        if self.number & 1 == 1 {
            x = self.board.n() - 1 - x;
        }
        if self.number & 2 == 2 {
            y = self.board.n() - 1 - y;
        }
        if self.number & 4 == 4 {
            self.board.cell(y, x)
        } else {
            self.board.cell(x, y)
        }
    }

    fn direction(self, direction: Direction) -> Direction {
        let (mut dx, mut dy) = direction.step();
        if self.number & 1 == 1 {
            dx = -dx;
        }
        if self.number & 2 == 2 {
            dy = -dy;
        }
        let step = if self.number & 4 == 4 {
            (dy, dx)
        } else {
            (dx, dy)
        };
        Direction::ALL
            .into_iter()
            .find(|d| d.step() == step)
            .expect("a symmetry maps steps to steps")
    }

    fn directions(self, set: Directions) -> Directions {
        set.iter().fold(Directions::NONE, |image, d| {
            image.with(self.direction(d), true)
        })
    }

    pub fn configuration(self, x: &Configuration) -> Configuration {
        let queens = self
            .board
            .cells()
            .flat_map(|cell| std::iter::repeat_n(self.cell(cell), usize::from(x[cell].queens)));
        let mut image = Configuration::with_queens(self.board, queens);
        self.board
            .cells()
            .for_each(|cell| image.set_signals(self.cell(cell), self.directions(x[cell].signals)));
        image
    }

    fn queen_move(self, queen: Move) -> Move {
        let sides = self.directions(Directions::only(queen.side));
        Move {
            from: self.cell(queen.from),
            to: self.cell(queen.to),
            side: sides.nth(0),
            ..queen
        }
    }
}

/// Results of an update with their probabilities, equal results joined.
fn law(
    results: impl IntoIterator<Item = (f64, (Configuration, Option<Move>))>,
) -> Vec<(f64, Transition)> {
    let mut joined = BTreeMap::new();
    for (probability, (x, moved)) in results {
        *joined.entry(transition(&x, moved)).or_insert(0.0) += probability;
    }
    // Thirds and fifths (a corner's and an edge's neighbours) are rounded; 2⁻³⁰ tells all possible
    // probabilities apart.
    joined
        .into_iter()
        .map(|(result, p)| ((p * f64::from(1 << 30)).round(), result))
        .collect()
}

/// Held for each site against the update of its image under a symmetry, found among the sites by
/// their dependencies.
fn check_symmetries_of_the_square<R: LocalRule>(variant: &str) {
    for x in configurations::<R>(variant, 2, &mut stream("symmetry", 1)) {
        let board = x.board();
        let rule: R = rule(variant, board);
        let by_dependencies: BTreeMap<BTreeSet<(Cell, Direction)>, R::Site> = sites(&rule)
            .map(|site| (rule.dependencies(site).into_iter().collect(), site))
            .collect();
        for symmetry in Symmetry::GENERATORS.map(|number| Symmetry { board, number }) {
            let mirrored = symmetry.configuration(&x);
            for (dependencies, &site) in &by_dependencies {
                let results = updates(&rule, &x, site).into_iter();
                let expected = results.map(|(p, (after, moved))| {
                    let moved = moved.map(|queen| symmetry.queen_move(queen));
                    (p, (symmetry.configuration(&after), moved))
                });
                let images = dependencies
                    .iter()
                    .map(|&(cell, direction)| (symmetry.cell(cell), symmetry.direction(direction)));
                let image = by_dependencies[&images.collect::<BTreeSet<_>>()];
                assert_eq!(law(updates(&rule, &mirrored, image)), law(expected));
            }
        }
    }
}

#[test]
fn every_rule_has_the_symmetries_of_the_square() {
    for_every_rule!(variant in check_symmetries_of_the_square(variant));
}
