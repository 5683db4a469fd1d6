//! The dynamics in lanes: many trials of one point side by side, one in each lane of the
//! processor's wide registers, boards as bit masks. Times, moves and solutions have exactly the
//! distribution that [`super::stepwise`] gives them.
//!
//! A step draws one place of each lane among its open sites, those that an update changes, and a
//! constant number of *slots*, which stand for what the other sites may add (`step.rs`). Nothing is
//! kept up to date from one step to the next but the board: the open sites are found anew by masks
//! ([`pairs`], [`cells`]). Waits are not drawn step by step: draws are counted by the number of
//! open sites, and at checkpoints their waits are drawn together (`waits.rs`, `team.rs`).
//!
//! A trial is a function of its point, seed and index alone: neither the lanes beside it nor the
//! processor's instructions matter ([`vector`]).

// Loops over the words of a board take the same word of several masks.
#![allow(clippy::needless_range_loop)]

mod batch;

mod boards;

pub mod cells;

mod choice;

pub mod follower;

mod kernel;

mod layout;

mod loops;

pub mod pairs;

mod retrace;

mod seat;

pub mod side;

mod step;

mod team;

pub mod vector;

mod waits;

#[cfg(test)]
mod tests;

use self::cells::{CellKernel, LanesOnCells};
use self::follower::{Followed, Follower, Trials};
use self::kernel::Kernel;
use self::pairs::{LanesOnPairs, PairKernel};
use self::team::Team;
use self::vector::Instructions;
use super::configuration::Configuration;
use super::recorder::Recorder;
use super::rule::LocalRule;
use crate::solver::{Control, Interrupted, Job, Outcome, Point, TrialSource};

/// Runs trials of one point until its source has no more, each to its absorption or the cutoff, by
/// instructions that the processor has.
pub type LanesOf = fn(
    instructions: Instructions,
    point: &Point,
    cutoff: u64,
    trials: Trials,
    control: &Control,
) -> Result<(), Interrupted>;

/// The greatest n of a board in lanes.
pub const N_MAX: u64 = layout::MOST as u64;

/// [`run`] for boards of these numbers of words.
macro_rules! run_by_words {
    ($Kernel:ident<$R:ident>, $point:ident, $arguments:tt, $($W:literal)+) => {
        match words($point) {
            $($W => run::<$Kernel<$R, $W>, $W> $arguments,)+
            words => unreachable!("no board takes {words} words"),
        }
    };
}

/// [`LanesOf`] of a rule on pairs.
///
/// # Errors
/// As [`LanesOf`].
pub fn on_pairs<R: LanesOnPairs>(
    instructions: Instructions,
    point: &Point,
    cutoff: u64,
    trials: Trials,
    control: &Control,
) -> Result<(), Interrupted> {
    run_by_words!(
        PairKernel<R>, point, (instructions, point, cutoff, trials, control), 1 2 3 4
    )
}

/// [`LanesOf`] of a rule on cells.
///
/// # Errors
/// As [`LanesOf`].
pub fn on_cells<R: LanesOnCells>(
    instructions: Instructions,
    point: &Point,
    cutoff: u64,
    trials: Trials,
    control: &Control,
) -> Result<(), Interrupted> {
    run_by_words!(
        CellKernel<R>, point, (instructions, point, cutoff, trials, control), 1 2 3 4
    )
}

/// One trial without others beside it, from this start, followed by `recorder`.
///
/// # Errors
/// [`Interrupted`] when `control` asks to stop.
pub fn alone<R: LocalRule, C: Recorder>(
    (job, trial): (&Job, u32),
    rule: &R,
    start: Configuration,
    recorder: &mut C,
    control: &Control,
) -> Result<Outcome, Interrupted> {
    let mut one = One {
        waiting: Some((job.seed, trial)),
        outcome: None,
        control,
    };
    let mut followed = C::SEES.then(|| Followed::new(rule, start.clone(), recorder));
    let trials = Trials {
        source: &mut one,
        start: Some(start),
        follower: followed.as_mut().map(|it| it as &mut dyn Follower),
    };
    let lanes = R::LANES.expect("a plan has lanes for rules that give them alone");
    lanes(
        Instructions::OneLane,
        job.point,
        job.cutoff,
        trials,
        control,
    )?;
    let outcome = one.outcome.expect("a trial that is not interrupted ends");
    if let Some(followed) = followed {
        followed.end(&outcome, job.cutoff);
    }
    Ok(outcome)
}

/// A source of one trial.
struct One<'a> {
    waiting: Option<(u64, u32)>,
    outcome: Option<Outcome>,
    control: &'a Control<'a>,
}

impl TrialSource for One<'_> {
    fn next(&mut self, _: usize) -> Option<(u64, u32)> {
        self.waiting.take()
    }

    fn note(&mut self, _: usize, so_far: &dyn Fn() -> Outcome) {
        self.control.note(so_far);
    }

    fn ended(&mut self, _: usize, outcome: Outcome) -> Result<(), Interrupted> {
        self.outcome = Some(outcome);
        Ok(())
    }
}

fn words(point: &Point) -> usize {
    let words = point.integer("n").and_then(|n| layout::words(n as usize));
    words.expect("a plan has lanes for boards up to N_MAX alone")
}

fn run<K: Kernel<W>, const W: usize>(
    instructions: Instructions,
    point: &Point,
    cutoff: u64,
    trials: Trials,
    control: &Control,
) -> Result<(), Interrupted> {
    Team::<K, W>::new(point, cutoff, instructions).run(trials, control)
}
