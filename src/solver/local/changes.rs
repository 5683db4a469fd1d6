//! A trial change by change: every update that changes something, from the trial's own start or
//! from one that is given. What a replay is made of.

use super::configuration::{CellState, Configuration, Move};
use super::observe::Recorder;
use super::record::{number, written};
use super::rules::Registered;
use crate::board::{Cell, Direction, Directions};
use crate::outcome::Kinds;
use crate::{Control, Interrupted, Job, Outcome, QueenMove};

impl Registered {
    /// Runs a trial, from a start in place of its own if one is given, and shows each change to an
    /// observer.
    ///
    /// # Errors
    /// [`Interrupted`] when `control` asks to stop.
    pub fn run_observed(
        &self,
        job: &Job,
        trial: u32,
        start: Option<Configuration>,
        observer: &mut dyn ChangeObserver,
        control: &Control,
    ) -> Result<Outcome, Interrupted> {
        let mut recorder = ChangeRecorder {
            observer,
            signals: Box::default(),
            moved: None,
        };
        self.run(job, trial, start, Some(&mut recorder), control)
    }
}

/// Follows the changes of a trial.
pub trait ChangeObserver {
    /// The trial begins here.
    fn started(&mut self, x: &Configuration);

    /// An update has changed something. The updates are in order, and each is here at most once.
    fn changed(&mut self, change: Change);
}

/// What one update changed. It is its own inverse but for the direction of the move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The update, counted from 1.
    pub update: u64,
    /// The queen's move, if one took place.
    pub moved: Option<QueenMove>,
    /// The signals that were set or removed, each once, by cell and then by direction.
    pub toggled: Vec<Signal>,
}

/// The signal of a cell from a direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Signal {
    /// Row · n + column.
    pub cell: u32,
    /// The direction from which the signal comes.
    pub direction: Direction,
}

/// Finds what each update changed, and shows each change to an observer.
struct ChangeRecorder<'a> {
    observer: &'a mut dyn ChangeObserver,
    /// The signals before the update, by [`Cell::index`](crate::board::Cell::index).
    signals: Box<[Directions]>,
    /// The move of the present update.
    moved: Option<QueenMove>,
}

impl Recorder for ChangeRecorder<'_> {
    fn started(&mut self, x: &Configuration) {
        self.observer.started(x);
        let mut signals: Box<[Directions]> = vec![Directions::NONE; x.board().n_indices()].into();
        for cell in x.board().cells() {
            signals[cell.index()] = x[cell].signals;
        }
        self.signals = signals;
    }

    fn sees_updates(&self) -> bool {
        true
    }

    fn moved(&mut self, update: u64, queen: Move, kinds: Kinds, x: &Configuration) {
        let threatened = x.board().cells().map(|cell| x[cell]);
        let threatened = threatened.filter(|state| state.threatened());
        self.moved = Some(QueenMove {
            threatened: threatened.map(|state| u32::from(state.queens)).sum(),
            ..written(update, queen, kinds, x.board())
        });
    }

    fn updated(&mut self, update: u64, cells: &[Cell], x: &Configuration) {
        let mut toggled = Vec::new();
        for &cell in cells {
            let CellState { signals, .. } = x[cell];
            let before = std::mem::replace(&mut self.signals[cell.index()], signals);
            let cell = number(x.board(), cell);
            let changed = signals.difference(before).iter();
            toggled.extend(changed.map(|direction| Signal { cell, direction }));
        }
        toggled.sort_unstable();
        let moved = self.moved.take();
        if moved.is_some() || !toggled.is_empty() {
            self.observer.changed(Change {
                update,
                moved,
                toggled,
            });
        }
    }
}
