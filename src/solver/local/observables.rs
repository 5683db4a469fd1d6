//! What is observed in a trial, apart from how its updates are simulated: moves and their
//! kinds, the hit, the absorption.

use super::configuration::{Configuration, Move};
use super::counters::{Attacks, Counters, MoveKinds};
use crate::solver::board::{Cell, Directions};
use crate::solver::placement::Placement;
use crate::solver::{Ending, Outcome};

/// Observations of one trial so far. Times are in updates.
///
/// Absorbed means: the queens form a solution and every signal is true. Queens per line are kept up
/// to date move by move. Signals are held against the truth only while the queens form a solution,
/// which is rare: counted afresh at the move that makes one, then cell by cell.
#[derive(Debug, Clone)]
pub struct Observables {
    placement: Placement,
    counters: Counters,
    /// Hitting time and moves up to it.
    hit: Option<(u64, u64)>,
    /// Present exactly while the queens form a solution.
    falsehood: Option<Falsehood>,
}

/// The false signals while the queens form a solution.
#[derive(Debug, Clone)]
struct Falsehood {
    truth: Box<[Directions]>,
    /// False signals per cell, by [`Cell::index`].
    per_cell: Box<[u8]>,
    total: u32,
}

impl Observables {
    /// Of a trial that starts in `configuration` at time 0.
    pub fn at_start(configuration: &Configuration) -> Self {
        let mut observables = Self {
            placement: configuration.placement(),
            counters: Counters::default(),
            hit: None,
            falsehood: None,
        };
        observables.compare_with_solutions(configuration, 0);
        observables
    }

    /// Takes note of a queen's move in the update that ends at `time`. Signals that the same update
    /// changed are covered. Returns the kinds of the move.
    #[cold]
    pub fn queen_moved(
        &mut self,
        queen: Move,
        configuration: &Configuration,
        time: u64,
    ) -> MoveKinds {
        let attacks = Attacks {
            left: self.placement.remove(queen.from),
            met: self.placement.add(queen.to),
        };
        let kinds = self
            .counters
            .queen_moved(queen, attacks, &self.placement, configuration);
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
        self.falsehood.is_some()
    }

    /// Takes note that the signals of `cell` may have changed. Needed only while the queens form a
    /// solution.
    pub fn signals_changed(&mut self, cell: Cell, configuration: &Configuration) {
        if let Some(falsehood) = &mut self.falsehood {
            falsehood.recount(cell, configuration);
        }
    }

    /// A solution, and every signal is true.
    pub fn is_absorbed(&self) -> bool {
        self.falsehood
            .as_ref()
            .is_some_and(|falsehood| falsehood.total == 0)
    }

    /// Until when the state stands still of a trial that has ended: for ever if it is absorbed,
    /// else to its cutoff, beyond which nothing was simulated.
    pub fn stands_until(&self, cutoff: u64) -> u64 {
        if self.is_absorbed() { u64::MAX } else { cutoff }
    }

    /// The facts of the trial when it ends at `time`, absorbed or at its cutoff.
    pub fn outcome(&self, configuration: &Configuration, time: u64) -> Outcome {
        let absorbed = self.is_absorbed();
        let ending = if absorbed {
            Ending::Absorbed
        } else {
            Ending::Censored
        };
        let mut outcome = Outcome {
            absorption_time: absorbed.then_some(time),
            hitting_time: self.hit.map(|(time, _)| time),
            moves_at_hit: self.hit.map(|(_, moves)| moves),
            updates: Some(time),
            solution: configuration.solution(),
            ..Outcome::ended(ending)
        };
        self.counters.write(&mut outcome);
        outcome
    }

    fn compare_with_solutions(&mut self, configuration: &Configuration, time: u64) {
        let is_solution = self.placement.is_solution();
        self.counters.entries += u64::from(is_solution && !self.in_solution());
        self.falsehood = is_solution.then(|| Falsehood::of(configuration));
        if is_solution && self.hit.is_none() {
            self.hit = Some((time, self.counters.moves));
        }
    }
}

impl Falsehood {
    fn of(configuration: &Configuration) -> Self {
        let truth = configuration.true_signals();
        let mut falsehood = Self {
            per_cell: vec![0; truth.len()].into(),
            truth,
            total: 0,
        };
        for cell in configuration.board().cells() {
            falsehood.recount(cell, configuration);
        }
        falsehood
    }

    fn recount(&mut self, cell: Cell, configuration: &Configuration) {
        let now = configuration[cell]
            .signals
            .difference(self.truth[cell.index()])
            .len();
        let before = &mut self.per_cell[cell.index()];
        self.total = self.total + now - u32::from(*before);
        *before = now as u8;
    }
}
