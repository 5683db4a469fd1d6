//! [`Spec`] → [`Plan`]: the ordered points and their trials.

mod hash;

use std::cmp::Ordering;
use std::sync::Arc;

use super::spec::{Recorded, Sequential, Spec, Sweep};
use super::store::{PointKey, Record};
use crate::solver::course::Recording;
use crate::solver::goal::Goal;
use crate::solver::{self, Dynamics, DynamicsChoice, Point, Value};

/// Number of the definition of every algorithm, for the manifest. Raised when the distribution of
/// any column changes on purpose, so that results under two definitions are never compared as if
/// they were one.
pub const DEFINITION: u32 = 1;

/// Trials above which a plan is taken for a slip of the pen.
pub const MAX_TRIALS: u64 = 100_000_000;

/// Rows of `series.parquet`, or of `moves.parquet`, above which a plan is taken for a slip of the
/// pen.
pub const MAX_COURSE_ROWS: u64 = 100_000_000;

/// Trials per point and seed of a quick run.
pub const QUICK_TRIALS: u32 = 5;

/// What a run simulates: each point with trials `0..trials` under each seed; of a sequential point
/// the beginning of them that is enough.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// In the order of the key columns of `trials.parquet`, each point once.
    pub points: Vec<PlannedPoint>,
    /// Sorted.
    pub seeds: Vec<u64>,
}

/// A point of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedPoint {
    /// What is run.
    pub point: Point,
    /// Trials under each seed; at most, where `sequential` says when it is enough.
    pub trials: u32,
    /// How many trials there are, where rows decide.
    pub sequential: Option<Sequential>,
    /// Updates per trial, or checks or nodes of a search.
    pub cutoff: u64,
    /// Means nothing to a search.
    pub dynamics: Dynamics,
    /// Runs of each trial, with nothing beside them; `None`: one, beside others.
    pub repeats: Option<u32>,
    /// What its trials write down of their course.
    pub recorded: Recorded,
}

impl PlannedPoint {
    /// Runs of each trial, at least 1.
    pub fn runs_per_trial(&self) -> u32 {
        self.repeats.unwrap_or(1)
    }

    /// Runs under each seed: each trial as often as it is to be timed; the most of them, where the
    /// point is sequential.
    pub fn runs(&self) -> u64 {
        u64::from(self.trials) * u64::from(self.runs_per_trial())
    }

    /// Rows of `series.parquet` that each of its trials has, however it ends.
    pub fn moments(&self) -> &[u64] {
        self.recorded.moments_within(self.cutoff)
    }

    /// What each of its trials writes down: nothing after the cutoff, not even where it was
    /// absorbed before, so that a moment has the rows of all trials.
    pub fn recording(&self) -> Recording<'_> {
        Recording {
            moments: self.moments(),
            moves: self.recorded.moves,
        }
    }

    /// Whether the course of one of its trials is what it asks for: an observation at each moment,
    /// and as many moves as the row says, all of them possible.
    pub fn has_course(&self, Record { row, course, .. }: &Record) -> bool {
        let n = self.point.values.integer("n").unwrap_or(u64::MAX);
        let within = row.outcome.updates.unwrap_or(u64::MAX);
        let are_possible = course.series.iter().all(|it| it.may_be(n))
            && course.moves.iter().all(|it| it.may_be(n, within));
        let updates = course.series.iter().map(|observation| observation.update);
        let moves = match (self.recorded.moves, row.outcome.moves) {
            (false, _) => 0,
            (true, moves) => moves.unwrap_or(course.moves.len() as u64),
        };
        are_possible
            && updates.eq(self.moments().iter().copied())
            && course.moves.len() as u64 == moves
    }

    /// Whether another sweep's way to say how many trials the point has can be joined with this
    /// one.
    fn agrees_on_trials(&self, other: &Self) -> bool {
        self.sequential == other.sequential
            && (self.sequential.is_none() || self.trials == other.trials)
    }

    /// As a spec says it.
    fn trials_in_words(&self) -> String {
        let Self {
            trials, sequential, ..
        } = self;
        sequential.map_or_else(
            || trials.to_string(),
            |Sequential { min, precision }| {
                format!("{{ min = {min}, max = {trials}, precision = {precision} }}")
            },
        )
    }

    /// How the point is simulated; `None` for a search, which has no dynamics.
    pub fn dynamics_name(&self) -> Option<&'static str> {
        self.point.goal.is_none().then(|| self.dynamics.name())
    }
}

/// Why a valid spec is no plan.
// The messages name the fields.
#[allow(missing_docs)]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    #[error(
        "{file}:{line}: cutoff = {cutoff} at {point}, where the sweep of line {other_line} has cutoff = {other_cutoff}; \
         allowed is one cutoff for each point"
    )]
    /// Two sweeps give one point different cutoffs.
    Cutoffs {
        file: String,
        point: String,
        line: usize,
        cutoff: u64,
        other_line: usize,
        other_cutoff: u64,
    },
    #[error(
        "{file}:{line}: trials = {trials} at {point}, where the sweep of line {other_line} has trials = {other_trials}; \
         allowed is one {{min, max, precision}} for each point, or numbers, of which the largest counts"
    )]
    /// Two sweeps disagree on how many trials a point has.
    Trials {
        file: String,
        point: String,
        line: usize,
        trials: Box<str>,
        other_line: usize,
        other_trials: Box<str>,
    },
    /// An algorithm does not have the dynamics that is asked for.
    #[error(
        "{file}:{line}: algorithm = \"{algorithm}\": it has no rejection-free dynamics; allowed are --dynamics auto, one-by-one and stepwise"
    )]
    Dynamics {
        file: String,
        line: usize,
        algorithm: &'static str,
    },
    /// A point cannot be simulated in lanes.
    #[error(
        "{file}:{line}: {point}: --dynamics lanes {reason}; allowed are --dynamics auto, one-by-one, rejection-free and stepwise"
    )]
    Lanes {
        file: String,
        line: usize,
        point: String,
        reason: String,
    },
    #[error(
        "{file}: the code version of its plan is {found}, not {asked}: build that version again, or allow --code-version {found}"
    )]
    /// The program is not of the code version that was asked for.
    CodeVersion {
        file: String,
        found: String,
        asked: String,
    },
    /// More trials than are run without leave.
    #[error("{file}: a plan of {trials} trials; allowed are {MAX_TRIALS} without --allow-huge")]
    Huge { file: String, trials: u64 },
    /// More rows of a series than are written without leave.
    #[error(
        "{file}: a plan of {rows} rows of series.parquet; allowed are {MAX_COURSE_ROWS} without --allow-huge"
    )]
    HugeSeries { file: String, rows: u128 },
    /// More moves than are written down without leave, by a forecast.
    #[error(
        "{file}: about {rows} rows of moves.parquet are to be expected; allowed are {MAX_COURSE_ROWS} without --allow-huge"
    )]
    HugeMoves { file: String, rows: u128 },
}

impl Plan {
    /// The union of the spec's sweeps: where they overlap, a point has the trials of the largest,
    /// and all its trials write down what any of them asks for.
    /// Each point is simulated as [`DynamicsChoice::Auto`] says.
    ///
    /// # Errors
    /// As [`Plan::with_dynamics`].
    pub fn new(spec: &Spec) -> Result<Self, PlanError> {
        Self::with_dynamics(spec, DynamicsChoice::Auto)
    }

    /// The plan under another choice of dynamics: other streams, and another plan hash.
    ///
    /// # Errors
    /// [`PlanError::Cutoffs`] when two sweeps give one point different cutoffs;
    /// [`PlanError::Trials`] when they decide its number of trials in different ways;
    /// [`PlanError::Dynamics`] when an algorithm is only simulated step by step and another
    /// dynamics is asked for; [`PlanError::Lanes`] when a point cannot be simulated in lanes.
    pub fn with_dynamics(spec: &Spec, dynamics: DynamicsChoice) -> Result<Self, PlanError> {
        let mut planned: Vec<(usize, PlannedPoint)> = Vec::new();
        for sweep in &spec.sweeps {
            refuse_dynamics(spec, sweep, dynamics)?;
            for point in points(sweep) {
                let next = planned_point(point, sweep, dynamics);
                refuse_lanes(spec, sweep.line, &next)?;
                planned.push((sweep.line, next));
            }
        }
        planned.sort_by(|a, b| key_order(&a.1.point, &b.1.point).then(a.0.cmp(&b.0)));
        let mut merged: Vec<(usize, PlannedPoint)> = Vec::with_capacity(planned.len());
        for (line, next) in planned {
            let last = merged.last_mut();
            match last.filter(|(_, last)| last.point == next.point) {
                Some((other_line, last)) => {
                    let error = disagreement(&spec.file, (line, &next), (*other_line, last));
                    error.map_or(Ok(()), Err)?;
                    last.trials = last.trials.max(next.trials);
                    last.repeats = last.repeats.max(next.repeats);
                    last.recorded = last.recorded.joined(&next.recorded);
                }
                None => merged.push((line, next)),
            }
        }
        Ok(Self {
            points: merged.into_iter().map(|(_, point)| point).collect(),
            seeds: spec.seeds.clone(),
        })
    }

    /// The same plan with at most `trials` trials of each point under each seed: a subset of the
    /// same rows, each timed once. Below its first batch, a sequential point has a number like any
    /// other.
    #[must_use]
    pub fn capped(&self, trials: u32) -> Self {
        let mut plan = self.clone();
        for point in &mut plan.points {
            point.trials = point.trials.min(trials);
            point.sequential = point
                .sequential
                .filter(|sequential| sequential.min <= trials);
            point.repeats = point.repeats.min(Some(1));
        }
        plan
    }

    /// The plan of this hash among those that `spec` can give: under each choice of dynamics, whole
    /// or quick. A run keeps its spec and its hash, so this is what it ran.
    pub fn recover(spec: &Spec, hash: &str) -> Option<Self> {
        let whole = DynamicsChoice::ALL
            .into_iter()
            .filter_map(|choice| Self::with_dynamics(spec, choice).ok());
        whole
            .flat_map(|plan| [plan.capped(QUICK_TRIALS), plan])
            .find(|plan| plan.hash() == hash)
    }

    /// 8 hex digits that name what is to be simulated: points, trials, seeds, cutoffs and dynamics,
    /// whatever the order of the sweeps. The encoding is in docs/inside.md.
    pub fn hash(&self) -> String {
        hash::hash(self)
    }

    /// All trials: points × trials × seeds; the most, where points are sequential.
    pub fn trials(&self) -> u64 {
        // Fits: a spec has at most 10⁵ points and 10³ seeds, and a point fewer than 2³² trials.
        self.points
            .iter()
            .map(|point| u64::from(point.trials))
            .sum::<u64>()
            * self.seeds.len() as u64
    }

    /// Pieces into which the plan can be cut for shards: its trials, but a sequential point counts
    /// as one.
    pub fn pieces(&self) -> u64 {
        let pieces = |planned: &PlannedPoint| match planned.sequential {
            Some(_) => 1,
            None => u64::from(planned.trials) * self.seeds.len() as u64,
        };
        self.points.iter().map(pieces).sum()
    }

    /// Updates to simulate if every trial ran to its cutoff; a search simulates none.
    pub fn worst_case_updates(&self) -> u128 {
        self.points
            .iter()
            .map(|point| self.worst_case_updates_at(point))
            .sum()
    }

    /// Updates to simulate at `point`, under all seeds, if every trial ran to its cutoff.
    pub fn worst_case_updates_at(&self, point: &PlannedPoint) -> u128 {
        if point.point.goal.is_some() {
            return 0;
        }
        u128::from(point.trials) * self.seeds.len() as u128 * u128::from(point.cutoff)
    }

    /// The point of this key.
    pub fn at(&self, key: &PointKey) -> Option<&PlannedPoint> {
        let order = |planned: &PlannedPoint| PointKey::of(&planned.point).order(key);
        let found = self.points.binary_search_by(order).ok()?;
        Some(&self.points[found])
    }

    /// Whether each row may be that of a trial of the plan, finished or running.
    pub fn has_rows(&self, records: &[Record]) -> bool {
        let of_one_point = |a: &Record, b: &Record| Arc::ptr_eq(&a.point, &b.point);
        records.chunk_by(of_one_point).all(|rows| {
            self.at(&rows[0].point).is_some_and(|planned| {
                rows.iter().all(|Record { row, repeat, .. }| {
                    self.seeds.binary_search(&row.seed).is_ok()
                        && row.trial < planned.trials
                        && row.cutoff == planned.cutoff
                        && *repeat < planned.runs_per_trial()
                })
            })
        })
    }

    /// Rows of `series.parquet`; at most, where points are sequential.
    pub fn series_rows(&self) -> u128 {
        let rows = |planned: &PlannedPoint| {
            u128::from(planned.trials) * self.seeds.len() as u128 * planned.moments().len() as u128
        };
        self.points.iter().map(rows).sum()
    }

    /// Whether a point has a series: whether there is a `series.parquet`.
    pub fn records_series(&self) -> bool {
        let has_series = |planned: &PlannedPoint| !planned.recorded.moments.is_empty();
        self.points.iter().any(has_series)
    }

    /// Whether a point writes down moves: whether there is a `moves.parquet`.
    pub fn records_moves(&self) -> bool {
        self.points.iter().any(|planned| planned.recorded.moves)
    }

    /// Refuses a plan of more than [`MAX_TRIALS`] trials, or of more than [`MAX_COURSE_ROWS`] rows
    /// of `series.parquet`. The rows of `moves.parquet` are known only when they are there.
    ///
    /// # Errors
    /// [`PlanError::Huge`] or [`PlanError::HugeSeries`], which name the spec's file and the number.
    pub fn refuse_huge(&self, spec: &Spec) -> Result<(), PlanError> {
        let trials = self.trials();
        let (file, rows) = (spec.file.clone(), self.series_rows());
        if trials > MAX_TRIALS {
            Err(PlanError::Huge { file, trials })
        } else if rows > u128::from(MAX_COURSE_ROWS) {
            Err(PlanError::HugeSeries { file, rows })
        } else {
            Ok(())
        }
    }

    /// What is allowed but probably not what one wants.
    pub fn warnings(&self) -> Vec<String> {
        [2, 3]
            .into_iter()
            .filter_map(|n| self.unsolvable_warning(n))
            .chain(self.lone_draw_warning())
            .collect()
    }

    /// One draw says nothing of its spread.
    fn lone_draw_warning(&self) -> Option<String> {
        let draws = |planned: &&PlannedPoint| {
            let algorithm = solver::algorithm(planned.point.algorithm);
            planned.point.goal.is_some()
                && algorithm.is_some_and(|algorithm| algorithm.is_random(&planned.point.variant))
        };
        let lone = self
            .points
            .iter()
            .filter(draws)
            .filter(|planned| u64::from(planned.trials) * self.seeds.len() as u64 == 1)
            .count();
        (lone > 0).then(|| {
            let noun = if lone == 1 { "point" } else { "points" };
            format!("random branching has one trial at {lone} {noun}, which says nothing of its spread; trials gives it more")
        })
    }

    fn unsolvable_warning(&self, n: u64) -> Option<String> {
        // A search of such a board comes to its end.
        let simulated = self
            .points
            .iter()
            .filter(|planned| planned.point.goal.is_none());
        let at: Vec<_> = simulated
            .filter(|planned| planned.point.integer("n") == Some(n))
            .collect();
        let trials = at
            .iter()
            .map(|planned| u64::from(planned.trials))
            .sum::<u64>()
            * self.seeds.len() as u64;
        let points = at.len();
        (points > 0).then(|| {
            let noun = if points == 1 { "point" } else { "points" };
            format!("n = {n} has no solution: every trial there ({trials} at {points} {noun}) will be censored at its cutoff")
        })
    }
}

/// A point as the plan hash and the shards write it: `pair epsilon=0.01 n=8`.
pub(super) fn point_text(point: &Point) -> String {
    hash::point(point)
}

/// Order of the key columns of `trials.parquet`: algorithm, variant, then the axes, then the goal;
/// a missing value first.
pub fn key_order(a: &Point, b: &Point) -> Ordering {
    let goals = || a.goal.map(Goal::name).cmp(&b.goal.map(Goal::name));
    (a.algorithm, &a.variant)
        .cmp(&(b.algorithm, &b.variant))
        .then_with(|| a.values.order(&b.values, &[]))
        .then_with(goals)
}

/// An algorithm without rejection-free dynamics refuses it.
fn refuse_dynamics(spec: &Spec, sweep: &Sweep, dynamics: DynamicsChoice) -> Result<(), PlanError> {
    if dynamics == DynamicsChoice::RejectionFree && sweep.algorithm.is_only_stepwise() {
        return Err(PlanError::Dynamics {
            file: spec.file.clone(),
            line: sweep.line,
            algorithm: sweep.algorithm.name(),
        });
    }
    Ok(())
}

/// A point that has no lanes refuses them.
fn refuse_lanes(spec: &Spec, line: usize, planned: &PlannedPoint) -> Result<(), PlanError> {
    if planned.dynamics != Dynamics::Lanes || planned.point.goal.is_some() {
        return Ok(());
    }
    planned.point.no_lanes().map_or(Ok(()), |reason| {
        Err(PlanError::Lanes {
            file: spec.file.clone(),
            line,
            point: planned.point.to_string(),
            reason,
        })
    })
}

fn planned_point(point: Point, sweep: &Sweep, dynamics: DynamicsChoice) -> PlannedPoint {
    let Sweep {
        algorithm,
        sequential,
        cutoff,
        repeats,
        ref recorded,
        ..
    } = *sweep;
    let trials = if algorithm.is_random(&point.variant) {
        sweep.trials
    } else {
        1
    };
    PlannedPoint {
        dynamics: dynamics.at(&point),
        point,
        trials,
        sequential,
        cutoff,
        repeats,
        recorded: recorded.clone(),
    }
}

/// Why two sweeps, each with its line, cannot both give the same point.
fn disagreement(
    file: &str,
    (line, next): (usize, &PlannedPoint),
    (other_line, last): (usize, &PlannedPoint),
) -> Option<PlanError> {
    let (file, point) = (file.to_owned(), next.point.to_string());
    if last.cutoff != next.cutoff {
        return Some(PlanError::Cutoffs {
            file,
            point,
            line,
            cutoff: next.cutoff,
            other_line,
            other_cutoff: last.cutoff,
        });
    }
    (!last.agrees_on_trials(next)).then(|| PlanError::Trials {
        file,
        point,
        line,
        trials: next.trials_in_words().into(),
        other_line,
        other_trials: last.trials_in_words().into(),
    })
}

/// The product of a sweep's variants and axes.
fn points(sweep: &Sweep) -> Vec<Point> {
    let point = |(variant, row): (&String, Vec<(&'static str, Value)>)| Point {
        variant: variant.clone(),
        goal: sweep.goal,
        ..Point::new(sweep.algorithm.name(), row)
    };
    let variants = sweep.variants.of.iter();
    variants
        .flat_map(|variant| {
            rows(sweep, variant)
                .into_iter()
                .map(move |row| (variant, row))
        })
        .map(point)
        .collect()
}

/// The product of the values on the axes that this variant has.
fn rows(sweep: &Sweep, variant: &str) -> Vec<Vec<(&'static str, Value)>> {
    let axes = sweep.axes.iter();
    let own = axes.filter(|(axis, _)| sweep.algorithm.has_axis(variant, axis.name));
    let mut rows: Vec<Vec<(&'static str, Value)>> = vec![Vec::new()];
    for (axis, values) in own {
        let extended = |row: &Vec<_>| {
            values
                .iter()
                .map(|&value| [row.as_slice(), &[(axis.name, value)]].concat())
                .collect::<Vec<_>>()
        };
        rows = rows.iter().flat_map(extended).collect();
    }
    rows
}
