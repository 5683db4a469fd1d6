//! What is observed in a trial, apart from how its updates are simulated: moves and their kinds,
//! the hit, the absorption, and what is recorded of its course. Here is decided when a trial of a
//! local rule hits and is absorbed, and which moves count as dangerous, unnecessary or misinformed.
//! `outcome/counters.rs` counts them; what a series records is in `record.rs`.

use super::configuration::{Configuration, Move};
use super::record::Recorder;
use crate::board::{Cell, Direction, Directions};
use crate::outcome::{Counters, Kinds};
use crate::solution::Placement;
use crate::{Control, Course, Observation, Outcome};

/// Observations of one trial so far. Times are in updates.
///
/// Absorbed means: the queens form a solution and every signal is true. Queens per line are kept up
/// to date move by move. Signals are held against the truth only while the queens form a solution,
/// which is rare: counted afresh at the move that makes one, then cell by cell.
#[derive(Clone)]
pub struct Observables<'a> {
    placement: Placement,
    counters: Counters,
    /// The true signals by [`Cell::index`]; like the next two, of use only while the queens form a
    /// solution.
    truth: Box<[Directions]>,
    false_at: Box<[u8]>,
    n_false: u32,
    /// Updates without a move matter, too: the queens form a solution, or changes are recorded.
    follows_signals: bool,
    recorder: Recorder<'a>,
}

impl<'a> Observables<'a> {
    /// The observations of a trial that starts in `configuration` at time 0, and records what the
    /// control asks for. Recording draws nothing, so that the stream is the same with it.
    pub fn at_start(configuration: &Configuration, control: &Control<'a>) -> Self {
        let mut observables = Self {
            placement: configuration.placement(),
            counters: Counters::default(),
            truth: Box::default(),
            false_at: Box::default(),
            n_false: 0,
            follows_signals: false,
            recorder: Recorder::at_start(configuration, control),
        };
        observables.compare_with_solutions(configuration, 0);
        observables
    }

    /// The next moment at which the state is to be observed; `u64::MAX` also where there is none.
    pub fn next_moment(&self) -> u64 {
        self.recorder.next_moment()
    }

    /// Takes note that the state has stood still since the last update that changed it, up to and
    /// including the state after `update` updates.
    #[inline(always)]
    pub fn stood_until(&mut self, update: u64, configuration: &Configuration) {
        if self.next_moment() <= update {
            self.observe(update, configuration);
        }
    }

    /// Takes note of an update, which ends at `time`: of the queen's move, if one took place, and
    /// of the cells whose signals it may have changed. The configuration is that after all of it.
    /// Returns whether the trial is absorbed.
    #[inline(always)]
    pub fn updated<C: AsRef<[Cell]>>(
        &mut self,
        time: u64,
        moved: Option<Move>,
        cells: impl FnOnce() -> C,
        configuration: &Configuration,
    ) -> bool {
        if let Some(queen) = moved {
            self.queen_moved(queen, configuration, time);
        }
        self.follows_signals && self.signals_written(cells().as_ref(), configuration, time)
    }

    #[cold]
    fn observe(&mut self, last: u64, configuration: &Configuration) {
        let known = Observation {
            conflicts: self.placement.attacks(),
            moves: self.counters.moves,
            ..Observation::default()
        };
        let is_absorbed = self.is_absorbed();
        self.recorder
            .observe(last, configuration, known, is_absorbed);
    }

    #[cold]
    fn queen_moved(&mut self, queen: Move, configuration: &Configuration, time: u64) {
        let was_near = self
            .recorder
            .is_near_solution(&mut self.placement, configuration.board());
        let left = self.placement.remove(queen.from);
        let met = self.placement.add(queen.to);
        let kinds = kinds(queen, left, met, &self.placement, configuration);
        self.counters.moved(kinds);
        self.compare_with_solutions(configuration, time);
        let reached = (was_near, self.placement.is_solution());
        self.recorder
            .moved(time, (queen, kinds), reached, configuration);
    }

    #[cold]
    fn signals_written(
        &mut self,
        cells: &[Cell],
        configuration: &Configuration,
        time: u64,
    ) -> bool {
        if self.counters.in_solution() {
            for &cell in cells {
                self.recount(cell, configuration);
            }
        }
        self.recorder.updated(time, cells, configuration);
        self.is_absorbed()
    }

    /// A solution, and every signal is true.
    #[inline]
    pub fn is_absorbed(&self) -> bool {
        self.counters.in_solution() && self.n_false == 0
    }

    /// The facts of the trial when it ends at `time`, absorbed or at its cutoff, and its course. An
    /// absorbed state stands for ever; beyond the cutoff nothing was simulated.
    pub fn end(
        mut self,
        configuration: &Configuration,
        time: u64,
        cutoff: u64,
    ) -> (Outcome, Course) {
        let last = if self.is_absorbed() { u64::MAX } else { cutoff };
        self.stood_until(last, configuration);
        (self.outcome(configuration, time), self.recorder.course)
    }

    /// The facts of the trial if it ended now, at `time`.
    pub fn outcome(&self, configuration: &Configuration, time: u64) -> Outcome {
        Outcome {
            solution: configuration.solution(),
            ..self.counters.outcome(self.is_absorbed(), time)
        }
    }

    /// What is counted so far.
    #[cfg(test)]
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    fn compare_with_solutions(&mut self, configuration: &Configuration, time: u64) {
        let is_solution = self.placement.is_solution();
        self.counters.placed(is_solution, time);
        self.follows_signals = is_solution || self.recorder.sees_changes();
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
    (0..board.steps_to_edge(cell, direction))
        .scan(cell, |at, _| {
            *at = board.neighbour(*at, direction);
            Some(*at)
        })
        .any(|cell| x[cell].queens >= 1)
}
