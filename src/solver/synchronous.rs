//! The synchronous rule that the source text warns of: in one step all cells go by the old
//! configuration, and all moves happen at once (docs/rules.md). Decided here: the axes ε and η, the
//! variants `informed` and `blind`, the columns (moving steps, joint moves), the order of signals
//! and moves in a step, and what is counted of it. A step is one unit of time.

mod law;

use super::board::{Board, Cell, Direction};
use super::local::configuration::{CellState, Configuration, Move};
use super::local::sites::cells::{CellSite, cells_of, destination, heard, reads};
use super::local::{EPSILON, ETA, N, board, chance};
use super::outcome::{Counters, Kinds};
use super::process::{self, Next, Process};
use super::rng::{Chance, RandomSource, TrialStream};
use super::solution::Placement;
use super::variants::{Choice, Variants};
use super::{Algorithm, Axis, Column, Control, Course, Outcome, Point, Prepared};

/// The entry in the list of algorithms.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "synchronous",
    doc: "all cells at once, each by the configuration before the step",
    axes: AXES,
    lacking: &[(BLIND, ETA.name)],
    variants: Some(&VARIANTS),
    cutoff_unit: "steps",
    is_only_stepwise: true,
    reads: Some(reads),
    columns: COLUMNS,
    part: "synchronous",
    law: Some(law::law),
    warning: Some(crate::construction::has_none),
    prepare: &|point, _| prepare(point.clone()),
    ..Algorithm::UNNAMED
};

const AXES: &[Axis] = &[
    N,
    EPSILON,
    Axis {
        doc: "of informed alone: probability η that the destination is any neighbour, not one of least ω",
        ..ETA
    },
];

const INFORMED: &str = "informed";
const BLIND: &str = "blind";

static VARIANTS: Variants = Variants::random(&[Choice {
    key: "queens",
    words: &[INFORMED, BLIND],
    letters: "",
    doc: "informed: signals first, a queen goes by them and chooses by ω; blind: moves first, to any neighbour",
}]);

const COLUMNS: &[Column] = &[
    Column::named("absorption_time").counted_in("steps"),
    Column::named("hitting_time").counted_in("steps"),
    Column::named("moves")
        .meaning("up to the absorption or the cutoff; queens that change places are two"),
    Column::named("moves_at_hit")
        .meaning("up to the hitting time, all moves of the step that hits included; null if never"),
    Column::named("updates")
        .counted_in("steps")
        .meaning("steps simulated, of n² cells each: the absorption time or the cutoff"),
    Column::named("solution"),
    Column::named("dangerous_moves"),
    Column::named("needless_moves"),
    Column::named("deceived_moves"),
    Column::named("entries"),
    Column::named("joint_moves"),
    Column::named("moving_steps"),
];

/// Domain tag of the streams.
const DOMAIN_TAG: &str = "reines/synchronous/1";

fn prepare(point: Point) -> Prepared {
    let rule = SynchronousRule::at(&point);
    Box::new(move |key, cutoff, control| {
        let mut random = TrialStream::new(DOMAIN_TAG, key.seed, &point, key.trial);
        let start = Configuration::random_start(rule.board, &mut random);
        let trial = SynchronousTrial::at_start(&rule, start);
        process::run(trial, cutoff, random, control)
    })
}

/// The rule on one board, at one ε.
struct SynchronousRule {
    board: Board,
    cells: Box<[CellSite]>,
    epsilon: Chance,
    /// The probability η; of the informed rule alone.
    eta: Option<Chance>,
}

impl SynchronousRule {
    fn at(point: &Point) -> Self {
        let board = board(point);
        Self {
            board,
            cells: cells_of(board),
            epsilon: chance(point, &EPSILON),
            eta: (point.variant == INFORMED).then(|| chance(point, &ETA)),
        }
    }

    /// The queens that leave their cells in a step from `x`. The informed rule writes the signals
    /// of all cells before, into `next`, which has the same queens.
    fn departures(
        &self,
        x: &Configuration,
        next: &mut Configuration,
        random: &mut impl RandomSource,
    ) -> Vec<Move> {
        if self.eta.is_some() {
            self.rewrite(x, next);
        }
        let signals = if self.eta.is_some() { &*next } else { x };
        let mut departures = Vec::new();
        for &site in &self.cells {
            if !signals[site.cell].threatened() {
                continue;
            }
            for _ in 0..x[site.cell].queens {
                let towards = if let Some(eta) = self.eta {
                    destination(x, site, eta, random)
                } else {
                    let all = site.neighbours;
                    all.nth(random.below(u64::from(all.len())))
                };
                departures.extend(self.departure(x, site.cell, towards, random));
            }
        }
        departures
    }

    /// The queens leave, in both configurations; of `next`, which then follows `x`, the blind rule
    /// writes the signals now.
    fn depart(&self, departures: &[Move], x: &mut Configuration, next: &mut Configuration) {
        for queen in departures {
            x.move_queen(queen.from, queen.to);
            next.move_queen(queen.from, queen.to);
        }
        if self.eta.is_none() {
            self.rewrite(x, next);
        }
    }

    /// MOVE of one queen to the neighbour in this direction, by the old configuration `x`.
    fn departure(
        &self,
        x: &Configuration,
        from: Cell,
        towards: Direction,
        random: &mut impl RandomSource,
    ) -> Option<Move> {
        let to = self.board.neighbour(from, towards);
        let side = towards.opposite();
        let is_safe = x[to].safe_go(side);
        (is_safe || random.flip(self.epsilon)).then_some(Move {
            from,
            to,
            side,
            is_safe,
            is_certain: is_safe,
        })
    }

    /// Writes the signals of all cells at once, as they follow from `x`.
    fn rewrite(&self, x: &Configuration, next: &mut Configuration) {
        for cell in self.board.cells() {
            next.set_signals(cell, heard(x, cell));
        }
    }
}

/// A trial under way.
struct SynchronousTrial<'a> {
    rule: &'a SynchronousRule,
    x: Configuration,
    /// The same queens; a step writes its signals there, and it is `x` afterwards.
    next: Configuration,
    placement: Placement,
    counters: Counters,
    joint_moves: u64,
    moving_steps: u64,
    /// Steps so far.
    time: u64,
    is_absorbed: bool,
}

impl<'a> SynchronousTrial<'a> {
    fn at_start(rule: &'a SynchronousRule, x: Configuration) -> Self {
        let placement = x.placement();
        let mut trial = Self {
            rule,
            counters: Counters::at_start(placement.is_solution()),
            placement,
            next: x.clone(),
            x,
            joint_moves: 0,
            moving_steps: 0,
            time: 0,
            is_absorbed: false,
        };
        trial.is_absorbed = trial.has_a_solution_with_true_signals();
        trial
    }

    fn step(&mut self, random: &mut TrialStream) {
        let departures = self.rule.departures(&self.x, &mut self.next, random);
        self.time += 1;
        if !departures.is_empty() {
            self.count_moves(&departures);
        }
        self.rule.depart(&departures, &mut self.x, &mut self.next);
        std::mem::swap(&mut self.x, &mut self.next);
        self.is_absorbed = self.has_a_solution_with_true_signals();
    }

    /// Counts the moves of a step, before they take place.
    fn count_moves(&mut self, departures: &[Move]) {
        let truth = self.x.true_signals();
        let truly = |cell: Cell| CellState {
            signals: truth[cell.index()],
            ..self.x[cell]
        };
        for queen in departures {
            self.counters.moved(Kinds {
                dangerous: !queen.is_certain,
                needless: truly(queen.from).safe_stay(),
                deceived: queen.is_safe != truly(queen.to).safe_go(queen.side),
            });
            self.placement.remove(queen.from);
            self.placement.add(queen.to);
        }
        self.moving_steps += 1;
        self.joint_moves += u64::from(is_joint(self.rule.board, departures));
        self.counters
            .placed(self.placement.is_solution(), self.time);
    }

    fn has_a_solution_with_true_signals(&self) -> bool {
        self.counters.in_solution() && {
            let truth = self.x.true_signals();
            let mut cells = self.rule.board.cells();
            cells.all(|cell| self.x[cell].signals == truth[cell.index()])
        }
    }
}

impl Process for SynchronousTrial<'_> {
    fn next(&mut self, _: u64, _: u64, random: &mut TrialStream) -> Next {
        self.step(random);
        if self.is_absorbed {
            Next::Absorption(self.time)
        } else {
            Next::Update(self.time)
        }
    }

    fn is_absorbed(&self) -> bool {
        self.is_absorbed
    }

    fn steps_per_poll(&self) -> u64 {
        (Control::POLL_INTERVAL / self.rule.cells.len() as u64).max(1)
    }

    fn end(self, time: u64, _: u64) -> (Outcome, Course) {
        let outcome = Outcome {
            solution: self.x.solution(),
            joint_moves: Some(self.joint_moves),
            moving_steps: Some(self.moving_steps),
            ..self.counters.outcome(self.is_absorbed, time)
        };
        (outcome, Course::default())
    }
}

/// Returns whether queens leave two different cells of one row, column or diagonal.
fn is_joint(board: Board, departures: &[Move]) -> bool {
    let on_one_line = |a: Cell, b: Cell| {
        let ((ax, ay), (bx, by)) = (board.coordinates(a), board.coordinates(b));
        a != b && (ax == bx || ay == by || ax.abs_diff(bx) == ay.abs_diff(by))
    };
    departures.iter().enumerate().any(|(index, a)| {
        let mut earlier = departures[..index].iter();
        earlier.any(|b| on_one_line(a.from, b.from))
    })
}

#[cfg(test)]
mod tests;
