//! A trial change by change: every update that changes something, from the trial's own start or
//! from one that is given. What a replay is made of.

use super::Start;
use super::configuration::{CellState, Configuration, Move};
use super::counters::MoveKinds;
use super::geometry::Geometry;
use super::observables::Observables;
use super::recorder::{Recorder, Unrecorded, number};
use super::rule::LocalRule;
use super::rules::REGISTERED;
use crate::solver::board::{Direction, Directions};
use crate::solver::{Control, Interrupted, Job, Outcome};

/// Runs a trial of a rule, seen by a watcher if there is one.
///
/// With a start, the trial begins in it, and its random numbers go on where those of the trial's
/// own start end: from its own start it is the trial itself.
pub type Watch = fn(
    job: &Job,
    trial: u32,
    start: Option<Configuration>,
    watcher: Option<&mut dyn Watcher>,
    control: &Control,
) -> Result<Outcome, Interrupted>;

/// The [`Watch`] of the local rule of this name; `None` for any other algorithm.
pub fn of(algorithm: &str) -> Option<Watch> {
    let is_named = |rule: &&super::rules::Registered| rule.rule.name() == algorithm;
    REGISTERED.iter().find(is_named).map(|rule| rule.watch)
}

/// The names of the algorithms that can be watched.
pub fn names() -> impl Iterator<Item = &'static str> {
    REGISTERED.iter().map(|rule| rule.rule.name())
}

/// Sees a trial.
pub trait Watcher {
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
    pub moved: Option<Moved>,
    /// The signals that were set or removed, each once, by cell and then by direction.
    pub toggled: Vec<Signal>,
}

/// A queen's move (docs/rules.md).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moved {
    /// Cell that it left: row · n + column.
    pub from: u32,
    /// Adjacent cell that it reached: row · n + column.
    pub to: u32,
    /// It needed its coin of ε.
    pub dangerous: bool,
    /// Its cell was SAFESTAY with true signals.
    pub needless: bool,
    /// SAFEGO of its destination differs between the stored and the true signals.
    pub deceived: bool,
}

/// The signal of a cell from a direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Signal {
    /// Row · n + column.
    pub cell: u32,
    /// Where it comes from.
    pub direction: Direction,
}

/// [`Watch`] of the rule R.
pub(super) fn trial<R: LocalRule>(
    job: &Job,
    trial: u32,
    start: Option<Configuration>,
    watcher: Option<&mut dyn Watcher>,
    control: &Control,
) -> Result<Outcome, Interrupted> {
    let mut own = Start::<R>::of(job, trial);
    if let Some(start) = start {
        own.configuration = start;
    }
    match watcher {
        None => own.run((job, trial), &mut Unrecorded, control),
        Some(watcher) => {
            let mut recorder = ChangeRecorder::new(watcher, &own.configuration);
            own.run((job, trial), &mut recorder, control)
        }
    }
}

/// Finds what each update changed, and shows it to a watcher.
struct ChangeRecorder<'a> {
    watcher: &'a mut dyn Watcher,
    /// As they were before the update, by [`Cell::index`](crate::solver::board::Cell::index).
    signals: Box<[Directions]>,
    /// The move of the present update.
    moved: Option<(Move, MoveKinds)>,
}

impl<'a> ChangeRecorder<'a> {
    fn new(watcher: &'a mut dyn Watcher, x: &Configuration) -> Self {
        watcher.started(x);
        let mut signals: Box<[Directions]> = vec![Directions::NONE; x.board().n_places()].into();
        for cell in x.board().cells() {
            signals[cell.index()] = x[cell].signals;
        }
        Self {
            watcher,
            signals,
            moved: None,
        }
    }
}

impl Recorder for ChangeRecorder<'_> {
    fn stood_until(&mut self, _: u64, _: &Configuration, _: &Observables) {}

    fn moved(&mut self, _: u64, queen: Move, kinds: MoveKinds, _: &Configuration) {
        self.moved = Some((queen, kinds));
    }

    fn updated<G: Geometry>(&mut self, update: u64, sites: &G, site: u64, x: &Configuration) {
        let mut toggled = Vec::new();
        for cell in sites.signal_cells(sites.site(site)) {
            let CellState { signals, .. } = x[cell];
            let before = std::mem::replace(&mut self.signals[cell.index()], signals);
            let cell = number(x.board(), cell);
            let changed = signals.difference(before).iter();
            toggled.extend(changed.map(|direction| Signal { cell, direction }));
        }
        toggled.sort_unstable();
        let moved = self.moved.take().map(|(queen, kinds)| Moved {
            from: number(x.board(), queen.from),
            to: number(x.board(), queen.to),
            dangerous: kinds.dangerous,
            needless: kinds.needless,
            deceived: kinds.deceived,
        });
        if moved.is_some() || !toggled.is_empty() {
            self.watcher.changed(Change {
                update,
                moved,
                toggled,
            });
        }
    }
}
