//! What is counted of a trial while its course is observed (docs/rules.md): stretches without a
//! safe move, and what a queen could have done in place of each move. Everything is kept up to date
//! by what each update has changed; tests hold it against a count from scratch. Here is decided
//! what counts as a safe move, a blocked stretch, a choice and a missed chance.

use super::configuration::Configuration;
use crate::board::{Board, Cell, Direction, Directions};
use crate::course::Tally;
use crate::solution::Placement;

/// A move as the tally sees it, before the configuration is looked at again.
#[derive(Clone, Copy)]
pub struct Judged {
    /// The cell that the queen left.
    pub from: Cell,
    /// The cell that it reached.
    pub to: Cell,
    /// It needed its coin of ε.
    pub is_dangerous: bool,
    /// Before it, one move of one queen would have made a solution.
    pub was_near: bool,
    /// It made a solution.
    pub is_hit: bool,
}

/// The tally of a trial, and what it needs to know of the present state.
#[derive(Clone)]
pub struct RunningTally {
    /// The changes up to the one that made the present state.
    tally: Tally,
    /// When the present state began.
    since: u64,
    /// The present state is the first of its stretch without a safe move.
    is_first: bool,
    /// The cell of each queen.
    queens: Vec<Cell>,
    /// The stored signals, the true ones, and how many of them differ, by [`Cell::index`].
    signals: Box<[Directions]>,
    truth: Box<[Directions]>,
    n_false: u32,
    /// The safe moves from each cell, by [`Cell::index`], and their sum.
    safe_moves_from: Box<[u8]>,
    n_safe_moves: u32,
}

impl RunningTally {
    /// The tally of a trial that starts in `x`.
    pub fn at_start(x: &Configuration) -> Self {
        let board = x.board();
        let mut queens = Vec::with_capacity(board.n());
        for cell in board.cells() {
            queens.extend((0..x[cell].queens).map(|_| cell));
        }
        let mut running = Self {
            tally: Tally::default(),
            since: 0,
            is_first: true,
            queens,
            signals: vec![Directions::NONE; board.n_indices()].into(),
            truth: x.true_signals(),
            n_false: 0,
            safe_moves_from: vec![0; board.n_indices()].into(),
            n_safe_moves: 0,
        };
        for cell in board.cells() {
            running.signals[cell.index()] = x[cell].signals;
        }
        running.count_false(board);
        for cell in board.cells() {
            running.count_safe_moves(cell, x);
        }
        running
    }

    /// The tally of the updates up to `time`, since when nothing has changed; an absorbed state
    /// is in no stretch.
    pub fn tally_at(&self, time: u64, is_absorbed: bool) -> Tally {
        let mut tally = self.tally;
        if !is_absorbed {
            self.add_stretch(&mut tally, time);
        }
        tally
    }

    /// True if a move of one queen to an adjacent cell makes a solution of positions that are none.
    pub fn is_near_solution(&self, placement: &mut Placement, board: Board) -> bool {
        // All attacks are of the queen that moves. It has four lines, each with one other at most,
        // and none on the line along which it moves to its place in the solution.
        if placement.is_solution() || placement.attacks() > 3 {
            return false;
        }
        self.queens.iter().any(|&queen| {
            placement.remove(queen);
            let is_near = placement.is_solution() && has_free_neighbour(placement, queen, board);
            placement.add(queen);
            is_near
        })
    }

    /// Takes note of the update that ends at `time`: of its move, and of the cells whose signals it
    /// may have changed. The configuration is that after all of it.
    pub fn updated(&mut self, time: u64, moved: Option<Judged>, cells: &[Cell], x: &Configuration) {
        let is_same = |cell: &Cell| self.signals[cell.index()] == x[*cell].signals;
        if moved.is_none() && cells.iter().all(is_same) {
            return;
        }
        let was_blocked = self.n_safe_moves == 0;
        let mut tally = self.tally;
        self.add_stretch(&mut tally, time);
        if let Some(moved) = moved {
            self.judge(&mut tally, moved);
        }
        self.tally = tally;

        let mut changed = cells.to_vec();
        for &cell in cells {
            self.see_signals(cell, x[cell].signals);
        }
        if let Some(Judged { from, to, .. }) = moved {
            changed.extend([from, to].into_iter().filter(|cell| !cells.contains(cell)));
            let queen = self.queens.iter().position(|&cell| cell == from);
            self.queens[queen.expect("a queen that moves stands on its cell")] = to;
            self.see_queens(from, x);
            self.see_queens(to, x);
        }
        let board = x.board();
        for cell in changed {
            self.count_safe_moves(cell, x);
            // No queen stands on the border.
            for direction in Direction::ALL {
                self.count_safe_moves(board.neighbour(cell, direction), x);
            }
        }
        self.since = time;
        self.is_first = !was_blocked;
    }

    /// Adds the present state up to `time`, if it has no safe move.
    fn add_stretch(&self, tally: &mut Tally, time: u64) {
        if self.n_safe_moves == 0 {
            tally.blocked_updates += time - self.since;
            tally.blocked_stretches += u64::from(self.is_first && time > self.since);
        }
    }

    /// Adds a move, by the state before it.
    fn judge(&self, tally: &mut Tally, moved: Judged) {
        if self.n_safe_moves > 0 {
            tally.choices += 1;
            tally.dangerous_choices += u64::from(moved.is_dangerous);
        }
        tally.informed_moves += u64::from(self.n_false == 0);
        if moved.was_near {
            tally.chances += 1;
            tally.missed_chances += u64::from(!moved.is_hit);
        }
    }

    fn see_signals(&mut self, cell: Cell, now: Directions) {
        let truth = self.truth[cell.index()];
        let before = std::mem::replace(&mut self.signals[cell.index()], now);
        self.n_false += now.difference(truth).len();
        self.n_false -= before.difference(truth).len();
    }

    /// The true signals after a change of the queens of a cell: each line from it on has others, up
    /// to the next queen. Of two cells beside each other the second may be on such a line; its
    /// change is seen in its own turn.
    fn see_queens(&mut self, cell: Cell, x: &Configuration) {
        let board = x.board();
        for side in Direction::ALL {
            let back = side.opposite();
            let is_seen = x[cell].queens >= 1 || self.truth[cell.index()].contains(back);
            let mut at = cell;
            for _ in 0..board.steps_to_edge(cell, side) {
                at = board.neighbour(at, side);
                if self.truth[at.index()].contains(back) == is_seen {
                    break;
                }
                self.turn_truth(at, back);
                if x[at].queens >= 1 {
                    break;
                }
            }
        }
    }

    /// Makes a true signal its opposite.
    fn turn_truth(&mut self, cell: Cell, direction: Direction) {
        let truth = &mut self.truth[cell.index()];
        let was_right = truth.contains(direction) == self.signals[cell.index()].contains(direction);
        *truth = truth.difference(Directions::only(direction));
        if was_right {
            self.n_false += 1;
        } else {
            self.n_false -= 1;
        }
    }

    fn count_false(&mut self, board: Board) {
        let is_false = |cell: Cell| {
            let stored = self.signals[cell.index()];
            stored.difference(self.truth[cell.index()]).len()
        };
        self.n_false = board.cells().map(is_false).sum();
    }

    fn count_safe_moves(&mut self, cell: Cell, x: &Configuration) {
        let now = safe_moves_from(cell, x);
        let before = std::mem::replace(&mut self.safe_moves_from[cell.index()], now as u8);
        self.n_safe_moves += now;
        self.n_safe_moves -= u32::from(before);
    }
}

/// Neighbours b of a cell a with SAFEGO(b, δ(a, b)), if there is a threatened queen on a.
pub fn safe_moves_from(cell: Cell, x: &Configuration) -> u32 {
    if !x[cell].threatened() {
        return 0;
    }
    let board = x.board();
    let is_safe = |&side: &Direction| x[board.neighbour(cell, side)].safe_go(side.opposite());
    board.directions(cell).iter().filter(is_safe).count() as u32
}

/// True if a queen on a cell beside this one would attack none of the others.
fn has_free_neighbour(placement: &mut Placement, cell: Cell, board: Board) -> bool {
    board.directions(cell).iter().any(|direction| {
        let beside = board.neighbour(cell, direction);
        let attacks = placement.add(beside);
        placement.remove(beside);
        attacks == 0
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::samples::{stream, unreached};
    use super::*;
    use crate::rng::{RandomSource, TrialStream};

    /// A queen goes to an adjacent cell, perhaps onto another; `None` if there is none beside.
    fn move_a_queen(x: &mut Configuration, random: &mut TrialStream) -> Option<Judged> {
        let board = x.board();
        let queens: Vec<Cell> = board.cells().filter(|&cell| x[cell].queens >= 1).collect();
        let from = queens[random.below(queens.len() as u64) as usize];
        let sides: Vec<Direction> = board.directions(from).iter().collect();
        let side = *sides.get(random.below(8) as usize)?;
        let to = board.neighbour(from, side);
        x.move_queen(from, to);
        Some(Judged {
            from,
            to,
            is_dangerous: false,
            was_near: false,
            is_hit: false,
        })
    }

    /// One signal of a random cell, or none, becomes its opposite.
    fn turn_a_signal(x: &mut Configuration, random: &mut TrialStream) -> Cell {
        let board = x.board();
        let mut coordinate = || random.below(board.n() as u64) as usize;
        let cell = board.cell(coordinate(), coordinate());
        let sides: Vec<Direction> = board.directions(cell).iter().collect();
        if let Some(&side) = sides.get(random.below(8) as usize) {
            let signals = x[cell].signals.difference(Directions::only(side));
            x.set_signals(cell, signals);
        }
        cell
    }

    #[test]
    fn what_is_kept_up_to_date_is_a_count_from_scratch() {
        for n in [1, 2, 3, 5, 8, 13] {
            let mut random = stream("inside", n as u64);
            let mut x = unreached(Board::new(n), &mut random);
            let mut running = RunningTally::at_start(&x);
            for time in 1..=2000 {
                let moved = move_a_queen(&mut x, &mut random);
                let cell = turn_a_signal(&mut x, &mut random);
                running.updated(time, moved, &[cell], &x);

                let again = RunningTally::at_start(&x);
                assert_eq!(running.truth, again.truth, "n = {n}, update {time}");
                assert_eq!(running.n_false, again.n_false, "n = {n}, update {time}");
                assert_eq!(running.safe_moves_from, again.safe_moves_from, "n = {n}");
                assert_eq!(running.n_safe_moves, again.n_safe_moves, "n = {n}");
            }
        }
    }

    /// Every queen to every adjacent cell, each placement counted anew, along walks of three moves
    /// from a solution.
    #[test]
    fn one_move_away_is_what_trying_every_move_finds() {
        let solutions: [&[usize]; 4] = [
            &[1, 3, 0, 2],
            &[0, 2, 4, 1, 3],
            &[1, 3, 5, 0, 2, 4],
            &[0, 4, 7, 5, 2, 6, 1, 3],
        ];
        for rows in solutions {
            let board = Board::new(rows.len());
            let cells = rows.iter().enumerate().map(|(x, &y)| board.cell(x, y));
            let start = Configuration::with_queens(board, cells);
            let mut random = stream("near", rows.len() as u64);
            let mut n_near = 0;
            for _ in 0..500 {
                let mut x = start.clone();
                let mut running = RunningTally::at_start(&x);
                for time in 1..=3 {
                    let moved = move_a_queen(&mut x, &mut random);
                    running.updated(time, moved, &[], &x);

                    let is_near = is_one_move_away(&x);
                    n_near += u32::from(is_near);
                    let found = running.is_near_solution(&mut x.placement(), board);
                    assert_eq!(found, is_near, "after {time} moves from {rows:?}");
                }
            }
            assert!(n_near > 300, "{n_near} of 1 500 states are near a solution");
        }
    }

    fn is_one_move_away(x: &Configuration) -> bool {
        let board = x.board();
        let mut is_near = false;
        for from in board.cells().filter(|&cell| x[cell].queens >= 1) {
            for side in board.directions(from).iter() {
                let mut after = x.clone();
                after.move_queen(from, board.neighbour(from, side));
                is_near |= after.placement().is_solution();
            }
        }
        is_near && !x.placement().is_solution()
    }
}
