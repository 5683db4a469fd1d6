//! How times are distributed: the share of trials that have come to an end by a time, and the share
//! of those that do between two times, in updates. Here are the names (`absorbed`, `running`,
//! `hit`, `absorbed_in_bin` …), where bins lie, the units of `time_in_means` and the end of its
//! axis (8 means), from which ratio of times on the axis is logarithmic (100), and the notes.
//! Intervals are those of `analysis/survival.rs`.

use crate::analysis::quantile::Bounded;
use crate::analysis::share::share;
use crate::analysis::survival::SurvivalCurve;
use crate::report::FigureRows;
use crate::report::axes::scale::extent;
use crate::report::measures::kit::*;
use crate::solver::Ending;

pub const DISTRIBUTION: MeasureTable = MeasureTable {
    name: "distribution",
    measures: &[
        Measure::share("absorbed", "", "share of trials absorbed"),
        Measure::share("running", "", "share of trials not yet absorbed"),
        Measure::share("absorbed_in_bin", "", "share of trials absorbed in a bin"),
        Measure::share("hit", "", "share of trials with a solution"),
        Measure::share("not_hit", "", "share of trials without a solution yet"),
        Measure::share(
            "hit_in_bin",
            "",
            "share of trials with the first solution in a bin",
        ),
    ],
    across: &[("time", "time (updates)"), (IN_MEANS, "time / mean time")],
    ignores: &["fit", "vary", "mark_best", "right_axis", "over"],
    rows,
    needs: |scope, points| {
        let has_column = scope.figure.spec.bin.column.is_some();
        only(points, |point| has_column || point.goal.is_none())
    },
    lacking: "no trial of a local rule ended",
    ..MeasureTable::PLAIN
};

/// Time in units of each point's mean: exponential times of all points have one curve.
pub const IN_MEANS: &str = "time_in_means";
/// The end of that axis; an exponential time is longer with probability 0.0003.
const MOST_MEANS: f64 = 8.0;

/// From this ratio of their greatest times on, the curves of two points have a logarithmic axis: on
/// a linear one the faster would end within the first of the 40 steps of the slower.
const FAR_APART: f64 = 100.0;

/// The figure with the scale of its times, where its keys do not say it: logarithmic for curves of
/// which one ends a hundred times as late as another.
pub fn with_scale(figure: &Figure, rows: &FigureRows) -> Option<FigureSpec> {
    let spec = figure.spec;
    if figure.tables[0].name != DISTRIBUTION.name || spec.x_is_logarithmic.is_some() {
        return None;
    }

    let is_given = spec.bin_range().is_some() || spec.mark == MarkShape::Bars;
    let are_far_apart = || {
        let mut times = shown_times(&Scope { figure, rows });
        times.retain(|point| point.reals.is_none());
        let greatest = times.iter().map(|point| extent(point.ends()).1);
        let (least, greatest) = extent(greatest.filter(|time| *time > 0.0));
        greatest >= FAR_APART * least
    };
    let is_of_times = rows.planned.is_none() && spec.x != IN_MEANS && !is_given;
    let is_logarithmic = is_of_times && are_far_apart();
    Some(FigureSpec {
        x_is_logarithmic: Some(is_logarithmic),
        ..spec.clone()
    })
}

/// The column of times that a measure is of.
fn time_of(measure: &str) -> &'static str {
    if measure.contains("hit") {
        "hitting_time"
    } else {
        "absorption_time"
    }
}

/// The trials of a point, and what they say of a column.
struct Times {
    point: Point,
    column: String,
    cutoff: u64,
    observed: Vec<Bounded>,
    /// Of a column of reals the values, in increasing order; what is observed are their places.
    reals: Option<Vec<f64>>,
    /// What the axis counts in, in updates.
    unit: f64,
}

/// The end of a bin, and what is known of a point there.
struct Bin {
    from: f64,
    to: f64,
    /// The share that has come to its end by the end of the bin.
    ended: Estimate,
    /// The share that does so within the bin.
    within: Estimate,
    /// True if nothing is left at the beginning of the bin.
    is_over: bool,
}

impl Bin {
    /// What the first, the second or the third measure of a column shows.
    fn shown(&self, measure: usize) -> Option<Estimate> {
        match measure {
            0 => Some(self.ended),
            1 => (!self.is_over).then(|| self.ended.complement()),
            _ => Some(self.within),
        }
    }
}

fn times(trials: &PointTrials, column: &str, spec: &FigureSpec) -> Option<Times> {
    let cutoff = trials.rows.least_cutoff()?;
    if let Some(reals) = trials.rows.reals(column) {
        return of_reals(trials, column, cutoff, reals);
    }
    let observed = match Quantity::from_name(column) {
        Some(own) => own.of_all(&trials.rows, cutoff)?,
        None => {
            let all = trials.rows.count(column)?.iter().zip(trials.rows.endings());
            let bounded = |(value, ending): (Option<u64>, &Ending)| {
                let at_least = ending.is_cut_off();
                value.map(|value| Bounded { value, at_least })
            };
            all.map(bounded).collect::<Option<_>>()?
        }
    };
    // The mean of an exponential law of greatest likelihood.
    let ended = observed.iter().filter(|time| !time.at_least).count() as f64;
    let mean = observed.iter().map(|time| time.value as f64).sum::<f64>() / ended;
    Some(Times {
        point: trials.point.clone(),
        column: column.to_owned(),
        cutoff,
        observed,
        reals: None,
        unit: if spec.x == IN_MEANS { mean } else { 1.0 },
    })
}

/// The reals of a point, each as it is, also of trials that were cut off; `None` where a trial has
/// none.
fn of_reals(
    trials: &PointTrials,
    column: &str,
    cutoff: u64,
    reals: &[Option<f64>],
) -> Option<Times> {
    let values: Vec<f64> = reals.iter().copied().collect::<Option<_>>()?;
    let mut sorted = values.clone();
    sorted.sort_by(f64::total_cmp);
    sorted.dedup();
    let place = |value: &f64| sorted.partition_point(|other| other < value) as u64;
    Some(Times {
        point: trials.point.clone(),
        column: column.to_owned(),
        cutoff,
        observed: values.iter().map(place).map(Bounded::exactly).collect(),
        reals: Some(sorted),
        unit: 1.0,
    })
}

impl Times {
    /// What is observed, as it stands on the axis.
    fn on_axis(&self, observed: u64) -> f64 {
        match &self.reals {
            Some(reals) => reals[observed as usize],
            None => observed as f64 / self.unit,
        }
    }

    fn ends(&self) -> impl Iterator<Item = f64> {
        let ended = self.observed.iter().filter(|time| !time.at_least);
        ended.map(|time| self.on_axis(time.value))
    }

    /// The bins up to the time at which all that is known ends.
    fn bins(&self, edges: &[f64], has_zeros: bool) -> Vec<Bin> {
        let Some(curve) = SurvivalCurve::of(&self.observed) else {
            return Vec::new();
        };
        let steps: Vec<_> = curve.steps().collect();
        let horizon = self.on_axis(curve.horizon());
        let trials = self.observed.len() as u64;
        // Beyond the least of those that were cut off these may be in a bin, too.
        let cut_off = self.observed.iter().filter(|time| time.at_least);
        let exact = cut_off.map(|cut_off| self.on_axis(cut_off.value));
        let exact = exact.fold(f64::INFINITY, f64::min);
        let bin = |(index, ends): (usize, &[f64])| {
            let from = ends[0];
            let to = ends[1];
            let step = |by: f64| {
                let reached = steps.partition_point(|step| self.on_axis(step.time) <= by);
                reached.checked_sub(1).map(|at| &steps[at])
            };
            // The first one holds times of 0, too.
            let is_within = |time: &f64| (index == 0 && has_zeros || from < *time) && *time <= to;
            let within = share(self.ends().filter(is_within).count() as u64, trials);
            Bin {
                from,
                to,
                ended: curve.share(step(to)).complement(),
                within: within.bounding(to > exact),
                is_over: index > 0 && step(from).is_some_and(|step| step.survival == 0.0),
            }
        };
        // A bin that the cutoff divides is not whole.
        let is_whole = self.observed.iter().all(|time| !time.at_least);
        let known = edges
            .windows(2)
            .filter(|ends| ends[1] <= horizon || is_whole);
        known.enumerate().map(bin).collect()
    }
}

/// Where bins lie: between two values, in so many equal steps of them or of their logarithms.
struct Grid {
    begin: f64,
    end: f64,
    count: u32,
    is_logarithmic: bool,
}

impl Grid {
    fn edge(&self, index: u32) -> f64 {
        let part = f64::from(index) / f64::from(self.count);
        if self.is_logarithmic {
            self.begin * libm::pow(self.end / self.begin, part)
        } else {
            self.begin + (self.end - self.begin) * part
        }
    }

    /// Bins of as many whole numbers each up to the greatest, 0 among them where bars stand about
    /// their numbers.
    fn of_whole_numbers(greatest: f64, most: u32, are_bars: bool) -> Self {
        let half = if are_bars { 0.5 } else { 0.0 };
        let n_numbers = greatest + 2.0 * half;
        let width = (n_numbers / f64::from(most)).ceil();
        let count = (n_numbers / width).ceil() as u32;
        Self {
            begin: -half,
            end: width * f64::from(count) - half,
            count,
            is_logarithmic: false,
        }
    }
}

/// The ends of the bins of reals, from the least value to the greatest. One value alone stands in
/// the middle of bins that are one wide together.
fn edges_of_reals(drawn: &[&Times], spec: &FigureSpec) -> Vec<f64> {
    let all = extent(drawn.iter().flat_map(|times| times.ends()));
    let (begin, end) = match spec.bin_range().unwrap_or(all) {
        (least, greatest) if least == greatest => (least - 0.5, greatest + 0.5),
        ends => ends,
    };
    let grid = Grid {
        begin,
        end,
        count: spec.bin.count,
        is_logarithmic: false,
    };
    // A curve begins with the least value.
    let first = (spec.mark != MarkShape::Bars).then_some(begin);
    let inner = (0..grid.count).map(|index| grid.edge(index));
    first.into_iter().chain(inner).chain([end]).collect()
}

/// The ends of the bins: in equal steps of the time, or of its logarithm.
fn edges(drawn: &[&Times], spec: &FigureSpec) -> Vec<f64> {
    let is_logarithmic = spec.x_is_logarithmic == Some(true);
    if !is_logarithmic && drawn.iter().any(|times| times.reals.is_some()) {
        return edges_of_reals(drawn, spec);
    }
    let are_bars = spec.mark == MarkShape::Bars;
    let is_in_means = spec.x == IN_MEANS;
    let ends = drawn.iter().flat_map(|times| times.ends());
    let (least, greatest) = extent(ends.filter(|end| *end > 0.0));
    let most = if is_in_means { MOST_MEANS } else { greatest };
    let from = if is_logarithmic { least } else { 0.0 };
    let (begin, end) = spec.bin_range().unwrap_or((from, greatest.min(most)));

    let is_plain = !is_in_means && !is_logarithmic && spec.bin_range().is_none();
    let grid = if is_plain && spec.bin.column.is_some() {
        Grid::of_whole_numbers(end, spec.bin.count, are_bars)
    } else {
        Grid {
            begin,
            end,
            count: spec.bin.count,
            is_logarithmic,
        }
    };
    let mut edges: Vec<f64> = (0..=grid.count).map(|index| grid.edge(index)).collect();
    // Without the rounding of its step.
    edges[grid.count as usize] = if grid.begin < 0.0 { grid.end } else { end };
    if is_logarithmic {
        // The least time is in the first bin.
        if spec.bin_range().is_none() {
            edges[0] *= 0.999;
        }
    } else if !are_bars {
        // A curve begins at a time of 0.
        edges.insert(0, edges[0]);
    }
    edges
}

/// What the points say of the column, or of those times that the figure shows.
fn shown_times(scope: &Scope) -> Vec<Times> {
    let spec = scope.figure.spec;
    let times_of = scope.figure.columns().map(|column| time_of(&column.column));
    let columns: Vec<&str> = match &spec.bin.column {
        Some(own) => vec![own],
        None => times_of.sorted().dedup().collect(),
    };
    let of = |point_trials: &PointTrials| {
        let own = columns
            .iter()
            .filter_map(|column| times(point_trials, column, spec));
        Some(own.collect_vec())
    };
    scope.measured(of).into_iter().flatten().collect()
}

const SHARES_NOTE: &str = "`absorbed`, `hit`: the share of the `trials` whose event (the absorption, or the first solution) came no later than `to` updates: one less Kaplan and Meier's estimate, in brackets its 95 % interval (log-log). \
    `running`, `not_hit`: one less this share. `…_in_bin`: the share whose event came after `from` and no later than `to`, with Wilson's interval.";
const UNIT_NOTE: &str = "`from`, `to`: in units of `unit`, the updates of all trials together over the number of trials that ended.";
const BEYOND_NOTE: &str = "shares are of all trials, those beyond the axis included";
const COLUMN_NOTE: &str =
    "The event is the end of a trial, and `quantity`, in its own unit, has the place of updates.";

/// A point's times, and one of its bins.
type Line<'t> = (&'t Times, Bin);

fn rows(scope: &Scope) -> Result<Table, String> {
    let figure = scope.figure;
    let has_unit = |times: &Times| times.unit > 0.0 && times.unit.is_finite();
    let (all, without_unit): (Vec<_>, Vec<_>) = shown_times(scope).into_iter().partition(has_unit);
    if all.iter().all(|times| times.ends().next().is_none()) {
        return Err(figure.no_points());
    }
    let reason = figure.filled("no trial that ended has {x} above 0");
    let are_reals = all.iter().any(|times| times.reals.is_some());
    if !are_reals && all.iter().flat_map(Times::ends).all(|end| end == 0.0) {
        return Err(reason);
    }

    let lines = lines(figure, &all);
    let left_out = without_unit.into_iter();
    let left_out = left_out.map(|times| (times.point, reason.clone()));
    let columns = with_places(figure.spec, &lines).left_out(left_out.collect());
    Ok(with_shares(figure, columns).table)
}

/// The bins of all points, whose ends are those of the points that are drawn.
fn lines<'t>(figure: &Figure, all: &'t [Times]) -> Vec<Line<'t>> {
    let spec = figure.spec;
    let curves = grouped(all, |times| figure.curve_of(&times.point));
    let has_room = figure.has_room(curves.iter().map(|curve| &curve[0].point));
    let curves = curves.into_iter().zip(has_room);
    let drawn = curves.filter(|(_, has_room)| *has_room);
    let drawn: Vec<&Times> = drawn.flat_map(|(times, _)| times).collect();
    let is_positive = |times: &Times| times.ends().any(|end| end > 0.0);
    let edges = if drawn.iter().any(|times| is_positive(times)) {
        edges(&drawn, spec)
    } else {
        edges(&all.iter().collect_vec(), spec)
    };
    // Nothing is below a time of 0; of reals it may be.
    let are_reals = all.iter().any(|times| times.reals.is_some());
    let has_zeros = spec
        .bin_range()
        .is_none_or(|(low, _)| low <= 0.0 && !are_reals);
    let mut lines = Vec::new();
    for times in all {
        for bin in times.bins(&edges, has_zeros) {
            lines.push((times, bin));
        }
    }
    lines
}

/// The columns that say of which trials a line is, and where its bin lies.
fn with_places<'r, 't>(spec: &FigureSpec, lines: &'r [Line<'t>]) -> Columns<'r, Line<'t>> {
    let place = |bin: &Bin| match (spec.mark, spec.x_is_logarithmic) {
        (MarkShape::Bars, Some(true)) => (bin.from * bin.to).sqrt(),
        (MarkShape::Bars, _) => (bin.from + bin.to) / 2.0,
        _ => bin.to,
    };
    let cut_off = |times: &Times| times.observed.iter().filter(|time| time.at_least).count();
    let cut_off_in_words = match spec.mark {
        MarkShape::Bars => "trials that were cut off are in no bar",
        _ => "a curve ends where trials were cut off",
    };
    let columns = Table::of(lines, |(times, _)| &times.point, &KEY_AXES)
        .column("quantity", |(times, _)| times.column.clone())
        .column("trials", |(times, _)| times.observed.len())
        .column("censored", |(times, _)| cut_off(times))
        .column("cutoff", |(times, _)| times.cutoff)
        .column("from", |(_, bin)| bin.from)
        .column("to", |(_, bin)| bin.to);
    columns
        .column(&spec.x, |(_, bin)| place(bin))
        .note(SHARES_NOTE)
        .warn_if(|(times, _)| cut_off(times) > 0, cut_off_in_words)
        .warn_if(|_| spec.bin_range().is_some(), BEYOND_NOTE)
        .note_if(|_| spec.bin.column.is_some(), COLUMN_NOTE)
}

/// The shares that the figure shows, and those of the same time.
fn with_shares<'r, 't>(
    figure: &Figure,
    mut columns: Columns<'r, Line<'t>>,
) -> Columns<'r, Line<'t>> {
    let spec = figure.spec;
    if spec.x == IN_MEANS {
        columns = columns.column("unit", |(times, _)| times.unit);
        columns = columns.note(UNIT_NOTE);
    }
    let shown: Vec<&str> = figure.curves().map(|measure| &*measure.column).collect();
    for (index, Measure { name, .. }) in DISTRIBUTION.measures.iter().enumerate() {
        let is_of_shown = shown.iter().any(|other| time_of(other) == time_of(name));
        // What is one less another share stands there where it is drawn.
        let is_rest = index % 3 == 1;
        if !is_of_shown || is_rest && !shown.contains(name) {
            continue;
        }
        let has_share = |times: &Times| spec.bin.column.is_some() || times.column == time_of(name);
        columns = columns.estimate(name, |(times, bin)| {
            let share = bin.shown(index % 3);
            share.filter(|_| has_share(times))
        });
    }
    columns
}
