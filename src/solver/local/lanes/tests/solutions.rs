//! Tests: a board in a lane is a solution where its configuration is one.

use crate::solver::board::{Board, Cell};
use crate::solver::construction;
use crate::solver::local::configuration::Configuration;
use crate::solver::local::lanes::boards::{Generator, Lane};
use crate::solver::local::lanes::layout::Layout;
use crate::solver::local::samples::{stream, unreached};
use crate::solver::rng::RandomSource as _;

/// The board of a lane is a solution where that of the configuration is, and it is the same one:
/// boards with queens anywhere, and solutions with up to two queens moved.
#[test]
fn a_solution_is_one_in_a_lane() {
    solutions_are_the_same::<1>(1..=8);
    solutions_are_the_same::<2>(9..=11);
    solutions_are_the_same::<3>(12..=13);
    solutions_are_the_same::<4>(14..=16);
}

fn solutions_are_the_same<const W: usize>(sides: std::ops::RangeInclusive<usize>) {
    for n in sides {
        let board = Board::new(n);
        let layout = Layout::<W>::on(board);
        let mut stream = stream("tests/lanes/solutions", n as u64);
        let mut found = [0; 2];
        for round in 0..300 {
            let mut x = unreached(board, &mut stream);
            if let (1.., Some(columns)) = (round % 3, construction::board(n)) {
                let queens = columns.iter().enumerate();
                let mut queens: Vec<Cell> = queens.map(|(y, &x)| board.cell(x, y)).collect();
                for _ in 0..stream.below(3) {
                    let cell = board.cell(stream.below(n as u64) as usize, 0);
                    queens[stream.below(n as u64) as usize] = cell;
                }
                x = Configuration::with_queens(board, queens);
            }
            let expected = x.solution();
            found[usize::from(expected.is_some())] += 1;
            assert_eq!(Lane::of(&x, Generator([0; 4])).solution(&layout), expected);
        }
        assert!(found[1] >= 20 || matches!(n, 2 | 3), "n = {n}: {found:?}");
        assert!(found[0] >= 20 || n == 1, "n = {n}: {found:?}");
    }
}
