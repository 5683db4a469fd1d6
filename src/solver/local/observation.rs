//! The observables of one state of a trial, from scratch (docs/models.md, section 5).

use super::configuration::{CellState, Configuration};
use super::observables::Observables;
use crate::solver::board::{Board, Direction, Directions};
use crate::solver::course::Observation;

/// Observes states of one board.
#[derive(Debug)]
pub struct Observer {
    /// By [`Cell::index`](crate::solver::board::Cell::index): the true signals of the state that
    /// was observed last.
    truth: Box<[Directions]>,
    /// Pairs of a cell and a direction in which it has a neighbour.
    signals: u32,
}

/// The observables of a state, whenever that was.
#[derive(Debug, Clone, Copy)]
pub struct State(Observation);

impl State {
    /// The same as an observation after so many updates.
    pub fn at(self, update: u64) -> Observation {
        Observation { update, ..self.0 }
    }
}

impl Observer {
    /// For this board.
    pub fn on(board: Board) -> Self {
        Self {
            truth: vec![Directions::NONE; board.n_places()].into(),
            signals: 2 * board.n_pairs() as u32,
        }
    }

    /// What there is to be seen of a trial in this configuration.
    pub fn observe(&mut self, x: &Configuration, observables: &Observables) -> State {
        x.write_true_signals(&mut self.truth);
        let mut state = Observation {
            update: 0,
            signals: self.signals,
            true_signals: self.signals,
            threatened: 0,
            attacked: 0,
            safe_cells: 0,
            truly_safe_cells: 0,
            safe_moves: 0,
            conflicts: observables.conflicts(),
            moves: observables.moves(),
        };
        for cell in x.board().cells() {
            let (stored, truth) = (x[cell], self.truth[cell.index()]);
            state.true_signals -= stored.signals.difference(truth).len();
            if stored.queens == 0 {
                state.safe_cells += u32::from(stored.signals.is_empty());
                state.truly_safe_cells += u32::from(truth.is_empty());
                continue;
            }
            let truly = CellState {
                signals: truth,
                ..stored
            };
            state.attacked += u32::from(stored.queens) * u32::from(truly.threatened());
            if stored.threatened() {
                state.threatened += u32::from(stored.queens);
                let is_safe = |&towards: &Direction| {
                    x[x.board().neighbour(cell, towards)].safe_go(towards.opposite())
                };
                let safe = x.board().directions(cell).iter().filter(is_safe).count();
                state.safe_moves += safe as u32;
            }
        }
        State(state)
    }
}
