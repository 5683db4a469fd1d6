//! Tests: the short cuts change nothing, neither what happens nor the order of the lists, which
//! later draws refer to, nor the coins.

use std::sync::atomic::{AtomicBool, AtomicU64};

use super::Events;
use super::fewer::{Fewer, Nothing};
use super::waiting::Waiting;
use crate::solver::board::{Board, Direction, Directions};
use crate::solver::local::configuration::{CellState, Configuration};
use crate::solver::local::geometry::Geometry as _;
use crate::solver::local::rule::{Class, LocalRule};
use crate::solver::local::rules::for_every_rule;
use crate::solver::local::samples;
use crate::solver::rng::{Chance, RandomSource, TrialStream};
use crate::solver::{Control, Dynamics, Job, algorithm};

/// The lists in their order, and what is known about every site.
fn known<R: LocalRule>(events: &Events<'_, R>) -> ([Vec<u16>; 3], Vec<(Class, bool)>) {
    let list = |class| {
        (0..events.classes.len(class))
            .map(|place| events.classes.member(class, place))
            .collect()
    };
    let site = |number| {
        (
            events.classes.moves(number),
            events.classes.may_move::<R>(number),
        )
    };
    (
        [Class::Open, Class::Dangerous, Class::Contested].map(list),
        (0..events.rule.geometry().n_sites() as u16)
            .map(site)
            .collect(),
    )
}

fn assert_same_along<R: LocalRule>(
    rule: &R,
    start: Configuration,
    n_events: u32,
    mut stream: TrialStream,
) {
    let waiting = Waiting::new(rule.epsilon(), rule.geometry().n_sites());
    let (mut short, mut plain) = (Events::new(rule, start.clone()), Events::new(rule, start));
    for _ in 0..n_events {
        let counts = short.classes.counts();
        let outlook = waiting.outlook(counts);
        if outlook.law.probability() == 0.0 {
            return;
        }
        let event = waiting.fall(outlook.place(&mut stream), counts, &mut stream);
        let mut plain_stream = stream.clone();
        short.happen(event, &mut stream);
        plain.happen_plainly(event, &mut plain_stream);
        assert_eq!(short.configuration, plain.configuration);
        assert_eq!(known(&short), known(&plain));
        assert_eq!(stream, plain_stream, "other coins");
    }
}

/// Queens anywhere and signals at random: half of the starts. The other half is that of a trial.
fn start(board: Board, stream: &mut TrialStream) -> Configuration {
    let mut x = Configuration::random_start(board, stream);
    let is_present = Chance::new(if stream.below(2) == 0 { 0.0 } else { 0.3 });
    for cell in board.cells() {
        let signals = board
            .directions(cell)
            .iter()
            .filter(|_| stream.flip(is_present))
            .fold(Directions::NONE, |set, d| set.with(d, true));
        x.set_signals(cell, signals);
    }
    x
}

fn check<R: LocalRule>(variant: &str) {
    let mut seeds = samples::stream("tests/short-cuts", 0);
    for n in [1, 2, 3, 4, 5, 6, 7, 8, 12] {
        for epsilon in [0.0, 1e-9, 0.003, 0.3, 1.0] {
            for (other, repeat) in [(0.0, 0), (0.1, 1), (1.0, 2)] {
                let point = samples::point_of::<R>(variant, (n, epsilon, other));
                let board = Board::new(n);
                assert_same_along(
                    &R::at(&point, board),
                    start(board, &mut seeds),
                    1000,
                    TrialStream::new("tests/short-cuts", n as u64, &point, repeat),
                );
            }
        }
    }
}

#[test]
fn short_cuts_change_neither_what_happens_nor_the_lists_nor_the_coins() {
    for_every_rule!(variant in check(variant));
    check::<Fewer<Nothing>>("literal");
}

/// One table of all that moves ask of a state: for every state, against the definitions.
#[test]
fn the_table_of_safety_is_the_definition() {
    for (queens, bits) in [0, 1, 2, 3, 64]
        .into_iter()
        .flat_map(|queens| (0..=255).map(move |bits| (queens, bits)))
    {
        let state = CellState {
            queens,
            signals: Directions::from_bits(bits),
        };
        assert_eq!(state.safety().threatened(), state.threatened());
        for direction in Direction::ALL {
            assert_eq!(state.safety().safe_go(direction), state.safe_go(direction));
            assert_eq!(
                state.safety().safe_from().contains(direction),
                state.safe_go(direction)
            );
        }
    }
}

/// Sums over trials 0 to 7, seed 2012: updates, moves, hitting times, moves at the hits,
/// absorptions. From version 0.1.0 before it had any short cut: published results rest on them.
#[test]
fn trials_are_frozen() {
    let frozen = [
        (("pair", 4, 0.0, 0.0), 1000000, [5001677, 58, 1315, 29, 3]),
        (
            ("pair", 5, 0.5, 0.0),
            200000,
            [1600000, 236165, 140351, 20724, 0],
        ),
        (("pair", 7, 1.0, 0.0), 200000, [1600000, 339575, 0, 0, 0]),
        (
            ("pair", 8, 0.01, 0.0),
            5000000,
            [3541069, 9780, 2939207, 8074, 8],
        ),
        (
            ("pair", 8, 0.001, 0.0),
            20000000,
            [15617982, 3785, 15604968, 3783, 8],
        ),
        (("pair", 12, 0.01, 0.0), 3000000, [24000000, 46323, 0, 0, 0]),
        (("pair", 64, 0.03, 0.0), 2000000, [16000000, 14713, 0, 0, 0]),
        (("cell", 4, 0.0, 0.0), 1000000, [5000551, 45, 400, 23, 3]),
        (("cell", 5, 0.5, 0.0), 2000000, [12583, 995, 9009, 805, 8]),
        (
            ("cell", 7, 1.0, 0.3),
            200000,
            [1600000, 180116, 200004, 22746, 0],
        ),
        (
            ("cell", 8, 0.01, 0.1),
            5000000,
            [2603872, 2043, 2599537, 2043, 8],
        ),
        (
            ("cell", 8, 0.001, 1.0),
            20000000,
            [36693197, 4122, 36688315, 4120, 8],
        ),
        (
            ("cell", 16, 0.01, 0.1),
            5000000,
            [36571864, 13805, 11562623, 4274, 3],
        ),
        (("cell", 64, 0.03, 0.1), 2000000, [16000000, 11667, 0, 0, 0]),
    ];
    for ((rule, n, epsilon, eta), cutoff, expected) in frozen {
        let algorithm = algorithm(rule).expect("registered");
        let point = samples::point(algorithm.name(), algorithm.axes(), (n, epsilon, eta));
        let (stop, updates) = (AtomicBool::new(false), AtomicU64::new(0));
        let mut sums = [0; 5];
        for trial in 0..8 {
            let job = Job {
                point: &point,
                seed: 2012,
                cutoff,
                dynamics: Dynamics::RejectionFree,
            };
            let outcome = algorithm
                .trial(&job, trial, &Control::new(&stop, &updates))
                .expect("no stop is asked for");
            let facts = [
                outcome.updates,
                outcome.moves,
                outcome.hitting_time,
                outcome.moves_at_hit,
            ];
            facts
                .into_iter()
                .zip(&mut sums)
                .for_each(|(fact, sum)| *sum += fact.unwrap_or(0));
            sums[4] += u64::from(outcome.absorption_time.is_some());
        }
        assert_eq!(sums, expected, "{point}");
    }
}
