//! Tests: the short cuts change no trial, so neither what happens nor the order of the lists, which
//! later draws refer to, nor the coins.

use crate::board::{Direction, Directions};
use crate::local::configuration::CellState;
use crate::local::samples;
use crate::testing::run_with_seed;
use crate::{Dynamics, Outcome, Point, algorithm};

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
        assert_eq!(state.safety().own(), state.threatened());
        for direction in Direction::ALL {
            let is_safe = state.safety().directions().contains(direction);
            assert_eq!(is_safe, state.safe_go(direction));
        }
    }
}

/// Rule and variant, n, ε, η, cutoff; then sums over trials 0 to 7, seed 2012: updates, moves,
/// hitting times, moves at the hits, absorptions. Those of `pair` and `cell` are from version 0.1.0
/// before it had any short cut: published results rest on them.
const FROZEN: &str = "
    pair                    4   0.0 0.0  1000000  5001677 58 1315 29 3
    pair                    5   0.5 0.0   200000  1600000 236165 140351 20724 0
    pair                    7   1.0 0.0   200000  1600000 339575 0 0 0
    pair                    8  0.01 0.0  5000000  3541069 9780 2939207 8074 8
    pair                    8 0.001 0.0 20000000  15617982 3785 15604968 3783 8
    pair                   12  0.01 0.0  3000000  24000000 46323 0 0 0
    pair                   64  0.03 0.0  2000000  16000000 14713 0 0 0
    cell                    4   0.0 0.0  1000000  5000551 45 400 23 3
    cell                    5   0.5 0.0  2000000  12583 995 9009 805 8
    cell                    7   1.0 0.3   200000  1600000 180116 200004 22746 0
    cell                    8  0.01 0.1  5000000  2603872 2043 2599537 2043 8
    cell                    8 0.001 1.0 20000000  36693197 4122 36688315 4120 8
    cell                   16  0.01 0.1  5000000  36571864 13805 11562623 4274 3
    cell                   64  0.03 0.1  2000000  16000000 11667 0 0 0
    pair-fewer_literal      8  0.01 0.0  1000000  3976551 7259 2964271 5466 7
    pair-fewer_empty        5   0.3 0.0   100000  722705 82235 136785 15560 1
    pair-fewer_considerate 12 0.001 0.0  1000000  8000000 2542 0 0 0
    cell-fewer_literal      8  0.01 0.1  1000000  1992429 1499 988865 875 7
    cell-fewer_empty       12 0.001 1.0  1000000  8000000 874 0 0 0
    cell-fewer_considerate  5   0.3 0.0   100000  9314 586 4196 372 8
";

#[test]
fn trials_are_frozen() {
    for row in FROZEN.trim().lines() {
        let fields: Vec<&str> = row.split_whitespace().collect();
        let number = |at: usize| fields[at].parse::<f64>().expect("a number");
        let (rule, variant) = fields[0].split_once('_').unwrap_or((fields[0], ""));
        let algorithm = algorithm(rule).expect("registered");
        let at = (number(1) as usize, number(2), number(3));
        let point = Point {
            variant: variant.to_owned(),
            ..samples::point(algorithm.name(), algorithm.axes(), at)
        };
        let cutoff = number(4) as u64;
        let outcomes = (0..8)
            .map(|trial| run_with_seed(2012, &point, Dynamics::RejectionFree, trial, cutoff))
            .collect::<Vec<_>>();
        let facts: [fn(&Outcome) -> Option<u64>; 5] = [
            |it| it.updates,
            |it| it.moves,
            |it| it.hitting_time,
            |it| it.moves_at_hit,
            |it| it.absorption_time.map(|_| 1),
        ];
        let sums = facts.map(|fact| outcomes.iter().filter_map(fact).sum::<u64>().to_string());
        assert_eq!(sums, fields[5..], "{point}");
    }
}
