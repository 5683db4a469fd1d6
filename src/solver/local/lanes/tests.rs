//! Tests: a trial is the one that plain code gives, a solution is known for one, and neither the
//! lanes beside a trial nor the instructions nor the cutoff matter.

mod plain;
mod trials;

use std::sync::atomic::{AtomicBool, AtomicU64};

use super::Instructions;
use super::boards::Boards;
use super::layout::Layout;
use crate::board::{Board, Cell};
use crate::construction;
use crate::local;
use crate::local::configuration::Configuration;
use crate::local::tests::samples::{self, stream, unreached};
use crate::rng::RandomSource as _;
use crate::{Control, Course, Interrupted, Key, LANES_PER_THREAD, Outcome, Point, TrialSource};

/// The rules that have lanes, in all their variants, at n, ε and the fraction of other parameters.
fn points((n, epsilon, other): (usize, f64, f64)) -> Vec<Point> {
    let points = samples::points_at(n, epsilon, other);
    points.filter(|point| point.no_lanes().is_none()).collect()
}

/// Trials of seed 1 by their indices, and what became of them.
struct ListedTrials {
    waiting: Vec<u32>,
    lanes: [u32; LANES_PER_THREAD],
    ended: Vec<(u32, Outcome)>,
}

impl TrialSource for ListedTrials {
    fn next(&mut self, lane: usize) -> Option<Key> {
        let trial = self.waiting.pop()?;
        self.lanes[lane] = trial;
        Some(Key { seed: 1, trial })
    }

    fn ended(&mut self, lane: usize, gave: (Outcome, Course)) -> Result<(), Interrupted> {
        self.ended.push((self.lanes[lane], gave.0));
        Ok(())
    }
}

/// Runs trials side by side, the last of the list first; in the order of their indices.
fn run(point: &Point, trials: &[u32], cutoff: u64, instructions: Instructions) -> Vec<Outcome> {
    let (stop, updates) = (AtomicBool::new(false), AtomicU64::new(0));
    let mut listed = ListedTrials {
        waiting: trials.to_vec(),
        lanes: [0; LANES_PER_THREAD],
        ended: Vec::new(),
    };
    let rule = local::rule(&point.algorithm).expect("registered");
    let control = Control::new(&stop, &updates);
    let ended = (rule.side_by_side)(instructions, point, cutoff, &mut listed, &control);
    ended.expect("no stop is asked for");
    let updates_of = |ended: &(u32, Outcome)| ended.1.updates;
    let simulated: u64 = listed.ended.iter().filter_map(updates_of).sum();
    assert_eq!(updates.into_inner(), simulated, "every update is counted");
    assert_eq!(listed.ended.len(), trials.len());
    listed.ended.sort_by_key(|&(trial, _)| trial);
    let outcomes = listed.ended.into_iter();
    outcomes.map(|(_, outcome)| outcome).collect()
}

/// The board of a lane is a solution where that of the configuration is, and it is the same one:
/// boards with queens anywhere, and solutions with up to two queens moved.
#[test]
fn a_solution_is_one_in_a_lane() {
    for n in 1..=8 {
        let (board, mut boards) = (Board::new(n), Boards::<1>::empty());
        let layout = Layout::on(board);
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
            boards.put(0, &x, &layout);
            assert_eq!(boards.solution(0, n), expected);
        }
        assert!(found[1] >= 20 || matches!(n, 2 | 3), "n = {n}: {found:?}");
        assert!(found[0] >= 20 || n == 1, "n = {n}: {found:?}");
    }
}
