//! Tests: in any configuration one step has the law of one update, enumerated over all draws and
//! all random answers.

use rand::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;
use crate::board::Board;
use crate::local::lanes::draw::{SHARES, Slots};
use crate::local::rules::{OnCells, OnPairs};
use crate::local::tests::samples::every_answer;
use crate::local::tests::samples::{self, Law, law, reached, rule_at, stream, unreached};
use crate::rng::Chance;

/// The configuration of the one board.
fn configuration(boards: &Boards<1>, layout: &Layout) -> Configuration {
    let state = |cell| boards.state(0, layout.bit(cell));
    let cells = layout.board.cells();
    let queens = cells.flat_map(|cell| std::iter::repeat_n(cell, state(cell).queens.into()));
    let mut x = Configuration::with_queens(layout.board, queens);
    for cell in layout.board.cells() {
        x.set_signals(cell, state(cell).signals);
    }
    x
}

/// What one coin of 64 bits may show, as lower halves of words with probabilities: it decides on a
/// coin of ε, and on two of them.
fn coins(epsilon: Chance) -> Vec<(u64, f64)> {
    let one = epsilon.threshold();
    let first = (one * ((1 << 64) - one)) >> 64;
    let mut ends = [0, one, first, 2 * first, 1 << 64];
    ends.sort_unstable();
    let between = |pair: &[u128]| {
        // A coin that the upper half of its bits decides.
        let coin = (pair[0] >> 32) + 1;
        let p = (pair[1] - pair[0]) as f64 / TWO_TO_64;
        assert!(p == 0.0 || coin << 32 < pair[1]);
        (coin as u64, p)
    };
    let coins = ends.windows(2).map(between);
    coins.filter(|(_, p)| *p > 0.0).collect()
}

/// Two implementations of xoshiro256++: the states that lanes keep give the words of
/// `rand_xoshiro`, of which the stream of a trial is made. 10⁶ words of each of three seeds.
#[test]
fn lanes_draw_the_words_of_rand_xoshiro() {
    let seeds = [0, 2012, u64::MAX].map(|seed| *blake3::hash(&u64::to_le_bytes(seed)).as_bytes());
    let mut streams = seeds.map(Xoshiro256PlusPlus::from_seed);
    let mut lanes = Generators([[0; 3]; 4]);
    for (lane, seed) in seeds.iter().enumerate() {
        let (words, _) = seed.as_chunks();
        let state = std::array::from_fn(|index| u64::from_le_bytes(words[index]));
        lanes.set(lane, Generator(state));
    }
    for index in 0..1_000_000 {
        for (lane, stream) in streams.iter_mut().enumerate() {
            let expected = stream.next_u64();
            assert_eq!(lanes.word(lane), expected, "word {index} of seed {lane}");
        }
    }
}

/// A result of an update, the configuration and a move if there was one, and its probability.
type Answer = (f64, (Configuration, Option<Move>));

/// Every result of the update of a site.
fn answers<K: Kernel<G>, const G: usize>(
    in_lanes: &InLanes<K, G>,
    batch: &Batch<G, 1>,
    (mask, index): (usize, u32),
    coins: Option<[bool; 2]>,
) -> Vec<Answer> {
    let InLanes { rule, layout, .. } = in_lanes;
    let site = rule.place(layout, mask, index);
    every_answer(|random| {
        let mut boards = batch.boards.clone();
        let mut x = Lane::around(&mut boards, 0, layout, index);
        let mut none = Generator([0; 4]);
        let coins = coins.or_else(|| rule.coins(&x, site, batch.words[0], &mut none));
        let moved = rule.update_by(&mut x, site, coins, random);
        (configuration(&boards, layout), moved)
    })
}

/// The law of one update, as a lane has it.
fn law_of_lane<K: Kernel<G>, const G: usize>(rule: &InLanes<K, G>, x: &Configuration) -> Law {
    let mut law = Law::new();
    let (layout, slots, epsilon) = (&rule.layout, &rule.slots, rule.rule.epsilon());
    let n_sites = slots.n_sites() as f64;
    let mut add = |p: f64, results| samples::add(&mut law, results, x, p / n_sites);
    let drawn = |word: u64| {
        let mut batch = Batch::<G, 1>::idle(u64::MAX);
        batch.boards.put(0, x, layout);
        batch.draws = Generators([[0], [1], [2], [word.rotate_right(23)]]);
        batch.draw::<K, false>(rule);
        assert_eq!(batch.words[0], word);
        batch
    };
    let n_open = drawn(0).n_open[0];
    let shares = slots.all_shares(n_open);
    for rank in 0..n_open {
        // The middle share of the site: the upper half of a word that falls there.
        let share = rank * SHARES + SHARES / 2;
        let upper = (share << 32).div_ceil(shares) + 1;
        for (coin, p) in coins(epsilon) {
            let batch = drawn(upper << 32 | coin);
            let place = batch.drawn(0);
            match batch.leaving {
                0 => add(p, vec![(1.0, (configuration(&batch.boards, layout), None))]),
                _ => add(p, answers(rule, &batch, place, None)),
            }
        }
    }
    let mut batch = Batch::<G, 1>::idle(u64::MAX);
    batch.boards.put(0, x, layout);
    let closed = rule.closed_sites(&batch.boards.masks(0));
    let weight = closed.weight(slots);
    assert!(
        weight <= u128::from(shares - n_open * SHARES) << 58,
        "the slots are too few"
    );
    let (one, two) = (slots.dangerous, slots.contested);
    let sum = |masks: [u64; G]| masks.iter().map(|it| u128::from(it.count_ones())).sum();
    let (n_dangerous, n_contested): (u128, u128) = (sum(closed.dangerous), sum(closed.contested));
    let mut fall = |at, p: u128| {
        let (place, coins) = closed.fall(at, slots).expect("a site");
        let p = p as f64 / TWO_TO_64;
        add(p, answers(rule, &batch, place, Some(coins)));
    };
    for rank in (0..n_dangerous).filter(|_| one > 0) {
        fall(rank * one + one / 2, one);
    }
    for rank in (0..n_contested).filter(|_| two > 0) {
        for quarter in [1, 3] {
            fall(n_dangerous * one + rank * two + quarter * two / 4, two / 2);
        }
    }
    assert_eq!(closed.fall(weight, slots), None);
    law
}

fn check<K: Kernel<G>, const G: usize>() {
    let mut random = stream("tests/lanes", 1);
    for n in [1, 2, 3, 4, 5, 8] {
        let board = Board::new(n);
        for (epsilon, eta) in [(0.0, 0.3), (0.003, 0.0), (0.3, 0.1), (0.9, 1.0), (1.0, 0.3)] {
            let rule: K = rule_at("", n, epsilon, eta);
            let in_lanes = InLanes::new(rule.clone(), board);
            for _ in 0..3 {
                for x in [
                    unreached(board, &mut random),
                    reached(&rule, board, 100, &mut random),
                ] {
                    let same = samples::same(&law_of_lane(&in_lanes, &x), &law(&rule, &x));
                    assert_eq!(same, Ok(()), "n = {n}, ε = {epsilon}");
                }
            }
        }
    }
}

#[test]
fn one_step_has_the_law_of_one_update() {
    check::<OnCells, 1>();
    check::<OnPairs, 4>();
}

/// Every share has ⌊2³² / shares⌋ upper halves of a word: of those that have one more, the first
/// is drawn again.
#[test]
fn no_share_has_more_words_than_another() {
    let slots = Slots::new(Chance::new(0.0), 100, 4, 8);
    for open in [1, 3, 5, 7, 99, 100] {
        let shares = open * SHARES;
        let first = |share: u64| (share << 32).div_ceil(shares);
        for share in 0..shares {
            let (from, to) = (first(share), first(share + 1));
            let has_one_more = to - from > (1 << 32) / shares;
            for (half, again) in [(from, has_one_more), (from + 1, false), (to - 1, false)] {
                let mut batch = Batch::<1, 1>::idle(u64::MAX);
                (batch.n_open, batch.words) = ([open], [half << 32]);
                batch.choose(&slots);
                let expected = if again { AGAIN } else { share / SHARES };
                assert_eq!(batch.ranks, [expected], "{half} of {open}");
            }
        }
    }
}
