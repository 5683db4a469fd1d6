//! Tests: in any configuration one step has the law of one update, enumerated over all draws and
//! all random answers.

use crate::board::{Board, Direction, Directions};
use crate::local::configuration::{Configuration, Move};
use crate::local::lanes::boards::{Boards, Lane};
use crate::local::lanes::cells::CellKernel;
use crate::local::lanes::draw::{Draw, Fall, SHARES};
use crate::local::lanes::kernel::Kernel;
use crate::local::lanes::layout::{BitLayout, bit_index, count, get};
use crate::local::lanes::moves::Coins;
use crate::local::lanes::pairs::PairKernel;
use crate::local::lanes::vector::{LANES, Plain};
use crate::local::tests::samples::every_answer;
use crate::local::tests::samples::{self, Law, law, reached, rule_at, stream, unreached};
use crate::rng::{Generator, TWO_TO_64};

/// The configuration of a board in a lane.
fn configuration<const W: usize>(lane: &Lane<W>, layout: &BitLayout<W>) -> Configuration {
    let board = layout.board;
    let at = |cell| bit_index::<W>(board, cell);
    let cells = board.cells().flat_map(|cell| {
        let bit = |(plane, mask)| usize::from(get(mask, at(cell))) << plane;
        std::iter::repeat_n(cell, lane.planes.iter().enumerate().map(bit).sum())
    });
    let mut x = Configuration::with_queens(board, cells);
    for cell in board.cells() {
        let signals = Direction::ALL
            .into_iter()
            .fold(Directions::NONE, |set, direction| {
                let mask = &lane.signals[direction as usize];
                set.with(direction, get(mask, at(cell)))
            });
        x.set_signals(cell, signals);
    }
    x
}

/// A result of an update, boards and a move if there was one, and its probability.
type Answer<const W: usize> = (f64, (Boards<W>, Option<Move<usize>>));

/// A kernel, and how its random answers are all tried.
trait Enumerated<const W: usize>: Kernel<W> {
    /// What the coins of an open site may show, as lower halves of words, with probabilities.
    fn coins(&self) -> Vec<(u64, f64)>;

    /// What becomes of a site that was updated but for its random answers, with probabilities;
    /// `fall` where a draw on a slot has fallen.
    fn answers(
        &self,
        boards: &Boards<W>,
        scratch: &Self::Scratch,
        fall: Option<Fall>,
    ) -> Vec<Answer<W>>;
}

impl<const W: usize> Enumerated<W> for PairKernel<W> {
    fn coins(&self) -> Vec<(u64, f64)> {
        let Coins { one, first, either } = self.coins;
        let mut ends = [0, one, first, either, 1 << 64];
        ends.sort_unstable();
        let between = |pair: &[u128]| {
            // A coin that the upper half of its bits decides.
            let coin = (pair[0] >> 32) + 1;
            let p = (pair[1] - pair[0]) as f64 / TWO_TO_64;
            assert!(p == 0.0 || coin << 32 < pair[1]);
            (coin as u64, p)
        };
        ends.windows(2)
            .map(between)
            .filter(|(_, p)| *p > 0.0)
            .collect()
    }

    fn answers(
        &self,
        boards: &Boards<W>,
        scratch: &Self::Scratch,
        fall: Option<Fall>,
    ) -> Vec<Answer<W>> {
        let mut boards = boards.clone();
        let moved = match fall {
            Some(fall) => self.apply_slot_event(&mut boards, fall, 0),
            None if scratch.moved & 1 == 1 => self.finish_move(&mut boards, scratch, 0),
            None => None,
        };
        vec![(1.0, (boards, moved))]
    }
}

impl<const W: usize> Enumerated<W> for CellKernel<W> {
    fn coins(&self) -> Vec<(u64, f64)> {
        vec![(0, 1.0)]
    }

    fn answers(
        &self,
        boards: &Boards<W>,
        scratch: &Self::Scratch,
        fall: Option<Fall>,
    ) -> Vec<Answer<W>> {
        let (index, is_forced) = match fall {
            Some(Fall::Dangerous(_, index)) => (index, true),
            Some(_) => return vec![(1.0, (boards.clone(), None))],
            None => (scratch.index(0).expect("drawn"), false),
        };
        every_answer(|random| {
            let mut boards = boards.clone();
            let moved = self.leave(&mut boards, 0, index, is_forced, random);
            (boards, moved)
        })
    }
}

/// The same law, as the lanes have it.
fn in_lanes<K: Enumerated<W>, const W: usize>(kernel: &K, x: &Configuration) -> Law {
    let mut law = Law::new();
    let (layout, slots) = (kernel.layout(), kernel.slots());
    let n_sites = slots.n_sites() as f64;
    let mut add = |p: f64, results: Vec<Answer<W>>| {
        let result = |(q, (boards, moved)): Answer<W>| {
            let moved = moved.map(|it| layout.on_cells(it));
            (q, (configuration(&boards.take(0), layout), moved))
        };
        let results = results.into_iter().map(result).collect();
        samples::add(&mut law, results, x, p);
    };
    let mut boards = Boards::empty();
    boards.put(0, &Lane::of(x, Generator([0; 4])));
    let (mut drawn, mut scratch) = (Draw::none(u64::MAX), K::new_scratch());
    kernel.choose::<Plain<LANES>>(&mut boards.clone(), &mut drawn, &mut scratch);
    let n_open = drawn.open[0];
    let shares = (n_open * SHARES + slots.shares).min(slots.most);
    for rank in 0..n_open {
        // The middle share of the site: the upper half of a word that falls there.
        let share = rank * SHARES + SHARES / 2;
        let upper = (share << 32).div_ceil(shares) + 1;
        for (coin, p) in kernel.coins() {
            let word = upper << 32 | coin;
            let mut boards = boards.clone();
            boards.set_generator(0, Generator([0, 1, 2, word.rotate_right(23)]));
            kernel.choose::<Plain<LANES>>(&mut boards, &mut drawn, &mut scratch);
            assert_eq!((drawn.on_open & 1, drawn.word[0]), (1, word));
            kernel.apply::<Plain<LANES>>(&mut boards, &drawn, &mut scratch);
            add(p / n_sites, kernel.answers(&boards, &scratch, None));
        }
    }
    let rest = kernel.closed_sites(&boards, 0);
    let weight = rest.weight(slots);
    assert!(
        weight <= u128::from(shares - n_open * SHARES) << 58,
        "the slots are too few"
    );
    let sum = |masks: &[[u64; W]]| u128::from(masks.iter().map(count).sum::<u64>());
    let (n_dangerous, n_contested) = (sum(&rest.dangerous), sum(&rest.contested));
    let (dangerous, contested) = (slots.dangerous, slots.contested);
    for rank in (0..n_dangerous).filter(|_| dangerous > 0) {
        let fall = rest.fall(rank * dangerous + dangerous / 2, slots);
        let p = dangerous as f64 / TWO_TO_64 / n_sites;
        add(p, kernel.answers(&boards, &scratch, Some(fall)));
    }
    for rank in (0..n_contested).filter(|_| contested > 0) {
        for quarter in [1, 3] {
            let at = n_dangerous * dangerous + rank * contested + quarter * contested / 4;
            let p = contested as f64 / 2.0 / TWO_TO_64 / n_sites;
            add(
                p,
                kernel.answers(&boards, &scratch, Some(rest.fall(at, slots))),
            );
        }
    }
    assert_eq!(rest.fall(weight, slots), Fall::Nothing);
    law
}

fn check<K: Enumerated<W>, const W: usize>(sides: &[usize], n_each: usize) {
    let mut random = stream("tests/lanes", 1);
    for &n in sides {
        let board = Board::new(n);
        for (epsilon, eta) in [(0.0, 0.3), (0.003, 0.0), (0.3, 0.1), (0.9, 1.0), (1.0, 0.3)] {
            let rule: K::Rule = rule_at("", n, epsilon, eta);
            let kernel = K::new(rule.clone(), BitLayout::on(board));
            for _ in 0..n_each {
                for x in [
                    unreached(board, &mut random),
                    reached(&rule, board, 100, &mut random),
                ] {
                    let same = samples::same(&in_lanes(&kernel, &x), &law(&rule, &x));
                    assert_eq!(same, Ok(()), "n = {n}, ε = {epsilon}");
                }
            }
        }
    }
}

#[test]
fn one_step_has_the_law_of_one_update() {
    check::<CellKernel<1>, 1>(&[1, 2, 3, 4, 8], 3);
    check::<CellKernel<2>, 2>(&[5, 11], 1);
    check::<CellKernel<3>, 3>(&[12, 13], 1);
    check::<PairKernel<1>, 1>(&[1, 2, 3, 4, 8], 3);
    check::<PairKernel<2>, 2>(&[5, 11], 1);
}
