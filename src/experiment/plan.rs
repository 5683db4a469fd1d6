//! [`Spec`] → [`Plan`]: the ordered points and their trials. Here are the most trials (10⁷) and
//! rows of a series (10⁸) of a plan, the trials of `--quick` (5), and the warnings of a plan.
//!
//! To be read in this order: [`Plan`] and [`PlannedPoint`], then `Plan::made`, which is the way
//! from a spec to its plan: the points of the sweeps, each point once, the dynamics of each, and
//! what `--quick` (`QUICK_TRIALS`) and `--only` leave of it. `hash` is what names a plan.
//!
//! The order of the points is that of the rows in `trials.parquet`, and the text that is hashed is
//! a format: docs/inside.md has it, a test has hashes of frozen plans. A field of a point that
//! changes its rows belongs into the hash.

pub(super) mod hash;

use std::cmp::Ordering;
use std::sync::Arc;

use itertools::Itertools;

use super::program::Programs;
use super::spec::{Conditions, Refused, Spec, Sweep, joined};
use super::store::{OwnColumns, own_columns};
use crate::solver::local::law;
use crate::solver::{Algorithm, Dynamics, DynamicsChoice, Point};

/// Trials above which a plan is taken for a slip of the pen.
pub const MAX_TRIALS: u64 = 10_000_000;

/// Rows of `series.parquet` above which a plan is taken for a slip.
pub const MAX_COURSE_ROWS: u64 = 100_000_000;

/// Trials per point and seed of a quick run.
pub(crate) const QUICK_TRIALS: u32 = 5;

/// What a run simulates: each point with its trials under each seed.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The points in the order of the key columns of `trials.parquet`, each point once.
    pub points: Vec<PlannedPoint>,
    /// The seeds, sorted.
    pub seeds: Vec<u64>,
    /// The programs that points may be of.
    pub programs: Programs,
    /// A sentence for each rule that is simulated step by step because the dynamics that would be
    /// faster has another law.
    pub slowed: Vec<String>,
}

/// A point of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedPoint {
    /// What is run.
    pub point: Point,
    /// The index of the first trial: 0 but in a piece of a plan.
    pub first: u32,
    /// Trials under each seed.
    pub trials: u32,
    /// Updates per trial, or checks or nodes of a search.
    pub cutoff: u64,
    /// How the point is simulated; `None` for a search, which has no dynamics.
    pub dynamics: Option<Dynamics>,
    /// Runs of each trial, with nothing beside them; `None`: one, beside others.
    pub repeats: Option<u32>,
    /// Numbers of updates after which the state of a trial is written down, strictly ascending.
    pub recorded: Arc<[u64]>,
}

/// Whether the dynamics of a plan's points are compared with the laws of their rules, or each is
/// taken to have the law.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LawCheck {
    Done,
    LeftOut,
}

impl PlannedPoint {
    /// Runs under each seed: each trial as often as it is timed.
    pub fn runs(&self) -> u64 {
        u64::from(self.trials) * u64::from(self.repeats.unwrap_or(1))
    }

    /// The moments of which each of its trials has a row of `series.parquet`, however it ends: none
    /// after the cutoff, not even where it was absorbed before.
    pub fn moments(&self) -> &[u64] {
        let moments = &self.recorded;
        &moments[..moments.partition_point(|&moment| moment <= self.cutoff)]
    }

    /// The name of its dynamics.
    pub(crate) fn dynamics_name(&self) -> Option<&'static str> {
        self.dynamics.map(Dynamics::name)
    }
}

impl Plan {
    /// The union of the spec's sweeps, without the points that do not meet its `only`: where sweeps
    /// overlap, a point has the trials of the largest, and all its trials write down what any of
    /// them asks for. Each point is simulated as the spec's choice of dynamics says: under another
    /// one it has other streams, and the plan another hash. Of a quick run [`Self::capped`].
    ///
    /// # Errors
    /// No point that meets `only`; two sweeps that give one point different cutoffs; an
    /// algorithm that is only simulated step by step where another dynamics is asked for, or a
    /// point that cannot be simulated in lanes.
    pub fn new(spec: &Spec) -> Result<Self, Refused> {
        Self::assumed(spec)?.checked(spec)
    }

    /// The plan if every dynamics has the law of its rule, which takes up to half a second a rule
    /// to find out.
    ///
    /// # Errors
    /// Those of [`Self::new`] but a dynamics that has another law.
    pub fn assumed(spec: &Spec) -> Result<Self, Refused> {
        Self::made(spec, LawCheck::LeftOut)
    }

    /// The plan of the spec of which this is the assumed one: its dynamics are compared with the
    /// laws of their rules.
    pub(super) fn checked(self, spec: &Spec) -> Result<Self, Refused> {
        if self.has_laws_of_rules() {
            return Ok(self);
        }
        Self::made(spec, LawCheck::Done)
    }

    /// True if the dynamics of each point has the law of its rule.
    fn has_laws_of_rules(&self) -> bool {
        let has_law = |planned: &PlannedPoint| {
            let dynamics = planned.dynamics;
            dynamics.is_none_or(|dynamics| law::difference(&planned.point, dynamics).is_none())
        };
        self.points.iter().all(has_law)
    }

    fn made(spec: &Spec, check: LawCheck) -> Result<Self, Refused> {
        let points: Vec<Vec<Point>> = spec.sweeps.iter().map(points).collect();
        let only = match &spec.only {
            Some((only, _)) => {
                let among = only.among(spec.condition_names(), points.iter().flatten());
                Some(among.map_err(|reason| spec.wrong_only(&reason))?)
            }
            None => None,
        };
        let planned = points_of_sweeps(spec, points, only.as_ref(), check)?;
        let mut points = each_point_once(&spec.file, planned)?;
        let slowed = set_dynamics(spec, &mut points, check);
        let mut plan = Self {
            slowed,
            points,
            seeds: spec.seeds.clone(),
            programs: spec.programs.clone(),
        };
        if spec.quick {
            plan = plan.capped(QUICK_TRIALS);
        }
        let Some(only) = only else {
            return Ok(plan);
        };
        let most = plan.points.iter().map(|point| point.trials).max();
        plan.piece(&only).ok_or_else(|| spec.nothing_meant(most))
    }

    /// The plan's trials that meet the conditions on seeds and trials; `None` where none does.
    fn piece(mut self, only: &Conditions) -> Option<Self> {
        self.seeds.retain(|&seed| only.admit_seed(seed));
        for point in &mut self.points {
            let meant = only.trials(point.trials);
            (point.first, point.trials) = (meant.start, meant.end - meant.start);
        }
        self.points.retain(|point| point.trials > 0);
        let is_empty = self.points.is_empty() || self.seeds.is_empty();
        (!is_empty).then_some(self)
    }

    /// The same plan with the trials of each point below `trials` alone: a subset of the same rows,
    /// each timed once.
    #[must_use]
    pub fn capped(&self, trials: u32) -> Self {
        let mut plan = self.clone();
        for point in &mut plan.points {
            point.trials = (point.first + point.trials)
                .min(trials)
                .saturating_sub(point.first);
            point.repeats = point.repeats.min(Some(1));
        }
        plan
    }

    /// 8 hex digits that name what is to be simulated: points, trials, seeds, cutoffs and dynamics,
    /// whatever the order of the sweeps. The encoding is in docs/inside.md.
    pub fn hash(&self) -> String {
        hash::hash(self)
    }

    /// All trials: points × trials × seeds.
    pub fn trials(&self) -> u64 {
        // Fits: a spec has at most 10⁵ points and 10³ seeds, and a point fewer than 2³² trials.
        let trials = self.points.iter().map(|point| u64::from(point.trials));
        trials.sum::<u64>() * self.seeds.len() as u64
    }

    /// How many of the plan's trials another plan has, too: trials of the same point, seed and
    /// index, with the same cutoff and dynamics.
    pub fn trials_in(&self, other: &Self) -> u64 {
        let in_both = |planned: &PlannedPoint| {
            let Some(theirs) = other.at(&planned.point) else {
                return 0;
            };
            if (planned.cutoff, planned.dynamics) != (theirs.cutoff, theirs.dynamics) {
                return 0;
            }
            let first = planned.first.max(theirs.first);
            let end = (planned.first + planned.trials).min(theirs.first + theirs.trials);
            u64::from(end.saturating_sub(first))
        };
        let seeds = self.seeds.iter().filter(|seed| other.seeds.contains(seed));
        self.points.iter().map(in_both).sum::<u64>() * seeds.count() as u64
    }

    /// Updates to simulate if every trial ran to its cutoff; a search simulates none.
    pub fn worst_case_updates(&self) -> u128 {
        let points = self.points.iter();
        points.map(|point| self.worst_case_updates_at(point)).sum()
    }

    /// Updates to simulate at `point`, under all seeds, if every trial ran to its cutoff.
    pub(crate) fn worst_case_updates_at(&self, point: &PlannedPoint) -> u128 {
        if point.point.goal.is_some() {
            return 0;
        }
        u128::from(point.trials) * self.seeds.len() as u128 * u128::from(point.cutoff)
    }

    /// The algorithm of a point: a program of the spec, or one of the registry.
    pub fn algorithm(&self, point: &Point) -> Option<&'static Algorithm> {
        self.programs.algorithm(&point.algorithm)
    }

    /// The columns that the algorithms of the plan have for themselves.
    pub fn own_columns(&self) -> OwnColumns {
        let points = self.points.iter();
        let names = points.map(|planned| &planned.point.algorithm).unique();
        let algorithms = names.filter_map(|name| self.programs.algorithm(name));
        own_columns(algorithms.flat_map(|algorithm| algorithm.columns))
    }

    /// The point of this key.
    pub fn at(&self, key: &Point) -> Option<&PlannedPoint> {
        Some(&self.points[self.index_of(key)?])
    }

    pub(crate) fn index_of(&self, key: &Point) -> Option<usize> {
        self.index_by(|point| point.order(key))
    }

    fn index_by(&self, mut order: impl FnMut(&Point) -> Ordering) -> Option<usize> {
        let order = |planned: &PlannedPoint| order(&planned.point);
        self.points.binary_search_by(order).ok()
    }

    /// Rows of `series.parquet`.
    pub fn series_rows(&self) -> u128 {
        let rows = |planned: &PlannedPoint| {
            u128::from(planned.trials) * self.seeds.len() as u128 * planned.moments().len() as u128
        };
        self.points.iter().map(rows).sum()
    }

    /// True if a point has a series: then there is a `series.parquet`.
    pub(crate) fn records_series(&self) -> bool {
        let has_series = |planned: &PlannedPoint| !planned.recorded.is_empty();
        self.points.iter().any(has_series)
    }

    /// True if a point is searched: then there is a `timings.parquet`.
    pub(crate) fn has_searches(&self) -> bool {
        let mut points = self.points.iter();
        points.any(|planned| planned.point.goal.is_some())
    }

    /// Refuses a plan of more than [`MAX_TRIALS`] trials, or of more than [`MAX_COURSE_ROWS`] rows
    /// of `series.parquet`.
    pub fn refuse_huge(&self, spec: &Spec) -> Result<(), Refused> {
        let trials = self.trials().into();
        let rows = self.series_rows();
        let sizes = [
            (trials, MAX_TRIALS, "trials"),
            (rows, MAX_COURSE_ROWS, "rows of series.parquet"),
        ];
        let too_large = sizes.into_iter().find(|size| size.0 > u128::from(size.1));
        let Some((found, most, what)) = too_large else {
            return Ok(());
        };
        let reason = format!("a plan of {found} {what}; expected at most {most}");
        Err(Refused::of_file(&spec.file, reason))
    }

    /// What is allowed but probably not what one wants.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = self.slowed.clone();
        let of_points = self.points.iter().filter_map(|planned| {
            let warning = self.algorithm(&planned.point)?.warning?;
            warning(&planned.point)
        });
        warnings.extend(of_points.sorted().dedup());
        let draws = |point: &Point| {
            let algorithm = self.algorithm(point);
            point.goal.is_some()
                && algorithm.is_some_and(|algorithm| algorithm.is_random(&point.variant))
        };
        let is_lone = |planned: &PlannedPoint| planned.trials == 1 && self.seeds.len() == 1;
        if self
            .points
            .iter()
            .any(|point| is_lone(point) && draws(&point.point))
        {
            let words =
                "one trial of random branching says nothing of its spread; trials gives it more";
            warnings.push(words.to_owned());
        }
        warnings
    }
}

#[cfg(test)]
impl Plan {
    /// The plan of a spec that is right, stepwise if asked for.
    pub fn example(text: &str, dynamics: DynamicsChoice) -> Self {
        let mut spec =
            super::spec::parse_plan("a", "a.toml", text).unwrap_or_else(|error| panic!("{error}"));
        spec.dynamics = dynamics;
        Self::new(&spec).unwrap_or_else(|error| panic!("{error}"))
    }
}

/// The points of each sweep that meet the conditions, each with the line of its sweep.
fn points_of_sweeps(
    spec: &Spec,
    points: Vec<Vec<Point>>,
    only: Option<&Conditions>,
    check: LawCheck,
) -> Result<Vec<(usize, PlannedPoint)>, Refused> {
    // A dynamics that is chosen is known where all sweeps have said whether they record.
    let is_named = matches!(spec.dynamics, DynamicsChoice::Only(_));
    let mut planned = Vec::new();
    for (sweep, points) in spec.sweeps.iter().zip(points) {
        for point in points {
            if only.is_some_and(|only| !only.admit(&point)) {
                continue;
            }
            let named = || spec.dynamics.assumed_at(sweep.algorithm, &point, false);
            let next = PlannedPoint {
                dynamics: if is_named { named() } else { None },
                first: 0,
                trials: sweep.trials_at(&point),
                cutoff: sweep.cutoff,
                repeats: sweep.repeats,
                recorded: sweep.recorded.clone(),
                point,
            };
            refuse_dynamics(&spec.file, sweep, &next, (spec.dynamics, check))?;
            planned.push((sweep.line, next));
        }
    }
    Ok(planned)
}

/// The points in order, each once: with the trials of the largest of its sweeps, and all moments
/// that any of them writes down.
fn each_point_once(
    file: &str,
    mut planned: Vec<(usize, PlannedPoint)>,
) -> Result<Vec<PlannedPoint>, Refused> {
    planned.sort_by(|a, b| a.1.point.order(&b.1.point).then(a.0.cmp(&b.0)));
    let mut points: Vec<PlannedPoint> = Vec::with_capacity(planned.len());
    let mut line_of_last = 0;
    for (line, next) in planned {
        let last = points.last_mut();
        let Some(last) = last.filter(|last| last.point == next.point) else {
            points.push(next);
            line_of_last = line;
            continue;
        };
        if next.cutoff != last.cutoff {
            let reason = format!(
                "cutoff = {} at {}, where the sweep of line {line_of_last} has cutoff = {}; expected one cutoff for each point",
                next.cutoff, next.point, last.cutoff
            );
            return Err(Refused::of_place(file, (line, 1), reason));
        }
        last.trials = last.trials.max(next.trials);
        last.repeats = last.repeats.max(next.repeats);
        last.recorded = joined(&last.recorded, &next.recorded);
    }
    Ok(points)
}

/// Sets the dynamics of each point, which is recorded where any of its sweeps says so; a sentence
/// for each rule that is simulated step by step because the faster dynamics has another law.
fn set_dynamics(spec: &Spec, points: &mut [PlannedPoint], check: LawCheck) -> Vec<String> {
    let choice = spec.dynamics;
    let mut slowed = Vec::new();
    for planned in points {
        let is_recorded = !planned.moments().is_empty();
        let point = &planned.point;
        let Some(algorithm) = spec.programs.algorithm(&point.algorithm) else {
            continue;
        };
        planned.dynamics = match check {
            LawCheck::LeftOut => choice.assumed_at(algorithm, point, is_recorded),
            LawCheck::Done => {
                slowed.extend(choice.why_stepwise(algorithm, point, is_recorded));
                choice.at(algorithm, point, is_recorded)
            }
        };
    }
    slowed.into_iter().unique().collect()
}

/// Refuses rejection-free dynamics and lanes for what has none.
fn refuse_dynamics(
    file: &str,
    sweep: &Sweep,
    planned: &PlannedPoint,
    (dynamics, check): (DynamicsChoice, LawCheck),
) -> Result<(), Refused> {
    let algorithm = sweep.algorithm;
    let point = &planned.point;
    let refused = |reason: String| Err(Refused::of_place(file, (sweep.line, 1), reason));
    if dynamics == DynamicsChoice::Only(Dynamics::RejectionFree) && algorithm.is_only_stepwise {
        let name = algorithm.name;
        return refused(format!(
            "algorithm = \"{name}\": it has no rejection-free dynamics; {}",
            others(Dynamics::RejectionFree, true)
        ));
    }
    let DynamicsChoice::Only(asked) = dynamics else {
        return Ok(());
    };
    // A search has none.
    let reason = planned.dynamics.and_then(|dynamics| match check {
        LawCheck::Done => point.no_dynamics(dynamics),
        LawCheck::LeftOut => point.no_assumed_dynamics(dynamics),
    });
    match reason {
        None => Ok(()),
        Some(reason) => refused(format!(
            "{point}: dynamics {} {reason}; {}",
            asked.name(),
            others(asked, algorithm.is_only_stepwise)
        )),
    }
}

/// The dynamics that are expected in place of one.
fn others(refused: Dynamics, is_only_stepwise: bool) -> &'static str {
    match refused {
        Dynamics::Lanes if !is_only_stepwise => {
            "expected dynamics auto, one-by-one, rejection-free or stepwise"
        }
        _ => "expected dynamics auto, one-by-one or stepwise",
    }
}

/// The product of a sweep's variants, and of the values on the axes that each of them has.
fn points(sweep: &Sweep) -> Vec<Point> {
    let points = sweep.variants.of.iter().flat_map(|variant| {
        let axes = sweep.axes.iter();
        let of_variant = axes.filter(|(axis, _)| sweep.algorithm.has_axis(variant, axis.name));
        let values =
            of_variant.map(|(axis, values)| values.iter().map(|&value| (axis.name, value)));
        values.multi_cartesian_product().map(move |axes| Point {
            variant: variant.clone(),
            goal: sweep.goal,
            ..Point::new(sweep.algorithm.name, axes)
        })
    });
    points.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2¹⁴ < 20 000 < 2¹⁵.
    #[test]
    fn a_point_among_many_is_found_in_few_comparisons() {
        let sweep = "algorithm = \"pair\"\nn = 4\ntrials = 1\ncutoff = 1";
        let epsilon = "epsilon = { from = 0.1, to = 0.2, points = 20_000 }";
        let text = format!("seed = 1\n[[sweep]]\n{sweep}\n{epsilon}\n");
        let plan = Plan::example(&text, DynamicsChoice::Auto);
        assert_eq!(plan.points.len(), 20_000);
        for (index, planned) in plan.points.iter().enumerate() {
            let mut comparisons = 0;
            let found = plan.index_by(|point| {
                comparisons += 1;
                point.order(&planned.point)
            });
            assert_eq!(found, Some(index));
            assert!(comparisons <= 16, "{comparisons}");
        }
    }
}
