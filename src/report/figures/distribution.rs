//! How times are distributed: the share of trials that have come to an end by a time, and the share
//! of those that do between two times, in updates.

use super::kit::*;
use crate::analysis::quantile::Bounded;
use crate::analysis::share::share;
use crate::analysis::survival::SurvivalCurve;
use crate::report::scale::extent;

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
    ignores: &[
        "fit",
        "fit_from",
        "statistic",
        "vary",
        "mark_best",
        "right_axis",
        "over",
    ],
    rows,
    ..MeasureTable::PLAIN
};

/// Time in units of each point's mean: exponential times of all points have one curve.
const IN_MEANS: &str = "time_in_means";
/// The end of that axis; an exponential time is longer with probability 0.0003.
const MOST_MEANS: f64 = 8.0;

/// A measure, the time that it is of, and what a bin has of it.
type BinMeasure = (&'static str, Quantity, fn(&Bin) -> Option<Estimate>);

const DRAWN: [BinMeasure; 6] = [
    ("absorbed", Quantity::AbsorptionTime, |it| Some(it.ended)),
    ("running", Quantity::AbsorptionTime, Bin::not_ended),
    ("absorbed_in_bin", Quantity::AbsorptionTime, |it| {
        Some(it.within)
    }),
    ("hit", Quantity::HittingTime, |it| Some(it.ended)),
    ("not_hit", Quantity::HittingTime, Bin::not_ended),
    ("hit_in_bin", Quantity::HittingTime, |it| Some(it.within)),
];

/// Bins of the axis of time, the same for all points of a figure.
const BINS: u32 = 40;

/// The trials of a point, and of one of both times.
struct Times {
    point: Point,
    quantity: Quantity,
    cutoff: u64,
    observed: Vec<Bounded>,
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
    fn not_ended(&self) -> Option<Estimate> {
        (!self.is_over).then(|| self.ended.complement())
    }
}

fn times(trials: &PointTrials, is_in_means: bool) -> Vec<Times> {
    let of = |quantity: Quantity| {
        let cutoff = trials.rows.cutoffs().iter().copied().min()?;
        let observed = quantity.of_all(&trials.rows, cutoff)?;
        // The mean of an exponential law of greatest likelihood.
        let ended = observed.iter().filter(|it| !it.at_least).count() as f64;
        let mean = observed.iter().map(|it| it.value as f64).sum::<f64>() / ended;
        Some(Times {
            point: trials.point.clone(),
            quantity,
            cutoff,
            observed,
            unit: if is_in_means { mean } else { 1.0 },
        })
    };
    let both = [Quantity::AbsorptionTime, Quantity::HittingTime];
    both.into_iter().filter_map(of).collect()
}

impl Times {
    fn ends(&self) -> impl Iterator<Item = f64> {
        let ended = self.observed.iter().filter(|it| !it.at_least);
        ended.map(|it| it.value as f64 / self.unit)
    }

    /// The bins up to the time at which all that is known ends.
    fn bins(&self, edges: &[f64]) -> Vec<Bin> {
        let Some(curve) = SurvivalCurve::of(&self.observed) else {
            return Vec::new();
        };
        let steps: Vec<_> = curve.steps().collect();
        let horizon = curve.horizon() as f64 / self.unit;
        let trials = self.observed.len() as u64;
        let bin = |(index, ends): (usize, &[f64])| {
            let (from, to) = (ends[0], ends[1]);
            let step = |by: f64| {
                let reached = steps.partition_point(|it| it.time as f64 / self.unit <= by);
                reached.checked_sub(1).map(|at| &steps[at])
            };
            // The first one holds times of 0, too.
            let within = self
                .ends()
                .filter(|it| (index == 0 || from < *it) && *it <= to);
            Bin {
                from,
                to,
                ended: curve.share(step(to)).complement(),
                within: share(within.count() as u64, trials),
                is_over: index > 0 && step(from).is_some_and(|it| it.survival == 0.0),
            }
        };
        // A bin that the cutoff divides is not whole.
        let is_whole = self.observed.iter().all(|it| !it.at_least);
        let known = edges.windows(2).filter(|it| it[1] <= horizon || is_whole);
        known.enumerate().map(bin).collect()
    }
}

/// The ends of the bins: in equal steps of the time, or of its logarithm.
fn edges(drawn: &[&Times], choices: &Figure) -> Vec<f64> {
    let is_logarithmic = choices.x_is_logarithmic == Some(true);
    let ends = drawn.iter().flat_map(|it| it.ends());
    let (least, greatest) = extent(ends.filter(|it| *it > 0.0));
    let greatest = match &*choices.x {
        IN_MEANS => greatest.min(MOST_MEANS),
        _ => greatest,
    };
    let part = |index: u32| f64::from(index) / f64::from(BINS);
    let inner = (0..=BINS).map(|index| match is_logarithmic {
        true => least * libm::pow(greatest / least, part(index)),
        false => greatest * part(index),
    });
    let mut edges: Vec<f64> = inner.collect();
    edges[BINS as usize] = greatest;
    match (is_logarithmic, choices.mark) {
        (true, _) => edges[0] *= 0.999,
        (false, MarkShape::Bars) => {}
        // A curve begins at a time of 0.
        (false, _) => edges.insert(0, 0.0),
    }
    edges
}

/// The times of all points, of those quantities that the figure shows.
fn shown_times(scope: &Scope) -> Vec<Times> {
    let shown = || scope.chart.panels.iter().flat_map(|it| &it.columns);
    let is_shown = |name: &str| shown().any(|it| it.y == name);
    let is_in_means = scope.chart.choices.x == IN_MEANS;
    let all = scope.measured(|it| (it.point.goal.is_none()).then(|| times(it, is_in_means)));
    let mut all: Vec<Times> = all.into_iter().flatten().collect();
    all.retain(|it| {
        let mut own = DRAWN.iter().filter(|drawn| drawn.1 == it.quantity);
        own.any(|drawn| is_shown(drawn.0))
    });
    all
}

fn rows(scope: &Scope) -> Result<Frame, String> {
    let (chart, choices) = (scope.chart, &scope.chart.choices);
    let has_unit = |it: &Times| it.unit > 0.0 && it.unit.is_finite();
    let (all, others): (Vec<_>, Vec<_>) = shown_times(scope).into_iter().partition(has_unit);
    let reason = "no trial ended after an update";
    let others = others.into_iter().map(|it| (it.point, reason.to_owned()));
    if all.iter().all(|it| it.ends().next().is_none()) {
        return Err(chart.no_points());
    }
    if all.iter().flat_map(Times::ends).all(|end| end == 0.0) {
        return Err(
            "every trial that ended took 0 updates, so an axis of time has no length".to_owned(),
        );
    }
    let curves = grouped(&all, |it| chart.curve_of(&it.point));
    let has_room = chart.has_room(curves.iter().map(|it| &it[0].point));
    let drawn = curves.into_iter().zip(has_room).filter(|it| it.1);
    let drawn: Vec<&Times> = drawn.flat_map(|it| it.0).collect();
    let edges = match drawn.iter().any(|it| it.ends().any(|end| end > 0.0)) {
        true => edges(&drawn, choices),
        false => edges(&all.iter().collect_vec(), choices),
    };
    let bins = |it| {
        Times::bins(it, &edges)
            .into_iter()
            .map(move |bin| (it, bin))
    };
    let lines: Vec<(&Times, Bin)> = all.iter().flat_map(bins).collect();
    let place = |bin: &Bin| match (choices.mark, choices.x_is_logarithmic) {
        (MarkShape::Bars, Some(true)) => (bin.from * bin.to).sqrt(),
        (MarkShape::Bars, _) => (bin.from + bin.to) / 2.0,
        _ => bin.to,
    };
    let cut_off = |it: &Times| it.observed.iter().filter(|it| it.at_least).count();
    let mut columns = Frame::of(&lines, |it| &it.0.point, &KEY_AXES)
        .drawn(&choices.x, |it| Estimate::exactly(place(&it.1)))
        .column("quantity", |it| it.0.quantity.name())
        .column("trials", |it| it.0.observed.len())
        .column("censored", |it| cut_off(it.0))
        .column("cutoff", |it| it.0.cutoff)
        .column("from", |it| it.1.from)
        .column("to", |it| it.1.to)
        .estimate("ended", |it| it.1.ended)
        .estimate("in_bin", |it| it.1.within)
        .note(
            "`ended`: the share of the `trials` whose event (the absorption, or the first solution) came no later than `to` updates: one less Kaplan and Meier's estimate, in brackets its 95 % interval (log-log). \
             `in_bin`: the share whose event came after `from` and no later than `to`, with Wilson's interval.",
        )
        .warn_if(
            |it| cut_off(it.0) > 0,
            "a curve ends where trials were cut off",
        )
        .left_out(others.collect());
    if choices.x == IN_MEANS {
        columns = columns.column("unit", |it| it.0.unit).note(
            "`from`, `to`: in units of `unit`, the updates of all trials together over the number of trials that ended.",
        );
    }
    for (name, quantity, of) in DRAWN {
        let own = |it: &(&Times, Bin)| (it.0.quantity == quantity).then(|| of(&it.1))?;
        columns = columns.drawn(name, own);
    }
    Ok(columns.frame)
}
