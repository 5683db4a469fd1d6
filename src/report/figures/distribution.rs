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

/// Bins of the axis of time, the same for all points of a figure.
const BINS: u32 = 40;

/// The trials of a point, and of one of both times.
struct Times {
    point: Point,
    quantity: Quantity,
    cutoff: u64,
    observed: Vec<Bounded>,
}

/// The end of a bin, and what is known of a point there.
struct Bin {
    from: f64,
    to: f64,
    /// The share that has come to its end by the end of the bin.
    ended: Estimate,
    /// That within the bin.
    within: Estimate,
}

fn times(trials: &PointTrials) -> Vec<Times> {
    let of = |quantity: Quantity| {
        let cutoff = trials.rows.cutoffs().iter().copied().min()?;
        let observed = Quantity::rows(&trials.rows).map(|row| quantity.observed(&row, cutoff));
        Some(Times {
            point: trials.point.clone(),
            quantity,
            cutoff,
            observed: observed.collect::<Option<_>>()?,
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

fn rows(scope: &Scope) -> Result<Frame, String> {
    let chart = scope.chart;
    let shown: Vec<String> = chart
        .panels
        .iter()
        .flat_map(|it| &it.columns)
        .map(|it| it.y.clone())
        .collect();
    let is_shown = |quantity: Quantity| {
        let names: [&str; 3] = match quantity {
            Quantity::HittingTime => ["hit", "not_hit", "hit_in_bin"],
            _ => ["absorbed", "running", "absorbed_in_bin"],
        };
        shown.iter().any(|it| names.contains(&&**it))
    };
    let all = scope.measured(|it| (it.point.goal.is_none()).then(|| times(it)));
    let all: Vec<Times> = all
        .into_iter()
        .flatten()
        .filter(|it| is_shown(it.quantity))
        .collect();
    if all.iter().all(|it| it.ends().next().is_none()) {
        return Err(chart.no_points());
    }
    let edges = edges(&all, chart.choices.x_is_logarithmic == Some(true));
    let lines = all
        .iter()
        .flat_map(|it| it.bins(&edges).into_iter().map(move |bin| (it, bin)));
    let lines: Vec<(Point, (&Times, Bin))> = lines.map(|it| (it.0.point.clone(), it)).collect();
    let middle = |bin: &Bin| match chart.choices.x_is_logarithmic {
        Some(true) => (bin.from * bin.to).sqrt(),
        _ => (bin.from.max(0.0) + bin.to) / 2.0,
    };
    let is_bars = chart.choices.mark == MarkShape::Bars;
    let of = |wanted: Quantity| move |it: &(Point, (&Times, Bin))| it.1.0.quantity == wanted;
    let [absorbed, hit] = [Quantity::AbsorptionTime, Quantity::HittingTime].map(of);
    let columns = Frame::of(&lines, &KEY_AXES)
        .drawn("time", |(_, (_, bin))| {
            let time = if is_bars { middle(bin) } else { bin.to };
            Estimate::exactly(time)
        })
        .column("quantity", |(_, (it, _))| it.quantity.name())
        .column("trials", |(_, (it, _))| it.observed.len())
        .column("censored", |(_, (it, _))| it.observed.iter().filter(|it| it.at_least).count())
        .column("cutoff", |(_, (it, _))| it.cutoff)
        .column("from", |(_, (_, bin))| bin.from.max(0.0))
        .column("to", |(_, (_, bin))| bin.to)
        .estimate("ended", |(_, (_, bin))| bin.ended)
        .estimate("in_bin", |(_, (_, bin))| bin.within)
        .drawn("absorbed", |it| absorbed(it).then_some(it.1.1.ended))
        .drawn("running", |it| absorbed(it).then_some(it.1.1.ended.complement()))
        .drawn("absorbed_in_bin", |it| absorbed(it).then_some(it.1.1.within))
        .drawn("hit", |it| hit(it).then_some(it.1.1.ended))
        .drawn("not_hit", |it| hit(it).then_some(it.1.1.ended.complement()))
        .drawn("hit_in_bin", |it| hit(it).then_some(it.1.1.within))
        .note(
            "`ended`: the share of the `trials` whose event (the absorption, or the first solution) came no later than `to` updates: one less Kaplan and Meier's estimate, in brackets its 95 % interval (log-log). \
             `in_bin`: the share whose event came after `from` and no later than `to`, with Wilson's interval.",
        )
        .warn_if(
            |(_, (it, _))| it.observed.iter().any(|it| it.at_least),
            "a curve ends where trials were cut off",
        );
    Ok(columns.frame)
}
