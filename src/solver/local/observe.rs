//! What is observed in a trial, apart from how its updates are simulated: moves and their kinds,
//! the hit, the absorption; and who may follow it. A dynamics is generic over the recorder, so that
//! a trial without one pays nothing.

use super::configuration::{Configuration, Move, Placement};
use crate::Outcome;
use crate::board::{Cell, Direction, Directions};
use crate::outcome::{Counters, Kinds};

/// Observations of one trial so far. Times are in updates.
///
/// Absorbed means: the queens form a solution and every signal is true. Queens per line are kept up
/// to date move by move. Signals are held against the truth only while the queens form a solution,
/// which is rare: counted afresh at the move that makes one, then cell by cell.
#[derive(Debug, Clone)]
pub struct Observables {
    placement: Placement,
    counters: Counters,
    /// The true signals by [`Cell::index`]; like the next two, of use only while the queens form a
    /// solution.
    truth: Box<[Directions]>,
    false_at: Box<[u8]>,
    n_false: u32,
}

impl Observables {
    /// The observations of a trial that starts in `configuration` at time 0.
    pub fn at_start(configuration: &Configuration) -> Self {
        let mut observables = Self {
            placement: configuration.placement(),
            counters: Counters::default(),
            truth: Box::default(),
            false_at: Box::default(),
            n_false: 0,
        };
        observables.compare_with_solutions(configuration, 0);
        observables
    }

    /// Takes note of a queen's move in the update that ends at `time`. Signals that the same update
    /// changed are covered. Returns the kinds of the move.
    #[cold]
    pub fn queen_moved(&mut self, queen: Move, configuration: &Configuration, time: u64) -> Kinds {
        let left = self.placement.remove(queen.from);
        let met = self.placement.add(queen.to);
        let kinds = kinds(queen, left, met, &self.placement, configuration);
        self.counters.moved(kinds);
        self.compare_with_solutions(configuration, time);
        kinds
    }

    /// Σ k(k − 1)/2 over all rows, columns and diagonals with k queens.
    pub fn conflicts(&self) -> u32 {
        self.placement.attacks()
    }

    /// Queen moves so far.
    pub fn moves(&self) -> u64 {
        self.counters.moves
    }

    /// The queens form a solution at present.
    #[inline]
    pub fn in_solution(&self) -> bool {
        self.counters.in_solution()
    }

    /// Takes note that the signals of these cells may have changed, and says whether the trial is
    /// absorbed. Needed only while the queens form a solution.
    #[cold]
    pub fn absorbed_after(
        &mut self,
        cells: impl IntoIterator<Item = Cell>,
        configuration: &Configuration,
    ) -> bool {
        for cell in cells {
            self.recount(cell, configuration);
        }
        self.is_absorbed()
    }

    /// A solution, and every signal is true.
    pub fn is_absorbed(&self) -> bool {
        self.in_solution() && self.n_false == 0
    }

    /// The last update up to which the state of an ended trial stays as it is: no limit if the
    /// trial is absorbed, else its cutoff, beyond which nothing was simulated.
    pub fn stands_until(&self, cutoff: u64) -> u64 {
        if self.is_absorbed() { u64::MAX } else { cutoff }
    }

    /// The facts of the trial when it ends at `time`, absorbed or at its cutoff.
    pub fn outcome(&self, configuration: &Configuration, time: u64) -> Outcome {
        Outcome {
            solution: configuration.solution(),
            ..self.counters.outcome(self.is_absorbed(), time)
        }
    }

    fn compare_with_solutions(&mut self, configuration: &Configuration, time: u64) {
        let is_solution = self.placement.is_solution();
        self.counters.placed(is_solution, time);
        if is_solution {
            self.truth = configuration.true_signals();
            (self.false_at, self.n_false) = (vec![0; self.truth.len()].into(), 0);
            for cell in configuration.board().cells() {
                self.recount(cell, configuration);
            }
        }
    }

    fn recount(&mut self, cell: Cell, configuration: &Configuration) {
        let signals = configuration[cell].signals;
        let now = signals.difference(self.truth[cell.index()]).len();
        let before = &mut self.false_at[cell.index()];
        self.n_false = self.n_false + now - u32::from(*before);
        *before = now as u8;
    }
}

/// The kinds of a move, from the number of attacks between its queen and the others before (`left`)
/// and after it (`met`), the queens per line, and the configuration after the whole update.
fn kinds(queen: Move, left: u32, met: u32, placement: &Placement, x: &Configuration) -> Kinds {
    let is_truly_safe = met == 0 || {
        // Queens on the line of the move alone, and none of them ahead.
        let behind_or_ahead = u32::from(placement.on_line(queen.to, queen.side)) - 1;
        met == behind_or_ahead && !sees(x, queen.to, queen.side.opposite())
    };
    Kinds {
        dangerous: !queen.is_certain,
        needless: left == 0,
        deceived: queen.is_safe != is_truly_safe,
    }
}

/// True if there is a queen somewhere in a direction of a cell.
fn sees(x: &Configuration, cell: Cell, direction: Direction) -> bool {
    let board = x.board();
    let ((column, row), (dx, dy)) = (board.coordinates(cell), direction.step());
    // The number of steps to the edge.
    let steps = |at: usize, step: i32| match step {
        0 => board.n(),
        1 => board.n() - 1 - at,
        _ => at,
    };
    (0..steps(column, dx).min(steps(row, dy)))
        .scan(cell, |at, _| {
            *at = board.neighbour(*at, direction);
            Some(*at)
        })
        .any(|cell| x[cell].queens >= 1)
}

/// Follows a trial. It draws nothing, so that the stream is the same with every recorder.
pub trait Recorder {
    /// The trial begins in this configuration.
    fn started(&mut self, _: &Configuration) {}

    /// The state has stood still since the last update that changed it, up to and including the
    /// state after `update` updates.
    #[inline(always)]
    fn stood_until(&mut self, _update: u64, _: &Configuration, _: &Observables) {}

    /// A queen has moved in this update; the configuration is that after all of it.
    #[inline(always)]
    fn moved(&mut self, _update: u64, _queen: Move, _: Kinds, _: &Configuration) {}

    /// True if the recorder uses [`Recorder::updated`]; the same throughout a trial.
    #[inline(always)]
    fn sees_updates(&self) -> bool {
        false
    }

    /// A site has been updated; the configuration is that afterwards. The signals of no other
    /// cells than these can have changed, and a queen's move was reported before.
    #[inline(always)]
    fn updated(&mut self, _update: u64, _cells: &[Cell], _: &Configuration) {}
}

/// Keeps nothing.
impl Recorder for () {}
