//! The law of one step, as the law of an update of a local rule is enumerated
//! ([`crate::local::law`]): on boards of side 3, with one queen in the middle and one neighbour
//! with signals, and on drawn boards with at most two queens.

use rayon::prelude::*;

use super::SynchronousRule;
use crate::algorithm::Law;
use crate::board::{Board, Cell, Direction, Directions};
use crate::local::configuration::{CellState, Configuration, Move};
use crate::local::law::{EPSILON_AT, ETA_AT, Polynomial, Script, StateLaw, digits, drawn, mixed};
use crate::rng::Generator;
use crate::{Point, Value};

/// The side of the boards.
const SIDE: usize = 3;

/// Boards that are drawn; those with more than [`QUEENS_MAX`] queens are left out.
const DRAWN: usize = 1000;
const QUEENS_MAX: usize = 2;

/// The law of a step of a variant.
pub fn law(variant: &str) -> Law {
    let values = [
        ("n", Value::Integer(SIDE as u64)),
        ("epsilon", Value::real(EPSILON_AT)),
        ("eta", Value::real(ETA_AT)),
    ];
    let point = Point {
        variant: variant.to_owned(),
        ..Point::new("synchronous", values)
    };
    let rule = SynchronousRule::at(&point);
    let hashed = |(group, boards): (String, Vec<Configuration>)| {
        let mut hasher = blake3::Hasher::new();
        let mut script = Script::new();
        for x in &boards {
            let number = fingerprint(&rule, x, &mut script);
            hasher.update(&number.to_le_bytes());
        }
        (group, digits(&hasher))
    };
    let groups: Vec<_> = groups().into_par_iter().map(hashed).collect();
    groups.into_iter().collect()
}

/// A number that says what the law of a step from `x` is.
fn fingerprint(rule: &SynchronousRule, x: &Configuration, script: &mut Script<Polynomial>) -> u64 {
    let mut law = StateLaw::default();
    let step = |random: &mut Script<Polynomial>| {
        let mut before = x.clone();
        let mut next = x.clone();
        let departures = rule.departures(x, &mut next, random);
        rule.depart(&departures, &mut before, &mut next);
        outcome(&next, &departures)
    };
    script.answer_all(step, |probability, outcome| law.add(outcome, probability));
    law.fingerprint()
}

/// A number that says which step it was: the states after it and the queens that left, whatever
/// their order.
fn outcome(after: &Configuration, departures: &[Move]) -> u64 {
    let name = |cell: Cell| mixed(cell.index() as u64);
    let state = |cell: Cell| {
        let CellState { queens, signals } = after[cell];
        mixed(name(cell) ^ u64::from(queens) << 8 ^ u64::from(signals.bits()))
    };
    let departure = |queen: &Move| {
        let kinds = u64::from(queen.is_safe) << 1 | u64::from(queen.is_certain);
        mixed(mixed(name(queen.from) ^ queen.side as u64) ^ name(queen.to) ^ kinds << 32)
    };
    let states = after.board().cells().map(state);
    let all = states.chain(departures.iter().map(departure));
    all.fold(0, u64::wrapping_add)
}

/// The groups of boards.
fn groups() -> Vec<(String, Vec<Configuration>)> {
    let board = Board::new(SIDE);
    let middle = board.cell(1, 1);
    let mut groups = Vec::new();
    for direction in Direction::ALL {
        let neighbour = board.neighbour(middle, direction);
        let own = [
            Directions::NONE,
            Directions::only(direction),
            Directions::ALL,
        ];
        let mut boards = Vec::new();
        for signals in own {
            for bits in 0..=u8::MAX {
                let mut x = Configuration::with_queens(board, [middle]);
                x.set_signals(middle, signals);
                let heard = Directions::from_bits(bits);
                x.set_signals(neighbour, heard.intersection(board.directions(neighbour)));
                boards.push(x);
            }
        }
        groups.push((format!("one queen, signals in the {direction:?}"), boards));
    }
    let mut random = Generator::of(b"reines/law/synchronous");
    let mut by_queens = vec![Vec::new(); QUEENS_MAX + 1];
    for _ in 0..DRAWN {
        let x = drawn(board, &mut random).configuration();
        let queens = board.cells().map(|cell| usize::from(x[cell].queens));
        if let Some(boards) = by_queens.get_mut(queens.sum::<usize>()) {
            boards.push(x);
        }
    }
    for (queens, boards) in by_queens.into_iter().enumerate() {
        groups.push((format!("drawn boards with {queens} queens"), boards));
    }
    groups
}
