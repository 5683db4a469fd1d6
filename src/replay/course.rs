//! The course of a run: what is counted in every state, as curves over the updates.

use super::log::{Log, apply};
use crate::solver::board::{Cell, Directions};
use crate::solver::local::configuration::{CellState, Configuration};
use crate::solver::local::watch::Change;

/// What is counted in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Queens on cells that are not SAFESTAY.
    pub threatened: u64,
    /// Stored signals that are not true, and true ones that are not stored.
    pub false_signals: u64,
    /// Empty cells without a signal.
    pub safe_cells: u64,
    /// Queen moves so far.
    pub moves: u64,
}

impl Counts {
    /// How many there are.
    pub const NUMBER: usize = 4;

    /// In the order of the fields.
    pub fn all(self) -> [u64; Self::NUMBER] {
        [
            self.threatened,
            self.false_signals,
            self.safe_cells,
            self.moves,
        ]
    }
}

/// Counts kept up change by change.
struct Counter {
    x: Configuration,
    truth: Box<[Directions]>,
    counts: Counts,
}

impl Counter {
    fn new(x: &Configuration, moves: u64) -> Self {
        let mut counter = Self {
            truth: x.true_signals(),
            x: x.clone(),
            counts: Counts {
                threatened: 0,
                false_signals: 0,
                safe_cells: 0,
                moves,
            },
        };
        counter.count_all();
        counter
    }

    fn count_all(&mut self) {
        let (mut threatened, mut false_signals, mut safe_cells) = (0, 0, 0);
        for cell in self.x.board().cells() {
            let [a, b, c] = self.of_cell(cell);
            (threatened, false_signals, safe_cells) =
                (threatened + a, false_signals + b, safe_cells + c);
        }
        self.counts = Counts {
            threatened,
            false_signals,
            safe_cells,
            moves: self.counts.moves,
        };
    }

    /// What a cell adds to threatened queens, false signals and safe cells.
    fn of_cell(&self, cell: Cell) -> [u64; 3] {
        let state: CellState = self.x[cell];
        let wrong = state.signals.difference(self.truth[cell.index()]).len();
        [
            if state.threatened() {
                state.queens.into()
            } else {
                0
            },
            wrong.into(),
            u64::from(state.queens == 0 && state.signals.is_empty()),
        ]
    }

    fn take(&mut self, change: &Change) {
        if change.moved.is_some() {
            apply(&mut self.x, change);
            self.x.write_true_signals(&mut self.truth);
            self.counts.moves += 1;
            return self.count_all();
        }
        let board = self.x.board();
        let mut cells: Vec<Cell> = Vec::new();
        for signal in &change.toggled {
            let cell = super::log::cell(board, signal.cell);
            if cells.last() != Some(&cell) {
                cells.push(cell);
            }
        }
        let before: Vec<[u64; 3]> = cells.iter().map(|&cell| self.of_cell(cell)).collect();
        apply(&mut self.x, change);
        for (&cell, before) in cells.iter().zip(before) {
            let after = self.of_cell(cell);
            let counts = &mut self.counts;
            for (count, (before, after)) in [
                &mut counts.threatened,
                &mut counts.false_signals,
                &mut counts.safe_cells,
            ]
            .into_iter()
            .zip(before.into_iter().zip(after))
            {
                *count = *count + after - before;
            }
        }
    }
}

/// Gives `take` the counts of each state of a log and the update from which they hold.
pub fn each_state(log: &Log, mut take: impl FnMut(u64, Counts)) {
    let mut counter = Counter::new(&log.start, log.moves_before);
    take(log.from, counter.counts);
    for change in &log.changes {
        counter.take(change);
        take(change.update, counter.counts);
    }
}

/// A curve as wide as [`Curve::COLUMNS`] and as high as [`Curve::HEIGHT`] units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Curve {
    /// The greatest value.
    pub greatest: u64,
    /// The `d` of its path: from the first state to the last, the greatest value on top.
    pub path: String,
}

impl Curve {
    /// Width of a drawing: the time from the log's first update to its last.
    pub const COLUMNS: u64 = 720;
    /// Height of a drawing, between 0 and the greatest value.
    pub const HEIGHT: u64 = 100;

    /// Of the least and greatest and the last value in each column.
    fn of(columns: &[Column]) -> Self {
        let greatest = columns.iter().map(|it| it.greatest).max().unwrap_or(0);
        // Tenths of a unit.
        let y = |value: u64| {
            let tenths = 10 * Self::HEIGHT;
            let up = u128::from(value) * u128::from(tenths) / u128::from(greatest.max(1));
            let tenths = tenths - up as u64;
            match tenths % 10 {
                0 => format!("{}", tenths / 10),
                rest => format!("{}.{rest}", tenths / 10),
            }
        };
        let mut path = format!(
            "M0 {}",
            columns.first().map_or_else(|| y(0), |it| y(it.first))
        );
        let mut height = columns.first().map_or(0, |it| it.first);
        for (x, column) in columns.iter().enumerate() {
            let flat = column.least == height && column.greatest == height;
            if flat {
                continue;
            }
            path += &format!("H{x}");
            // The extreme farther from where it ends comes first.
            let ends = if column.last.abs_diff(column.least) < column.last.abs_diff(column.greatest)
            {
                [column.greatest, column.least, column.last]
            } else {
                [column.least, column.greatest, column.last]
            };
            for value in ends {
                if value != height {
                    path += &format!("V{}", y(value));
                    height = value;
                }
            }
        }
        path += &format!("H{}", Self::COLUMNS);
        Self { greatest, path }
    }
}

/// The values that hold at any time within a column.
#[derive(Debug, Clone, Copy)]
struct Column {
    first: u64,
    least: u64,
    greatest: u64,
    last: u64,
}

/// The curves of the counts, in their order, of a log that goes up to `until`.
pub fn curves(log: &Log, until: u64) -> [Curve; Counts::NUMBER] {
    let span = until.saturating_sub(log.from).max(1);
    let column = |update: u64| {
        let place = u128::from(update - log.from) * u128::from(Curve::COLUMNS) / u128::from(span);
        place.min(u128::from(Curve::COLUMNS - 1)) as usize
    };
    let mut columns: [Vec<Column>; Counts::NUMBER] = Default::default();
    each_state(log, |update, counts| {
        let at = column(update);
        for (columns, value) in columns.iter_mut().zip(counts.all()) {
            let before = columns.last().map_or(value, |it| it.last);
            let steady = |value| Column {
                first: value,
                least: value,
                greatest: value,
                last: value,
            };
            while columns.len() <= at {
                columns.push(steady(before));
            }
            let column = &mut columns[at];
            column.least = column.least.min(value);
            column.greatest = column.greatest.max(value);
            column.last = value;
        }
    });
    columns.map(|columns| Curve::of(&columns))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::film::{Scene, record};
    use crate::replay::log::Window;
    use crate::solver::{Control, Dynamics, Job, Point, Recording, Value, algorithm};
    use std::sync::atomic::{AtomicBool, AtomicU64};

    /// The observables of the trial's own recorder, at every update that changes something and the
    /// one before.
    #[test]
    fn counts_are_those_of_the_recorded_course() {
        for (name, dynamics) in [
            ("pair", Dynamics::Stepwise),
            ("cell", Dynamics::RejectionFree),
            ("pair", Dynamics::Lanes),
            ("cell", Dynamics::Lanes),
        ] {
            let rule = algorithm(name).expect("registered");
            let value = |name: &str| match name {
                "n" => Value::Integer(7),
                _ => Value::real(0.05),
            };
            let point = Point::new(name, rule.axes().iter().map(|it| (it.name, value(it.name))));
            let job = Job {
                point: &point,
                seed: 3,
                cutoff: 30_000,
                dynamics,
            };
            let (stop, updates) = (AtomicBool::new(false), AtomicU64::new(0));
            let control = Control::new(&stop, &updates);
            let scene = Scene {
                job,
                trial: 2,
                start: None,
                window: Window::ALL,
            };
            let film = record(&scene, &control).expect("a film");
            let mut found: Vec<(u64, Counts)> = Vec::new();
            each_state(&film.log, |update, counts| found.push((update, counts)));
            let moments: Vec<u64> = found.iter().map(|it| it.0).collect();
            let recording = Recording {
                moments: &moments,
                moves: false,
            };
            let (_, course) = rule
                .trial_with_course(&job, 2, recording, &control)
                .expect("no stop");
            assert!(found.len() > 500);
            for ((update, counts), seen) in found.iter().zip(&course.series) {
                let expected = Counts {
                    threatened: seen.threatened.into(),
                    false_signals: (seen.signals - seen.true_signals).into(),
                    safe_cells: seen.safe_cells.into(),
                    moves: seen.moves,
                };
                assert_eq!((*update, *counts), (seen.update, expected), "{name}");
            }
            assert_eq!(found.len(), course.series.len());
        }
    }

    #[test]
    fn a_curve_goes_through_the_extremes_of_each_column() {
        let column = |least, greatest, last| Column {
            first: least,
            least,
            greatest,
            last,
        };
        let columns = [
            column(2, 2, 2),
            column(0, 4, 1),
            column(1, 1, 1),
            column(1, 3, 3),
        ];
        assert_eq!(
            Curve::of(&columns),
            Curve {
                greatest: 4,
                path: "M0 50H1V0V100V75H3V25H720".into(),
            }
        );
        assert_eq!(Curve::of(&[]).path, "M0 100H720");
    }
}
