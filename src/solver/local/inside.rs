//! What is counted of a trial while its course is observed (docs/rules.md): stretches without a
//! safe move, and what a queen could have done in place of each move. Everything is kept up to date
//! by what each update has changed; tests hold it against a count from scratch.

use super::configuration::{Configuration, Placement};
use crate::board::{Board, Cell, Direction, Directions};
use crate::course::Tally;

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
pub struct Inside {
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

impl Inside {
    /// The tally of a trial that starts in `x`.
    pub fn at_start(x: &Configuration) -> Self {
        let board = x.board();
        let mut queens = Vec::with_capacity(board.n());
        for cell in board.cells() {
            queens.extend((0..x[cell].queens).map(|_| cell));
        }
        let mut inside = Self {
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
            inside.signals[cell.index()] = x[cell].signals;
        }
        inside.count_false(board);
        for cell in board.cells() {
            inside.count_safe_moves(cell, x);
        }
        inside
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
        if placement.is_solution() {
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
            changed.extend([from, to]);
            let queen = self.queens.iter().position(|&cell| cell == from);
            self.queens[queen.expect("a queen that moves stands on its cell")] = to;
            self.truth = x.true_signals();
            self.count_false(x.board());
        }
        let board = x.board();
        for cell in changed {
            self.count_safe_moves(cell, x);
            for direction in board.directions(cell).iter() {
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
