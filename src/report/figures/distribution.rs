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
        Measure::new("absorbed", "share of trials absorbed"),
        Measure::new("running", "share of trials not yet absorbed"),
        Measure::new("absorbed_in_bin", "share of trials absorbed in a bin"),
        Measure::new("hit", "share of trials with a solution"),
        Measure::new("not_hit", "share of trials without a solution yet"),
        Measure::new(
            "hit_in_bin",
            "share of trials with the first solution in a bin",
        ),
    ],
    across: &[("time", "time (updates)")],
    ignores: &[
        "fit",
        "fit_from",
        "guide",
        "statistic",
        "vary",
        "mark_best",
        "right_axis",
        "over",
    ],
    rows,
    ..MeasureTable::PLAIN
};

/// A measure, the time that it is of, and what a bin has of it.
type BinMeasure = (&'static str, Quantity, fn(&Bin) -> Estimate);

const DRAWN: [BinMeasure; 6] = [
    ("absorbed", Quantity::AbsorptionTime, |it| it.ended),
    ("running", Quantity::AbsorptionTime, |it| {
        it.ended.complement()
    }),
    ("absorbed_in_bin", Quantity::AbsorptionTime, |it| it.within),
    ("hit", Quantity::HittingTime, |it| it.ended),
    ("not_hit", Quantity::HittingTime, |it| it.ended.complement()),
    ("hit_in_bin", Quantity::HittingTime, |it| it.within),
];

/// Bins of the axis of time, the same for all points of a figure.
const BINS: u32 = 40;

/// The trials of a point, and of one of both times.
struct Times {
    point: Point,
    quantity: Quantity,
    cutoff: u64,
    observed: Vec<Bounded>,
}

impl AtPoint for Times {
    fn point(&self) -> &Point {
        &self.point
    }
}

/// The end of a bin, and what is known of a point there.
struct Bin {
    from: f64,
    to: f64,
    /// The share that has come to its end by the end of the bin.
    ended: Estimate,
    /// The share that does so within the bin.
    within: Estimate,
}

fn times(trials: &PointTrials) -> Vec<Times> {
    let of = |quantity: Quantity| {
        let cutoff = trials.rows.cutoffs().iter().copied().min()?;
        Some(Times {
            point: trials.point.clone(),
            quantity,
            cutoff,
            observed: quantity.of_all(&trials.rows, cutoff)?,
        })
    };
    let both = [Quantity::AbsorptionTime, Quantity::HittingTime];
    both.into_iter().filter_map(of).collect()
}

impl Times {
    fn ends(&self) -> impl Iterator<Item = f64> {
        let ended = self.observed.iter().filter(|it| !it.at_least);
        ended.map(|it| it.value as f64)
    }

    /// The bins up to the time at which all that is known ends.
    fn bins(&self, edges: &[f64]) -> Vec<Bin> {
        let Some(curve) = SurvivalCurve::of(&self.observed) else {
            return Vec::new();
        };
        let steps: Vec<_> = curve.steps().collect();
        let horizon = curve.horizon() as f64;
        let trials = self.observed.len() as u64;
        let bin = |ends: &[f64]| {
            let (from, to) = (ends[0], ends[1]);
            let reached = steps.partition_point(|it| it.time as f64 <= to);
            let step = reached.checked_sub(1).map(|at| &steps[at]);
            let within = self.ends().filter(|it| from < *it && *it <= to).count();
            Bin {
                from,
                to,
                ended: curve.share(step).complement(),
                within: share(within as u64, trials),
            }
        };
        // A bin that the cutoff divides is not whole.
        let is_known =
            |it: &&[f64]| it[1] <= horizon || self.observed.iter().all(|it| !it.at_least);
        edges.windows(2).filter(is_known).map(bin).collect()
    }
}

/// The ends of the bins: in equal steps of the time, or of its logarithm.
fn edges(all: &[Times], is_logarithmic: bool) -> Vec<f64> {
    let (least, greatest) = extent(all.iter().flat_map(Times::ends).filter(|it| *it > 0.0));
    let part = |index: u32| f64::from(index) / f64::from(BINS);
    let inner = (0..=BINS).map(|index| match is_logarithmic {
        true => least * libm::pow(greatest / least, part(index)),
        false => greatest * part(index),
    });
    // The first bin holds times of 0, too, and the last one its end.
    let mut edges: Vec<f64> = inner.collect();
    edges[0] = if is_logarithmic {
        edges[0] * 0.999
    } else {
        -0.5
    };
    edges[BINS as usize] = greatest;
    edges
}

/// The times of all points, of those quantities that the figure shows.
fn shown_times(scope: &Scope) -> Vec<Times> {
    let shown = || scope.chart.panels.iter().flat_map(|it| &it.columns);
    let is_shown = |name: &str| shown().any(|it| it.y == name);
    let all = scope.measured(|it| (it.point.goal.is_none()).then(|| times(it)));
    let mut all: Vec<Times> = all.into_iter().flatten().collect();
    all.retain(|it| {
        let mut own = DRAWN.iter().filter(|drawn| drawn.1 == it.quantity);
        own.any(|drawn| is_shown(drawn.0))
    });
    all
}

fn rows(scope: &Scope) -> Result<Frame, String> {
    let choices = &scope.chart.choices;
    let all = shown_times(scope);
    if all.iter().all(|it| it.ends().next().is_none()) {
        return Err(scope.chart.no_points());
    }
    if all.iter().flat_map(Times::ends).all(|end| end == 0.0) {
        return Err(
            "every trial that ended took 0 updates, so an axis of time has no length".to_owned(),
        );
    }
    let is_logarithmic = choices.x_is_logarithmic == Some(true);
    let edges = edges(&all, is_logarithmic);
    let bins = |it| {
        Times::bins(it, &edges)
            .into_iter()
            .map(move |bin| (it, bin))
    };
    let lines: Vec<(&Times, Bin)> = all.iter().flat_map(bins).collect();
    let place = |bin: &Bin| match (choices.mark, is_logarithmic) {
        (MarkShape::Bars, true) => (bin.from * bin.to).sqrt(),
        (MarkShape::Bars, false) => (bin.from.max(0.0) + bin.to) / 2.0,
        _ => bin.to,
    };
    let cut_off = |it: &Times| it.observed.iter().filter(|it| it.at_least).count();
    let mut columns = Frame::of(&lines, &KEY_AXES)
        .drawn("time", |it| Estimate::exactly(place(&it.1)))
        .column("quantity", |it| it.0.quantity.name())
        .column("trials", |it| it.0.observed.len())
        .column("censored", |it| cut_off(it.0))
        .column("cutoff", |it| it.0.cutoff)
        .column("from", |it| it.1.from.max(0.0))
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
        );
    for (name, quantity, of) in DRAWN {
        let own = |it: &(&Times, Bin)| (it.0.quantity == quantity).then(|| of(&it.1));
        columns = columns.drawn(name, own);
    }
    Ok(columns.frame)
}
